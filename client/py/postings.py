"""Postings as printable text: records cut by how often a term stands in the book, read back without a loop in Python.

Every term has a size, one letter. It tells in how many cards the term stands, so that its record needs no end mark; whether its
frequencies are all one; and whether its cards are told as such or as places in the postings of its stem. A record tells the gaps
between cards in digits, the last digits of all records of a size together and so the digits before them, since gzip packs best
what is alike. Longer lists stand in a column of their own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, Final, NamedTuple

from .columns import LETTERS, Values, read_digits, read_gaps
from .errors import IndexFormatError

EXACT: Final = 32
"""Most cards of a term whose record has a size of its own …"""
EXACT_WITHIN: Final = 10
"""… and of one that is told by its stem."""
MOST: Final = 90
"""Largest frequency that is told apart."""
ALL: Final = -1
LONG: Final = 0


class Size(NamedTuple):
    """What the letter of a term says of its record."""

    cards: int
    """How many; LONG for a list in the column of longer ones, ALL for those of the stem."""
    counted: bool
    """Frequencies are told; else they are all one, or the stem's."""
    within: bool
    """Cards are places in the postings of the stem."""


SIZES: Final = (
    *(Size(cards, counted, within=False) for counted in (False, True) for cards in range(1, EXACT + 1)),
    *(Size(cards, counted, within=True) for counted in (False, True) for cards in range(1, EXACT_WITHIN + 1)),
    *(Size(ALL, counted, within=True) for counted in (False, True)),
    *(Size(LONG, counted, within) for within in (False, True) for counted in (False, True)),
)
"""In order of their letters."""
ORDINAL: Final = {size: ordinal for ordinal, size in enumerate(SIZES)}
_LONG: Final = "".join(LETTERS[ordinal] for size, ordinal in ORDINAL.items() if size.cards == LONG)
_LONG_TIMES: Final = "".join(LETTERS[ordinal] for size, ordinal in ORDINAL.items() if size.cards in (LONG, ALL) and size.counted)
_ORDINAL_OF: Final = {letter: ordinal for ordinal, letter in enumerate(LETTERS[: len(SIZES)])}
_BLOCK: Final = 512
"""Terms whose sizes are counted together."""
_COUNT: Final = bytearray(256)
for _place, _letter in enumerate(LETTERS):
    _COUNT[ord(_letter)] = _place + 1
_FREQUENCIES: Final = bytes(_COUNT)


class Posting(NamedTuple):
    """Where a term stands: ordinals of cards, rising, and its frequency in each."""

    cards: Sequence[int]
    frequencies: Sequence[int]


NOWHERE: Final = Posting((), b"")


def read_times(text: str) -> bytes:
    """Frequencies back."""
    return text.encode("latin-1", "replace").translate(_FREQUENCIES)


def _parsed(told: Sequence[Any] | bytes) -> Any:
    """Lists that may still be text."""
    try:
        return json.loads(told) if isinstance(told, bytes) else told
    except (ValueError, RecursionError) as wrong:
        raise IndexFormatError("the records are no lists") from wrong


def _columns(told: Any) -> Sequence[str]:
    """The records of every size as text."""
    if type(told) is not list or not all(type(column) is str for column in told):
        raise IndexFormatError("the records are no lists of text")
    return told


class Records:
    """The postings of all terms of a book, in order of the terms; a record is read when it is asked for."""

    def __init__(
        self, sizes: str, planes: Sequence[Sequence[str]] | bytes, times: Sequence[str] | bytes, long: str, long_times: str
    ) -> None:
        self._sizes = sizes
        self._told = planes, times
        self._long = Values(long)
        self._long_times = Values(long_times)
        self._before: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._sizes)

    @cached_property
    def _planes(self) -> Sequence[Sequence[str]]:
        planes = _parsed(self._told[0])
        if type(planes) is not list:
            raise IndexFormatError("the records are no lists")
        return [_columns(plane) for plane in planes]

    @cached_property
    def _times(self) -> Sequence[str]:
        return _columns(_parsed(self._told[1]))

    def size(self, place: int) -> Size:
        """What is said of the record of the term at a place."""
        return SIZES[self._ordinal(place)]

    def _ordinal(self, place: int) -> int:
        try:
            return _ORDINAL_OF[self._sizes[place]]
        except LookupError:
            raise IndexFormatError(f"no size {self._sizes[place]!r}") from None

    def read(self, place: int, stem: Posting = NOWHERE) -> Posting:
        """Postings of the term at a place, those of its stem given where it needs them; raise IndexFormatError if not whole."""
        ordinal = self._ordinal(place)
        many, counted, within = SIZES[ordinal]
        frequencies: Sequence[int] = b""
        if many > 0:
            start = self._rank(LETTERS[ordinal], place) * many
            gaps = self._gaps(ordinal, [start])
            places = gaps if many == 1 else list(accumulate(gaps))
            if counted:
                frequencies = read_times(self._times[ordinal][start : start + many])
        else:
            places = range(len(stem.cards)) if many == ALL else read_gaps(self._long.at(self._rank(_LONG, place)))
            if counted:
                frequencies = read_times(self._long_times.at(self._rank(_LONG_TIMES, place)))
        cards = places
        if within:
            if places and places[-1] >= len(stem.cards):
                raise IndexFormatError("a record leads beyond that of its stem")
            cards = [stem.cards[each] for each in places]
        if not counted:
            frequencies = [stem.frequencies[each] for each in places] if within else b"\x01" * len(cards)
        if not len(cards) == len(frequencies) > 0:
            raise IndexFormatError("a record is not whole")
        return Posting(cards, frequencies)

    def cards_of(self, places: Sequence[int]) -> set[int]:
        """All cards of the terms at these places, none of which is told by its stem; how often is left out."""
        found: set[int] = set()
        alike: dict[str, list[int]] = {}
        for place in places:
            alike.setdefault(self._sizes[place], []).append(place)
        for letter, own in alike.items():
            many = self.size(own[0]).cards
            if many > 0:
                gaps = self._gaps(_ORDINAL_OF[letter], [self._rank(letter, place) * many for place in own])
                found.update(*([accumulate(gaps[at : at + many]) for at in range(0, len(gaps), many)] if many > 1 else [gaps]))
            else:
                found.update(*[self.read(place).cards for place in own])
        return found

    def _gaps(self, ordinal: int, starts: Sequence[int]) -> Sequence[int]:
        """Gaps of the records of a size that start at these places of its planes."""
        many = SIZES[ordinal].cards
        planes = ["".join([plane[ordinal][start : start + many] for start in starts]) for plane in self._planes if plane[ordinal]]
        gaps = read_digits(planes or [""])
        if len(gaps) != len(starts) * many:
            raise IndexFormatError("a record is not whole")
        return gaps

    def _rank(self, letters: str, place: int) -> int:
        """How many terms before this one have one of these sizes."""
        before = self._before.get(letters) or self._blocks(letters)
        block = place // _BLOCK
        if len(letters) == 1:
            return before[block] + self._sizes.count(letters, block * _BLOCK, place)
        return before[block] + sum(self._sizes.count(letter, block * _BLOCK, place) for letter in letters)

    def _blocks(self, letters: str) -> list[int]:
        starts = range(0, len(self._sizes), _BLOCK)
        counts = (sum(self._sizes.count(letter, start, start + _BLOCK) for letter in letters) for start in starts)
        return self._before.setdefault(letters, list(accumulate(counts, initial=0)))
