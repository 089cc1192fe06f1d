"""Where elements of raw HTML end: one pass a name over the lines of a page, however many elements there are."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

Lines = Sequence[tuple[str, int]]
"""A stack of lines with their numbers, the next one last."""

_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)$", re.DOTALL)
_REPEATS: Final = 50
"""How often a page may be looked through again because what seemed to be code is none."""


@dataclass(slots=True)
class Spans:
    """The elements of one name: how deep each line leaves them, and where each depth ends."""

    name: str
    depths: dict[int, int] = field(default_factory=dict)
    """By the number of a line, how many elements are open behind it."""
    drops: dict[int, list[int]] = field(default_factory=dict)
    """By depth, the numbers of the lines that come down to it or below."""
    read: str = ""
    """A rest of a line with many elements, and how far from its end they begin and end."""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    left: int = _REPEATS

    def end(self, todo: Lines, line: int, opening: str) -> int | None:
        """How many lines on the element ends with which `opening` begins, the rest of line `line`; None when it never does."""
        depth = self._depth(opening)
        if depth <= 0:
            return 0
        if line not in self.depths:
            if not self.left:
                return None
            self._look(todo, line, opening)
        before = self.depths[line] - depth
        drops = self.drops.get(before, [])
        place = bisect_right(drops, line)
        return _ahead(todo, drops[place]) if place < len(drops) else None

    def _depth(self, opening: str) -> int:
        """How many elements a rest of a line leaves open; a line is read once, however many rests of it are asked about."""
        if not self.read.endswith(opening):
            starts, ends = _tags(self.name)
            self.read, whole = opening, len(opening)
            self.starts = [whole - found.start() for found in starts.finditer(opening)][::-1]
            self.ends = [whole - found.start() for found in ends.finditer(opening)][::-1]
        return bisect_right(self.starts, len(opening)) - bisect_right(self.ends, len(opening))

    def _look(self, todo: Lines, line: int, opening: str) -> None:
        starts, ends = _tags(self.name)
        self.left -= 1
        depth = self._depth(opening)
        self.depths, self.drops = {line: depth}, {}
        code = _code([text for text, _ in reversed(todo)])
        for (text, number), hidden in zip(reversed(todo), code, strict=True):
            if hidden:
                continue
            if number != line and "<" in text:
                after = depth + len(starts.findall(text)) - len(ends.findall(text))
                for reached in range(after, depth):
                    self.drops.setdefault(reached, []).append(number)
                depth = after
            self.depths[number] = depth


def _ahead(todo: Lines, number: int) -> int | None:
    """How far on in a stack the line of a number stands; only the next few lines may have been taken apart."""
    place = todo[0][1] - number if todo else -1
    if 0 <= place < len(todo) and todo[place][1] == number:
        return len(todo) - place
    return next((ahead for ahead in range(1, len(todo) + 1) if todo[-ahead][1] == number), None)


def _code(lines: Sequence[str]) -> list[bool]:
    """For each line whether it stands in a fence, or is one; a fence that is never closed is none."""
    hidden = [False] * len(lines)
    start, fence = -1, ""
    for place, text in enumerate(lines):
        found = _FENCE.match(text) if "```" in text or "~~~" in text else None
        if found is None:
            continue
        if start < 0:
            start, fence = place, found[1]
        elif found[1].startswith(fence) and not found[2].strip():
            hidden[start : place + 1] = [True] * (place + 1 - start)
            start = -1
    return hidden


@lru_cache(maxsize=128)
def _tags(name: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What begins and what ends an element."""
    return re.compile(rf"<{name}(?=[\s/>]|\Z)", re.IGNORECASE), re.compile(rf"</{name}\s*>", re.IGNORECASE)
