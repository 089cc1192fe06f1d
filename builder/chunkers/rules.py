"""Block rules for markdown-it: marks of the first pass, and headings as Python-Markdown reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, list_block
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from askbook.builder.dialects import Dialect

from .block_parser import SPECIAL, Blocks
from .scan_marks import MARK, Indented, Mark

_UNDERLINE = re.compile(r"^[=-]+[ ]*$")
_CLOSING_SIGNS = re.compile(r"[ \t]*#+[ \t]*$")
_COLUMNS = re.compile(r"[|:-][|:\- \t]+")
_COLUMN = re.compile(r":?-+:?")
_LOOSE_COLUMN = re.compile(r":?[ :-]*-[ :-]*")
"""Python-Markdown wants no more than these signs."""
_BAR = re.compile(r"(?<!\\)\|")
_BLANKS = " \t\n\r\f\v"


_APART = "apart"
"""The chain of rules that end a paragraph outside lists."""


@lru_cache(maxsize=8)
def parser(
    *, loose: bool, indented_code: bool, definition_lists: bool, blank_before: bool = False, sane: bool = False
) -> MarkdownIt:
    """Return a parser of blocks only; what stands in a line is read by `inline.py`.

    With `blank_before`, as in Python-Markdown, lists and tables begin behind a blank line only, `1)` begins none, and several
    terms may share a definition.
    """
    md = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    md.disable("html_block")
    if not indented_code:
        md.disable("code")
    if definition_lists:
        md.use(deflist_plugin)
    ruler = md.block.ruler
    table = partial(_table, column=_LOOSE_COLUMN) if blank_before else _table
    ruler.at("table", table, {"alt": ["paragraph", "reference"]})
    ruler.before("table", "askbook_mark", _mark, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    ruler.before("lheading", "askbook_plain", _plain_paragraph)
    if blank_before:
        ruler.at("list", _list, {"alt": ["paragraph", "reference", "blockquote"]})
        if definition_lists:
            ruler.before("deflist", "askbook_terms", _terms)
    ruler.at("code", _code)
    ruler.at("paragraph", _paragraph)
    if loose:
        ruler.at("heading", partial(_heading, sane=sane), {"alt": ["paragraph", "reference", "blockquote"]})
        ruler.at("lheading", _underlined)
    for rule in ruler.__rules__:
        if "paragraph" in rule.alt and not (blank_before and rule.name in ("list", "table")):
            rule.alt = [*rule.alt, _APART]
    md.block = Blocks(md, by_fours=blank_before)
    return md


def tokens_of(lines: Sequence[str], dialect: Dialect, env: dict[str, Any]) -> list[Token]:
    """The blocks of a page as tokens; parsers are shared, they hold no page."""
    md = parser(
        loose=dialect.loose_headings,
        sane=dialect.sane_headings,
        indented_code=dialect.indented_code,
        definition_lists=dialect.definition_lists,
        blank_before=dialect.raw_html,
    )
    blocks = md.block
    return blocks.tokens_of(lines, md, env) if isinstance(blocks, Blocks) else []


def _mark(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Turn a mark into its token; an indented unit holds the lines below it that are indented by four more."""
    if silent:
        return True
    mark: Mark = state.env["marks"][start]
    if not isinstance(mark, Indented):
        token = state.push("mark", "", 0)
        token.map, token.meta = [start, start + 1], {"mark": mark}
        state.line = start + 1
        return True
    inner = state.sCount[start] + 4
    last = following = start + 1
    while following < end:
        if not state.isEmpty(following):
            if state.sCount[following] < inner:
                break
            last = following + 1
        following += 1
    token = state.push("indented_open", "", 1)
    token.map, token.meta = [start, last], {"mark": mark}
    old_indent, old_max, old_parent = state.blkIndent, state.lineMax, state.parentType
    state.blkIndent, state.lineMax, state.parentType = inner, last, "root"
    state.md.block.tokenize(state, start + 1, last)
    state.blkIndent, state.lineMax, state.parentType = old_indent, old_max, old_parent
    state.push("indented_close", "", -1)
    state.line = last
    return True


