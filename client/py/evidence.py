"""What of a question a card has: the words to show, and the share of the question's weight."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from .bm25 import idf
from .expansion import Expansion
from .index import Index
from .limits import EXPANSION_WEIGHT
from .postings import Posting
from .question import Group


def posting(index: Index, term: str) -> Posting:
    """Cards of a term; of a single letter of a script without spaces, all cards with that letter."""
    return index.single(term) if len(term) == 1 and not term.isascii() else index.posting(term)


def has(index: Index, term: str, ordinal: int) -> bool:
    """Whether a card has a term."""
    cards = posting(index, term).cards
    place = bisect_left(cards, ordinal)
    return place < len(cards) and cards[place] == ordinal


def matched(index: Index, ordinal: int, asked: Sequence[Group]) -> tuple[str, ...]:
    """What of the question stands in a card: words as asked, of a run the stretches whose pairs are there."""
    found: list[str] = []
    for group in asked:
        if group.is_run:
            found += _stretches(index, ordinal, group)
        elif any(has(index, term.text, ordinal) for term in group.terms):
            found.append(group.surface)
    return tuple(dict.fromkeys(found))


def _stretches(index: Index, ordinal: int, group: Group) -> list[str]:
    """Maximal stretches of a run that a card has pair by pair."""
    found: list[str] = []
    for term in group.terms:
        if term.shape not in ("bigram", "touched") or not has(index, term.text, ordinal):
            continue
        touches = bool(found) and found[-1][-1] == term.text[0] and found[-1] + term.text[1] in group.surface
        if touches:
            found[-1] += term.text[1]
        elif term.shape == "bigram":
            found.append(term.text)
    found += (term.text for term in group.terms if len(term.text) == 1 and has(index, term.text, ordinal))
    return found


def coverage(
    shelf: Sequence[Index],
    place: int,
    ordinal: int,
    wanted: Sequence[Group],
    weights: Sequence[Mapping[str, float]],
    expansion: Expansion,
) -> float:
    """Share of the question's weight, rarity included, that a card has; what stands in for the unknown counts in part."""
    index = shelf[place]
    documents = sum(map(len, shelf))
    total = have = 0.0
    for group, weighed in zip(wanted, weights, strict=True):
        for term, weight in weighed.items():
            frequency = sum(len(posting(book, term).cards) for book in shelf)
            value = weight * idf(frequency, documents)
            here = frequency > 0 and has(index, term, ordinal)
            if group.instead:
                have += here * value * EXPANSION_WEIGHT
            else:
                total += value
                have += here * value
    return min(1.0, have / total) if total else 0.0
