"""Plain values in a file with their digest: what cannot be read, or is not whole, is not there."""

from __future__ import annotations

import marshal
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

_DIGEST = 32


def read(file: Path, magic: bytes) -> Any:
    """What was kept; None where there is nothing to be had."""
    start = len(magic) + _DIGEST
    try:
        data = file.read_bytes()
        if data.startswith(magic) and sha256(data[start:]).digest() == data[len(magic) : start]:
            return marshal.loads(data[start:])
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return None


def keep(file: Path, magic: bytes, value: Any) -> None:
    """Write beside and rename; a folder that cannot be written to is no error."""
    data = marshal.dumps(value)
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(magic + sha256(data).digest() + data)
        os.replace(beside, file)
    except OSError:
        return
