"""Starting Python: true progress, one clear sentence where it cannot start, and a second try that works."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from fakes.endpoint import Endpoint, text
from panel import PATIENCE, PanelPage, until
from playwright.sync_api import Browser, Route, expect

from benchmarks.paced import Line, paced

pytestmark = pytest.mark.browser

CLEAR = 12_000
"""Milliseconds within which a reader has to be told."""


def test_progress_is_told_in_bytes(panel: PanelPage) -> None:
    panel.page.route("**/*.wasm.zst", lambda route: (time.sleep(2), route.continue_()))  # type: ignore[func-returns-value]
    panel.open()
    expect(panel.status).to_have_text(re.compile(r"Loading Python: [\d.]+ of [\d.]+ MB"), timeout=CLEAR)


def test_what_has_come_of_a_book_is_told_while_the_rest_of_it_comes(panel: PanelPage) -> None:
    held: list[Route] = []

    def large(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=" " * 400_000 + response.text())

    panel.page.route("**/ai-index/books-ranking-en.json*", large)
    panel.page.route("**/ai-index/books-ranking-en.text.*.json", lambda route: held.append(route))
    panel.open()
    expect(panel.status).to_have_text("Starting Python… 0.4 MB of the book so far.", timeout=30_000)
    until(panel.page, lambda: bool(held))
    held[0].continue_()
    panel.ask("What is an inverted index?")
    expect(panel.wait()).to_contain_text("postings list")


def test_a_missing_runtime_file_is_said_and_can_be_tried_again(panel: PanelPage) -> None:
    panel.page.route("**/*.wasm.zst", lambda route: route.fulfill(status=404, body="gone"))
    panel.open()
    panel.ask("What is an inverted index?")
    expect(panel.wait("error")).to_contain_text("A file of the assistant is missing on this site.", timeout=CLEAR)
    assert panel.errors == []
    panel.page.unroute("**/*.wasm.zst")
    panel.button("Retry").click()
    panel.wait()


def test_history_and_settings_that_do_not_come_are_said_and_can_be_tried_again(panel: PanelPage) -> None:
    panel.page.route("**/elements/setup.js", lambda route: route.abort())
    panel.opener.click()
    for name in ("Settings", "History"):
        panel.button(name).click()
        expect(panel.status).to_have_text("A file of the assistant is missing on this site.")
    panel.page.unroute("**/elements/setup.js")
    panel.button("History").click()
    expect(panel.page.get_by_role("searchbox")).to_be_focused()
    assert panel.errors == []


def test_formulas_are_typeset_as_soon_as_what_typesets_them_can_be_had(panel: PanelPage) -> None:
    panel.page.route("**/katex/katex.js", lambda route: route.abort())
    with Endpoint([text("It is $\\frac{1}{2}$."), text("It is $\\frac{3}{4}$.")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("How much is it?")
        expect(panel.wait()).to_contain_text("It is \\frac{1}{2}.")
        panel.page.wait_for_timeout(1500)
        panel.page.unroute("**/katex/katex.js")
        panel.ask("And more?")
        expect(panel.answers).to_have_count(2)
        panel.wait()
        for answer in panel.answers.all():
            expect(answer.locator(".text .math.typeset .katex")).to_have_count(1)
    assert panel.errors == []


def test_a_wrongly_typed_wasm_file_still_runs(panel: PanelPage) -> None:
    def as_text(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, headers={**response.headers, "content-type": "text/plain"})

    panel.page.route("**/*.wasm.zst", as_text)
    panel.open()
    panel.ask("What is an inverted index?")
    panel.wait()


MISSING, DAMAGED, LOST = (
    "A file of the assistant is missing",
    "A file of the assistant arrived damaged.",
    "The connection was lost",
)


@pytest.mark.parametrize(
    ("file", "body", "sentence"),
    [
        ("**/*.wasm.zst", b"\0asm, but not for long", DAMAGED),
        ("**/*.wasm.zst", b"<!doctype html><title>Home</title>", MISSING),
        ("**/python-*.zip.zst", b"<!doctype html><title>Home</title>", MISSING),
        ("**/app-*.zip.zst", b"<!doctype html><title>Home</title>", MISSING),
        ("**/app-*.zip.zst", b"(\xb5/\xfd half of a file", LOST),
    ],
    ids=["damaged", "page for wasm", "page for the library", "page for our code", "cut off"],
)
def test_what_a_host_sends_in_place_of_a_file_is_said_within_ten_seconds_and_not_kept(
    panel: PanelPage, file: str, body: bytes, sentence: str
) -> None:
    panel.page.route(file, lambda route: route.fulfill(status=200, content_type="text/html", body=body))
    panel.open()
    expect(panel.page.get_by_role("alert")).to_contain_text(sentence, timeout=CLEAR)
    panel.page.unroute(file)
    panel.button("Try again").click()
    panel.ask("What is an inverted index?")
    panel.wait()


@pytest.mark.parametrize("file", ["fzstd.js", "pyodide.js", "pyodide.asm.js"])
@pytest.mark.parametrize(("status", "sentence"), [(404, MISSING), (200, MISSING), (0, LOST)], ids=["missing", "page", "lost"])
def test_a_script_that_does_not_come_is_said_to_be_missing_only_where_it_is(
    panel: PanelPage, file: str, status: int, sentence: str
) -> None:
    def answer(route: Route) -> None:
        if status:
            route.fulfill(status=status, content_type="text/html", body="<!doctype html><title>Home</title>")
        else:
            route.abort()

    panel.page.route(f"**/{file}", answer)
    panel.open()
    expect(panel.page.get_by_role("alert")).to_contain_text(sentence, timeout=CLEAR)
    panel.page.unroute(f"**/{file}")
    panel.button("Try again").click()
    panel.ask("What is an inverted index?")
    panel.wait()


def test_a_policy_that_forbids_wasm_is_named_within_ten_seconds_and_keywords_are_searched(panel: PanelPage) -> None:
    def strict(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, headers={**response.headers, "content-security-policy": "script-src 'self'"})

    for file in ("**/worker/worker.js", "**/en/1-inverted-index/"):
        panel.page.route(file, strict)
    panel.visit("en/1-inverted-index/")
    panel.requests.clear()
    panel.open()
    alert = panel.page.get_by_role("alert")
    expect(alert).to_contain_text("'wasm-unsafe-eval'", timeout=CLEAR)
    expect(alert).to_contain_text("Keyword search works all the same.")
    panel.ask("What is an inverted index?")
    answer = panel.wait()
    expect(answer).to_contain_text("Keyword search alone")
    expect(answer.get_by_role("list").first.get_by_role("link").first).to_have_text("Definition 1.2 (Inverted index)")
    assert [url for url in panel.requests if url.endswith(".zst")] == []
    panel.ask("什么是 zebra")
    expect(panel.answer).to_contain_text("No passage has any of your words")


def test_a_host_that_never_answers_is_noticed(panel: PanelPage) -> None:
    panel.page.route("**/*.wasm.zst", lambda route: None)
    panel.open()
    expect(panel.page.get_by_role("alert")).to_contain_text("The assistant does not finish loading.", timeout=CLEAR)


def test_a_connection_lost_half_way_is_said_and_can_be_tried_again(browser: Browser, site_folder: Path) -> None:
    line = Line(0.0, 8e6)
    with paced(site_folder, line, base="/books/ranking/") as root:
        panel = PanelPage(browser.new_page(), root)
        panel.visit("en/1-inverted-index/")
        panel.open()
        line.cut_after = 3_000_000
        expect(panel.page.get_by_role("alert")).to_contain_text("The connection was lost", timeout=CLEAR)
        line.cut_after = 0
        panel.button("Try again").click()
        panel.ask("What is an inverted index?")
        panel.wait()
        panel.page.context.close()


LOADED = re.compile(r"Loading Python: ([\d.]+) of ([\d.]+) MB")


def test_a_slow_line_shows_true_progress_and_then_the_answer(browser: Browser, site_folder: Path) -> None:
    line = Line(0.06, 1.6e6)
    shown: list[tuple[float, float, float]] = []
    with paced(site_folder, line, base="/books/ranking/") as root:
        panel = PanelPage(browser.new_page(), root)
        panel.visit("en/1-inverted-index/")
        panel.open()
        panel.ask("What is an inverted index?")
        expect(panel.status).to_have_text(LOADED, timeout=30_000)
        while panel.answer.get_attribute("data-state") in ("pending", "running"):
            came = sum(size for path, size in line.sent.items() if path.endswith(".zst"))
            if told := LOADED.match(panel.status.inner_text()):
                shown.append((float(told[1]), float(told[2]), came / 1e6))
            panel.page.wait_for_timeout(500)
        panel.wait()
        panel.page.context.close()
    whole = sum(size for path, size in line.sent.items() if path.endswith(".zst")) / 1e6
    assert len(shown) > 8
    assert [told for told, _, _ in shown] == sorted(told for told, _, _ in shown)
    assert {round(total - whole, 1) for _, total, _ in shown} == {0.0}
    assert max(abs(told - came) for told, _, came in shown) < 0.5  # what is on its way counts as sent


@pytest.mark.parametrize(
    ("status", "body", "sentence"),
    [
        (404, "gone", "This book has no index"),
        (200, '{"format": "other"}', "The index of this book cannot be read."),
        (200, "{", "cannot be read"),
        (200, '{"format":"askbook-index/1","col":' + "[" * 100_000, "cannot be read"),
    ],
)
def test_a_book_that_cannot_be_read_is_named(panel: PanelPage, status: int, body: str, sentence: str) -> None:
    index = "**/ai-index/books-ranking-en.json*"
    panel.page.route(index, lambda route: route.fulfill(status=status, body=body))
    panel.open()
    expect(panel.page.get_by_role("alert")).to_contain_text(sentence, timeout=60_000)
    panel.page.unroute(index)
    panel.button("Try again").click()
    panel.ask("What is an inverted index?")
    expect(panel.wait()).to_contain_text("postings list")


def test_a_question_that_waits_is_asked_once_a_book_came_at_the_second_try(panel: PanelPage) -> None:
    index = "**/ai-index/books-ranking-en.json*"
    panel.page.route("**/*.wasm.zst", lambda route: (time.sleep(2), route.continue_()))  # type: ignore[func-returns-value]
    panel.page.route(index, lambda route: route.fulfill(status=500, body=""))
    panel.open()
    panel.ask("What is an inverted index?")
    expect(panel.page.get_by_role("alert")).to_contain_text("did not arrive", timeout=CLEAR)
    panel.page.unroute(index)
    panel.button("Try again").click()
    expect(panel.wait()).to_contain_text("postings list")
    expect(panel.answers).to_have_count(1)


@pytest.mark.parametrize("body", ["<!doctype html><title>Home</title>", '{"format":"askbook-text/1","texts":["cut o'])
def test_a_text_file_that_cannot_be_read_is_said_and_not_kept(panel: PanelPage, body: str) -> None:
    text_file = "**/ai-index/books-ranking-en.text.*.json"
    panel.page.route(text_file, lambda route: route.fulfill(status=200, body=body))
    panel.open()
    expect(panel.page.get_by_role("alert")).to_contain_text("cannot be read", timeout=60_000)
    panel.page.unroute(text_file)
    panel.button("Try again").click()
    panel.ask("What is an inverted index?")
    expect(panel.wait()).to_contain_text("postings list")


KEPT = """async () => {
  const names = (await (await caches.open("askbook")).keys()).map(({ url }) => url)
  return ["pyodide.asm.wasm", "python-", "app-"].every(part => names.some(url => url.includes(part)))
}"""


def test_a_second_visit_needs_no_byte_of_the_runtime_from_the_network(panel: PanelPage) -> None:
    panel.open()
    panel.ask("What is an inverted index?")
    panel.wait()
    panel.page.wait_for_function(KEPT)
    panel.requests.clear()
    panel.visit("en/2-term-weights/")
    expect(panel.region).to_be_visible()  # it was open on the page before
    panel.ask("What is idf?")
    panel.wait()
    assert [url for url in panel.requests if url.endswith(".zst")] == []


FORBIDDEN = """Object.defineProperty(self, "caches", {get() { throw new DOMException("denied", "SecurityError") }})\n"""


def forbidden(route: Route) -> None:
    """The worker has no Cache Storage either."""
    route.fulfill(content_type="text/javascript", body=FORBIDDEN + route.fetch().text())


def test_a_browser_that_keeps_nothing_still_answers_and_says_so(browser: Browser, site: str) -> None:
    context = browser.new_context()
    context.add_init_script(
        """for (const name of ["indexedDB", "localStorage", "sessionStorage", "caches"])
             Object.defineProperty(window, name, {get() { throw new DOMException("denied", "SecurityError") }})"""
    )
    panel = PanelPage(context.new_page(), site)
    panel.page.route("**/worker/cache.js", forbidden)
    panel.visit("en/1-inverted-index/")
    panel.open()
    panel.ask("What is an inverted index?")
    panel.wait()
    expect(panel.region).to_contain_text("This browser keeps nothing for this site")
    context.close()


TIER = "document.querySelector('ask-book').panel().then((panel) => panel.connection.tier)"
BREAK = """caches.open("askbook").then(async (cache) => {
  const kept = (await cache.keys()).find((request) => request.url.includes("snapshot-"))
  const zeros = new Blob([new Uint8Array(4096)]).stream().pipeThrough(new CompressionStream("gzip"))
  await cache.put(kept, new Response(await new Response(zeros).blob()))
})"""


SLOWER = """caches.open("askbook").then(async (cache) => {
  const kept = (await cache.keys()).find((request) => /snapshot-.*json$/.test(request.url))
  const measured = await (await cache.match(kept)).json()
  await cache.put(kept, new Response(JSON.stringify({ ...measured, compiled: measured.snapshot })))
})"""
OLD = "snapshot-" + "0" * 36 + ".bin.gz"
LEAVE_OLD = f"""caches.open("askbook").then((cache) =>
  cache.put(new URL("/books/ranking/assets/askbook/vendor/{OLD}", location.href).href, new Response("old")))"""
NAMES = """caches.open("askbook").then(async (cache) => (await cache.keys()).map(({ url }) => url.split("/").pop()))"""


def test_a_cache_that_was_evicted_is_filled_again(panel: PanelPage) -> None:
    panel.open()
    panel.ask("What is an inverted index?")
    panel.wait()
    panel.page.evaluate("caches.delete('askbook')")
    panel.visit("en/2-term-weights/")
    panel.ask("What is idf?")
    panel.wait()
    panel.page.wait_for_function(KEPT)


def test_a_browser_that_asks_for_few_data_makes_no_snapshot_and_fetches_nothing_ahead(browser: Browser, site: str) -> None:
    context = browser.new_context()
    context.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    panel.opener.hover()
    panel.page.wait_for_timeout(1000)
    assert [url for url in panel.requests if url.endswith(".zst")] == []
    context.close()


def test_the_next_visit_starts_from_a_snapshot_and_without_it_where_it_does_not_fit(panel: PanelPage) -> None:
    panel.page.evaluate(LEAVE_OLD)
    panel.open()
    with panel.page.expect_console_message(lambda message: "bytes kept" in message.text, timeout=PATIENCE):
        panel.ask("What is an inverted index?")
        panel.wait()
    assert OLD not in panel.page.evaluate(NAMES)
    for spoil, tier in ((None, "snapshot"), (SLOWER, "compiled"), (BREAK, "compiled")):
        if spoil:
            panel.page.evaluate(spoil)
        panel.visit("en/2-term-weights/")
        panel.ask("What is idf?")
        panel.wait()
        assert panel.page.evaluate(TIER) == tier
