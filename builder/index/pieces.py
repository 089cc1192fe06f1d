"""The pieces of a book, each taken apart once: the terms it has, how these were made, how long it makes its card."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import count, islice
from typing import Final

import numpy as np

from askbook.core.terms import is_pair, stem

from .kept import Kept
from .table import Flags, Numbers, numbers, pack, unpack
from .tally import LIGHT, Numbered, terms_of

SHAPES: Final = ("", "word", "stem", "whole", "part", "number", "label", "bigram", "touched", "han", "stop", "noise")
"""Shapes of terms by their numbers; the first is that of a term of which nothing is said."""
SHAPE: Final = {shape: place for place, shape in enumerate(SHAPES)}
_HEAVY: Final = numbers([int(shape not in LIGHT) for shape in SHAPES])
_LOWER: Final = re.compile(r"\b([a-z][a-z]+)\b")
_GROWN: Final = 1.3
"""Pieces and terms that no card has any more stay; when there are so many times the first, all are counted anew."""


class Stock:
    """Pieces and terms that have a number already; they keep it from build to build, also where no card has them any more."""

    def __init__(self, kept: Kept) -> None:
        known = kept.value("stock")
        if known is not None and len(known[1]) + len(known[2]) > _GROWN * known[0]:
            kept.forget("stock", "rows", "lengths")
            known = None
        self.first: int = known[0] if known else 0
        self.pieces: list[bytes] = known[1] if known else []
        self.terms: list[str] = known[2] if known else []
        columns = map(unpack, known[3]) if known else [numbers([])] * 7
        self.members, self.shapes, self.sizes, self.totals, self.pairs, self.above, self.order = columns
        self.numbered = Numbered(zip(self.pieces, count(), strict=False))


class Pieces:
    """Pieces by their numbers, and the terms of a book, to which others may be added until they are judged."""

    def __init__(self, stock: Stock, pairs: Sequence[str]) -> None:
        self._stock, self._numbered = stock, stock.numbered
        self.terms = Numbered(zip(stock.terms, count(), strict=False))
        """Terms of the pieces, the pairs of letters, and what is added."""
        self._pieces = [*stock.numbered]
        taken = [terms_of(piece) for piece in self._pieces[len(stock.pieces) :]]
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
        self.pairs = self.terms.all(pairs)
        """Numbers of the pairs that are given."""

    def totals(self, come: Numbers, gone: Numbers) -> Numbers:
        """How often each piece stands in the texts, when these have come and those have gone since the last build."""
        size = len(self._pieces)
        change = np.bincount(come, minlength=size) - np.bincount(gone, minlength=size)
        change[: len(self._stock.totals)] += self._stock.totals
        return change.astype(np.int64)

    def judged(self) -> tuple[Flags, Numbers, Numbers]:
        """Of each term whether it is a pair of letters, and the number of its stem, -1 for none; all but pairs in their order."""
        stock, flags, roots = self._stock, list[bool](), list[int]()
        known = len(stock.terms)
        surely = {*self.pairs.tolist()}
        while known + len(roots) < len(self.terms):
            for place, term in enumerate([*islice(self.terms, known + len(roots), None)], known + len(roots)):
                pair = place in surely or (len(term) == 2 and is_pair(term))
                root = term if pair else stem(term)
                flags.append(pair)
                roots.append(-1 if root == term else self.terms[root])
        name = [*self.terms]
        new = [place for place, pair in enumerate(flags, known) if not pair]
        order = sorted([*stock.order.tolist(), *new], key=name.__getitem__)  # most of them are in order
        return (
            np.concatenate([stock.pairs, numbers(flags)]).astype(bool),
            np.concatenate([stock.above - 1, numbers(roots)]),
            numbers(order),
        )

    def keep(self, kept: Kept, totals: Numbers, pairs: Flags, roots: Numbers, order: Numbers) -> None:
        """Leave them to the next build."""
        if kept.lasting:
            columns = (self.members, self.shapes, self.sizes, totals, pairs.astype(np.int64), roots + 1, order)
            told = tuple(map(pack, columns))
            first = self._stock.first or len(self._pieces) + len(self.terms)
            kept.keep("stock", (first, self._pieces, [*self.terms], told))

    def lower(self, totals: Numbers, words: Sequence[str]) -> Counter[str]:
        """How often each word stands without a capital in texts that have the pieces so often."""
        found = Counter({word: self._alone(word, totals) for word in words})
        wanted = np.zeros(len(self.terms), dtype=bool)
        spelt = {self.terms[word]: (word, word.encode()) for word in words if word in self.terms}
        wanted[[*spelt]] = True
        places = np.flatnonzero(wanted[self.members])
        owners = np.searchsorted(self.starts, places, side="right") - 1
        for member, owner, times in zip(self.members[places].tolist(), owners.tolist(), totals[owners].tolist(), strict=True):
            (word, bare), piece = spelt[member], self._pieces[owner]
            if bare in piece and not piece.isalpha():
                found[word] += times * _LOWER.findall(piece.decode("utf-8", "surrogatepass")).count(word)
        return found

    def _alone(self, word: str, totals: Numbers) -> int:
        """How often a word is a piece by itself."""
        piece = word.encode()
        number = self._numbered.get(piece, -1)
        return int(totals[number]) if number >= 0 and len(piece) > 1 and piece.isalpha() else 0
