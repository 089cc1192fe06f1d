"""The short way of a tool call: the bytes the SDK would send, and the SDK wherever a request is out of the ordinary."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from askbook.mcp_server.express import CLIENTS
from askbook.mcp_server.http import Address, http_app
from askbook.mcp_server.live import LiveShelf
from askbook.mcp_server.server import BookServer
from askbook.terminal.shelf import read_shelf
from tests.conformance.calls import CALLS

pytestmark = pytest.mark.anyio

ADDRESS = Address(port=8765, origins=("https://book.example",))
VERSION = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}
QUESTION = {"question": "open"}


class Callers:
    """A client of a server with the short way, another of one without, and what went the short way."""

    def __init__(self, short: httpx.AsyncClient, long: httpx.AsyncClient, taken: list[str]) -> None:
        self.short, self.long, self.taken = short, long, taken

    async def both(self, request: Mapping[str, Any]) -> tuple[httpx.Response, httpx.Response]:
        return await self.short.post("/mcp", **request), await self.long.post("/mcp", **request)


@asynccontextmanager
async def callers(folder: Path) -> AsyncIterator[Callers]:
    first, second = (BookServer(LiveShelf(lambda: read_shelf(str(folder)), lambda: 0)) for _ in range(2))
    servers = first.server(), second.server()
    taken: list[str] = []

    async def call(name: str, arguments: Mapping[str, Any]) -> bytes | None:
        taken.append(name)
        return await first.call_book_tool(name, arguments)

    apps = http_app(servers[0], ADDRESS, call), http_app(servers[1], ADDRESS)
    transports = [httpx.ASGITransport(app=app) for app in apps]  # type: ignore[arg-type]
    base = "http://127.0.0.1:8765"
    async with (
        servers[0].session_manager.run(),
        servers[1].session_manager.run(),
        httpx.AsyncClient(transport=transports[0], base_url=base) as short,
        httpx.AsyncClient(transport=transports[1], base_url=base) as long,
    ):
        yield Callers(short, long, taken)


def request(
    name: str = "book_retrieve", arguments: Any = QUESTION, *, meta: Any = META, id_: Any = 1, **headers: str
) -> dict[str, Any]:
    """A call as it stands on the wire."""
    message = {
        "jsonrpc": "2.0",
        "id": id_,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments, "_meta": meta},
    }
    return {
        "content": json.dumps(message),
        "headers": {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "MCP-Protocol-Version": VERSION,
            "Mcp-Method": "tools/call",
            "Mcp-Name": name,
            **headers,
        },
    }


def said(answer: httpx.Response) -> tuple[int, dict[str, str], bytes]:
    """All of an answer but the number of a session, which is a random one."""
    return answer.status_code, {name: value for name, value in answer.headers.items() if name != "mcp-session-id"}, answer.content


async def test_every_call_gets_the_bytes_of_the_sdk(shelf_folder: Path) -> None:
    async with callers(shelf_folder) as clients:
        answers = [await clients.both(request(*call)) for call in CALLS]
    assert [said(short) for short, _ in answers] == [said(long) for _, long in answers]
    assert clients.taken == [name for name, _ in CALLS]


ODD_ARGUMENTS = [
    {"question": "\ud800"}, {"question": "x", "topK": float("nan")}, {"question": "x\0y"}, {"question": "漢" * 500},
    {"question": None}, {"question": "x", "topK": 10**30}, {"question": "x", "é": {"a": [1, 2.5, True]}},
]  # fmt: skip


@pytest.mark.parametrize("arguments", ODD_ARGUMENTS, ids=repr)
async def test_odd_arguments_get_the_bytes_of_the_sdk(shelf_folder: Path, arguments: dict[str, Any]) -> None:
    async with callers(shelf_folder) as clients:
        short, long = await clients.both(request(arguments=arguments))
    assert (said(short), clients.taken) == (said(long), ["book_retrieve"])
    assert short.json()["result"]["isError"] == ("error" in short.json()["result"]["structuredContent"])


@pytest.mark.parametrize("id_", [0, -7, 2**52, "a", "", 'q"\\'])
async def test_the_number_of_a_call_comes_back(shelf_folder: Path, id_: int | str) -> None:
    async with callers(shelf_folder) as clients:
        short, long = await clients.both(request(id_=id_))
    assert (said(short), short.json()["id"], len(clients.taken)) == (said(long), id_, 1)


async def test_a_client_may_say_who_it_is_and_pages_that_are_listed_may_call(shelf_folder: Path) -> None:
    meta = {**META, "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}}
    async with callers(shelf_folder) as clients:
        answers = [
            await clients.both(request(meta=meta, Origin=origin)) for origin in ("https://book.example", "http://localhost:8765")
        ]
    assert [said(short) for short, _ in answers] == [said(long) for _, long in answers]
    assert len(clients.taken) == 2


PLAIN = request()
OUT_OF_THE_ORDINARY: dict[str, dict[str, Any]] = {
    "no JSON": {**PLAIN, "content": "{"},
    "a batch": {**PLAIN, "content": f"[{PLAIN['content']}]"},
    "too deep": {**PLAIN, "content": "[" * 100_000},
    "too long": {**PLAIN, "content": PLAIN["content"] + " " * 1_100_000},
    "not UTF-8": {**PLAIN, "content": PLAIN["content"].encode().replace(b"open", b"\xff\xfe\xff")},
    "a notification": {**PLAIN, "content": PLAIN["content"].replace('"id": 1, ', "")},
    "one key more": {**PLAIN, "content": PLAIN["content"].replace('"id": 1', '"id": 1, "x": 1')},
    "another version of JSON-RPC": {**PLAIN, "content": PLAIN["content"].replace('"2.0"', '"1.0"')},
    "a fraction for a number": request(id_=1.5),
    "a truth for a number": request(id_=True),
    "nothing for a number": request(id_=None),
    "a number past all": request(id_=10**40),
    "arguments that are a list": request(arguments=[1]),
    "arguments that are nothing": request(arguments=None),
    "another name in the header": request(**{"Mcp-Name": "book_chunk"}),
    "a tool there is not": request("rm"),
    "another method in the header": request(**{"Mcp-Method": "tools/list"}),
    "another host": request(Host="evil.example"),
    "another origin": request(Origin="https://evil.example"),
    "another type": request(**{"Content-Type": "text/plain"}),
    "a type with a charset": request(**{"Content-Type": "application/json; charset=utf-8"}),
    "no event streams": request(Accept="application/json"),
    "no way of answering": request(Accept="text/html"),
    "a header for an argument": request(**{"Mcp-Param-X": "1"}),
    "a newer protocol": request(**{"MCP-Protocol-Version": "2099-01-01"}),
    "an older protocol": request(**{"MCP-Protocol-Version": "2025-06-18"}),
    "a newer protocol in the call": request(meta={**META, "io.modelcontextprotocol/protocolVersion": "2099-01-01"}),
    "no capabilities": request(meta={"io.modelcontextprotocol/protocolVersion": VERSION}),
    "capabilities that are none": request(meta={**META, "io.modelcontextprotocol/clientCapabilities": 1}),
    "a client without a version": request(meta={**META, "io.modelcontextprotocol/clientInfo": {"name": "x"}}),
    "progress": request(meta={**META, "progressToken": 1}),
}


@pytest.mark.parametrize("kind", OUT_OF_THE_ORDINARY)
async def test_what_is_out_of_the_ordinary_is_the_sdks(shelf_folder: Path, kind: str) -> None:
    async with callers(shelf_folder) as clients:
        short, long = await clients.both(OUT_OF_THE_ORDINARY[kind])
    assert said(short) == said(long)
    assert clients.taken == ([] if kind != "a tool there is not" else ["rm"])


async def test_a_header_that_comes_twice_is_the_sdks(shelf_folder: Path) -> None:
    asked = request()
    asked["headers"] = [*asked["headers"].items(), ("Mcp-Name", "book_retrieve")]
    async with callers(shelf_folder) as clients:
        short, long = await clients.both(asked)
    assert (said(short), short.status_code, clients.taken) == (said(long), 400, [])


async def test_only_so_many_clients_are_remembered(shelf_folder: Path) -> None:
    metas = [{**META, "io.modelcontextprotocol/clientInfo": {"name": f"c{n}", "version": "1"}} for n in range(CLIENTS + 3)]
    async with callers(shelf_folder) as clients:
        codes = [(await clients.short.post("/mcp", **request(meta=meta))).status_code for meta in metas]
    assert (set(codes), len(clients.taken)) == ({200}, CLIENTS)
