"""Titles as parts of card ids and of addresses: one rule for the build that writes them and the index that leaves them out."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_GAPS: Final = re.compile(r"[^\w+#]+")
_SLUG_CHARACTERS: Final = 48
_DROPPED: Final = re.compile(r"[^\w\s-]")
_SPACES: Final = re.compile(r"[\s-]+")


def slug(text: str) -> str:
    """Write a title as part of an id: letters of every script, digits, `+` and `#`, joined by `-`."""
    plain = _GAPS.sub("-", unicodedata.normalize("NFKC", text).casefold()).strip("-_")
    return plain[:_SLUG_CHARACTERS].rstrip("-_")


def usual_anchor(title: str) -> str:
    """The fragment that most site generators give a heading of plain letters."""
    return _SPACES.sub("-", _DROPPED.sub("", title).strip().lower())
