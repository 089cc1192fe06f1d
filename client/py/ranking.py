"""Rank the cards of a shelf: BM25 over weighted terms first, then what its best cards are worth on a closer look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .bm25 import accumulate, idf
from .cues import kinds_asked
from .evidence import posting
from .index import Index
from .limits import KIND_SHARE, LABEL_SHARE, PAGE_SHARE, PHRASE_CARDS, PHRASE_SHARE, QUESTION_CHARACTERS, TITLE_SHARE
from .phrases import alike, content, phrases, share
from .question import Weighed, labels_asked


class Candidate(NamedTuple):
    """A card on its way up: the book's place on the shelf, the card's ordinal, its score."""

    place: int
    ordinal: int
    score: float


Plan = Sequence[Sequence[Weighed]]
"""For each book of the shelf what is searched in it."""


def rank(shelf: Sequence[Index], question: str, plan: Plan, *, most: int) -> list[Candidate]:
    """The best cards of all books, best first, near-duplicates of a better one last."""
    documents = sum(map(len, shelf))
    average = sum(sum(index.lengths) for index in shelf) / documents if documents else 0.0
    found: list[Candidate] = []
    for place, index in enumerate(shelf):
        own = scores(shelf, place, plan[place], documents=documents, average=average)
        found += (Candidate(place, ordinal, own[ordinal]) for ordinal in _top(own, most))
        found += (Candidate(place, ordinal, own[ordinal]) for ordinal in _carriers(index, plan[place]))
    found = _sorted(dict.fromkeys(found))[: 2 * most]
    found = _by_page(shelf, found)
    found = _by_title(shelf, found, question)
    found = _by_kind(shelf, found, question)
    found = _by_phrases(shelf, found, question)
    found = _by_labels(shelf, found, plan)
    return _folded(shelf, found)


def _sorted(candidates: Mapping[Candidate, None] | Sequence[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.place, candidate.ordinal))


def scores(shelf: Sequence[Index], place: int, asked: Sequence[Weighed], *, documents: int, average: float) -> list[float]:
    """BM25 of every card of one book; rarity is taken over all books, so that their scores compare."""
    index = shelf[place]
    found = [0.0] * len(index)
    norms = index.norms(average)
    for term, weight in _total(asked).items():
        own = posting(index, term)
        if own.cards and weight:
            frequency = sum(len(posting(book, term).cards) for book in shelf)
            accumulate(found, own.cards, own.frequencies, weight=weight * idf(frequency, documents), norms=norms)
    return found


def _total(asked: Sequence[Weighed]) -> Counter[str]:
    """Terms of all groups with their weights."""
    total: Counter[str] = Counter()
    for _, weights in asked:
        total.update(weights)
    return total


def _top(scores: Sequence[float], most: int) -> list[int]:
    """Ordinals of the best scores above zero."""
    if len(scores) <= most:
        return [ordinal for ordinal, score in enumerate(scores) if score > 0]
    least = max(sorted(scores, reverse=True)[most - 1], 1e-12)
    return [ordinal for ordinal, score in enumerate(scores) if score >= least]


def _carriers(index: Index, asked: Sequence[Weighed]) -> list[int]:
    return [ordinal for label in labels_asked(asked) for ordinal in index.carriers(label)[:4]]


def _by_page(shelf: Sequence[Index], found: Sequence[Candidate]) -> list[Candidate]:
    """A page vouches for its cards by the best of them."""
    best: dict[tuple[int, str], float] = {}
    pages = [(candidate.place, shelf[candidate.place].page(candidate.ordinal)) for candidate in found]
    for page, candidate in zip(pages, found, strict=True):
        best.setdefault(page, candidate.score)
    return _sorted([c._replace(score=c.score + PAGE_SHARE * best[page]) for page, c in zip(pages, found, strict=True)])


def _by_title(shelf: Sequence[Index], found: list[Candidate], question: str) -> list[Candidate]:
    """A card whose title is what was asked, no more and no less, goes up; of a split card it is the first part."""
    asked = content(question[:QUESTION_CHARACTERS])
    best: dict[tuple[int, int], float] = {}
    for place, ordinal, score in found:
        titles = shelf[place].titles
        likeness = alike(asked, content(titles[ordinal])) ** 2
        first = ordinal
        while likeness == 1 and first and titles[first - 1] == titles[ordinal]:
            first -= 1
        raised = score * (1 + TITLE_SHARE * likeness)
        for card, value in ((ordinal, score if first != ordinal else raised), (first, raised)):
            best[place, card] = max(value, best.get((place, card), 0.0))
    return _sorted([Candidate(place, ordinal, score) for (place, ordinal), score in best.items()])


def _by_kind(shelf: Sequence[Index], found: list[Candidate], question: str) -> list[Candidate]:
    kinds = kinds_asked(question)
    if not kinds:
        return found
    share_of = {True: 1 + KIND_SHARE, False: 1.0}
    return _sorted([c._replace(score=c.score * share_of[shelf[c.place].kind(c.ordinal) in kinds]) for c in found])


def _by_phrases(shelf: Sequence[Index], found: list[Candidate], question: str) -> list[Candidate]:
    """Phrases of the question that stand whole in a card's title or text; only the best cards are read."""
    asked = phrases(question)
    if not asked:
        return found
    looked_at = []
    for candidate in found[:PHRASE_CARDS]:
        card = shelf[candidate.place].card(candidate.ordinal)
        part = share(asked, f"{card.title}\n{card.text}".casefold())
        looked_at.append(candidate._replace(score=candidate.score * (1 + PHRASE_SHARE * part)))
    return _sorted([*looked_at, *found[PHRASE_CARDS:]])


def _by_labels(shelf: Sequence[Index], found: list[Candidate], plan: Plan) -> list[Candidate]:
    """A card that carries a label that was asked for as its own goes up."""
    extra: dict[tuple[int, int], float] = {}
    top = found[0].score if found else 0.0
    for place, index in enumerate(shelf):
        for label in labels_asked(plan[place]):
            for position, ordinal in enumerate(index.carriers(label)):
                extra[place, ordinal] = extra.get((place, ordinal), 0.0) + LABEL_SHARE * top / (1 + position)
    if not extra:
        return found
    return _sorted([c._replace(score=c.score + extra.get((c.place, c.ordinal), 0.0)) for c in found])


def _folded(shelf: Sequence[Index], found: Sequence[Candidate]) -> list[Candidate]:
    """Cards that nearly repeat a better one go to the end."""
    seen: set[tuple[int, int]] = set()
    first: list[Candidate] = []
    later: list[Candidate] = []
    for candidate in found:
        root = (candidate.place, shelf[candidate.place].twins.get(candidate.ordinal, candidate.ordinal))
        (later if root in seen else first).append(candidate)
        seen.add(root)
    return [*first, *later]
