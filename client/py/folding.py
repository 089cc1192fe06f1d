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
_CHANGED: Final = re.compile(f"[{''.join(map(chr, _LETTERS))}]")
_ASCII: Final = re.compile(r"[\x00-\x7f]+")
_UNSURE: Final = re.compile(r"[\x00-\x7f]?[^\x00-\x7f\u3001-\u3029\u4e00-\u9fff\u2010\u2012-\u2015\u2018-\u201f]+")
"""Characters that NFKC may change, with what may stand before a combining mark; the others are most of a Chinese text."""
_UNSURE_LETTER: Final = re.compile(_UNSURE.pattern.removeprefix(r"[\x00-\x7f]?"))
_WIDE: Final = tuple(zip("，：（）；！？", ",:();!?", strict=True))
"""What Chinese sentences are full of; nothing combines with these signs, so that they can be folded by themselves."""


@lru_cache(maxsize=4096)
def _bare(letter: str) -> str:
    return "".join(part for part in normalize("NFD", letter) if category(part) != "Mn")


@lru_cache(maxsize=4096)
def _compatible(stretch: str) -> str:
    return normalize("NFKC", stretch)


@lru_cache(maxsize=128)
def fold(text: str) -> str:
    """Fold width (NFKC), accents, Chinese variants, dashes and apostrophes; letter case is kept, since names are told by it."""
    if text.isascii():
        return text
    for wide, narrow in _WIDE:
        text = text.replace(wide, narrow)
    strange = _ASCII.sub("", text)
    unsure = _UNSURE_LETTER.search(strange) is not None
    if unsure:
        text = _UNSURE.sub(lambda match: _compatible(match.group()), text)
    if unsure or _CHANGED.search(strange):
        text = _CHANGED.sub(lambda match: match.group().translate(_LETTERS), text)
    return _ACCENTED.sub(lambda match: _bare(match.group()), text) if unsure else text
