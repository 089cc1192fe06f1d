"""The pieces of a book, each taken apart once: the terms it has, how these were made, how long it makes its card."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from askbook.core.terms import is_pair

from .table import Numbers, numbers
from .tally import LIGHT, terms_of

SHAPES: Final = ("", "word", "stem", "whole", "part", "number", "label", "bigram", "touched", "han", "stop", "noise")
"""Shapes of terms by their numbers; the first is that of a term of which nothing is said."""
SHAPE: Final = {shape: place for place, shape in enumerate(SHAPES)}


class Numbered(dict[Any, int]):
    """Values with numbers in order as they were first asked for."""

    def __missing__(self, value: Any) -> int:
        self[value] = number = len(self)
        return number


class Pieces:
    """Pieces by their numbers; a pair of letters is a term already."""

    def __init__(self, numbered: Mapping[bytes | str, int]) -> None:
        self.terms = Numbered()
        self._pieces = [*numbered]
        self._known_pairs: set[int] = set()
        members: list[int] = []
        shapes: list[int] = []
        sizes: list[int] = []
        heavy: list[int] = []
        for piece in self._pieces:
            if isinstance(piece, str):
                self._known_pairs.add(self.terms[piece])
                members.append(self.terms[piece])
                shapes.append(0)
                sizes.append(1)
                heavy.append(0)
                continue
            terms = terms_of(piece)
            members += [self.terms[term] for term, _ in terms]
            shapes += [SHAPE[shape] for _, shape in terms]
            sizes.append(len(terms))
            heavy.append(sum([shape not in LIGHT for _, shape in terms]))
        self.members = numbers(members)
        """Terms of all pieces, one after the other."""
        self.shapes = numbers(shapes)
        self.sizes = numbers(sizes)
        self.starts = np.cumsum(self.sizes) - self.sizes
        self.heavy = numbers(heavy)
        """How many terms of each piece count for the length of its card; pairs are counted apart."""

    def pairs(self) -> list[bool]:
        """Of each term, whether it is a pair of letters."""
        known = self._known_pairs
        return [place in known or (len(term) == 2 and is_pair(term)) for term, place in self.terms.items()]

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
            if isinstance(piece, bytes) and word.encode() in piece:
                found[word][piece] = int(totals[owner])
        return found
