"""Find cards that nearly repeat an earlier one, so that a result list need not show both."""

from __future__ import annotations

import re
from collections import defaultdict

from askbook.core.schema import Book

_ALIKE = 0.9
"""Share of the letters, sentence by sentence, that two cards must have in common."""
_SHORTEST = 80
"""Shorter cards are left alone: few words in common prove little."""
_KEYS = 4
"""Longest sentences of a card by which its twin is looked for."""
_BREAK = re.compile(r"[。．.!?！？；;\n]+\s*")


def twins(book: Book) -> list[tuple[int, int]]:
    """Pairs of a card and the earlier one it nearly repeats, text against text, in order."""
    found: list[tuple[int, int]] = []
    seen: defaultdict[str, list[int]] = defaultdict(list)
    sentences: dict[int, frozenset[str]] = {}
    for ordinal, card in enumerate(book.cards):
        if len(card.text) < _SHORTEST:
            continue
        pieces = frozenset(piece for piece in _BREAK.split(card.text) if piece)
        keys = sorted(pieces, key=lambda piece: (-len(piece), piece))[:_KEYS]
        candidates = dict.fromkeys(other for key in keys for other in seen[key])
        twin = next((other for other in candidates if _alike(pieces, sentences[other])), None)
        if twin is not None:
            found.append((ordinal, twin))
            continue
        sentences[ordinal] = pieces
        for key in keys:
            seen[key].append(ordinal)
    return found


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return sum(map(len, one & other)) >= _ALIKE * sum(map(len, one | other))
