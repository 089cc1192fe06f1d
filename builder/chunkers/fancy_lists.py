"""Lists with letters and Roman numbers, as PyMdown's fancylists have them: their markers as figures, which the parser knows."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from .scan import Scan
from .scan_marks import MARK

_STYLES: Final = {
    "figures": r"\d+",
    "generic": r"\#",
    "roman": r"(?=[ivxlcdm])m*(?:c[md]|d?c{0,9})(?:x[cl]|l?x{0,9})(?:i[xv]|v?i{0,9})"
    r"|(?=[IVXLCDM]{2})M*(?:C[MD]|D?C{0,9})(?:X[CL]|L?X{0,9})(?:I[XV]|V?I{0,9})",
    "alpha": r"[a-z]|[A-Z](?=\)|\.[ ]{2})",
}
_FIGURES: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_BULLET = re.compile(r"[ \t]*[-*+][ \t]")


@cache
def _marker(styles: frozenset[str]) -> re.Pattern[str]:
    known = [_STYLES[name] for name in ("figures", "generic", "roman", "alpha") if name in styles]
    if "roman" in styles and "alpha" not in styles:
        known.append(r"[IVXLCDM](?=\)|\.[ ]{2})")
    return re.compile(rf"(?P<margin>[ ]*)(?P<value>{'|'.join(known)})(?P<sign>[.)])(?P<blanks>[ ]+(?=\S))")


def start_at(state: Scan, number: int) -> None:
    """Let the next list begin with a number."""
    state.list_start = number


def with_figures(state: Scan, text: str, stripped: str) -> str:
    """A line whose marker, if it has one, is a figure with a dot; other kinds of markers begin another list."""
    found = _marker(state.dialect.fancy_lists).match(text)
    dialect = state.dialect
    heads = dialect.loose_headings and not dialect.sane_headings
    if found is None or (found["value"] == "#" and heads) or not _may_begin(state):
        if text[:1] not in " \t":
            state.list_kinds.clear()
        return text
    value, width = found["value"], len(found["margin"])
    kinds = state.list_kinds
    for deeper in [each for each in kinds if each > width]:
        del kinds[deeper]
    before, sign = kinds.get(width, ("", "."))
    kind = _kind(value, before.removesuffix(found["sign"]) if before.endswith(found["sign"]) else "", state)
    if before and before != kind + found["sign"]:
        sign = ")" if sign == "." else "."
    number = _number(value, kind)
    if state.list_start:
        number, state.list_start = state.list_start, 0
    kinds[width] = (kind + found["sign"], sign)
    return f"{found['margin']}{number}{sign}{found['blanks']}{text[found.end() :]}"


def _may_begin(state: Scan) -> bool:
    """Whether an item may begin here: behind a blank line, or in a paragraph that is a list already."""
    for distance, above in enumerate(reversed(state.out[-_FAR:])):
        if not above.strip() or above.endswith(MARK):
            return not distance
        if _ITEM.match(above) or _BULLET.match(above):
            return True
    return not state.out


_FAR: Final = 50
_ITEM = re.compile(r"[ \t]*\d+[.)][ \t]")


def _kind(value: str, before: str, state: Scan) -> str:
    """What a marker counts with: a letter alone may be Roman, which the items above decide."""
    if value.isdigit():
        return "1"
    if value == "#":
        return before or "1"
    roman, alpha = (name in state.dialect.fancy_lists for name in ("roman", "alpha"))
    upper = value.isupper()
    kinds = ("I", "A") if upper else ("i", "a")
    if len(value) > 1 or not alpha:
        return kinds[0]
    is_roman = roman and value.lower() in _FIGURES
    if before in kinds:
        return before if before == kinds[1] or is_roman else kinds[1]
    return kinds[0] if is_roman and value.lower() == "i" else kinds[1]


def _number(value: str, kind: str) -> int:
    if value.isdigit() or value == "#":
        return int(value) if value.isdigit() else 1
    if kind in "aA":
        return ord(value.lower()) - ord("a") + 1
    figures = [_FIGURES[letter] for letter in value.lower()]
    return sum(-each if each < after else each for each, after in zip(figures, [*figures[1:], 0], strict=True))
