"""How often an open end is worth drawing: all drawings together cost a small multiple of drawing the answer once.

Cost is counted in tokens of the parser, not in time: the core has no clock, and the same stream is drawn the same way everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

_RATE = 2.0
"""What may be spent in all, as a multiple of one drawing of all that came."""
_AGAIN = 0.6
"""What it costs to read all once more in the end, of one drawing of it: much of it is known by then."""
_START = 50.0
"""What may be spent in advance, so that an answer begins at once."""
_DRAWING = 15.0
"""What any drawing costs, in tokens."""
_CHARACTERS = 100
"""Characters read that cost as much as a token …"""
_WRITTEN = 2_000
"""… and characters of HTML that are written again."""


@dataclass(slots=True)
class Effort:
    """Keeps account of what was spent, and of what one drawing would have cost."""

    spent: float = 0.0
    over: float = 0.0
    """Tokens that are let go of."""
    open: float = 0.0
    """Tokens of the open end when it was last read …"""
    length: int = 0
    """… and its characters."""

    def is_worth(self, arrived: int, length: int, html: int) -> bool:
        """Tell whether an open end may be drawn now.

        So many characters arrived in all, and so many are to be read; the open block is drawn with so many.
        """
        new = max(0, length - self.length)
        expected = self.open + new * (self.over + self.open) / max(1, arrived - new)
        once = self.over + expected + arrived / _CHARACTERS
        return self.spent + _cost(expected, length, html) + _AGAIN * self.over <= _RATE * once + _START

    def note(self, tokens: int, new: int, length: int, html: int) -> None:
        """An open end was read; so many of its tokens are its own."""
        self.spent += _cost(tokens, length, html)
        self.open, self.length = max(1, new), length

    def let_go(self, characters: int, length: int) -> None:
        """Of the open end, so many characters of so many are over."""
        share = characters / max(1, length)
        self.over += self.open * share
        self.open *= 1 - share
        self.length = length - characters


def _cost(tokens: float, length: int, html: int) -> float:
    return _DRAWING + tokens + length / _CHARACTERS + html / _WRITTEN
