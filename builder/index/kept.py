"""What the last build made of each card of a book: of cards that are as they were, it is taken over instead of made again.

Cards are compared with those of the last build from the front and from the back, so that what an edit changed is one stretch in
between; with nothing kept, that is the whole book. Nothing here changes a result: a value is taken over only where all it was
made of is the same.
"""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from hashlib import sha256
from itertools import chain
from operator import attrgetter, eq
from typing import Any, Final, TypeVar

from askbook.core.schema import Book, Card

from .memory import Memory

V = TypeVar("V")
_FACE = attrgetter(
    "text", "title", "url", "id", "kind", "number", "breadcrumb", "chapter", "overlap", "parent", "terms"
)  # fmt: skip
_PLACE = attrgetter("start", "end", "anchor")
_PART = "kept"
_PLAIN: Final = 2
"""A version of `marshal` that writes equal values in one way only."""


def _face(card: Card, ids: frozenset[str]) -> bytes:
    """A digest of all that anything kept is made of."""
    whole = (*_FACE(card), card.parent in ids, *chain.from_iterable(map(_PLACE, card.paragraphs)))
    return sha256(marshal.dumps(whole, _PLAIN)).digest()


class Kept:
    """Values by part, one for each card, or one for the whole book."""

    def __init__(self, book: Book, memory: Memory | None = None) -> None:
        self._memory = memory
        self._old: dict[Hashable, Any] = {}
        self._new: dict[Hashable, Any] = {}
        self._cards = len(book.cards)
        self._start, self._end, self._gone = 0, self._cards, 0
        if memory is not None:
            self._compare(book.cards, memory)

    def _compare(self, cards: Sequence[Card], memory: Memory) -> None:
        self._old = memory.last(_PART)
        ids = frozenset([card.id for card in cards])
        faces = [_face(card, ids) for card in cards]
        before = self._old.get("faces", ())
        self._start = _alike(before, faces)
        rest = min(len(before), len(faces)) - self._start
        behind = min(_alike(before[::-1], faces[::-1]), rest)
        self._end, self._gone = len(faces) - behind, len(before) - behind
        self._new["faces"] = faces

    def wanted(self, part: Hashable, *, beside: int = 0) -> range:
        """Ordinals of cards whose value is not known; `beside` more of them where it depends on cards before."""
        if part not in self._old:
            return range(self._cards)
        return range(self._start, min(self._end + beside, self._cards))

    def each(self, part: Hashable, make: Callable[[range], Sequence[V]], *, beside: int = 0) -> list[V]:
        """A value for each card."""
        wanted = self.wanted(part, beside=beside)
        values = [*make(wanted)]
        if (known := self._old.get(part)) is not None:
            values = [*known[: self._start], *values, *known[self._gone + len(wanted) - (self._end - self._start) :]]
        self._new[part] = values
        return values

    def gone(self, part: Hashable) -> Sequence[Any]:
        """Values of the cards that are no more as they were."""
        return self._old.get(part, ())[self._start : self._gone]  # type: ignore[no-any-return]

    @property
    def stretch(self) -> tuple[int, int, int]:
        """Where cards have changed: the first, one past the last as they were, one past the last as they are."""
        return self._start, self._gone, self._end

    def total(self, part: Hashable, count: Callable[[Sequence[str]], Counter[str]], texts: Sequence[str]) -> Counter[str]:
        """What folded texts add up to; those of unchanged cards are not read again."""
        if (before := self._old.get(part)) is None:
            found = count(texts)
        else:
            found = Counter(before)
            found.subtract(count(self.gone("folded")))
            found.update(count([texts[place] for place in self.wanted("folded")]))
            found = +found
        self._new[part] = dict(found)
        return found

    def moved(self, part: Hashable) -> dict[int, int] | None:
        """Pairs of ordinals kept for the whole book as the cards stand now; in place of another card that is no more, -1."""
        if (known := self._old.get(part)) is None:
            return None
        return {self._moved(one): self._moved(other) for one, other in known if not self._start <= one < self._gone}

    def _moved(self, place: int) -> int:
        if self._start <= place < self._gone:
            return -1
        return place + (self._end - self._gone) * (place >= self._gone)

    @property
    def lasting(self) -> bool:
        """Whether there is a last build or a next one."""
        return self._memory is not None

    def value(self, part: Hashable) -> Any:
        """What was kept for the whole book."""
        return self._old.get(part)

    def keep(self, part: Hashable, value: Any) -> None:
        """Keep a value for the whole book."""
        self._new[part] = value

    def forget(self, *parts: Hashable) -> None:
        """Have some parts made anew."""
        for part in parts:
            self._old.pop(part, None)

    def done(self) -> None:
        """Leave it all to the next build."""
        if self._memory is not None:
            self._memory.leave(_PART, self._new)


def _alike(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How many values are equal from the front."""
    equal = bytes(map(eq, one, other))
    found = equal.find(0)
    return len(equal) if found < 0 else found
