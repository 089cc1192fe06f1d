"""The pieces of a book, each taken apart once: the terms it has, how these were made, how long it makes its card."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import Final

import numpy as np

from askbook.core.terms import is_pair

from .kept import Kept
from .table import Flags, Numbers, numbers
from .tally import LIGHT, Numbered, terms_of

SHAPES: Final = ("", "word", "stem", "whole", "part", "number", "label", "bigram", "touched", "han", "stop", "noise")
"""Shapes of terms by their numbers; the first is that of a term of which nothing is said."""
SHAPE: Final = {shape: place for place, shape in enumerate(SHAPES)}
_HEAVY: Final = numbers([int(shape not in LIGHT) for shape in SHAPES])
_LOWER: Final = re.compile(r"\b([a-z][a-z]+)\b")
_GROWN: Final = 1.3
"""Pieces that no card has any more stay; when there are so many times the first, all are counted anew."""


class Stock:
    """The pieces that the last build has taken apart already, and all that are asked for, by their numbers."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        known = kept.value("pieces")
        if known is not None and len(known[1]) > _GROWN * known[0]:
            kept.forget("pieces", "tally", "places")
            known = None
        self.first: int = known[0] if known else 0
        pieces: list[bytes] = known[1] if known else []
        self.terms: list[str] = known[2] if known else []
        rows = known[3:] if known else (b"", b"", b"")
        self.numbered = Numbered(zip(pieces, count(), strict=False))
        self.known = len(pieces)
        self.members, self.shapes, self.sizes = (np.frombuffer(each, dtype=np.int32).astype(np.int64) for each in rows)

    def keep(self, pieces: Pieces) -> None:
        """Leave them to the next build, before terms are added that are in no piece."""
        if not self._kept.lasting:
            return
        rows = (each.astype(np.int32).tobytes() for each in (pieces.members, pieces.shapes, pieces.sizes))
        self._kept.keep("pieces", (self.first or len(self.numbered), [*self.numbered], [*pieces.terms], *rows))


class Pieces:
    """Pieces by their numbers."""

    def __init__(self, stock: Stock) -> None:
        self.terms = Numbered(zip(stock.terms, count(), strict=False))
        self._numbered = stock.numbered
        self._pieces = [*stock.numbered]
        taken = [terms_of(piece) for piece in self._pieces[stock.known :]]
        number = self.terms.__getitem__
        members = [number(term) for terms in taken for term, _ in terms]
        shapes = [SHAPE[shape] for terms in taken for _, shape in terms]
        sizes = [*map(len, taken)]
        self.members = np.concatenate([stock.members, numbers(members)])
        """Terms of all pieces, one after the other."""
        self.shapes = np.concatenate([stock.shapes, numbers(shapes)])
        self.sizes = np.concatenate([stock.sizes, numbers(sizes)])
        self.starts = np.cumsum(self.sizes) - self.sizes
        before = np.concatenate([numbers([0]), np.cumsum(_HEAVY[self.shapes])])
        self.heavy = before[self.starts + self.sizes] - before[self.starts]
        """How many terms of each piece count for the length of its card; pairs are counted apart."""

    def pairs(self, known: Numbers) -> Flags:
        """Of each term, whether it is a pair of letters, as those are that are known."""
        found = np.zeros(len(self.terms), dtype=bool)
        found[known] = True
        both = enumerate(zip(self.terms, found.tolist(), strict=True))
        found[[place for place, (term, pair) in both if not pair and len(term) == 2 and is_pair(term)]] = True
        return found

    def lower(self, totals: Numbers, words: Sequence[str]) -> Counter[str]:
        """How often each word stands without a capital in texts that have the pieces so often."""
        plain = np.array([piece.isalpha() for piece in self._pieces], dtype=bool)
        found = Counter({word: self._alone(word, totals) for word in words})
        wanted = np.zeros(len(self.terms), dtype=bool)
        wanted[[self.terms[word] for word in words if word in self.terms]] = True
        name = [*self.terms]
        places = np.flatnonzero(wanted[self.members] & np.repeat(~plain, self.sizes))
        owners = np.searchsorted(self.starts, places, side="right") - 1
        for member, owner, times in zip(self.members[places].tolist(), owners.tolist(), totals[owners].tolist(), strict=True):
            word, piece = name[member], self._pieces[owner]
            if word.encode() in piece:
                found[word] += times * _LOWER.findall(piece.decode("utf-8", "surrogatepass")).count(word)
        return found

    def _alone(self, word: str, totals: Numbers) -> int:
        """How often a word is a piece by itself."""
        piece = word.encode()
        number = self._numbered.get(piece, -1)
        return int(totals[number]) if number >= 0 and len(piece) > 1 and piece.isalpha() else 0
