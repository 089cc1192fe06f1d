"""Threads at rest are packed: listed and searched all the same, read whole again, and damage in one costs no other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from panel import PanelPage, until
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

STORED = """() => new Promise(resolve => {
  const request = indexedDB.open("askbook", 1)
  request.onsuccess = () => {
    const store = request.result.transaction("values").objectStore("values")
    const [names, values] = [store.getAllKeys(), store.getAll()]
    store.transaction.oncomplete = () => {
      request.result.close()
      resolve(names.result.map((name, at) => [name.split(":").at(-2), values.result[at]]))
    }
  }
})"""
CHANGE = """([kind, change]) => new Promise(resolve => {
  const request = indexedDB.open("askbook", 1)
  request.onsuccess = () => {
    const store = request.result.transaction("values", "readwrite").objectStore("values")
    store.openCursor().onsuccess = ({ target: { result: cursor } }) => {
      if (!cursor) return
      if (cursor.key.includes(`:${kind}:`)) cursor.update(new Function("value", change)(cursor.value))
      cursor.continue()
    }
    store.transaction.oncomplete = () => { request.result.close(); resolve() }
  }
})"""
"""What is stored of one kind, changed by the body of a function."""
DENSE = """async base => {
  const load = name => import(`${base}/${name}.js`)
  const [{ unpack }, { Folder }, { squeeze, sumOf }] = await Promise.all(["pack", "repeats", "dense"].map(load))
  const database = await new Promise(resolve => (indexedDB.open("askbook", 1).onsuccess = ({ target }) => resolve(target.result)))
  const done = request => new Promise(resolve => (request.onsuccess = () => resolve(request.result)))
  const store = mode => database.transaction("values", mode).objectStore("values")
  for (const name of (await done(store("readonly").getAllKeys())).filter(name => name.includes(":packed:"))) {
    const lines = (await unpack(await done(store("readonly").get(name)))).map(turn => `${JSON.stringify(turn)}\\n`)
    const folder = new Folder()
    const folded = lines.map(line => folder.fold(line)).join("")
    const steps = squeeze(folded)
    let step = steps.next()
    while (!step.done) step = steps.next()
    const packed = { form: "dense", length: lines.join("").length, sum: sumOf(folded), bytes: step.value }
    await done(store("readwrite").put(packed, name))
    const record = name.replace(":packed:", ":thread:")
    const stored = await done(store("readonly").get(record))
    await done(store("readwrite").put({ ...stored, size: packed.bytes.length, dense: true }, record))
  }
  database.close()
}"""
"""Packs every thread as densely as where there is little room."""
OLD = """
  const { turns, packed, count, ...head } = value
  const lists = { sources: [], citations: [], notices: [] }
  const turn = (id, question, text) => {
    const parts = [{ part: 0, kind: "text", state: "completed", text }]
    const answer = { state: "completed", mode: "retrieve", finish: "", parts, ...lists }
    return { id, question, selection: "", page: { url: "", title: "" }, asked: 1, model: "", interrupted: false, answer }
  }
  const [zebra, okapi] = [["a", "What is a zebra?", "An animal with stripes."], ["b", "And an okapi?", "One too."]]
  return { ...head, version: 1, turns: [turn(...zebra), turn(...okapi)] }
