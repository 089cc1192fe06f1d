"""How many deltas a second the core reads: bytes to events, deltas and parts, beside a loop that only parses the JSON.

Run by `make bench`, or alone: `python benchmarks/stream.py [--json]`. Runs in Pyodide too, where it takes no arguments.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import perf_counter

from askbook.core.profiles import OPENAI
from askbook.core.reply import Reply

GOAL = 3_000
"""Deltas a second in CPython; 1,000 in Pyodide."""
WORDS = ["The ", "heap ", "keeps ", "`n` ", "elements, ", "堆", "是", "$O(n)$ ", "so ", "[1]. ", "\n"]
RUNS = 3


def stream(deltas: int) -> list[bytes]:
    """An answer as the slices of a stream."""

    def event(delta: dict[str, str], finish: str | None = None) -> bytes:
        choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
        body = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices}
        return f"data: {json.dumps(body, ensure_ascii=False)}\n\n".encode()

    return [*(event({"content": WORDS[at % len(WORDS)]}) for at in range(deltas)), event({}, "stop"), b"data: [DONE]\n\n"]


def ours(slices: list[bytes]) -> None:
    """Read a stream as an exchange does."""
    reply = Reply(OPENAI, tools=("book_retrieve",))
    for slice_ in slices:
        reply.feed(slice_)
    reply.end()


def plain(slices: list[bytes]) -> None:
    """The least anybody could do: split the lines, parse the JSON, add up the text."""
    text = []
    for slice_ in slices:
        for line in slice_.decode().split("\n"):
            if line.startswith("data: {"):
                text.append(json.loads(line[6:])["choices"][0]["delta"].get("content", ""))
    "".join(text)


def best(read: Callable[[list[bytes]], None], slices: list[bytes]) -> float:
    """Seconds of the best of some runs."""
    times = []
    for _ in range(RUNS):
        began = perf_counter()
        read(slices)
        times.append(perf_counter() - began)
    return min(times)


def measure() -> dict[str, float]:
    """Deltas a second, the ratio to a plain loop, and how cost per delta grows from 4,000 to 64,000 deltas."""
    small, large = stream(4_000), stream(64_000)
    short, long_ = best(ours, small), best(ours, large)
    return {
        "deltas_per_second": round(64_000 / long_),
        "plain_loop_ratio": round(long_ / best(plain, large), 2),
        "growth": round((long_ / 64_000) / (short / 4_000), 2),
    }


def main() -> None:
    """Print the figures."""
    figures = measure()
    if "--json" in sys.argv:
        print(json.dumps(figures))
        return
    print(f"{figures['deltas_per_second']:,} deltas a second (goal {GOAL:,})")
    print(f"{figures['plain_loop_ratio']} × a loop that only parses the JSON")
    print(f"cost per delta at 64,000 deltas: {figures['growth']} × that at 4,000")


if __name__ == "__main__":
    main()
