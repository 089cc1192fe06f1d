"""What the books of one site know of each other: editions in two languages pair their titles."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING

from askbook.builder.blocks import Problem
from askbook.core.schema import Book

from .books import Memory

if TYPE_CHECKING:
    from askbook.builder.index.editions import Outline, Pairs

Draft = tuple[Book, tuple[Problem, ...]]


class Siblings:
    """Outlines of a site's books, and the books that were cut for them until they are taken."""

    def __init__(self) -> None:
        self._outlines: dict[str, Outline] = {}
        self._drafts: dict[str, tuple[str, Draft]] = {}

    def look(self, name: str, key: str, memory: Memory, cut: Callable[[], Draft]) -> None:
        """Take the outline of a book: from an earlier build that had the same key, else from the book itself."""
        from askbook.builder.index.editions import Outline, outline

        known = memory.outline
        if known.get("key") != key:
            draft = cut()
            self._drafts[name] = (key, draft)
            found = outline(draft[0])
            known = {"key": key, "col": found.col, "lang": found.lang, "titles": found.titles}
            memory.outline = known
        self._outlines[name] = Outline(known["col"], known["lang"], tuple((page, title) for page, title in known["titles"]))

    def pairs(self, name: str) -> Pairs:
        """Titles that a book shares with its editions."""
        if name not in self._outlines:
            return ()
        from askbook.builder.index.editions import editions

        names = sorted(self._outlines)
        return dict(zip(names, editions([self._outlines[each] for each in names]), strict=True))[name]

    def draft(self, name: str, key: str) -> Draft | None:
        """The book that was cut for its outline, once."""
        known = self._drafts.pop(name, None)
        return known[1] if known and known[0] == key else None


def with_pairs(key: str, pairs: Pairs) -> str:
    """The key of a book that has these pairs from its editions."""
    return blake2b(f"{key} {pairs!r}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest() if pairs else key
