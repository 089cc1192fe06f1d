"""Tables whose cells hold formulas: a bar inside a formula parts no cells, and alignment is a class, not a style."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import table
from markdown_it.token import Token

from .formulas import formula_at
from .limits import TABLE_COLUMNS

_OPENER = re.compile(r"\$|\\\(")
_STAND_IN = "\ue000"
"""As long as the bar it stands for, so that no position in the source moves."""


def use_tables(md: MarkdownIt) -> None:
    """Replace the rule for tables of a parser."""
    md.block.ruler.at("table", _table_rule, {"alt": ["paragraph", "reference"]})


def _table_rule(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    if start_line + 2 > end_line:
        return False
    header = state.src[state.bMarks[start_line] : state.eMarks[start_line]]
    ruler = state.src[state.bMarks[start_line + 1] : state.eMarks[start_line + 1]]
    if ruler.strip(" \t|:-") != "" or "|" not in header or header.count("|") > TABLE_COLUMNS:
        return False
    source, first = state.src, len(state.tokens)
    begin, end = state.bMarks[start_line], state.eMarks[start_line + 1 if silent else _last_line(state, start_line, end_line)]
    state.src = source[:begin] + _hide_bars(source[begin:end]) + source[end:]
    try:
        found = table(state, start_line, end_line, silent)
    finally:
        state.src = source
    for token in state.tokens[first:]:
        _finish(token)
    return found


def _last_line(state: StateBlock, start_line: int, end_line: int) -> int:
    """Return the last line a table that begins here can have."""
    line = start_line
    while line + 1 < end_line and not state.isEmpty(line + 1):
        line += 1
    return line


def _hide_bars(rows: str) -> str:
    """Replace the bars inside formulas."""
    return "\n".join(_hide_in_row(row) if "$" in row or "\\(" in row else row for row in rows.split("\n"))


def _hide_in_row(row: str) -> str:
    parts: list[str] = []
    done = 0
    while (opener := _OPENER.search(row, done)) is not None:
        found = formula_at(row, opener.start())
        end = found.end if found else opener.end()
        parts += [row[done : opener.start()], row[opener.start() : end].replace("|", _STAND_IN) if found else opener[0]]
        done = end
    return "".join([*parts, row[done:]])


def _finish(token: Token) -> None:
    """Put the bars back, and name the alignment of a cell."""
    if token.type == "inline":
        token.content = token.content.replace(_STAND_IN, "|")
    elif style := token.attrs.pop("style", None):
        token.attrs["class"] = "align-" + str(style).rpartition(":")[2]
