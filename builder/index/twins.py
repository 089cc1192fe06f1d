"""Find cards that nearly repeat an earlier one, so that a result list need not show both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain

from askbook.core.schema import Book

from .kept import Kept

_ALIKE = 0.9
"""Share of the letters, sentence by sentence, that two cards must have in common."""
_SHORTEST = 80
"""Shorter cards are left alone: few words in common prove little."""
_KEYS = 4
"""Longest sentences of a card by which its twin is looked for."""
_BREAKS = "。．.!?！？；;"
"""Signs that end a sentence, as the end of a line does."""


_Own = tuple[int, tuple[str, ...]]
"""Of a card: how many letters its sentences have, and its keys."""


def twins(book: Book, kept: Kept | None = None) -> list[tuple[int, int]]:
    """Pairs of a card and the earlier one it nearly repeats, text against text, in order."""
    known = kept or Kept(book)
    found = _Twins([card.text for card in book.cards])
    changed = {key for _, keys in known.gone("keys") for key in keys}
    cards: list[_Own] = known.each("keys", lambda ordinals: [*map(found.read, ordinals)])
    changed.update(*(cards[place][1] for place in known.wanted("keys")))
    often = Counter(chain.from_iterable([keys for _, keys in cards]))
    before = known.moved("twins") or {}
    for ordinal, own in enumerate(cards):
        if not any(often[key] > 1 for key in own[1]):
            continue  # no other card has a key of this one
        twin = before.get(ordinal)
        if not changed.isdisjoint(own[1]):
            was, twin = twin, found.look(ordinal, own)
            if (twin is None) != (was is None):
                changed.update(own[1])
        found.add(ordinal, own, twin)
    known.keep("twins", found.pairs)
    return found.pairs


class _Twins:
    """What is found while cards are read in order."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.pairs: list[tuple[int, int]] = []
        self._texts = texts
        self._seen: defaultdict[str, list[int]] = defaultdict(list)
        """Cards that are no twins, by their keys."""
        self._sentences: dict[int, frozenset[str]] = {}

    def read(self, ordinal: int) -> _Own:
        """Take the sentences of a card."""
        if len(self._texts[ordinal]) < _SHORTEST:
            return 0, ()
        pieces = self._of(ordinal)
        return sum(map(len, pieces)), tuple(_longest(pieces))

    def add(self, ordinal: int, own: _Own, twin: int | None) -> None:
        """Take note of a card."""
        if twin is not None:
            self.pairs.append((ordinal, twin))
        else:
            for key in own[1]:
                self._seen[key].append(ordinal)

    def look(self, ordinal: int, own: _Own) -> int | None:
        """The first card that has a key of this one and is like it."""
        size, keys = own
        most = (1 - _ALIKE) * size + 1
        if len(keys[0]) > most:  # too long to be missing in a card that is alike, or to be none of its own keys
            keys = keys[:1]
        candidates = dict.fromkeys(chain.from_iterable([self._seen[key] for key in keys if key in self._seen]))
        if not candidates:
            return None
        pieces = self._of(ordinal)
        in_both = {key for key in own[1] if len(key) > most}
        near = (other for other in candidates if in_both <= self._of(other))
        return next((other for other in near if _alike(pieces, self._of(other))), None)

    def _of(self, ordinal: int) -> frozenset[str]:
        if ordinal not in self._sentences:
            self._sentences[ordinal] = _sentences(self._texts[ordinal])
        return self._sentences[ordinal]


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
