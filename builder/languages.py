"""The language of a book, from what its files say or how it is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice

_HAN = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LATIN = re.compile(r"[A-Za-z]")
_TRADITIONAL = re.compile("[們個來時國會學實點圖過對開關數說後這種為與於無還應]")
_SIMPLIFIED = re.compile("[们个来时国会学实点图过对开关数说后这种为与于无还应]")
_NAMES = {
    "zh": "zh",
    "zh-cn": "zh-Hans",
    "zh-hans": "zh-Hans",
    "zh-sg": "zh-Hans",
    "zh-tw": "zh-Hant",
    "zh-hk": "zh-Hant",
    "zh-hant": "zh-Hant",
}


def normal(lang: str) -> str:
    """Write a language tag the way the index does: `zh_CN` is `zh-Hans`."""
    tag = lang.strip().replace("_", "-")
    return _NAMES.get(tag.lower(), tag)


def book_language(declared: Iterable[str], texts: Iterable[str]) -> str:
    """The language most pages declare, else the one the book is written in."""
    counted = Counter(normal(lang) for lang in declared if lang)
    named = min(counted, key=lambda lang: (-counted[lang], lang)) if counted else ""
    if named and named != "zh":
        return named
    return detect(texts)


def detect(texts: Iterable[str]) -> str:
    """Tell the language of running text by its script."""
    sample = "\n".join(text[:200] for text in islice(texts, 400))
    seen = Counter(sample)
    han, kana, hangul, latin, cyrillic = (_times(pattern, seen) for pattern in (_HAN, _KANA, _HANGUL, _LATIN, _CYRILLIC))
    if hangul > max(han, latin / 5):
        return "ko"
    if kana > (han + kana) / 8 and kana + han > latin / 5:
        return "ja"
    if han > latin / 8 and han > 2:
        return "zh-Hant" if _times(_TRADITIONAL, seen) > _times(_SIMPLIFIED, seen) else "zh-Hans"
    return "ru" if cyrillic > latin else "en"


def _times(pattern: re.Pattern[str], seen: Mapping[str, int]) -> int:
    """How often letters of a script have been seen."""
    return sum(map(seen.__getitem__, pattern.findall("".join(seen))))
