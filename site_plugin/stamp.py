"""Which code made a cached index: the cache of another version, or of an edited checkout, is not used."""

from __future__ import annotations

from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

_PACKAGES = ("askbook.core", "askbook.builder", "askbook.site_plugin")


def code_stamp() -> str:
    """Name the source files that decide what an index holds, by size and time."""
    stamp = blake2b(digest_size=8)
    for package in _PACKAGES:
        root = Path(str(files(package)))
        for path in sorted(root.rglob("*.py")):
            there = path.stat()
            stamp.update(f"{path.relative_to(root)} {there.st_size} {there.st_mtime_ns}\n".encode())
    return stamp.hexdigest()
