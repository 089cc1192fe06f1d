"""How large files are when compressed on the way to the reader: as gzip, block by block, so that none is packed twice."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import sha256
from itertools import pairwise
from typing import Final

from .index.memory import Memory

_HEAD_AND_SUM: Final = 18
"""Bytes of a gzip file around what is packed."""
_WINDOW: Final = 1 << 15
"""Bytes before a block that it may refer to."""
_SHORTEST: Final = 24_576
"""Bytes of a block, at least."""
_MIXED: Final = 2_654_435_761
_BITS: Final = 12
"""A block may end where so many bits of four mixed bytes are zero, wherever else a file has been changed."""


def packed(files: Iterable[bytes], memory: Memory | None = None) -> int:
    """Bytes of files when each is a gzip file, as most hosts send it."""
    known = memory or Memory()
    return sum(_HEAD_AND_SUM + sum(_sizes(data, known)) for data in files)


def _sizes(data: bytes, memory: Memory) -> Iterator[int]:
    for start, end in pairwise(bounds(data)):
        digest = sha256(memoryview(data)[max(0, start - _WINDOW) : end]).digest()
        key = digest, end - start, end < len(data)
        yield memory.recall("packed", key, partial(_size, data, start, end))


def _size(data: bytes, start: int, end: int) -> int:
    return len(block(data, start, end))


def block(data: bytes, start: int, end: int) -> bytes:
    """A stretch of a file packed after what stands before it; all of them together are one stream."""
    before = data[max(0, start - _WINDOW) : start]
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=before)
    return packer.compress(data[start:end]) + packer.flush(zlib.Z_SYNC_FLUSH if end < len(data) else zlib.Z_FINISH)


def bounds(data: bytes) -> list[int]:
    """Where the blocks of a file begin and end; what is inserted moves those behind it, and cuts them nowhere else."""
    import numpy as np  # loaded when there is something to pack

    places = []
    for offset in range(min(4, len(data))):
        words = np.frombuffer(data, dtype="<u4", count=(len(data) - offset) // 4, offset=offset)
        places.append(np.flatnonzero((words * np.uint32(_MIXED)) >> np.uint32(32 - _BITS) == 0) * 4 + offset)
    found = [0]
    for place in np.sort(np.concatenate(places)).tolist() if places else []:
        if place - found[-1] >= _SHORTEST and place < len(data):
            found.append(place)
    return [*found, len(data)]