def _code(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Indented code, up to a mark; asked of nearly every line, so the answer must be cheap."""
    if not state.is_code_block(start):
        return False
    last = below = start + 1
    while below < end:
        if not state.isEmpty(below):
            if not state.is_code_block(below) or _sign(state, below) == MARK:
                break
            last = below + 1
        below += 1
    state.line = last
    token = state.push("code_block", "code", 0)
    token.content = f"{state.getLines(start, last, 4 + state.blkIndent, False)}\n"
    token.map = [start, last]
    return True


def _list(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A list of `-`, `*`, `+` or `1.`."""
    position = state.bMarks[start] + state.tShift[start]
    numbered = state.src[position : position + 10].lstrip("0123456789")
    if numbered.startswith(")") and not state.env.get("fancy"):
        return False
    outer = state.listIndent  # an item is indented by fours
    state.listIndent = outer + -outer % 4 if outer > 0 else outer
    found = list_block(state, start, end, silent)
    state.listIndent = outer
    return found


def _terms(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Several terms above one definition: all but the last, which the definition list takes."""
    if silent or state.is_code_block(start):
        return False
    below = start
    while below < end and not state.isEmpty(below) and state.sCount[below] == state.sCount[start]:
        if _sign(state, below) == ":":
            break
        if below > start and _is_ended(state, below):
            return False
        below += 1
    if below - start < 2 or below >= end or not _DEFINITION.match(_text(state, below)):
        return False
    for line in range(start, below - 1):
        token = state.push("dt_open", "dt", 1)
        token.map = [line, line]
        token = state.push("inline", "", 0)
        token.content, token.map = _text(state, line).strip(), [line, line]
        state.push("dt_close", "dt", -1)
    state.line = below - 1
    return True


_DEFINITION = re.compile(r":[ \t]+\S")

_NOT_PLAIN = frozenset("|-:=~")
"""What begins a line that may make a heading, a table or a definition of the lines above it."""


def _plain_paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A paragraph none of whose lines makes a heading, a table or a term of what is above it: no other rule is to be asked."""
    if state.is_code_block(start):
        return False
    source, starts, ends, shifts = state.src, state.bMarks, state.eMarks, state.tShift
    below, last = start + 1, state.lineMax
    while below < last:
        place = starts[below] + shifts[below]
        if place >= ends[below]:
            break
        sign = source[place]
        if sign in _NOT_PLAIN:
            return False
        if sign in SPECIAL and _is_ended(state, below):
            break
        below += 1
    if below == start + 1 and start + 2 < last and _sign(state, start + 2) in (":", "~"):
        return False
    _push_paragraph(state, start, below)
    return True


def _paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Lines up to a blank one, or to what ends a paragraph."""
    below, last = start + 1, state.lineMax
    while below < last and not state.isEmpty(below) and not _is_ended(state, below):
        below += 1
    _push_paragraph(state, start, below)
    return True


def _push_paragraph(state: StateBlock, start: int, end: int) -> None:
    """A paragraph is one token; what its lines are indented by says nothing."""
    token = state.push("paragraph", "p", 0)
    source, starts, ends, shifts = state.src, state.bMarks, state.eMarks, state.tShift
    if end == start + 1:
        token.content = source[starts[start] + shifts[start] : ends[start]].strip()
    else:
        token.content = "\n".join([source[starts[line] + shifts[line] : ends[line]] for line in range(start, end)]).strip()
    token.map = [start, end]
    state.line = end


def _sign(state: StateBlock, line: int) -> str:
    """The first letter or sign of a line."""
    position = state.bMarks[line] + state.tShift[line]
    return state.src[position : position + 1]


def _is_ended(state: StateBlock, line: int) -> bool:
    """Whether some rule ends a paragraph at a line."""
    if _sign(state, line) == MARK:
        return True
    if not 0 <= state.sCount[line] <= state.blkIndent + 3:
        return False
    parent, state.parentType = state.parentType, "paragraph"
    (ends,) = state.md.block.ruler.getRules("paragraph" if parent == "list" else _APART)
    ended = ends(state, line, state.lineMax, True)
    state.parentType = parent
    return ended


def _table(state: StateBlock, start: int, end: int, silent: bool, column: re.Pattern[str] = _COLUMN) -> bool:
    """A table as GitHub reads it: a row, a line that parts it from the others, more rows; its cells are cut in `markdown.py`."""
    below = start + 1
    if below >= end or state.sCount[below] < state.blkIndent or state.is_code_block(below) or state.is_code_block(start):
        return False
    line = _text(state, below)
    if line[:1] not in ("|", "-", ":") or not _COLUMNS.fullmatch(line) or line.startswith(("- ", "-\t")):
        return False
    columns = [column.strip() for column in line.split("|")]
    inner = columns[not columns[0] : len(columns) - (len(columns) > 1 and not columns[-1])]
    head = _text(state, start).strip(_BLANKS)
    if not all(map(column.fullmatch, inner)) or "|" not in head or _width(head) != len(inner) or not inner:
        return False
    if silent:
        return True
    terminators = state.md.block.ruler.getRules("blockquote")
    parent, state.parentType = state.parentType, "table"
    row = start + 2
    while row < end and state.sCount[row] >= state.blkIndent and not state.isEmpty(row) and not state.is_code_block(row):
        if any(rule(state, row, end, True) for rule in terminators):
            break
        row += 1
    state.parentType = parent
    token = state.push("table", "", 0)
    token.map, token.meta = [start, row], {"rows": [start, *range(start + 2, row)]}
    state.line = row
    return True


def _text(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _width(row: str) -> int:
    """How many cells a row has."""
    bars = [found.start() for found in _BAR.finditer(row)]
    return len(bars) + 1 - (0 in bars[:1]) - (len(row) - 1 in bars[-1:])


def _heading(state: StateBlock, start: int, end: int, silent: bool, *, sane: bool = False) -> bool:
    """A heading of number signs; a space is needed after them only if `sane`, and at the margin none may stand before them."""
    position = state.bMarks[start] + state.tShift[start]
    text = state.src[position : state.eMarks[start]]
    if not text.startswith("#") or state.is_code_block(start) or (not state.level and state.sCount[start]):
        return False
    title = text.lstrip("#")
    if sane and not title.startswith(" "):
        return False
    level = min(len(text) - len(title), 6)
    title = _CLOSING_SIGNS.sub("", "#" * (len(text) - len(title) - level) + title).strip()
    if silent:
        return True
    state.line = start + 1
    if not title:  # a heading nobody sees
        return True
    _push_heading(state, level, title, start, start + 1)
    return True


def _underlined(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """One line of text and a line of `=` or `-` under it."""
    below = start + 1
    if below >= end or state.sCount[below] < state.blkIndent or state.is_code_block(start):
        return False
    line = state.src[state.bMarks[below] + state.tShift[below] : state.eMarks[below]]
    if not _UNDERLINE.match(line):
        return False
    if silent:
        return True
    title = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]].strip()
    state.line = below + 1
    _push_heading(state, 1 if line[0] == "=" else 2, title, start, below + 1)
    return True


def _push_heading(state: StateBlock, level: int, title: str, start: int, end: int) -> None:
    token = state.push("heading_open", f"h{level}", 1)
    token.map = [start, end]
    token = state.push("inline", "", 0)
    token.content, token.map, token.children = title, [start, end], []
    state.push("heading_close", f"h{level}", -1)
