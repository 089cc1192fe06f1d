"""Count the terms of a book's cards, field by field, and judge what each term is to the book."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from askbook.core.folding import fold
from askbook.core.lexicon import Lexicon
from askbook.core.limits import FIELD_BREADCRUMB, FIELD_LABEL, FIELD_TITLE
from askbook.core.schema import Book, Card
from askbook.core.terms import Term, terms

_CAPITAL = re.compile(r"(?<![.!?。！？:：\n#>|\-*“\"(])\s([A-Z][a-z]+(?:['’-][A-Za-z]+)*)")
_LOWER = re.compile(r"\b([a-z][a-z]+)\b")
_CODE_NAME = re.compile(r"\w*[_.:@#+]\w.*|\W.*|.*[+#]")
"""An identifier that is no mere compound: `snake_case`, `node.js`, `std::vec`, `--flag`, `C++`."""
_NAME_SEEN = 3
_NAME_SHARE = 9
"""A name stands with a capital at least so often for each time it stands without."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Frequencies of one card, fields weighted, and its length."""

    frequencies: Counter[str]
    length: int


def count(card: Card, lexicon: Lexicon, carried: Sequence[str], shapes: dict[str, str]) -> Counts:
    """Count a card's terms; title, trail and its own labels count more than once; new terms leave their shape in `shapes`."""
    frequencies: Counter[str] = Counter()
    length = 0
    fields = ((card.text, 1), (card.title, FIELD_TITLE), (" \n".join(card.breadcrumb), FIELD_BREADCRUMB))
    for text, weight in fields:
        for term, shape in terms(text, lexicon=lexicon):
            frequencies[term] += weight
            length += shape not in _LIGHT
            shapes.setdefault(term, shape)
    for label in carried:
        frequencies[label] += FIELD_LABEL
        frequencies[label.partition(" ")[2]] += FIELD_LABEL
    return Counts(frequencies, length)


_LIGHT = frozenset({"stem", "part", "noise", "label", "touched", "stop", "han"})
"""Shapes that do not make a card longer: they say again what was counted, or say nothing."""


def classes(book: Book, vocabulary: Sequence[str], shapes: Mapping[str, str], lexicon: Lexicon) -> str:
    """Class letter of every term, in order of the vocabulary."""
    names, concepts = proper_names(book), concept_terms(book, lexicon)
    letters = []
    for term in vocabulary:
        shape = shapes.get(term, "label")
        if shape in ("number", "label"):
            letters.append("#")
        elif shape in ("noise", "stop"):
            letters.append("x")
        elif term in names or (shape == "whole" and _CODE_NAME.fullmatch(term)):
            letters.append("n")
        elif term in concepts:
            letters.append("t" if shape == "stem" else "c")
        else:
            letters.append("s" if shape == "stem" else "w")
    return "".join(letters)


def proper_names(book: Book) -> frozenset[str]:
    """Latin words that the book nearly always writes with a capital inside its sentences."""
    capital: Counter[str] = Counter()
    lower: Counter[str] = Counter()
    for card in book.cards:
        text = fold(card.text)
        for match in _CAPITAL.finditer(text):
            capital.update(term.text for term in terms(match[1]) if term.shape in ("word", "part", "stem", "whole"))
        lower.update(_LOWER.findall(text))
    return frozenset(word for word, seen in capital.items() if seen >= _NAME_SEEN and seen >= _NAME_SHARE * lower[word])


def concept_terms(book: Book, lexicon: Lexicon) -> frozenset[str]:
    """Terms of titles, of what authors set off, and of their term pairs."""
    found: set[str] = set()
    for card in book.cards:
        found.update(concept.text for concept in terms(card.title, lexicon=lexicon) if _matters(concept))
        for emphasised in card.terms:
            if len(emphasised) <= 24:
                found.update(concept.text for concept in terms(emphasised, lexicon=lexicon) if _matters(concept))
    for pair in book.pairs:
        for side in pair:
            found.update(concept.text for concept in terms(side, lexicon=lexicon) if _matters(concept))
    return frozenset(found)


def _matters(term: Term) -> bool:
    return term.shape in ("word", "stem", "bigram", "han", "part")
