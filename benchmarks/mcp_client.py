"""The client of `mcp_calls`: a process of its own that makes calls over HTTP and tells how long each took.

    python -m benchmarks.mcp_client PORT

Each line of standard input is a step as JSON: how to call (`alone`, `paced`, `at once`, `official`) and the questions. Each line
of standard output is what the calls took, in seconds. All but the official client is as small as can be, so that the server is
measured and not the client: requests are made before the clock runs, and answers are looked at after it has stopped.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from typing import Any, Final

TOOL: Final = "book_retrieve"
VERSION: Final = "2026-07-28"
META: Final = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}
HEADERS: Final = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
    "MCP-Protocol-Version": VERSION,
    "Mcp-Method": "tools/call",
    "Mcp-Name": TOOL,
}
CALLERS, RATE = 100, 60
"""Connections, and calls a second of the paced ones."""


class Connection(asyncio.Protocol):
    """A connection that is kept open; one call at a time."""

    def __init__(self) -> None:
        self._answer = bytearray()
        self._length = 0
        self._came: asyncio.Future[float] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what is written to."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Take a piece of an answer; stop the clock at its end."""
        self._answer += data
        if not self._length and (end := self._answer.find(b"\r\n\r\n")) >= 0:
            self._length = end + 4 + int(bytes(self._answer[:end]).lower().partition(b"content-length:")[2].split()[0])
        if self._length and len(self._answer) >= self._length and self._came:
            self._came.set_result(time.perf_counter())

    async def ask(self, request: bytes, began: float) -> float:
        """Make a call; return how long it took, counted from when it should have begun."""
        self._answer, self._length = bytearray(), 0
        self._came = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await self._came - began

    def check(self) -> None:
        """Fail if the last call did."""
        head, _, body = bytes(self._answer).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        assert "results" in json.loads(body)["result"]["structuredContent"], body


def message(question: str) -> dict[str, Any]:
    """A call as it stands on the wire."""
    params = {"name": TOOL, "arguments": {"question": question}, "_meta": META}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def request(question: str, port: int) -> bytes:
    """A call as HTTP."""
    body = json.dumps(message(question)).encode()
    lines = [f"{name}: {value}" for name, value in {**HEADERS, "Host": f"127.0.0.1:{port}", "Content-Length": len(body)}.items()]
    return "\r\n".join(["POST /mcp HTTP/1.1", *lines, "", ""]).encode() + body


async def alone(callers: Sequence[Connection], requests: Sequence[bytes]) -> list[float]:
    """One after the other."""
    return [await callers[0].ask(one, time.perf_counter()) for one in requests]


async def at_once(callers: Sequence[Connection], requests: Sequence[bytes]) -> list[float]:
    """A call on every connection in the same moment."""
    began = time.perf_counter()
    return await asyncio.gather(*(caller.ask(one, began) for caller, one in zip(callers, requests, strict=True)))


async def paced(callers: Sequence[Connection], requests: Sequence[bytes]) -> list[float]:
    """At a steady rate, each connection in its turn."""
    began = time.perf_counter()

    async def one(at: int, asked: bytes) -> float:
        due = began + at / RATE
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        return await callers[at % CALLERS].ask(asked, due)

    return await asyncio.gather(*(one(at, asked) for at, asked in enumerate(requests)))


WAYS: Final = {"alone": alone, "at once": at_once, "paced": paced}


async def official(port: int, questions: Sequence[str]) -> list[float]:
    """All in the same moment by the official client."""
    from mcp.client import Client

    async with Client(f"http://127.0.0.1:{port}/mcp") as client:
        await client.call_tool(TOOL, {"question": "warm"})
        began = time.perf_counter()

        async def one(question: str) -> float:
            result = await client.call_tool(TOOL, {"question": question})
            took = time.perf_counter() - began
            assert not result.is_error
            return took

        return await asyncio.gather(*map(one, questions))


async def serve(port: int) -> None:
    """Do the steps that are asked for, to the end of standard input."""
    loop = asyncio.get_running_loop()
    callers = [(await loop.create_connection(Connection, "127.0.0.1", port))[1] for _ in range(CALLERS)]
    while line := await asyncio.to_thread(sys.stdin.readline):
        way, questions = json.loads(line)
        if way == "official":
            times = await official(port, questions)
        else:
            times = await WAYS[way](callers, [request(question, port) for question in questions])
            for caller in callers[: 1 if way == "alone" else CALLERS]:
                caller.check()
        print(json.dumps(times), flush=True)
    for caller in callers:
        caller.transport.close()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
