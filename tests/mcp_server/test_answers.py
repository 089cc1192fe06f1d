"""Results that were made once."""

from __future__ import annotations

import pytest

from askbook.builder.index.write import encode
from askbook.core.index import load
from askbook.core.schema import Book
from askbook.core.toolbox import Shelf
from askbook.mcp_server import answers as module
from askbook.mcp_server.answers import Answers
from tests.mcp_server.books import analysis, topology

ASKED = ("book_retrieve", {"question": "compact"})


def shelf(book: Book) -> Shelf:
    data, *sides = encode(book).items()
    return Shelf((load(data[1], dict(sides)),))


def test_the_same_call_on_the_same_books_is_made_once() -> None:
    answers, books = Answers(), shelf(topology())
    assert answers.result(*ASKED, books) is answers.result(*ASKED, books)


def test_other_arguments_are_another_call() -> None:
    answers, books = Answers(), shelf(topology())
    first = answers.result(*ASKED, books)
    assert answers.result("book_retrieve", {"question": "compact", "topK": 1}, books) != first


def test_other_books_answer_anew() -> None:
    answers = Answers()
    first = answers.result(*ASKED, shelf(topology()))
    assert answers.result(*ASKED, shelf(analysis())) != first


def test_only_the_last_calls_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 2)
    answers, books = Answers(), shelf(topology())
    first = answers.result(*ASKED, books)
    for name in ("a", "b"):
        answers.result("book_ref", {"name": name}, books)
    again = answers.result(*ASKED, books)
    assert (again is first, again) == (False, first)
