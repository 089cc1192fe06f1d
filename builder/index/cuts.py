"""The longer words in runs of letters under the lexicon of a book: a run is cut again only when a word in it costs otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from askbook.core.lexicon import Lexicon

from .kept import Kept

_MOST: Final = 100
"""If more words have changed, every run is cut again."""


class Cuts:
    """What `Lexicon.words` finds in each run that is asked for."""

    def __init__(self, lexicon: Lexicon, kept: Kept | None = None) -> None:
        self.lexicon = lexicon
        self._known: dict[str, tuple[str, ...]] = {}
        self._used: dict[str, tuple[str, ...]] = {}
        if kept is not None:
            before, known = kept.value("cuts") or ({}, {})
            changed = [word for word, _ in before.items() ^ lexicon.costs.items()]
            if len(changed) <= _MOST:
                self._known = {run: words for run, words in known.items() if not any(word in run for word in changed)}
            kept.keep("cuts", (dict(lexicon.costs), self._used))

    def all(self, runs: Sequence[str]) -> list[tuple[str, ...]]:
        """Words of many runs."""
        for run in dict.fromkeys(runs):
            self.words(run)
        return [*map(self._used.__getitem__, runs)]

    def words(self, run: str) -> tuple[str, ...]:
        """Words of three or more letters in a run."""
        found = self._used.get(run)
        if found is None:
            found = self._known.get(run)
            self._used[run] = found = tuple(self.lexicon.words(run)) if found is None else found
        return found
