"""The prose of a book, which may come after its index: texts, paragraphs, and the words that addresses end in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from .columns import ENDS, Values, read_digits, read_gaps
from .schema import Paragraph

WORDS: Final = ":~:text="
"""Begins the words of a card in its address."""


class Prose:
    """Columns of the text side, each read when it is needed."""

    def __init__(self, side: Mapping[str, Any]) -> None:
        self._texts: list[str] = side["texts"]
        self._bounds = Values(side["bounds"])
        self._anchors = Values(side["anchors"])
        self._told = _places(side["told"])
        self._anchored = _places(side["anchored"])
        self._overlapping = _places(side["overlapping"])
        self._overlaps, self._shared = read_digits(side["overlaps"]), read_digits(side["shared"])
        self._quoted = _places(side["quoted"])
        self._starts, self._lengths = read_digits(side["starts"]), read_digits(side["lengths"])
        self._words: dict[str, str] = side["words"]
        agree = len(self._told) == side["bounds"].count(ENDS) and len(self._anchored) == side["anchors"].count(ENDS)
        agree &= len(self._overlapping) == len(self._overlaps) == len(self._shared)
        agree &= len(self._quoted) == len(self._starts) == len(self._lengths)
        self.is_whole: bool = agree and set(map(type, self._texts)) <= {str}
        """Whether the columns agree in length."""

    def __len__(self) -> int:
        return len(self._texts)

    def text(self, ordinal: int) -> str:
        """Text of a card."""
        own = self._texts[ordinal]
        need = self._shared[self._overlapping[ordinal]] if ordinal in self._overlapping else 0
        parts = [own]
        while need > 0 and ordinal:
            ordinal -= 1
            parts.append(self._texts[ordinal][-need:])
            need -= len(parts[-1])
        return "".join(parts[::-1])

    def overlap(self, ordinal: int) -> int:
        """How many letters at its start repeat the card before it."""
        return self._overlaps[self._overlapping[ordinal]] if ordinal in self._overlapping else 0

    def paragraphs(self, ordinal: int, text: str) -> tuple[Paragraph, ...]:
        """Paragraphs of a card with this text."""
        bounds = paragraph_bounds(text) if ordinal not in self._told else read_gaps(self._bounds.at(self._told[ordinal]))
        anchors = self._anchors.at(self._anchored[ordinal]).split("\n") if ordinal in self._anchored else []
        anchors += [""] * (len(bounds) // 2 - len(anchors))
        return tuple(map(Paragraph, bounds[::2], bounds[1::2], anchors))

    def words(self, ordinal: int, text: str) -> str:
        """What a card's address ends in, so that a browser shows where it begins; empty for most."""
        if ordinal in self._quoted:
            place = self._quoted[ordinal]
            return WORDS + quote(text[self._starts[place] : self._starts[place] + self._lengths[place]], safe="")
        return self._words.get(str(ordinal), "")


def _places(gaps: str) -> dict[int, int]:
    """Card to its place in a column that some cards have."""
    return {card: place for place, card in enumerate(read_gaps(gaps))}


def paragraph_bounds(text: str) -> list[int]:
    """Starts and ends of the paragraphs of a text where nothing else is told: what blank lines part."""
    bounds: list[int] = []
    start = 0
    for paragraph in text.split("\n\n"):
        bounds += (start, start + len(paragraph))
        start += len(paragraph) + 2
    return bounds
