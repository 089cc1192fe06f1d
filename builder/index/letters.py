"""Write columns and numbers as `askbook.core.columns` reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import sub
from typing import Final

from askbook.core.columns import BASE, ENDS, LARGE, LETTERS, MIDDLE, SMALL, STEP

_NO_BREAKS: Final = str.maketrans({"\n": " ", "\t": " ", ENDS: " "})
_SHARED: Final = 25
"""Most letters that a name takes from the one before it."""


def clean(value: str) -> str:
    """Lone surrogates cannot be written as UTF-8."""
    return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")


def line(value: str) -> str:
    """A value without signs that end or part values."""
    return value if value.isprintable() else clean(value).translate(_NO_BREAKS)


def column(values: Iterable[str]) -> str:
    """Values that hold no end sign."""
    return "".join([value + ENDS for value in values])


def given(value: str, derived: str) -> str:
    """A value, or nothing where it follows from others."""
    if value == derived:
        return ""
    return f":{value}" if not value or value[0] == ":" else value


def names(sorted_names: Sequence[str]) -> str:
    """Names that hold no capital, each by what it shares with the one before."""
    return "".join([chr(65 + shared) + name[shared:] for name, shared in zip(sorted_names, _shared(sorted_names), strict=True)])


def _shared(names: Sequence[str]) -> list[int]:
    """How many letters each has in common with the one before."""
    if not names:
        return []
    import numpy as np  # loaded when there is something to write

    letters = np.array(["", *names], dtype=f"U{_SHARED}").view(np.uint32).reshape(-1, _SHARED)
    alike = letters[1:] == letters[:-1]
    most = np.array([0, *map(len, names)])
    shared = np.where(alike.all(axis=1), _SHARED, alike.argmin(axis=1))
    found: list[int] = np.minimum(shared, np.minimum(most[1:], most[:-1])).tolist()
    return found


def gaps(numbers: Sequence[int]) -> str:
    """Rising numbers."""
    return "".join(map(_gap, map(sub, numbers, (0, *numbers))))


def numbers(values: Iterable[int]) -> str:
    """Numbers in any order, each as a gap is written."""
    return "".join(map(_gap, values))


@lru_cache(maxsize=8192)
def _gap(gap: int) -> str:
    letters = ""
    while gap >= STEP:
        large = min(gap // STEP, LARGE)
        letters += LETTERS[SMALL + MIDDLE + large - 1]
        gap -= large * STEP
    if gap >= SMALL:
        letters += LETTERS[SMALL + gap // SMALL - 1]
    return letters + LETTERS[gap % SMALL]


def digits_for(most: int) -> int:
    """Digits that numbers up to `most` take."""
    count = 1
    while most >= BASE**count:
        count += 1
    return count


def digits(numbers: Sequence[int], count: int = 0) -> list[str]:
    """Numbers as planes of digits, the last digits first; as many as they take where `count` is not given."""
    import numpy as np  # loaded when there is something to write

    count = count or digits_for(max(numbers, default=0))
    own, letters = np.array(numbers, dtype=np.int64), np.frombuffer(LETTERS.encode("ascii"), dtype=np.uint8)
    return [letters[own // BASE**power % BASE].tobytes().decode("ascii") for power in range(count)]


def signed(numbers: Sequence[int]) -> list[str]:
    """Numbers above and below zero."""
    return digits([2 * number if number >= 0 else -2 * number - 1 for number in numbers])
