"""Rows of postings are put in order and added up, and lists are written in bulk as they are one by one."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from operator import itemgetter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askbook.builder.index import letters
from askbook.builder.index.records import gap_column, gaps_of
from askbook.builder.index.table import Rows, distinct, numbers, stable
from askbook.core.columns import read_gaps, read_names, split

TERMS = 4
ROWS = st.lists(
    st.tuples(st.integers(0, TERMS - 1), st.integers(0, 4), st.integers(1, 9), st.integers(0, 3), st.integers(0, 3)), max_size=30
)
"""Term, card, times, stops and shape of each."""


CARDS = 5


def rows_of(drawn: list[tuple[int, int, int, int, int]]) -> Rows:
    return Rows(*map(numbers, zip(*drawn, strict=True))) if drawn else Rows(*[numbers([])] * 5)


@given(ROWS)
def test_rows_of_one_term_in_one_card_are_added_up(drawn: list[tuple[int, int, int, int, int]]) -> None:
    drawn = sorted(drawn, key=itemgetter(1))
    sums: Counter[tuple[int, int]] = Counter()
    stops: Counter[tuple[int, int]] = Counter()
    first: dict[tuple[int, int], int] = {}
    shapes: dict[int, int] = {}
    for term, card, times, stop, shape in drawn:
        sums[term, card] += times
        stops[term, card] += stop
        first.setdefault((term, card), shape)
        shapes[term] = shapes.get(term) or first[term, card]
    rows = rows_of(drawn).gathered(CARDS)
    assert [*zip(*(column.tolist() for column in rows.columns()), strict=True)] == [
        (*place, sums[place], stops[place], first[place]) for place in sorted(sums)
    ]
    table = rows.table(TERMS)
    assert table.cards.tolist() == [card for _, card in sorted(sums)]
    assert table.sizes.tolist() == [sum(own == term for own, _ in sums) for term in range(TERMS)]
    assert table.totals.tolist() == [sum(seen for (own, _), seen in sums.items() if own == term) for term in range(TERMS)]
    assert table.shapes.tolist() == [shapes.get(term, 0) for term in range(TERMS)]


@given(ROWS, ROWS, st.integers(0, CARDS), st.integers(0, CARDS), st.integers(0, 3))
def test_rows_of_changed_cards_take_the_place_of_those_that_are_gone(
    old: list[tuple[int, int, int, int, int]], new: list[tuple[int, int, int, int, int]], start: int, gone: int, more: int
) -> None:
    start, gone = sorted((start, gone))
    end, cards = start + more, CARDS + more
    new = [(term, start + card % more, *rest) for term, card, *rest in new] if more else []  # type: ignore[misc]
    shifted = [(term, card + (end - gone) * (card >= gone), *rest) for term, card, *rest in old if not start <= card < gone]
    patched = rows_of(old).gathered(CARDS).moved(start, gone, end).plus(rows_of(new).gathered(cards), cards)
    whole = rows_of([*shifted, *new]).gathered(cards)  # type: ignore[list-item]
    assert [column.tolist() for column in patched.columns()] == [column.tolist() for column in whole.columns()]


@given(ROWS, ROWS)
def test_what_stands_in_both_is_added_up(
    one: list[tuple[int, int, int, int, int]], other: list[tuple[int, int, int, int, int]]
) -> None:
    other = [(term, card, times, 0, 0) for term, card, times, _, _ in other]
    both = rows_of(one).gathered(CARDS).plus(rows_of(other).gathered(CARDS), CARDS)
    assert [column.tolist() for column in both.columns()] == [
        column.tolist() for column in rows_of([*one, *other]).gathered(CARDS).columns()
    ]


@pytest.mark.parametrize("most", [9, 2**62], ids=["one digit", "four digits"])
def test_equal_keys_stay_as_they_stand(most: int) -> None:
    assert stable(numbers([3, 1, 3, 0, 1]), most).tolist() == [3, 1, 4, 0, 2]


@given(st.lists(st.integers(0, 9), max_size=20))
def test_distinct_keys_stand_where_they_stood(keys: list[int]) -> None:
    found, places = distinct(numbers(keys), 10)
    assert found.tolist() == sorted(set(keys))
    assert [found[place] for place in places] == keys


GAPS = st.one_of(st.integers(0, 60), st.integers(1_400, 1_700), st.integers(14_000, 48_000))


@given(st.lists(st.lists(GAPS, max_size=5), max_size=6))
def test_lists_in_bulk_are_written_as_each_alone(lists: list[list[int]]) -> None:
    rising = [np.cumsum(numbers(gaps)).tolist() for gaps in lists]
    sizes = numbers([*map(len, rising)])
    column = gap_column(gaps_of(numbers([number for own in rising for number in own]), sizes), sizes)
    assert split(column) == [letters.gaps(own) for own in rising]
    assert [*map(read_gaps, split(column))] == rising


@given(st.lists(st.text(st.sampled_from("ab堆é"), max_size=30), unique=True).map(sorted))
def test_names_tell_what_they_share_with_the_one_before(names: list[str]) -> None:
    written = letters.names(names)
    assert read_names(written) == names
    pairs = list(zip(["", *names], names, strict=False))
    shared = [min(25, sum(accumulate((a == b for a, b in zip(*pair, strict=False)), min))) for pair in pairs]
    assert [ord(letter) - 65 for letter in written if "A" <= letter <= "Z"] == shared
