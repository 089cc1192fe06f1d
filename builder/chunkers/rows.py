"""Rows of tables in Markdown."""

from __future__ import annotations

import re

_ROW = re.compile(r"\\.|(?<!`)(`+)(?!`)[^`\n]*(?<!`)\1(?!`)|\$(?! )(?:\\.|[^$\\\n])*?(?<! )\$|\|")


def split_row(line: str, *, bars: bool = False) -> list[str]:
    """The cells of a row; a bar in code, in a formula or behind a backslash parts nothing. `bars`: code and formulas keep it."""
    line = line.strip().lstrip("> ")
    cells, start = [], 0
    for found in _ROW.finditer(line):
        if found[0] == "|":
            cells.append(line[start : found.start()])
            start = found.end()
    cells.append(line[start:])
    if len(cells) > 1 and not cells[0].strip():
        del cells[0]
    if len(cells) > 1 and not cells[-1].strip():
        del cells[-1]
    return [cell.strip() if bars else cell.replace("\\|", "|").strip() for cell in cells]
