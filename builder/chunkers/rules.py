"""Block rules for markdown-it: marks of the first pass, and headings as Python-Markdown reads them."""

from __future__ import annotations

import re
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, list_block, table
from mdit_py_plugins.deflist import deflist_plugin

from askbook.builder.dialects import Dialect

from .scan_marks import MARK, Indented, Mark

_UNDERLINE = re.compile(r"^[=-]+[ ]*$")
_CLOSING_SIGNS = re.compile(r"[ \t]*#+[ \t]*$")


@lru_cache(maxsize=8)
def parser(*, loose: bool, indented_code: bool, definition_lists: bool, blank_before: bool = False) -> MarkdownIt:
    """Return a parser of blocks only; what stands in a line is read by `inline.py`.

    With `blank_before`, lists and tables begin behind a blank line only.
    """
    md = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    md.core.ruler.enableOnly(["block"])
    md.disable("html_block")
    if not indented_code:
        md.disable("code")
    if definition_lists:
        md.use(deflist_plugin)
    md.block.ruler.before("table", "askbook_mark", _mark, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    if loose:
        md.block.ruler.at("heading", _heading, {"alt": ["paragraph", "reference", "blockquote"]})
        md.block.ruler.at("lheading", _underlined)
    if blank_before:
        md.block.ruler.at("paragraph", _paragraph)
    return md


def parser_for(dialect: Dialect) -> MarkdownIt:
    """The parser of a dialect; parsers are shared, they hold no page."""
    return parser(
        loose=dialect.loose_headings,
        indented_code=dialect.indented_code,
        definition_lists=dialect.definition_lists,
        blank_before=dialect.raw_html,
    )


def _mark(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Turn a mark into its token; an indented unit holds the lines below it that are indented by four more."""
    position = state.bMarks[start] + state.tShift[start]
    sign = state.src[position : position + 1]
    if sign != MARK:
        return not silent and sign.isalpha() and _plain_paragraph(state, start)
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


_NOT_PLAIN = frozenset("|-:=~")
"""What begins a line that may make a heading, a table or a definition of the lines above it."""


def _plain_paragraph(state: StateBlock, start: int) -> bool:
    """A paragraph that begins with a letter, most of whose lines do too: no other rule needs to be asked about those."""
    if state.is_code_block(start):
        return False
    end = state.lineMax
    below = start + 1
    while below < end and not state.isEmpty(below):
        sign = _sign(state, below)
        if sign in _NOT_PLAIN:
            return False
        if not sign.isalpha() and _is_ended(state, below):
            break
        below += 1
    if below == start + 1 and start + 2 < end and _sign(state, start + 2) in (":", "~"):
        return False
    _push_paragraph(state, start, below)
    return True


def _paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Lines up to a blank one, or to what ends a paragraph in Python-Markdown."""
    below = start + 1
    while below < state.lineMax and not state.isEmpty(below) and not _is_ended(state, below):
        below += 1
    _push_paragraph(state, start, below)
    return True


def _push_paragraph(state: StateBlock, start: int, end: int) -> None:
    token = state.push("paragraph_open", "p", 1)
    token.map = [start, end]
    token = state.push("inline", "", 0)
    token.content = state.getLines(start, end, state.blkIndent, False).strip()
    token.map, token.children = [start, end], []
    state.push("paragraph_close", "p", -1)
    state.line = end


def _sign(state: StateBlock, line: int) -> str:
    """The first letter or sign of a line."""
    position = state.bMarks[line] + state.tShift[line]
    return state.src[position : position + 1]


def _is_ended(state: StateBlock, line: int) -> bool:
    """Whether some rule ends a paragraph at a line."""
    if not 0 <= state.sCount[line] <= state.blkIndent + 3:
        return False
    rules = state.md.block.ruler.getRules("paragraph")
    if _paragraph in state.md.block.ruler.getRules("") and state.parentType != "list":
        rules = [rule for rule in rules if rule not in (list_block, table)]
    parent, state.parentType = state.parentType, "paragraph"
    ended = any(rule(state, line, state.lineMax, True) for rule in rules)
    state.parentType = parent
    return ended


def _heading(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A heading of number signs; no space is needed after them, and at the margin no space may stand before them."""
    position = state.bMarks[start] + state.tShift[start]
    text = state.src[position : state.eMarks[start]]
    if not text.startswith("#") or state.is_code_block(start) or (not state.level and state.sCount[start]):
        return False
    title = text.lstrip("#")
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
