"""What MCP over HTTP adds to a direct call: alone, at a steady rate, and a hundred at once; and what ten thousand calls leave.

    python -m benchmarks.mcp_calls [CALLS [WORKERS]]

The shelf has 20,000 made-up cards, and no question is asked twice but where it says so. The client is a process of its own, as
small as can be (`mcp_client.py`); the last line of the calls is the official one. A hundred calls that come in the same moment
wait for each other whatever carries them: the same number are made directly as well, released at once into one queue, in turns
with those over HTTP. WORKERS is the number of search processes, without it the server's own choice. Client, server and search
processes share the processors of this machine; with more of them a burst falls until the server's own share is what remains.
"""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import accumulate
from pathlib import Path
from statistics import median

from askbook.builder.index.write import write
from askbook.core.parts import ToolCallPart
from askbook.core.schema import Book, Card, Section
from askbook.core.toolbox import Shelf
from askbook.core.tools import run
from askbook.terminal.shelf import read_shelf

from .mcp_client import CALLERS, RATE, TOOL

CARDS = 20_000
ROUNDS = 7
ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str]) -> None:
    """Print one line a measurement."""
    calls = int(arguments[0]) if arguments else 10_000
    workers = ["--workers", arguments[1]] if len(arguments) > 1 else []
    with tempfile.TemporaryDirectory() as folder:
        vocabulary = words(20_000)
        write([book(vocabulary)], Path(folder))
        shelf = Shelf(tuple(read_shelf(folder)))
        ask_directly(shelf, ["warm"])
        asked = questions(vocabulary)
        print(f"{processors()} processors, load {os.getloadavg()[0]:.1f}")
        with server(folder, workers) as (pid, port), Client(port) as client:
            measure(shelf, client, pid, asked)
            grow(client, pid, asked, calls)


def measure(shelf: Shelf, client: Client, pid: int, asked: Iterator[list[str]]) -> None:
    """Print what calls take directly and over HTTP."""
    client.ask("at once", next(asked))
    direct = ask_directly(shelf, next(asked))
    show("direct, one after the other", direct)
    before = processor(pid)
    alone = client.ask("alone", next(asked))
    note = f", {(processor(pid) - before) / CALLERS * 1000:.1f} ms of processor a call"
    show("HTTP, one after the other", alone, direct, note)
    show(f"HTTP, {CALLERS} connections, {RATE} calls a second", client.ask("paced", [*next(asked), *next(asked)]), direct)
    queued, together = [], []
    for _ in range(ROUNDS):
        queued.append(median(accumulate(ask_directly(shelf, next(asked)))))
        together.append(median(client.ask("at once", last := next(asked))))
    show(f"direct, {CALLERS} at once in one queue", queued, direct, f", the middle one of {ROUNDS} rounds, as below")
    show(
        f"HTTP, {CALLERS} at once",
        together,
        direct,
        f", {spread(together)}, {median(together) / median(queued):.2f} of the direct queue",
    )
    show(f"HTTP, {CALLERS} at once, asked before", client.ask("at once", last), direct)
    show(f"HTTP, {CALLERS} at once, all the same", client.ask("at once", [next(asked)[0]] * CALLERS), direct)
    show(f"HTTP, {CALLERS} at once, official client", client.ask("official", next(asked)), direct)


