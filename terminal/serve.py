"""Serve a built site on loopback, under a sub-path and with the types a browser insists on."""

from __future__ import annotations

import sys
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

TYPES = {
    "": "application/octet-stream",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
    ".zip": "application/zip",
}
"""Python's own table depends on the machine; a module or a wasm file of another type does not run."""


class SiteHandler(SimpleHTTPRequestHandler):
    """Answers from `site` for addresses under `base`, and with the site's own 404 page for what is not there."""

    protocol_version = "HTTP/1.1"
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, **TYPES}  # noqa: RUF012  # declared by the base class
    base: ClassVar[str] = "/"

    def send_head(self):  # type: ignore[no-untyped-def]  # the return type is private to http.server
        if urlsplit(self.path).path in ("/", self.base.rstrip("/")) and self.base != "/":
            self._redirect(self.base)
            return None
        if not self.path.startswith(self.base):
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        return super().send_head()

    def translate_path(self, path: str) -> str:
        return super().translate_path("/" + path.removeprefix(self.base))

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", TYPES[".html"])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name is the base class's
        """Stay silent: the terminal belongs to the address and the questions."""

    def _redirect(self, address: str) -> None:
        self.send_response(HTTPStatus.FOUND)
        self.send_header("Location", address)
        self.send_header("Content-Length", "0")
        self.end_headers()


class LoopbackServer(ThreadingHTTPServer):
    """Says nothing of browsers that hang up, as they do with every page that is left while it loads."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report what went wrong, unless the connection has."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def site_server(site: Path, *, base: str = "/", port: int = 0) -> LoopbackServer:
    """Bind a server for `site` on loopback; port 0 takes a free one. The caller runs `serve_forever` and closes it.

    The folder need not exist yet: a build that must know its own address binds first.
    """
    directory = str(site)

    class Handler(SiteHandler):
        def __init__(self, *args: object) -> None:
            super().__init__(*args, directory=directory)  # type: ignore[arg-type]

    Handler.base = base
    return LoopbackServer(("127.0.0.1", port), Handler)
