"""The arithmetic of BM25 (Robertson and Zaragoza 2009), alone, so that it can be held against the paper."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import NamedTuple

from .limits import K1, B


@lru_cache(maxsize=8192)
def idf(document_frequency: int, documents: int) -> float:
    """Weigh a term by its rarity; never negative, so a term in every card still counts a little."""
    return log(1 + (documents - document_frequency + 0.5) / (document_frequency + 0.5))


def norm(length: float, average: float, *, k1: float = K1, b: float = B) -> float:
    """What a frequency is held against: more in a card longer than the average."""
    return k1 * (1 - b + b * length / average) if average else k1


def saturation(frequency: float, length: float, average: float, *, k1: float = K1, b: float = B) -> float:
    """Count repeats with falling returns, less in a card longer than the average."""
    return frequency * (k1 + 1) / (frequency + norm(length, average, k1=k1, b=b))


class Norms(NamedTuple):
    """What frequencies in each card of a book are held against."""

    cards: Sequence[float]
    once: Sequence[float]
    """And one more: what a frequency of one, as most are, is divided by."""


def norms(lengths: Sequence[int], average: float, *, k1: float = K1, b: float = B) -> Norms:
    """Norms of cards by their lengths."""
    by_length = {length: norm(length, average, k1=k1, b=b) for length in set(lengths)}
    with_one = {length: 1 + own for length, own in by_length.items()}
    return Norms([by_length[length] for length in lengths], [with_one[length] for length in lengths])


def accumulate(
    scores: dict[int, float],
    cards: Sequence[int],
    frequencies: Sequence[int],
    *,
    weight: float,
    norms: Norms,
    k1: float = K1,
) -> None:
    """Add one term's share, `weight` × saturation, to the scores of the cards it stands in."""
    most = weight * (k1 + 1)
    once, own = norms.once, norms.cards
    if frequencies.count(1) == len(cards):
        for card in cards:
            if card in scores:
                scores[card] += most / once[card]
            else:
                scores[card] = most / once[card]
        return
    for card, frequency in zip(cards, frequencies, strict=True):
        share = most / once[card] if frequency == 1 else most * frequency / (frequency + own[card])
        if card in scores:
            scores[card] += share
        else:
            scores[card] = share