def grow(client: Client, pid: int, asked: Iterator[list[str]], calls: int) -> None:
    """Print how much memory the server and its search processes hold after ever more calls."""
    sizes = [memory(pid)]
    for _ in range(4):
        for _ in range(calls // 4 // CALLERS):
            client.ask("at once", next(asked))
        sizes.append(memory(pid))
    print(f"memory over {calls:,} calls: " + " → ".join(f"{own:.1f} + {others:.1f}" for own, others in sizes) + " MB")


def ask_directly(shelf: Shelf, asked: Sequence[str]) -> list[float]:
    """Make calls without any protocol, one after the other; in a queue, each has waited for those before it."""
    times = []
    for question in asked:
        begun = time.perf_counter()
        run(ToolCallPart("", TOOL, {"question": question}), shelf)
        times.append(time.perf_counter() - begun)
    return times


def words(count: int) -> list[str]:
    """Made-up words, the same every time."""
    dice = random.Random(1)
    return ["".join(dice.choice("bcdfglmnprst") + dice.choice("aeiou") for _ in range(dice.randint(2, 4))) for _ in range(count)]


def book(vocabulary: list[str]) -> Book:
    """A book of 200 chapters with 100 cards each."""
    dice = random.Random(2)
    weights = [1 / (place + 20) for place in range(len(vocabulary))]
    cards, sections = [], []
    for number in range(CARDS):
        chapter, place = divmod(number, 100)
        title = f"Theorem {chapter + 1}.{place + 1}" if place % 3 == 0 else " ".join(dice.choices(vocabulary, k=3))
        text = " ".join(dice.choices(vocabulary, weights, k=60))
        cards.append(Card(f"{chapter}/{place}", "theorem" if place % 3 == 0 else "section", title, f"c{chapter}/#a{place}", text))
        if not place:
            sections.append(Section(f"Chapter {chapter + 1}", f"c{chapter}/", 0, number, number + 100, str(chapter + 1)))
    return Book(
        "books", "large", "A large book", "en", tuple(cards), tuple(sections), tuple(f"c{n}/" for n in range(CARDS // 100))
    )


def questions(vocabulary: list[str]) -> Iterator[list[str]]:
    """Questions of eight words by the hundred, no two of them the same."""
    dice = random.Random(3)
    while True:
        yield [" ".join(dice.choices(vocabulary[:4000], k=8)) for _ in range(CALLERS)]


class Client:
    """The client's process, told what to call."""

    def __init__(self, port: int) -> None:
        command = [sys.executable, "-m", "benchmarks.mcp_client", str(port)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def ask(self, way: str, asked: Sequence[str]) -> list[float]:
        """Make the calls in one of the client's ways; return what they took."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([way, list(asked)]), file=self._process.stdin, flush=True)
        times: list[float] = json.loads(self._process.stdout.readline())
        return times


@contextmanager
def server(folder: str, options: Sequence[str]) -> Iterator[tuple[int, int]]:
    """A server with its search processes up: its own number and that of its port."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", "from askbook.terminal.cli import main; main()"]
    process = subprocess.Popen(
        [*command, "mcp", folder, "--http", f"127.0.0.1:{port}", *options], stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        while "serving" not in (line := process.stderr.readline()):
            assert line, "the server did not start"
        time.sleep(3)
        yield process.pid, port
    finally:
        process.terminate()
        process.wait()


def processors() -> int:
    """How many there are for us."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def show(name: str, times: Sequence[float], direct: Sequence[float] = (), note: str = "") -> None:
    """Print the middle of some times, and how far it is above that of a direct call."""
    over = f", {(median(times) - median(direct)) * 1000:+6.1f} ms over a direct call" if direct else ""
    print(f"{name:<46} median {median(times) * 1000:6.1f} ms{over}{note}", flush=True)


def spread(times: Sequence[float]) -> str:
    """The least and the most of some times."""
    return f"{min(times) * 1000:.0f} to {max(times) * 1000:.0f}"


def processor(pid: int) -> float:
    """Seconds of processor time a process and its search processes have used."""
    used = 0
    for one in (pid, *children(pid)):
        fields = Path(f"/proc/{one}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        used += int(fields[11]) + int(fields[12])
    return used / 100


def memory(pid: int) -> tuple[float, float]:
    """Megabytes a process holds, and all its search processes."""
    return held(pid), sum(map(held, children(pid)))


def children(pid: int) -> list[int]:
    """Processes that a process has started."""
    return [int(child) for path in Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text("ascii").split()]


def held(pid: int) -> float:
    """Megabytes in memory that are a process's own."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


if __name__ == "__main__":
    main(sys.argv[1:])
