"""Formulas in Markdown: found before anything else can read `_`, `*` or `\\` in them, and told apart from prices.

`$…$` and `\\(…\\)` in a line, `$$…$$`, `\\[…\\]` and bare environments on lines of their own. The usual plugin for dollars
knows neither the other forms, nor prices, nor a formula that is still arriving.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from .limits import FORMULA_CHARACTERS, FORMULA_LINES

_CLOSERS = {"$$": "$$", "\\[": "\\]", "\\(": "\\)"}
ENVIRONMENT = re.compile(r"\\begin\{((?:align|alignat|equation|gather|multline|split|cases|[bBpvV]?matrix|array|CD)\*?)\}")
_AFTER = re.compile(r"[ \t]*([.,;:。，；：、]?)[ \t]*(?:[(（]([\w.\-*′']{1,16})[)）])?[ \t]*")
_MARK_ALONE = re.compile(r"[\d\s,，、;；\-–—]*")
_COMMAND = re.compile(r"\\(?:text|mathrm|mbox|operatorname|textbf|textit)\s*\{[^{}]*\}|\\[A-Za-z]+")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_BLOCK_END = re.compile(r"\n[ \t]*(?:\n|```|~~~)")
_TEX_SIGN = re.compile(r"[\\_^={}<>+]")
_PATIENCE = 240
"""A formula in a line that is longer does not keep the text behind it waiting."""
_TRIES = 30
"""Dollar signs that may turn out not to close a formula before it is none."""
_AMOUNT_END = re.compile(r"(?:^|[^A-Za-z\\])[A-Z]{1,3}$")
_HAN = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_PROSE = re.compile(r"[A-Za-z]{2,}|[\u3400-\u9fff]")


class Formula(NamedTuple):
    """A formula found at a place of a text."""

    tex: str
    end: int
    """One past its closing delimiter."""
    display: bool


def use_formulas(md: MarkdownIt) -> None:
    """Teach a parser the rules of this module."""
    md.inline.ruler.before("escape", "formula", _inline_rule)
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("fence", "formula_block", _block_rule, alternatives)
    md.block.ruler.before("lheading", "formula_paragraph", _paragraph_rule)


def formula_at(text: str, pos: int, end: int | None = None) -> Formula | None:
    """Return the formula that begins at a place of a text and ends before `end`, if one does."""
    end = len(text) if end is None else end
    opener = text[pos : pos + 2]
    if opener in _CLOSERS:
        close = _closer(text, pos + 2, end, _CLOSERS[opener])
        tex = text[pos + 2 : close]
        if close < 0 or not tex.strip() or (opener != "$$" and _says_nothing(tex)):
            return None
        return Formula(tex, close + 2, display=opener != "\\(")
    return _dollar(text, pos, end) if opener[:1] == "$" else None


def opens_dollar(text: str, pos: int) -> bool:
    """Tell whether a single dollar sign may open a formula: not after a letter or digit, not before a space or at the end."""
    before, after = text[pos - 1 : pos], text[pos + 1 : pos + 2]
    return not (before.isascii() and before.isalnum()) and after not in {"", "$"} and not after.isspace()


def may_open_dollar(text: str, pos: int) -> bool:
    """Tell whether a dollar sign without its closing one may still turn out to open a formula."""
    left = len(text) - pos - 1
    if not left:
        return True
    if not opens_dollar(text, pos) or left > _PATIENCE:
        return False
    tex = text[pos + 1 :]
    if "`" in tex:
        return False
    words = _PROSE.findall(_COMMAND.sub(" ", tex))
    return not (words if tex[0].isdigit() else len(words) > 3 and not _TEX_SIGN.search(tex))


def _dollar(text: str, pos: int, end: int) -> Formula | None:
    """Read `$…$`; a price is no formula."""
    if not opens_dollar(text, pos):
        return None
    close, left = pos, _TRIES
    while (close := _closer(text, close + 1, end, "$", pos + FORMULA_CHARACTERS) if left else -1) >= 0:
        left -= 1
        if not text[close - 1].isspace() and not text[close + 1 : close + 2].isdigit():
            break
        if not text[close - 1].isspace():
            return None
    tex = text[pos + 1 : close]
    if close < 0 or "`" in tex or _is_price(tex):
        return None
    return Formula(tex, close + 1, display=False)


def _closer(text: str, start: int, end: int, closer: str, limit: int | None = None) -> int:
    """Find a closing delimiter that no backslash escapes, within the length a formula may have."""
    stop = min(end, limit or start + FORMULA_CHARACTERS)
    pos = text.find(closer, start, stop)
    while pos >= 0:
        before = pos
        while before > start and text[before - 1] == "\\":
            before -= 1
        if (pos - before) % 2 == 0:
            return pos
        pos = text.find(closer, pos + 1, stop)
    return -1


def _says_nothing(tex: str) -> bool:
    """Tell whether brackets were escaped rather than a formula opened: `\\[1\\]`, `\\(\\)`."""
    return _MARK_ALONE.fullmatch(tex) is not None or not any(char.isalnum() for char in tex)


def _is_price(tex: str) -> bool:
    """Tell whether what stands between two dollar signs is an amount and the prose after it."""
    if "**" in tex:
        return True
    if not tex[0].isdigit():
        return False
    plain = _COMMAND.sub(" ", tex)
    if _HAN.search(plain):
        return True
    return " " in tex.strip() and bool(_PROSE.search(plain) or (_AMOUNT_END.search(tex) and not _TEX_SIGN.search(tex)))


def _inline_rule(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\":
        return False
    found = formula_at(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        token = state.push("formula_display" if found.display else "formula", "", 0)
        token.content = found.tex
    state.pos = found.end
    return True


def _block_rule(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    if state.is_code_block(start_line):
        return False
    start = state.bMarks[start_line] + state.tShift[start_line]
    environment = ENVIRONMENT.match(state.src, start, state.eMarks[start_line])
    opener = state.src[start : start + 2]
    if environment is None and opener not in {"$$", "\\["}:
        return False
    closer = f"\\end{{{environment[1]}}}" if environment else _CLOSERS[opener]
    found = _closing_line(state, start_line, end_line, start + len(environment[0] if environment else opener), closer)
    if found is None:
        return False
    if silent:
        return True
    line, tex, tail = found
    token = state.push("formula_block", "", 0)
    token.content = (environment[0] + tex + closer if environment else tex) + tail
    token.block = True
    token.map = [start_line, line + 1]
    state.line = line + 1
    return True


def _closing_line(state: StateBlock, first: int, end: int, start: int, closer: str) -> tuple[int, str, str] | None:
    """Find the line that closes a formula and carries nothing else but punctuation or a number in brackets."""
    parts: list[str] = []
    length = 0
    if state.src.find(closer, start, start + 2 * FORMULA_CHARACTERS) < 0:
        return None
    for line in range(first, end):
        begin = start if line == first else state.bMarks[line] + min(state.tShift[line], max(state.blkIndent, 0))
        if line > first and (state.isEmpty(line) or state.sCount[line] < state.blkIndent):
            return None
        text = state.src[begin : state.eMarks[line]]
        if _FENCE.match(text):
            return None
        close = _closer(text, 0, len(text), closer)
        if close >= 0:
            after = _AFTER.fullmatch(text, close + len(closer))
            tex = "\n".join([*parts, text[:close]])
            if after is None or not tex.strip() or (closer == "\\]" and _says_nothing(tex)):
                return None
            return line, tex, after[1] + (f"\\tag{{{after[2]}}}" if after[2] else "")
        parts.append(text)
        length += len(text)
        if length > FORMULA_CHARACTERS:
            return None
    return None


def _paragraph_rule(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Keep a paragraph together whose display formula runs over lines that would be headings, lists or quotes."""
    if silent or not _opens_display(state, start_line):
        return False
    text = state.getLines(start_line, min(end_line, start_line + FORMULA_LINES), state.blkIndent, False)
    opener = max(text.find("$$"), 0) if "$$" in text.partition("\n")[0] else text.find("\\[")
    found = formula_at(text, opener)
    if found is None or not found.display or "\n" not in found.tex or _BLOCK_END.search(found.tex):
        return False
    line = start_line + text.count("\n", 0, found.end) + 1
    terminators = state.md.block.ruler.getRules("paragraph")
    while line < end_line and not state.isEmpty(line) and not any(rule(state, line, end_line, True) for rule in terminators):
        line += 1
    token = state.push("paragraph_open", "p", 1)
    token.map = [start_line, line]
    token = state.push("inline", "", 0)
    token.content = state.getLines(start_line, line, state.blkIndent, False).strip()
    token.map = [start_line, line]
    token.children = []
    state.push("paragraph_close", "p", -1)
    state.line = line
    return True


def _opens_display(state: StateBlock, line: int) -> bool:
    """Tell whether a line opens a display formula that it does not close."""
    text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
    return text.count("$$") % 2 == 1 or text.count("\\[") > text.count("\\]")
