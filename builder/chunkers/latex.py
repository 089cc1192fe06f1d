r"""LaTeX environments in Markdown: `\begin{theorem}` opens a unit, `\begin{align}` a formula."""

from __future__ import annotations

import re
from typing import Final

from .scan import Frame, Scan
from .scan_marks import Math, Open

MATH_ENVIRONMENTS: Final = frozenset(
    [
        "equation",
        "align",
        "aligned",
        "gather",
        "gathered",
        "multline",
        "eqnarray",
        "alignat",
        "flalign",
        "split",
        "cases",
        "matrix",
        "bmatrix",
        "pmatrix",
        "vmatrix",
        "array",
        "subequations",
    ]
)
"""Environments that are formulas without `$$` around them."""

_BEGIN = re.compile(
    r"^\\begin\{([A-Za-z\u4e00-\u9fff]+\*?)\}(?:\[([^\]]*)\]|\{([^{}]*)\})?[ \t]*(?:\\label\{([^{}]*)\})?[ \t]*(.*)$"
)
_END = re.compile(r"^\\end\{([A-Za-z\u4e00-\u9fff]+\*?)\}[ \t]*(.*)$")
_LABEL = re.compile(r"^\\label\{([^{}]*)\}\s*$")


def opens(state: Scan, text: str, stripped: str, line: int) -> bool:
    """Take a line that begins or ends an environment."""
    prefix = text[: len(text) - len(stripped)]
    if found := _BEGIN.match(stripped):
        name = found[1].rstrip("*")
        if name in MATH_ENVIRONMENTS:
            return _formula(state, prefix, stripped, found[1], line)
        if state.dialect.environments and state.dialect.kinds.of(name):
            return _unit(state, prefix, found, name, line)
    elif state.frames and (found := _END.match(stripped)):
        name = found[1].rstrip("*")
        for index in range(len(state.frames) - 1, -1, -1):
            if state.frames[index].kind == "latex" and state.frames[index].name == name:
                state.close(index, line, prefix)
                if found[2]:
                    state.todo.append((prefix + found[2], line))
                return True
    return False


def _unit(state: Scan, prefix: str, found: re.Match[str], name: str, line: int) -> bool:
    title, label = found[2] or found[3] or "", found[4] or ""
    if not label and not found[5] and state.todo and (labelled := _LABEL.match(state.todo[-1][0].strip())):
        state.todo.pop()
        label = labelled[1]
    state.open(
        Open(name, f"{name.capitalize()} ({title})" if title else name.capitalize(), label=label),
        Frame("latex", name, line),
        prefix,
    )
    if found[5]:
        rest = found[5]
        ending = rest.rfind(f"\\end{{{found[1]}}}")
        if ending > 0:
            state.todo.append((prefix + rest[ending:], line))
            rest = rest[:ending].rstrip()
        state.todo.append((prefix + rest, line))
    return True


def _formula(state: Scan, prefix: str, stripped: str, name: str, line: int) -> bool:
    """An environment of mathematics, whole."""
    end = f"\\end{{{name}}}"
    if end in stripped:
        if not stripped.rstrip().endswith(end):
            return False
        state.mark(Math(stripped.strip()), line, prefix)
        return True
    for ahead in range(1, min(len(state.todo), 400) + 1):
        text = state.todo[-ahead][0]
        if text.strip().endswith(end):
            lines = [stripped, *(state.todo.pop()[0] for _ in range(ahead))]
            state.mark(Math("\n".join(lines).strip()), line, prefix)
            return True
    return False
