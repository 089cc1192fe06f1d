"""Where every term of a book stands, as arrays: one row for a term and a card, those of a term together and in order of cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .kept import Kept

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
_BITS: Final = 16
"""Of a digit; numbers of so few bits are put in order without comparing them."""
_DIGIT: Final = (1 << _BITS) - 1


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows as they are counted; a term may stand in a card more than once."""

    terms: Numbers
    cards: Numbers
    times: Numbers
    shapes: Numbers
    """How the terms of the first rows were made, 0 where nothing is said; these rows are in order of their cards."""


@dataclass(frozen=True, slots=True)
class Table:
    """Postings by the numbers of terms."""

    starts: Numbers
    """Of each term, its first row."""
    sizes: Numbers
    """Of each term, in how many cards it stands."""
    cards: Numbers
    times: Numbers
    totals: Numbers
    """Of each term, its frequency in the book."""
    shapes: Numbers
    """Of each term, as first seen."""

    def rows(self, terms: Numbers) -> Numbers:
        """Places of the rows of terms, one after the other."""
        return stretches(self.starts[terms], self.sizes[terms])

    def without(self, empty: Flags) -> Table:
        """The table without terms that have no row."""
        some = ~empty
        return Table(self.starts[some], self.sizes[some], self.cards, self.times, self.totals[some], self.shapes[some])


def owned(
    kept: Kept, part: str, numbers: Numbers, owners: Numbers, *, fields: int, form: type[np.signedinteger[Any]]
) -> tuple[Numbers, Numbers]:
    """Numbers of all texts of a book with the text that owns each, where those of the texts of the wanted cards are given."""
    if not kept.lasting:
        return numbers, owners
    counts = np.bincount(owners, minlength=len(kept.wanted(part)) * fields).tolist()
    sizes, data = kept.strip(part, counts, numbers.astype(form).tobytes(), np.dtype(form).itemsize)
    return np.frombuffer(data, dtype=form).astype(np.int64), np.repeat(np.arange(len(sizes)), sizes)


def numbers(values: Sequence[int]) -> Numbers:
    """Whole numbers as an array."""
    return np.array(values, dtype=np.int64)


def stretches(starts: Numbers, sizes: Numbers) -> Numbers:
    """The numbers from each start on, as many as its size says."""
    before = np.cumsum(sizes) - sizes
    return np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()), dtype=np.int64)


def gathered(rows: Rows, terms: int, cards: int) -> Table:
    """Put rows in order and add up those of one term in one card."""
    pairs = rows.terms * cards + rows.cards
    order = stable(pairs, terms * cards)
    pairs, times = pairs[order], rows.times[order]
    first = np.flatnonzero(np.diff(pairs, prepend=-1))
    own = pairs[first]
    term = own // cards
    times = np.add.reduceat(times, first) if len(first) else first
    sizes = np.bincount(term, minlength=terms).astype(np.int64)
    starts = np.cumsum(sizes) - sizes
    totals = np.bincount(term, times, minlength=terms).astype(np.int64)
    shapes = np.zeros(terms, dtype=np.int64)
    said = np.flatnonzero(rows.shapes)[::-1]
    shapes[rows.terms[said]] = rows.shapes[said]  # the first of each term is assigned last, and stays
    return Table(starts, sizes, own - term * cards, times, totals, shapes)


def stable(keys: Numbers, most: int) -> Numbers:
    """Places of keys up to `most` in their order, equal ones as they stand: by their last digits, then by those before."""
    order = np.argsort((keys & _DIGIT).astype(np.uint16), kind="stable")
    for shift in range(_BITS, most.bit_length(), _BITS):
        digits = ((keys >> shift) & _DIGIT).astype(np.uint16)
        order = order[np.argsort(digits[order], kind="stable")]
    return order


def distinct(keys: Numbers, most: int) -> tuple[Numbers, Numbers]:
    """Keys in their order, each once, and for every place which of them stands there."""
    order = stable(keys, most)
    keys = keys[order]
    new = np.diff(keys, prepend=-1) > 0
    places = np.empty(len(keys), dtype=np.int64)
    places[order] = np.cumsum(new) - 1
    return keys[new], places
