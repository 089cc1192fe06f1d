"""Count every card of a book, by memory where a text is known, and turn what was counted into the cards of each term."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np

from askbook.core.folding import fold
from askbook.core.lexicon import Lexicon
from askbook.core.limits import FIELD_BREADCRUMB, FIELD_LABEL, FIELD_TITLE
from askbook.core.schema import Book

from .memory import Memory, key_of
from .pieces import SHAPE, Numbered, Pieces
from .table import Numbers, Rows, Table, gathered, numbers, stretches
from .tally import RUN, split, tally
from .terms import capitals, proper_names

_SEGMENTS: Final = 3
"""What is counted of a card: its text, its title, the headings above it."""


class _Text(NamedTuple):
    """What is counted in the text of a card."""

    pieces: Mapping[bytes, int]
    pairs: Mapping[str, int]
    free: int
    stops: Mapping[str, int]
    capitals: Mapping[str, int]


class _Field(NamedTuple):
    """What a title, or the headings above a card, add to what its text counts."""

    text: str
    weight: int
    pieces: Mapping[bytes | str, int]
    """Pairs of letters too."""
    free: int
    stops: Mapping[str, int]


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
    own = [_Text(*memory.recall("cards", key_of(text), partial(_read, text))) for text in texts]
    fields = [(_title(card.title), _trail(card.breadcrumb)) for card in book.cards]
    entries = _Entries(own, fields)
    pieces = Pieces(entries.numbered)
    added = _Added(pieces.terms)
    added.labels(carried)
    if lexicon.openings:
        added.words(texts, fields, lexicon, memory)
    table = gathered(_rows(entries, pieces, added), len(pieces.terms), max(1, len(book.cards)))
    shapes = table.shapes.copy()
    for pair, seen in _function_pairs(own, fields).items():
        place = pieces.terms[pair]
        if 2 * seen > table.totals[place]:
            shapes[place] = SHAPE["stop"]
    names = proper_names((one.capitals for one in own), partial(pieces.lower, entries.in_texts()))
    heavy = pieces.heavy[entries.pieces] * entries.seen
    free = [text.free + title.free + trail.free for text, (title, trail) in zip(own, fields, strict=True)]
    lengths = entries.by_card(heavy) + numbers(free)
    return Counted(lengths.tolist(), [*pieces.terms], pieces.pairs(), table, shapes, names)


def _read(text: str) -> tuple[Any, ...]:
    one = tally(text)
    return dict(one.pieces), dict(one.pairs), one.free, one.stops, dict(capitals(text))


@lru_cache(maxsize=16384)
def _title(text: str) -> _Field:
    return _field(fold(text), FIELD_TITLE)


@lru_cache(maxsize=16384)
def _trail(breadcrumb: tuple[str, ...]) -> _Field:
    return _field(fold(" \n".join(breadcrumb)), FIELD_BREADCRUMB)


def _field(folded: str, weight: int) -> _Field:
    own = tally(folded)
    pieces: dict[bytes | str, int] = dict(chain(own.pieces.items(), own.pairs.items()))
    return _Field(folded, weight, pieces, own.free, own.stops)


class _Entries:
    """What the cards count: a row for each piece of a text, a title or the headings above, in order."""

    def __init__(self, texts: Iterable[_Text], fields: Iterable[tuple[_Field, _Field]]) -> None:
        self.numbered = Numbered()
        number = self.numbered.__getitem__
        pieces: list[int] = []
        seen: list[int] = []
        sizes: list[int] = []
        for text, (title, trail) in zip(texts, fields, strict=True):
            pieces += map(number, chain(text.pieces, text.pairs, title.pieces, trail.pieces))
            seen += chain(text.pieces.values(), text.pairs.values(), title.pieces.values(), trail.pieces.values())
            sizes += (len(text.pieces) + len(text.pairs), len(title.pieces), len(trail.pieces))
        self.pieces = numbers(pieces)
        self.seen = numbers(seen)
        self._sizes = numbers(sizes)
        self._segment = np.repeat(np.arange(len(sizes), dtype=np.int64), self._sizes)
        self.cards = self._segment // _SEGMENTS
        self.times = self.seen * numbers([1, FIELD_TITLE, FIELD_BREADCRUMB])[self._segment % _SEGMENTS]

    def by_card(self, values: Numbers) -> Numbers:
        """Sums of what each row has, for each card."""
        ends = np.cumsum(self._sizes)[_SEGMENTS - 1 :: _SEGMENTS]
        sums = np.concatenate([numbers([0]), np.cumsum(values)])
        return np.diff(sums[ends], prepend=0)

    def in_texts(self) -> Numbers:
        """How often the texts have each piece, titles and headings apart."""
        totals = np.zeros(len(self.numbered), dtype=np.int64)
        here = self._segment % _SEGMENTS == 0
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

    def words(self, texts: Sequence[str], fields: Iterable[tuple[_Field, ...]], lexicon: Lexicon, memory: Memory) -> None:
        """Words of a lexicon."""
        words_of = lru_cache(maxsize=None)(lexicon.words)

        def words(text: str) -> dict[str, int]:
            runs = [] if text.isascii() else RUN.findall(split(text)[0])
            return dict(Counter(word for run in runs if len(run) > 2 for word in words_of(run)))

        part = "words " + blake2b(repr(sorted(lexicon.costs.items())).encode(), digest_size=16).hexdigest()
        known = lru_cache(maxsize=None)(words)
        for ordinal, (text, own) in enumerate(zip(texts, fields, strict=True)):
            self._add(ordinal, memory.recall(part, key_of(text), partial(words, text)), 1)
            for field in own:
                self._add(ordinal, known(field.text), field.weight)

    def _add(self, card: int, found: Mapping[str, int], weight: int) -> None:
        if found:
            self.terms += map(self._number, found)
            self.cards += [card] * len(found)
            self.times += [weight * seen for seen in found.values()]


def _rows(entries: _Entries, pieces: Pieces, added: _Added) -> Rows:
    """A row for each term of each entry, then what was added."""
    sizes = pieces.sizes[entries.pieces]
    own = stretches(pieces.starts[entries.pieces], sizes)
    more = numbers(added.terms)
    return Rows(
        np.concatenate([pieces.members[own], more]),
        np.concatenate([np.repeat(entries.cards, sizes), numbers(added.cards)]),
        np.concatenate([np.repeat(entries.times, sizes), numbers(added.times)]),
        np.concatenate([pieces.shapes[own], np.zeros(len(more), dtype=np.int64)]),
    )


def _function_pairs(texts: Iterable[_Text], fields: Iterable[tuple[_Field, _Field]]) -> Mapping[str, int]:
    """How often each pair of letters stands inside function words."""
    stops: defaultdict[str, int] = defaultdict(int)
    for text, own in zip(texts, fields, strict=True):
        for pair, seen in text.stops.items():
            stops[pair] += seen
        for field in own:
            for pair, seen in field.stops.items():
                stops[pair] += field.weight * seen
    return stops
