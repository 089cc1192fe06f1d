"""Search a shelf of books with one question: hits with comparable scores, and why they are weak where they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .evidence import coverage, matched
from .expansion import Expansion, expand
from .index import Index
from .limits import CANDIDATES
from .question import Group, groups, weigh
from .ranking import Candidate, rank
from .schema import Card


@dataclass(frozen=True, slots=True)
class Hit:
    """A card that answers to the question."""

    index: Index
    ordinal: int
    card: Card
    score: float
    matched: tuple[str, ...]
    """What of the question stands in the card, as it was asked."""


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


def search(shelf: Sequence[Index], question: str, *, k: int = 8) -> Found:
    """Find the `k` best cards of all books on the shelf; any string is a question, and no hit is a result."""
    asked = _asked(shelf, question)
    expansion = expand(shelf, question, asked)
    wanted = {place: [*own, *expansion.groups[place]] for place, own in asked.items()}
    weights = {place: [weigh(group, shelf[place]) for group in wanted[place]] for place in wanted}
    candidates = rank(shelf, question, wanted, weights, most=max(k, CANDIDATES))
    hits = tuple(_hit(shelf, candidate, wanted[candidate.place]) for candidate in candidates[:k])
    return Found(hits, _status(shelf, asked, expansion, candidates[:1], weights))


def _asked(shelf: Sequence[Index], question: str) -> dict[int, list[Group]]:
    """Groups of the question for each book by its place; books differ in the Chinese words they know."""
    return {place: groups(question, index.lexicon) for place, index in enumerate(shelf)}


def _hit(shelf: Sequence[Index], candidate: Candidate, wanted: Sequence[Group]) -> Hit:
    index = shelf[candidate.place]
    return Hit(
        index, candidate.ordinal, index.card(candidate.ordinal), candidate.score, matched(index, candidate.ordinal, wanted)
    )


def _status(
    shelf: Sequence[Index],
    asked: Mapping[int, Sequence[Group]],
    expansion: Expansion,
    best: Sequence[Candidate],
    weights: Mapping[int, Sequence[Mapping[str, float]]],
) -> Status:
    terms = tuple(dict.fromkeys(group.surface for own in asked.values() for group in own))
    confidence = 0.0
    if best:
        place, ordinal = best[0].place, best[0].ordinal
        confidence = coverage(shelf, place, ordinal, [*asked[place], *expansion.groups[place]], weights[place], expansion)
    return Status(terms, expansion.unknown, expansion.nearest, confidence, expansion.expanded)
