"""The pieces of a book, each taken apart once: the terms it has, how these were made, how long it makes its card."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from askbook.core.terms import is_pair

from .table import Numbers, numbers
from .tally import LIGHT, Numbered, terms_of

SHAPES: Final = ("", "word", "stem", "whole", "part", "number", "label", "bigram", "touched", "han", "stop", "noise")
"""Shapes of terms by their numbers; the first is that of a term of which nothing is said."""
SHAPE: Final = {shape: place for place, shape in enumerate(SHAPES)}
_HEAVY: Final = numbers([int(shape not in LIGHT) for shape in SHAPES])


class Pieces:
    """Pieces by their numbers."""

    def __init__(self, numbered: Mapping[bytes, int]) -> None:
        self.terms = Numbered()
        self._pieces = [*numbered]
        taken = [terms_of(piece) for piece in self._pieces]
        number = self.terms.__getitem__
        members = [number(term) for terms in taken for term, _ in terms]
        shapes = [SHAPE[shape] for terms in taken for _, shape in terms]
        sizes = [*map(len, taken)]
        self.members = numbers(members)
        """Terms of all pieces, one after the other."""
        self.shapes = numbers(shapes)
        self.sizes = numbers(sizes)
        self.starts = np.cumsum(self.sizes) - self.sizes
        before = np.concatenate([numbers([0]), np.cumsum(_HEAVY[self.shapes])])
        self.heavy = before[self.starts + self.sizes] - before[self.starts]
        """How many terms of each piece count for the length of its card; pairs are counted apart."""

    def pairs(self, known: Numbers) -> list[bool]:
        """Of each term, whether it is a pair of letters, as those are that are known."""
        found = np.zeros(len(self.terms), dtype=bool)
        found[known] = True
        others = [place for term, place in self.terms.items() if len(term) == 2 and not found[place] and is_pair(term)]
        found[others] = True
        return found.tolist()

    def lower(self, totals: Numbers, words: Sequence[str]) -> dict[str, dict[bytes, int]]:
        """The pieces that each word stands in without a capital, with how often the texts have them."""
        found: defaultdict[str, dict[bytes, int]] = defaultdict(dict)
        wanted = np.zeros(len(self.terms), dtype=bool)
        wanted[[self.terms[word] for word in words if word in self.terms]] = True
        name = [*self.terms]
        places = np.flatnonzero(wanted[self.members])
        owners = np.searchsorted(self.starts, places, side="right") - 1
        for member, owner in zip(self.members[places].tolist(), owners.tolist(), strict=True):
            word, piece = name[member], self._pieces[owner]
            if word.encode() in piece:
                found[word][piece] = int(totals[owner])
        return found
