"""Fold text so that spellings a reader takes for the same become the same: width, accents, simplified and traditional."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

from .variants import SIMPLIFIED, TRADITIONAL

_LETTERS: Final = str.maketrans(
    dict(zip(TRADITIONAL, SIMPLIFIED, strict=True))
    | {"ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "ħ": "h", "ı": "i", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE"}
    | {
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "‐": "-",
        "‑": "-",
        "‒": "-",
        "–": "-",
        "−": "-",
        "\u00ad": None,
        "\u200b": None,
        "\u2060": None,
    }
    | {"\ufeff": None, "ς": "σ"}
)
"""Letters that no Unicode decomposition splits, dashes, apostrophes, and characters that are not seen."""
_ACCENTED: Final = re.compile("[\u00c0-\u024f\u1e00-\u1fff\u0370-\u03ff\u0400-\u04ff][\u0300-\u036f]*")


@lru_cache(maxsize=4096)
def _bare(letter: str) -> str:
    return "".join(part for part in normalize("NFD", letter) if category(part) != "Mn")


def fold(text: str) -> str:
    """Fold width (NFKC), accents, Chinese variants, dashes and apostrophes; letter case is kept, since names are told by it."""
    if text.isascii():
        return text
    folded = normalize("NFKC", text).translate(_LETTERS)
    return _ACCENTED.sub(lambda match: _bare(match.group()), folded)
