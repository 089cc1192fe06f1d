"""One chapter, or what the reader has come to, is searched as if the rest of the book were not there to be found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from askbook.core.exchange import Ask
from askbook.core.extract import answer
from askbook.core.schema import Card, Section
from askbook.core.search import Found, search
from askbook.core.toolbox import Shelf
from tests.fakes.memory import ScriptedTransport, run, said
from tests.shelves import book, card, shelf

NAMED = [card(f"Network {place}", "A neural network, a neural network: neural network.") for place in range(450)]
CLOTH = card("Cloth", "A long note on looms, which only in passing names a neural network of threads.")
PUMPS = card("Pumps", "A network of pipes with pumps.")
THEOREMS = [
    card(f"Theorem 1.1 of {place}", "Theorem 1.1. All is well.", kind="theorem", number="1.1") for place in range(6)
]  # fmt: skip


def chapters(*own: list[Card]) -> Shelf:
    """A book whose chapters hold these cards."""
    cards = [replace(one, chapter=at) for at, some in enumerate(own) for one in some]
    ends = [sum(map(len, own[: at + 1])) for at in range(len(own))]
    sections = [Section(f"Part {at}", f"c{at}/", 0, end - len(own[at]), end) for at, end in enumerate(ends)]
    return Shelf(tuple(shelf(book(*cards, sections=tuple(sections)))))


def found(own: Shelf, chapter: int, question: str) -> Found:
    index = own.indexes[0]
    return own.search_chapter(index, index.sections[chapter], question, k=8)


def titles(results: Found) -> list[str]:
    return [hit.card.title for hit in results.hits]


BOOK = chapters([*NAMED, *THEOREMS], [CLOTH, PUMPS, THEOREMS[5]], [card("Rivers", "Water that flows.")])


@pytest.mark.parametrize(
    ("question", "cards"),
    [
        ("neural network", ["Cloth", "Pumps"]),  # however many cards elsewhere are better
        ("pumps", ["Pumps"]),
        ("of which", ["Cloth", "Pumps", "Theorem 1.1 of 5"]),  # nothing but function words
        ("Theorem 1.1", ["Theorem 1.1 of 5"]),  # however many cards before it carry that number too
        ("the flow of water", []),  # the book has it elsewhere: function words are not gone by
    ],
)
def test_a_chapter_is_searched_for_all_it_has(question: str, cards: list[str]) -> None:
    assert titles(found(BOOK, 1, question)) == cards


def test_a_question_is_weak_in_a_chapter_that_has_only_a_part_of_it() -> None:
    own = chapters([*NAMED, card("Water", "Of rivers.")], [PUMPS, card("Rivers", "Water that flows.")])
    assert search(own.indexes, "neural network").status.confidence == 1
    assert found(own, 0, "neural network").status.confidence == 1
    assert 0 < found(own, 1, "neural network").status.confidence < 0.5
    assert found(own, 1, "neural").status.confidence == 0


def test_a_title_of_the_chapter_before_is_no_first_part() -> None:
    own = chapters([card("Summary", "Nothing of note.", name="end")], [card("Summary", "Pumps and valves.", name="start")])
    assert [hit.card.id for hit in found(own, 1, "summary").hits] == ["start"]


def test_a_twin_in_another_chapter_takes_nothing_away() -> None:
    long = "Pumps lift water from the river to the mill, by day and by night, in all weathers and at any time of the year."
    own = chapters([card("Mills", long, name="first")], [card("Mills", long, name="second"), PUMPS])
    assert [hit.card.id for hit in found(own, 1, "pumps that lift water").hits] == ["second", "Pumps"]


def test_what_lies_ahead_of_the_reader_hides_nothing() -> None:
    own = chapters([CLOTH, PUMPS], [*NAMED])
    near = replace(own, horizon=0)
    assert titles(near.search("neural network", k=8)) == ["Cloth", "Pumps"]
    assert titles(found(near, 0, "neural network")) == ["Cloth", "Pumps"]
    assert found(near, 1, "neural network").hits == ()
    assert near.search("network 12", k=1).status.confidence < own.search("network 12", k=1).status.confidence


def test_the_book_itself_answers_from_a_chapter_that_names_a_thing_in_passing() -> None:
    assert "looms" in said(run(Ask("neural network", chapter="c1/"), ScriptedTransport([]), BOOK))


def test_an_answer_says_no_more_than_was_searched() -> None:
    none = answer("the flow of water", found(BOOK, 1, "the flow of water"), lang="en", chapter="Part 1")
    assert none == "Nothing in “Part 1” answers this question; the rest of the book was not searched.\n"
    question = "a neural network of heaps in gardens"
    weak = answer(question, found(BOOK, 1, question), lang="en", chapter="Part 1").split("\n\n")
    assert "“Part 1” does not speak of this directly; these passages of it come closest." in weak
    nothing = answer("流水", found(BOOK, 1, "流水"), lang="zh-Hans", chapter="$x_{1}$ 篇")
    assert nothing.endswith("“$x_{1}$ 篇”中没有找到与这个问题有关的内容，书的其余部分没有查找。\n")
