"""The short way for a tool call over HTTP: what is plainly one is answered at once, all else goes to the SDK.

The SDK builds a dozen models and two tasks for every request, which costs more than most of the tools themselves. A call of the
current protocol that asks for neither progress nor anything else out of the ordinary is here read, checked by the same rules and
answered with the very bytes the SDK would send; at the least doubt the request is handed on as it came.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from typing import Any, Final

from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.inbound import InboundModernRoute, classify_inbound_request
from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    PROTOCOL_VERSION_META_KEY,
    methods,
)
from mcp_types.version import LATEST_MODERN_VERSION
from pydantic import ValidationError

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Call = Callable[[str, Mapping[str, Any]], Awaitable[bytes | None]]
"""Gives the result of a tool on the wire; None where there is no such tool."""

METHOD: Final = "tools/call"
ENVELOPE: Final = frozenset({"jsonrpc", "id", "method", "params"})
PARAMETERS: Final = frozenset({"name", "arguments", "_meta"})
META: Final = frozenset({PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY})
CLIENTS: Final = 64
"""Clients whose description of themselves is remembered as a good one."""
CLIENT_CHARACTERS: Final = 4_000
LARGEST_ID: Final = 2**53


class Express:
    """An ASGI application before that of the SDK."""

    def __init__(
        self, app: App, call: Call, server: Mapping[str, Any], settings: TransportSecuritySettings, *, body_bytes: int
    ) -> None:
        self._app = app
        self._call = call
        self._tail = f',"_meta":{json.dumps(server, separators=(",", ":"))}}}}}'.encode()
        self._hosts = frozenset(host.encode() for host in settings.allowed_hosts)
        self._origins = frozenset(origin.encode() for origin in settings.allowed_origins)
        self._body_bytes = body_bytes
        self._clients: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a plain call; hand on the rest."""
        name = self._tool(scope)
        if name is None:
            await self._app(scope, receive, send)
            return
        messages = await _body(receive, self._body_bytes)
        asked = self._asked(b"".join(message.get("body", b"") for message in messages), name, scope)
        found = await self._call(name, asked[1]) if asked else None
        if asked is None or found is None:
            await self._app(scope, _again(messages, receive), send)
            return
        body = b'{"jsonrpc":"2.0","id":' + json.dumps(asked[0]).encode() + b',"result":' + found[:-1] + self._tail
        headers = [(b"content-length", str(len(body)).encode()), (b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _tool(self, scope: Scope) -> str | None:
        """The tool a request calls by its headers; None where they are not as plain as can be."""
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] != "/mcp":
            return None
        headers = dict(scope["headers"])
        if (
            len(headers) < len(scope["headers"])  # one came twice
            or headers.get(b"mcp-protocol-version") != LATEST_MODERN_VERSION.encode()
            or headers.get(b"mcp-method") != METHOD.encode()
            or headers.get(b"content-type") != b"application/json"
            or headers.get(b"host") not in self._hosts
            or headers.get(b"origin") not in {None, *self._origins}
            or not _takes(headers.get(b"accept", b""))
            or any(name.startswith(b"mcp-param-") for name in headers)
        ):
            return None
        name = headers.get(b"mcp-name", b"")
        return name.decode() if name.isascii() else None

    def _asked(self, body: bytes, name: str, scope: Scope) -> tuple[int | str, Mapping[str, Any]] | None:
        """Number and arguments of a call; None where it is not as plain as can be."""
        if len(body) > self._body_bytes:
            return None
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            return None
        match message:
            case {
                "jsonrpc": "2.0",
                "id": int() | str() as id_,
                "method": "tools/call",
                "params": {"name": str() as named, "arguments": dict() as arguments, "_meta": dict() as meta} as params,
            }:
                plain = named == name and message.keys() == ENVELOPE and params.keys() == PARAMETERS and _is_plain(id_)
                return (id_, arguments) if plain and self._knows(meta, message, scope) else None
        return None

    def _knows(self, meta: Mapping[str, Any], message: Mapping[str, Any], scope: Scope) -> bool:
        """Whether the SDK finds nothing wrong with what a client says of itself, and nothing in it asks for more."""
        said = json.dumps(meta)
        if said in self._clients:
            return True
        if not META.issuperset(meta) or len(said) > CLIENT_CHARACTERS or len(self._clients) >= CLIENTS:
            return False
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        try:
            methods.validate_client_request(METHOD, LATEST_MODERN_VERSION, message["params"])
        except ValidationError:
            return False
        if not isinstance(classify_inbound_request(message, headers=headers), InboundModernRoute):
            return False
        self._clients.add(said)
        return True


def _takes(accept: bytes) -> bool:
    """Whether a client takes both forms of an answer, as the protocol asks of it."""
    kinds: Collection[bytes] = {kind.partition(b";")[0].strip() for kind in accept.split(b",")}
    return b"application/json" in kinds and b"text/event-stream" in kinds


def _is_plain(id_: int | str) -> bool:
    return id_.isascii() if isinstance(id_, str) else type(id_) is int and abs(id_) < LARGEST_ID


async def _body(receive: Receive, most: int) -> list[Message]:
    """The messages of a request's body, to its end or to where it is too long."""
    messages: list[Message] = []
    size = 0
    while True:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body", False) or size > most:
            return messages


def _again(messages: list[Message], receive: Receive) -> Receive:
    """Give the messages of a body once more, then what follows."""
    left = messages[::-1]

    async def replay() -> Message:
        return left.pop() if left else await receive()

    return replay
