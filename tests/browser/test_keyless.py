"""A reader without a key: the book answers with its own sentences."""

from __future__ import annotations

import pytest
from fakes.endpoint import Endpoint, text
from panel import PanelPage, at_rest, until
from playwright.sync_api import Route, expect

pytestmark = pytest.mark.browser


def test_the_book_answers_with_its_own_sentences_and_leads_to_them(panel: PanelPage) -> None:
    panel.open()
    panel.ask("What is an inverted index?")
    answer = panel.wait()
    expect(answer).to_contain_text("is a map from every term of the collection to its postings list")
    expect(answer).to_contain_text("These are the book's own sentences")
    marks = answer.locator("a.cite-ref")
    n = marks.first.get_attribute("data-n")
    source = answer.get_by_role("list", name="Sources").locator(f"li[value='{n}']")
    expect(source).to_be_visible()
    marks.first.click()
    expect(source.get_by_role("link").first).to_be_focused()
    assert panel.errors == []


def test_a_source_leads_to_the_heading_it_names(panel: PanelPage) -> None:
    panel.open()
    panel.ask("What does Theorem 2.2 say?")
    source = panel.wait().get_by_role("list", name="Sources").get_by_role("link").first
    expect(source).to_contain_text("Theorem 2.2")
    source.click()
    panel.page.wait_for_url("**/en/2-term-weights/#*")
    anchor = panel.page.url.partition("#")[2].partition(":~:")[0]
    place = panel.page.locator(f"[id='{anchor}']")
    expect(place).to_be_in_viewport()
    assert "Theorem 2.2" in place.evaluate("place => (place.closest('.admonition, details, h1, h2, h3') ?? place).textContent")


def test_a_question_typed_early_is_asked_by_itself_as_soon_as_the_book_is_ready(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    expect(panel.answer).to_have_attribute("data-state", "running")
    panel.wait()


def open_without_panel(panel: PanelPage) -> Route:
    """Click, and hold the panel's file back; only the outline is there."""
    held: list[Route] = []
    panel.page.route("**/elements/panel.js", lambda route: held.append(route))
    with panel.page.expect_request("**/elements/panel.js"):
        panel.opener.click()
    until(panel.page, lambda: bool(held))
    expect(panel.field).to_be_focused()
    return held[0]


def test_what_is_typed_before_the_panel_has_arrived_is_kept_and_sent(panel: PanelPage) -> None:
    coming = open_without_panel(panel)
    panel.page.keyboard.type("stop words")
    panel.page.keyboard.press("Enter")
    coming.continue_()
    expect(panel.answer).to_be_visible()
    expect(panel.log).to_contain_text("stop words")
    expect(panel.field).to_have_value("")
    expect(panel.field).to_be_focused()
    panel.wait()


def test_escape_closes_what_has_not_arrived_yet(panel: PanelPage) -> None:
    coming = open_without_panel(panel)
    panel.page.keyboard.press("Escape")
    expect(panel.region).to_be_hidden()
    expect(panel.opener).to_be_focused()
    coming.continue_()
    panel.opener.click()
    expect(panel.button("Settings")).to_be_visible()


def test_what_the_book_does_not_speak_of_is_said(panel: PanelPage) -> None:
    panel.open()
    panel.ask("zebra giraffe savanna")
    answer = panel.wait()
    expect(answer).to_contain_text("zebra")
    with Endpoint([text("A zebra is an animal.")]) as endpoint:
        panel.add_model(endpoint.url)
        panel.ask("zebra giraffe savanna")
        expect(panel.answers).to_have_count(2)
        expect(panel.wait()).to_contain_text("The book says little about this")


def test_a_reader_who_goes_down_in_an_answer_is_left_there_when_it_grows(panel: PanelPage) -> None:
    panel.page.set_viewport_size({"width": 1280, "height": 520})
    panel.open()
    panel.ask("postings, idf and PageRank")
    answer = panel.wait()
    assert at_rest(panel.log) == 0
    panel.log.hover()
    panel.page.mouse.wheel(0, 180)
    assert at_rest(panel.log) == 180
    answer.locator("details.also-read > summary, details.found > summary").last.evaluate("summary => summary.click()")
    assert at_rest(panel.log) == 180


def test_a_link_with_a_question_fills_it_in_and_sends_nothing(panel: PanelPage) -> None:
    panel.visit("en/1-inverted-index/?ask=What+is+BM25%3F")
    expect(panel.field).to_have_value("What is BM25?")
    expect(panel.answers).to_have_count(0)


def test_a_question_in_the_address_is_filled_in_once_and_costs_no_conversation(panel: PanelPage) -> None:
    panel.visit("en/1-inverted-index/?ask=What+is+a+posting%3F&x=1#postings")
    expect(panel.field).to_have_value("What is a posting?")
    assert panel.page.url == f"{panel.site}en/1-inverted-index/?x=1#postings"
    panel.field.press("Enter")
    panel.wait()
    panel.page.reload()
    expect(panel.answers).to_have_count(1)
    expect(panel.field).to_have_value("")
    panel.visit("en/1-inverted-index/?ask=And+a+term%3F")
    expect(panel.field).to_have_value("And a term?")
    expect(panel.answers).to_have_count(1)


def test_a_closed_page_loads_next_to_nothing_and_no_python(panel: PanelPage) -> None:
    panel.page.wait_for_load_state("networkidle")
    ours = [url for url in panel.requests if "/assets/askbook/" in url and "/vendor/katex/" not in url]
    assert sorted(url.rpartition("/")[2] for url in ours) == ["main.js"]
