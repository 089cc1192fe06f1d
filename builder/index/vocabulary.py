"""The vocabulary of a book and where each of its terms stands, as columns of the index file."""

from __future__ import annotations

from collections.abc import Mapping

from askbook.core.limits import STOP_FEWEST_CARDS, STOP_MOST
from askbook.core.terms import is_pair

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
