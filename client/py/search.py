"""Search a shelf of books with one question: hits with comparable scores, and why they are weak where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Any

from .bm25 import accumulate, idf, norm
from .index import Index
from .question import Asked, ask
from .schema import Card


@dataclass(frozen=True, slots=True)
class Hit:
    """A card that answers to the question."""

    index: Index
    ordinal: int
    card: Card
    score: float
    matched: tuple[str, ...]
    """Terms of the question that stand in the card."""


@dataclass(frozen=True, slots=True)
class Status:
    """What the search made of a question."""

    terms: tuple[str, ...]
    unknown: tuple[str, ...]
    """Terms that no book on the shelf has."""
    nearest: dict[str, tuple[str, ...]]
    """Unknown term to the nearest ones the books have."""
    confidence: float
    """0 to 1: how much of what was asked the best hit has."""
    expanded: dict[str, tuple[str, ...]]
    """Term of the question to the terms searched beside it: other spellings, the other language."""

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
    asked = {id(index): ask(index, question) for index in shelf}
    documents = sum(len(index) for index in shelf)
    average = sum(sum(index.lengths) for index in shelf) / documents if documents else 0.0
    found: list[tuple[float, int, int]] = []
    frequencies = _document_frequencies(shelf, asked)
    for place, index in enumerate(shelf):
        scores = _scores(index, asked[id(index)], frequencies, documents=documents, average=average)
        best = nlargest(k, ((score, -ordinal) for ordinal, score in enumerate(scores) if score > 0))
        found += ((score, -place, ordinal) for score, ordinal in best)
    hits = tuple(
        _hit(shelf[-place], -ordinal, score, asked[id(shelf[-place])])
        for score, place, ordinal in sorted(found, reverse=True)[:k]
    )
    terms = tuple(dict.fromkeys(term.text for index in shelf for term in asked[id(index)]))
    unknown = tuple(term for term in terms if not frequencies.get(term))
    matched = len(hits[0].matched) / len(terms) if hits and terms else 0.0
    return Found(hits, Status(terms, unknown, {}, matched, {}))


def _document_frequencies(shelf: Sequence[Index], asked: dict[int, list[Asked]]) -> dict[str, int]:
    frequencies: dict[str, int] = {}
    for index in shelf:
        for term in asked[id(index)]:
            frequencies.setdefault(term.text, sum(len(book.posting(term.text).cards) for book in shelf))
    return frequencies


def _scores(index: Index, asked: Sequence[Asked], frequencies: dict[str, int], *, documents: int, average: float) -> list[float]:
    scores = [0.0] * len(index)
    norms = [norm(length, average) for length in index.lengths]
    for term in asked:
        posting = index.posting(term.text)
        if posting.cards:
            weight = term.weight * idf(frequencies[term.text], documents)
            accumulate(scores, posting.cards, posting.frequencies, weight=weight, norms=norms)
    return scores


def _hit(index: Index, ordinal: int, score: float, asked: Sequence[Asked]) -> Hit:
    matched = tuple(term.text for term in asked if ordinal in set(index.posting(term.text).cards))
    return Hit(index, ordinal, index.card(ordinal), score, matched)
