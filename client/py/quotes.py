"""Find the paragraph of a card that a sentence rests on, and say how well it is supported.

Both are compared as bare letters (NFKC, letter case, punctuation, white space and the dressing of formulas left out): first
by edit distance, then by the terms they share.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from .alignment import nearest
from .limits import QUOTE_CHARACTERS, QUOTE_DISTANCE
from .schema import Card, Paragraph
from .sentences import sentences
from .terms import terms

_DRESSING = re.compile(
    r"\\(?:left|right|big|Big|bigg|Bigg|bigl|bigr|Bigl|Bigr|displaystyle|textstyle|limits|nolimits|quad|qquad|text|mathrm|mathit"
    r"|mathbf|boldsymbol|bm|operatorname|rm|bf|dfrac|tfrac|tag)\*?"
)
"""Commands of LaTeX that change how a formula looks and not what it says; looked for once white space is gone."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATION = re.compile(r"\b(?:not|no|never|cannot|without|neither|nor)\b|n['’]t\b|不|没|無|无|未|非|否|勿")
_HAN = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]")
_NO_PROSE = re.compile(r"\$\$[^$]*\$\$|\$[^$]*\$|`[^`]*`|\\[A-Za-z]+|https?://\S+")
"""Formulas and code are written alike in all languages."""
_LATIN = re.compile(r"[A-Za-z]{2,}")
_COUNTED = {"word": 1.0, "whole": 1.2, "number": 1.5, "han": 1.0, "bigram": 0.6, "touched": 0.15}


class Bare(NamedTuple):
    """A text as bare letters."""

    letters: str
    places: Sequence[int]
    """Code point in the text of each letter."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of a card's text that is, or nearly is, what was quoted."""

    start: int
    end: int
    text: str
    anchor: str
    """Of its paragraph; empty means the card's own address."""
    closeness: float
    """1 for letter by letter, less with each letter changed."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What a card has to say of a sentence: the best stretch of it, and how much of the sentence that supports."""

    start: int
    end: int
    text: str
    anchor: str
    closeness: float
    shared: float
    """Weight of the sentence's terms that the stretch has, 0 to 1."""
    contradicted: bool
    """A number of the sentence is not there, or one of both denies."""

    @property
    def score(self) -> float:
        """0 to 1: how well the stretch supports the sentence."""
        return max(self.closeness if self.closeness >= 1 - QUOTE_DISTANCE else 0.0, self.shared)


def bare(text: str) -> Bare:
    """Reduce a text to the letters that count, and remember where each of them stood."""
    letters: list[str] = []
    places: list[int] = []
    solid = [at for at, char in enumerate(text) if not char.isspace()]
    written = "".join(text[at] for at in solid)
    dressing = {at for found in _DRESSING.finditer(written) for at in range(*found.span())} if "\\" in written else set()
    for order, at in enumerate(solid):
        if order in dressing:
            continue
        char = text[at]
        for letter in char.casefold() if char.isascii() else unicodedata.normalize("NFKC", char).casefold():
            if letter.isalnum() or unicodedata.category(letter) in {"Sm", "Mn"}:
                letters.append(letter)
                places.append(at)
    return Bare("".join(letters), places)


def find_quote(quote: str, card: Card) -> Quote | None:
    """Return where a card has a quote, a few letters changed at most; None where it is not there."""
    found = _nearest(quote[:QUOTE_CHARACTERS], card)
    return found if found is not None and found.closeness >= 1 - QUOTE_DISTANCE else None


def find_basis(sentence: str, card: Card) -> Basis:
    """Return the stretch of a card that supports a sentence best."""
    sentence = sentence[:QUOTE_CHARACTERS]
    quote = _nearest(sentence, card)
    closeness = quote.closeness if quote else 0.0
    weights = _weights(sentence)
    if quote is not None and closeness >= 1 - QUOTE_DISTANCE:
        return _basis(sentence, card, quote.start, quote.end, closeness, _shared(weights, _terms_of(quote.text)))
    best = max(_stretches(card), key=lambda span: (_shared(weights, _terms_of(card.text[slice(*span)])), span[0] - span[1]))
    return _basis(sentence, card, *best, closeness, _shared(weights, _terms_of(card.text[slice(*best)])))


