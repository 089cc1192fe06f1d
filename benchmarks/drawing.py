"""What the page does while an answer grows: its processor time in all, a drawing at the end, the longest task.

    python -m benchmarks.drawing [SHAPE … | all]

Answers of 16 KB in 4,000 deltas 10 ms apart, handed over in pieces as the worker reads them, put into messages by its own
code on a clock of its own, and said at the times it says to the panel's conversation, in a page of Chromium that follows the
growing end. All times are processor time of the page's main thread: the sum of its tasks (`RunTask`) in a trace, from the first
message until two seconds after the last. What the same page needs without an answer, measured for three seconds before it, is
subtracted for the same length. A drawing at the end: the task that draws and those that begin within the 50 ms after it, so
style, layout, painting and typesetting too; median of the last fifth. The same: the answer then holds the HTML that one drawing
of the whole text gives. Five shapes are taken where none is named. `ASKBOOK_SMOKE=1` takes short answers.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import statistics
import sys
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, Page

from askbook.core import limits
from askbook.core.parts import ExchangeEnd, ExchangeStart, PartDelta, PartEnd, PartStart, TextPart
from askbook.core.render import AnswerView, render_answer
from askbook.terminal.serve import site_server

from .render import DELTA_MILLISECONDS, DELTAS, TEXTS
from .stage import chromium

ROOT = Path(__file__).parents[1]
LIBRARIES = ("dompurify", "highlight", "katex")
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'
SMOKE = bool(os.environ.get("ASKBOOK_SMOKE"))
SOURCES, PREFIX = 5, "askbook-turn"
ALL_MS, DRAWING_MS, TASK_MS = 400, 4, 50
IDLE_SECONDS, REST_SECONDS = (0.5, 0.5) if SMOKE else (3, 2)
SHAPES = ("formulas, tables, lists", "paragraphs", "one list", "one fence", "one paragraph of Chinese")
SHARE = 5
TOGETHER = limits.DRAW_MILLISECONDS // DELTA_MILLISECONDS
"""Deltas the worker reads in one piece."""
AFTER_MICROSECONDS = 50_000
TASK, MARK = "ThreadControllerImpl::RunTask", "askbook-drawing"
GROW = """async ([messages, rest]) => {
  const turn = ask()
  const update = turn.update.bind(turn)
  turn.update = (patches, ends) => {
    performance.mark("askbook-drawing")
    update(patches, ends)
  }
  const began = performance.now()
  for (const [at, json] of messages) {
    await new Promise(resolve => setTimeout(resolve, Math.max(0, at - (performance.now() - began))))
    say(json)
  }
  await new Promise(resolve => setTimeout(resolve, rest))
  window.target = turn.body.firstElementChild
  return performance.now() - began
}"""
REST = """async length => {
  performance.mark("askbook-drawing")
  await new Promise(resolve => setTimeout(resolve, length))
}"""
SAME = """html => {
  const whole = document.createElement("div")
  showHtml(whole, html)
  const shown = element => {
    const copy = element.cloneNode(true)
    for (const formula of copy.querySelectorAll(".math")) formula.replaceChildren(formula.dataset.tex ?? formula.textContent)
    for (const code of copy.querySelectorAll("code")) code.textContent = code.textContent
    for (const node of copy.querySelectorAll(".typeset, [data-coloured], [data-tex]")) {
      node.classList.remove("typeset", "whole")
      for (const name of ["data-coloured", "data-tex"]) node.removeAttribute(name)
    }
    return [...copy.children].map(block => block.innerHTML).join("")
  }
  return shown(target) === shown(whole)
}"""


class Clock:
    """A clock that is told what time it is, and calls what is due by then."""

    def __init__(self) -> None:
        self.time = 0.0
        self._due: list[tuple[float, Callable[[], None]]] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.advance(self.time + seconds)

    def later(self, seconds: float, act: Callable[[], None]) -> Callable[[], None]:
        one = (self.time + seconds, act)
        self._due.append(one)
        return lambda: self._due.remove(one) if one in self._due else None

    def advance(self, time: float) -> None:
        while self._due and (first := min(self._due, key=lambda one: one[0]))[0] <= time:
            self._due.remove(first)
            self.time = first[0]
            first[1]()
        self.time = time


@dataclass(frozen=True, slots=True)
class Found:
    """What one answer took, in milliseconds."""

    drawings: int
    spent: float
    late: float
    longest: float
    same: bool

    @property
    def missed(self) -> bool:
        return self.spent > ALL_MS or self.late > DRAWING_MS or self.longest > TASK_MS or not self.same


def messages(text: str, site: str, *, deltas: int = DELTAS) -> list[tuple[float, str]]:
    """What the worker posts while an answer arrives, and when, in milliseconds."""
    clock, posted = Clock(), list[tuple[float, str]]()
    frames = worker_frames().Frames(
        lambda told: posted.append((clock.time * 1000, told)),
        lambda: AnswerView(site=site, sources=SOURCES, prefix=PREFIX),
        sources=(),
        clock=clock,
        later=clock.later,
    )
    frames._numbers = set(range(1, SOURCES + 1))
    frames.add(ExchangeStart("What grows?", "retrieve"))
    frames.add(PartStart(0, "text"))
    cuts = [round(len(text) * at / deltas) for at in range(deltas + 1)]
    pieces = [text[begin:end] for begin, end in pairwise(cuts)]
    for at in range(0, len(pieces), TOGETHER):
        clock.advance((at + TOGETHER) * DELTA_MILLISECONDS / 1000)
        for one in pieces[at : at + TOGETHER]:
            frames.add(PartDelta(0, one))
    frames.add(PartEnd(0, "completed", TextPart(text)))
    frames.add(ExchangeEnd("completed"))
    return posted


def worker_frames() -> Any:
    """The worker's module that gathers news into messages; it lies beside the page's scripts."""
    spec = importlib.util.spec_from_file_location("askbook_worker_frames", ROOT / "client/worker/frames.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules.setdefault(spec.name, importlib.util.module_from_spec(spec))
    if not hasattr(module, "Frames"):
        spec.loader.exec_module(module)
    return module


def stage(folder: Path) -> None:
    """Put the page of a conversation, and what it needs, into a folder."""
    for name in ("elements", "worker"):
        shutil.copytree(ROOT / "client" / name, folder / "client" / name)
    shutil.copy(ROOT / "client/protocol.js", folder / "client")
    for name in LIBRARIES:
        shutil.copytree(ROOT / "client/vendor" / name, folder / "client/vendor" / name)
    for path in (ROOT / "tests/browser/pages").iterdir():
        shutil.copy(path, folder)
    (folder / "img").mkdir()
    (folder / "img/a.png").write_bytes(PICTURE)


def measure(browser: Browser, address: str, text: str) -> Found:
    """Let an answer grow on a page of its own."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{address}conversation.html")
    page.wait_for_function("() => window.prepare")
    page.evaluate("() => prepare()")
    page.wait_for_timeout(500)
    idle = sum(took for _, took in tasks(traced(browser, page, lambda: page.evaluate(REST, IDLE_SECONDS * 1000))))
    told = messages(text, address, deltas=200 if SMOKE else DELTAS)
    length = 0.0

    def grow() -> None:
        nonlocal length
        length = page.evaluate(GROW, [told, REST_SECONDS * 1000])

    trace = traced(browser, page, grow)
    same = bool(page.evaluate(SAME, render_answer(text, site=address, sources=SOURCES, prefix=PREFIX)))
    page.close()
    return found(trace, idle / IDLE_SECONDS * length / 1000, same)


