"""Runs of letters of scripts without spaces, those of a whole book at once: pairs, function words in them, longer words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from askbook.core.lexicon import Lexicon
from askbook.core.stopwords import CHINESE
from askbook.core.terms import CJK

from .table import Flags, Numbers, distinct, numbers

_BITS: Final = 18
"""Of a letter; those beyond have no such script."""
_BEYOND: Final = 1 << _BITS
_MOST: Final = 1 << 2 * _BITS
_LONGEST: Final = max(map(len, CHINESE))
_OWN: Final = {letter: number for number, letter in enumerate(sorted(set("".join(CHINESE))), 1)}
"""Letters of function words by small numbers."""


def _numbered(words: Sequence[str]) -> Numbers:
    return np.sort(numbers([sum(_OWN[letter] << 8 * place for place, letter in enumerate(word)) for word in words]))


_FUNCTIONS: Final = tuple(
    (length, _numbered([word for word in CHINESE if len(word) == length])) for length in sorted({*map(len, CHINESE)})
)
"""Function words as numbers, the shortest first."""


def _is_cjk() -> Flags:
    flags = np.zeros(_BEYOND + 1, dtype=bool)
    for first, last in re.findall(r"(.)(?:-(.))?", CJK):
        flags[ord(first) : min(ord(last or first), _BEYOND - 1) + 1] = True
    return flags


def _function_letters() -> Numbers:
    found = np.zeros(_BEYOND + 1, dtype=np.int64)
    for letter, number in _OWN.items():
        found[ord(letter)] = number
    return found


_IS_CJK: Final = _is_cjk()
_FUNCTION_LETTER: Final = _function_letters()


@dataclass(frozen=True, slots=True)
class Pairs:
    """Every place of some texts where a pair of letters stands."""

    terms: list[str]
    """Pairs of letters."""
    members: Numbers
    """Which of them stands at each place."""
    owners: Numbers
    """Of each place, the ordinal of its text."""
    beside: Numbers
    """Of each place, how many of the two letters belong to a function word."""


class Runs:
    """The runs of some texts, formulas left out."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._whole = "".join([f"{text}\n" for text in texts])
        self._letters = _codes(self._whole)
        self._cjk = _IS_CJK[np.minimum(self._letters, _BEYOND)]
        self._ends = np.cumsum(numbers([len(text) + 1 for text in texts]))
        self._places = np.flatnonzero(self._cjk[:-1] & self._cjk[1:])
        self._pairs = (self._letters[self._places] << _BITS) | self._letters[self._places + 1]

    def pairs(self) -> Pairs:
        """Every pair of letters."""
        touched = self._touched().astype(np.int64)
        beside = touched[self._places] + touched[self._places + 1]
        found, members = distinct(self._pairs, _MOST)
        letters = np.stack([found >> _BITS, found & (_BEYOND - 1)], axis=1).astype("<u4").tobytes().decode("utf-32-le")
        terms = [letters[start : start + 2] for start in range(0, len(letters), 2)]
        return Pairs(terms, members, self._owners(self._places), beside)

    def _owners(self, places: Numbers) -> Numbers:
        return np.searchsorted(self._ends, places, side="right")

    def _touched(self) -> Flags:
        """Of each letter, whether it belongs to a function word; as `FUNCTION` finds them: the longest, one after the other."""
        own = _FUNCTION_LETTER[np.minimum(self._letters, _BEYOND)]
        own = np.concatenate([own, np.zeros(_LONGEST, dtype=np.int64)])
        starts = np.flatnonzero(own)
        codes = sum((own[starts + place] << 8 * place for place in range(1, _LONGEST)), own[starts])
        spans = np.zeros(len(starts), dtype=np.int64)
        for length, words in _FUNCTIONS:
            spans[_among(codes & ((1 << 8 * length) - 1), words)] = length
        found = spans > 0
        starts, ends = starts[found], (starts + spans)[found]
        free = _in_turn(starts, ends)
        edges = np.zeros(len(own) + 1, dtype=np.int64)
        edges[starts[free]] = 1
        edges[ends[free]] -= 1
        touched: Flags = np.cumsum(edges)[: len(self._letters)] > 0
        return touched

    def holders(self) -> list[int]:
        """Ordinals of the texts that have runs."""
        before = np.concatenate([numbers([0]), np.cumsum(self._cjk)])[np.concatenate([numbers([0]), self._ends])]
        return np.flatnonzero(np.diff(before)).tolist()

    def alone(self) -> Iterator[tuple[int, str]]:
        """Texts with the letters that stand alone in them."""
        beside = np.zeros(len(self._cjk), dtype=bool)
        beside[1:] |= self._cjk[:-1]
        beside[:-1] |= self._cjk[1:]
        places = np.flatnonzero(self._cjk & ~beside)
        return zip(self._owners(places).tolist(), map(self._whole.__getitem__, places.tolist()), strict=True)

    def segments(self, lexicon: Lexicon) -> Iterator[tuple[int, str]]:
        """Texts with the runs that may hold a longer word, parted where no word goes on, which changes no path through them."""
        inside = {(ord(word[place]), ord(word[place + 1])) for word in lexicon.costs for place in range(len(word) - 1)}
        ranks, size = _ranks({letter for pair in inside for letter in pair})
        known = np.zeros(size * size, dtype=bool)
        pairs = numbers([*chain.from_iterable(inside)])
        known[ranks[pairs[::2]] * size + ranks[pairs[1::2]]] = True
        own = ranks[np.minimum(self._letters, _BEYOND)]
        joined = known[own[:-1] * size + own[1:]].astype(np.int8)
        after = np.flatnonzero(joined[:-1] & joined[1:])
        wanted = np.sort(numbers([_code(*opening) for opening in lexicon.openings]))
        hits = after[_among(_codes_of(*(self._letters[after + place] for place in range(3))), wanted)]
        edges = np.flatnonzero(np.diff(joined, prepend=0, append=0))
        runs = np.unique(np.searchsorted(edges[::2], hits, side="right") - 1)
        starts, ends = edges[::2][runs], edges[1::2][runs] + 1
        for owner, start, end in zip(self._owners(starts).tolist(), starts.tolist(), ends.tolist(), strict=True):
            yield owner, self._whole[start:end]


def _ranks(letters: Set[int]) -> tuple[Numbers, int]:
    """A small number for each letter, 0 for all others, and how many numbers there are."""
    table = np.zeros(_BEYOND + 1, dtype=np.int64)
    table[sorted(letters)] = np.arange(1, len(letters) + 1)
    return table, len(letters) + 1


def _in_turn(starts: Numbers, ends: Numbers) -> Flags:
    """Whether each stretch is free, where one that begins inside of a free one before it is not."""
    free = np.ones(len(starts), dtype=bool)
    furthest = np.maximum.accumulate(ends)
    for place in (np.flatnonzero(starts[1:] < furthest[:-1]) + 1).tolist():
        before = place - 1
        while not free[before]:
            before -= 1
        free[place] = starts[place] >= ends[before]
    return free


def _among(keys: Numbers, wanted: Numbers) -> Flags:
    """Whether each key is one of those wanted, which are in order."""
    found: Flags = wanted[np.minimum(np.searchsorted(wanted, keys), len(wanted) - 1)] == keys
    return found


def _codes(text: str) -> Numbers:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)


def _code(first: str, second: str, third: str) -> int:
    return (ord(first) << 2 * _BITS) | (ord(second) << _BITS) | ord(third)


def _codes_of(first: Numbers, second: Numbers, third: Numbers) -> Numbers:
    return (first << 2 * _BITS) | (second << _BITS) | third
