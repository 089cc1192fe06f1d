"""From nothing to the first search in the reader's browser: bare Pyodide beside our two tiers, cold and warm.

All start in a module worker of the same Chromium, in turns: Pyodide as its package has it, with our code as a zip of sources,
imported; tier A, the pruned and compiled runtime; tier B, the memory snapshot made in the browser. Wall time is the worker's
own, from its start to the first search; CPU time is that of the worker's thread, from `/proc`. Goals: CPU of A at most 0.40, of B
at most 0.25 of bare Pyodide's; wall at most 0.45 and 0.30 on an idle machine, and never above 0.60 in the slowest run.
`ASKBOOK_SMOKE=1` runs each once, and judges nothing.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page

from askbook.site_plugin.project import build_project
from askbook.terminal.demo import example_book

from .stage import chromium, served

ROOT = Path(__file__).parents[1]
RUNS = 1 if os.environ.get("ASKBOOK_SMOKE") else 10
CPU_GOALS = {"tier A": 0.40, "tier B": 0.25}
WALL_GOALS = {"tier A": 0.45, "tier B": 0.30}
WORST_GOAL = 0.60
COLUMNS = (
    "| start | wall, ms | slowest | processor, ms | processor ÷ bare | wall ÷ bare | slowest ÷ bare "
    + "| goals: processor | wall | slowest |"
)
INDEX = "ai-index/books-ranking-en.json"
PACKAGES = ("markdown_it", "mdit_py_plugins", "mdurl")

BARE = """import { loadPyodide } from "./pyodide.mjs"
addEventListener("message", async ({ data }) => {
  const began = performance.now()
  const pyodide = await loadPyodide()
  const [code, index] = await Promise.all(["sources.zip", data.index].map(async (url) => (await fetch(url)).arrayBuffer()))
  pyodide.unpackArchive(code, "zip", { extractDir: "/code" })
  pyodide.pyimport("sys").path.append("/code")
  pyodide.pyimport("askbook.core.exchange")
  pyodide.pyimport("askbook.core.render").render_answer.callKwargs("a $x$ [1]", { site: "https://example.org/", sources: 1 })
  const book = pyodide.pyimport("askbook.core.index").load(pyodide.pyimport("builtins").bytes(new Uint8Array(index)))
  pyodide.pyimport("askbook.core.search").search(pyodide.toPy([book]), "inverted index")
  postMessage({ kind: "searched", milliseconds: performance.now() - began })
})
"""

MEASURE = """async ({ script, start, call }) => {
  const worker = new Worker(script, { type: "module" })
  globalThis.held = worker
  const began = performance.now()
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message))
    worker.onmessage = ({ data }) => {
      if (data.kind === "failed") reject(new Error(data.detail))
      if (data.kind === "ready" && call) worker.postMessage(call)
      if (data.kind === "searched" || data.kind === "reply") resolve(performance.now() - began)
    }
    worker.postMessage(start)
  })
}"""

SNAPSHOT = """({ script, runtime }) => new Promise((resolve) => {
  const worker = new Worker(script, { type: "module" })
  worker.onmessage = ({ data }) => resolve(data.outcome)
  worker.postMessage({ runtime })
})"""


@dataclass(frozen=True, slots=True)
class Time:
    """Of one start, in milliseconds."""

    wall: float
    cpu: float


def prepare(site: Path) -> None:
    """Build the example book, and put bare Pyodide beside it."""
    build_project(example_book(), site=site, address="https://example.org/books/ranking/", options={})
    bare = site / "bare"
    shutil.copytree(ROOT / "node_modules/pyodide", bare, ignore=shutil.ignore_patterns("*.map", "*.html", "*.md", "*.d.ts"))
    (bare / "worker.js").write_text(BARE, encoding="utf-8")
    with zipfile.ZipFile(bare / "sources.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted((ROOT / "client/py").rglob("*.py")):
            packed.write(path, f"askbook/core/{path.relative_to(ROOT / 'client/py')}")
        for package in PACKAGES:
            spec = find_spec(package)
            assert spec is not None
            assert spec.submodule_search_locations is not None
            folder = Path(spec.submodule_search_locations[0])
            for path in sorted(folder.rglob("*.py")):
                packed.write(path, f"{package}/{path.relative_to(folder)}")


def worker_seconds() -> dict[str, float]:
    """CPU seconds so far of every worker thread below this process; other browsers of the machine do not count."""
    parents, threads = {}, {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parents[process.name] = (process / "stat").read_text().rpartition(")")[2].split()[1]
            for task in process.glob("task/*"):
                if (task / "comm").read_text().startswith("DedicatedWorker"):
                    fields = (task / "stat").read_text().rpartition(")")[2].split()
                    threads[task.name] = (process.name, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
        except OSError:
            continue
    return {name: seconds for name, (process, seconds) in threads.items() if below(process, str(os.getpid()), parents)}


def below(process: str, top: str, parents: dict[str, str]) -> bool:
    """Whether a process descends from another."""
    while process in parents and process != top:
        process = parents[process]
    return process == top


def start(page: Page, root: str, tier: str) -> Time:
    """Start one worker and search once."""
    page.goto(root + "en/")
    script = root + ("bare/worker.js" if tier == "bare" else "assets/askbook/worker/worker.js")
    call = {"kind": "call", "id": "1", "name": "search", "argument": '{"question": "inverted index"}'}
    ours = {
        "kind": "start", "runtime": root + "assets/askbook/vendor/", "site": root, "snapshot": tier == "tier B",
        "books": [{"name": "books-ranking-en", "url": root + INDEX}],
    }  # fmt: skip
    before = worker_seconds()
    given = (
        {"script": script, "start": {"index": root + INDEX}}
        if tier == "bare"
        else {"script": script, "start": ours, "call": call}
    )
    wall = page.evaluate(MEASURE, given)
    return Time(wall, sum(seconds for thread, seconds in worker_seconds().items() if thread not in before) * 1000)


def measure(browser: Browser, root: str) -> Iterator[tuple[str, str, Time]]:
    """Yield tier, temperature and time of every start, in turns."""
    for _ in range(RUNS):
        for tier in ("bare", "tier A"):
            context = browser.new_context()
            yield tier, "cold", start(context.new_page(), root, tier)
            context.close()
    context = browser.new_context()
    page = context.new_page()
    page.goto(root + "en/")
    for tier in ("bare", "tier A"):
        start(page, root, tier)
    client = root + "assets/askbook/"
    made = page.evaluate(SNAPSHOT, {"script": f"{client}worker/snapshot.js", "runtime": f"{client}vendor/"})
    print(f"snapshot: {made}", file=sys.stderr)
    for _ in range(RUNS):
        for tier in ("bare", "tier A", "tier B"):
            yield tier, "warm", start(page, root, tier)
    context.close()


def row(name: str, times: list[Time], bare: list[Time]) -> tuple[str, bool]:
    """A row of the table, and whether a goal is missed."""
    wall, cpu = statistics.median(time.wall for time in times), statistics.median(time.cpu for time in times)
    bare_wall, bare_cpu = statistics.median(time.wall for time in bare), statistics.median(time.cpu for time in bare)
    worst = max(time.wall for time in times)
    tier = name.partition(" ")[2]
    cpu_goal, wall_goal = CPU_GOALS.get(tier), WALL_GOALS.get(tier)
    goals = f"{cpu_goal:.2f} | {wall_goal:.2f} | {WORST_GOAL:.2f}" if cpu_goal and wall_goal else " | | "
    shown = (
        f"| {name} | {wall:,.0f} | {worst:,.0f} | {cpu:,.0f} | {cpu / bare_cpu:.2f} | {wall / bare_wall:.2f} | "
        f"{worst / bare_wall:.2f} | {goals} |"
    )
    missed = cpu_goal is not None and cpu / bare_cpu > cpu_goal
    missed |= wall_goal is not None and (wall / bare_wall > wall_goal or worst / bare_wall > WORST_GOAL)
    return shown, missed


def main() -> int:
    """Print the medians; 1 when a goal is missed."""
    times: dict[tuple[str, str], list[Time]] = {}
    with TemporaryDirectory() as folder, chromium() as browser:
        prepare(Path(folder))
        with served(Path(folder)) as root:
            for tier, temperature, time in measure(browser, root):
                times.setdefault((temperature, tier), []).append(time)
    print(COLUMNS)
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    missed = False
    for (temperature, tier), found in times.items():
        shown, fails = row(f"{temperature} {tier}", found, times[temperature, "bare"])
        print(shown)
        missed |= fails and RUNS > 1
    print(f"\nMedians and the slowest of {RUNS}; taken in turns.")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
