"""Find the very words of a pattern in the cards, formulas' noise aside, whatever the pattern and without ever running away."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from . import limits
from .linear import LinearPattern

NOISE: Final = frozenset("$\\{} \t\r\n\u00a0\u3000\u200b")
"""What LaTeX and layout put between the letters: it neither helps nor hinders a match."""
NOISE_COMMANDS: Final = re.compile(
    r"\\(?:left|right|big|Big|bigg|Bigg|displaystyle|textstyle|limits|nolimits|quad|qquad|[,;:!])(?![A-Za-z])"
)


@dataclass(frozen=True, slots=True)
class Slice:
    """Where a pattern stands in a text."""

    start: int
    end: int


Finder = Callable[[str], Slice | None]


def bare(text: str) -> tuple[str, list[int]]:
    """Fold a text for comparison and drop the noise; with each letter's place in the text."""
    letters: list[str] = []
    places: list[int] = []
    skipped = {place for found in NOISE_COMMANDS.finditer(text) for place in range(*found.span())} if "\\" in text else ()
    for place, letter in enumerate(text):
        if letter in NOISE or place in skipped:
            continue
        for folded in letter.casefold() if letter.isascii() else unicodedata.normalize("NFKC", letter).casefold():
            if folded not in NOISE:
                letters.append(folded)
                places.append(place)
    return "".join(letters), places


def substring_finder(pattern: str) -> Finder:
    """Find the first place of these letters, noise aside."""
    wanted, _ = bare(pattern)

    def find(text: str) -> Slice | None:
        if not wanted:
            return None
        letters, places = bare(text)
        at = letters.find(wanted)
        return None if at < 0 else Slice(places[at], places[at + len(wanted) - 1] + 1)

    return find


def regex_finder(pattern: str) -> Finder:
    """Find the first match of a regular expression, line by line; ToolError where the pattern cannot be run safely."""
    compiled = LinearPattern(pattern)

    def find(text: str) -> Slice | None:
        start = 0
        for line in text.split("\n"):
            found = compiled.search(line)
            if found is not None:
                return Slice(start + found[0], start + found[1])
            start += len(line) + 1
        return None

    return find


def context(text: str, found: Slice, around: int = limits.SLICE_CONTEXT) -> str:
    """The match with what stands around it."""
    start, end = max(0, found.start - around), min(len(text), found.end + around)
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
