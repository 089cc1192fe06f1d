"""A shelf that follows its files."""

from __future__ import annotations

import anyio
import pytest
from mcp.client import Client

from askbook.builder.index.write import encode
from askbook.core.errors import IndexFormatError
from askbook.core.index import Index, load
from askbook.core.schema import Book
from askbook.mcp_server import server as module
from askbook.mcp_server.live import LiveShelf
from tests.mcp_server.books import analysis, topology


def read(*books: Book) -> list[Index]:
    files = [list(encode(book).items()) for book in books]
    return [load(data, dict(sides)) for (_, data), *sides in files]


class Source:
    """Books that change."""

    def __init__(self) -> None:
        self.books: list[Index] | None = read(topology())
        self.stamp = 1
        self.reads = 0

    def read(self) -> list[Index]:
        self.reads += 1
        if self.books is None:
            raise IndexFormatError("half written")
        return self.books


def names(live: LiveShelf) -> list[str]:
    return [index.name for index in live.shelf.indexes]


def test_nothing_is_read_again_while_the_stamp_stays() -> None:
    source = Source()
    live = LiveShelf(source.read, lambda: source.stamp)
    assert ([live.refresh(), live.refresh()], source.reads) == ([False, False], 1)


def test_another_stamp_brings_the_new_books() -> None:
    source = Source()
    live = LiveShelf(source.read, lambda: source.stamp)
    source.books, source.stamp = read(topology(), analysis()), 2
    assert (live.refresh(), names(live)) == (True, ["maths-topology", "maths-analysis"])


def test_a_broken_state_is_waited_out() -> None:
    source = Source()
    live = LiveShelf(source.read, lambda: source.stamp)
    good, source.books, source.stamp = read(analysis()), None, 2
    assert (live.refresh(), names(live)) == (False, ["maths-topology"])
    source.books = good
    assert (live.refresh(), names(live)) == (True, ["maths-analysis"])


def test_what_is_broken_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    source = Source()
    live = LiveShelf(source.read, lambda: source.stamp)
    for stamp, books in ((2, None), (3, None), (4, read(analysis())), (5, None)):
        source.books, source.stamp = books, stamp
        live.refresh()
    assert caplog.messages == ["keeping the books as they were: half written"] * 2


def test_what_is_broken_at_the_start_is_raised() -> None:
    source = Source()
    source.books = None
    with pytest.raises(IndexFormatError, match="half written"):
        LiveShelf(source.read, lambda: source.stamp)


def test_a_running_server_answers_from_the_new_books(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WATCH_SECONDS", 0.01)
    source = Source()
    live = LiveShelf(source.read, lambda: source.stamp)

    async def titles() -> list[list[str]]:
        async with Client(module.BookServer(live).server()) as client:
            before = await client.call_tool("list_books", {})
            source.books, source.stamp = read(analysis()), 2
            await anyio.sleep(0.2)
            after = await client.call_tool("list_books", {})
        return [[book["title"] for book in result.structured_content["books"]] for result in (before, after)]

    assert anyio.run(titles) == [["Topology"], ["数学分析"]]
