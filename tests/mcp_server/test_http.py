"""Streamable HTTP: who is let in, and what a real client gets."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from askbook.mcp_server.http import Address, http_app
from askbook.mcp_server.live import LiveShelf
from askbook.mcp_server.server import BookServer
from askbook.terminal.shelf import read_shelf

pytestmark = pytest.mark.anyio

LOOPBACK = Address(port=8765)
VERSION = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}


@asynccontextmanager
async def caller(folder: Path, address: Address) -> AsyncIterator[httpx.AsyncClient]:
    server = BookServer(LiveShelf(lambda: read_shelf(str(folder)), lambda: 0)).server()
    app = http_app(server, address)
    transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
    async with (
        server.session_manager.run(),
        httpx.AsyncClient(transport=transport, base_url=f"http://{address.host}:{address.port}") as client,
    ):
        yield client


def request(name: str = "list_books", arguments: dict[str, Any] | None = None, **headers: str) -> dict[str, Any]:
    """A call as it stands on the wire."""
    params = {"name": name, "arguments": arguments or {}, "_meta": META}
    return {
        "json": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
        "headers": {
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": VERSION,
            "Mcp-Method": "tools/call",
            "Mcp-Name": name,
            **headers,
        },
    }


async def status(folder: Path, address: Address = LOOPBACK, **headers: str) -> int:
    async with caller(folder, address) as client:
        return (await client.post("/mcp", **request(**headers))).status_code


async def test_a_call_is_answered(shelf_folder: Path) -> None:
    async with caller(shelf_folder, LOOPBACK) as client:
        answer = await client.post("/mcp", **request())
    assert [book["title"] for book in answer.json()["result"]["structuredContent"]["books"]] == ["数学分析", "Topology"]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1:8765", 200),
        ("localhost:8765", 200),
        ("[::1]:8765", 200),
        ("evil.example", 421),
        ("evil.example:8765", 421),
        ("127.0.0.1.evil.example:8765", 421),
        ("localhost:9999", 421),
    ],
)
async def test_only_names_of_this_machine_are_answered(shelf_folder: Path, host: str, expected: int) -> None:
    assert await status(shelf_folder, Host=host) == expected


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http://127.0.0.1:8765", 200),
        ("http://localhost:8765", 200),
        ("https://evil.example", 403),
        ("http://localhost:3000", 403),
        ("http://localhost:8765.evil.example", 403),
        ("null", 403),
    ],
)
async def test_pages_of_other_origins_are_refused(shelf_folder: Path, origin: str, expected: int) -> None:
    assert await status(shelf_folder, Origin=origin) == expected


async def test_a_page_that_was_listed_may_call(shelf_folder: Path) -> None:
    address = Address(port=8765, origins=("https://book.example",))
    async with caller(shelf_folder, address) as client:
        asked = await client.options(
            "/mcp",
            headers={
                "Origin": "https://book.example",
                "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "mcp-protocol-version",
            },
        )
        called = await client.post("/mcp", **request(Origin="https://book.example"))
    assert (asked.status_code, asked.headers["access-control-allow-origin"], called.status_code) == (
        200,
        "https://book.example",
        200,
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [("Bearer right", 200), ("bearer right", 200), ("Bearer wrong", 401), ("Basic right", 401), ("", 401), ("Bearer", 401)],
)
async def test_a_token_is_asked_for_where_there_is_one(shelf_folder: Path, given: str, expected: int) -> None:
    assert await status(shelf_folder, Address(port=8765, token="right"), Authorization=given) == expected


async def test_a_refusal_names_the_scheme_and_not_the_token(shelf_folder: Path) -> None:
    async with caller(shelf_folder, Address(port=8765, token="right")) as client:
        answer = await client.post("/mcp", **request())
    assert (answer.headers["www-authenticate"], answer.json()) == (
        'Bearer realm="askbook"',
        {"error": "a bearer token is needed"},
    )


async def test_what_is_no_request_gets_the_errors_of_the_protocol(shelf_folder: Path) -> None:
    headers = request()["headers"] | {"Content-Type": "application/json"}
    async with caller(shelf_folder, LOOPBACK) as client:
        answers = [await client.post("/mcp", content=body, headers=headers) for body in ("{", "[]", '{"id": 1}')]
        got = await client.get("/mcp", headers=headers)
        large = await client.post("/mcp", content=json.dumps({"x": "y" * 1_100_000}), headers=headers)
    assert [answer.json()["error"]["code"] for answer in answers] == [-32700, -32600, -32600]
    assert (got.status_code, large.status_code) == (405, 413)


def test_loopback_is_told_from_the_open_network() -> None:
    hosts = ("127.0.0.1", "localhost", "::1", "127.8.8.8", "0.0.0.0", "192.168.1.2", "book.example")
    assert [Address(host).is_loopback for host in hosts] == [True, True, True, True, False, False, False]
