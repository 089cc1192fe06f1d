"""Find cards that nearly repeat an earlier one, so that a result list need not show both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain
from zlib import crc32

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


def twins(book: Book, kept: Kept | None = None) -> list[tuple[int, int]]:
    """Pairs of a card and the earlier one it nearly repeats, text against text, in order."""
    cards = [card.text for card in book.cards]
    known = kept or Kept(book)
    gone = {mark for own in known.gone("keys") for mark in own}
    marks = known.each("keys", lambda ordinals: [_marks(cards[place]) for place in ordinals])
    often = Counter(chain.from_iterable(marks))
    before = known.moved("twins")
    changed = gone.union(*(marks[place] for place in known.wanted("keys"))) if before is not None else set(often)
    found = _Twins(cards)
    for ordinal, own in enumerate(marks):
        if not any(often[mark] > 1 for mark in own):
            continue  # no other card has a key of this one
        if before is None or not changed.isdisjoint(own):
            twin = found.look(ordinal, own)
            if before is not None and (twin is None) != (before.get(ordinal) is None):
                changed.update(own)
        else:
            twin = before.get(ordinal)
        found.add(ordinal, own, twin)
    known.keep("twins", found.pairs)
    return found.pairs


class _Twins:
    """What is found while cards are read in order."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.pairs: list[tuple[int, int]] = []
        self._texts = texts
        self._seen: defaultdict[int, list[int]] = defaultdict(list)
        """Cards that are no twins, by their marks."""
        self._sentences: dict[int, frozenset[str]] = {}

    def add(self, ordinal: int, marks: Sequence[int], twin: int | None) -> None:
        """Take note of a card."""
        if twin is not None:
            self.pairs.append((ordinal, twin))
        else:
            for mark in marks:
                self._seen[mark].append(ordinal)

    def look(self, ordinal: int, marks: Sequence[int]) -> int | None:
        """The first card that has a key of this one and is like it."""
        pieces = self._of(ordinal)
        most = (1 - _ALIKE) * sum(map(len, pieces)) + 1
        in_both = {key for key in _longest(pieces) if len(key) > most}
        candidates = dict.fromkeys(chain.from_iterable(self._seen[mark] for mark in marks if mark in self._seen))
        near = (other for other in candidates if in_both <= self._of(other))
        return next((other for other in near if _alike(pieces, self._of(other))), None)

    def _of(self, ordinal: int) -> frozenset[str]:
        if ordinal not in self._sentences:
            self._sentences[ordinal] = _sentences(self._texts[ordinal])
        return self._sentences[ordinal]


def _marks(text: str) -> tuple[int, ...]:
    """A number for each key of a text; equal keys have equal ones."""
    if len(text) < _SHORTEST:
        return ()
    return tuple([crc32(key.encode("utf-8", "surrogatepass")) for key in _longest(_sentences(text))])


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
