"""Find cards that nearly repeat an earlier one, so that a result list need not show both."""

from __future__ import annotations

import re
from collections import defaultdict
from hashlib import blake2b

from askbook.core.schema import Book

_ALIKE = 0.9
_SHINGLE = 8
_SHORTEST = 80
"""Shorter cards are left alone: few words in common prove little."""
_SPACE = re.compile(r"\s+")
_BANDS = 16


def twins(book: Book) -> list[tuple[int, int]]:
    """Pairs of a card and the earlier one it nearly repeats, text against text, in order."""
    found: list[tuple[int, int]] = []
    seen: defaultdict[int, list[int]] = defaultdict(list)
    shingles: dict[int, frozenset[str]] = {}
    for ordinal, card in enumerate(book.cards):
        text = _SPACE.sub(" ", card.text).strip()
        if len(text) < _SHORTEST:
            continue
        pieces = frozenset(text[place : place + _SHINGLE] for place in range(len(text) - _SHINGLE + 1))
        sketch = sorted(_number(piece) for piece in pieces)[:_BANDS]
        candidates = dict.fromkeys(other for number in sketch for other in seen[number])
        twin = next((other for other in candidates if _alike(pieces, shingles[other])), None)
        if twin is not None:
            found.append((ordinal, twin))
            continue
        shingles[ordinal] = pieces
        for number in sketch:
            seen[number].append(ordinal)
    return found


def _number(piece: str) -> int:
    return int.from_bytes(blake2b(piece.encode("utf-8", "replace"), digest_size=6).digest(), "big")


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if min(len(one), len(other)) < _ALIKE * max(len(one), len(other)):
        return False
    return len(one & other) >= _ALIKE * len(one | other)
