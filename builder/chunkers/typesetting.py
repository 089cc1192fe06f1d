"""Quotes, dashes and dots as a site generator sets them that has been told to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

_TYPED = {'"': r"[\"']", "-": r"(?<!-)-{2,3}(?!-)", ".": r"(?<!\.)\.{3}(?!\.)"}
_INSIDE = re.compile(r"(?<=[^\W_])'")
"""An apostrophe, or a quote that closes, behind a letter."""
_DECADE = re.compile(r"(?<!\w)'(?=\d{2}s)")
"""An apostrophe before a decade, which opens nothing."""
_TYPESET = {"--": "–", "---": "—", "...": "…"}
ALL_SIGNS: Final = "".join(_TYPED)
"""All that may be set: quotes, hyphens, dots."""


@dataclass(frozen=True, slots=True)
class Smart:
    """Which signs are set, and what a site has in place of a typesetter's."""

    signs: str = ""
    own: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether anything is set."""
        return bool(self.signs)

    def shown(self, sign: str) -> str:
        """What is seen where a typesetter has a sign."""
        return self.own.get(sign, sign) if self.own else sign


PLAIN: Final = Smart()
ALL: Final = Smart(ALL_SIGNS)


@cache
def _pattern(signs: str) -> re.Pattern[str]:
    return re.compile("|".join(_TYPED[sign] for sign in signs))


def is_typed(text: str) -> bool:
    """Whether a text has a sign that may be set."""
    return "'" in text or '"' in text or "--" in text or "..." in text


def typeset(source: str, start: int, end: int, smart: Smart) -> str:
    """A stretch of text with quotes that open or close, dashes and an ellipsis, as far as these signs are set."""
    text = source[start:end]
    if "'" in text and '"' in smart.signs:
        text = _INSIDE.sub(smart.shown("’"), text)
    if not is_typed(text):
        return text
    pieces: list[str] = []
    last = 0
    for found in _pattern(smart.signs).finditer(text):
        sign, place = found[0], found.start()
        before = text[place - 1] if place else source[max(0, start - 1) : start]
        after = text[found.end() : found.end() + 1] or source[end : end + 1]
        opens = (
            (not before or before.isspace() or before in "([{-*_\"'") and bool(after.strip()) and not _DECADE.match(text, place)
        )
        quotes = "“”" if sign == '"' else "‘’"
        pieces += (text[last:place], smart.shown(_TYPESET.get(sign) or quotes[not opens]))
        last = found.end()
    return "".join([*pieces, text[last:]])
