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


@dataclass(frozen=True, slots=True)
class Finder:
    """A pattern, ready to be looked for."""

    holds: Callable[[str], bool]
    """Whether a text has it."""
    find: Callable[[str], Slice | None]
    """Where the text has it first; costs more."""


class _Folding(dict[int, str]):
    """How each letter is compared: width and case folded, noise dropped; filled as letters come."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        folded = unicodedata.normalize("NFKC", letter).casefold()
        kept = self[code] = "" if letter in NOISE else "".join(part for part in folded if part not in NOISE)
        return kept


def _without_commands(text: str) -> str:
    """Blank out layout commands, so that every letter keeps its place."""
    return NOISE_COMMANDS.sub(lambda found: " " * len(found[0]), text) if "\\" in text else text


def substring_finder(pattern: str) -> Finder:
    """Find the first place of these letters, noise aside."""
    folding = _Folding()
    wanted = _without_commands(pattern).translate(folding)

    def holds(text: str) -> bool:
        return bool(wanted) and wanted in _without_commands(text).translate(folding)

    def find(text: str) -> Slice | None:
        text = _without_commands(text)
        at = text.translate(folding).find(wanted) if wanted else -1
        if at < 0:
            return None
        places = [place for place, letter in enumerate(text) for _ in folding[ord(letter)]]
        return Slice(places[at], places[at + len(wanted) - 1] + 1)

    return Finder(holds, find)


def regex_finder(pattern: str) -> Finder:
    """Find the first match of a regular expression, line by line; ToolError where the pattern cannot be run safely."""
    compiled = LinearPattern(pattern)

    def find(text: str) -> Slice | None:
        if compiled.literal and compiled.literal not in text.lower():
            return None
        start = 0
        for line in text.split("\n"):
            found = compiled.search(line)
            if found is not None:
                return Slice(start + found[0], start + found[1])
            start += len(line) + 1
        return None

    return Finder(lambda text: find(text) is not None, find)


def context(text: str, found: Slice, around: int = limits.SLICE_CONTEXT) -> str:
    """The match with what stands around it."""
    start, end = max(0, found.start - around), min(len(text), found.end + around, found.start + 5 * around)
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
