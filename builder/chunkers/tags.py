"""Tags of HTML and JSX in Markdown: where one ends, and what its attributes say."""

from __future__ import annotations

import re
from typing import Final

from .scan import Scan

_VALUE = r"""(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|[^\s"'=<>`{}]+)"""
OPEN_TAG = re.compile(rf"<([A-Za-z][\w.-]*)((?:\s+(?:[A-Za-z_:@][\w:.@-]*(?:\s*=\s*{_VALUE})?|\{{[^{{}}]*\}}))*)\s*(/?)>")
_ATTRIBUTE = re.compile(rf"([A-Za-z_:@][\w:.@-]*)(?:\s*=\s*({_VALUE}))?")
TAG_LINES: Final = 40


def tag_at(state: Scan, stripped: str) -> tuple[re.Match[str], int] | None:
    """The whole start tag a line begins, with how many more lines it takes."""
    text = stripped
    for ahead in range(TAG_LINES):
        if ">" in text and (found := OPEN_TAG.match(text) or _with_expressions(text)):
            return found, ahead
        if ahead >= len(state.todo):
            return None
        following = state.todo[-ahead - 1][0]
        if not following.strip() and ahead:
            return None
        text = f"{text}\n{following}"
    return None


def _with_expressions(text: str) -> re.Match[str] | None:
    """A tag whose attributes hold any JavaScript: what stands in braces is blotted out, so that only braces are left of it."""
    pieces: list[str] = []
    start = place = 0
    while place < len(text) and text[place] != ">":
        if text[place] in "\"'":
            place = text.find(text[place], place + 1)
            if place < 0:
                return None
        elif text[place] == "{":
            end = closing_brace(text, place)
            if end < 0:
                return None
            pieces += (text[start : place + 1], "x" * (end - place - 1))
            start = place = end
        place += 1
    return OPEN_TAG.match("".join([*pieces, text[start:]])) if pieces else None


def closing_brace(text: str, start: int) -> int:
    """Where the brace closes that opens at `start`; strings and comments of JavaScript may hold others; -1 for nowhere."""
    depth = 0
    for found in _SCRIPT.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.start()
    return -1


_SCRIPT = re.compile(r"""[{}]|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`""", re.DOTALL)


def take_tag(state: Scan, prefix: str, found: re.Match[str], taken: int, line: int) -> int:
    """Take the tag away; what follows it on its line comes next. Return the line it ends on."""
    last = line
    for _ in range(taken):
        last = state.todo.pop()[1]
    rest = found.string[found.end() :]
    if rest.strip():
        state.again(prefix + rest.lstrip(), last)
    return last


def attributes_of(source: str) -> dict[str, str]:
    """Attributes of a tag; an expression in braces counts when it is a plain string."""
    found: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(source):
        value = value.strip()
        if value.startswith("{"):
            value = value[1:-1].strip()
            if value[:1] not in "\"'`":
                continue
        if value[:1] in ("'", '"', "`") and value[-1:] == value[:1]:
            value = value[1:-1]
        found[name] = value
    return found
