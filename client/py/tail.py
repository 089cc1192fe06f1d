"""The open end of a growing answer: what of it can be drawn now so that nothing jumps or shows half its markup later.

Unfinished emphasis and code are closed, an unfinished link shows its label, and what cannot be told yet (a formula, a mark, the
first row of a table, a line of markers only) waits.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar

from .formulas import ENVIRONMENT, formula_at, may_open_dollar
from .marks import GROUP

_FENCE = re.compile(r"^[ >]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*[ >]*(`{3,}|~{3,})([^\n]*)$")
_FENCE_BEGUN = re.compile(r"^[ >]*[`~]*$")
_MARKERS_ONLY = re.compile(r"^[ \t>]*(?:#{1,6}|\d{1,9}[.)]?|[-=_*+~`|:$\\ \t]*|[-*+][ \t]+\[[ xX]?\]?)[ \t]*$")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\](?::.*)?$")
_ROW = re.compile(r"^[ >]*\|")
RULER = re.compile(r"^[ >]*[|:\- \t]*-[|:\- \t]*$")
_HALF_NUMBER = re.compile(r"(?:\$\$|\\\]|\\end\{[a-z*]+\})[.,;。，；]?([ \t]*[(（][^)）]*)$")
_HEADING_END = re.compile(r"^([ >]*#{1,6}[ \t].*?)[ \t]+#+[ \t]*$")
_BLOCK_START = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+|\|)|^[ \t]*>[ \t>]*")
_SPECIAL = re.compile(r"[\\`$!\[【*_~<&]")
_MATH_OR_CODE = re.compile(r"[`$\\]")
_HALF_TAG = re.compile(r"<(?:[A-Za-z/!?][^\s<>]{0,200})?$")
_HALF_ENTITY = re.compile(r"&#?\w{0,30}$")
_HALF_MARK = re.compile(r"\[[\d\s,，、;；\-–—~]*$|【[\d\s,，、;；\-–—~†]{0,20}$")
_RUN = re.compile(r"([*_]+|~~)")
_AMOUNT = re.compile(r"\d[\d.,]*")
_MARGIN = "    "
"""Of code without a fence."""
_LABEL_LENGTH, _LONGEST_LABEL = 120, 400
"""Of a label that is still open, and that is looked for at all: thousands of brackets must not each be read to the end."""


_PAUSE = re.compile(r"(?:[^\s`$\\*_~\[\]【】<>&!] +|[。！？；：，、]|\n)(?=[^\W\d_¹²³⁰⁴-⁹])")
_LONG_ENOUGH = 80
_WINDOW = 2_000


class Delimiter(NamedTuple):
    """Emphasis that was opened."""

    markup: str
    at: int


def settle(text: str) -> str:
    """Return what of an open end is to be drawn; `text` begins at the start of a block."""
    lines = text.split("\n")
    fence, code = _fences(lines)
    if fence is not None:
        begun = len(lines) - 1 == fence or _FENCE_BEGUN.match(lines[-1])
        return "\n".join(lines[:-1]) if begun else text
    if lines[0].startswith(_MARGIN) and all(line.startswith(_MARGIN) or not line.strip() for line in lines):
        return text
    start = max(code, _last_paragraph(lines))
    lines = lines[: _held_from(lines, start)]
    body = "\n".join(lines)
    offset = len("\n".join(lines[:start])) + (start > 0)
    opened, over = _displays(body, min(offset, len(body)))
    body = body if opened is None else body[:opened]
    lines = body.split("\n")
    run = max(over, _run_start(lines, start))
    return body[:run] + _close_inline(body[run:])


def open_fence(text: str) -> str | None:
    """Return the first line of the code fence a text ends inside of."""
    lines = text.split("\n")
    fence, _ = _fences(lines)
    return None if fence is None else lines[fence]


def open_span(text: str) -> bool:
    """Tell whether a text ends inside of a formula or of code in a line."""
    lines = text.split("\n")
    text = "\n".join(lines[max(_fences(lines)[1], _last_paragraph(lines)) :])
    at = 0
    while (special := _MATH_OR_CODE.search(text, at)) is not None:
        at = special.start()
        environment = ENVIRONMENT.match(text, at)
        formula = None if text[at] == "`" else formula_at(text, at)
        end: int | None = at + (2 if text[at] == "\\" else 1)
        if text[at] == "`":
            end = _code_end(text, at)
        elif environment:
            end = text.find(f"\\end{{{environment[1]}}}", at) + 1 or None
        elif formula:
            end = formula.end
        elif text.startswith(("$$", "\\[", "\\("), at) or (text[at] == "$" and _opens(text, at)):
            end = None
        if end is None:
            return True
        at = end
    return False


def _opens(text: str, at: int) -> bool:
    """Whether a dollar sign opens a formula; an amount is none."""
    return may_open_dollar(text, at) and _AMOUNT.fullmatch(text, at + 1) is None


def pieces(run: str) -> list[str]:
    """Part a long text at pauses at which nothing is open; the last piece is what could not be parted."""
    found: list[str] = []
    at = 0
    while len(run) - at > _WINDOW and (over := settled_before(run[at : at + _WINDOW])):
        found.append(run[at : at + over])
        at += over
    return [*found, run[at:]]


def settled_before(run: str) -> int:
    """Return how much of a paragraph is over: up to a pause at which nothing is open; 0 where that is not worth it."""
    if len(run) < 2 * _LONG_ENOUGH:
        return 0
    end = at = 0
    opened: list[Delimiter] = []
    while at < len(run):
        special = _SPECIAL.search(run, at)
        stop = special.start() if special else len(run)
        if not opened:
            end = _last_pause(run, at, stop) or end
        step = _step(run, stop, opened) if special else None
        if step is None or step[0] != run[stop : step[1]]:
            break
        at = step[1]
    return end if end >= _LONG_ENOUGH else 0


def _last_pause(run: str, start: int, stop: int) -> int:
    """Return the end of the last pause between two places; 0 if there is none."""
    end = 0
    for pause in _PAUSE.finditer(run, start):
        if pause.end() > stop:
            break
        end = pause.end()
    return end


def _fences(lines: list[str]) -> tuple[int | None, int]:
    """Return the line of the code fence that is open at the end, and the line after the last one that is closed."""
    opened: int | None = None
    mark, after = "", 0
    for at, line in enumerate(lines):
        found = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if found is None:
            continue
        if opened is None and not (found[1][0] == "`" and "`" in found[2]):
            opened, mark = at, found[1]
        elif opened is not None and found[1].startswith(mark) and not found[2].strip():
            if at == len(lines) - 1:
                return opened, after
            opened, after = None, at + 1
    return opened, after


def _last_paragraph(lines: list[str]) -> int:
    """Return the first line after the last blank one."""
    at = len(lines) - 1
    while at > 0 and lines[at - 1].strip():
        at -= 1
    return at


def _held_from(lines: list[str], start: int) -> int:
    """Return the number of lines that can be told by now."""
    keep = len(lines)
    last = lines[-1]
    if last and (_MARKERS_ONLY.match(last) or _DEFINITION.match(last)):
        keep -= 1
    elif number := _HALF_NUMBER.search(last):
        lines[-1] = last[: number.start(1)]
    elif heading := _HEADING_END.match(last):
        lines[-1] = heading[1]
    if any(RULER.match(line) and "|" in line for line in lines[start + 1 : -1]):
        return keep
    rows = [at for at in range(max(start, len(lines) - 2), len(lines)) if _ROW.match(lines[at])]
    return min([keep, *rows])


def _displays(text: str, start: int) -> tuple[int | None, int]:
    """Return where a display formula or environment opens that has no end yet, and where the last whole one ends."""
    at = over = start
    while (special := _MATH_OR_CODE.search(text, at)) is not None:
        at = special.start()
        environment = ENVIRONMENT.match(text, at) if _starts_line(text, at) else None
        formula = None if text[at] == "`" else formula_at(text, at)
        if text[at] == "`":
            at = _code_end(text, at) or at + _run_length(text, at)
        elif environment:
            close = text.find(f"\\end{{{environment[1]}}}", at)
            if close < 0:
                return at, over
            at = over = text.find("}", close) + 1
        elif formula:
            at, over = formula.end, formula.end if formula.display else over
        elif text.startswith(("$$", "\\["), at) or text[at:] == "$":
            return at, over
        else:
            at += 2 if text[at] == "\\" else 1
    return None, over


def _starts_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip(" >")


def _run_start(lines: list[str], start: int) -> int:
    """Return the place from which on emphasis and links may still be open."""
    first = next((at for at in range(len(lines) - 1, start - 1, -1) if _BLOCK_START.match(lines[at])), start)
    return sum(len(line) + 1 for line in lines[:first])


def _close_inline(run: str) -> str:
    """Close or hold back what is unfinished in the last run of text."""
    begin = _BLOCK_START.match(run)
    at = begin.end() if begin else 0
    out: list[str] = [run[:at]]
    opened: list[Delimiter] = []
    while at < len(run):
        special = _SPECIAL.search(run, at)
        if special is None:
            out.append(run[at:])
            break
        out.append(run[at : special.start()])
        at = special.start()
        step = _step(run, at, opened)
        if step is None:
            break
        piece, at = step
        out.append(piece)
    return _closed("".join(out), opened)


def _step(run: str, at: int, opened: list[Delimiter]) -> tuple[str, int] | None:
    """Read the special character at a place: what to write for it and where to go on; None to stop in front of it."""
    char = run[at]
    if char == "\\":
        return _escape(run, at)
    if char == "`":
        end = _code_end(run, at)
        return (run[at:end], end) if end else _open_code(run, at)
    if char == "$":
        found = formula_at(run, at)
        if found:
            return run[at : found.end], found.end
        return None if may_open_dollar(run, at) else (char, at + 1)
    if char in "*_~":
        return _delimiter(run, at, opened)
    if char in "![【":
        return _bracket(run, at)
    half = _HALF_TAG.match(run, at) if char == "<" else _HALF_ENTITY.match(run, at)
    return None if half else (char, at + 1)


def _escape(run: str, at: int) -> tuple[str, int] | None:
    if at + 1 == len(run):
        return None
    if run[at + 1] in "([":
        found = formula_at(run, at)
        if found:
            return run[at : found.end], found.end
        closer = "\\)" if run[at + 1] == "(" else "\\]"
        return None if closer not in run[at:] else (run[at : at + 2], at + 2)
    return run[at : at + 2], at + 2


def _run_length(text: str, at: int) -> int:
    return len(text[at:]) - len(text[at:].lstrip(text[at]))


def _code_end(text: str, at: int) -> int | None:
    """Return one past the end of the code span that begins at a place."""
    length = _run_length(text, at)
    found = re.compile(rf"(?<!`)`{{{length}}}(?!`)").search(text, at + length)
    return found.end() if found else None


def _open_code(run: str, at: int) -> tuple[str, int] | None:
    """Show an unfinished code span as code, without the backticks that may be closing it."""
    length = _run_length(run, at)
    content = run[at + length :].rstrip("`")
    if not content.strip():
        return None
    return run[at : at + length] + content + "`" * length, len(run)


def _delimiter(run: str, at: int, opened: list[Delimiter]) -> tuple[str, int] | None:
    """Keep account of emphasis."""
    found = _RUN.match(run, at)
    if found is None:
        return None if run[at:] == "~" else (run[at], at + 1)
    markup, end = found[1], found.end()
    if end == len(run):
        return None
    before, after = run[at - 1 : at], run[end]
    inside = before.isalnum() and after.isalnum() and before.isascii() and after.isascii()
    opens = not after.isspace() and (_is_letter(after) or not _is_letter(before))
    if not before.isspace() and before and opened and opened[-1].markup[0] == markup[0]:
        while opened and markup and opened[-1].markup[0] == markup[0]:
            markup = markup[: -len(opened.pop().markup)] if len(markup) >= len(opened[-1].markup) else ""
    elif opens and not (inside and (markup[0] == "_" or len(markup) == 1)):
        opened.append(Delimiter(markup, at))
    return found[1], end


def _is_letter(char: str) -> bool:
    """Tell letters from space and punctuation: markers behind a letter and before punctuation open nothing (CommonMark)."""
    return bool(char) and not char.isspace() and not isPunctChar(char) and not isMdAsciiPunct(ord(char))


def _bracket(run: str, at: int) -> tuple[str, int] | None:
    """Show the label of an unfinished link; hold back images and marks."""
    char = run[at]
    if _HALF_MARK.match(run, at):
        return None
    if char == "【":
        return char, at + 1
    image = char == "!"
    if image and run[at + 1 : at + 2] != "[":
        return None if at + 1 == len(run) else (char, at + 1)
    label = at + 2 if image else at + 1
    close = _label_end(run, label)
    if close is None:
        long = len(run) - label > _LABEL_LENGTH or "\n\n" in run[label:]
        return (run[at:label], label) if long else None if image else ("", label)
    after = run[close + 1 : close + 2]
    if after == "(":
        end = _destination_end(run, close + 2)
        if end is not None:
            return run[at:end], end
        return None if image else (run[label:close], len(run))
    if after == "" and not GROUP.match(run, at):
        return None if image else (run[label:close], len(run))
    return run[at:label], label


def _label_end(run: str, at: int) -> int | None:
    """Return where the label that begins at a place closes, if it is not endless."""
    depth = 0
    end = min(len(run), at + _LONGEST_LABEL)
    while at < end:
        char = run[at]
        if char == "\\":
            at += 1
        elif char == "`":
            at = (_code_end(run, at) or at + 1) - 1
        elif char == "[":
            depth += 1
        elif char == "]":
            if not depth:
                return at
            depth -= 1
        at += 1
    return None


def _destination_end(run: str, at: int) -> int | None:
    """Return one past the bracket that closes the destination of a link."""
    depth = 0
    quote = ""
    for place in range(at, len(run)):
        char = run[place]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and run[place - 1] in " \n":
            quote = char
        elif char == "(":
            depth += 1
        elif char == ")":
            if not depth:
                return place + 1
            depth -= 1
    return None


def _closed(text: str, opened: list[Delimiter]) -> str:
    """Close the emphasis that is open."""
    if not opened:
        return text
    body = text.rstrip(" \t\n")
    while opened and body.endswith(opened[-1].markup):
        body = body[: -len(opened.pop().markup)].rstrip(" \t\n")
    return body + "".join(delimiter.markup for delimiter in reversed(opened)) if opened else body
