"""Nothing is lost: full storage, damaged entries, two tabs, a reload and a navigation in the middle of an answer."""

from __future__ import annotations

import pytest
from fakes.endpoint import Endpoint, text
from panel import PanelPage
from playwright.sync_api import BrowserContext, expect

pytestmark = pytest.mark.browser

FULL = """
  const put = IDBObjectStore.prototype.put
  IDBObjectStore.prototype.put = function (value, key) {
    if (globalThis.full && String(key).includes(":thread:")) throw new DOMException("full", "QuotaExceededError")
    return put.call(this, value, key)
  }
"""


def fill_up(panel: PanelPage, script: str) -> None:
    """Let storage be full from the middle of an answer on; the answer is read to its end, and the reader is told."""
    panel.page.add_init_script(script)
    panel.page.reload()
    with Endpoint([text("word " * 120, delay=0.02)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        expect(panel.answer).to_contain_text("word", timeout=60_000)
        panel.page.evaluate("globalThis.full = true")
        panel.wait()
    assert panel.answer.inner_text().count("word") == 120
    expect(panel.region).to_contain_text("Storage is full")


def test_storage_that_fills_up_while_an_answer_streams_loses_nothing_of_it_and_the_reader_is_told(panel: PanelPage) -> None:
    fill_up(panel, FULL)
    panel.button("History").click()
    with panel.page.expect_download() as saved:
        panel.button("Export as JSON").click()
    assert saved.value.path().read_text(encoding="utf-8").count("word ") >= 120
    panel.page.locator("ask-book .thread-open").first.click()
    assert panel.answer.inner_text().count("word") == 120


def test_damaged_and_unknown_entries_are_set_aside_and_the_rest_is_shown(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.page.evaluate(
        """() => new Promise((resolve) => {
          const request = indexedDB.open("askbook", 1)
          request.onsuccess = () => {
            const store = request.result.transaction("values", "readwrite").objectStore("values")
            const keys = store.getAllKeys()
            keys.onsuccess = () => {
              const prefix = keys.result[0].replace(/[^:]*$/, "")
              store.put("{", prefix + "broken")
              store.put({ version: 99, id: "new", turns: [] }, prefix + "newer")
              store.transaction.oncomplete = resolve
            }
          }
        })"""
    )
    panel.button("History").click()
    expect(panel.page.locator("ask-book .thread-line")).to_have_count(1)
    expect(panel.region).to_contain_text("could not be read and were set aside: 2.")


def test_an_answer_that_a_reload_broke_off_comes_back_with_what_it_had(panel: PanelPage) -> None:
    with Endpoint([text("word " * 600, delay=0.03)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        expect(panel.answer).to_contain_text("word word word", timeout=60_000)
        panel.page.reload()
        expect(panel.answer).to_have_attribute("data-state", "aborted", timeout=60_000)
        expect(panel.answer).to_contain_text("word word word", timeout=60_000)
        expect(panel.answer).to_contain_text("This answer was interrupted.")
        expect(panel.button("Retry")).to_be_visible()


SLOW = """
  const { put, get } = IDBObjectStore.prototype
  IDBObjectStore.prototype.put = function (value, key) {
    const hold = () => { if (globalThis.slow) get.call(this, "nothing").onsuccess = hold }
    if (String(key).includes(":thread:")) hold()
    return put.call(this, value, key)
  }
"""
"""Storage that commits nothing while `slow` is set."""


def test_a_completed_answer_is_there_after_a_reload_though_storage_had_no_time(panel: PanelPage) -> None:
    panel.page.add_init_script(SLOW)
    panel.page.reload()
    with Endpoint([text("A **map** of terms [1].")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.page.evaluate("globalThis.slow = true")
        panel.ask("What is an inverted index?")
        panel.wait()
        panel.page.reload()
        panel.wait()
        expect(panel.answer).to_contain_text("A map of terms", timeout=60_000)
        expect(panel.answer.get_by_role("list", name="Sources").get_by_role("link")).not_to_have_count(0)
    kept = panel.page.evaluate("JSON.stringify({...localStorage})")
    assert [word for word in ("sk-test", "journal") if word in kept] == []


def test_a_kept_answer_can_be_read_though_python_does_not_start(panel: PanelPage) -> None:
    panel.open()
    panel.ask("What are stop words?")
    said = panel.wait().locator(".text").inner_text()
    panel.page.route("**/worker/worker.js", lambda route: route.abort())
    panel.page.reload()
    expect(panel.wait().locator(".text")).to_contain_text(said.split(".")[0].strip("“ \n")[:20])


def test_the_last_word_of_a_running_answer_is_there_after_a_reload(panel: PanelPage) -> None:
    panel.page.add_init_script(SLOW)
    panel.page.reload()
    with Endpoint([text(" ".join(f"word{n}" for n in range(400)), delay=0.02)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.page.evaluate("globalThis.slow = true")
        panel.ask("What is an inverted index?")
        expect(panel.answer).to_contain_text("word30 ", timeout=60_000)
        panel.page.reload()
        panel.wait("aborted")
        expect(panel.answer).to_contain_text("word29 word30", timeout=60_000)
        expect(panel.button("Continue")).to_be_visible()


def test_two_tabs_do_not_overwrite_each_other(context: BrowserContext, site: str) -> None:
    one, two = PanelPage(context.new_page(), site), PanelPage(context.new_page(), site)
    one.visit("en/1-inverted-index/")
    one.open()
    one.ask("stop words")
    one.wait()
    two.visit("en/1-inverted-index/")
    two.open()
    two.button("History").click()
    two.page.locator("ask-book .thread-open").first.click()
    two.ask("skip pointers")
    two.wait()
    one.ask("postings list")
    one.wait()
    expect(one.region).to_contain_text("This conversation went on in another tab")
    one.button("History").click()
    expect(one.page.locator("ask-book .thread-line")).to_have_count(2)


def test_a_thread_that_was_deleted_in_another_tab_is_said_to_be(context: BrowserContext, site: str) -> None:
    one, two = PanelPage(context.new_page(), site), PanelPage(context.new_page(), site)
    one.visit("en/1-inverted-index/")
    one.open()
    one.ask("stop words")
    one.wait()
    one.button("History").click()
    expect(one.page.locator("ask-book .thread-line")).to_have_count(1)
    two.visit("en/1-inverted-index/")
    two.open()
    two.button("History").click()
    two.button("Delete: stop words").click()
    expect(two.page.locator("ask-book .thread-line")).to_have_count(0)
    one.page.locator("ask-book .thread-open").click()
    expect(one.status).to_have_text("“stop words” is deleted.")
    expect(one.page.locator("ask-book .thread-line")).to_have_count(0)


def test_a_clock_that_was_set_back_loses_no_answer(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.page.add_init_script("const now = Date.now; Date.now = () => now() - 30 * 86_400_000")
    panel.page.reload()
    expect(panel.answers).to_have_count(1)
    panel.ask("skip pointers")
    panel.wait()
    panel.page.reload()
    expect(panel.answers).to_have_count(2)
    expect(panel.region).not_to_contain_text("went on in another tab")


def test_an_answer_that_a_navigation_broke_off_comes_back_on_the_next_page(panel: PanelPage) -> None:
    with Endpoint([text(" ".join(f"word{n}" for n in range(400)), delay=0.02)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        expect(panel.answer).to_contain_text("word20 ", timeout=60_000)
        panel.visit("en/2-term-weights/")
        panel.wait("aborted")
        expect(panel.answer).to_contain_text("word19 word20", timeout=60_000)
        expect(panel.button("Continue")).to_be_visible()


def test_a_clock_that_was_years_ahead_loses_no_answer_and_no_other_thread(panel: PanelPage) -> None:
    panel.page.add_init_script("const now = Date.now; Date.now = () => now() + (globalThis.ahead ?? 30) * 365 * 86_400_000")
    panel.page.reload()
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.page.add_init_script("globalThis.ahead = 0")
    panel.page.reload()
    panel.ask("skip pointers")
    panel.wait()
    panel.button("New thread").click()
    panel.ask("postings list")
    panel.wait()
    panel.page.reload()
    panel.button("History").click()
    expect(panel.page.locator("ask-book .thread-line")).to_have_count(2)
    panel.page.locator("ask-book .thread-open", has_text="stop words").click()
    expect(panel.answers).to_have_count(2)


FULL_FALLBACK = """
  IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError") }
  const { setItem } = Storage.prototype
  Storage.prototype.setItem = function (name, value) {
    if (globalThis.full && name.includes(":thread:")) throw new DOMException("full", "QuotaExceededError")
    return setItem.call(this, name, value)
  }
"""


def test_where_the_database_is_forbidden_and_the_other_storage_fills_up_the_answer_is_read_to_its_end(panel: PanelPage) -> None:
    fill_up(panel, FULL_FALLBACK)


def test_two_tabs_that_answer_in_one_thread_at_the_same_time_keep_both_answers(context: BrowserContext, site: str) -> None:
    with Endpoint([text("word " * 120, delay=0.02)]) as endpoint:
        one = PanelPage(context.new_page(), site)
        one.visit("en/1-inverted-index/")
        one.open()
        one.add_model(endpoint.url)
        one.ask("stop words")
        one.wait()
        two = PanelPage(context.new_page(), site)
        two.visit("en/1-inverted-index/")
        two.open()
        two.button("History").click()
        two.page.locator("ask-book .thread-open").first.click()
        one.ask("skip pointers")
        two.ask("postings list")
        one.wait()
        two.wait()
        for panel in (one, two):
            assert panel.answer.inner_text().count("word") == 120
    two.button("History").click()
    expect(two.page.locator("ask-book .thread-line")).to_have_count(2)
    for n in range(2):
        two.page.locator("ask-book .thread-open").nth(n).click()
        expect(two.answers).to_have_count(2)
        two.button("History").click()
