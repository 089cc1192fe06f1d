"""Results that were made once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from askbook.builder.index.write import encode
from askbook.core.index import load
from askbook.core.schema import Book
from askbook.core.toolbox import Shelf
from askbook.mcp_server import answers as module
from askbook.mcp_server.answers import Answers
from askbook.mcp_server.workers import Pool
from tests.mcp_server.books import analysis, topology

pytestmark = pytest.mark.anyio

ASKED = ("book_retrieve", {"question": "compact"})


def shelf(book: Book) -> Shelf:
    data, *sides = encode(book).items()
    return Shelf((load(data[1], dict(sides)),))


async def test_the_same_call_on_the_same_books_is_made_once() -> None:
    answers, books = Answers(Pool(0)), shelf(topology())
    assert await answers.wire(*ASKED, books) is await answers.wire(*ASKED, books)


async def test_other_arguments_are_another_call() -> None:
    answers, books = Answers(Pool(0)), shelf(topology())
    first = await answers.wire(*ASKED, books)
    assert await answers.wire("book_retrieve", {"question": "compact", "topK": 1}, books) != first


async def test_other_books_answer_anew() -> None:
    answers = Answers(Pool(0))
    first = await answers.wire(*ASKED, shelf(topology()))
    assert await answers.wire(*ASKED, shelf(analysis())) != first


async def test_only_the_last_calls_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 2)
    answers, books = Answers(Pool(0)), shelf(topology())
    first = await answers.wire(*ASKED, books)
    for name in ("a", "b"):
        await answers.wire("book_ref", {"name": name}, books)
    again = await answers.wire(*ASKED, books)
    assert (again is first, again) == (False, first)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", {"a": [None, "\udfff"]}, 10**400])
@pytest.mark.parametrize("name", ["question", "topK", "other"])
async def test_arguments_that_are_no_json_of_the_strict_kind_get_a_result(name: str, value: Any) -> None:
    found = json.loads(await Answers(Pool(0)).wire("book_retrieve", {"question": "x", name: value}, shelf(topology())))
    assert found["isError"] == ("error" in found["structuredContent"])
    assert json.loads(found["content"][0]["text"]) == found["structuredContent"]
