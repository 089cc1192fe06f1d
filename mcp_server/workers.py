"""Search processes: while one is busy with a question another takes the next, on every processor of the machine."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import anyio

from askbook.core.toolbox import Shelf

from .worker import HEAD, frame

SEARCHES: Final = frozenset({"book_retrieve", "book_slice_search"})
"""Tools that look through a whole book; the others are done sooner than they are handed over."""
WORTH_CARDS: Final = 2_000
"""A shelf with fewer cards is searched in about the time it takes to hand a question over."""
WORKERS_MAX: Final = 8
"""Beyond that the one process that speaks HTTP is what the rest wait for."""
IN_HAND: Final = 2
"""Calls a process is given at a time: the one it works on, and the next, so that it need not wait for it."""
COMMAND: Final = (sys.executable, "-P", "-m", "askbook.mcp_server.worker")
STARTS: Final = 3
"""How often a process may end before its first answer until none is started in its place."""
DEATHS: Final = 2
"""How many processes may end over one call before it is given up."""
SEARCH_SECONDS: Final = 30.0
"""A process that works on one call for longer hangs, and is ended."""
START_SECONDS: Final = 120.0
"""A process that has not taken the books by then hangs too."""

log = logging.getLogger("askbook.mcp")


class NoWorkerError(Exception):
    """There is no search process any more; the caller makes the call itself."""


class CallDiedError(Exception):
    """Search processes ended over this call, one after the other."""


@dataclass(eq=False, slots=True)
class _Job:
    """A call and who waits for it."""

    request: bytes
    answer: asyncio.Future[bytes]
    deaths: int = 0


@dataclass(eq=False, slots=True)
class _Worker:
    """A process and what it was given, the call it works on first."""

    process: asyncio.subprocess.Process
    seconds: float
    """How long it may work on a call."""
    jobs: deque[_Job] = field(default_factory=deque)
    _deadline: asyncio.TimerHandle | None = None

    def take(self, job: _Job) -> None:
        """Hand a call over."""
        self.jobs.append(job)
        self.send(job.request)
        if len(self.jobs) == 1:
            self.end_in(self.seconds)

    def done(self) -> _Job:
        """The call that was answered; the next one has time of its own."""
        job = self.jobs.popleft()
        self.end_in(self.seconds if self.jobs else None)
        return job

    def end_in(self, seconds: float | None) -> None:
        """Kill the process after a time, unless told otherwise before; who reads from it notices."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self._hung)

    def _hung(self) -> None:
        log.warning("a search process did not answer in time and is ended")
        self.kill()

    def kill(self) -> None:
        """End the process, also one that is stopped."""
        with suppress(ProcessLookupError):
            self.process.kill()

    def send(self, content: bytes) -> None:
        """Write a frame; a process that has ended is noticed where it is read from."""
        assert self.process.stdin is not None
        self.process.stdin.write(frame(content))

    async def read(self) -> bytes:
        """The next frame; IncompleteReadError when the process has ended."""
        assert self.process.stdout is not None
        (size,) = HEAD.unpack(await self.process.stdout.readexactly(HEAD.size))
        return await self.process.stdout.readexactly(size)


def sensible(cards: int) -> int:
    """How many processes are worth their memory: one a processor where there are several and much to search."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(processors, WORKERS_MAX) if processors > 1 and cards >= WORTH_CARDS else 0


class Pool:
    """Search processes with the same shelf; one that ends is replaced and its call made again."""

    def __init__(
        self, size: int, command: Sequence[str] = COMMAND, *, seconds: float = SEARCH_SECONDS, starting: float = START_SECONDS
    ) -> None:
        self.size = size
        self.shelf: Shelf | None = None
        """The one that is searched; for another one there are no processes yet."""
        self._command = command
        self._seconds = seconds
        self._starting = starting
        self._workers: list[_Worker] = []
        self._waiting: deque[_Job] = deque()
        self._renewed = anyio.Event()

    @property
    def is_ready(self) -> bool:
        """Whether a process can take a call."""
        return bool(self._workers)

    @property
    def pids(self) -> list[int]:
        """Of the processes that are ready."""
        return [worker.process.pid for worker in self._workers]

    def ask(self, request: bytes) -> asyncio.Future[bytes]:
        """Put a call in the queue."""
        job = _Job(request, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        self._deal()
        return job.answer

    def renew(self) -> None:
        """The shelf is another one: processes with the old one end, and what they were asked is asked again."""
        self._renewed.set()

    async def run(self, shelf: Callable[[], Shelf]) -> None:
        """Keep the processes up until cancelled."""
        while self.size:
            self._renewed = anyio.Event()
            self.shelf = shelf()
            async with anyio.create_task_group() as group:
                for _ in range(self.size):
                    group.start_soon(self._keep, self.shelf)
                await self._renewed.wait()
                group.cancel_scope.cancel()

    async def _keep(self, shelf: Shelf) -> None:
        """Keep one process up."""
        starts = 0
        while starts < STARTS:
            starts += 1
            try:
                worker = await self._start()
            except OSError as refused:
                log.warning("no search process can be started: %s", refused)
                break
            try:
                await self._follow(worker, shelf)
            except (asyncio.IncompleteReadError, ConnectionError):
                if worker in self._workers:
                    starts = 0
            finally:
                status = await self._end(worker)
            log.warning("a search process ended with status %s", status)
        if not self._workers:
            self._give_up()

    async def _start(self) -> _Worker:
        pipe = asyncio.subprocess.PIPE
        return _Worker(await asyncio.create_subprocess_exec(*self._command, stdin=pipe, stdout=pipe), self._seconds)

    async def _follow(self, worker: _Worker, shelf: Shelf) -> None:
        """Hand over the books, then take answers as they come."""
        assert worker.process.stdin is not None
        worker.end_in(self._starting)
        worker.send(pickle.dumps(shelf.indexes, pickle.HIGHEST_PROTOCOL))
        await worker.process.stdin.drain()
        await worker.read()
        worker.end_in(None)
        self._workers.append(worker)
        while True:
            self._deal()
            found = await worker.read()
            job = worker.done()
            if not job.answer.done():
                job.answer.set_result(found)

    async def _end(self, worker: _Worker) -> int | None:
        """See a process off and put its calls back in the queue, before all others."""
        with anyio.CancelScope(shield=True):
            worker.end_in(None)
            worker.kill()
            await worker.process.communicate()
        died = worker in self._workers and not self._renewed.is_set()
        if worker in self._workers:
            self._workers.remove(worker)
        if died and worker.jobs:
            worker.jobs[0].deaths += 1
        for job in reversed(worker.jobs):
            if job.deaths < DEATHS:
                self._waiting.appendleft(job)
            elif not job.answer.done():
                job.answer.set_exception(CallDiedError(f"{DEATHS} search processes ended over it"))
        self._deal()
        return worker.process.returncode

    def _deal(self) -> None:
        """Give calls to the processes that have the least in hand."""
        while self._waiting and self._workers:
            worker = min(self._workers, key=lambda worker: len(worker.jobs))
            if len(worker.jobs) >= IN_HAND:
                return
            job = self._waiting.popleft()
            if not job.answer.done():
                worker.take(job)

    def _give_up(self) -> None:
        """Leave the calls to those who made them."""
        for job in self._waiting:
            if not job.answer.done():
                job.answer.set_exception(NoWorkerError())
        self._waiting.clear()
