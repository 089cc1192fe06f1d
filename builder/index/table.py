"""Where every term of a book stands, as arrays: one row for a term and a card, those of a term together and in order of cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
_BITS: Final = 16
"""Of a digit; numbers of so few bits are put in order without comparing them."""
_DIGIT: Final = (1 << _BITS) - 1


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows, one for a term in a card; as they are counted, a term may stand in a card more than once."""

    terms: Numbers
    cards: Numbers
    times: Numbers
    stops: Numbers
    """How often of that the term is inside a function word."""
    shapes: Numbers
    """How the term was made where it first stands in the card, 0 where nothing is said."""

    def columns(self) -> tuple[Numbers, ...]:
        """Term, card, times, stops and shape of every row."""
        return self.terms, self.cards, self.times, self.stops, self.shapes

    def gathered(self, cards: int) -> Rows:
        """Them in order of terms and cards, those of one term in one card added up."""
        if not len(self.terms):
            return self
        keys = self.terms * cards + self.cards
        order = stable(keys, (int(self.terms.max()) + 1) * cards)
        keys = keys[order]
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        terms = keys[first] // cards
        times, stops = (np.add.reduceat(each[order], first) for each in (self.times, self.stops))
        return Rows(terms, keys[first] - terms * cards, times, stops, self.shapes[order[first]])

    def packed(self) -> tuple[Packed, ...]:
        """Gathered rows to be kept."""
        return tuple(map(pack, (np.diff(self.terms, prepend=0), *self.columns()[1:])))

    @staticmethod
    def unpacked(packed: Sequence[Packed]) -> Rows:
        """Rows that were kept."""
        steps, *others = map(unpack, packed)
        return Rows(np.cumsum(steps), *others)

    def moved(self, start: int, gone: int, end: int) -> Rows:
        """Those of other cards than `start` to `gone`, in place of which there are cards up to `end`."""
        behind = self.cards >= gone
        stay = behind | (self.cards < start)
        cards = self.cards + behind * (end - gone)
        return Rows(*(each[stay] for each in (self.terms, cards, self.times, self.stops, self.shapes)))

    def plus(self, others: Rows, cards: int) -> Rows:
        """Them and others, both gathered; of what stands in both, the others say how often alone."""
        if not len(self.terms):
            return others
        keys, wanted = self.terms * cards + self.cards, others.terms * cards + others.cards
        places = np.searchsorted(keys, wanted)
        here = keys[np.minimum(places, len(keys) - 1)] == wanted
        times, new = self.times.copy(), ~here
        times[places[here]] += others.times[here]
        at = places[new] + np.arange(int(new.sum()))
        old = np.ones(len(keys) + len(at), dtype=bool)
        old[at] = False
        made = []
        for own, other in zip((self.terms, self.cards, times, self.stops, self.shapes), others.columns(), strict=True):
            column = np.empty(len(old), dtype=np.int64)
            column[old], column[at] = own, other[new]
            made.append(column)
        return Rows(*made)

    def table(self, terms: int) -> Table:
        """Gathered rows as the table of so many terms."""
        sizes = np.bincount(self.terms, minlength=terms).astype(np.int64)
        starts = np.cumsum(sizes) - sizes
        totals = np.bincount(self.terms, self.times, minlength=terms).astype(np.int64)
        shapes, some = np.zeros(terms, dtype=np.int64), sizes > 0
        shapes[some] = self.shapes[starts[some]]
        late = np.flatnonzero((self.shapes > 0) & (shapes[self.terms] == 0))[::-1]
        shapes[self.terms[late]] = self.shapes[late]  # the first of each term is assigned last, and stays
        return Table(starts, sizes, self.cards, self.times, totals, shapes)


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


def joined(parts: Sequence[Rows]) -> Rows:
    """Rows one after the other."""
    return Rows(*map(np.concatenate, zip(*(part.columns() for part in parts), strict=True)))


Packed = tuple[str, bytes]
"""Numbers in as few bytes each as the largest takes."""


def pack(values: Numbers) -> Packed:
    """Pack numbers from 0 up."""
    form = np.min_scalar_type(int(values.max(initial=0)))
    return form.str, values.astype(form).tobytes()


def unpack(packed: Packed) -> Numbers:
    """Numbers as they were."""
    form, data = packed
    return np.frombuffer(data, dtype=form).astype(np.int64)


def numbers(values: Sequence[int]) -> Numbers:
    """Whole numbers as an array."""
    return np.array(values, dtype=np.int64)


def stretches(starts: Numbers, sizes: Numbers) -> Numbers:
    """The numbers from each start on, as many as its size says."""
    before = np.cumsum(sizes) - sizes
    return np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()), dtype=np.int64)


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
