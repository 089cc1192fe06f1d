"""What a growing answer costs: the worker's drawings, the page's script, the browser's layout and painting, and all in all.

    python -m benchmarks.drawing [SHAPE … | all]

Answers of 16 KB in 4,000 deltas 10 ms apart, handed over in pieces as the worker reads them. *Worker*: its drawing in the
reader's runtime, in a worker of Chromium: Markdown to HTML to JSON, by the clock, the fastest of three runs of the same
drawing. *Page*: put into messages by the worker's own code on a clock of its own, and said at the times it says to the
panel's conversation, in a page that follows the growing end. Script: what the page's code takes a drawing, messages that draw
nothing included. The browser: what style, layout, painting and handing over take then. A bare page: the finished nodes grown
again in as many frames by plain appending, with the same style, its end followed. All figures of a drawing are of the last
fifth of the answer. In all: processor time of the page's main thread, the sum of its tasks (`RunTask`) in a trace, from the
first message until two seconds after the last; what the same page needs without an answer, measured for three seconds before
it, is subtracted for the same length. The same: the answer then holds the HTML that one drawing of the whole text gives. Five
shapes are taken where none is named. `ASKBOOK_SMOKE=1` takes short answers.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import statistics
import sys
from base64 import b64decode
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page

from askbook.core import limits
from askbook.core.parts import ExchangeEnd, ExchangeStart, PartDelta, PartEnd, PartStart, TextPart
from askbook.core.render import AnswerView, render_answer
from askbook.terminal.serve import site_server

from .render import DELTA_MILLISECONDS, DELTAS, TEXTS
from .stage import chromium

ROOT = Path(__file__).parents[1]
LIBRARIES = ("dompurify", "highlight", "katex")
BARE = (Path(__file__).parent / "drawing_bare.js").read_text("utf-8")
WORKER = Path(__file__).parent / "drawing_worker.js"
WORKER_RUNS, WORTH = 3, 0.15
"""A drawing takes longer than so many milliseconds; a piece that is not worth one takes less."""
BARE_GAP_MILLISECONDS = 100
PICTURE = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
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
GROW = """async ([messages, first, rest]) => {
  if (first) {
    window.turn = ask()
    const update = turn.update.bind(turn)
    turn.update = (patches, ends) => {
      performance.mark("askbook-drawing")
      drawings++
      update(patches, ends)
    }
    window.began = performance.now()
  }
  window.drawings = 0
  for (const [at, json] of messages) {
    await new Promise(resolve => setTimeout(resolve, Math.max(0, at - (performance.now() - began))))
    say(json)
  }
  await new Promise(resolve => setTimeout(resolve, rest))
  window.target = turn.body.firstElementChild
  return [performance.now() - began, drawings]
}"""
ASK_WORKER = """given => new Promise((resolve, reject) => {
  window.worker ??= new Worker("/drawing_worker.js", { type: "module" })
  worker.onmessage = ({ data }) => resolve(data)
  worker.onerror = event => reject(new Error(event.message))
  worker.postMessage(given)
})"""
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
    worker: float
    worker_slowest: float
    script: float
    browser: float
    bare: float
    spent: float
    bare_spent: float
    longest: float
    same: bool

    @property
    def missed(self) -> bool:
        together = self.worker_slowest + self.script
        return self.spent > ALL_MS or together > DRAWING_MS or self.longest > TASK_MS or not self.same

    @property
    def row(self) -> str:
        figures = [self.worker, self.worker_slowest, self.script, self.browser, self.bare]
        told = [f"{figure:.1f}" for figure in figures] + [
            f"{figure:.0f}" for figure in (self.spent, self.bare_spent, self.longest)
        ]
        return f"{self.drawings} | {' | '.join(told)} | {'the same' if self.same else 'NOT THE SAME'}"


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
    idle = sum(took for _, took in tasks(traced(browser, page, lambda: page.evaluate(REST, IDLE_SECONDS * 1000)))) / IDLE_SECONDS
    deltas = 200 if SMOKE else DELTAS
    told = messages(text, address, deltas=deltas)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    length = script = 0.0
    late = 0

    def grow() -> None:
        nonlocal length, late, script
        last = len(told) - len(told) // SHARE
        page.evaluate(GROW, [told[:last], True, 0])
        before = script_seconds(session)
        length, late = page.evaluate(GROW, [told[last:], False, REST_SECONDS * 1000])
        script = (script_seconds(session) - before) * 1000

    trace = traced(browser, page, grow)
    same = bool(page.evaluate(SAME, render_answer(text, site=address, sources=SOURCES, prefix=PREFIX)))
    drawings, spent, whole, longest = figures(trace)
    bare_length = 0.0

    def grow_bare() -> None:
        nonlocal bare_length
        bare_length = page.evaluate(BARE, {"frames": drawings, "gap": BARE_GAP_MILLISECONDS})

    _, bare_spent, bare, _ = figures(traced(browser, page, grow_bare))
    page.close()
    script /= max(1, late)
    worker, slowest = in_worker(browser, address, text, deltas)
    spent, bare_spent = spent - idle * length / 1000, bare_spent - idle * bare_length / 1000
    return Found(drawings, worker, slowest, script, whole - script, bare, spent, bare_spent, longest, same)


def script_seconds(session: CDPSession) -> float:
    """Processor time of the page's code so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "ScriptDuration"))


