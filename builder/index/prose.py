"""Write the prose of a book as `askbook.core.prose` reads it: text, paragraphs, and the words that addresses end in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from askbook.core.prose import WORDS, paragraph_bounds
from askbook.core.schema import Book, Card

from . import letters
from .letters import clean, column, line

_QUOTED: Final = re.compile(r"(?:[A-Za-z0-9_.~-]|%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|[46]0|[57][B-F](?<!5F)(?<!7E)))+")
"""Words as `urllib.parse.quote` writes them with nothing safe: each sign in one way only."""


def prose(book: Book) -> dict[str, Any]:
    """Everything of the cards that the index itself does not hold."""
    texts = [clean(card.text) for card in book.cards]
    told = [(place, bounds) for place, card in enumerate(book.cards) if (bounds := _bounds(card)) != paragraph_bounds(card.text)]
    anchored = [(n, card) for n, card in enumerate(book.cards) if any(paragraph.anchor for paragraph in card.paragraphs)]
    overlaps = [(place, card.overlap) for place, card in enumerate(book.cards) if card.overlap > 0]
    shared = [_shared(texts, place, overlap) for place, overlap in overlaps]
    for (place, _), cut in zip(overlaps, shared, strict=True):
        texts[place] = texts[place][cut:]
    return {
        "texts": texts,
        "told": letters.gaps([place for place, _ in told]),
        "bounds": column(letters.gaps(bounds) for _, bounds in told),
        "anchored": letters.gaps([place for place, _ in anchored]),
        "anchors": column("\n".join(line(one.anchor) for one in card.paragraphs) for _, card in anchored),
        "overlapping": letters.gaps([place for place, _ in overlaps]),
        "overlaps": letters.digits([overlap for _, overlap in overlaps]),
        "shared": letters.digits(shared),
        **_words(book.cards),
    }


def _bounds(card: Card) -> list[int]:
    return list(chain.from_iterable((paragraph.start, paragraph.end) for paragraph in card.paragraphs))


def _shared(texts: Sequence[str], place: int, overlap: int) -> int:
    """How many letters of its overlap a card need not tell, because the card before it ends in them."""
    own = texts[place][:overlap].rstrip()
    whole = place > 0 and texts[place - 1].endswith(own)
    return len(own) if whole else 0


def _words(cards: Sequence[Card]) -> dict[str, Any]:
    """The words at the end of addresses: where they stand in the text, or as they are."""
    found: list[tuple[int, int, int]] = []
    as_they_are: dict[str, str] = {}
    for place, card in enumerate(cards):
        _, mark, words = line(card.url).partition(WORDS)
        if mark and (span := _span(words, clean(card.text))):
            found.append((place, *span))
        elif mark:
            as_they_are[str(place)] = mark + words
    return {
        "quoted": letters.gaps([place for place, _, _ in found]),
        "starts": letters.digits([start for _, start, _ in found]),
        "lengths": letters.digits([length for _, _, length in found]),
        "words": as_they_are,
    }


def _span(words: str, text: str) -> tuple[int, int] | None:
    """Where words stand in a text whose only way to be quoted is how they are written."""
    if not _QUOTED.fullmatch(words):
        return None
    try:
        plain = unquote_to_bytes(words).decode()
    except UnicodeDecodeError:
        return None
    start = text.find(plain)
    return (start, len(plain)) if start >= 0 else None
