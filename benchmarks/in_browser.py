"""Beside other libraries in the reader's browser: bytes and time to the first hit with nothing cached, and search.

One Chromium and one server on loopback for all, a fresh profile each, text and wasm as gzip; the same cards, 5,000 passages
of the retrieval sets, each library with its code and its index as a site would serve them. All but Pagefind, which wants a
page, run in a worker; Chinese goes to the libraries as pairs of characters. lunr makes its index when the page is opened, as
MkDocs uses it; Pagefind reads pages of ten cards. First hit: from the library's start to the answer of the first question,
ours by the messages of the panel. Search: time inside the worker, without the message, from the question to the titles of
eight hits (titles are all that the libraries store), median of every second question of all sets, after the others: so none was
asked before, and the engine has compiled what runs often. Goal: at most 1.5 times MiniSearch's. `ASKBOOK_SMOKE=1` takes a small
book and few questions, and judges nothing.
"""

from __future__ import annotations

import html
import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser

from askbook.builder.index.write import encode
from askbook.core.schema import Card
from askbook.site_plugin.assets import write_assets

from .paced import Line, paced
from .peers import SEARCH_GOAL, pairs
from .retrieval_sets import ROOT, retrieval_sets
from .retrieval_speed import book_of
from .stage import chromium

HERE = Path(__file__).parent
SMOKE = bool(os.environ.get("ASKBOOK_SMOKE"))
CARDS, QUESTIONS, RUNS = (60, 6, 1) if SMOKE else (5_000, 400, 2)
PAGE_CARDS = 10
LIBRARIES = ("minisearch", "lunr", "flexsearch", "orama")
PAGEFIND = HERE / "node_modules/.bin/pagefind"

MEASURED = """const measured = async (ask, questions, began) => {
  const { hits } = await ask(questions[0])
  const first = performance.now() - began
  const found = [hits]
  const times = []
  for (const [at, question] of questions.slice(1).entries()) {
    const { hits, took } = await ask(question)
    found.push(hits)
    if (at * 2 >= questions.length) times.push(took)
  }
  return { first, times, found: found.filter(Boolean).length / found.length }
}"""
"""The first answer; then every question once, the second half of them timed."""
IN_WORKER = """async ({ script, message, questions }) => {
  const worker = new Worker(script, { type: "module" })
  const ask = (question) => new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message))
    worker.onmessage = ({ data }) => resolve(data)
    worker.postMessage({ question })
  })
  const began = performance.now()
  worker.postMessage(message)
  const done = await measured(ask, questions, began)
  worker.terminate()
  return done
}"""
FIRST_OF_OURS = """({ script, message, questions }) => new Promise((resolve, reject) => {
  const worker = new Worker(script, { type: "module" })
  const began = performance.now()
  worker.onerror = (event) => reject(new Error(event.message))
  worker.onmessage = ({ data }) => {
    if (data.kind === "failed") reject(new Error(data.detail))
    if (data.kind !== "reply") return
    worker.terminate()
    resolve({ first: performance.now() - began, times: [], found: 0 })
  }
  worker.postMessage(message)
  worker.postMessage({ kind: "call", id: "1", name: "search", argument: JSON.stringify({ question: questions[0], k: 8 }) })
})"""
IN_PAGE = """async ({ script, questions }) => {
  const began = performance.now()
  const pagefind = await import(script)
  const ask = async (question) => {
    const at = performance.now()
    const { results } = await pagefind.search(question)
    await results[0]?.data()
    return { hits: results.length, took: performance.now() - at }
  }
  return measured(ask, questions, began)
}"""


@dataclass(frozen=True, slots=True)
class Found:
    """What one library did in one run."""

    bytes: int
    first: float
    times: Sequence[float]
    share: float


def serve_libraries(site: Path) -> None:
    """Put the libraries' code where the worker looks for it."""
    for name in ("minisearch/dist/es", "flexsearch/dist", "@orama/orama/dist/browser"):
        shutil.copytree(ROOT / "node_modules" / name, site / "lib" / name)
    lunr = (ROOT / "node_modules/lunr/lunr.min.js").read_text(encoding="utf-8")
    made = f"const module = {{ exports: {{}} }}, exports = module.exports\n{lunr}\nexport default module.exports\n"
    (site / "lib/lunr.js").write_text(made, encoding="utf-8")
    shutil.copy(HERE / "in_browser_worker.js", site / "worker.js")
    shutil.copy(HERE / "in_browser_ours.js", site / "ours.js")
    (site / "index.html").write_text("<!doctype html><title>Search</title>", encoding="utf-8")


