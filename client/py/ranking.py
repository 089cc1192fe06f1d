"""Rank the cards of a shelf: BM25 over weighted terms first, then what its best cards are worth on a closer look."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from .bm25 import accumulate, idf
from .cues import kinds_asked
from .evidence import frequency
from .index import Index
from .limits import CANDIDATES, KIND_SHARE, LABEL_SHARE, PAGE_SHARE, PHRASE_CARDS, PHRASE_SHARE, QUESTION_CHARACTERS, TITLE_SHARE
from .phrases import alike, content, phrases, share
from .question import Weighed, labels_asked

_SLACK: Final = 1e-9
"""Share of a bound that rounding may take."""


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
Carried = dict[tuple[int, int], list[int]]
"""Place and ordinal of a card that carries labels that were asked for: how many cards of each label come before it."""


def rank(shelf: Sequence[Index], question: str, plan: Plan, *, k: int, within: Within = ()) -> list[Candidate]:
    """The `k` best cards of all books, or of some of their cards, best first, near-duplicates of a better one last."""
    most = max(k, CANDIDATES)
    documents = sum(map(len, shelf))
    average = sum(index.total for index in shelf) / documents if documents else 0.0
    carried: Carried = {}
    found: Ranked = []
    for place, asked in enumerate(plan):
        own = scores(shelf, place, asked, documents=documents, average=average)
        if within:
            own = {ordinal: score for ordinal, score in own.items() if ordinal in within[place]}
        ordinals = _top(own, most)
        if labels := labels_asked(asked):
            ordinals = list({*ordinals, *_carriers(shelf, place, labels, within, carried)})
        found += [(-own.get(ordinal, 0.0), place, ordinal) for ordinal in ordinals]
    found = sorted(_by_page(shelf, sorted(found)[: 2 * most]))
    kinds, asked_phrases = kinds_asked(question), phrases(question)
    gain = (1 + TITLE_SHARE) * (1 + KIND_SHARE if kinds else 1) * (1 + PHRASE_SHARE if asked_phrases else 1)
    found = _hopeful(shelf, found, k, gain, carried)
    found = _by_title(shelf, found, question, within)
    found = sorted(_by_kind(shelf, found, kinds))
    found = _by_phrases(shelf, found, asked_phrases, k=k, carried=carried)
    found = _by_labels(found, carried)
    return [Candidate(place, ordinal, -below) for below, place, ordinal in _folded(shelf, found, k)]


def scores(shelf: Sequence[Index], place: int, asked: Sequence[Weighed], *, documents: int, average: float) -> dict[int, float]:
    """BM25 of the cards of one book that have any of the terms; rarity is taken over all books, so that their scores compare."""
    index = shelf[place]
    found: dict[int, float] = {}
    norms, postings = index.norms(average), index.asked
    for term, weight in _total(asked).items():
        cards, frequencies = postings[term]
        if cards and weight:
            rarity = idf(frequency(shelf, term) if len(shelf) > 1 else len(cards), documents)
            accumulate(found, cards, frequencies, weight=weight * rarity, norms=norms)
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


def _carriers(shelf: Sequence[Index], place: int, labels: Sequence[str], within: Within, carried: Carried) -> Iterator[int]:
    """The first cards of a book that carry each of these labels as their own; all that do are noted."""
    for label in labels:
        carriers = shelf[place].carriers(label)
        if within:
            carriers = [ordinal for ordinal in carriers if ordinal in within[place]]
        for position, ordinal in enumerate(carriers):
            carried.setdefault((place, ordinal), []).append(position)
        yield from carriers[:4]


def _by_page(shelf: Sequence[Index], found: Ranked) -> Ranked:
    """A page vouches for its cards by the best of them."""
    best: dict[tuple[int, int], float] = {}
    pages = [index.page_places for index in shelf]
    return [
        (below + PAGE_SHARE * best.setdefault((place, pages[place][ordinal]), below), place, ordinal)
        for below, place, ordinal in found
    ]


def _surely(shelf: Sequence[Index], found: Ranked, k: int) -> float:
    """What a card must reach to be among the `k` best: cards that repeat others go later, so they do not count."""
    twins = [index.twins for index in shelf]
    for below, place, ordinal in found:
        if ordinal not in twins[place]:
            k -= 1
            if k == 0:
                return below
    return 0.0


def _hopeful(shelf: Sequence[Index], found: Ranked, k: int, gain: float, carried: Carried) -> Ranked:
    """The cards that may still be among the `k` best if what follows raises each by as much as `gain` times.

    A label may raise its cards by more, so they all stay, and as many others as leave the first places of the list as they are.
    """
    least = _surely(shelf, found, k)
    if carried:
        least = max(least, found[PHRASE_CARDS - 1][0] if len(found) >= PHRASE_CARDS else 0.0)
    end = bisect_right(found, least / gain * (1 - _SLACK), key=itemgetter(0))
    return found[:end] + [one for one in found[end:] if one[1:] in carried] if carried else found[:end]


def _by_title(shelf: Sequence[Index], found: Ranked, question: str, within: Within) -> Ranked:
    """A card whose title is what was asked, no more and no less, goes up; of a split card it is the first part."""
    asked = content(question[:QUESTION_CHARACTERS])
    subjects = [index.subjects for index in shelf]
    if not [one for one in found if (title := subjects[one[1]][one[2]]) in asked or asked in title]:
        return found
    raised: list[tuple[float, int, int]] = []
    others: Ranked = []
    for one in found:
        below, place, ordinal = one
        if likeness := alike(asked, subjects[place][ordinal]):
            first = ordinal
            if likeness == 1:
                first = _first_part(shelf[place].titles, ordinal, within[place].start if within else 0)
            raised.append((below * (1 + TITLE_SHARE * likeness**2), place, first))
        if not likeness or first != ordinal:
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


def _by_kind(shelf: Sequence[Index], found: Ranked, kinds: frozenset[str]) -> Ranked:
    if not kinds:
        return found
    own = [index.kind_places for index in shelf]
    wanted = [frozenset(at for at, kind in enumerate(index.kinds) if kind in kinds) for index in shelf]
    raised = 1 + KIND_SHARE
    return [
        (below * raised if own[place][ordinal] in wanted[place] else below, place, ordinal) for below, place, ordinal in found
    ]


def _by_phrases(shelf: Sequence[Index], found: Ranked, asked: Sequence[tuple[str, int]], *, k: int, carried: Carried) -> Ranked:
    """Phrases of the question that stand whole in a card's title or text; only cards are read that may become one of the best."""
    if not asked:
        return found
    cased = any(phrase != phrase.upper() for phrase, _ in asked)
    read = Index.folded if cased else Index.whole
    raised = 1 + PHRASE_SHARE
    least = _surely(shelf, found, k)
    looked_at: Ranked = []
    for one in found[:PHRASE_CARDS]:
        below, place, ordinal = one
        if below * raised <= least or (place, ordinal) in carried:
            one = (below * (1 + PHRASE_SHARE * share(asked, read(shelf[place], ordinal))), place, ordinal)
        elif not carried:
            break
        looked_at.append(one)
        if len(looked_at) == k:
            least = min(least, _surely(shelf, sorted(looked_at), k))
    return sorted([*looked_at, *found[len(looked_at) :]])


def _by_labels(found: Ranked, carried: Carried) -> Ranked:
    """A card that carries a label that was asked for as its own goes up."""
    if not carried:
        return found
    top = LABEL_SHARE * -found[0][0] if found else 0.0
    return sorted((below - _extra(top, carried.get((place, ordinal), ())), place, ordinal) for below, place, ordinal in found)


def _extra(top: float, positions: Sequence[int]) -> float:
    extra = 0.0
    for position in positions:
        extra += top / (1 + position)
    return extra


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
