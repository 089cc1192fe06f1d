"""Count all cards of a book at once, and turn what was counted into the cards of each term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

import numpy as np

from askbook.core.folding import fold
from askbook.core.lexicon import Lexicon
from askbook.core.limits import FIELD_BREADCRUMB, FIELD_LABEL, FIELD_TITLE
from askbook.core.schema import Book

from .pieces import SHAPE, Pieces
from .runs import Runs
from .table import Numbers, Rows, Table, gathered, numbers, stretches
from .tally import Numbered, Tally, split
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
    pairs: Sequence[bool]
    """Of each term, whether it is a pair of letters of a script without spaces."""
    table: Table
    """Where each stands, fields weighted."""
    shapes: Numbers
    """Of each term, as first seen; a pair of letters has one only if it mostly is a function word, or stands in a formula."""
    names: frozenset[str]
    """Latin words that the book nearly always writes with a capital."""


def count_book(book: Book, texts: Sequence[str], carried: Mapping[str, Sequence[int]], lexicon: Lexicon) -> Counted:
    """Count the cards of a book, whose folded texts are given, with the labels each carries as its own."""
    fields = [
        each for text, card in zip(texts, book.cards, strict=True) for each in (text, fold(card.title), _trail(card.breadcrumb))
    ]
    parted = [*map(split, fields)]
    runs = Runs(["" if field.isascii() else prose for field, (prose, _) in zip(fields, parted, strict=True)])
    tally = Tally(fields, parted, runs)
    pieces = Pieces(tally.numbered)
    pairs = numbers([pieces.terms[pair] for pair in runs.terms])
    added = _Added(pieces.terms)
    added.labels(carried)
    if lexicon.openings:
        added.words(runs, lexicon)
    cards = max(1, len(texts))
    table = gathered(_rows(tally, pieces, runs, pairs, added), len(pieces.terms), cards)
    stops = np.zeros(len(pieces.terms), dtype=np.int64)
    np.add.at(stops, pairs[runs.members[runs.stops]], _WEIGHTS[runs.owners[runs.stops] % _FIELDS])
    shapes = np.where(2 * stops > table.totals, SHAPE["stop"], table.shapes)
    here = np.bincount(tally.pieces[tally.owners % _FIELDS == 0], minlength=len(tally.numbered))
    names = proper_names(capitals(texts), partial(pieces.lower, here))
    lengths = np.bincount(runs.owners[runs.free] // _FIELDS, minlength=cards)
    np.add.at(lengths, tally.owners // _FIELDS, pieces.heavy[tally.pieces])
    return Counted(lengths.tolist()[: len(texts)], [*pieces.terms], pieces.pairs(pairs), table, shapes, names)


@lru_cache(maxsize=16384)
def _trail(breadcrumb: tuple[str, ...]) -> str:
    return fold(" \n".join(breadcrumb))


class _Added:
    """Where terms stand beside the pieces: labels that cards carry as their own, and the longer Chinese words."""

    def __init__(self, terms: Numbered) -> None:
        self._number = terms.__getitem__
        self.terms: list[int] = []
        self.cards: list[int] = []
        self.times: list[int] = []

    def labels(self, carried: Mapping[str, Sequence[int]]) -> None:
        """Labels, and their numbers."""
        for label, ordinals in carried.items():
            for term in (label, label.partition(" ")[2]):
                self.terms += [self._number(term)] * len(ordinals)
                self.cards += ordinals
                self.times += [FIELD_LABEL] * len(ordinals)

    def words(self, runs: Runs, lexicon: Lexicon) -> None:
        """Words of a lexicon."""
        for owner, found in runs.words(lexicon):
            self.terms += map(self._number, found)
            self.cards += [owner // _FIELDS] * len(found)
            self.times += [int(_WEIGHTS[owner % _FIELDS])] * len(found)


def _rows(tally: Tally, pieces: Pieces, runs: Runs, pairs: Numbers, added: _Added) -> Rows:
    """A row for each term of each piece, for each place of a pair, and for what was added."""
    sizes = pieces.sizes[tally.pieces]
    own = stretches(pieces.starts[tally.pieces], sizes)
    owners = np.concatenate([np.repeat(tally.owners, sizes), runs.owners])
    shapes = np.zeros(len(owners) + len(added.terms), dtype=np.int64)
    shapes[: len(own)] = pieces.shapes[own]
    return Rows(
        np.concatenate([pieces.members[own], pairs[runs.members], numbers(added.terms)]),
        np.concatenate([owners // _FIELDS, numbers(added.cards)]),
        np.concatenate([_WEIGHTS[owners % _FIELDS], numbers(added.times)]),
        shapes,
    )
