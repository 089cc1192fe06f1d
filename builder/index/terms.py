"""Count the terms of a book's cards, field by field, and judge what each term is to the book."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from askbook.core.lexicon import Lexicon
from askbook.core.limits import FIELD_BREADCRUMB, FIELD_TITLE
from askbook.core.schema import Book
from askbook.core.terms import terms

from .tally import Tally, tally, words

_CAPITAL = re.compile(r"(?<![.!?。！？:：\n#>|\-*“\"(])\s([A-Z][a-z]+(?:['’-][A-Za-z]+)*)")
_LOWER = re.compile(r"\b([a-z][a-z]+)\b")
_CODE_NAME = re.compile(r"\w*[_.:@#+]\w.*|\W.*|.*[+#]")
"""An identifier that is no mere compound: `snake_case`, `node.js`, `std::vec`, `--flag`, `C++`."""
_NAME_SEEN = 3
_NAME_SHARE = 9
"""A name stands with a capital at least so often for each time it stands without."""
_SET_OFF = 24
"""Letters of the longest emphasised phrase that counts as a concept."""
_CONCEPTS = frozenset({"word", "stem", "bigram", "han", "part"})


class Counts(NamedTuple):
    """Frequencies of one card, fields weighted, and its length; plain values, so that a build can leave them to the next."""

    frequencies: dict[str, int]
    shapes: dict[str, str]
    """Of each term but pairs of letters, as first seen in the card."""
    length: int
    stops: dict[str, int]
    """How often a pair of letters stood inside function words."""
    capitals: dict[str, int]
    """Words that stand with a capital inside a sentence."""
    lower: dict[str, int]
    """Words without one."""


def count(text: str, title: str, trail: str) -> Counts:
    """Count the terms of a card, of folded texts; title and trail count more than once."""
    own = tally(text)
    frequencies, shapes, stops = own.frequencies, own.shapes, own.stops
    length = own.length
    for part, weight in ((_field(title), FIELD_TITLE), (_field(trail), FIELD_BREADCRUMB)):
        for term, seen in part.frequencies.items():
            frequencies[term] = frequencies.get(term, 0) + weight * seen
        for term, shape in part.shapes.items():
            shapes.setdefault(term, shape)
        for pair, seen in part.stops.items():
            stops[pair] = stops.get(pair, 0) + weight * seen
        length += part.length
    capitals: Counter[str] = Counter()
    for name in _CAPITAL.findall(text):
        capitals.update(_parts(name))
    return Counts(frequencies, shapes, length, stops, dict(capitals), dict(Counter(_LOWER.findall(text))))


@lru_cache(maxsize=16384)
def _field(text: str) -> Tally:
    return tally(text)


@lru_cache(maxsize=16384)
def _parts(name: str) -> tuple[str, ...]:
    return tuple(term.text for term in terms(name) if term.shape in ("word", "part", "stem", "whole"))


def longer(text: str, title: str, trail: str, lexicon: Lexicon) -> dict[str, int]:
    """Count the longer Chinese words of a card, of folded texts."""
    if not lexicon.openings:
        return {}
    found = words(text, lexicon)
    for part, weight in ((title, FIELD_TITLE), (trail, FIELD_BREADCRUMB)):
        for word, seen in words(part, lexicon).items():
            found[word] = found.get(word, 0) + weight * seen
    return found


def classes(vocabulary: Sequence[str], shapes: Mapping[str, str], names: Set[str], concepts: Set[str], *, otherwise: str) -> str:
    """Class letter of every term, in order of the vocabulary; `otherwise` is the shape of a term that has none."""
    letters = []
    for term in vocabulary:
        shape = shapes.get(term, otherwise)
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


def shapes_of(counts: Sequence[Counts]) -> dict[str, str]:
    """Shape of every term but the longer Chinese words: as first seen; a pair is a function word if it mostly is one."""
    found: dict[str, str] = {}
    stops: dict[str, int] = {}
    for one in reversed(counts):
        found.update(one.shapes)
        for pair, seen in one.stops.items():
            stops[pair] = stops.get(pair, 0) + seen
    total: dict[str, int] = dict.fromkeys(stops, 0)
    for one in counts:
        for pair in total.keys() & one.frequencies.keys():
            total[pair] += one.frequencies[pair]
    found.update((pair, "stop") for pair, seen in stops.items() if 2 * seen > total[pair])
    return found


def proper_names(counts: Iterable[Counts]) -> frozenset[str]:
    """Latin words that the book nearly always writes with a capital inside its sentences."""
    capitals: Counter[str] = Counter()
    for one in counts:
        capitals.update(one.capitals)
    often = {word: seen for word, seen in capitals.items() if seen >= _NAME_SEEN}
    lower = dict.fromkeys(often, 0)
    for one in counts:
        for word in lower.keys() & one.lower.keys():
            lower[word] += one.lower[word]
    return frozenset(word for word, seen in often.items() if seen >= _NAME_SHARE * lower[word])


def concept_terms(book: Book, lexicon: Lexicon) -> frozenset[str]:
    """Terms of titles, of what authors set off, and of their term pairs."""
    titles = (card.title for card in book.cards)
    emphasised = (term for card in book.cards for term in card.terms if len(term) <= _SET_OFF)
    phrases = dict.fromkeys(chain(titles, emphasised, chain.from_iterable(book.pairs)))
    return frozenset(term.text for phrase in phrases for term in terms(phrase, lexicon=lexicon) if term.shape in _CONCEPTS)
