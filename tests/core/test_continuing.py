"""A cut answer that is gone on with is one text, whatever it was cut in."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from askbook.core.continuing import Continued, joint
from askbook.core.parts import (
    Citations,
    Event,
    ExchangeEnd,
    PartDelta,
    PartDemote,
    PartEnd,
    PartStart,
    TextPart,
    ToolCallPart,
)  # fmt: skip
from askbook.core.toolbox import Shelf


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("An index maps the", "terms to lists.", "An index maps the terms to lists."),
        ("An index maps the", " terms to lists.", "An index maps the terms to lists."),
        ("Documents are read. An index maps docu", "ments to lists.", "Documents are read. An index maps documents to lists."),
        ("倒排索引是从词项", "到倒排列表的映射。", "倒排索引是从词项到倒排列表的映射。"),
        ("It is read twice.", "Then it is sorted.", "It is read twice.\n\nThen it is sorted."),
        ("It says so [1].", "Then it is sorted.", "It says so [1].\n\nThen it is sorted."),
        ("它说了两次。", "然后排序。", "它说了两次。\n\n然后排序。"),
        ("Pi is about 3.", "14 or so.", "Pi is about 3.14 or so."),
        ("the terms,", "then the lists", "the terms, then the lists"),
        ("the terms", ", then the lists", "the terms, then the lists"),
        ("the **terms**", "are sorted", "the **terms** are sorted"),
        ("the **", "terms** are sorted", "the **terms** are sorted"),
        ("the **terms", "** are sorted", "the **terms** are sorted"),
        ("call", "`sort` first", "call `sort` first"),
        ("- one\n- two", "- three", "- one\n- two\n- three"),
        ("- one\n- two", "things", "- one\n- two things"),
        ("It has these:", "- one\n- two", "It has these:\n\n- one\n- two"),
        ("It has two", "## Next", "It has two\n\n## Next"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| 3 | 4 |", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"),
        ("| a | b |\n|---|---|\n| 1 |", "2 |\n| 3 | 4 |", "| a | b |\n|---|---|\n| 1 |2 |\n| 3 | 4 |"),
        ("| a | b |\n|---|---|\n| 1 | two", "words |", "| a | b |\n|---|---|\n| 1 | two words |"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "So it is.", "| a | b |\n|---|---|\n| 1 | 2 |\n\nSo it is."),
        ("```python\nx = ", "1\n```", "```python\nx = 1\n```"),
        ("```python\nx = f(a", "b)\n```", "```python\nx = f(ab)\n```"),
        ("```python\nx = 1", "```\n\nDone.", "```python\nx = 1\n```\n\nDone."),
        ("```python\nx = 1", "```python\ny = 2\n```", "```python\nx = 1\n```\n\n```python\ny = 2\n```"),
        ("", "Words.", "Words."),
    ],
)
def test_two_halves_are_joined_where_the_text_was_cut(before: str, after: str, whole: str) -> None:
    assert before + joint(before, after) + after == whole


def test_a_word_that_a_passage_has_is_not_parted() -> None:
    assert joint("An index maps docu", "ments", "Every document counts, as documents do.") == ""


def taken(events: Sequence[Event], texts: Sequence[str] = ("An index maps the",)) -> list[Event]:
    """What the page is told of an exchange that goes on with an answer."""
    both = Continued(texts, (), Shelf(()), root="/")
    return [told for event in events for told in both.take(event)]


def test_what_comes_follows_on_the_first_half_word_by_word() -> None:
    events = [
        PartStart(0, "text"), PartDelta(0, "ter"), PartDelta(0, "ms to"), PartDelta(0, " lists."),
        PartEnd(0, "completed", TextPart("terms to lists.")), ExchangeEnd("completed"),
    ]  # fmt: skip
    assert taken(events) == [
        PartStart(0, "text"), PartDelta(0, " terms to"), PartDelta(0, " lists."),
        PartEnd(0, "completed", TextPart(" terms to lists.")), Citations((), None), ExchangeEnd("completed"),
    ]  # fmt: skip


def test_an_attempt_that_is_taken_back_leaves_the_first_half_and_its_successor_follows_on_it() -> None:
    events = [
        PartStart(0, "text"), PartDelta(0, "terms, "), PartEnd(0, "aborted", None),
        PartStart(1, "text"), PartDelta(1, "words, "), PartEnd(1, "completed", TextPart("words.")), ExchangeEnd("completed"),
    ]  # fmt: skip
    assert taken(events) == [
        PartStart(0, "text"), PartDelta(0, " terms, "), PartEnd(0, "completed", TextPart(" words.")),
        Citations((), None), ExchangeEnd("completed"),
    ]  # fmt: skip


def test_a_text_before_a_call_stays_text_and_what_follows_the_call_is_a_text_of_its_own() -> None:
    call = ToolCallPart("c1", "book_toc", {})
    events = [
        PartStart(0, "text"), PartDelta(0, "terms."), PartEnd(0, "completed", TextPart("terms.")),
        PartDemote(0), PartStart(1, "tool-call", "c1", "book_toc"), PartEnd(1, "completed", call),
        PartStart(2, "text"), PartDelta(2, "More."), PartEnd(2, "completed", TextPart("More.")), ExchangeEnd("completed"),
    ]  # fmt: skip
    assert taken(events) == [
        PartStart(0, "text"), PartDelta(0, " terms."), PartEnd(0, "completed", TextPart(" terms.")),
        PartStart(1, "tool-call", "c1", "book_toc"), PartEnd(1, "completed", call),
        PartStart(2, "text"), PartDelta(2, "More."), PartEnd(2, "completed", TextPart("More.")),
        Citations((), None), ExchangeEnd("completed"),
    ]  # fmt: skip