def write_book(site: Path, lang: str) -> tuple[list[str], list[str]]:
    """Write one book for all; return its questions as they are, and as pairs."""
    sets = [one for one in retrieval_sets() if one.name.startswith((lang, f"mini-{lang}"))]
    book, questions = book_of(sets, lang, CARDS)
    folder = site / lang
    folder.mkdir()
    for name, data in encode(book).items():
        (folder / name).write_bytes(data)
    cards = [{"id": card.id, "title": pairs(card.title), "text": pairs(card.text)} for card in book.cards]
    (folder / "cards.json").write_text(json.dumps(cards), encoding="utf-8")
    subprocess.run(["node", HERE / "in_browser_build.mjs", folder / "cards.json", folder], cwd=ROOT, check=True)
    if PAGEFIND.is_file():
        write_pages(folder / "pages", lang, book.cards)
    chosen = questions[:: max(1, len(questions) // QUESTIONS)][:QUESTIONS]
    chosen = [*chosen[::2], *chosen[1::2]]
    return chosen, [pairs(one) for one in chosen]


def write_pages(folder: Path, lang: str, cards: Sequence[Card]) -> None:
    """The book as pages, and Pagefind's index of them."""
    folder.mkdir()
    for start in range(0, len(cards), PAGE_CARDS):
        parts = [
            f"<h2>{html.escape(card.title)}</h2><p>{html.escape(card.text)}</p>" for card in cards[start : start + PAGE_CARDS]
        ]
        page = f'<!doctype html><html lang="{lang}"><title>{start}</title><body><main>{"".join(parts)}</main></body></html>'
        (folder / f"{start}.html").write_text(page, encoding="utf-8")
    subprocess.run([PAGEFIND, "--site", folder], check=True, capture_output=True)


def run(browser: Browser, site: Path, program: str, start: Mapping[str, object], questions: list[str]) -> Found:
    """One library in a fresh profile."""
    line = Line(0.0, 0.0)
    with paced(site, line) as root:
        page = browser.new_page()
        page.goto(root)
        line.sent.clear()
        told = json.loads(json.dumps(start).replace("ROOT/", root))
        done = page.evaluate(program.replace("=> {", f"=> {{\n{MEASURED}", 1), {**told, "questions": questions})
        page.context.close()
    return Found(line.total, done["first"], done["times"], done["found"])


def ways(lang: str, site: Path) -> Iterator[tuple[str, str, dict[str, object], bool]]:
    """Name of each library, the program that runs it, what starts it, and whether it wants pairs; ours in two ways."""
    runtime, folder = "ROOT/assets/askbook/vendor/", site / lang
    [text] = [path.name for path in folder.glob("*.text.*.json")]
    index = text.partition(".text.")[0]
    books = [{"name": index, "url": f"ROOT/{lang}/{index}.json"}]
    message = {"kind": "start", "runtime": runtime, "site": "ROOT/", "snapshot": False, "books": books}
    yield "askbook", FIRST_OF_OURS, {"script": "ROOT/assets/askbook/worker/worker.js", "message": message}, False
    files = {"runtime": runtime, "index": books[0]["url"], "text": f"ROOT/{lang}/{text}"}
    yield "askbook", IN_WORKER, {"script": "ROOT/ours.js", "message": files}, False
    for name in LIBRARIES:
        message = {"library": name, "index": f"ROOT/{lang}/{name}.json"}
        yield name, IN_WORKER, {"script": "ROOT/worker.js", "message": message}, True
    if (folder / "pages/pagefind").is_dir():
        yield "pagefind", IN_PAGE, {"script": f"ROOT/{lang}/pages/pagefind/pagefind.js"}, False


def table(browser: Browser, site: Path, lang: str) -> Iterator[tuple[str, float]]:
    """Rows of one language, measured in turns, each with its search against MiniSearch's."""
    plain, paired = write_book(site, lang)
    firsts: dict[str, list[Found]] = {}
    searches: dict[str, list[Found]] = {}
    for _ in range(RUNS):
        for name, program, start, wants_pairs in ways(lang, site):
            found = run(browser, site, program, start, paired if wants_pairs else plain)
            if program == FIRST_OF_OURS or name != "askbook":
                firsts.setdefault(name, []).append(found)
            if found.times:
                searches.setdefault(name, []).append(found)
    search = {name: statistics.median(time for one in runs for time in one.times) for name, runs in searches.items()}
    for name, runs in firsts.items():
        first, size = statistics.median(one.first for one in runs), statistics.median(one.bytes for one in runs)
        against, share = search[name] / search["minisearch"], searches[name][0].share
        yield f"| {lang} | {name} | {size:,.0f} | {first:,.0f} | {search[name]:.2f} | {against:.2f} | {share:.0%} |", against


def main() -> int:
    """Print the table; 1 when the goal is missed."""
    missed = False
    with TemporaryDirectory() as folder, chromium() as browser:
        site = Path(folder)
        serve_libraries(site)
        write_assets(site, settings={"books": []})
        print(
            "| text | library | bytes to the first hit | first hit, ms | search, ms | search ÷ MiniSearch | questions with hits |"
        )
        print("|---|---|---:|---:|---:|---:|---:|")
        for lang in ("en", "zh"):
            for row, against in table(browser, site, lang):
                print(row, flush=True)
                missed |= row.startswith(f"| {lang} | askbook") and against > SEARCH_GOAL
    print(f"\n{CARDS:,} cards, up to {QUESTIONS} questions, medians of {RUNS} runs in turns; ours starts Python first.", end=" ")
    print("" if PAGEFIND.is_file() else "Pagefind is not installed: npm ci --prefix benchmarks.")
    return int(missed and not SMOKE)


if __name__ == "__main__":
    sys.exit(main())