def _nearest(sentence: str, card: Card) -> Quote | None:
    """Return the stretch of a card that is nearest to a sentence, letter by letter."""
    wanted, card_bare = bare(sentence), _bare_card(card.text)
    if not wanted.letters:
        return None
    place = nearest(wanted.letters, card_bare.letters)
    if place.end <= place.start:
        return None
    start, end = card_bare.places[place.start], card_bare.places[place.end - 1] + 1
    anchor = paragraph_at(card, (start + end) // 2).anchor
    return Quote(start, end, card.text[start:end], anchor, 1 - place.distance / len(wanted.letters))


def paragraph_at(card: Card, place: int) -> Paragraph:
    """Return the paragraph of a card that holds a code point of its text."""
    if not card.paragraphs:
        return Paragraph(0, len(card.text))
    return card.paragraphs[max(0, bisect_right([paragraph.start for paragraph in card.paragraphs], place) - 1)]


def comparable(sentence: str, card: Card) -> bool:
    """Tell whether sentence and card are written in the same script; across languages letters say nothing."""
    return _mainly_han(sentence) is None or _mainly_han(card.text) is None or _mainly_han(sentence) == _mainly_han(card.text)


def _mainly_han(text: str) -> bool | None:
    """Tell Chinese, Japanese and Korean from scripts with words; None where a text has too little of both."""
    prose = _NO_PROSE.sub(" ", text)
    han, latin = len(_HAN.findall(prose)), len(_LATIN.findall(prose))
    return None if han + latin < 3 else han > latin


def _basis(sentence: str, card: Card, start: int, end: int, closeness: float, shared: float) -> Basis:
    text = card.text[start:end]
    numbers = set(_NUMBER.findall(unicodedata.normalize("NFKC", sentence)))
    there = set(_NUMBER.findall(unicodedata.normalize("NFKC", card.text)))
    denies = len(_NEGATION.findall(sentence)) % 2 != len(_NEGATION.findall(text)) % 2
    anchor = paragraph_at(card, (start + end) // 2).anchor
    touched = [span for span in _sentences_of(card.text) if _overlap(span, (start, end)) > 0.3]
    start, end = min([start, *(first for first, _ in touched)]), max([end, *(last for _, last in touched)])
    return Basis(start, end, card.text[start:end], anchor, closeness, shared, bool(numbers - there) or denies)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return the share of the shorter of two stretches that both have."""
    common = min(one[1], other[1]) - max(one[0], other[0])
    return common / max(1, min(one[1] - one[0], other[1] - other[0]))


def _stretches(card: Card) -> Iterator[tuple[int, int]]:
    """Yield each sentence of a card, each pair of neighbours within a paragraph, and each paragraph."""
    last: tuple[int, int] | None = None
    for start, end in _sentences_of(card.text):
        yield start, end
        if last and paragraph_at(card, last[0]) == paragraph_at(card, start):
            yield last[0], end
        last = (start, end)
    yield from ((paragraph.start, paragraph.end) for paragraph in card.paragraphs)
    yield 0, len(card.text)


@lru_cache(maxsize=64)
def _bare_card(text: str) -> Bare:
    return bare(text)


@lru_cache(maxsize=64)
def _sentences_of(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((sentence.start, sentence.end) for sentence in sentences(text))


@lru_cache(maxsize=1024)
def _terms_of(text: str) -> frozenset[str]:
    """Return the terms of a text, in the forms they are compared by."""
    return frozenset(term.text for term in terms(text))


def _weights(sentence: str) -> dict[str, float]:
    """Return what counts in a sentence; a stem counts for its word."""
    weights: dict[str, float] = {}
    found = terms(sentence)
    for term, after in zip(found, [*found[1:], None], strict=True):
        if term.shape == "word" and after is not None and after.shape == "stem":
            continue
        weight = 1.0 if term.shape == "stem" else _COUNTED.get(term.shape, 0.0)
        if weight:
            weights[term.text] = max(weight, weights.get(term.text, 0.0))
    return weights


def _shared(weights: dict[str, float], there: frozenset[str]) -> float:
    """Return the share of the weights that is there."""
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in there) / total if total else 0.0
