"""The vocabulary of a book and where each of its terms stands, as columns of the index file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import groupby

from askbook.core.limits import STOP_FEWEST_CARDS, STOP_MOST
from askbook.core.postings import Posting, encode, encode_within
from askbook.core.terms import is_pair, stem

Found = Mapping[str, Mapping[int, int]]
"""Cards of each term, in order, with its frequency there."""


def kept(found: Found, shapes: Mapping[str, str], cards: int) -> tuple[list[str], list[str]]:
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

    def __init__(self, found: Found, shapes: Mapping[str, str]) -> None:
        self._found = found
        self._shapes = shapes

    def of_pair(self, pair: str) -> str:
        """Postings of a pair of letters, which has no stem."""
        return _written(self._found[pair], plain=self._shapes.get(pair) == "stop")

    def of_word(self, term: str) -> str:
        """Postings of any other term."""
        own = self._found[term]
        plain = self._shapes.get(term) == "stop"
        root = stem(term)
        if root != term and not plain and root in self._found and self._shapes.get(root) != "stop":
            over = self._found[root]
            if own.keys() <= over.keys():
                return encode_within([*own], [*own.values()], Posting([*over], [*over.values()]))
        return _written(own, plain=plain)


def _written(own: Mapping[int, int], *, plain: bool) -> str:
    if len(own) == 1:
        ((card, frequency),) = own.items()
        return _one(card, 1 if plain else frequency)
    return encode([*own], () if plain else [*own.values()])


@lru_cache(maxsize=65536)
def _one(card: int, frequency: int) -> str:
    """Postings of a term that stands in one card, as most do."""
    return encode((card,), (frequency,))
