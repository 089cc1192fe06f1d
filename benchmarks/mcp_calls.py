"""What MCP over HTTP adds to a direct call: alone, at a steady rate, and a hundred at once; and what ten thousand calls leave.

    python -m benchmarks.mcp_calls [CALLS]

The shelf has 20,000 made-up cards, and no question is asked twice but in the last lines. A hundred calls that come in the same
moment wait for each other whatever carries them, so the same hundred are also made directly, released at once and waiting in the
same queue. The client is as small as can be, so that it measures the server and not itself.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from statistics import median
from typing import Any

from askbook.builder.index.write import write
from askbook.core.parts import ToolCallPart
from askbook.core.schema import Book, Card, Section
from askbook.core.toolbox import Shelf
from askbook.core.tools import run
from askbook.terminal.shelf import read_shelf

CARDS = 20_000
AT_ONCE, RATE = 100, 60
TOOL = "book_retrieve"
VERSION = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}
HEADERS = {
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": VERSION,
    "Mcp-Method": "tools/call",
    "Mcp-Name": TOOL,
}


def main(arguments: Sequence[str]) -> None:
    """Print one line a measurement."""
    calls = int(arguments[0]) if arguments else 10_000
    with tempfile.TemporaryDirectory() as folder:
        vocabulary = words(20_000)
        write([book(vocabulary)], Path(folder))
        asked = questions(vocabulary)
        direct = measure_direct(folder, asked)
        print(f"{'direct, one after the other':<46} median {median(direct.alone) * 1000:6.1f} ms")
        print(f"{f'direct, {AT_ONCE} at once':<46} median {median(direct.queued) * 1000:6.1f} ms")
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-c", "from askbook.terminal.cli import main; main()"]
        arguments = ["mcp", folder, "--http", f"127.0.0.1:{port}"]
        server = subprocess.Popen([*command, *arguments], stderr=subprocess.DEVNULL)
        try:
            asyncio.run(measure_http(port, asked, server.pid, calls, direct))
        finally:
            server.terminate()
            server.wait()


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


def questions(vocabulary: list[str]) -> list[str]:
    """Questions of eight words, no two of them the same."""
    dice = random.Random(3)
    return [" ".join(dice.choices(vocabulary[:4000], k=8)) for _ in range(5 * AT_ONCE)]


@dataclass(frozen=True, slots=True)
class Direct:
    """Seconds of calls without any protocol."""

    alone: list[float]
    queued: list[float]
    """Of calls that were all released at once."""


def measure_direct(folder: str, asked: list[str]) -> Direct:
    """Make the calls one after the other; in a queue, each has waited for those before it."""
    shelf = Shelf(tuple(read_shelf(folder)))
    times = []
    for question in ["warm", *asked[:AT_ONCE]]:
        begun = time.perf_counter()
        run(ToolCallPart("", TOOL, {"question": question}), shelf)
        times.append(time.perf_counter() - begun)
    return Direct(times[1:], list(accumulate(times[1:])))


class Connection:
    """A connection to the server that is kept open."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
        self._reader, self._writer = reader, writer
        lines = [f"{name}: {value}" for name, value in (HEADERS | {"Host": f"127.0.0.1:{port}"}).items()]
        self._head = "\r\n".join(["POST /mcp HTTP/1.1", "Content-Type: application/json", *lines])

    async def ask(self, question: str, began: float | None = None) -> float:
        """Make a call; return how long it took, counted from when it should have begun."""
        body = json.dumps(message(question)).encode()
        began = time.perf_counter() if began is None else began
        self._writer.write(f"{self._head}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        head = await self._reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        answer = await self._reader.readexactly(int(head.lower().partition(b"content-length:")[2].split()[0]))
        took = time.perf_counter() - began
        assert "results" in json.loads(answer)["result"]["structuredContent"]
        return took

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


async def connections(port: int) -> list[Connection]:
    """As many as there are callers."""
    return [Connection(*await asyncio.open_connection("127.0.0.1", port), port) for _ in range(AT_ONCE)]


async def measure_http(port: int, asked: list[str], pid: int, calls: int, direct: Direct) -> None:
    """Print what the same calls take over HTTP."""
    await started(port)
    callers = await connections(port)
    sets = [asked[at : at + AT_ONCE] for at in range(0, len(asked), AT_ONCE)]
    before = processor(pid)
    alone = [await callers[0].ask(question) for question in sets[0]]
    spent = (processor(pid) - before) / AT_ONCE
    show("HTTP, one after the other", alone, direct.alone, f", {spent * 1000:.1f} ms of processor a call")
    steady = await paced(callers, [*sets[1], *sets[2], *sets[3]])
    show(f"HTTP, {AT_ONCE} connections, {RATE} calls a second", steady, direct.alone)
    together = await at_once(callers, sets[4])
    show(f"HTTP, {AT_ONCE} at once", together, direct.queued)
    show(f"HTTP, the same {AT_ONCE} again", await at_once(callers, sets[4]), direct.queued)
    sizes = [memory(pid)]
    for _ in range(4):
        for at in range(0, calls // 4, AT_ONCE):
            await at_once(callers, sets[at // AT_ONCE % len(sets)])
        sizes.append(memory(pid))
    print(f"memory over {calls:,} calls: " + " → ".join(f"{size:.1f}" for size in sizes) + " MB")
    for caller in callers:
        caller.close()


async def at_once(callers: list[Connection], asked: list[str]) -> list[float]:
    """Make a call on every connection in the same moment."""
    began = time.perf_counter()
    return await asyncio.gather(*(caller.ask(question, began) for caller, question in zip(callers, asked, strict=True)))


async def paced(callers: list[Connection], asked: list[str]) -> list[float]:
    """Make calls at a steady rate, each connection in its turn."""
    began = time.perf_counter()

    async def one(at: int, question: str) -> float:
        due = began + at / RATE
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        return await callers[at % AT_ONCE].ask(question, due)

    return await asyncio.gather(*(one(at, question) for at, question in enumerate(asked)))


def show(name: str, times: list[float], direct: list[float], note: str = "") -> None:
    """Print the middle of some times, and how far it is above that of direct calls."""
    over = median(times) - median(direct)
    print(f"{name:<46} median {median(times) * 1000:6.1f} ms, {over * 1000:+6.1f} ms over direct calls{note}")


def message(question: str) -> dict[str, Any]:
    """A call as it stands on the wire."""
    params = {"name": TOOL, "arguments": {"question": question}, "_meta": META}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


async def started(port: int) -> None:
    """Wait until the server listens."""
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return


def processor(pid: int) -> float:
    """Seconds of processor time a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def memory(pid: int) -> float:
    """Megabytes a process holds."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


if __name__ == "__main__":
    main(sys.argv[1:])
