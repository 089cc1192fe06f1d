"""What MCP over HTTP adds to a direct call: one after the other, a hundred at once, and what ten thousand calls leave in memory.

    python -m benchmarks.mcp_calls [CALLS]

The shelf has 20,000 made-up cards. On a machine with few cores a hundred calls at once wait for each other whatever carries them,
so the same hundred are made directly, one after the other, for comparison; times of the server are processor time.
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
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from askbook.builder.index.write import write
from askbook.core.parts import ToolCallPart
from askbook.core.schema import Book, Card, Section
from askbook.core.toolbox import Shelf
from askbook.core.tools import run
from askbook.terminal.shelf import read_shelf

CARDS = 20_000
AT_ONCE = 100
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
        direct, spent = measure_direct(folder, asked)
        print(f"direct call                     median {direct * 1000:7.1f} ms, {spent * 1000:.1f} ms of processor")
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-c", "from askbook.terminal.cli import main; main()"]
        arguments = ["mcp", folder, "--http", f"127.0.0.1:{port}"]
        server = subprocess.Popen([*command, *arguments], stderr=subprocess.DEVNULL)
        try:
            asyncio.run(measure_http(f"http://127.0.0.1:{port}/mcp", asked, server.pid, calls, direct))
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
    """A hundred questions of eight words."""
    dice = random.Random(3)
    return [" ".join(dice.choices(vocabulary[:4000], k=8)) for _ in range(AT_ONCE)]


def measure_direct(folder: str, asked: list[str]) -> tuple[float, float]:
    """Seconds of a call without any protocol, by the clock and of the processor."""
    shelf = Shelf(tuple(read_shelf(folder)))
    times, spent = [], []
    for question in ["warm", *asked]:
        begun, before = time.perf_counter(), time.process_time()
        run(ToolCallPart("", TOOL, {"question": question}), shelf)
        times.append(time.perf_counter() - begun)
        spent.append(time.process_time() - before)
    return median(times[1:]), sum(spent[1:]) / len(asked)


async def measure_http(url: str, asked: list[str], pid: int, calls: int, direct: float) -> None:
    """Print what the same calls take over HTTP."""
    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=AT_ONCE), timeout=120) as client:

        async def ask(question: str) -> float:
            begun = time.perf_counter()
            answer = await client.post(url, json=message(question), headers=HEADERS)
            assert answer.status_code == 200, answer.text
            assert "results" in json.loads(answer.json()["result"]["content"][0]["text"])
            return time.perf_counter() - begun

        await started(client, url)
        await ask("warm")
        before = processor(pid)
        alone = [await ask(question) for question in asked]
        spent = (processor(pid) - before) / len(asked)
        print(f"over HTTP, one after the other  median {median(alone) * 1000:7.1f} ms, server {spent * 1000:.1f} ms of processor")
        begun = time.perf_counter()
        together = await asyncio.gather(*(ask(question) for question in asked))
        wall = time.perf_counter() - begun
        each = wall / AT_ONCE
        print(f"over HTTP, {AT_ONCE} at once          median {median(together) * 1000:7.1f} ms, all in {wall * 1000:.0f} ms:")
        print(f"                                {each * 1000:.1f} ms a call, {(each - direct) * 1000:+.1f} ms over a direct call")
        sizes = [memory(pid)]
        for _ in range(4):
            for place in range(0, calls // 4, AT_ONCE):
                await asyncio.gather(*(ask(question) for question in asked[: min(AT_ONCE, calls // 4 - place)]))
            sizes.append(memory(pid))
        print(f"memory over {calls:,} calls        " + " → ".join(f"{size:.1f}" for size in sizes) + " MB")


def message(question: str) -> dict[str, Any]:
    """A call as it stands on the wire."""
    params = {"name": TOOL, "arguments": {"question": question}, "_meta": META}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


async def started(client: httpx.AsyncClient, url: str) -> None:
    """Wait until the server listens."""
    for _ in range(600):
        try:
            await client.get(url)
        except httpx.TransportError:
            await asyncio.sleep(0.1)
        else:
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
