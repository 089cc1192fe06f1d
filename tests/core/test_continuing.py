"""A cut answer that is gone on with is one text, whatever it was cut in."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from askbook.core.continuing import JOINED, Continued, joint
from askbook.core.parts import (
    Citations,
    Event,
    ExchangeEnd,
    PartDelta,
    PartDemote,
    PartEnd,
    PartStart,
    ReasoningPart,
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
        ("| a | b |\n|---|---|\n| 1 | 20", "24 |", "| a | b |\n|---|---|\n| 1 | 2024 |"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "So it is.", "| a | b |\n|---|---|\n| 1 | 2 |\n\nSo it is."),
        ("```python\nx = ", "1\n```", "```python\nx = 1\n```"),
        ("```python\nx = f(a", "b)\n```", "```python\nx = f(ab)\n```"),
        ("```python\nx = 1", "```\n\nDone.", "```python\nx = 1\n```\n\nDone."),
        ("```python\nx = 1", "```python\ny = 2\n```", "```python\nx = 1\n```\n\n```python\ny = 2\n```"),
        ("", "Words.", "Words."),
        ("We have $x^2", "+ y^2$ here.", "We have $x^2+ y^2$ here."),
        ("It holds if $x", "> 0$ or so.", "It holds if $x> 0$ or so."),
        ("So\n\n$$\nx = 1", "- 2\n$$\n\nDone.", "So\n\n$$\nx = 1- 2\n$$\n\nDone."),
        ("So \\[ a", "- b \\]", "So \\[ a- b \\]"),
        ("So \\( a", "- b \\)", "So \\( a- b \\)"),
        ("\\begin{align} a", "- b \\end{align}", "\\begin{align} a- b \\end{align}"),
        ("call `f(a.", "sort)` first", "call `f(a.sort)` first"),
        ("`a`, $b$ and the", "rest", "`a`, $b$ and the rest"),
        ("```\n$x\n```\nAnd the", "rest", "```\n$x\n```\nAnd the rest"),
        ("it costs $5", "million", "it costs $5 million"),
        ("$$\na\n$$", "where a", "$$\na\n$$\n\nwhere a"),
        ("The year 202", "4 was", "The year 2024 was"),
        ("In the year 20", "24. It was", "In the year 2024. It was"),
        ("It was read in", "1998. Then", "It was read in 1998. Then"),
        ("as many as 10,", "000 words", "as many as 10,000 words"),
        ("in 1998,", "20 words", "in 1998, 20 words"),
        ("1. one\n2.", "two", "1. one\n2. two"),
        ("- one\n-", "two", "- one\n- two"),
        ("##", "Next", "## Next"),
        ("1. see 3", "2. see 4", "1. see 3\n2. see 4"),
        ("> quoted", "> words", "> quoted\n> words"),
        ("It was (e.g.", "the index)", "It was (e.g. the index)"),
        ("It was (e.g.", "Zipf)", "It was (e.g. Zipf)"),
        ("in the U.S.", "there", "in the U.S. there"),
        ("in the U.S.", "Government", "in the U.S. Government"),
        ("as Dr.", "Smith says", "as Dr. Smith says"),
        ("(see **Prof.", "Zipf**)", "(see **Prof. Zipf**)"),
        ("by George K.", "Zipf", "by George K. Zipf"),
        ("by Salton et al.", "[3] Then", "by Salton et al. [3] Then"),
        ("as in Fig.", "3 and", "as in Fig. 3 and"),
        ("by Eq.", "(2.1)", "by Eq. (2.1)"),
        ("by Eq.", "$x$", "by Eq. $x$"),
        ("z. B. bzw.", "Zipf", "z. B. bzw. Zipf"),
        ("It is a fig.", "Then", "It is a fig.\n\nThen"),
        ("The answer is no.", "42 people came", "The answer is no.\n\n42 people came"),
        ("for ex.", "3 of them", "for ex.\n\n3 of them"),
        ("as in No.", "42 of", "as in No. 42 of"),
        ("as in fig.", "3 and", "as in fig. 3 and"),
        ("see pp.", "3 and", "see pp. 3 and"),
        ("nach Art.", "3 und", "nach Art. 3 und"),
        ("nach Nr.", "3 und", "nach Nr. 3 und"),
        ("It is the last.", "Then", "It is the last.\n\nThen"),
        ("It is x.", "Then", "It is x.\n\nThen"),
        ("它是 A.", "然后", "它是 A.然后"),
        ("It says so.", "[1] Then", "It says so. [1] Then"),
        ("(It says so.", ") Then", "(It says so.) Then"),
        ("at http://a.b/c.", "html", "at http://a.b/c.html"),
        ("[it](http://a.b/c?", "d=1)", "[it](http://a.b/c?d=1)"),
        ("Le café", "est bon", "Le café est bon"),
        ("Die Größe", "über alles", "Die Größe über alles"),
        ("хранит", "слова", "хранит слова"),
        ("हिन्दी", "में", "हिन्दी में"),
        ("don", "'t do", "don't do"),
        ("it'", "s fine", "it's fine"),
        ("l’", "index", "l’index"),
        ("the 'term'", "is", "the 'term' is"),
        ("call", "'sort' first", "call 'sort' first"),
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
        PartStart(JOINED, "text"), PartDelta(JOINED, " terms to"), PartDelta(JOINED, " lists."),
        PartEnd(JOINED, "completed", TextPart(" terms to lists.")), Citations((), None), ExchangeEnd("completed"),
    ]  # fmt: skip


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("- one\n- two", "- three\n- four", "- one\n- two\n- three\n- four"),
        ("It is two", "## Next\nWords.", "It is two\n\n## Next\nWords."),
        ("It has these:", "1. one\n2. two", "It has these:\n\n1. one\n2. two"),
        ("It is this:", "$$\nx\n$$", "It is this:\n\n$$\nx\n$$"),
        ("So", "```py\nx = 1\n```", "So\n\n```py\nx = 1\n```"),
        ("| a |\n|---|\n| 1 |", "| 2 |", "| a |\n|---|\n| 1 |\n| 2 |"),
        ("| a | b |\n|---|---|\n| 1 |", "some words |", "| a | b |\n|---|---|\n| 1 |some words |"),
        ("don", "'t do", "don't do"),
        ("Documents. All docu", "ments are", "Documents. All documents are"),
    ],
)
def test_the_joint_is_the_same_while_the_text_grows_and_at_its_end(before: str, after: str, whole: str, size: int) -> None:
    deltas = [PartDelta(0, after[at : at + size]) for at in range(0, len(after), size)]
    told = taken([PartStart(0, "text"), *deltas, PartEnd(0, "completed", TextPart(after))], [before])
    grown = "".join(event.text for event in told if isinstance(event, PartDelta))
    assert (before + grown, told[-1]) == (whole, PartEnd(JOINED, "completed", TextPart(grown)))


def test_an_attempt_that_is_taken_back_leaves_the_first_half_and_its_successor_follows_on_it() -> None:
    events = [
        PartStart(0, "text"), PartDelta(0, "words, "), PartEnd(0, "aborted", None),
        PartStart(1, "text"), PartDelta(1, "terms, "), PartEnd(1, "completed", TextPart("terms.")), ExchangeEnd("completed"),
    ]  # fmt: skip
    assert taken(events) == [
        PartStart(JOINED, "text"), PartDelta(JOINED, " words, "), PartEnd(JOINED, "aborted", None),
        PartStart(JOINED, "text"), PartDelta(JOINED, " terms, "), PartEnd(JOINED, "completed", TextPart(" terms.")),
        Citations((), None), ExchangeEnd("completed"),
    ]  # fmt: skip


def test_a_text_that_turns_out_to_be_thoughts_is_a_part_of_its_own_and_the_next_one_goes_on() -> None:
    thoughts = PartEnd(0, "completed", ReasoningPart("Hm, so"))
    events = [
        PartStart(0, "text"), PartDelta(0, "Hm, so"), thoughts,
        PartStart(1, "text"), PartDelta(1, "terms."), PartEnd(1, "completed", TextPart("terms.")), ExchangeEnd("completed"),
    ]  # fmt: skip
    assert taken(events) == [
        PartStart(JOINED, "text"), PartDelta(JOINED, " Hm, so"),
        PartEnd(JOINED, "aborted", None), PartStart(0, "reasoning"), thoughts,
        PartStart(JOINED, "text"), PartDelta(JOINED, " terms."), PartEnd(JOINED, "completed", TextPart(" terms.")),
        Citations((), None), ExchangeEnd("completed"),
    ]  # fmt: skip


def test_thoughts_that_turn_out_to_be_the_text_go_on_with_the_answer() -> None:
    events = [PartStart(0, "reasoning"), PartDelta(0, "terms."), PartEnd(0, "completed", TextPart("terms."))]
    assert taken(events) == [
        PartStart(0, "reasoning"), PartDelta(0, "terms."), PartEnd(0, "aborted", None),
        PartStart(JOINED, "text"), PartDelta(JOINED, " terms."), PartEnd(JOINED, "completed", TextPart(" terms.")),
    ]  # fmt: skip


def test_an_announcement_before_a_call_is_a_plan_and_what_follows_the_call_goes_on() -> None:
    call = ToolCallPart("c1", "book_toc", {})
    said = PartEnd(0, "completed", TextPart("I look that up."))
    events = [
        PartStart(0, "text"), PartDelta(0, "I look that up."), said,
        PartDemote(0), PartStart(1, "tool-call", "c1", "book_toc"), PartEnd(1, "completed", call),
        PartStart(2, "text"), PartDelta(2, "terms."), PartEnd(2, "completed", TextPart("terms.")), ExchangeEnd("completed"),
    ]  # fmt: skip
    assert taken(events) == [
        PartStart(JOINED, "text"), PartDelta(JOINED, " I look that up."),
        PartEnd(JOINED, "completed", TextPart(" I look that up.")),
        PartEnd(JOINED, "aborted", None), PartStart(0, "text"), said, PartDemote(0),
        PartStart(1, "tool-call", "c1", "book_toc"), PartEnd(1, "completed", call),
        PartStart(JOINED, "text"), PartDelta(JOINED, " terms."), PartEnd(JOINED, "completed", TextPart(" terms.")),
        Citations((), None), ExchangeEnd("completed"),
    ]  # fmt: skip
