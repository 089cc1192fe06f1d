"""A server on loopback that is as slow as a given line: a wait before each answer, and one narrow pipe for all of them."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from io import BufferedIOBase
from pathlib import Path
from urllib.parse import unquote, urlsplit

from askbook.terminal.serve import TYPES, LoopbackServer

PIECE = 16_384
TAG = '"1"'
"""Nothing changes while it is served."""
LATE = 0.1
"""Seconds the pipe may catch up where this machine was too busy to write in time."""
PACKED = frozenset({".js", ".css", ".html", ".json", ".wasm", ".svg", ".txt", ".xml", ""})
"""Endings that hosts send compressed; archives are not among them."""


@dataclass(slots=True)
class Line:
    """A line every answer goes through, and what went through it."""

    seconds: float
    """Wait before an answer begins."""
    bits_per_second: float
    """0 for as fast as it goes."""
    sent: dict[str, int] = field(default_factory=dict)
    """Path to bytes sent, headers left out."""
    cut_after: int = 0
    """Bytes after which the line breaks; 0 for never."""
    _free: float = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def total(self) -> int:
        """Bytes sent in all."""
        return sum(self.sent.values())

    def pass_on(self, size: int) -> None:
        """Wait until a piece has gone through the pipe, after those that came before it."""
        if not self.bits_per_second:
            return
        with self._lock:
            self._free = max(time.monotonic() - LATE, self._free) + size * 8 / self.bits_per_second
            until = self._free
        time.sleep(max(0.0, until - time.monotonic()))

    def send(self, body: bytes, out: BufferedIOBase, path: str) -> bool:
        """Send a body piece by piece; false where the line is cut or the reader has left."""
        for start in range(0, len(body), PIECE):
            piece = body[start : start + PIECE]
            if self.cut_after and self.total + len(piece) > self.cut_after:
                return False
            self.pass_on(len(piece))
            self.sent[path] = self.sent.get(path, 0) + len(piece)
            try:
                out.write(piece)
            except OSError:
                return False
        return True


@contextmanager
def paced(site: Path, line: Line, *, base: str = "/") -> Iterator[str]:
    """Serve a folder through a line; yields the address of its root."""
    packed = {
        file: gzip.compress(file.read_bytes(), 6, mtime=0) for file in site.rglob("*") if file.is_file() and file.suffix in PACKED
    }

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            file = site / path.removeprefix(base)
            file = file / "index.html" if file.is_dir() else file
            time.sleep(line.seconds)
            if not path.startswith(base) or not file.is_file():
                self.answer(404, b"", "text/plain", encoded=False)
                return
            if self.headers.get("If-None-Match") == TAG:
                self.answer(304, b"", "text/plain", encoded=False)
                return
            encoded = file in packed
            self.answer(200, packed[file] if encoded else file.read_bytes(), TYPES.get(file.suffix, TYPES[""]), encoded=encoded)

        def answer(self, status: int, body: bytes, kind: str, *, encoded: bool) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "max-age=600")
            self.send_header("ETag", TAG)
            if encoded:
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            if not line.send(body, self.wfile, urlsplit(self.path).path.removeprefix(base)):
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name is the base class's
            """Stay silent."""

    server = LoopbackServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{base}"
    finally:
        server.shutdown()
