"""Tables that directives hold: rows of values parted by commas, and lists of lists, as rows of a table in Markdown."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import Final

from .directives import content_of
from .scan import Frame, Scan
from .scan_marks import Label

_ROW = re.compile(r"(?P<margin>[ ]*)[*+-][ ]+[*+-](?:[ ]+(?P<text>.*))?$")
_CELL = re.compile(r"[ ]+[*+-](?:[ ]+(.*))?$")
_BLOCK = re.compile(r"[ ]*(?:[*+-]|\d+[.)]|```|~~~|:::|\$\$|#|>|\|)(?:\s|$|[`~:{])")
"""What begins a cell, or a line of one, that is more than a line of text."""


def opens_table(state: Scan, prefix: str, frame: Frame, caption: str, options: dict[str, str]) -> bool:
    """A table with a caption; its rows become those of a table in Markdown, whichever of them are its head."""
    if caption:
        state.mark(Label(caption), frame.line, prefix)
    head, first = "", state.todo[-1][1] if state.todo else frame.line
    if frame.name.endswith("csv-table"):
        head = options.get("header", "")
        rows = _rows(state, [head, *content_of(state, frame)], options.get("delim") or ",", first - 1)
    elif frame.name.endswith("list-table") and (listed := _listed(state, frame)):
        rows = listed
    else:
        state.open(None, frame)
        return True
    columns = max(map(len, rows), default=0)
    rule = [["---"] * columns] if head else [[""] * columns, ["---"] * columns]
    lines = [rows[0], *rule, *rows[1:]] if head and rows else [*rule, *rows]
    state.put("", frame.line)
    for row in lines:
        state.put(prefix + " | ".join(["", *(cell.replace("|", "\\|") for cell in row), ""]).strip(), frame.line)
    state.put("", frame.line)
    return True


_DELIMITERS: Final = {"tab": "\t", "space": " "}
"""Signs between values that have a name."""


def _rows(state: Scan, lines: Sequence[str], sign: str, line: int) -> list[list[str]]:
    """The values of each row, each on one line; a line whose quotes do not match is a row as it is written."""
    sign = _DELIMITERS.get(sign, sign)
    if len(sign) != 1:
        state.problem(line, f"a csv-table cannot have {sign!r} between its values: they are parted at commas")
        sign = ","
    rows: list[list[str]] = []
    place = 0
    while place < len(lines):
        left = (f"{lines[index]}\n" for index in range(place, len(lines)))
        reader = csv.reader(left, delimiter=sign, skipinitialspace=sign != " ", strict=True)
        begins = place
        try:
            for row in reader:
                rows.append(row)
                begins = place + reader.line_num
        except csv.Error as wrong:
            state.problem(line + begins, f"a row of a csv-table cannot be read: {wrong}")
            rows.append(lines[begins].split(sign))
            begins += 1
        place = begins
    shown = ([" ".join(cell.split()) for cell in row] for row in rows)
    return [row for row in shown if any(row)]


def _listed(state: Scan, frame: Frame) -> list[list[str]]:
    """The rows of a list of lists; nothing where a cell is more than lines of text, and the list is read as one."""
    sign, rows = ":" if frame.kind == "colon" else frame.name[0], list[list[str]]()
    margin = 0
    for text, _ in reversed(state.todo):
        bare = text.strip()
        if len(bare) >= frame.count and bare and not bare.strip(sign):
            content_of(state, frame)
            return rows
        row = _ROW.match(text)
        if row is not None and (not rows or len(row["margin"]) == margin):
            margin = len(row["margin"])
            rows.append([row["text"] or ""])
        elif rows and (cell := _CELL.match(text)):
            rows[-1].append(cell[1] or "")
        elif bare and rows and not _BLOCK.match(text):
            rows[-1][-1] += f" {bare}"
        elif bare:
            return []
        if rows and _BLOCK.match(rows[-1][-1]):
            return []
    return []
