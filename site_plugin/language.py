"""Which language a book is in: what the site says, in one spelling, or what its text looks like."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_LETTER = re.compile(r"[^\W\d_]")
_TRADITIONAL = frozenset("個們這說學與體對為實點開關應數據變過還進無問題時間義應該總結兩")
_SAMPLE = 200_000
"""Characters looked at."""


def normal(tag: str) -> str:
    """Write a language tag one way: `zh_CN` as `zh-Hans`, `en-us` as `en-US`."""
    parts = tag.replace("_", "-").split("-")
    if parts[0].lower() == "zh":
        rest = {part.lower() for part in parts[1:]}
        return "zh-Hant" if rest & {"hant", "tw", "hk", "mo"} else "zh-Hans"
    return "-".join([parts[0].lower(), *(part.upper() if len(part) == 2 else part.title() for part in parts[1:])])


def detect(texts: Iterable[str]) -> str:
    """Guess from the letters: `zh-Hans`, `zh-Hant`, `ja`, `ko`; empty for an alphabet."""
    sample = ""
    for text in texts:
        sample += text[:2000]
        if len(sample) > _SAMPLE:
            break
    letters = len(_LETTER.findall(sample)) or 1
    if len(_KANA.findall(sample)) > letters * 0.05:
        return "ja"
    if len(_HANGUL.findall(sample)) > letters * 0.2:
        return "ko"
    if len(_HAN.findall(sample)) < letters * 0.15:
        return ""
    traditional = sum(sign in _TRADITIONAL for sign in sample)
    return "zh-Hant" if traditional > len(_HAN.findall(sample)) * 0.01 else "zh-Hans"


def language(said: str, texts: Iterable[str]) -> str:
    """What the site says, unless that is English, the default of themes, and the text is in another script."""
    said = normal(said) if said else ""
    if said and said.split("-")[0] not in ("en",):
        return said
    return detect(texts) or said or "en"
