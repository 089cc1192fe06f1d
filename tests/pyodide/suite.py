"""The core's own tests, run by pytest inside Pyodide.

What Pyodide lacks for it is stood in for here: an event loop that can be waited for, and the builder with its NumPy, which a
Python outside of Pyodide is asked for.
"""

from __future__ import annotations

import asyncio
import os
import pickle
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


HOSTED = {"askbook.builder.index.write": "encode", "written": "written"}
"""Module and function that are run where NumPy is."""


def _hosted(module: str, name: str) -> types.ModuleType:
    """A module whose only function is run outside of Pyodide."""
    from host_python import call  # type: ignore[import-not-found]
    from pyodide.ffi import to_js  # type: ignore[import-not-found]

    def function(*arguments: object) -> object:
        ended, answer = pickle.loads(call(to_js(pickle.dumps((module, name, arguments)))).to_bytes())
        if not ended:
            raise answer
        return answer

    made = types.ModuleType(module)
    setattr(made, name, function)
    return made


def main(arguments: Sequence[str]) -> int:
    """Run pytest with these arguments in the checkout; returns its exit code."""
    os.chdir("/checkout")
    sys.path[:0] = ["/mapped", "/checkout"]
    for module, name in HOSTED.items():
        sys.modules[module] = _hosted(module, name)
    asyncio.run = _run  # type: ignore[assignment]
    asyncio._set_running_loop(None)  # Pyodide says that its own always runs
    return int(pytest.main(list(arguments)))
