"""Which language a book is in: what the site says, or what its text looks like."""

from __future__ import annotations

from collections.abc import Iterable

from askbook.builder.languages import detect, normal

_UNSURE = frozenset({"", "en", "zh"})
"""What a theme says by default, or without saying which script."""


def language(said: str, texts: Iterable[str]) -> str:
    """What the site says, unless that is a default; then the script of the text decides."""
    named = normal(said)
    return detect(texts) if named in _UNSURE else named
