"""The shelf an MCP server works on: read at start, read again when its files change, kept when a new state is broken."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from askbook.core.errors import BookError
from askbook.core.index import Index
from askbook.core.toolbox import Shelf

Read = Callable[[], Sequence[Index]]
Stamp = Callable[[], object]

log = logging.getLogger("askbook.mcp")


class LiveShelf:
    """A shelf that follows its source."""

    def __init__(self, read: Read, stamp: Stamp) -> None:
        """Read the shelf; what is wrong with it is raised at once."""
        self._read = read
        self._stamp = stamp
        self._seen = stamp()
        self._shelf = Shelf(tuple(read()))
        self._said = ""

    @property
    def shelf(self) -> Shelf:
        """The books as they were last read whole."""
        return self._shelf

    def refresh(self) -> bool:
        """Read again if the source has another stamp; return whether the shelf is another one now.

        A source that cannot be read just now, as in the middle of a build, leaves the shelf as it is and is tried again.
        """
        try:
            stamp = self._stamp()
            if stamp == self._seen:
                return False
            indexes = tuple(self._read())
        except (BookError, OSError) as wrong:
            if str(wrong) != self._said:
                log.warning("keeping the books as they were: %s", wrong)
            self._said = str(wrong)
            return False
        self._seen, self._said = stamp, ""
        if [(index.name, index.hash) for index in indexes] == [(index.name, index.hash) for index in self._shelf.indexes]:
            return False
        self._shelf = Shelf(indexes)
        return True
