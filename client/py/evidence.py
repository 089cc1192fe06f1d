"""What of a question a card has: the words to show, and the share of the question's weight."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import Final

from .bm25 import idf
from .index import Index
from .question import Group, Weighed

_FEW: Final = 100
"""Cards of a term that are looked through; in more of them each card is looked up."""


def frequency(shelf: Sequence[Index], term: str) -> int:
    """In how many cards of all books a term stands."""
    return sum([len(book.asked[term].cards) for book in shelf])


def _having(cards: Sequence[int], ordinals: frozenset[int]) -> Collection[int]:
    """Which of some cards are among those of a term."""
    if len(cards) <= _FEW:
        return ordinals.intersection(cards)
    last = len(cards) - 1
    return [ordinal for ordinal in ordinals if cards[min(bisect_left(cards, ordinal), last)] == ordinal]


def matched(index: Index, ordinals: Sequence[int], asked: Sequence[Group]) -> list[tuple[str, ...]]:
    """What of the question stands in each card: words as asked, of a run the stretches whose pairs are there."""
    found: dict[int, list[str]] = {ordinal: [] for ordinal in ordinals}
    among = frozenset(ordinals)
    postings = index.asked
    for surface, terms, _, is_run, _ in asked:
        if not is_run:
            for ordinal in {ordinal for text, _ in terms for ordinal in _having(postings[text].cards, among)}:
                found[ordinal].append(surface)
            continue
        here: dict[int, list[str]] = {ordinal: [] for ordinal in ordinals}
        for text, shape in terms:
            if shape == "bigram" or len(text) == 1:  # a pair that no function word touches, or a letter alone
                for ordinal in _having(postings[text].cards, among):
                    here[ordinal].append(text)
        known: dict[tuple[str, ...], list[str]] = {}
        for ordinal, own in here.items():
            pairs = tuple(own)
            if pairs not in known:
                known[pairs] = _stretches(surface, pairs)
            found[ordinal] += known[pairs]
    return [tuple(dict.fromkeys(found[ordinal])) for ordinal in ordinals]


def _stretches(surface: str, here: Sequence[str]) -> list[str]:
    """Maximal stretches of a run that a card has pair by pair, then the letters alone."""
    found: list[str] = []
    for text in here:
        if len(text) > 1 and found and found[-1][-1] == text[0] and found[-1] + text[1] in surface:
            found[-1] += text[1]
        else:
            found.append(text)
    return found


def coverage(shelf: Sequence[Index], place: int, ordinal: int, plan: Sequence[Sequence[Weighed]]) -> float:
    """Share of the question's weight, rarity included, that a card has; what stands in for the unknown counts in part."""
    index = shelf[place]
    documents = sum(map(len, shelf))
    postings = index.asked
    total = have = 0.0
    for group, weights in plan[place]:
        values, here = [], []
        for term, weight in weights.items():
            cards = postings[term].cards
            values.append(weight * idf(frequency(shelf, term) if len(shelf) > 1 else len(cards), documents))
            at = bisect_left(cards, ordinal)
            if at < len(cards) and cards[at] == ordinal:
                here.append(values[-1])
        whole = sum if group.is_run else max
        total += 0.0 if group.instead else whole(values)
        have += whole(here or [0.0])
    return min(1.0, have / total) if total else 0.0
