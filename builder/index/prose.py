"""Write the prose of a book as `askbook.core.prose` reads it: text, paragraphs, and the words that addresses end in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from askbook.core.prose import WORDS, paragraph_bounds
from askbook.core.schema import Book, Card

from . import letters
from .kept import Kept
from .letters import clean, column, line

_QUOTED: Final = re.compile(r"(?:[A-Za-z0-9_.~-]|%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|[46]0|[57][B-F](?<!5F)(?<!7E)))+")
"""Words as `urllib.parse.quote` writes them with nothing safe: each sign in one way only."""


_Told = tuple[str | None, str | None, int, tuple[int, int] | None, str]
"""What is told of a card: where its paragraphs begin and end and their anchors, each None where it follows from the text; how
many letters of its overlap are left out of its text; and the words that its address ends in: where they stand in the text, or
they themselves where they stand nowhere."""


def prose(book: Book, kept: Kept | None = None) -> dict[str, Any]:
    """Everything of the cards that the index itself does not hold."""
    cards = book.cards
    rows = (kept or Kept(book)).each("prose", partial(_rows, cards), beside=1)
    bounds, anchors, shared, spans, words = zip(*rows, strict=True) if rows else [()] * 5
    told = [place for place, own in enumerate(bounds) if own is not None]
    anchored = [place for place, own in enumerate(anchors) if own is not None]
    overlapping = [place for place, card in enumerate(cards) if card.overlap > 0]
    quoted = [place for place, span in enumerate(spans) if span is not None]
    return {
        "texts": [clean(card.text)[cut:] for card, cut in zip(cards, shared, strict=True)],
        "told": letters.gaps(told),
        "bounds": column([bounds[place] for place in told]),
        "anchored": letters.gaps(anchored),
        "anchors": column([anchors[place] for place in anchored]),
        "overlapping": letters.gaps(overlapping),
        "overlaps": letters.digits([cards[place].overlap for place in overlapping]),
        "shared": letters.digits([shared[place] for place in overlapping]),
        "quoted": letters.gaps(quoted),
        "starts": letters.digits([spans[place][0] for place in quoted]),
        "lengths": letters.digits([spans[place][1] for place in quoted]),
        "words": {str(place): own for place, own in enumerate(words) if own},
    }


def _rows(cards: Sequence[Card], ordinals: range) -> list[_Told]:
    return [_told(cards[place], cards[place - 1] if place else None) for place in ordinals]


def _told(card: Card, before: Card | None) -> _Told:
    text = clean(card.text)
    shared = _shared(text[: card.overlap].rstrip(), before) if card.overlap > 0 else 0
    paragraphs = card.paragraphs
    bounds = [place for one in paragraphs for place in (one.start, one.end)]
    anchored = any(one.anchor for one in paragraphs)
    quoted, words = _words(line(card.url), text)
    return (
        None if bounds == paragraph_bounds(card.text) else letters.gaps(bounds),
        "\n".join([line(one.anchor) for one in paragraphs]) if anchored else None,
        shared,
        quoted,
        words,
    )


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
