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
    from multiprocessing.context import ForkProcess

T = TypeVar("T")

_PATIENCE = 120.0
"""Seconds to wait for the other process before the work is done here."""


def worth_it() -> bool:
    """Whether a second process helps and is safe: another core, a system that forks cheaply, no thread that may hold a lock."""
    return sys.platform == "linux" and (os.cpu_count() or 1) > 1 and threading.active_count() == 1


class Ahead(Generic[T]):
    """A piece of work whose result is wanted later."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._froze = gc.get_freeze_count() == 0  # else it is for whoever did to thaw
        if self._froze:
            gc.freeze()  # all that is there stays till the work is done: no process need go over it, nor copy its pages to do so
        self._begun: tuple[ForkProcess, Connection] | None = None
        try:
            self._begun = _begin(work)
        except OSError:
            self.drop()  # no process or pipe is to be had

    def result(self) -> T:
        """Wait for the result; a process that fails or is stuck leaves the work to this one, where its error shows."""
        try:
            if self._begun is not None and self._begun[1].poll(_PATIENCE):
                result: T = self._begun[1].recv()
                return result
        except (EOFError, OSError):
            pass
        finally:
            self.drop()
        return self._work()

    def drop(self) -> None:
        """End the process; its result is not wanted any more."""
        if self._begun is not None:
            process, answer = self._begun
            self._begun = None
            answer.close()
            process.terminate()
            process.join()
        if self._froze:
            self._froze = False
            gc.unfreeze()


def _begin(work: Callable[[], T]) -> tuple[ForkProcess, Connection]:
    """Start the process, and return it with the end of the pipe that its answer comes from."""
    from multiprocessing import get_context  # loaded when there is something to do

    context = get_context("fork")
    answer, answering = context.Pipe(duplex=False)
    process = context.Process(target=_do, args=(work, answering), daemon=True)
    try:
        process.start()
    except OSError:
        answer.close()
        raise
    finally:
        answering.close()
    return process, answer


def _do(work: Callable[[], T], answering: Connection) -> None:
    gc.disable()  # it would go over all that MkDocs holds, and this process ends soon
    try:
        answering.send(work())
    finally:
        answering.close()
        os._exit(0)