"""
"""A thread as the first version stored it, all turns in one value."""


def stored(page: Page, kind: str) -> list[dict[str, Any]]:
    """Every value of a kind."""
    return [value for found, value in page.evaluate(STORED) if found == kind]


def thread_at_rest(panel: PanelPage) -> str:
    """Ask a question, leave its thread, and wait until it is packed; return what was answered."""
    panel.open()
    panel.ask("What are stop words?")
    said = panel.wait().locator(".text").first.inner_text()
    panel.button("New thread").click()
    until(panel.page, lambda: [record["turns"] for record in stored(panel.page, "thread")] == [[]])
    return said


def reopen(panel: PanelPage) -> None:
    """Load the page anew, and open the first thread of the history."""
    panel.page.reload()
    panel.button("History").click()
    panel.page.locator("ask-book .thread-open").first.click()


def test_a_thread_that_is_left_is_packed_and_read_whole_again(panel: PanelPage) -> None:
    thread_at_rest(panel)
    (packed,) = stored(panel.page, "packed")
    assert packed["form"] == "utf-8"
    reopen(panel)
    expect(panel.answer).to_have_attribute("data-state", "completed")
    expect(panel.answer).to_contain_text("These are the book's own sentences")
    expect(panel.answer.locator("a.cite-ref").first).to_be_visible(timeout=60_000)
    panel.ask("skip pointers")
    panel.wait()
    (record,) = stored(panel.page, "thread")
    assert ([turn["question"] for turn in record["turns"]], record["count"]) == (["skip pointers"], 2)
    reopen(panel)
    expect(panel.answers).to_have_count(2)


def test_a_search_finds_words_inside_packed_answers(panel: PanelPage) -> None:
    last = re.findall(r"[a-z]{6,}", thread_at_rest(panel))[-1]
    panel.page.reload()
    panel.button("History").click()
    search = panel.page.get_by_role("searchbox", name="Search conversations")
    search.fill(f"{last} STOP")
    expect(panel.page.locator("ask-book .thread-line")).to_have_count(1)
    expect(panel.page.locator("ask-book .thread-found mark")).to_have_text(re.compile(last, re.IGNORECASE))
    search.fill("quaternion")
    expect(panel.region).to_contain_text("Nothing found.")


def test_a_search_finds_words_in_answers_that_are_packed_densely(panel: PanelPage) -> None:
    last = re.findall(r"[a-z]{6,}", thread_at_rest(panel))[-1]
    panel.ask("skip pointers")
    panel.wait()
    panel.page.evaluate(DENSE, f"{panel.site}assets/askbook/elements")
    panel.page.reload()
    panel.button("History").click()
    lines = panel.page.locator("ask-book .thread-line")
    expect(lines).to_have_count(2)
    search = panel.page.get_by_role("searchbox", name="Search conversations")
    search.fill(f"{last} STOP")
    expect(panel.page.locator("ask-book .thread-found mark")).to_have_text(re.compile(last, re.IGNORECASE))
    expect(lines).to_have_count(1)
    expect(panel.region).not_to_contain_text("Searching…")
    search.fill("quaternion")
    expect(panel.region).to_contain_text("Nothing found.")
    search.fill("")
    lines.filter(has_text="stop words").locator(".thread-open").click()
    expect(panel.answer).to_contain_text("These are the book's own sentences")
    assert panel.errors == []


def test_what_is_deleted_comes_back_packed_as_it_was(panel: PanelPage) -> None:
    thread_at_rest(panel)
    before = panel.page.evaluate(STORED)
    panel.button("History").click()
    panel.button("Delete: What are stop words?").click()
    until(panel.page, lambda: panel.page.evaluate(STORED) == [])
    panel.button("Undo").click()
    expect(panel.page.locator("ask-book .thread-line")).to_have_count(1)
    assert panel.page.evaluate(STORED) == before


def test_a_thread_of_an_earlier_version_is_shown_and_packed_when_nothing_is_urgent(panel: PanelPage) -> None:
    thread_at_rest(panel)
    panel.page.evaluate(CHANGE, ["thread", OLD])
    panel.page.reload()
    panel.button("History").click()
    expect(panel.page.locator("ask-book .thread-when")).to_contain_text("2 questions")
    until(
        panel.page,
        lambda: [(one["version"], one.get("packed"), one["turns"]) for one in stored(panel.page, "thread")] == [(2, 2, [])],
    )
    reopen(panel)
    expect(panel.answers).to_have_count(2)
    expect(panel.log).to_contain_text("An animal with stripes.")


@pytest.mark.parametrize(
    "change",
    [
        "return { ...value, bytes: value.bytes.with(40, value.bytes[40] ^ 85) }",
        "return { ...value, bytes: value.bytes.slice(0, 60) }",
        "return { ...value, form: 'of tomorrow' }",
        "return '{'",
    ],
    ids=["a flipped bit", "a cut", "an unknown form", "something else"],
)
def test_damage_in_a_packed_thread_is_told_and_costs_no_other(panel: PanelPage, change: str) -> None:
    thread_at_rest(panel)
    panel.page.evaluate(CHANGE, ["packed", change])
    panel.ask("skip pointers")
    panel.wait()
    panel.button("History").click()
    expect(panel.region).to_contain_text("could not be read and were set aside: 1.")
    panel.page.locator("ask-book .thread-open", has_text="stop words").click()
    expect(panel.region).to_contain_text("This conversation is damaged")
    panel.page.locator("ask-book .thread-open", has_text="skip pointers").click()
    expect(panel.answers).to_have_count(1)
    assert len(stored(panel.page, "packed")) == 1


def test_of_a_damaged_thread_what_is_not_packed_goes_on_as_a_copy(panel: PanelPage) -> None:
    thread_at_rest(panel)
    reopen(panel)
    panel.ask("skip pointers")
    panel.wait()
    panel.page.evaluate(CHANGE, ["packed", "return { ...value, length: 7 }"])
    reopen(panel)
    expect(panel.region).to_contain_text("what could be read of it is here")
    expect(panel.answers).to_have_count(1)
    panel.ask("postings list")
    panel.wait()
    until(panel.page, lambda: sorted(one["count"] for one in stored(panel.page, "thread")) == [2, 2])


def test_a_browser_that_cannot_pack_keeps_turns_plain(panel: PanelPage) -> None:
    panel.page.add_init_script("delete globalThis.CompressionStream")
    panel.page.reload()
    thread_at_rest(panel)
    assert [one["form"] for one in stored(panel.page, "packed")] == ["plain"]
    reopen(panel)
    expect(panel.answer).to_contain_text("These are the book's own sentences")


def test_without_a_database_threads_are_kept_in_the_other_storage_as_text(panel: PanelPage) -> None:
    panel.page.add_init_script(
        "indexedDB.open = IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError') }"
    )
    panel.page.reload()
    panel.open()
    panel.ask("What are stop words?")
    panel.wait()
    panel.button("New thread").click()
    kept = "Object.entries(localStorage).filter(([name]) => name.includes(':packed:')).map(([, text]) => JSON.parse(text))"
    until(panel.page, lambda: bool(panel.page.evaluate(kept)))
    (packed,) = panel.page.evaluate(kept)
    assert (type(packed["bytes"]), len(packed["bytes"]) < packed["length"]) == (str, True)
    reopen(panel)
    expect(panel.answer).to_contain_text("These are the book's own sentences")


def test_what_was_exported_comes_back_where_everything_was_forgotten(panel: PanelPage, tmp_path: Path) -> None:
    said = thread_at_rest(panel)
    panel.button("History").click()
    with panel.page.expect_download() as exported:
        panel.button("Export as JSON").click()
    exported.value.save_as(tmp_path / "threads.json")
    panel.button("Delete: What are stop words?").click()
    expect(panel.region).to_contain_text("No conversations yet.")
    with panel.page.expect_file_chooser() as chooser:
        panel.button("Import").click()
    chooser.value.set_files(tmp_path / "threads.json")
    expect(panel.region).to_contain_text("Conversations imported: 1.")
    until(panel.page, lambda: [one["turns"] for one in stored(panel.page, "thread")] == [[]])
    panel.page.locator("ask-book .thread-open").first.click()
    expect(panel.answer.locator(".text").first).to_have_text(said, timeout=60_000, use_inner_text=True)
    panel.button("History").click()
    (tmp_path / "wrong.json").write_text("no JSON", encoding="utf-8")
    with panel.page.expect_file_chooser() as chooser:
        panel.button("Import").click()
    chooser.value.set_files(tmp_path / "wrong.json")
    expect(panel.region).to_contain_text("This file holds no conversations that can be read.")
