"""What an earlier build made of each text, so that only changed texts are counted and cut again; it never changes the result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

from askbook.builder import sealed

_MAGIC: Final = b"askbook-terms/1\n"

V = TypeVar("V")


def key_of(*texts: str) -> bytes:
    """A short key for texts."""
    return sha256("\0".join(texts).encode("utf-8", "surrogatepass")).digest()


class Memory:
    """Plain values by what they were made of; without a file it lives as long as its owner."""

    def __init__(self, file: Path | None = None, settings: str = "") -> None:
        self._file = file
        self._settings = settings
        self._old: dict[str, dict[Hashable, Any]] | None = None if file else {}
        self._new: defaultdict[str, dict[Hashable, Any]] = defaultdict(dict)

    def recall(self, part: str, key: Hashable, make: Callable[[], V]) -> V:
        """What was made of `key`, or is made now."""
        if self._old is None:
            self._old = self._load()
        mine = self._new[part]
        if key not in mine:
            known = self._old.get(part, {})
            mine[key] = known[key] if key in known else make()
        found: V = mine[key]
        return found

    def last(self, part: str) -> dict[Hashable, Any]:
        """What the last build left for this one, a copy."""
        if self._old is None:
            self._old = self._load()
        return dict(self._old.get(part, {}))

    def leave(self, part: str, values: dict[Hashable, Any]) -> None:
        """Leave values for the next build."""
        self._new[part] = values

    def turn(self) -> None:
        """End a build: what it did not use is forgotten."""
        self._old, self._new = dict(self._new), defaultdict(dict)

    def _load(self) -> dict[str, dict[Hashable, Any]]:
        settings, parts = (self._file and sealed.read(self._file, _MAGIC)) or ("", {})
        return dict(parts) if settings == self._settings else {}

    def save(self) -> None:
        """Write what this build used."""
        if self._file is not None and self._new:
            sealed.keep(self._file, _MAGIC, (self._settings, dict(self._new)))
