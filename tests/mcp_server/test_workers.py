"""Search processes: the same answers, whoever makes them, and none lost with a process that ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import anyio
import pytest

from askbook.builder.index.write import encode, write
from askbook.core.index import load
from askbook.core.schema import Book
from askbook.core.toolbox import Shelf
from askbook.mcp_server.answers import Answers
from askbook.mcp_server.results import made
from askbook.mcp_server.workers import CallDiedError, NoWorkerError, Pool, sensible
from tests.mcp_server.books import analysis, topology

pytestmark = pytest.mark.anyio

TOOL = "book_retrieve"
QUESTIONS = [f"open set number {number}" for number in range(40)]


def shelf(*books: Book) -> Shelf:
    indexes = []
    for book in books:
        data, *sides = encode(book).items()
        indexes.append(load(data[1], dict(sides)))
    return Shelf(tuple(indexes))


def request(question: str) -> bytes:
    return json.dumps([TOOL, {"question": question}]).encode()


@asynccontextmanager
async def working(pool: Pool, books: Callable[[], Shelf]) -> AsyncIterator[Pool]:
    """The pool with its processes up, taken down at the end."""
    async with anyio.create_task_group() as group:
        group.start_soon(pool.run, books)
        await until(lambda: len(pool.pids) == pool.size)
        yield pool
        group.cancel_scope.cancel()


async def until(holds: Callable[[], bool]) -> None:
    with anyio.fail_after(20):
        while not holds():
            await anyio.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not yet waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_a_process_gives_what_the_server_itself_gives() -> None:
    books = shelf(topology(), analysis())
    async with working(Pool(2), lambda: books) as pool:
        found = await asyncio.gather(*(pool.ask(request(question)) for question in QUESTIONS))
    assert found == [made(TOOL, {"question": question}, books) for question in QUESTIONS]


async def test_a_call_survives_the_process_it_was_given_to() -> None:
    books = shelf(topology())
    async with working(Pool(1), lambda: books) as pool:
        (pid,) = pool.pids
        os.kill(pid, signal.SIGSTOP)
        asked = [pool.ask(request(question)) for question in QUESTIONS]
        os.kill(pid, signal.SIGKILL)
        found = await asyncio.gather(*asked)
        again = pool.pids
    assert found == [made(TOOL, {"question": question}, books) for question in QUESTIONS]
    assert pid not in again


async def test_a_call_that_ends_two_processes_is_given_up_and_no_other() -> None:
    books = shelf(topology())
    async with working(Pool(2), lambda: books) as pool:
        bad, good = pool.ask(b"no call"), [pool.ask(request(question)) for question in QUESTIONS]
        with pytest.raises(CallDiedError):
            await bad
        found = await asyncio.gather(*good)
    assert found == [made(TOOL, {"question": question}, books) for question in QUESTIONS]


async def test_another_shelf_has_other_processes_and_calls_are_answered_from_it() -> None:
    books = [shelf(topology())]
    async with working(Pool(2), lambda: books[-1]) as pool:
        before = pool.pids
        for pid in before:
            os.kill(pid, signal.SIGSTOP)
        asked = pool.ask(request("一致收敛"))
        books.append(shelf(analysis()))
        pool.renew()
        found = await asked
        await until(lambda: len(pool.pids) == 2)
        assert not set(before) & set(pool.pids)
    assert found == made(TOOL, {"question": "一致收敛"}, books[-1])
    assert not any(map(is_alive, before))


async def test_no_process_is_left_when_the_server_ends() -> None:
    books = shelf(topology())
    async with working(Pool(2), lambda: books) as pool:
        pids = pool.pids
        os.kill(pids[0], signal.SIGSTOP)
        pool.ask(request("open"))
    assert (len(pids), [pid for pid in pids if is_alive(pid)], pool.is_ready) == (2, [], False)


async def test_where_no_process_starts_the_server_searches_itself() -> None:
    books = shelf(topology())
    for command in (["/bin/false"], ["/nowhere/python"]):
        pool = Pool(2, command)
        async with anyio.create_task_group() as group:
            group.start_soon(pool.run, lambda: books)
            await anyio.sleep(0.3)
            found = await Answers(pool).wire(TOOL, {"question": "open"}, books)
            group.cancel_scope.cancel()
        assert (pool.is_ready, found) == (False, made(TOOL, {"question": "open"}, books))


async def test_a_call_survives_a_process_that_hangs() -> None:
    books = shelf(topology())
    async with working(Pool(1, seconds=1), lambda: books) as pool:
        (pid,) = pool.pids
        os.kill(pid, signal.SIGSTOP)
        with anyio.fail_after(20):
            found = await asyncio.gather(*(pool.ask(request(question)) for question in QUESTIONS[:3]))
        assert not is_alive(pid)
    assert found == [made(TOOL, {"question": question}, books) for question in QUESTIONS[:3]]


SILENT = "import sys, time; sys.stdout.buffer.write(bytes(4)); sys.stdout.flush(); time.sleep(600)"
"""Says that it has the books, and then nothing."""


async def test_a_call_that_no_process_answers_is_given_up() -> None:
    async with working(Pool(1, [sys.executable, "-c", SILENT], seconds=0.3), lambda: shelf(topology())) as pool:
        with anyio.fail_after(20), pytest.raises(CallDiedError):
            await pool.ask(request("open"))


async def test_a_process_that_waits_for_calls_has_all_the_time() -> None:
    async with working(Pool(1, seconds=0.3), lambda: shelf(topology())) as pool:
        pids = pool.pids
        await anyio.sleep(0.6)
        assert (pool.pids, len(pids)) == (pids, 1)


async def test_processes_that_never_take_the_books_are_done_without() -> None:
    books = shelf(topology())
    pool = Pool(1, [sys.executable, "-c", "import time; time.sleep(600)"], starting=0.2)
    async with anyio.create_task_group() as group:
        group.start_soon(pool.run, lambda: books)
        with anyio.fail_after(20), pytest.raises(NoWorkerError):
            await pool.ask(request("open"))
        group.cancel_scope.cancel()


class Counting(Pool):
    """A pool of one that counts what it is asked and answers when told to."""

    def __init__(self, books: Shelf) -> None:
        super().__init__(0)
        self.shelf = books
        self.asked: list[bytes] = []
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    @property
    def is_ready(self) -> bool:
        return True

    def ask(self, request: bytes) -> asyncio.Future[bytes]:
        self.asked.append(request)
        return self.answer


async def test_who_asks_the_same_at_the_same_time_shares_one_search() -> None:
    books = shelf(topology())
    pool = Counting(books)
    answers = Answers(pool)
    calls = [asyncio.ensure_future(answers.wire(TOOL, {"question": "open"}, books)) for _ in range(5)]
    await asyncio.sleep(0)
    calls[0].cancel()
    await asyncio.sleep(0)
    pool.answer.set_result(b"{}")
    found = await asyncio.gather(*calls[1:])
    assert (found, pool.asked) == ([b"{}"] * 4, [request("open")])
    assert calls[0].cancelled()


async def test_a_search_given_up_is_a_result_that_says_so() -> None:
    books = shelf(topology())
    pool = Counting(books)
    pool.answer.set_exception(CallDiedError("2 search processes ended over it"))
    found = json.loads(await Answers(pool).wire(TOOL, {"question": "open"}, books))
    assert (found["isError"], found["structuredContent"]) == (
        True,
        {"error": "the search came to no end: 2 search processes ended over it"},
    )


async def test_processes_with_an_earlier_shelf_are_not_asked() -> None:
    before, now = shelf(topology()), shelf(topology())
    pool = Counting(before)
    found = await Answers(pool).wire(TOOL, {"question": "open"}, now)
    assert (found, pool.asked) == (made(TOOL, {"question": "open"}, now), [])


def test_processes_are_for_large_shelves() -> None:
    assert (sensible(10), 0 <= sensible(20_000) <= 8) == (0, True)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A server with two search processes, and where it listens."""
    write([topology()], tmp_path)
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", "from askbook.terminal.cli import main; main()"]
    process = subprocess.Popen([*command, "mcp", str(tmp_path), "--http", str(port), "--workers", "2"], stderr=subprocess.DEVNULL)
    try:
        yield process, f"http://127.0.0.1:{port}/mcp"
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.wait()


def children(pid: int) -> list[int]:
    """Of a process."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def wait_until(holds: Callable[[], Any]) -> None:
    for _ in range(400):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come to that")


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_server_that_is_ended_takes_its_processes_along(served: tuple[subprocess.Popen[bytes], str], how: int) -> None:
    process, _ = served
    wait_until(lambda: len(children(process.pid)) == 2)
    time.sleep(0.5)
    pids = children(process.pid)
    process.send_signal(how)
    process.wait(timeout=10)
    wait_until(lambda: not any(map(is_alive, pids)))
