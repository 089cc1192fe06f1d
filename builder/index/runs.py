"""Runs of letters of scripts without spaces, those of a whole book at once: pairs, function words in them, longer words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from askbook.core.lexicon import Lexicon
from askbook.core.terms import CJK, FUNCTION

from .table import Flags, Numbers, distinct, numbers

_BITS: Final = 18
"""Of a letter; those beyond have no such script."""
_BEYOND: Final = 1 << _BITS
_MOST: Final = 1 << 2 * _BITS
_FUNCTIONS: Final = re.compile(f"({FUNCTION.pattern})")


def _is_cjk() -> Flags:
    flags = np.zeros(_BEYOND + 1, dtype=bool)
    for first, last in re.findall(r"(.)(?:-(.))?", CJK):
        flags[ord(first) : min(ord(last or first), _BEYOND - 1) + 1] = True
    return flags


_IS_CJK: Final = _is_cjk()


class Runs:
    """The runs of some texts, formulas left out."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._whole = "".join([f"{text}\n" for text in texts])
        self._letters = _codes(self._whole)
        self._cjk = _IS_CJK[np.minimum(self._letters, _BEYOND)]
        self._ends = np.cumsum(numbers([len(text) + 1 for text in texts]))
        both = self._cjk[:-1] & self._cjk[1:]
        places = np.flatnonzero(both)
        codes = (self._letters[places] << _BITS) | self._letters[places + 1]
        found, self.members = distinct(codes, _MOST)
        letters = np.stack([found >> _BITS, found & (_BEYOND - 1)], axis=1).astype("<u4").tobytes().decode("utf-32-le")
        self.terms = [letters[start : start + 2] for start in range(0, len(letters), 2)]
        """Pairs of letters; `members` are those of all places where one stands, in order."""
        self.owners = self._owners(places)
        """Of each place, the ordinal of its text."""
        touched = self._touched()
        beside = touched[places].astype(np.int64) + touched[places + 1]
        self.free: Flags = beside == 0
        """Of each place, whether no function word touches the pair."""
        self.stops: Flags = beside == 2
        """Of each place, whether the pair stands inside function words."""
        self._places = places

    def _owners(self, places: Numbers) -> Numbers:
        return np.searchsorted(self._ends, places, side="right")

    def _touched(self) -> Flags:
        if not len(self._letters) or not self._cjk.any():
            return np.zeros(len(self._letters), dtype=bool)
        parts = numbers([*map(len, _FUNCTIONS.split(self._whole))])
        touched: Flags = np.repeat(np.arange(len(parts)) % 2 == 1, parts)
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

    def words(self, lexicon: Lexicon) -> Iterator[tuple[int, Sequence[str]]]:
        """Texts with the longer words in them; a run is parted where no word goes on, which changes no path through it."""
        wanted = np.sort(numbers([_code(*opening) for opening in lexicon.openings]))
        after = self._places[:-1][np.diff(self._places) == 1]
        triples = (self._letters[after] << 2 * _BITS) | (self._letters[after + 1] << _BITS) | self._letters[after + 2]
        near = np.minimum(np.searchsorted(wanted, triples), len(wanted) - 1)
        hits = after[wanted[near] == triples]
        inside = {word[place : place + 2] for word in lexicon.costs for place in range(len(word) - 1)}
        joined = np.zeros(len(self._letters), dtype=np.int8)
        joined[self._places] = np.array([term in inside for term in self.terms], dtype=np.int8)[self.members]
        edges = np.flatnonzero(np.diff(joined, prepend=0, append=0))
        runs = np.unique(np.searchsorted(edges[::2], hits, side="right") - 1)
        starts, ends = edges[::2][runs], edges[1::2][runs] + 1
        cut = lru_cache(maxsize=None)(lexicon.words)
        for owner, start, end in zip(self._owners(starts).tolist(), starts.tolist(), ends.tolist(), strict=True):
            if found := cut(self._whole[start:end]):
                yield owner, found


def _codes(text: str) -> Numbers:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)


def _code(first: str, second: str, third: str) -> int:
    return (ord(first) << 2 * _BITS) | (ord(second) << _BITS) | ord(third)
