"""What was made of a card is made again only when the card, or one that it depends on, has changed."""

from __future__ import annotations

import pytest

from askbook.builder.index.kept import Kept
from askbook.builder.index.memory import Memory
from askbook.builder.index.twins import twins
from askbook.core.schema import Card
from tests.shelves import book, card

BEFORE = tuple(card(name, f"text of {name}") for name in "abcde")


def rebuilt(after: tuple[Card, ...], *, beside: int = 0) -> tuple[list[int], list[str]]:
    """Ordinals that are asked for in the second build, and its values: the card's title with that of the one before."""
    memory = Memory()
    asked: list[int] = []
    values: list[str] = []
    for cards in (BEFORE, after):
        kept = Kept(book(*cards), memory)
        asked = [*kept.wanted("titles", beside=beside)]
        values = kept.each(
            "titles", lambda ordinals, cards=cards: [f"{cards[n].title}{cards[n - 1].title}" for n in ordinals], beside=beside
        )
        kept.done()
        memory.turn()
    return asked, values


def test_cards_that_are_as_they_were_are_not_asked_for() -> None:
    changed = (*BEFORE[:2], card("c", "another text"), *BEFORE[3:])
    assert rebuilt(changed) == ([2], ["ae", "ba", "cb", "dc", "ed"])


@pytest.mark.parametrize(
    ("after", "asked", "values"),
    [
        ((*BEFORE[:2], *BEFORE[3:]), [2], ["ae", "ba", "db", "ed"]),
        ((*BEFORE[:2], card("x", "x"), *BEFORE[2:]), [2, 3], ["ae", "ba", "xb", "cx", "dc", "ed"]),
        (BEFORE[:3], [], ["ae", "ba", "cb"]),
        ((), [], []),
        (BEFORE, [], ["ae", "ba", "cb", "dc", "ed"]),
    ],
    ids=["one less", "one more", "the last ones less", "none", "the same"],
)
def test_the_card_behind_a_change_is_asked_for_where_it_depends_on_it(
    after: tuple[Card, ...], asked: list[int], values: list[str]
) -> None:
    assert rebuilt(after, beside=1) == (asked, values)


def test_a_twin_of_a_twin_stands_by_itself_again() -> None:
    first, second, third, fourth, *rest = [f"Sentence {n:02} {'of one text ' * 3}." for n in range(10, 70)]
    long = [f"Sentence {n:02} {'of some words ' * 3}." for n in range(4)]
    texts = {
        "a": [first, second, third, fourth, *rest],
        "b": [*long[:2], first, second, third, fourth, *rest[:-2]],
        "c": [*long, third, fourth, *rest[:-2]],  # like b, and not like a: its longest sentences are none of a's
    }
    cards = [card(name, "\n".join(text)) for name, text in texts.items()]
    memory = Memory()
    found = []
    for own in (cards, cards[1:], cards):
        found.append(twins(book(*own), kept := Kept(book(*own), memory)))
        kept.done()
        memory.turn()
    assert found == [[(1, 0)], [(1, 0)], [(1, 0)]]
    assert found == [twins(book(*own)) for own in (cards, cards[1:], cards)]


def test_pairs_move_with_their_cards() -> None:
    memory = Memory()
    first = Kept(book(*BEFORE), memory)
    first.keep("twins", [(2, 0), (4, 1), (4, 3)])
    first.done()
    memory.turn()
    second = Kept(book(BEFORE[0], card("x", "x"), card("y", "y"), *BEFORE[2:]), memory)
    assert second.stretch == (1, 2, 3)
    assert second.moved("twins") == {3: 0, 5: 4}
    assert second.moved("unknown") is None