def in_worker(browser: Browser, address: str, text: str, deltas: int) -> tuple[float, float]:
    """Milliseconds of a drawing in the reader's runtime: median and slowest of the last fifth."""
    page = browser.new_page()
    page.goto(f"{address}client/protocol.js")  # any page will do
    cuts = [round(len(text) * at / deltas) for at in range(0, deltas + 1, TOGETHER)]
    given = {"runtime": f"{address}client/vendor/", "text": text, "site": address, "sources": SOURCES, "prefix": PREFIX}
    given |= {"pieces": [end - begin for begin, end in pairwise(cuts)]}
    runs = [page.evaluate(ASK_WORKER, given) for _ in range(WORKER_RUNS)]
    page.close()
    *took, _ = (min(times) * 1000 for times in zip(*runs, strict=True))
    late = [one for one in took[-len(took) // SHARE :] if one > WORTH] or [max(took)]
    return statistics.median(late), max(late)


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


def figures(trace: Sequence[dict[str, Any]]) -> tuple[int, float, float, float]:
    """Drawings, milliseconds in all, of a drawing at the end with what begins within 50 ms after it, of the longest task."""
    done = tasks(trace)
    starts = [at for at, _ in done]
    marks = sorted(one["ts"] for one in trace if one["name"] == MARK)
    each = []
    for at, mark in enumerate(marks):
        first = bisect_right(starts, mark) - 1
        until = min([mark + AFTER_MICROSECONDS, *marks[at + 1 : at + 2]])
        each.append(sum(took for begun, took in done[first:] if begun < until))
    late = each[-1 - len(each) // SHARE : -1] or each
    return len(marks), sum(took for _, took in done), statistics.median(late), max(took for _, took in done)


COLUMNS = (
    "answer | drawings | worker: a drawing, ms | slowest | page: its script, ms | the browser, ms | a bare page, ms "
    "| in all, ms | a bare page in all | longest task, ms |  "
)


def main(names: Sequence[str]) -> int:
    """Print a row for each answer; 1 where a goal is missed."""
    wanted = TEXTS if list(names) == ["all"] else names or SHAPES[: 2 if SMOKE else None]
    missed = []
    print(f"| {COLUMNS}|\n|---|{'---:|' * 9}---|")
    with TemporaryDirectory() as folder, chromium() as browser:
        stage(Path(folder))
        shutil.copytree(ROOT / "client/vendor", Path(folder) / "client/vendor", dirs_exist_ok=True)
        shutil.copy(WORKER, folder)
        with site_server(Path(folder), base="/") as server:
            Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            for name in wanted:
                one = measure(browser, f"http://127.0.0.1:{server.server_port}/", TEXTS[name][: 1_000 if SMOKE else None])
                print(f"| {name} | {one.row} |", flush=True)
                missed += [name] if one.missed else []
            server.shutdown()
    goals = f"worker's slowest and page's script {DRAWING_MS} ms together, {ALL_MS} ms in all, {TASK_MS} ms a task, the same"
    print(f"\nGoals: {goals}:", f"missed by {len(missed)} of {len(wanted)}: {', '.join(missed)}." if missed else "reached.")
    return int(bool(missed) and not SMOKE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
