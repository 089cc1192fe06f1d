"""Plain values in a file with a sum over it: what cannot be read, or is not whole, is not there."""

from __future__ import annotations

import marshal
import os
from pathlib import Path
from typing import Any, Final
from zlib import crc32

_SUM: Final = 4


def read(file: Path, magic: bytes) -> Any:
    """What was kept; None where there is nothing to be had."""
    start = len(magic) + _SUM
    try:
        data = file.read_bytes()
        if data.startswith(magic) and _sum(kept := memoryview(data)[start:]) == data[len(magic) : start]:
            return marshal.loads(kept)
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return None


def keep(file: Path, magic: bytes, value: Any) -> None:
    """Write beside and rename; a folder that cannot be written to is no error."""
    data = marshal.dumps(value)
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as opened:
            opened.writelines((magic, _sum(data), data))
        os.replace(beside, file)
    except OSError:
        return


def _sum(data: bytes | memoryview) -> bytes:
    """Tells a file that broke off; the folder is the author's own, so nobody else need be kept from writing there."""
    return crc32(data).to_bytes(_SUM, "little")
