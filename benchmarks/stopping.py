"""Reading a model's stream in the reader's browser: processor time per network read beside a bare loop, and how fast it stops.

    python -m benchmarks.stopping

A model on loopback writes an answer of 8 KB in 2,000 deltas, each a network read, 10 ms apart. Twice in one Chromium, in
turns: the panel asks it, whose worker reads, assembles, draws and posts to the page; and a worker of a bare page reads it by
a loop that splits the lines, parses the JSON and adds up the text. Compared is the processor time of the worker's thread, as
the system counts it, from the question to the end of the answer: the search before it and the citations after it are in ours.
Stop: a model writes paragraphs as fast as it can, the reader presses Escape, and the page notes when the answer shows as
stopped; from the key's own time stamp, by the page's clock. The rest: 64 KB with 780 formulas come after the reader has
stopped, and are drawn with the end, by the processor time of the page's tasks. `ASKBOOK_SMOKE=1` takes a short answer and few
stops.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page

from .drawing import messages, stage, tasks, traced
from .panel import fresh, save_model
from .render import TEXTS
from .stage import example, served

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from fakes.endpoint import Endpoint, text

SMOKE = bool(os.environ.get("ASKBOOK_SMOKE"))
CHARACTERS, DELTAS, RUNS, STOPS = (400, 100, 1, 2) if SMOKE else (8_192, 2_000, 2, 15)
DELAY = 0.01
SNAPSHOT_MILLISECONDS = 6_000
"""After so long the page has begun to make its snapshot."""
QUIET_NANOSECONDS = 20_000_000
SHAPE = "formulas, tables, lists"
READ_RATIO, STOP_MS, TASK_MS = 4, 50, 50
QUIET_LOOKS, LOOK_MILLISECONDS = 20, 500
LONG = 4
"""Answers of 16 KB that the longest is made of."""
BARE = """
  onmessage = async ({ data }) => {
    const answer = await fetch(data, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" })
    const reader = answer.body.getReader()
    const decoder = new TextDecoder()
    let held = "", text = "", reads = 0
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      reads++
      const lines = (held + decoder.decode(value, { stream: true })).split("\\n")
      held = lines.pop()
      for (const line of lines) if (line.startsWith("data: {")) text += JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? ""
    }
    postMessage({ reads, length: text.length })
  }
