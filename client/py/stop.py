"""The stop button: whatever is being waited for ends at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

Value = TypeVar("Value")


class StoppedError(Exception):
    """The reader pressed stop."""


class Stop:
    """Pressed once, it ends what its exchange is waiting for; made and pressed in the event loop of the exchange."""

    def __init__(self) -> None:
        self.pressed = False
        self._waiting: set[asyncio.Future[Any]] = set()

    def press(self) -> None:
        """Stop now; pressing again does nothing more."""
        self.pressed = True
        for waiting in list(self._waiting):
            waiting.cancel()

    async def race(self, awaited: Awaitable[Value]) -> Value:
        """Wait for a value, but not longer than until the button is pressed."""
        task = asyncio.ensure_future(awaited)
        if self.pressed:
            task.cancel()
        self._waiting.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            if self.pressed:
                raise StoppedError from None
            task.cancel()
            raise
        finally:
            self._waiting.discard(task)
