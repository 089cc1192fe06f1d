"""Turn a question into weighted terms, in groups: a word, an identifier, a Chinese run or a label as it was asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from .index import Index
from .lexicon import Lexicon
from .limits import (
    EXPANSION_WEIGHT,
    QUESTION_CHARACTERS,
    QUESTION_TERMS,
    REPEAT_POWER,
    STOP_WEIGHT,
    WEIGHT_CONCEPT,
    WEIGHT_NAME,
    WEIGHT_NOISE,
    WEIGHT_NUMBER,
    WEIGHT_POWER,
    WEIGHT_WORD,
)  # fmt: skip
from .numerals import label_letters
from .terms import CJK, Shape, Term, Token, segments, tokens

CLASS_WEIGHT: Final[Mapping[str, float]] = {
    "name": WEIGHT_NAME**WEIGHT_POWER,
    "number": WEIGHT_NUMBER**WEIGHT_POWER,
    "concept": WEIGHT_CONCEPT**WEIGHT_POWER,
    "word": WEIGHT_WORD,
    "noise": WEIGHT_NOISE,
    "": WEIGHT_WORD,
}
SHAPE_WEIGHT: Final[Mapping[Shape, float]] = {
    "word": 0.4, "stem": 0.8, "whole": 1.0, "part": 0.5, "number": 1.0, "label": 2.0, "bigram": 1.0, "touched": 0.3, "han": 1.0,
    "stop": 0.0, "noise": 1.0,
}  # fmt: skip
"""How much a term counts by the way it was made: a stem stands beside its word, a part beside its whole."""
_ALONE: Final = (SHAPE_WEIGHT["word"] + SHAPE_WEIGHT["stem"]) / SHAPE_WEIGHT["word"]
"""A word that is its own stem counts for both."""
_VERSUS: Final = re.compile(r"(?<=[\w)`'\"])\s+(?:vs\.?|versus)\s+(?!code\b)", re.IGNORECASE)
"""Parts two things that are compared; as a word of its own it would find the cards that compare two others."""
_CJK_RUN: Final = re.compile(f"[{CJK}]+")


class Group(NamedTuple):
    """Something a question asks for, and the terms that stand for it."""

    surface: str
    """As asked, folded, lower case."""
    terms: tuple[Term, ...]
    times: int
    """How often it was asked."""
    is_run: bool
    """It is a run of a script without spaces, known by its pairs of letters."""
    instead: bool = False
    """It stands in for something the books do not know, or crosses from one language to the other."""


class Weighed(NamedTuple):
    """A group with the weights of its terms in one book, rarity left out."""

    group: Group
    weights: Mapping[str, float]


def groups(question: str, lexicon: Lexicon, *, instead: bool = False) -> list[Group]:
    """What a question asks for, its labels first, then in order; function words are left out, and what is too much."""
    seen: dict[tuple[str, tuple[Term, ...]], int] = {}
    size = 0
    question = question[:QUESTION_CHARACTERS]
    found = list(tokens(_VERSUS.sub(", ", question) if "v" in question.lower() else question, lexicon=lexicon))
    labels = [token for token in found if _is_label(token)] if found and _is_label(found[-1]) else []  # they come last
    clothes = label_letters(token.surface.partition(" ")[0] for token in labels) if labels else frozenset()
    for surface, terms in [*labels, *(token for token in found if not _is_label(token))] if labels else found:
        kept = [term for term in terms if term[1] != "stop"]
        if clothes:
            kept = [term for term in kept if not clothes.issuperset(term.text)]
        if _is_run(surface):
            kept += _singles(surface)
        size += len(kept)
        if size > QUESTION_TERMS and seen:
            break
        if kept:
            key = (surface.casefold(), tuple(kept[:QUESTION_TERMS]))
            seen[key] = seen.get(key, 0) + 1
    return [Group(surface, kept, times, _is_run(surface), instead) for (surface, kept), times in seen.items()]


def _is_run(surface: str) -> bool:
    return not surface.isascii() and len(surface) > 1 and _CJK_RUN.match(surface) is not None


def _is_label(token: Token) -> bool:
    return bool(token.terms) and token.terms[0].shape == "label"


def function_words(question: str, lexicon: Lexicon) -> list[Group]:
    """The function words of a question: what is left to go by when the rest finds nothing."""
    found = tokens(question[:QUESTION_CHARACTERS], lexicon=lexicon)
    stops = [(token.surface.casefold(), tuple(term for term in token.terms if term.shape == "stop")) for token in found]
    return [Group(surface, kept, 1, _is_run(surface)) for surface, kept in dict.fromkeys(stops) if kept][:QUESTION_TERMS]


def _singles(run: str) -> list[Term]:
    """Letters that stand alone between function words: 猫 in 我的猫在哪里."""
    return [Term(segment, "han") for segment in segments(run) if len(segment) == 1]


def weigh(asked: Iterable[Group], index: Index) -> list[Weighed]:
    """Weigh the terms of a question for one book, by shape and by what the book takes them for."""
    return [Weighed(group, _weights(group, index)) for group in asked]


def _weights(group: Group, index: Index) -> dict[str, float]:
    weights: dict[str, float] = {}
    share = float(group.times**REPEAT_POWER) * (EXPANSION_WEIGHT if group.instead else 1.0)
    class_of = index.class_of
    for text, shape in group.terms:
        weight = SHAPE_WEIGHT[shape] * CLASS_WEIGHT[class_of(text)]
        if shape == "word" and "stem" not in [other for _, other in group.terms]:
            weight *= _ALONE
        elif shape == "stop":
            weight = STOP_WEIGHT
        weights[text] = weights.get(text, 0.0) + weight * share
    return weights


def labels_asked(asked: Iterable[Weighed]) -> list[str]:
    """Labels of a question, `theorem 3.2`, in order."""
    return [text for group, _ in asked for text, shape in group.terms if shape == "label"]
