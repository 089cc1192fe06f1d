"""Rank the cards of a shelf: BM25 over weighted terms first, then what its best cards are worth on a closer look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .bm25 import accumulate, idf
from .cues import kinds_asked
from .evidence import frequency, posting
from .index import Index
from .limits import CANDIDATES, KIND_SHARE, LABEL_SHARE, PAGE_SHARE, PHRASE_CARDS, PHRASE_SHARE, QUESTION_CHARACTERS, TITLE_SHARE
from .phrases import alike, content, phrases, share
from .question import Weighed, labels_asked


class Candidate(NamedTuple):
    """A card on its way up: the book's place on the shelf, the card's ordinal, its score."""

    place: int
    ordinal: int
    score: float


Plan = Sequence[Sequence[Weighed]]
"""For each book of the shelf what is searched in it."""
Ranked = list[tuple[float, int, int]]
"""Score below zero, place, ordinal: sorted as they are, the best come first, and what is equal stays in order of the books."""
Within = Sequence[range]
"""For each book the cards that count; empty where all of all books do."""


def rank(shelf: Sequence[Index], question: str, plan: Plan, *, k: int, within: Within = ()) -> list[Candidate]:
    """The `k` best cards of all books, or of some of their cards, best first, near-duplicates of a better one last."""
    most = max(k, CANDIDATES)
    documents = sum(map(len, shelf))
    average = sum(index.total for index in shelf) / documents if documents else 0.0
    found: Ranked = []
    for place, asked in enumerate(plan):
        own = scores(shelf, place, asked, documents=documents, average=average)
        if within:
            own = {ordinal: score for ordinal, score in own.items() if ordinal in within[place]}
        ordinals = {*_top(own, most)}
        for label in labels_asked(asked):
            ordinals.update(_carriers(shelf, place, label, within)[:4])
        found += [(-own.get(ordinal, 0.0), place, ordinal) for ordinal in ordinals]
    found = sorted(found)[: 2 * most]
    found = _by_page(shelf, found)
    found = _by_title(shelf, found, question, within)
    found = _by_kind(shelf, found, question)
    found = _by_phrases(shelf, sorted(found), question, enough=_enough(shelf, found, plan, k))
    found = _by_labels(shelf, found, plan, within)
    return [Candidate(place, ordinal, -below) for below, place, ordinal in _folded(shelf, found, k)]


def scores(shelf: Sequence[Index], place: int, asked: Sequence[Weighed], *, documents: int, average: float) -> dict[int, float]:
    """BM25 of the cards of one book that have any of the terms; rarity is taken over all books, so that their scores compare."""
    index = shelf[place]
    found: dict[int, float] = {}
    norms = index.norms(average)
    for term, weight in _total(asked).items():
        own = posting(index, term)
        if own.cards and weight:
            rarity = idf(frequency(shelf, term), documents)
            accumulate(found, own.cards, own.frequencies, weight=weight * rarity, norms=norms)
    return found


def _total(asked: Sequence[Weighed]) -> dict[str, float]:
    """Terms of all groups with their weights."""
    total: dict[str, float] = {}
    for _, weights in asked:
        for term, weight in weights.items():
            total[term] = total.get(term, 0.0) + weight
    return total


def _top(scores: Mapping[int, float], most: int) -> list[int]:
    """Ordinals of the best scores."""
    if len(scores) <= most:
        return list(scores)
    least = sorted(scores.values())[-most]
    return [ordinal for ordinal, score in scores.items() if score >= least]


def _carriers(shelf: Sequence[Index], place: int, label: str, within: Within) -> Sequence[int]:
    """The cards of a book that carry a label as their own, the first of them first."""
    carriers = shelf[place].carriers(label)
    return [ordinal for ordinal in carriers if ordinal in within[place]] if within else carriers


def _by_page(shelf: Sequence[Index], found: Ranked) -> Ranked:
    """A page vouches for its cards by the best of them."""
    best: dict[tuple[int, int], float] = {}
    pages = [index.page_places for index in shelf]
    return [
        (below + PAGE_SHARE * best.setdefault((place, pages[place][ordinal]), below), place, ordinal)
        for below, place, ordinal in found
    ]


def _by_title(shelf: Sequence[Index], found: Ranked, question: str, within: Within) -> Ranked:
    """A card whose title is what was asked, no more and no less, goes up; of a split card it is the first part."""
    asked = content(question[:QUESTION_CHARACTERS])
    titles = [index.titles for index in shelf]
    raised: list[tuple[float, int, int]] = []
    others: Ranked = []
    for one in found:
        below, place, ordinal = one
        title = content(titles[place][ordinal])
        if (title in asked or asked in title) and (likeness := alike(asked, title)):
            raised.append((below * (1 + TITLE_SHARE * likeness**2), place, ordinal))
            if likeness == 1 and (first := _first_part(titles[place], ordinal, within[place].start if within else 0)) != ordinal:
                raised[-1] = (raised[-1][0], place, first)
                others.append(one)
        else:
            others.append(one)
    return [*_best(raised, others), *others] if raised else others


def _best(raised: Ranked, others: Ranked) -> Ranked:
    """Each of the cards that go up once, with the best of its scores; taken out of the others."""
    best: dict[tuple[int, int], float] = {}
    for below, place, ordinal in raised:
        best[place, ordinal] = min(below, best.get((place, ordinal), below))
    for one in [one for one in others if one[1:] in best]:
        others.remove(one)
        best[one[1:]] = min(one[0], best[one[1:]])
    return [(below, place, ordinal) for (place, ordinal), below in best.items()]


def _first_part(titles: Sequence[str], ordinal: int, least: int) -> int:
    """The first of the cards that were split from one, of those that count."""
    while ordinal > least and titles[ordinal - 1] == titles[ordinal]:
        ordinal -= 1
    return ordinal


def _by_kind(shelf: Sequence[Index], found: Ranked, question: str) -> Ranked:
    kinds = kinds_asked(question)
    if not kinds:
        return found
    own = [index.kind_places for index in shelf]
    wanted = [frozenset(at for at, kind in enumerate(index.kinds) if kind in kinds) for index in shelf]
    raised = 1 + KIND_SHARE
    return [
        (below * raised if own[place][ordinal] in wanted[place] else below, place, ordinal) for below, place, ordinal in found
    ]


def _enough(shelf: Sequence[Index], found: Ranked, plan: Plan, k: int) -> int:
    """How many cards surely hold the `k` best: those that repeat others go later, and an asked label brings any up."""
    if any(labels_asked(own) for own in plan):
        return len(found)
    twins = [index.twins for index in shelf]
    return k + sum([ordinal in twins[place] for _, place, ordinal in found])


def _by_phrases(shelf: Sequence[Index], found: Ranked, question: str, *, enough: int) -> Ranked:
    """Phrases of the question that stand whole in a card's title or text; only cards are read that may become one of `enough`."""
    asked = phrases(question)
    if not asked:
        return found
    cased = any(phrase != phrase.upper() for phrase, _ in asked)
    read = Index.folded if cased else Index.whole
    raised = 1 + PHRASE_SHARE
    least = found[enough - 1][0] if enough < len(found) else 0.0
    looked_at = []
    for below, place, ordinal in found[:PHRASE_CARDS]:
        if below * raised > least:
            break
        part = share(asked, read(shelf[place], ordinal))
        looked_at.append((below * (1 + PHRASE_SHARE * part), place, ordinal))
    return sorted([*looked_at, *found[len(looked_at) :]])


def _by_labels(shelf: Sequence[Index], found: Ranked, plan: Plan, within: Within) -> Ranked:
    """A card that carries a label that was asked for as its own goes up."""
    extra: dict[tuple[int, int], float] = {}
    top = -found[0][0] if found else 0.0
    for place, own in enumerate(plan):
        for label in labels_asked(own):
            for position, ordinal in enumerate(_carriers(shelf, place, label, within)):
                extra[place, ordinal] = extra.get((place, ordinal), 0.0) + LABEL_SHARE * top / (1 + position)
    if not extra:
        return found
    return sorted((below - extra.get((place, ordinal), 0.0), place, ordinal) for below, place, ordinal in found)


def _folded(shelf: Sequence[Index], found: Ranked, k: int) -> Ranked:
    """The first `k` when cards that nearly repeat a better one have gone to the end."""
    if not any(index.twins for index in shelf):
        return found[:k]
    seen: set[tuple[int, int]] = set()
    first: Ranked = []
    later: Ranked = []
    for one in found:
        _, place, ordinal = one
        root = (place, shelf[place].twins.get(ordinal, ordinal))
        (later if root in seen else first).append(one)
        seen.add(root)
        if len(first) == k:
            break
    return [*first, *later][:k]
