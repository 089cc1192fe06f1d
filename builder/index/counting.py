"""Count all cards of a book at once, and turn what was counted into the cards of each term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, compress
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
from .table import Flags, Numbers, Rows, Table, gathered, numbers, stretches
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
    terms: list[str]
    pairs: Flags
    """Of each term, whether it is a pair of letters of a script without spaces."""
    table: Table
    """Where each stands, fields weighted."""
    shapes: Numbers
    """Of each term, as first seen; a pair of letters has one only if it mostly is a function word, or stands in a formula."""
    names: frozenset[str]
    """Latin words that the book nearly always writes with a capital."""


def count_book(book: Book, texts: Sequence[str], carried: Mapping[str, Sequence[int]], cuts: Cuts, kept: Kept) -> Counted:
    """Count the cards of a book, whose folded texts are given, with the labels each carries as its own."""
    stock = Stock(kept)
    batch = _Batch(book.cards, texts, kept.wanted("tally"), stock.numbered)
    tally = batch.tally.found.kept(kept, _FIELDS)
    pairs = batch.runs.pairs().kept(kept, _FIELDS)
    pieces = Pieces(stock)
    stock.keep(pieces)
    pair_terms = pieces.terms.all(pairs.terms)
    added = [_labels(carried, pieces.terms)]
    if cuts.lexicon.openings:
        added.append(_words(batch.segments(cuts.lexicon, kept), cuts, pieces.terms))
    cards = max(1, len(texts))
    table = gathered(_rows(tally, pieces, pairs, pair_terms, added), len(pieces.terms), cards)
    inside = pairs.beside == 2
    weights = _WEIGHTS[pairs.owners[inside] % _FIELDS]
    stops = np.bincount(pair_terms[pairs.members[inside]], weights, minlength=len(pieces.terms))
    shapes = np.where(2 * stops > table.totals, SHAPE["stop"], table.shapes)
    here = np.bincount(tally.pieces[tally.owners % _FIELDS == 0], minlength=len(stock.numbered))
    names = proper_names(kept.total("capitals", capitals, texts), partial(pieces.lower, here))
    lengths = np.bincount(pairs.owners[pairs.beside == 0] // _FIELDS, minlength=cards)
    lengths += np.bincount(tally.owners // _FIELDS, pieces.heavy[tally.pieces], minlength=cards).astype(np.int64)
    is_pair = pieces.pairs(pair_terms)
    terms = [*pieces.terms]
    if not table.sizes.all():  # terms that no card has any more
        alive = table.sizes > 0
        table, shapes, is_pair = table.without(~alive), shapes[alive], is_pair[alive]
        terms = list(compress(terms, alive.tolist()))
    return Counted(lengths.tolist()[: len(texts)], terms, is_pair, table, shapes, names)


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


@dataclass(frozen=True, slots=True)
class _Added:
    """Where terms stand beside the pieces: labels that cards carry as their own, or the longer Chinese words."""

    terms: Numbers
    cards: Numbers
    times: Numbers


def _labels(carried: Mapping[str, Sequence[int]], terms: Numbered) -> _Added:
    """Labels, and their numbers."""
    own: list[int] = []
    cards: list[int] = []
    for label, ordinals in carried.items():
        for term in (label, label.partition(" ")[2]):
            own += [terms[term]] * len(ordinals)
            cards += ordinals
    return _Added(numbers(own), numbers(cards), np.full(len(own), FIELD_LABEL))


def _words(segments: Sequence[Sequence[tuple[int, str]]], cuts: Cuts, terms: Numbered) -> _Added:
    """Words of a lexicon in the runs of each card."""
    cards = np.repeat(np.arange(len(segments)), numbers([*map(len, segments)]))
    flat = [*chain.from_iterable(segments)]
    found = cuts.all([segment for _, segment in flat])
    sizes = numbers([*map(len, found)])
    weights = _WEIGHTS[numbers([field for field, _ in flat])]
    own = numbers([*map(terms.__getitem__, chain.from_iterable(found))])
    return _Added(own, np.repeat(cards, sizes), np.repeat(weights, sizes))


def _rows(tally: Pieced, pieces: Pieces, pairs: Pairs, pair_terms: Numbers, added: Sequence[_Added]) -> Rows:
    """A row for each term of each piece, for each place of a pair, and for what was added."""
    sizes = pieces.sizes[tally.pieces]
    own = stretches(pieces.starts[tally.pieces], sizes)
    owners = np.concatenate([np.repeat(tally.owners, sizes), pairs.owners])
    return Rows(
        np.concatenate([pieces.members[own], pair_terms[pairs.members], *(each.terms for each in added)]),
        np.concatenate([owners // _FIELDS, *(each.cards for each in added)]),
        np.concatenate([_WEIGHTS[owners % _FIELDS], *(each.times for each in added)]),
        pieces.shapes[own],
    )
