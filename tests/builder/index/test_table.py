"""Rows of postings are put in order and added up, and lists are written in bulk as they are one by one."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askbook.builder.index import letters
from askbook.builder.index.records import gap_column, gaps_of
from askbook.builder.index.table import Rows, distinct, gathered, numbers, stable
from askbook.core.columns import read_gaps, read_names, split

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(1, 9), st.integers(0, 3)), max_size=30)


@given(ROWS)
def test_rows_of_one_term_in_one_card_are_added_up(rows: list[tuple[int, int, int, int]]) -> None:
    known = sorted({term for term, _, _, _ in rows})
    rows = sorted([(known.index(term), card, times, shape) for term, card, times, shape in rows], key=lambda row: row[1])
    table = gathered(Rows(*map(numbers, zip(*rows, strict=True))) if rows else Rows(*[numbers([])] * 4), len(known), 5)
    sums: Counter[tuple[int, int]] = Counter()
    shapes: dict[int, int] = {}
    for term, card, times, shape in rows:
        sums[term, card] += times
        shapes[term] = shapes.get(term) or shape
    terms = np.repeat(np.arange(len(known)), table.sizes)
    made = dict(zip(zip(terms.tolist(), table.cards.tolist(), strict=True), table.times.tolist(), strict=True))
    assert list(made.items()) == sorted(sums.items())
    assert table.shapes.tolist() == [shapes[term] for term in range(len(known))]
    assert table.totals.tolist() == [sum(seen for (own, _), seen in sums.items() if own == term) for term in range(len(known))]


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
