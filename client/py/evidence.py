"""What of a question a card has: the words to show, and the share of the question's weight."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from .bm25 import idf
from .index import Index
from .postings import Posting
from .question import Group, Weighed

ASKED = 5_000
"""Terms of questions whose postings are remembered; a server is asked for years."""


def posting(index: Index, term: str) -> Posting:
    """Cards of a term; of a single letter of a script without spaces, all cards with that letter."""
    found = index.asked.get(term)
    if found is None:
        if len(index.asked) >= ASKED:
            index.asked.clear()
        single = len(term) == 1 and not term.isascii()
        found = index.asked[term] = index.single(term) if single else index.posting(term)
    return found


def frequency(shelf: Sequence[Index], term: str) -> int:
    """In how many cards of all books a term stands."""
    return sum([len(posting(book, term).cards) for book in shelf])


def has(index: Index, term: str, ordinal: int) -> bool:
    """Whether a card has a term."""
    cards = posting(index, term).cards
    place = bisect_left(cards, ordinal)
    return place < len(cards) and cards[place] == ordinal


def matched(index: Index, ordinals: Sequence[int], asked: Sequence[Group]) -> list[tuple[str, ...]]:
    """What of the question stands in each card: words as asked, of a run the stretches whose pairs are there."""
    found: list[list[str]] = [[] for _ in ordinals]
    for group in asked:
        if group.is_run:
            for own, ordinal in zip(found, ordinals, strict=True):
                own += _stretches(index, ordinal, group)
            continue
        lists = [posting(index, term.text).cards for term in group.terms]
        for own, ordinal in zip(found, ordinals, strict=True):
            for cards in lists:
                place = bisect_left(cards, ordinal)
                if place < len(cards) and cards[place] == ordinal:
                    own.append(group.surface)
                    break
    return [tuple(dict.fromkeys(own)) for own in found]


def _stretches(index: Index, ordinal: int, group: Group) -> list[str]:
    """Maximal stretches of a run, function words left out, that a card has pair by pair."""
    found: list[str] = []
    for term in group.terms:
        if term.shape != "bigram" or not has(index, term.text, ordinal):
            continue
        if found and found[-1][-1] == term.text[0] and found[-1] + term.text[1] in group.surface:
            found[-1] += term.text[1]
        else:
            found.append(term.text)
    found += (term.text for term in group.terms if len(term.text) == 1 and has(index, term.text, ordinal))
    return found


def coverage(shelf: Sequence[Index], place: int, ordinal: int, plan: Sequence[Sequence[Weighed]]) -> float:
    """Share of the question's weight, rarity included, that a card has; what stands in for the unknown counts in part."""
    index = shelf[place]
    documents = sum(map(len, shelf))
    total = have = 0.0
    for group, weights in plan[place]:
        frequencies = {term: frequency(shelf, term) for term in weights}
        values = {term: weight * idf(frequencies[term], documents) for term, weight in weights.items()}
        here = [term for term in weights if frequencies[term] and has(index, term, ordinal)]
        whole = sum if group.is_run else max
        total += 0.0 if group.instead else whole(values.values())
        have += whole([values[term] for term in here] or [0.0])
    return min(1.0, have / total) if total else 0.0
