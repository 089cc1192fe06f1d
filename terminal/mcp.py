"""`askbook mcp`: the book tools for agents, over standard input and output or HTTP."""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import click
import httpx

from askbook.core.errors import BookError

from .shelf import FOLDER, MANIFEST, SECONDS, is_address, read_shelf

if TYPE_CHECKING:
    from askbook.mcp_server.http import Address
    from askbook.mcp_server.live import LiveShelf
    from askbook.mcp_server.server import Python

CLIENTS = ("claude", "cursor", "vscode")
SITE_SECONDS = 60.0
"""How often a site is asked whether its books have changed."""
MISSING = "the MCP server needs the extra packages of askbook[mcp]: pip install 'askbook[mcp]'"


@click.command(name="mcp")
@click.argument("index")
@click.option(
    "--http", "http", metavar="HOST:PORT", help="Serve streamable HTTP at http://HOST:PORT/mcp instead of standard input."
)
@click.option("--python", "python", is_flag=True, help="Offer python_exec: a model's Python in a sandbox.")
@click.option("--config", type=click.Choice(CLIENTS), help="Print what to paste into this client's settings, and stop.")
@click.option(
    "--token", envvar="ASKBOOK_MCP_TOKEN", default="", help="Ask HTTP clients for this bearer token.  [env: ASKBOOK_MCP_TOKEN]"
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="HOST[:PORT]",
    help="Accept this name in Host besides loopback; may be repeated.",
)
@click.option(
    "--allow-origin", "origins", multiple=True, metavar="ORIGIN", help="Let pages of this origin call; may be repeated."
)
@click.option(
    "--workers",
    type=click.IntRange(0, 64),
    metavar="N",
    help="Search in N processes beside the server, 0 for none. Over HTTP one a processor, for large shelves; else none.",
)
def command(
    index: str,
    http: str | None,
    python: bool,
    config: str | None,
    token: str,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    workers: int | None,
) -> None:
    """Serve the books at INDEX (a file, a folder of indexes or a site's address) to agents over MCP."""
    if config:
        click.echo(snippet(config, index, http=http, python=python, token=bool(token)))
        return
    try:
        import mcp  # noqa: F401
    except ImportError:
        raise click.ClickException(MISSING) from None
    from askbook.mcp_server.http import Address, serve
    from askbook.mcp_server.server import BookServer
    from askbook.mcp_server.workers import sensible

    logging.basicConfig(level=logging.ERROR, stream=sys.stderr, format="askbook mcp: %(message)s")
    logging.getLogger("askbook.mcp").setLevel(logging.WARNING)
    live = open_shelf(index)
    if workers is None:
        workers = sensible(sum(map(len, live.shelf.indexes))) if http else 0
    books = BookServer(live, find_python(python), workers=workers)
    server = books.server()
    _greet(live)
    if http is None:
        from askbook.mcp_server.stdio import serve_stdio

        serve_stdio(server)
        return
    host, port = host_and_port(http)
    address = Address(host, port, token=token, hosts=hosts, origins=origins)
    _announce(address, workers)
    serve(server, address, books.call_book_tool)


def open_shelf(index: str) -> LiveShelf:
    """Read the books; what is missing or broken is named and ends the command."""
    from askbook.mcp_server.live import LiveShelf

    try:
        live = LiveShelf(lambda: read_shelf(index), stamp_of(index))
    except (BookError, OSError) as wrong:
        raise click.ClickException(str(wrong)) from None
    if not live.shelf:
        raise click.ClickException(f"{index!r} holds no book: make one with build-ai-index SOURCE --out {index}")
    return live


def stamp_of(index: str) -> Callable[[], object]:
    """What tells whether the books at a place have changed: sizes and times of files, or the manifest of a site."""
    if is_address(index):
        return _site_stamp(index)
    path = Path(index)

    def stamp() -> object:
        folders = [path.parent] if path.is_file() else [folder for folder in (path, path / FOLDER) if folder.is_dir()]
        entries = (entry for folder in folders for entry in os.scandir(folder) if entry.is_file())
        return sorted((entry.path, entry.stat().st_mtime_ns, entry.stat().st_size) for entry in entries)

    return stamp


def _site_stamp(index: str) -> Callable[[], object]:
    """What a site says of the file that names its books, asked once a minute at most."""
    base = index if index.endswith("/") else index + "/"
    addresses = [index] if index.endswith(".json") else [urljoin(base, MANIFEST), urljoin(base, f"{FOLDER}/{MANIFEST}")]
    seen: dict[str, Any] = {"at": float("-inf"), "stamp": None}

    def stamp() -> object:
        if time.monotonic() - seen["at"] > SITE_SECONDS:
            seen["stamp"], seen["at"] = [_facts(address) for address in addresses], time.monotonic()
        return seen["stamp"]

    return stamp


def _facts(address: str) -> object:
    try:
        answer = httpx.head(address, timeout=SECONDS, follow_redirects=True)
    except httpx.HTTPError as wrong:
        raise OSError(f"{address} cannot be reached: {wrong or type(wrong).__name__}") from None
    return answer.status_code, *(answer.headers.get(name) for name in ("etag", "last-modified", "content-length"))


def find_python(wanted: bool) -> Python:
    """The sandbox for python_exec, or the reason why there is none."""
    from askbook.mcp_server.sandbox import SandboxError, find_sandbox
    from askbook.mcp_server.server import Python

    if not wanted:
        return Python()
    try:
        sandbox = find_sandbox()
    except SandboxError as wrong:
        click.echo(f"python_exec is not offered: no sandbox works here ({wrong})", err=True)
        return Python(reason=f"no sandbox works on this machine ({wrong})")
    click.echo(f"python_exec runs in {sandbox.name}", err=True)
    return Python(sandbox, packages=sandbox.packages)


def host_and_port(text: str) -> tuple[str, int]:
    """Read HOST:PORT; a port alone means loopback."""
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdigit() or not 0 < int(port) < 65_536:
        raise click.BadParameter(f"{text!r} is not HOST:PORT", param_hint="--http")
    return host.strip("[]") or "127.0.0.1", int(port)


def snippet(client: str, index: str, *, http: str | None, python: bool, token: bool) -> str:
    """The settings of a client, as JSON."""
    where = index if is_address(index) else str(Path(index).resolve())
    name = "askbook-" + (urlsplit(where).netloc or Path(where).stem or "book").replace(".", "-")
    entry: dict[str, Any]
    if http:
        host, port = host_and_port(http)
        entry = {"type": "http", "url": f"http://{f'[{host}]' if ':' in host else host}:{port}/mcp"}
        if token:
            entry["headers"] = {"Authorization": "Bearer ${ASKBOOK_MCP_TOKEN}"}
    else:
        command = shutil.which("askbook") or "askbook"
        entry = {"type": "stdio", "command": command, "args": ["mcp", where, *(["--python"] if python else [])]}
    if client == "cursor":
        del entry["type"]
    return json.dumps({"servers" if client == "vscode" else "mcpServers": {name: entry}}, ensure_ascii=False, indent=2)


def _greet(live: LiveShelf) -> None:
    """Say what is served; standard output belongs to the protocol."""
    for index in live.shelf.indexes:
        click.echo(f"{index.name}: {index.title}, {len(index)} cards", err=True)


def _announce(address: Address, workers: int) -> None:
    beside = f" with {workers} search process{'es' if workers > 1 else ''}" if workers else ""
    click.echo(f"serving {address.url}{beside}", err=True)
    if not address.is_loopback and not address.token:
        click.echo("warning: other machines can reach this address and no --token is asked for", err=True)
