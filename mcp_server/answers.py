"""Results of the book tools, each made once: the same call on the same books has the same answer."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types

from askbook.core.parts import ToolResultPart
from askbook.core.toolbox import Shelf

from .results import made, wire
from .workers import SEARCHES, CallDiedError, NoWorkerError, Pool

KEPT: Final = 256
"""Results that are kept, the last ones asked for; a result is a few thousand characters."""
LONGEST_KEY: Final = 4_000

Key = tuple[str, str]


class Answers:
    """Runs tools, here or in a search process, and remembers what they returned, as long as the shelf is the same one."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._shelf: Shelf | None = None
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._coming: dict[Key, asyncio.Future[bytes]] = {}

    async def wire(self, name: str, arguments: Mapping[str, Any], shelf: Shelf) -> bytes:
        """Return what a tool returns, as a JSON object; who asks the same at the same time gets the same."""
        if shelf is not self._shelf:
            self._kept.clear()
            self._coming.clear()
            self._shelf = shelf
        key = (name, json.dumps(arguments))
        if (found := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return found
        if name not in SEARCHES or (not self._serves(shelf) and key not in self._coming):
            found = made(name, arguments, shelf)
            self._keep(key, found, shelf)
            return found
        coming = self._coming.get(key) or self._ask(key, shelf)
        try:
            return await asyncio.shield(coming)
        except NoWorkerError:
            return await self.wire(name, arguments, shelf)
        except CallDiedError as died:
            return wire(ToolResultPart("", name, {"error": f"the search came to no end: {died}"}, error=True))

    def _serves(self, shelf: Shelf) -> bool:
        """Whether search processes are there, and have this shelf rather than the one before."""
        return self._pool.is_ready and self._pool.shelf is shelf

    def _ask(self, key: Key, shelf: Shelf) -> asyncio.Future[bytes]:
        """Have a call made by a search process."""
        coming = self._pool.ask(f'["{key[0]}", {key[1]}]'.encode())
        self._coming[key] = coming

        def arrived(answer: asyncio.Future[bytes]) -> None:
            if self._coming.get(key) is answer:
                del self._coming[key]
            if not answer.cancelled() and answer.exception() is None and self._pool.shelf is shelf:
                self._keep(key, answer.result(), shelf)

        coming.add_done_callback(arrived)
        return coming

    def _keep(self, key: Key, found: bytes, shelf: Shelf) -> None:
        if shelf is self._shelf and len(key[1]) <= LONGEST_KEY:
            self._kept[key] = found
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def as_result(found: ToolResultPart | bytes) -> types.CallToolResult:
    """A result of the core, or what it is on the wire, as the SDK takes it."""
    said = json.loads(found if isinstance(found, bytes) else wire(found))
    text = types.TextContent(text=said["content"][0]["text"])
    return types.CallToolResult(content=[text], structured_content=said["structuredContent"], is_error=said["isError"])
