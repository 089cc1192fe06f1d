"""Find the place in a text that is nearest to a pattern, by edit distance, in time that hardly grows with the pattern.

Myers' bit-parallel algorithm (1999): one column of the distance table is two whole numbers, whose bits say where it steps up
or down; Python's long integers take a pattern of any length.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Place(NamedTuple):
    """The stretch of a text that is nearest to a pattern."""

    start: int
    end: int
    distance: int
    """Letters to insert, delete or replace."""


def nearest(pattern: str, text: str) -> Place:
    """Return the nearest stretch; the first of several, and of those that end there the longest that is as near."""
    distance, end = min(_distances(pattern, text), default=(len(pattern), 0))
    head = text[max(0, end - len(pattern) - distance) : end]
    _, length = min(((there, -at) for there, at in _distances(pattern[::-1], head[::-1])), default=(0, 0))
    return Place(end + length, end, distance)


def _distances(pattern: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield, for each place in the text, the distance of the nearest stretch that ends there, and the place."""
    size = len(pattern)
    if not size:
        return
    mask, last = (1 << size) - 1, 1 << (size - 1)
    where: dict[str, int] = {}
    for at, char in enumerate(pattern):
        where[char] = where.get(char, 0) | 1 << at
    up, down, distance = mask, 0, size
    for end, char in enumerate(text, 1):
        equal = where.get(char, 0)
        vertical = equal | down
        horizontal = (((equal & up) + up) ^ up) | equal
        rises = (down | ~(horizontal | up)) & mask
        falls = up & horizontal
        distance += 1 if rises & last else -1 if falls & last else 0
        rises, falls = (rises << 1) & mask, (falls << 1) & mask
        up = (falls | ~(vertical | rises)) & mask
        down = rises & vertical
        yield distance, end
