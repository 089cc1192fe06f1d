"""Blocks of a file are one stream together, hardly longer than a whole one, and stay when something is inserted elsewhere."""

from __future__ import annotations

import gzip
import random
import zlib
from itertools import pairwise

import pytest

from askbook.builder.index.memory import Memory
from askbook.builder.packing import block, bounds, packed

CHANCE = random.Random(7)
WORDS = ["".join(CHANCE.choice("abcdefgh堆图") for _ in range(CHANCE.randint(2, 9))) for _ in range(3000)]
TEXT = " ".join(CHANCE.choice(WORDS) for _ in range(40_000)).encode()


@pytest.mark.parametrize("data", [b"", b"a", b"abc", b"abcde", TEXT], ids=["empty", "one", "three", "five", "long"])
def test_blocks_are_one_stream(data: bytes) -> None:
    stream = b"".join(block(data, start, end) for start, end in pairwise(bounds(data)))
    assert zlib.decompress(stream, -zlib.MAX_WBITS) == data
    assert packed([data]) == len(stream) + 18


def test_the_size_is_that_of_a_gzip_file() -> None:
    assert packed([TEXT, TEXT]) == pytest.approx(2 * len(gzip.compress(TEXT, 6)), rel=0.005)


def test_what_is_inserted_leaves_the_other_blocks_as_they_were() -> None:
    changed = TEXT[:100_000] + b"One more sentence." + TEXT[100_000:]
    before, after = ({data[start:end] for start, end in pairwise(bounds(data))} for data in (TEXT, changed))
    assert len(before) > 5
    assert len(after - before) <= 2


def test_known_blocks_are_not_packed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory()
    size = packed([TEXT], memory)
    memory.turn()
    monkeypatch.setattr("askbook.builder.packing.block", lambda *_: b"")
    assert packed([TEXT], memory) == size
