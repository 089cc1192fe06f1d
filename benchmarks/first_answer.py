"""Nothing cached, on a slow line: how long a reader waits for the first passages after Enter, and how many bytes come.

The server on loopback waits 60 ms before each answer and sends 9 Mbit/s in all ("4G"), text and wasm as gzip, archives as they
are; a second line has 1.6 Mbit/s. Typed: Enter comes 8 s after the panel was opened. Link: the page is opened with `?ask=`, Enter
is pressed as soon as the field is there, and the time counts from opening the page. Again: the next visit of the same reader.
Goals: typed within 1 s of Enter, link within 6 s, bytes of the runtime at most 1.1 of bare Pyodide's, a second visit 0.
`ASKBOOK_SMOKE=1` asks once on a fast line, and judges nothing.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, BrowserContext, Page, expect

from .paced import Line, paced
from .stage import BASE, chromium
from .start import INDEX, MEASURE, prepare

SMOKE = bool(os.environ.get("ASKBOOK_SMOKE"))
RUNS = 1 if SMOKE else 3
PAGE = "en/1-inverted-index/"
QUESTION = "What is an inverted index?"
TYPING_MILLISECONDS = 500 if SMOKE else 8_000
PATIENCE = 120_000
GOALS = {"typed": 1.0, "link": 6.0}
BYTES_GOAL = 1.1
FOUR_G, SLOW, FAST = (0.06, 9e6), (0.06, 1.6e6), (0.0, 0.0)
"""Seconds before an answer, and bits a second."""


def wait_for_answer(page: Page) -> None:
    """Until the last answer has ended well."""
    page.locator("[role=article][data-state=completed], article[data-state=completed]").last.wait_for(timeout=PATIENCE)


def typed(context: BrowserContext, root: str, line: Line) -> float:
    """Open the panel on a page that has loaded, type for a while, press Enter; seconds from there."""
    page = context.new_page()
    page.goto(root + PAGE, wait_until="networkidle")
    line.sent.clear()
    began = time.perf_counter()
    page.get_by_role("button", name="Ask this book").click()
    field = page.get_by_role("textbox", name="Your question")
    field.fill(QUESTION, timeout=PATIENCE)
    page.wait_for_timeout(max(0.0, TYPING_MILLISECONDS - (time.perf_counter() - began) * 1000))
    return entered(page)


def link(context: BrowserContext, root: str, line: Line) -> float:
    """Open a page by a link that brings the question along; seconds from opening it."""
    page = context.new_page()
    line.sent.clear()
    began = time.perf_counter()
    page.goto(f"{root}{PAGE}?ask={QUESTION.replace(' ', '+').replace('?', '%3F')}", wait_until="commit")
    entered(page)
    return time.perf_counter() - began


def entered(page: Page) -> float:
    """Press Enter; seconds until the passages are there."""
    field = page.get_by_role("textbox", name="Your question")
    expect(field).to_have_value(QUESTION, timeout=PATIENCE)
    began = time.perf_counter()
    field.press("Enter")
    wait_for_answer(page)
    return time.perf_counter() - began


def runtime_bytes(line: Line) -> int:
    """What came of the runtime, our code and the index."""
    folders, ends = ("assets/askbook/vendor/pyodide", "bare/", "ai-index/"), (".zst", "fzstd.js", "runtime.json")
    return sum(size for path, size in line.sent.items() if path.startswith(folders) or path.endswith(ends))


def bare(browser: Browser, site: Path) -> int:
    """Bytes that bare Pyodide with our sources needs for the first search."""
    line = Line(*FAST)
    with paced(site, line, base=BASE) as root:
        page = browser.new_page()
        page.goto(root + PAGE, wait_until="networkidle")
        line.sent.clear()
        page.evaluate(MEASURE, {"script": f"{root}bare/worker.js", "start": {"index": root + INDEX}})
        page.context.close()
    return runtime_bytes(line)


def measure(browser: Browser, site: Path) -> Iterator[tuple[str, float, int]]:
    """Yield the way, the seconds and the bytes of the runtime of every run."""
    for way, ask, pace in (
        ("typed", typed, FAST if SMOKE else FOUR_G),
        ("link", link, FAST if SMOKE else FOUR_G),
        ("link, 1.6 Mbit/s", link, SLOW),
    )[: 2 if SMOKE else 3]:
        for _ in range(1 if pace == SLOW else RUNS):
            line = Line(*pace)
            with paced(site, line, base=BASE) as root:
                context = browser.new_context()
                yield way, ask(context, root, line), runtime_bytes(line)
                if way == "typed":
                    context.pages[0].wait_for_timeout(1_500)
                    context.pages[0].close()
                    yield "again", link(context, root, line), runtime_bytes(line)
                context.close()


def main() -> int:
    """Print the medians; 1 when a goal is missed."""
    found: dict[str, list[tuple[float, int]]] = {}
    with TemporaryDirectory() as folder, chromium() as browser:
        prepare(Path(folder))
        base = bare(browser, Path(folder))
        for way, seconds, size in measure(browser, Path(folder)):
            found.setdefault(way, []).append((seconds, size))
    missed = False
    print("| way | runs | seconds, median | slowest | goal | bytes | ÷ bare Pyodide's |\n|---|---:|---:|---:|---:|---:|---:|")
    for way, runs in found.items():
        seconds, came = statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs)
        goal = GOALS.get(way)
        print(
            f"| {way} | {len(runs)} | {seconds:.2f} | {max(run[0] for run in runs):.2f} | {f'{goal:.0f}' if goal else ''} | "
            f"{came:,.0f} | {came / base:.2f} |"
        )
        missed |= bool(goal and seconds > goal) or came / base > BYTES_GOAL or (way == "again" and came > 0)
    print(f"\nBare Pyodide with our sources: {base:,} bytes.")
    return int(missed and not SMOKE)


if __name__ == "__main__":
    sys.exit(main())
