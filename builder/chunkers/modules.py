"""Imports and exports of a page written in MDX: JavaScript that leaves nothing."""

from __future__ import annotations

import re

from .scan import Scan

_ESM = re.compile(
    r"""^(?:import\s+(?:[\w*{][^;]*?\sfrom\s+)?["']|import\s+[\w*{]|export\s+(?:const|let|var|default|function|async|class|\{|\*))"""
)
_ESM_CERTAIN = re.compile(
    r"""^(?:import\s+(?:[\w*{].*?\sfrom\s+)?["'][^"']+["'];?\s*$|export\s+(?:const|let|var|default|function|async|class)\s)"""
)


def opens(state: Scan, stripped: str, line: int) -> bool:
    """Imports and exports of a page written in MDX, up to the next blank line."""
    if not (_ESM.match(stripped) if state.dialect.esm else state.dialect.components and _ESM_CERTAIN.match(stripped)):
        return False
    if state.out and state.out[-1].strip() and not state.dialect.esm:
        return False
    state.put("", line)
    for _ in range(_module_lines(state, stripped)):
        state.put("", state.todo.pop()[1])
    return True


_BLOCK = re.compile(r" {0,3}(?:#{1,6}\s|`{3}|~{3})")
"""What opens a block of Markdown wherever it stands."""


def _module_lines(state: Scan, first: str) -> int:
    """How many lines on a module goes: to the first blank line, or to a later one where its brackets match only there."""
    lines, paragraph = [first], 0
    for text, _ in reversed(state.todo):
        if not paragraph and not text.strip():
            paragraph = len(lines)
        if paragraph and (not state.dialect.esm or _BLOCK.match(text) or _ESM.match(text.lstrip())):
            break
        lines.append(text)
    paragraph = paragraph or len(lines)
    end = _script_end("\n".join(lines) + "\n\n", sum(map(len, lines[:paragraph])) + paragraph - 1)
    return (paragraph if end is None else end) - 1


_SCRIPT = re.compile(
    r"""(?P<blank>\n[ \t]*(?=\n))|(?P<open>[(\[{])|(?P<close>[)\]}]|`(?:\\[\s\S]|[^`\\])*`)|(?P<lone>`|/\*(?![\s\S]*?\*/))
    |//[^\n]*|/\*[\s\S]*?\*/|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'
    |(?:\n[ \t]*|(?<=[=(,:;!&|?{\[>])|(?<=[=(,:;!&|?{\[>][ ])|(?<=\breturn[ ]))   # what a regular expression may follow
     /(?![*/>])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\\[\n])+/""",
    re.VERBOSE,
)
"""What counts in JavaScript where brackets are matched; a `/` behind a value divides."""
_CALLED = re.compile(r"[\w.?]*")
"""Between a bracket that closes and one that opens and goes on with its value."""


def _script_end(script: str, paragraph: int) -> int | None:
    """How many lines a script has before the blank line it ends at; None where it cannot go on behind its first paragraph."""
    depth = last = 0
    for found in _SCRIPT.finditer(script):
        kind, start = found.lastgroup, found.start()
        if kind == "lone":
            break
        depth += (kind == "open") - (kind == "close" and found[0][0] != "`")
        if kind == "blank" and depth <= 0:
            return script.count("\n", 0, start) + 1 if start <= paragraph or _is_end(script, last) else None
        if kind == "open" and depth == 1 and _CALLED.fullmatch(script, last, start):
            last = 0
        if kind == "close" and depth <= 0 and (last <= paragraph or script.find("\n", last, start) < 0):
            last = found.end()
    return None


def _is_end(script: str, last: int) -> bool:
    """Whether the bracket before `last` ends a statement, not a line of text: nothing follows it, and no word is in front."""
    begins, rest = script.rfind("\n", 0, last) + 1, script[last : script.index("\n", last)]
    return script[begins] in " \t)]}`" and not rest.strip(" \t;")