"""
READ_BARE = """url => new Promise(resolve => {
  window.bare.onmessage = ({ data }) => resolve(data)
  window.bare.postMessage(url)
})"""
WATCH_STOP = """() => {
  const article = [...document.querySelector("ask-book").shadowRoot.querySelectorAll("article")].at(-1)
  window.stopped = new Promise(resolve => {
    let pressed = 0
    addEventListener("keydown", event => event.key === "Escape" && (pressed = event.timeStamp), { capture: true, once: true })
    new MutationObserver(() => article.dataset.state === "aborted" && resolve(performance.now() - pressed))
      .observe(article, { attributeFilter: ["data-state"] })
  })
}"""


REST = """async messages => {
  const turn = ask()
  performance.mark("askbook-drawing")
  exchange.stop()
  for (const [, json] of messages) {
    say(json)
    await new Promise(resolve => setTimeout(resolve))
  }
  while (exchange.running || turn.body.querySelector(".math:not(.typeset)")) await new Promise(resolve => setTimeout(resolve, 20))
  await new Promise(resolve => setTimeout(resolve, 200))
}"""


def is_ours(process: Path) -> bool:
    """Tell whether a process comes from this one: others on this machine may run browsers too."""
    number = process.name
    while number not in {"0", "1", str(os.getpid())}:
        number = (Path("/proc") / number / "stat").read_text("ascii").rpartition(")")[2].split()[1]
    return number == str(os.getpid())


def workers() -> Iterator[tuple[Path, int]]:
    """Threads of dedicated workers of our browser, and the nanoseconds each has run."""
    for name in Path("/proc").glob("[0-9]*/task/[0-9]*/comm"):
        try:
            if name.read_text("ascii").startswith("DedicatedWorker") and is_ours(name.parents[2]):
                yield name.parent, int((name.parent / "schedstat").read_text("ascii").split()[0])
        except (OSError, ValueError):
            continue


class Spent:
    """Processor time of the worker thread that an act keeps busy."""

    def __init__(self, page: Page, act: Callable[[], object]) -> None:
        before = at_rest(page)
        act()
        grown = {thread: spent - before.get(thread, 0) for thread, spent in workers()}
        self.thread = max(grown, key=lambda thread: grown[thread])

    def of(self, act: Callable[[], object]) -> float:
        """Milliseconds an act takes it."""
        before = self._now()
        act()
        return (self._now() - before) / 1e6

    def _now(self) -> int:
        return int((self.thread / "schedstat").read_text("ascii").split()[0])


def at_rest(page: Page) -> dict[Path, int]:
    """Wait until no worker does anything, which after a first visit makes a snapshot; return what each has run."""
    before = dict(workers())
    for _ in range(QUIET_LOOKS):
        page.wait_for_timeout(LOOK_MILLISECONDS)
        now = dict(workers())
        if sum(now.values()) - sum(before.get(thread, 0) for thread in now) < QUIET_NANOSECONDS:
            return now
        before = now
    return before


def panel_page(browser: Browser, root: str, url: str) -> Page:
    """A page with the panel open, its model saved and one question answered, so that everything has been loaded."""
    page = fresh(browser, root)
    page.locator("ask-book-button button").click()
    save_model(page, url)
    ask(page, "What is a posting?")
    return page


def ask(page: Page, question: str, *, until: str = "article[data-state=completed]") -> None:
    """Ask, and wait until the newest answer is so."""
    asked = page.locator("ask-book article").count()
    field = page.get_by_role("textbox", name="Your question")
    field.fill(question)
    field.press("Enter")
    page.locator("ask-book article").nth(asked).wait_for()
    page.locator(f"ask-book .turn:nth-child({asked + 1}) {until}").wait_for(timeout=240_000)


def read_times(browser: Browser, root: str) -> tuple[float, float, int]:
    """Milliseconds of the worker a read: ours, and a bare loop's; and how many reads there were."""
    answer = TEXTS[SHAPE][:CHARACTERS]
    long = text(answer, delta=-(-CHARACTERS // DELTAS), delay=DELAY)
    with Endpoint([text("It is an entry [1]. " * 20)]) as warm, Endpoint([long]) as endpoint:
        page = panel_page(browser, root, warm.url)
        bare = browser.new_page()
        bare.goto(root)
        bare.evaluate("code => window.bare = new Worker(URL.createObjectURL(new Blob([code])))", BARE)
        page.wait_for_timeout(SNAPSHOT_MILLISECONDS)
        theirs = Spent(page, lambda: [bare.evaluate(READ_BARE, f"{warm.url}/chat/completions") for _ in range(8)])
        ours = Spent(page, lambda: ask(page, "What is a term?"))
        save_model(page, endpoint.url)
        mine, plain, reads = list[float](), list[float](), list[int]()

        def read_bare() -> None:
            reads.append(bare.evaluate(READ_BARE, f"{endpoint.url}/chat/completions")["reads"])

        for _ in range(RUNS):
            mine.append(ours.of(lambda: ask(page, "What is an inverted index?")))
            plain.append(theirs.of(read_bare))
        bare.close()
        page.context.close()
    return statistics.median(mine) / reads[-1], statistics.median(plain) / reads[-1], reads[-1]


def stop_times(browser: Browser, root: str) -> list[float]:
    """Milliseconds from Escape to an answer that shows as stopped, while deltas flood in."""
    paragraph = "A word and **another** one, and $x$ [1]. " * 8 + "\n\n"
    flood = text(paragraph * 2_500, delta=6, delay=0)
    with Endpoint([text("It is an entry [1].")]) as warm, Endpoint([flood]) as endpoint:
        page = panel_page(browser, root, warm.url)
        save_model(page, endpoint.url)
        times = []
        for at in range(STOPS):
            ask(page, f"Tell me all, {at}", until="article[data-state=running] .text")
            page.wait_for_timeout(100 + 150 * (at % 7))
            page.evaluate(WATCH_STOP)
            page.keyboard.press("Escape")
            times.append(float(page.evaluate("() => stopped")))
            page.locator("ask-book").get_by_role("button", name="Send", exact=True).wait_for()
        page.context.close()
    return times


def rest_times(browser: Browser) -> tuple[float, float]:
    """Milliseconds in all, and of the longest task, that a long answer takes whose reader has stopped it."""
    with TemporaryDirectory() as folder:
        stage(Path(folder))
        with served(Path(folder), base="/") as root:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(f"{root}conversation.html")
            page.wait_for_function("() => window.prepare")
            page.evaluate("() => prepare()")
            told = messages(TEXTS[SHAPE][:CHARACTERS] if SMOKE else TEXTS[SHAPE] * LONG, root)
            page.wait_for_timeout(LOOK_MILLISECONDS)
            took = [spent for _, spent in tasks(traced(browser, page, lambda: page.evaluate(REST, told)))]
            page.close()
    return sum(took), max(took)


def main() -> int:
    """Print the figures; 1 where a goal is missed."""
    with example() as (browser, root):
        ours, bare, reads = read_times(browser, root)
        times = sorted(stop_times(browser, root))
        whole, longest = rest_times(browser)
    ratio, middle, worst = ours / bare, statistics.median(times), times[-1]
    print("| what | measured | goal |\n|---|---:|---:|")
    print(f"| worker, processor time a network read ({reads} reads) | {ours:.2f} ms | |")
    print(f"| bare loop, processor time a network read | {bare:.2f} ms | |")
    print(f"| worker ÷ bare loop | {ratio:.1f} | ≤ {READ_RATIO} |")
    print(f"| Escape → shown as stopped, median of {len(times)} | {middle:.0f} ms | ≤ {STOP_MS} ms |")
    print(f"| the slowest of them | {worst:.0f} ms | ≤ {STOP_MS} ms |")
    print(f"| 64 KB of an answer that was stopped: the page in all | {whole:.0f} ms | |")
    print(f"| the longest task of it | {longest:.0f} ms | ≤ {TASK_MS} ms |")
    return int((ratio > READ_RATIO or worst > STOP_MS or longest > TASK_MS) and not SMOKE)


if __name__ == "__main__":
    sys.exit(main())
