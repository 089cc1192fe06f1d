"""Conversations that come from a file keep their dates, push out nothing, and what does not come in is told."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from panel import PanelPage, at_rest
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.browser

DAY = 86_400_000
BEGUN = int(datetime(2019, 5, 1, 12, tzinfo=UTC).timestamp() * 1000)
FULL_AFTER = """
  const { put } = IDBObjectStore.prototype
  let left = 3
  IDBObjectStore.prototype.put = function (value, key) {
    if (globalThis.full && String(key).includes(":packed:") && left-- < 1) throw new DOMException("full", "QuotaExceededError")
    return put.call(this, value, key)
  }
"""


def exported(at: int, *, pinned: bool = False) -> dict[str, Any]:
    """A conversation as a file has it, a day younger than the one before."""
    part = {"part": 0, "kind": "text", "state": "completed", "text": f"Answer {at}."}
    answer = {
        "state": "completed",
        "mode": "retrieve",
        "finish": "stop",
        "parts": [part],
        "sources": [],
        "citations": [],
        "notices": [],
    }
    turn = {"id": f"turn-{at}", "question": f"Question {at}?", "answer": answer}
    when = BEGUN + at * DAY
    return {
        "version": 1,
        "id": f"t{at}",
        "title": f"Old {at}",
        "created": when,
        "updated": when,
        "pinned": pinned,
        "turns": [turn],
    }


def bring(panel: PanelPage, file: Path, threads: list[Any], *, deep: str = "") -> None:
    """Import conversations from a file, in which something nested deeply may stand for the word "deep"."""
    written = json.dumps({"format": "askbook-threads/1", "threads": threads})
    file.write_text(written.replace('"deep"', deep or '"deep"'), encoding="utf-8")
    panel.button("History").click()
    with panel.page.expect_file_chooser() as chooser:
        panel.button("Import").click()
    chooser.value.set_files(file)


MALFORMED = [
    {"sources": [{"n": 1}]},
    {"sources": [None, {"text": 3, "matched": "stop"}]},
    {"parts": [None, {"part": 0, "kind": "text", "state": "completed"}]},
    {"citations": [None]},
    {"error": {"status": 500}, "state": "error"},
    {"retrieval": {"hits": 0, "status": {"unknown": 3}}},
]
"""What an answer of a file may have that no answer has."""


def lines(panel: PanelPage) -> Locator:
    """Every conversation the history has drawn."""
    return panel.page.locator("ask-book .thread-line")


def test_imported_conversations_keep_their_dates_and_push_out_none_of_the_readers(panel: PanelPage, tmp_path: Path) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.button("New thread").click()
    threads = [exported(at) for at in range(210)]
    bring(panel, tmp_path / "threads.json", [*threads, exported(210, pinned=True), {"version": 99}])
    expect(panel.region).to_contain_text(
        "Conversations imported: 200. Did not fit, since up to 200 are kept: 11. Could not be read: 1.", timeout=60_000
    )
    expect(lines(panel).first).to_contain_text("Old 210")
    expect(lines(panel).nth(1)).to_contain_text("stop words")
    expect(lines(panel).nth(2)).to_contain_text("Old 209")
    expect(lines(panel).nth(2)).to_contain_text("Nov 26, 2019")
    panel.page.reload()
    panel.button("History").click()
    panel.page.get_by_role("searchbox").fill("stop words")
    expect(lines(panel)).to_have_count(1)


@pytest.mark.parametrize("answer", MALFORMED, ids=str)
def test_a_malformed_answer_costs_no_conversation_of_its_file(panel: PanelPage, tmp_path: Path, answer: dict[str, Any]) -> None:
    threads = [exported(at) for at in range(3)]
    threads[1]["turns"][0]["answer"] |= answer
    panel.open()
    bring(panel, tmp_path / "threads.json", threads)
    expect(panel.region).to_contain_text("Conversations imported: 3.")
    expect(lines(panel)).to_contain_text(["Old 2", "Old 1", "Old 0"])
    lines(panel).nth(1).locator(".thread-open").click()
    expect(panel.log.locator(".question-text")).to_have_text("Question 1?")
    expect(panel.answer.get_by_role("button", name="Retry")).to_be_visible()
    assert panel.errors == []


def test_a_conversation_that_cannot_be_kept_is_counted_and_the_others_come_in(panel: PanelPage, tmp_path: Path) -> None:
    threads = [exported(at) for at in range(3)]
    threads[1]["turns"][0]["answer"]["parts"].append({"part": 1, "kind": "tool-call", "result": {"content": "deep"}})
    panel.open()
    bring(panel, tmp_path / "threads.json", threads, deep="[" * 9000 + "]" * 9000)
    expect(panel.region).to_contain_text("Conversations imported: 2. Could not be read: 1.")
    expect(lines(panel)).to_contain_text(["Old 2", "Old 0"])
    assert panel.errors == []


def test_the_focus_stays_on_the_tool_that_was_used(panel: PanelPage, tmp_path: Path) -> None:
    panel.open()
    bring(panel, tmp_path / "threads.json", [exported(at) for at in range(3)])
    expect(lines(panel)).to_have_count(3)
    panel.button("Pin: Old 1").focus()
    panel.page.keyboard.press("Enter")
    expect(lines(panel).first).to_contain_text("Old 1")
    expect(panel.button("Unpin: Old 1")).to_be_focused()
    for key, title in (("Escape", "Old 0"), ("Enter", "New")):
        panel.button("Rename: Old 0").focus()
        panel.page.keyboard.press("Enter")
        panel.page.keyboard.type("New")
        panel.page.keyboard.press(key)
        expect(panel.button(f"Rename: {title}")).to_be_focused()


def test_a_long_conversation_is_shown_at_its_end_and_whole(panel: PanelPage, tmp_path: Path) -> None:
    long = exported(0)
    turn = long["turns"][0]
    long["turns"] = [turn | {"id": f"turn-{at}", "question": f"Question {at}?"} for at in range(30)]
    panel.open()
    bring(panel, tmp_path / "threads.json", [long])
    lines(panel).first.locator(".thread-open").click()
    expect(panel.answers).to_have_count(30)
    expect(panel.log.locator(".question-text")).to_have_text([f"Question {at}?" for at in range(30)])
    expect(panel.log.get_by_text("Question 29?")).to_be_in_viewport()
    assert at_rest(panel.log) > 0
    left = "log => log.scrollHeight - log.scrollTop - log.clientHeight"
    assert panel.log.evaluate(left) < 2


def test_one_conversation_is_written_as_markdown(panel: PanelPage) -> None:
    panel.open()
    panel.ask("What are stop words?")
    panel.wait()
    panel.button("History").click()
    with panel.page.expect_download() as saved:
        panel.button("Export as Markdown: What are stop words?").click()
    written = saved.value.path().read_text(encoding="utf-8")
    assert saved.value.suggested_filename.endswith(".md")
    assert written.startswith("# What are stop words?\n\n<!-- askbook: question -->\n\n## What are stop words?\n\n")
    assert f"]({panel.site}en/" in written


def test_a_conversation_that_was_written_as_markdown_is_read_again(panel: PanelPage, tmp_path: Path) -> None:
    panel.open()
    panel.ask("What are stop words?")
    said = panel.wait().locator(".text").inner_text()
    panel.button("History").click()
    with panel.page.expect_download() as saved:
        panel.button("Export as Markdown: What are stop words?").click()
    saved.value.save_as(tmp_path / "kept.md")
    with panel.page.expect_file_chooser() as chooser:
        panel.button("Import").click()
    chooser.value.set_files(tmp_path / "kept.md")
    expect(lines(panel)).to_have_count(2)
    lines(panel).first.locator(".thread-open").click()
    expect(panel.log.locator(".question-text")).to_have_text("What are stop words?")
    expect(panel.answer.locator(".text")).to_have_text(said, use_inner_text=True)
    expect(panel.answer.locator(".source-link").first).to_have_attribute("href", re.compile(f"^{re.escape(panel.site)}en/"))


def test_storage_that_fills_up_while_a_file_comes_in_costs_nothing_that_was_there(panel: PanelPage, tmp_path: Path) -> None:
    panel.page.add_init_script(FULL_AFTER)
    panel.page.reload()
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.button("New thread").click()
    panel.page.wait_for_timeout(500)
    panel.page.evaluate("globalThis.full = true")
    bring(panel, tmp_path / "threads.json", [exported(at) for at in range(9)])
    expect(panel.region).to_contain_text("Conversations imported: 3. Did not fit into this browser's storage: 6.")
    expect(lines(panel)).to_have_count(4)
    expect(lines(panel)).to_contain_text(["stop words", "Old 8", "Old 7", "Old 6"])


def test_one_conversation_too_many_is_let_go_and_that_is_told(panel: PanelPage, tmp_path: Path) -> None:
    panel.open()
    bring(panel, tmp_path / "threads.json", [exported(0) | {"title": "Aardvark"}, *(exported(at) for at in range(1, 200))])
    expect(panel.region).to_contain_text("Conversations imported: 200.", timeout=60_000)
    panel.button("Back").click()
    panel.ask("stop words")
    panel.wait()
    expect(panel.region).to_contain_text("The oldest conversation was let go")
    panel.button("History").click()
    panel.page.get_by_role("searchbox").fill("Aardvark")
    expect(panel.region).to_contain_text("Nothing found.", timeout=30_000)
