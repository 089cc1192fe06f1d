"""Turn a question into weighted terms: what it asks for, what the book does not know, and what stands in for that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .index import Index
from .limits import (
    QUESTION_CHARACTERS, QUESTION_TERMS, WEIGHT_CONCEPT, WEIGHT_NAME, WEIGHT_NOISE, WEIGHT_NUMBER, WEIGHT_WORD,
)  # fmt: skip
from .terms import Term, terms

CLASS_WEIGHT: Final[Mapping[str, float]] = {
    "name": WEIGHT_NAME,
    "number": WEIGHT_NUMBER,
    "concept": WEIGHT_CONCEPT,
    "word": WEIGHT_WORD,
    "noise": WEIGHT_NOISE,
    "": WEIGHT_WORD,
}
SHAPE_WEIGHT: Final[Mapping[str, float]] = {
    "word": 0.4, "stem": 0.8, "whole": 1.0, "part": 0.5, "number": 1.0, "label": 2.0, "bigram": 1.0, "touched": 0.3, "han": 1.0,
    "stop": 0.0, "noise": 1.0,
}  # fmt: skip
"""How much a term counts by the way it was made: a stem stands beside its word, a part beside its whole."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One term of a question."""

    text: str
    shape: str
    weight: float
    """By shape and class, without rarity."""
    origin: str = ""
    """The term of the question it stands in for; empty for its own."""


def ask(index: Index, question: str) -> list[Asked]:
    """Weigh the terms of a question for one book, heaviest shapes kept when there are too many."""
    counts: Counter[Term] = Counter(terms(question[:QUESTION_CHARACTERS], lexicon=index.lexicon))
    asked = []
    stems = {term.text for term in counts if term.shape == "stem"}
    for term in counts:
        weight = SHAPE_WEIGHT[term.shape] * CLASS_WEIGHT[index.class_of(term.text)]
        if term.shape == "word" and not _has_stem(term, counts, stems):
            weight *= (SHAPE_WEIGHT["word"] + SHAPE_WEIGHT["stem"]) / SHAPE_WEIGHT["word"]
        if weight:
            asked.append(Asked(term.text, term.shape, weight))
    return asked[:QUESTION_TERMS]


def _has_stem(term: Term, counts: Mapping[Term, int], stems: set[str]) -> bool:
    from .terms import stem

    return stem(term.text) in stems


def texts(asked: Sequence[Asked]) -> tuple[str, ...]:
    """The terms alone."""
    return tuple(term.text for term in asked)
