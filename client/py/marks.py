"""Citation marks: `[n]`, `[1, 2]`, `[1-3]`, `【1】` and `¹` in an answer, and the numbers they stand for."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NamedTuple

GROUP = re.compile(r"\[([1-9]\d{0,3}(?:\s*[,，、;；\-–—~]\s*[1-9]\d{0,3})*)\]")
"""What may be one or several marks in square brackets."""
WIDE = re.compile(r"【\s*([1-9]\d{0,3}(?:\s*[,，、;；\-–—~]\s*[1-9]\d{0,3})*)\s*(?:†[^】\n]{0,60})?】")
"""The same in the brackets of Chinese typesetting."""
RAISED = re.compile(r"(?<=[.!?,;:。！？，、；：…”’」』》\u3400-\u9fff])([¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]{0,3})")
"""Raised digits after sentence punctuation or a Chinese character; after a digit or a letter they are powers."""
DEFINITION = re.compile(r"\[\^?\s*\d[\d\s,，、;；\-–—~]*\]:")
"""The start of a line that would define a number as a link."""

_RANGE = re.compile(r"(\d+)\s*[-–—~]\s*(\d+)")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SEPARATOR = re.compile(r"\s*[,，、;；]\s*")


class Mark(NamedTuple):
    """One number of a mark, or what stays text of it."""

    text: str
    """As it is shown, brackets included."""
    n: int
    """Number of the source; 0 where there is none of that number."""


def read_group(inner: str, sources: Container[int]) -> tuple[Mark, ...]:
    """Return the marks inside a pair of brackets; empty where not one of their numbers is a source."""
    marks: list[Mark] = []
    for item in _SEPARATOR.split(inner.strip()):
        span = _RANGE.fullmatch(item.strip())
        numbers = _numbers(span, sources) if span else [int(item)] if item.isdigit() else []
        marks.extend(Mark(f"[{n}]", n if n in sources else 0) for n in numbers)
        if not numbers:
            marks.append(Mark(f"[{item}]", 0))
    return tuple(marks) if any(mark.n for mark in marks) else ()


def read_raised(digits: str, sources: Container[int]) -> tuple[Mark, ...]:
    """Return the mark that raised digits stand for."""
    n = int(digits.translate(_DIGITS))
    return (Mark(f"[{n}]", n),) if n in sources else ()


def _numbers(span: re.Match[str], sources: Container[int]) -> list[int]:
    """Return the numbers of a range, if each of them is a source."""
    first, last = int(span[1]), int(span[2])
    if not first < last < first + 100:
        return []
    numbers = list(range(first, last + 1))
    return numbers if all(n in sources for n in numbers) else []
