"""A cut answer that is gone on with: both halves keep their marks, sources and tokens, also after a reload."""

from __future__ import annotations

import pytest
from fakes.endpoint import Endpoint, call, text
from panel import PanelPage
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

FIRST = "An inverted index maps each term to the documents that contain it [1]. Bananas are yellow and bent [2]."
SECOND = "Elephants paint the postings purple [2]. An inverted index maps each term to the documents that contain it [1]."
MARKS = "marks => marks.map(mark => [mark.dataset.n, mark.dataset.support])"


def marks(panel: PanelPage) -> list[list[str]]:
    """Number and support of every mark."""
    found: list[list[str]] = panel.answer.locator(".text a.cite-ref").evaluate_all(MARKS)
    return found


def test_both_halves_keep_their_marks_and_sources_also_after_a_reload(panel: PanelPage) -> None:
    script = [text(FIRST, finish="length"), call("book_retrieve", {"question": "postings"}), text(SECOND)]
    with Endpoint(script) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait()
        alone = marks(panel)
        panel.button("Continue").click()
        expect(panel.answer).to_contain_text("Elephants", timeout=60_000)
        panel.wait()
    whole = marks(panel)
    assert alone == [["1", "loose"], ["2", "missing"]]
    assert whole == [*alone, ["2", "missing"], ["1", "loose"]]
    sources = panel.answer.get_by_role("list", name="Sources").get_by_role("listitem")
    numbers = sources.evaluate_all("items => items.map(item => [item.value, item.dataset.support])")
    assert numbers == [[1, "loose"], [2, "missing"]]
    expect(panel.answer.locator(".usage")).to_be_visible()
    said = panel.answer.locator(".usage").inner_text()
    panel.page.reload()
    panel.wait()
    expect(panel.answer.locator(".text a.cite-ref")).to_have_count(4, timeout=60_000)
    assert marks(panel) == whole
    assert sources.evaluate_all("items => items.map(item => [item.value, item.dataset.support])") == numbers
    expect(panel.answer.locator(".usage")).to_have_text(said)


def test_a_half_whose_page_was_left_is_not_taken_for_checked(panel: PanelPage) -> None:
    with Endpoint([text(FIRST + " word" * 400, delay=0.02), text(SECOND)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        expect(panel.answer).to_contain_text("word word", timeout=60_000)
        panel.page.reload()
        panel.wait("aborted")
        expect(panel.answer.locator(".text a.cite-ref")).to_have_count(2, timeout=60_000)
        panel.button("Continue").click()
        panel.wait()
    expected = [["1", "unchecked"], ["2", "unchecked"], ["2", "missing"], ["1", "loose"]]
    assert marks(panel) == expected
    panel.page.reload()
    expect(panel.answer.locator(".text a.cite-ref")).to_have_count(4, timeout=60_000)
    assert marks(panel) == expected


def test_the_book_alone_does_not_go_on_with_a_models_answer(panel: PanelPage) -> None:
    with Endpoint([text(FIRST, finish="length")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait()
        whole = panel.answer.inner_text()
        panel.page.get_by_label("Answers from").select_option("")
        panel.button("Continue").click()
        expect(panel.status).to_have_text("Only a model can go on with this answer: choose one below.")
    expect(panel.answer).to_have_attribute("data-state", "completed")
    assert panel.answer.inner_text() == whole
