"""Search a shelf of books with one question: hits with comparable scores, and why they are weak where they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .evidence import coverage, matched
from .expansion import expand
from .index import Index
from .limits import PASSAGES, QUESTION_CHARACTERS
from .question import function_words, groups, weigh
from .ranking import Candidate, Plan, Within, rank
from .schema import Card


@dataclass(frozen=True, slots=True)
class Hit:
    """A card that answers to the question."""

    index: Index
    ordinal: int
    score: float
    matched: tuple[str, ...]
    """What of the question stands in the card, as it was asked."""

    @property
    def card(self) -> Card:
        """The card itself, read when it is shown; its text too, if that has come meanwhile."""
        return self.index.card(self.ordinal)


@dataclass(frozen=True, slots=True)
class Status:
    """What the search made of a question."""

    terms: tuple[str, ...]
    """What was asked for, function words left out."""
    unknown: tuple[str, ...]
    """What no book on the shelf has."""
    nearest: Mapping[str, tuple[str, ...]]
    """Unknown word to the nearest ones the books have."""
    confidence: float
    """0 to 1: how much of what was asked, weighed by rarity, the best hit has."""
    expanded: Mapping[str, tuple[str, ...]]
    """What was asked to what was searched beside it: another spelling, the other language."""

    def to_json(self) -> dict[str, Any]:
        """As the tools and the page get it."""
        return {
            "terms": list(self.terms),
            "unknown": list(self.unknown),
            "nearest": {term: list(near) for term, near in self.nearest.items()},
            "confidence": round(self.confidence, 3),
            "expanded": {term: list(beside) for term, beside in self.expanded.items()},
        }


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, best first, and the status of the search."""

    hits: tuple[Hit, ...]
    status: Status

    def to_json(self) -> dict[str, Any]:
        """As `askbook search --json` prints it, with the status beside the hits."""
        return {"hits": [hit_json(hit) for hit in self.hits], "status": self.status.to_json()}


def hit_json(hit: Hit) -> dict[str, Any]:
    """A hit as JSON."""
    card = hit.card
    return {
        "id": card.id,
        "kind": card.kind,
        "number": card.number,
        "title": card.title,
        "url": card.url,
        "score": round(hit.score, 4),
        "matched": list(hit.matched),
        "text": card.text,
        "book": hit.index.name,
    }


def search(shelf: Sequence[Index], question: str, *, k: int = PASSAGES, within: Within = ()) -> Found:
    """Find the `k` best cards of all books on the shelf; any string is a question, and no hit is a result.

    `within` names for each book the cards that count, as of one chapter; the rarity of words is still that of whole books.
    """
    question = question[:QUESTION_CHARACTERS]
    asked = [groups(question, index.lexicon) for index in shelf]
    expansion = expand(shelf, question, asked)
    plan = [weigh([*own, *beside], index) for index, own, beside in zip(shelf, asked, expansion.groups, strict=True)]
    candidates = rank(shelf, question, plan, k=max(k, 1), within=within)
    confidence = coverage(shelf, candidates[0].place, candidates[0].ordinal, plan) if candidates else 0.0
    if not candidates and not (within and rank(shelf, question, plan, k=1)):  # function words, where nothing else is known
        plan = [weigh(function_words(question, index.lexicon), index) for index in shelf]
        candidates = rank(shelf, question, plan, k=max(k, 1), within=within)
    hits = _hits(shelf, candidates[:k], plan)
    terms = tuple(dict.fromkeys(group.surface for own in asked for group in own))
    return Found(hits, Status(terms, expansion.unknown, expansion.nearest, confidence, expansion.expanded))


def _hits(shelf: Sequence[Index], candidates: Sequence[Candidate], plan: Plan) -> tuple[Hit, ...]:
    words: dict[tuple[int, int], tuple[str, ...]] = {}
    for place, index in enumerate(shelf):
        own = [candidate.ordinal for candidate in candidates if candidate.place == place]
        have = matched(index, own, [one.group for one in plan[place]])
        words.update(zip(((place, ordinal) for ordinal in own), have, strict=True))
    return tuple([Hit(shelf[place], ordinal, score, words[place, ordinal]) for place, ordinal, score in candidates])
