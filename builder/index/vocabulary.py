"""The vocabulary of a book and where each of its terms stands, as columns of the index file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from askbook.core.limits import STOP_FEWEST_CARDS, STOP_MOST
from askbook.core.postings import MOST, Posting, encode, encode_within
from askbook.core.terms import is_pair, stem

_BITS = 7
"""A card and a frequency in one number while they are gathered; `MOST` needs so many."""


def gather(frequencies: Iterable[Mapping[str, int]]) -> dict[str, list[int]]:
    """Turn the terms of each card into the cards of each term, with frequencies, packed."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for ordinal, own in enumerate(frequencies):
        base = ordinal << _BITS
        for term, seen in own.items():
            found[term].append(base + (seen if seen < MOST else MOST))
    return found


def kept(found: Mapping[str, Sequence[int]], shapes: Mapping[str, str], cards: int) -> tuple[list[str], list[str]]:
    """Terms of the index in order, pairs of letters apart; function words that stand in most cards are left out."""
    usual = STOP_MOST * max(cards, STOP_FEWEST_CARDS)
    names: list[str] = []
    pairs: list[str] = []
    for term in sorted(found):
        if shapes.get(term) != "stop" or len(found[term]) <= usual:
            (pairs if is_pair(term) else names).append(term)
    return names, pairs


def pair_column(pairs: Iterable[str]) -> Iterable[str]:
    """Pairs by their first letters: that letter, then every second one it has."""
    return (first + "".join(pair[1] for pair in row) for first, row in groupby(pairs, key=lambda pair: pair[0]))


class Postings:
    """Postings as text: a function word's without frequencies, a word's by those of its stem."""

    def __init__(self, found: Mapping[str, Sequence[int]], shapes: Mapping[str, str]) -> None:
        self._found = found
        self._shapes = shapes
        self._stems: dict[str, Posting] = {}

    def of_pair(self, pair: str) -> str:
        """Postings of a pair of letters, which has no stem."""
        own = _unpacked(self._found[pair])
        return encode(own.cards, () if self._shapes.get(pair) == "stop" else own.frequencies)

    def of_word(self, term: str) -> str:
        """Postings of any other term."""
        own = _unpacked(self._found[term])
        if self._shapes.get(term) == "stop":
            return encode(own.cards, ())
        root = stem(term)
        if root != term and root in self._found and self._shapes.get(root) != "stop":
            if root not in self._stems:
                self._stems[root] = _unpacked(self._found[root])
            over = self._stems[root]
            if own.cards == over.cards or set(own.cards) <= set(over.cards):
                return encode_within(own.cards, own.frequencies, over)
        return encode(own.cards, own.frequencies)


_MASK = (1 << _BITS) - 1


def _unpacked(packed: Sequence[int]) -> Posting:
    if len(packed) == 1:
        return Posting((packed[0] >> _BITS,), (packed[0] & _MASK,))
    return Posting([each >> _BITS for each in packed], [each & _MASK for each in packed])
