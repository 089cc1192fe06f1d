"""Find cards that nearly repeat an earlier one, so that a result list need not show both."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain

from askbook.core.schema import Book

_ALIKE = 0.9
"""Share of the letters, sentence by sentence, that two cards must have in common."""
_SHORTEST = 80
"""Shorter cards are left alone: few words in common prove little."""
_KEYS = 4
"""Longest sentences of a card by which its twin is looked for."""
_BREAKS = "。．.!?！？；;"
"""Signs that end a sentence, as the end of a line does."""


def twins(book: Book) -> list[tuple[int, int]]:
    """Pairs of a card and the earlier one it nearly repeats, text against text, in order."""
    found: list[tuple[int, int]] = []
    seen: defaultdict[str, list[int]] = defaultdict(list)
    sentences: dict[int, frozenset[str]] = {}
    for ordinal, card in enumerate(book.cards):
        if len(card.text) < _SHORTEST:
            continue
        pieces = _sentences(card.text)
        keys = _longest(pieces)
        most = (1 - _ALIKE) * sum(map(len, pieces)) + 1
        in_both = {key for key in keys if len(key) > most}
        candidates = dict.fromkeys(chain.from_iterable(seen[key] for key in keys if key in seen))
        near = (other for other in candidates if in_both <= sentences[other])
        twin = next((other for other in near if _alike(pieces, sentences[other])), None)
        if twin is not None:
            found.append((ordinal, twin))
            continue
        sentences[ordinal] = pieces
        for key in keys:
            seen[key].append(ordinal)
    return found


def _sentences(text: str) -> frozenset[str]:
    for sign in _BREAKS if not text.isascii() else ".!?;":
        text = text.replace(sign, "\n")
    first, *others = text.split("\n")
    return frozenset([first, *map(str.lstrip, others)]) - {""}


def _longest(pieces: frozenset[str]) -> list[str]:
    """The longest pieces, equally long ones by their letters."""
    shortest = sorted(map(len, pieces), reverse=True)[:_KEYS][-1:]
    least = sum(shortest)
    return sorted([piece for piece in pieces if len(piece) >= least], key=lambda piece: (-len(piece), piece))[:_KEYS]


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return sum(map(len, one & other)) >= _ALIKE * sum(map(len, one | other))
