"""Which code made a cached index: the cache of another version, of other packages, or of an edited checkout, is not used."""

from __future__ import annotations

from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

from askbook.builder.readers import readers

_PACKAGES = ("askbook.core", "askbook.builder", "askbook.site_plugin")


def code_stamp() -> str:
    """Name what decides what an index holds: the packages that read pages by version, the source files by size and time."""
    stamp = blake2b(readers().encode(), digest_size=8)
    for package in _PACKAGES:
        root = Path(str(files(package)))
        for path in sorted(root.rglob("*.py")):
            there = path.stat()
            stamp.update(f"{path.relative_to(root)} {there.st_size} {there.st_mtime_ns}\n".encode())
    return stamp.hexdigest()
