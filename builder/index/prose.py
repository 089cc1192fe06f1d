"""Write the prose of a book as `askbook.core.prose` reads it: text, paragraphs, and the words that addresses end in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes

from askbook.core.prose import WORDS, paragraph_bounds
from askbook.core.schema import Book, Card

from . import letters
from .kept import Kept
from .letters import clean, column, line

_QUOTED: Final = re.compile(r"(?:[A-Za-z0-9_.~-]|%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|[46]0|[57][B-F](?<!5F)(?<!7E)))+")
"""Words as `urllib.parse.quote` writes them with nothing safe: each sign in one way only."""


class _Told(NamedTuple):
    """What is told of a card; the default where it follows from something else."""

    bounds: str | None
    anchors: str | None
    shared: int
    """How many letters of its overlap are left out of its text."""
    quoted: tuple[int, int] | None
    """Where the words that its address ends in stand in its text, and how many letters they have."""
    words: str
    """They themselves, where they stand nowhere."""


def prose(book: Book, kept: Kept | None = None) -> dict[str, Any]:
    """Everything of the cards that the index itself does not hold."""
    cards = book.cards
    told = [_Told(*row) for row in (kept or Kept(book)).each("prose", partial(_rows, cards), beside=1)]
    bounds = [(place, row.bounds) for place, row in enumerate(told) if row.bounds is not None]
    anchors = [(place, row.anchors) for place, row in enumerate(told) if row.anchors is not None]
    overlaps = [place for place, card in enumerate(cards) if card.overlap > 0]
    quoted = [(place, *row.quoted) for place, row in enumerate(told) if row.quoted is not None]
    return {
        "texts": [clean(card.text)[row.shared :] for card, row in zip(cards, told, strict=True)],
        "told": letters.gaps([place for place, _ in bounds]),
        "bounds": column(own for _, own in bounds),
        "anchored": letters.gaps([place for place, _ in anchors]),
        "anchors": column(own for _, own in anchors),
        "overlapping": letters.gaps(overlaps),
        "overlaps": letters.digits([cards[place].overlap for place in overlaps]),
        "shared": letters.digits([told[place].shared for place in overlaps]),
        "quoted": letters.gaps([place for place, _, _ in quoted]),
        "starts": letters.digits([start for _, start, _ in quoted]),
        "lengths": letters.digits([length for _, _, length in quoted]),
        "words": {str(place): row.words for place, row in enumerate(told) if row.words},
    }


def _rows(cards: Sequence[Card], ordinals: range) -> list[tuple[Any, ...]]:
    """What is told of some cards, as plain values."""
    return [tuple(_told(cards[place], cards[place - 1] if place else None)) for place in ordinals]


def _told(card: Card, before: Card | None) -> _Told:
    text = clean(card.text)
    shared = _shared(text[: card.overlap].rstrip(), before) if card.overlap > 0 else 0
    bounds = _bounds(card)
    anchored = any(paragraph.anchor for paragraph in card.paragraphs)
    quoted, words = _words(line(card.url), text)
    return _Told(
        letters.gaps(bounds) if bounds != paragraph_bounds(card.text) else None,
        "\n".join(line(one.anchor) for one in card.paragraphs) if anchored else None,
        shared,
        quoted,
        words,
    )


def _bounds(card: Card) -> list[int]:
    return list(chain.from_iterable((paragraph.start, paragraph.end) for paragraph in card.paragraphs))


def _shared(own: str, before: Card | None) -> int:
    """How many letters of its overlap a card need not tell, because the card before it ends in them."""
    return len(own) if before is not None and clean(before.text).endswith(own) else 0


def _words(url: str, text: str) -> tuple[tuple[int, int] | None, str]:
    """The words at the end of an address: where they stand in the text, or as they are."""
    _, mark, words = url.partition(WORDS)
    span = _span(words, text) if mark else None
    return span, "" if span else mark + words


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
