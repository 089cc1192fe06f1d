"""Work begun early in a process beside this one, while the site generator draws its pages; done here where that cannot be."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

T = TypeVar("T")

_PATIENCE = 120.0
"""Seconds to wait for the other process before the work is done here."""


def worth_it() -> bool:
    """Whether a second process helps and is safe: another core, a system that forks cheaply, no thread that may hold a lock."""
    return sys.platform == "linux" and (os.cpu_count() or 1) > 1 and threading.active_count() == 1


class Ahead(Generic[T]):
    """A piece of work whose result is wanted later."""

    def __init__(self, work: Callable[[], T]) -> None:
        from multiprocessing import get_context  # loaded when there is something to do

        self._work = work
        gc.freeze()  # all that is there stays till the work is done: no process need go over it, nor copy its pages to do so
        context = get_context("fork")
        self._answer, answering = context.Pipe(duplex=False)
        self._process = context.Process(target=_do, args=(work, answering), daemon=True)
        self._process.start()
        answering.close()

    def result(self) -> T:
        """Wait for the result; a process that fails or is stuck leaves the work to this one, where its error shows."""
        try:
            if self._answer.poll(_PATIENCE):
                result: T = self._answer.recv()
                return result
        except (EOFError, OSError):
            pass
        finally:
            self.drop()
        return self._work()

    def drop(self) -> None:
        """End the process; its result is not wanted any more."""
        self._answer.close()
        self._process.terminate()
        self._process.join()
        gc.unfreeze()


def _do(work: Callable[[], T], answering: Connection) -> None:
    gc.disable()  # it would go over all that MkDocs holds, and this process ends soon
    try:
        answering.send(work())
    finally:
        answering.close()
        os._exit(0)
