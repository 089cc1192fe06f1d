"""Streamable HTTP: loopback unless told otherwise, hosts and origins by list, a bearer token if there is one."""

from __future__ import annotations

import gc
import hmac
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import SERVER_INFO_META_KEY
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse

from .express import App, Call, Express, Receive, Scope, Send

BODY_BYTES = 1_000_000
SESSION_IDLE_SECONDS = 900.0
KEEP_ALIVE_SECONDS = 75
"""Longer than clients keep an idle connection, so that none is closed in the moment it is used again."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server listens, and who may come."""

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = ""
    hosts: tuple[str, ...] = ()
    """Further names the server is called by."""
    origins: tuple[str, ...] = ()
    """Pages that may call from a browser."""

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can come."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def url(self) -> str:
        """The address for a client."""
        return f"http://{_bracketed(self.host)}:{self.port}/mcp"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def security(address: Address) -> TransportSecuritySettings:
    """The names in `Host` and the pages in `Origin` that are let in: loopback, where we listen, and what was listed."""
    own = {"127.0.0.1", "localhost", "[::1]", _bracketed(address.host)} - {"0.0.0.0", "[::]"}
    hosts = [*sorted(f"{name}:{address.port}" for name in own), *address.hosts]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*hosts, *(name for name in sorted(own) if address.port == 80)],
        allowed_origins=[*(f"http://{name}:{address.port}" for name in sorted(own)), *address.origins],
    )


def with_token(app: App, token: str) -> App:
    """Let in only who brings the token."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] != "OPTIONS":
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(_credentials(given), token.encode()):
                refusal = JSONResponse({"error": "a bearer token is needed"}, 401, {"WWW-Authenticate": 'Bearer realm="askbook"'})
                await refusal(scope, receive, send)
                return
        await app(scope, receive, send)

    return guarded


def _credentials(header: bytes) -> bytes:
    """What follows `Bearer`, in whatever case; nothing for another scheme."""
    scheme, _, credentials = header.partition(b" ")
    return credentials.strip() if scheme.lower() == b"bearer" else b""


def http_app(server: Server[Any], address: Address, call: Call | None = None) -> App:
    """The server as an ASGI application at `/mcp`; `call` answers plain tool calls on the short way."""
    settings = security(address)
    app: App = server.streamable_http_app(
        host=address.host,
        transport_security=settings,
        max_request_body_size=BODY_BYTES,
        session_idle_timeout=SESSION_IDLE_SECONDS,
    )
    if call:
        stamp = {SERVER_INFO_META_KEY: server.server_info_stamp}
        app = Express(app, call, stamp, settings, body_bytes=BODY_BYTES)
    if address.token:
        app = with_token(app, address.token)
    return _with_cors(app, address.origins) if address.origins else app


def _with_cors(app: App, origins: Sequence[str]) -> App:
    """Answer the browser's own questions for pages that were listed."""
    cors: App = CORSMiddleware(
        app,
        allow_origins=origins,
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["*"],
        expose_headers=["Mcp-Session-Id"],
    )
    return cors


def serve(server: Server[Any], address: Address, call: Call | None = None) -> None:
    """Serve until interrupted; the books stay, so nothing need look through them for what could be let go of."""
    gc.freeze()
    config = uvicorn.Config(
        http_app(server, address, call),
        host=address.host,
        port=address.port,
        log_level="error",
        access_log=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run()
