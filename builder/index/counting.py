"""Count every card of a book, by memory where a card is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from typing import Any

from askbook.core.folding import fold
from askbook.core.lexicon import Lexicon
from askbook.core.limits import FIELD_LABEL
from askbook.core.schema import Book

from .memory import Memory
from .terms import Counts, count, longer

_folded = lru_cache(maxsize=4096)(fold)


def counted(book: Book, texts: Sequence[str], memory: Memory) -> list[Counts]:
    """Count the cards of a book, whose folded texts are given."""
    made = []
    for key, fields in zip(_keys(book, texts), _fields(book, texts), strict=True):
        made.append(Counts(*memory.recall("cards", key, partial(_counted, *fields))))
    return made


def _counted(text: str, title: str, trail: str) -> tuple[Any, ...]:
    return tuple(count(text, title, trail))


def weighted(
    book: Book,
    texts: Sequence[str],
    counts: Sequence[Counts],
    carried: Mapping[str, Sequence[int]],
    lexicon: Lexicon,
    memory: Memory,
) -> Iterator[dict[str, int]]:
    """Frequencies of each card: what was counted, its longer words, and the labels it carries as its own."""
    own: defaultdict[int, list[str]] = defaultdict(list)
    for label, ordinals in carried.items():
        for ordinal in ordinals:
            own[ordinal].append(label)
    part = "words " + blake2b(repr(sorted(lexicon.costs.items())).encode(), digest_size=16).hexdigest()
    keys = _keys(book, texts) if lexicon.openings else iter(())
    for ordinal, (fields, one) in enumerate(zip(_fields(book, texts), counts, strict=True)):
        frequencies = dict(one.frequencies)
        if lexicon.openings:
            frequencies.update(memory.recall(part, next(keys), partial(longer, *fields, lexicon)))
        for label in own.get(ordinal, ()):
            for term in (label, label.partition(" ")[2]):
                frequencies[term] = frequencies.get(term, 0) + FIELD_LABEL
        yield frequencies


def _fields(book: Book, texts: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for card, text in zip(book.cards, texts, strict=True):
        yield text, _folded(card.title), _folded(" \n".join(card.breadcrumb))


def _keys(book: Book, texts: Sequence[str]) -> Iterator[bytes]:
    for fields in _fields(book, texts):
        yield blake2b("\0".join(fields).encode("utf-8", "surrogatepass"), digest_size=16).digest()
