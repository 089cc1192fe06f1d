"""Phrases of a question, and how much of them stands whole in a card: the postings have no positions, so the text is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from .folding import fold
from .terms import CJK, STOP, segments, stem

_RUN: Final = re.compile(rf"(?P<cjk>[{CJK}]+)|[^\W{CJK}]+")
_LEADING: Final = re.compile(r"^\s*(?:\d+(?:[.\-]\d+)*[.、:：]?\s+|第\s?\S{1,5}\s?[章节讲课]\s*[:：]?\s*)")
_SHORTEST: Final = 3
"""A Chinese phrase of two letters is a bigram, which is a term."""
_LONGEST: Final = 12
"""Letters of a part of a phrase that are told apart."""


def phrases(question: str) -> list[tuple[str, int]]:
    """Neighbouring content words, and Chinese runs between function words, each with its weight."""
    clean = fold(question).casefold()
    found: list[tuple[str, int]] = []
    last: re.Match[str] | None = None
    for match in _RUN.finditer(clean):
        word = match.group()
        if match["cjk"]:
            last = None
            found += ((segment, len(segment) - 2) for segment in segments(word) if len(segment) >= _SHORTEST)
            continue
        if last and not clean[last.end() : match.start()].strip(" -") and not {last.group(), word} & STOP:
            found.append((clean[last.start() : match.end()], 1))
        last = match
    return found


def share(asked: Sequence[tuple[str, int]], text: str) -> float:
    """How much of the phrases a case-folded text has, 0 to 1; of a long Chinese one its longest part counts."""
    total = have = 0.0
    for phrase, weight in asked:
        total += weight
        if phrase in text:
            have += weight
        elif not phrase.isascii():
            have += weight * _part(phrase, text)
    return have / total if total else 0.0


def _part(phrase: str, text: str) -> float:
    """How much of a phrase without spaces a text has that has not all of it."""
    longest = min(len(phrase) - 1, _LONGEST)
    start, size = 0, _SHORTEST - 1
    while size < longest and start + size < len(phrase):
        if phrase[start : start + size + 1] in text:
            size += 1
        else:
            start += 1
    return (size - 2) / (len(phrase) - 2) if size >= _SHORTEST else 0.0


@lru_cache(maxsize=64)
def content(text: str) -> str:
    """What a question or title is about, as one string: stems and runs, function words and a leading number left out."""
    found: list[str] = []
    for match in _RUN.finditer(_LEADING.sub("", fold(text)).casefold()):
        word = match.group()
        if match["cjk"]:
            found += filter(None, segments(word))
        elif word not in STOP:
            found.append(stem(word))
    return " ".join(found)


class Subjects(dict[int, str]):
    """What titles are about, by their places, each looked at when it is first asked for."""

    def __init__(self, titles: Sequence[str]) -> None:
        super().__init__()
        self._titles = titles

    def __missing__(self, place: int) -> str:
        found = self[place] = content(self._titles[place])
        return found


def alike(one: str, other: str) -> float:
    """1 where two contents are the same, else the share of the longer that the shorter makes up, if it is in it."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) / len(longer) if shorter and f" {shorter} " in f" {longer} " else 0.0
