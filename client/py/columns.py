"""Columns of an index: many values in one string, numbers as letters; read in one go and cut when they are needed.

Values of a column are followed by U+007F each. Numbers are written with 90 letters: as digits, one string for the last digits of
all, one for the digits before them; or, where they rise, as gaps, in which small letters stand for 0 to 49 and end a gap, middle
ones add 50, 100, … 1500, and the last ones 1550, 3100 and so on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress
from operator import sub
from typing import Final

ENDS: Final = "\x7f"
"""Ends each value of a column: a sign no text has, and one that JSON does not escape."""
LETTERS: Final = "".join(chr(code) for code in range(33, 127) if chr(code) not in '"\\[{')
"""What numbers are written with: printable ASCII that JSON does not escape, without what could be taken for nesting."""
BASE: Final = len(LETTERS)
SMALL: Final = 50
MIDDLE: Final = 30
LARGE: Final = BASE - SMALL - MIDDLE
STEP: Final = SMALL * (MIDDLE + 1)
DERIVED: Final = ""
"""Stands for the value that follows from others; a value that is empty, or begins with a colon, has a colon before it."""
_CAPITAL: Final = re.compile("[A-Z]")
_VALUE: Final = [0] * 256
_IS_SMALL: Final = bytearray(256)
_DIGIT: Final = bytearray(256)
for _place, _letter in enumerate(LETTERS):
    _DIGIT[ord(_letter)] = _place
    if _place < SMALL:
        _VALUE[ord(_letter)], _IS_SMALL[ord(_letter)] = _place, 1
    elif _place < SMALL + MIDDLE:
        _VALUE[ord(_letter)] = (_place - SMALL + 1) * SMALL
    else:
        _VALUE[ord(_letter)] = (_place - SMALL - MIDDLE + 1) * STEP
_ENDS_GAP: Final = bytes(_IS_SMALL)
_DIGITS: Final = bytes(_DIGIT)
_INSIDE_GAPS: Final = bytes(code for code in range(256) if not _IS_SMALL[code] and code != ord(ENDS))
_NO_GAP_ENDS: Final = bytes(code for code in range(256) if not _IS_SMALL[code])
_SHARED: Final = bytes(max(0, code - 65) for code in range(256))
_NO_CAPITALS: Final = bytes(code for code in range(256) if not 65 <= code <= 90)


def split(column: str) -> list[str]:
    """Values of a column."""
    return column.split(ENDS)[:-1]


class Values:
    """A column that is cut when its first value is asked for."""

    def __init__(self, column: str) -> None:
        self._column = column
        self._values: list[str] | None = None

    def at(self, place: int) -> str:
        """The value at a place; empty beyond the last."""
        if self._values is None:
            self._values = self._column.split(ENDS)
        return self._values[place] if place < len(self._values) else ""


def told(value: str, derived: str) -> str:
    """A value as it is told, where it may follow from others."""
    return derived if value == DERIVED else value.removeprefix(":")


def read_names(column: str) -> list[str]:
    """Sorted names, each told by how many letters it shares with the one before, a capital, and the rest."""
    shared = column.encode("utf-8", "replace").translate(_SHARED, _NO_CAPITALS)
    name = ""
    return [name := name[:letters] + rest for letters, rest in zip(shared, _CAPITAL.split(column)[1:], strict=True)]


def count_names(column: str) -> int:
    """How many names there are."""
    return len(column.encode("utf-8", "replace").translate(None, _NO_CAPITALS))


def read_gaps(text: str) -> list[int]:
    """Rising numbers."""
    letters = text.encode("latin-1", "replace")
    total = 0
    totals = [total := total + _VALUE[letter] for letter in letters]
    return list(compress(totals, letters.translate(_ENDS_GAP)))


def read_numbers(text: str) -> list[int]:
    """Numbers in any order, each written as a gap is."""
    totals = read_gaps(text)
    return list(map(sub, totals, (0, *totals)))


def count_gaps(column: str) -> list[int]:
    """How many numbers each value of a column of gaps holds."""
    return list(map(len, column.encode("latin-1", "replace").translate(None, _INSIDE_GAPS).split(b"\x7f")[:-1]))


def count_all_gaps(column: str) -> int:
    """How many numbers all values of a column of gaps hold together."""
    return len(column.encode("latin-1", "replace").translate(None, _NO_GAP_ENDS))


def read_digits(planes: Sequence[str]) -> Sequence[int]:
    """Numbers of planes of digits, the last digits first; of unequal planes as many as the shortest has."""
    numbers: Sequence[int] = planes[0].encode("latin-1", "replace").translate(_DIGITS)
    for power, plane in enumerate(planes[1:], 1):
        higher = plane.encode("latin-1", "replace").translate(_DIGITS)
        worth = BASE**power
        numbers = [number + worth * digit for number, digit in zip(numbers, higher, strict=False)]
    return numbers


def read_signed(planes: Sequence[str]) -> list[int]:
    """Numbers above and below zero: 0, -1, 1, -2, 2 are written as 0, 1, 2, 3, 4."""
    return [(number >> 1) ^ -(number & 1) for number in read_digits(planes)]
