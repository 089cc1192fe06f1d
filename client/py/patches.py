"""What changes on the page when a block of a growing answer is drawn again: its end, and nothing in front of that."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any

_PIECE = re.compile(
    r"""<(span|div)\ class="math[^>]*>[^<]*</\1>                      # a formula, which the page turns into something else
    |<(?P<close>/)?(?!(?:span|div)\ class="math)(?P<name>[a-z][a-z0-9]*)[^>]*>""",
    re.VERBOSE,
)
_VOID = frozenset({"br", "hr", "img"})
_STEP = 64
_ROOM = 200


@dataclass(frozen=True, slots=True)
class Patch:
    """What a page has to do with one block of an answer."""

    block: int
    """Ordinal of the block, from 0."""
    html: str
    """What the block holds from now on, or from `at` on; empty takes it away, or leaves it where there is text to add."""
    text: str = ""
    """Plain text to add where the last text of the block ends."""
    at: tuple[int, ...] = ()
    """Where `html` begins, if not at the start: the elements to go down into, by ordinal among their siblings, and of the last
    one how many elements stay and how many UTF-16 units of the text behind them. `html` repeats the elements gone into."""

    def to_json(self) -> dict[str, Any]:
        """Return `{"block", "html"}`, `{"block", "html", "at"}` or `{"block", "text"}`."""
        if self.text:
            return {"block": self.block, "text": self.text}
        return {"block": self.block, "html": self.html} | ({"at": list(self.at)} if self.at else {})


@dataclass(slots=True)
class Place:
    """How far the HTML of a block is known: a position, and what is open there."""

    position: int = 0
    opened: list[str] = field(default_factory=list)
    """Tags of the elements that are open."""
    elements: list[int] = field(default_factory=lambda: [0])
    """Elements that are closed, in the block and in each open element."""
    characters: int = 0
    """UTF-16 units of text since the last tag."""

    def advance(self, html: str, end: int) -> None:
        """Go on to an end, or to the last place in front of it that parts no tag and no entity."""
        for piece in _PIECE.finditer(html, self.position, end):
            if piece["close"]:
                self.opened.pop()
                self.elements.pop()
                self.elements[-1] += 1
            elif piece["name"] is None or piece["name"] in _VOID:
                self.elements[-1] += 1
            else:
                self.opened.append(piece[0])
                self.elements.append(0)
            self.position, self.characters = piece.end(), 0
        end = _whole(html, self.position, end)
        self.characters += len(unescape(html[self.position : end]).encode("utf-16-le")) // 2
        self.position = max(self.position, end)


def change(before: str, after: str, place: Place) -> tuple[str, tuple[int, ...]]:
    """Return the HTML a block ends with from now on and where that begins.

    Both are drawings of the same block. `place` was left by the last change of it and is moved on, but not quite as far: the next
    change may begin a little earlier.
    """
    if before[: place.position] != after[: place.position]:
        place.position, place.opened, place.elements, place.characters = 0, [], [0], 0
    common = _common(before, after, place.position)
    place.advance(after, max(place.position, common - _ROOM))
    here = Place(place.position, place.opened.copy(), place.elements.copy(), place.characters)
    here.advance(after, common)
    at = (*here.elements, here.characters)
    return ("".join(here.opened) + after[here.position :], at) if any(at) else (after, ())


def _common(before: str, after: str, start: int) -> int:
    """Return how long two texts are equal, which they are up to `start`."""
    limit = min(len(before), len(after))
    while start < limit and before[start : start + _STEP] == after[start : start + _STEP]:
        start += _STEP
    return next((at for at in range(start, min(limit, start + _STEP)) if before[at] != after[at]), min(limit, start + _STEP))


def _whole(html: str, start: int, end: int) -> int:
    """Return the end of text that parts no tag and no entity."""
    tag = html.find("<", start, end)
    if tag >= 0:
        return tag
    entity = html.rfind("&", start, end)
    return entity if entity >= 0 and ";" not in html[entity:end] else end
