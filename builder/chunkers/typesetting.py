"""Quotes, dashes and dots as a site generator sets them that has been told to."""

from __future__ import annotations

import re

_TYPED = re.compile(r"""["']|-{2,3}|\.{3}""")
_TYPESET = {"--": "–", "---": "—", "...": "…"}


def typeset(source: str, start: int, end: int) -> str:
    """A stretch of text with quotes that open or close, dashes and an ellipsis."""
    pieces: list[str] = []
    for found in _TYPED.finditer(source, start, end):
        sign, place = found[0], found.start()
        before, after = source[max(0, place - 1) : place], source[found.end() : found.end() + 1]
        opens = (not before or before.isspace() or before in "([{-*_\"'") and bool(after.strip())
        quotes = "“”" if sign == '"' else "‘’"
        pieces += (source[start:place], _TYPESET.get(sign) or quotes[not opens])
        start = found.end()
    return "".join([*pieces, source[start:end]])
