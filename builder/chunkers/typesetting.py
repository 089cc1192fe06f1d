"""Quotes, dashes and dots as a site generator sets them that has been told to."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_TYPED = {'"': r"[\"']", "-": r"(?<!-)-{2,3}(?!-)", ".": r"(?<!\.)\.{3}(?!\.)"}
_DECADE = re.compile(r"(?<!\w)'(?=\d{2}s)")
"""An apostrophe before a decade, which opens nothing."""
_TYPESET = {"--": "–", "---": "—", "...": "…"}
ALL_SIGNS: Final = "".join(_TYPED)
"""All that may be set: quotes, hyphens, dots."""


@cache
def _pattern(signs: str) -> re.Pattern[str]:
    return re.compile("|".join(_TYPED[sign] for sign in signs))


def typeset(source: str, start: int, end: int, signs: str) -> str:
    """A stretch of text with quotes that open or close, dashes and an ellipsis, as far as these signs are set."""
    pieces: list[str] = []
    for found in _pattern(signs).finditer(source, start, end):
        sign, place = found[0], found.start()
        before, after = source[max(0, place - 1) : place], source[found.end() : found.end() + 1]
        opens = (
            (not before or before.isspace() or before in "([{-*_\"'") and bool(after.strip()) and not _DECADE.match(source, place)
        )
        quotes = "“”" if sign == '"' else "‘’"
        pieces += (source[start:place], _TYPESET.get(sign) or quotes[not opens])
        start = found.end()
    return "".join([*pieces, source[start:end]])
