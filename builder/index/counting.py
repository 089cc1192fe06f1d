"""Count all cards of a book at once, and turn what was counted into the cards of each term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from typing import Final

import numpy as np

from askbook.core.folding import fold
from askbook.core.lexicon import Lexicon
from askbook.core.limits import FIELD_BREADCRUMB, FIELD_LABEL, FIELD_TITLE
from askbook.core.schema import Book, Card

from .cuts import Cuts
from .kept import Kept
from .memory import key_of
from .pieces import SHAPE, Pieces, Stock
from .runs import Pairs, Runs
from .table import Flags, Numbers, Rows, Table, joined, numbers, stretches
from .tally import Numbered, Pieced, Tally, split
from .terms import capitals, proper_names

_FIELDS: Final = 3
"""What is counted of a card: its text, its title, the headings above it."""
_WEIGHTS: Final = numbers([1, FIELD_TITLE, FIELD_BREADCRUMB])


@dataclass(frozen=True, slots=True)
class Counted:
    """The terms of a book."""

    lengths: list[int]
    """Of each card."""
    number: Mapping[str, int]
    """Of each term; some stand in no card any more."""
    order: Numbers
    """All terms but pairs in their order."""
    pairs: Flags
    """Of each term, whether it is a pair of letters of a script without spaces."""
    roots: Numbers
    """Of each term, the number of its stem; -1 where it has no other."""
    table: Table
    """Where each stands, fields weighted."""
    shapes: Numbers
    """Of each term, as first seen; a pair of letters has one only if it mostly is a function word, or stands in a formula."""
    names: frozenset[str]
    """Latin words that the book nearly always writes with a capital."""


def count_book(book: Book, texts: Sequence[str], carried: Mapping[str, Sequence[int]], cuts: Cuts, kept: Kept) -> Counted:
    """Count the cards of a book, whose folded texts are given, with the labels each carries as its own."""
    stock = Stock(kept)
    batch = _Batch(book.cards, texts, kept.wanted("rows"), stock.numbered)
    gone = _text_pieces(kept.gone("folded") if stock.pieces else (), stock.numbered)
    tally, pairs = batch.tally.found, batch.runs.pairs()
    pieces = Pieces(stock, pairs.terms)
    lengths = kept.each("lengths", lambda ordinals: _lengths(tally, pieces, pairs, len(ordinals)))
    cards = max(1, len(texts))
    rows = _all_rows(_rows(tally, pieces, pairs, kept.wanted("rows").start), cards, kept)
    added = [_labels(carried, pieces.terms)]
    if cuts.lexicon.openings:
        added.append(_words(batch.segments(cuts.lexicon, kept), cuts, pieces.terms))
    rows = rows.plus(joined(added).gathered(cards), cards)
    totals = pieces.totals(tally.pieces[tally.owners % _FIELDS == 0], gone)
    names = proper_names(kept.total("capitals", capitals, texts), partial(pieces.lower, totals))
    is_pair, roots, order = pieces.judged()
    pieces.keep(kept, totals, is_pair, roots, order)
    table = rows.table(len(pieces.terms))
    stops = np.bincount(rows.terms, rows.stops, minlength=len(pieces.terms))
    shapes = np.where(2 * stops > table.totals, SHAPE["stop"], table.shapes)
    return Counted(lengths, pieces.terms, order, is_pair, roots, table, shapes, names)


class _Batch:
    """The fields of some cards."""

    def __init__(self, cards: Sequence[Card], texts: Sequence[str], ordinals: range, numbered: Numbered) -> None:
        self._cards, self._texts, self._ordinals = cards, texts, ordinals
        fields = self._fields(ordinals)
        parted = [*map(split, fields)]
        self.runs = _runs(fields, parted)
        self.tally = Tally(fields, parted, self.runs, numbered)

    def _fields(self, ordinals: range) -> list[str]:
        return [
            each
            for place in ordinals
            for each in (self._texts[place], fold(self._cards[place].title), _trail(self._cards[place].breadcrumb))
        ]

    def segments(self, lexicon: Lexicon, kept: Kept) -> list[tuple[tuple[int, str], ...]]:
        """Of each card of the book, the runs that may hold a longer word, each with its field."""
        return kept.each(("segments", key_of(*sorted(lexicon.costs))), partial(self._segments, lexicon))

    def _segments(self, lexicon: Lexicon, ordinals: range) -> list[tuple[tuple[int, str], ...]]:
        if ordinals == self._ordinals:
            runs = self.runs
        else:
            fields = self._fields(ordinals)
            runs = _runs(fields, [*map(split, fields)])
        found: list[list[tuple[int, str]]] = [[] for _ in ordinals]
        for owner, segment in runs.segments(lexicon):
            found[owner // _FIELDS].append((owner % _FIELDS, segment))
        return [*map(tuple, found)]


def _runs(fields: Sequence[str], parted: Sequence[tuple[str, list[str]]]) -> Runs:
    return Runs(["" if field.isascii() else prose for field, (prose, _) in zip(fields, parted, strict=True)])


@lru_cache(maxsize=16384)
def _trail(breadcrumb: tuple[str, ...]) -> str:
    return fold(" \n".join(breadcrumb))


def _text_pieces(texts: Sequence[str], numbered: Numbered) -> Numbers:
    """Every piece of folded texts."""
    parted = [*map(split, texts)]
    return Tally(texts, parted, _runs(texts, parted), numbered).found.pieces


def _lengths(tally: Pieced, pieces: Pieces, pairs: Pairs, cards: int) -> list[int]:
    """How long the cards of a batch are."""
    found = np.bincount(pairs.owners[pairs.beside == 0] // _FIELDS, minlength=cards)
    heavy = np.bincount(tally.owners // _FIELDS, pieces.heavy[tally.pieces], minlength=cards)
    return (found + heavy.astype(np.int64)).tolist()  # type: ignore[no-any-return]


def _labels(carried: Mapping[str, Sequence[int]], terms: Numbered) -> Rows:
    """Labels, and their numbers, by the cards that carry them as their own."""
    own: list[int] = []
    cards: list[int] = []
    for label, ordinals in carried.items():
        for term in (label, label.partition(" ")[2]):
            own += [terms[term]] * len(ordinals)
            cards += ordinals
    return _bare_rows(numbers(own), numbers(cards), np.full(len(own), FIELD_LABEL))


def _words(segments: Sequence[Sequence[tuple[int, str]]], cuts: Cuts, terms: Numbered) -> Rows:
    """Words of a lexicon in the runs of each card."""
    cards = np.repeat(np.arange(len(segments)), numbers([*map(len, segments)]))
    flat = [*chain.from_iterable(segments)]
    found = cuts.all([segment for _, segment in flat])
    sizes = numbers([*map(len, found)])
    weights = _WEIGHTS[numbers([field for field, _ in flat])]
    own = numbers([*map(terms.__getitem__, chain.from_iterable(found))])
    return _bare_rows(own, np.repeat(cards, sizes), np.repeat(weights, sizes))


def _bare_rows(terms: Numbers, cards: Numbers, times: Numbers) -> Rows:
    nothing = np.zeros(len(terms), dtype=np.int64)
    return Rows(terms, cards, times, nothing, nothing)


def _rows(tally: Pieced, pieces: Pieces, pairs: Pairs, first: int) -> Rows:
    """A row for each term of each piece, and for each place of a pair, in a batch of cards that begins at `first`."""
    sizes = pieces.sizes[tally.pieces]
    own = stretches(pieces.starts[tally.pieces], sizes)
    owners = np.concatenate([np.repeat(tally.owners, sizes), pairs.owners])
    cards = owners // _FIELDS
    weights = _WEIGHTS[owners - cards * _FIELDS]
    stops, shapes = np.zeros(len(owners), dtype=np.int64), np.zeros(len(owners), dtype=np.int64)
    stops[len(own) :] = weights[len(own) :] * (pairs.beside == 2)
    shapes[: len(own)] = pieces.shapes[own]
    terms = np.concatenate([pieces.members[own], pieces.pairs[pairs.members]])
    return Rows(terms, first + cards, weights, stops, shapes)


def _all_rows(own: Rows, cards: int, kept: Kept) -> Rows:
    """Gathered rows of all cards, of which those that have changed are given."""
    rows = own.gathered(cards)
    if (known := kept.value("rows")) is not None:
        rows = Rows.unpacked(known).moved(*kept.stretch).plus(rows, cards)
    if kept.lasting:
        kept.keep("rows", rows.packed())
    return rows