def traced(browser: Browser, page: Page, act: Callable[[], None]) -> list[dict[str, Any]]:
    """The events of a trace of what is done meanwhile."""
    session = browser.new_browser_cdp_session()
    events: list[dict[str, Any]] = []
    ended: list[object] = []
    session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    session.on("Tracing.tracingComplete", lambda data: ended.append(data))
    config = {"includedCategories": ["toplevel", "blink.user_timing"], "recordMode": "recordAsMuchAsPossible"}
    session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": config})
    act()
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(20)
    session.detach()
    return events


def tasks(trace: Sequence[dict[str, Any]]) -> list[tuple[float, float]]:
    """Begin in microseconds and processor time in milliseconds of the tasks of the thread that left marks, in order."""
    threads = {(one["pid"], one["tid"]) for one in trace if one["name"] == MARK}
    return sorted(
        (one["ts"], one["tdur"] / 1000)
        for one in trace
        if one["name"] == TASK and one.get("tdur") and (one["pid"], one["tid"]) in threads
    )


def found(trace: Sequence[dict[str, Any]], idle: float, same: bool) -> Found:
    """The figures of a trace."""
    done = tasks(trace)
    starts = [at for at, _ in done]
    marks = sorted(one["ts"] for one in trace if one["name"] == MARK)
    each = []
    for at, mark in enumerate(marks):
        first = bisect_right(starts, mark) - 1
        until = min([mark + AFTER_MICROSECONDS, *marks[at + 1 : at + 2]])
        each.append(sum(took for begun, took in done[first:] if begun < until))
    late = each[-1 - len(each) // SHARE : -1] or each
    return Found(len(marks), sum(took for _, took in done) - idle, statistics.median(late), max(took for _, took in done), same)


def main(names: Sequence[str]) -> int:
    """Print a row for each answer; 1 where a goal is missed."""
    wanted = TEXTS if list(names) == ["all"] else names or SHAPES[: 2 if SMOKE else None]
    chosen = {name: TEXTS[name] for name in wanted}
    missed = []
    print("| answer | drawings | in all, ms | a drawing at the end, ms | longest task, ms | |\n|---|---:|---:|---:|---:|---|")
    with TemporaryDirectory() as folder, chromium() as browser:
        stage(Path(folder))
        with site_server(Path(folder), base="/") as server:
            Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            for name, text in chosen.items():
                one = measure(browser, f"http://127.0.0.1:{server.server_port}/", text[:1_000] if SMOKE else text)
                same = "the same" if one.same else "NOT THE SAME"
                print(f"| {name} | {one.drawings} | {one.spent:.0f} | {one.late:.1f} | {one.longest:.0f} | {same} |", flush=True)
                missed += [name] if one.missed else []
            server.shutdown()
    print(f"\nGoals: {ALL_MS} ms in all, {DRAWING_MS} ms a drawing, {TASK_MS} ms a task, and the same:", end=" ")
    print(f"missed by {len(missed)} of {len(chosen)}: {', '.join(missed)}." if missed else "reached.")
    return int(bool(missed) and not SMOKE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
