"""Count every card of a book, by memory where a text is known, and turn what was counted into the cards of each term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np

from askbook.core.folding import fold
from askbook.core.lexicon import Lexicon
from askbook.core.limits import FIELD_BREADCRUMB, FIELD_LABEL, FIELD_TITLE
from askbook.core.schema import Book

from .memory import Memory, key_of
from .pieces import SHAPE, Numbered, Pieces
from .runs import Runs
from .table import Numbers, Rows, Table, gathered, numbers, stretches
from .tally import alone, split, tally
from .terms import capitals, proper_names

_FIELDS: Final = 3
"""What is counted of a card: its text, its title, the headings above it."""
_WEIGHTS: Final = numbers([1, FIELD_TITLE, FIELD_BREADCRUMB])


class _Field(NamedTuple):
    """A text, a title, or the headings above a card, and what is counted in it."""

    prose: str
    """Folded, without formulas; empty where all is ASCII."""
    pieces: Mapping[bytes, int]
    capitals: Mapping[str, int]


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


def count_book(
    book: Book, texts: Sequence[str], carried: Mapping[str, Sequence[int]], lexicon: Lexicon, memory: Memory
) -> Counted:
    """Count the cards of a book, whose folded texts are given, with the labels each carries as its own."""
    own = [_Field(_prose(text), *memory.recall("cards", key_of(text), partial(_read, text))) for text in texts]
    fields = [
        each for text, card in zip(own, book.cards, strict=True) for each in (text, _title(card.title), _trail(card.breadcrumb))
    ]
    runs = Runs([each.prose for each in fields])
    entries = _Entries(fields, runs)
    pieces = Pieces(entries.numbered)
    pairs = numbers([pieces.terms[pair] for pair in runs.terms])
    added = _Added(pieces.terms)
    added.labels(carried)
    if lexicon.openings:
        added.words(runs, lexicon)
    table = gathered(_rows(entries, pieces, runs, pairs, added), len(pieces.terms), max(1, len(book.cards)))
    stops = np.zeros(len(pieces.terms), dtype=np.int64)
    np.add.at(stops, pairs[runs.members[runs.stops]], _WEIGHTS[runs.owners[runs.stops] % _FIELDS])
    shapes = np.where(2 * stops > table.totals, SHAPE["stop"], table.shapes)
    names = proper_names((one.capitals for one in own), partial(pieces.lower, entries.in_texts()))
    lengths = entries.by_card(pieces.heavy[entries.pieces] * entries.seen)
    lengths += np.bincount(runs.owners[runs.free] // _FIELDS, minlength=len(texts))
    return Counted(lengths.tolist(), [*pieces.terms], pieces.pairs(pairs), table, shapes, names)


def _read(text: str) -> tuple[Any, ...]:
    return dict(tally(text)), dict(capitals(text))


def _prose(folded: str) -> str:
    return "" if folded.isascii() else split(folded)[0]


@lru_cache(maxsize=16384)
def _title(text: str) -> _Field:
    return _field(fold(text))


@lru_cache(maxsize=16384)
def _trail(breadcrumb: tuple[str, ...]) -> _Field:
    return _field(fold(" \n".join(breadcrumb)))


def _field(folded: str) -> _Field:
    return _Field(_prose(folded), tally(folded), {})


class _Entries:
    """What the cards count: a row for each piece of a text, a title or the headings above, in order."""

    def __init__(self, fields: Sequence[_Field], runs: Runs) -> None:
        self.numbered = Numbered()
        number = self.numbered.__getitem__
        pieces = [list(map(number, field.pieces)) for field in fields]
        seen = [list(field.pieces.values()) for field in fields]
        for owner, letter in runs.alone():
            pieces[owner].append(number(alone(letter)))
            seen[owner].append(1)
        self.pieces = numbers([*chain.from_iterable(pieces)])
        self.seen = numbers([*chain.from_iterable(seen)])
        self._sizes = numbers([*map(len, pieces)])
        self._field = np.repeat(np.arange(len(fields), dtype=np.int64), self._sizes)
        self.cards = self._field // _FIELDS
        self.times = self.seen * _WEIGHTS[self._field % _FIELDS]

    def by_card(self, values: Numbers) -> Numbers:
        """Sums of what each row has, for each card."""
        ends = np.cumsum(self._sizes)[_FIELDS - 1 :: _FIELDS]
        sums = np.concatenate([numbers([0]), np.cumsum(values)])
        return np.diff(sums[ends], prepend=0)

    def in_texts(self) -> Numbers:
        """How often the texts have each piece, titles and headings apart."""
        totals = np.zeros(len(self.numbered), dtype=np.int64)
        here = self._field % _FIELDS == 0
        np.add.at(totals, self.pieces[here], self.seen[here])
        return totals


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


def _rows(entries: _Entries, pieces: Pieces, runs: Runs, pairs: Numbers, added: _Added) -> Rows:
    """A row for each term of each entry, for each place of a pair, and for what was added."""
    sizes = pieces.sizes[entries.pieces]
    own = stretches(pieces.starts[entries.pieces], sizes)
    more = len(runs.members) + len(added.terms)
    return Rows(
        np.concatenate([pieces.members[own], pairs[runs.members], numbers(added.terms)]),
        np.concatenate([np.repeat(entries.cards, sizes), runs.owners // _FIELDS, numbers(added.cards)]),
        np.concatenate([np.repeat(entries.times, sizes), _WEIGHTS[runs.owners % _FIELDS], numbers(added.times)]),
        np.concatenate([pieces.shapes[own], np.zeros(more, dtype=np.int64)]),
    )
