"""The core's own tests, run by pytest inside Pyodide.

What Pyodide lacks for it is stood in for here: an event loop that can be waited for, and orjson, with which the builder writes.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
import types
from asyncio.base_events import BaseEventLoop
from collections.abc import Coroutine, Sequence
from typing import Any

import pytest


class _Clock:
    """What a loop without files and sockets waits on: nothing but the time."""

    @staticmethod
    def select(timeout: float | None) -> list[object]:
        time.sleep(timeout or 0)
        return []


class _Loop(BaseEventLoop):
    """A plain loop: the browser's own goes on only after the caller has returned, so no test could wait for it."""

    _selector = _Clock()

    def _process_events(self, event_list: list[object]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass


def _run(main: Coroutine[Any, Any, object], **more: Any) -> object:
    with asyncio.Runner(loop_factory=_Loop, **more) as runner:
        return runner.run(main)


def _dumps(value: object, option: int = 0) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), indent=2 if option else None).encode()


def main(arguments: Sequence[str]) -> int:
    """Run pytest with these arguments in the checkout; returns its exit code."""
    os.chdir("/checkout")
    sys.path[:0] = ["/mapped", "/checkout"]
    sys.modules["pkg_resources"] = None  # type: ignore[assignment]  # an old one cannot be imported by so new a Python; jieba does without
    sys.modules["orjson"] = types.ModuleType("orjson")
    sys.modules["orjson"].__dict__.update(dumps=_dumps, loads=json.loads, OPT_INDENT_2=1)
    asyncio.run = _run  # type: ignore[assignment]
    asyncio._set_running_loop(None)  # Pyodide says that its own always runs
    return int(pytest.main(list(arguments)))
