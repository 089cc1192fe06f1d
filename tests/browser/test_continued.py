"""A cut answer that is gone on with: both halves keep their marks, sources and tokens, also after a reload."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes.endpoint import Answer, Call, Endpoint, call, text
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


def gone_on_with(panel: PanelPage, url: str) -> None:
    """An answer that was cut, and the press that goes on with it."""
    panel.open()
    panel.add_model(url)
    panel.ask("What is an inverted index?")
    panel.wait()
    panel.button("Continue").click()


def test_both_halves_keep_their_marks_and_sources_also_after_a_reload(panel: PanelPage) -> None:
    script = [text(FIRST, finish="length"), call("book_retrieve", {"question": "postings"}), text(SECOND)]
    with Endpoint(script) as endpoint:
        gone_on_with(panel, endpoint.url)
        expect(panel.answer).to_contain_text("Elephants", timeout=60_000)
        panel.wait()
    whole = marks(panel)
    assert whole == [["1", "loose"], ["2", "missing"], ["2", "missing"], ["1", "loose"]]
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


@pytest.mark.parametrize(
    ("first", "second", "place", "drawn"),
    [
        ("One.\n\nAn index maps **the", "terms** to lists [1].", "p", ["One.", "An index maps the terms to lists [1]."]),
        ("It has these:\n\n- first\n- second and", "third\n- last", "li", ["first", "second and third", "last"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| 3 | 4 |", "tr", ["a\tb", "1\t2", "3\t4"]),
        ("So:\n\n```python\nx = [1", "]\nprint(x)\n```\n\nDone.", "pre", ["x = [1]\nprint(x)"]),
        ("It says:\n\n- one\n- two", "- three", "li", ["one", "two", "three"]),
        ("So:\n\n```python\nx = 1", "```python\ny = 2\n```", "pre", ["x = 1", "y = 2"]),
    ],
    ids=["sentence", "list", "table", "code", "next item", "code opened again"],
)
def test_what_comes_is_joined_where_the_answer_was_cut(
    panel: PanelPage, first: str, second: str, place: str, drawn: list[str]
) -> None:
    with Endpoint([text(first, finish="length"), text(second, delta=3, delay=0.01)]) as endpoint:
        gone_on_with(panel, endpoint.url)
        inside = panel.answer.locator(f".text {place}")
        expect(inside).to_have_text(drawn, use_inner_text=True, timeout=60_000)
        panel.wait()
    assert [one.strip() for one in inside.all_inner_texts()] == drawn
    whole = panel.answer.locator(".text").evaluate_all("texts => texts.map(text => text.innerText)")
    assert len(whole) == 1
    panel.page.reload()
    expect(inside).to_have_text(drawn, use_inner_text=True, timeout=60_000)


def test_an_answer_from_before_a_reload_is_gone_on_with_in_its_last_sentence(panel: PanelPage) -> None:
    with Endpoint([text("One.\n\nAn index maps the", finish="length"), text("terms to lists.")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait()
        panel.page.reload()
        panel.button("Continue").click()
        panel.wait()
        expect(panel.answer.locator(".text p")).to_have_text(["One.", "An index maps the terms to lists."])


def test_a_half_whose_page_was_left_is_checked_with_the_other(panel: PanelPage) -> None:
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
    expected = [["1", "loose"], ["2", "missing"], ["2", "missing"], ["1", "loose"]]
    assert marks(panel) == expected
    panel.page.reload()
    expect(panel.answer.locator(".text a.cite-ref")).to_have_count(4, timeout=60_000)
    assert marks(panel) == expected


@pytest.mark.parametrize(
    ("rest", "whole"),
    [([], "An inverted index maps each"), (["term to lists."], "An inverted index maps each term to lists.")],
    ids=["nothing follows", "the answer follows"],
)
def test_thoughts_without_a_beginning_leave_the_first_half_as_it_was(panel: PanelPage, rest: list[str], whole: str) -> None:
    thoughts = text("The user wants me to go on. </think>", finish="length", delta=4, delay=0.05)
    with Endpoint([text("An inverted index maps each", finish="length"), thoughts, *map(text, rest)]) as endpoint:
        gone_on_with(panel, endpoint.url)
        expect(panel.answer.locator(".reasoning-text")).to_have_text("The user wants me to go on.", timeout=60_000)
        expect(panel.answer).not_to_have_attribute("data-state", "running", timeout=60_000)
        expect(panel.answer.locator(".text p")).to_have_text([whole])
        panel.page.reload()
        expect(panel.answer.locator(".text p")).to_have_text([whole], timeout=60_000)


def test_an_announcement_is_taken_out_of_the_sentence_that_goes_on(panel: PanelPage) -> None:
    announced = Answer(text="Let me look that up.", calls=(Call("book_toc", {}),))
    with Endpoint([text("An index maps **the", finish="length"), announced, text("terms** to lists.")]) as endpoint:
        gone_on_with(panel, endpoint.url)
        expect(panel.answer.locator(".plan")).to_have_text("Let me look that up.", timeout=60_000)
        expect(panel.answer.locator(".text p")).to_have_text("An index maps the terms to lists.", timeout=60_000)
        panel.wait()
        panel.page.reload()
        expect(panel.answer.locator(".text p")).to_have_text("An index maps the terms to lists.", timeout=60_000)
        expect(panel.answer.locator(".text")).to_have_count(1)


def test_marks_an_earlier_version_counted_in_each_half_anew_show_no_support(panel: PanelPage, tmp_path: Path) -> None:
    with Endpoint([text(FIRST)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait()
    panel.button("History").click()
    with panel.page.expect_download() as saved:
        panel.button("Export as JSON").click()
    stored = json.loads(saved.value.path().read_text(encoding="utf-8"))
    for citation in stored["threads"][0]["turns"][0]["answer"]["citations"]:
        citation["from"] = 0
    (tmp_path / "threads.json").write_text(json.dumps(stored), encoding="utf-8")
    panel.page.get_by_role("button", name="Delete: ").first.click()
    expect(panel.region).to_contain_text("No conversations yet.")
    with panel.page.expect_file_chooser() as chooser:
        panel.button("Import").click()
    chooser.value.set_files(tmp_path / "threads.json")
    panel.page.locator("ask-book .thread-open").first.click()
    expect(panel.answer.locator(".text a.cite-ref")).to_have_count(2, timeout=60_000)
    assert marks(panel) == [["1", "unchecked"], ["2", "unchecked"]]


def test_going_on_is_offered_only_where_a_model_can(panel: PanelPage) -> None:
    with Endpoint([text(FIRST, finish="length")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait()
        model = panel.page.get_by_label("Answers from")
        chosen = model.input_value()
        model.select_option("")
        expect(panel.button("Retry")).to_be_visible()
        expect(panel.button("Continue")).to_have_count(0)
        panel.page.reload()
        expect(panel.button("Retry")).to_be_visible()
        expect(panel.button("Continue")).to_have_count(0)
        model.select_option(chosen)
        expect(panel.button("Continue")).to_be_visible()
