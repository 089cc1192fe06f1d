"""Open conversations side by side: one press away, closed without being deleted."""

from __future__ import annotations

import pytest
from fakes.endpoint import Endpoint, text
from panel import PanelPage
from playwright.sync_api import Browser, Locator, expect

pytestmark = pytest.mark.browser


def tabs(panel: PanelPage) -> Locator:
    """Every tab."""
    return panel.page.get_by_role("tablist", name="Open conversations").get_by_role("tab")


def three_threads(panel: PanelPage) -> None:
    """Ask three questions, each in a thread of its own."""
    panel.open()
    for at, question in enumerate(("stop words", "skip pointers", "postings list")):
        if at:
            panel.button("New thread").click()
        panel.ask(question)
        panel.wait()


def test_one_conversation_has_no_tabs_and_more_have_one_each(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    expect(tabs(panel)).to_have_count(0)
    panel.button("New thread").click()
    expect(tabs(panel)).to_have_text(["stop words", "New conversation"])
    expect(tabs(panel).last).to_have_attribute("aria-selected", "true")
    panel.ask("skip pointers")
    expect(tabs(panel)).to_have_text(["stop words", "skip pointers"])
    tabs(panel).first.click()
    expect(panel.answers).to_have_count(1)
    expect(panel.log).to_contain_text("stop words")
    expect(panel.page.get_by_role("tabpanel")).to_be_visible()


def test_formulas_that_came_while_another_tab_was_shown_are_typeset(panel: PanelPage) -> None:
    formulas = " ".join(f"$\\frac{{a_{{{at}}}}}{{b}}$" for at in range(60))
    with Endpoint([text("Yes."), text(f"First word {formulas} last word " + "more " * 100, delta=8, delay=0.03)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("stop words")
        panel.wait()
        panel.button("New thread").click()
        panel.ask("skip pointers")
        expect(panel.answer).to_contain_text("First word", timeout=60_000)
        tabs(panel).first.click()
        panel.page.wait_for_timeout(3000)
        tabs(panel).last.click()
        expect(panel.answer).to_contain_text("last word", timeout=30_000)
        expect(panel.answer.locator(".math:not(.typeset)")).to_have_count(0)
        expect(panel.answer.locator(".math.typeset")).to_have_count(60)


def test_arrows_go_from_tab_to_tab_and_delete_closes_one_without_deleting_it(panel: PanelPage) -> None:
    three_threads(panel)
    tabs(panel).last.focus()
    panel.page.keyboard.press("ArrowRight")
    expect(tabs(panel).first).to_be_focused()
    expect(panel.log).to_contain_text("stop words")
    panel.page.keyboard.press("End")
    panel.page.keyboard.press("ArrowLeft")
    expect(tabs(panel).nth(1)).to_be_focused()
    expect(panel.log).to_contain_text("skip pointers")
    panel.page.keyboard.press("Delete")
    expect(tabs(panel)).to_have_text(["stop words", "postings list"])
    expect(panel.log).to_contain_text("postings list")
    panel.button("History").click()
    expect(panel.page.locator("ask-book .thread-line")).to_have_count(3)


def test_a_tab_is_closed_by_its_cross_and_the_last_one_leaves_none(panel: PanelPage) -> None:
    three_threads(panel)
    panel.button("Close tab: stop words").click()
    expect(tabs(panel)).to_have_text(["skip pointers", "postings list"])
    expect(panel.log).to_contain_text("postings list")
    panel.button("Close tab: postings list").click()
    expect(tabs(panel)).to_have_count(0)
    expect(panel.log).to_contain_text("skip pointers")


def test_the_conversation_is_named_by_the_tab_it_belongs_to(panel: PanelPage) -> None:
    three_threads(panel)
    for at, title in enumerate(("stop words", "skip pointers", "postings list")):
        tabs(panel).nth(at).click()
        expect(panel.page.get_by_role("tabpanel", name=title, exact=True)).to_be_visible()


def test_closing_the_other_of_two_tabs_leaves_the_focus_in_the_conversation(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.button("New thread").click()
    panel.ask("skip pointers")
    panel.wait()
    panel.button("Close tab: stop words").click()
    expect(tabs(panel)).to_have_count(0)
    expect(panel.log).to_be_focused()
    expect(panel.log).to_contain_text("skip pointers")


def test_behind_the_tabs_tab_leads_to_what_closes_the_chosen_one_and_focus_stays_there(panel: PanelPage) -> None:
    three_threads(panel)
    tabs(panel).first.click()
    tabs(panel).first.focus()
    panel.page.keyboard.press("Tab")
    expect(panel.button("Close tab: stop words")).to_be_focused()
    panel.page.keyboard.press("Tab")
    expect(panel.log).to_be_focused()
    panel.page.keyboard.press("Shift+Tab")
    panel.page.keyboard.press("Enter")
    expect(tabs(panel)).to_have_text(["skip pointers", "postings list"])
    expect(tabs(panel).first).to_be_focused()
    panel.page.keyboard.press("Tab")
    panel.page.keyboard.press("Space")
    expect(tabs(panel)).to_have_count(0)
    expect(panel.log).to_be_focused()


def test_a_finger_closes_a_tab_on_a_target_of_44_pixels(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    three_threads(panel)
    cross = panel.button("Close tab: skip pointers")
    cross.scroll_into_view_if_needed()
    box = cross.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
    cross.tap()
    expect(tabs(panel)).to_have_text(["stop words", "postings list"])
    context.close()


def test_tabs_are_there_after_a_reload_and_what_is_deleted_or_renamed_is_so_in_them(panel: PanelPage) -> None:
    three_threads(panel)
    panel.page.reload()
    expect(tabs(panel)).to_have_text(["stop words", "skip pointers", "postings list"])
    expect(tabs(panel).last).to_have_attribute("aria-selected", "true")
    panel.button("History").click()
    expect(tabs(panel)).to_have_count(0)
    panel.button("Delete: stop words").click()
    panel.button("Rename: postings list").click()
    panel.page.get_by_label("Rename", exact=True).fill("On lists")
    panel.page.keyboard.press("Enter")
    panel.button("Back").click()
    expect(tabs(panel)).to_have_text(["skip pointers", "On lists"])
    panel.ask("and more")
    panel.wait()
    expect(tabs(panel)).to_have_text(["skip pointers", "On lists"])


def test_an_answer_goes_on_while_another_conversation_is_read(panel: PanelPage) -> None:
    with Endpoint([text("word " * 150, delay=0.02)]) as endpoint:
        panel.open()
        panel.ask("stop words")
        panel.wait()
        panel.button("New thread").click()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        expect(panel.answer).to_contain_text("word word", timeout=60_000)
        tabs(panel).first.click()
        expect(panel.answer).to_contain_text("These are the book's own sentences")
        tabs(panel).last.click()
        panel.wait()
        assert panel.answer.inner_text().count("word") == 150
    panel.page.reload()
    expect(panel.answer).to_contain_text("word word word")
