"""PyMdown's blocks: `/// note | Title`, `/// tab | Label`, `/// figure-caption`, `/// html | div` and their kin."""

from __future__ import annotations

import re
from typing import Final

from .fancy_lists import start_at
from .fences import fenced
from .scan import Frame, Scan
from .scan_marks import Code, Html, Label, Open

_OPTION = re.compile(r"^[ ]{4,}([\w-]+):[ \t]*(.*?)[ \t]*$")
_ID = re.compile(r"""\bid["']?\s*:\s*["']?([^\s"',}]+)""")
_TAG = re.compile(r"([A-Za-z][\w-]*)(?:[^#\s]*#([\w:.-]+))?")
_NUMBER = re.compile(r"[<>]?\s*(?:(\^)?([1-9][0-9]*(?:\.[1-9][0-9]*)*)(?=\s|$))?")
_START = re.compile(r"\bstart=[\"']?(\d+)")
_MARKS = re.compile(r"[\\`*_\[\]<>&]")
_RAW: Final = frozenset(("canvas", "math", "option", "pre", "script", "style", "textarea", "code"))
"""Elements whose content is no Markdown."""
_UNSEEN: Final = frozenset(("script", "style", "canvas", "option"))


def opens_block(state: Scan, prefix: str, count: int, name: str, title: str | None, line: int) -> bool:
    """Take a line of slashes that opens a block, with the options below it."""
    if state.dialect.blocks is not None and name not in state.dialect.blocks:
        return False
    captions = state.dialect.captions
    if not (name in _LAYOUT or name in captions or name in ("admonition", "details") or state.dialect.kinds.of(name)):
        return False
    options: dict[str, str] = {}
    while state.todo and (option := _OPTION.match(state.todo[-1][0][len(prefix) :])):
        state.todo.pop()
        options[option[1]] = option[2].strip("\"'")
    frame = Frame("slash", name, line, count)
    if name == "tab":
        state.mark(Label(title or ""), line, prefix)
        state.open(None, frame)
    elif name == "html":
        _html(state, prefix, frame, title or "", options)
    elif name in captions:
        _caption(state, prefix, frame, title or "")
    elif name in _LAYOUT:
        state.open(None, frame)
        if name == "fancylists" and (start := _START.search(title or "")):
            start_at(state, int(start[1]))
    else:
        kind = (options.get("type") or name).split()[0]
        shown = "" if name == kind == "admonition" else kind.capitalize()
        anchor = _ID.search(options.get("attrs", ""))
        state.open(Open(kind, shown if title is None else title, anchor=anchor[1] if anchor else ""), frame, prefix)
    return True


_LAYOUT: Final = frozenset(("tab", "html", "div", "define", "fancylists", "caption"))
"""Blocks that make no unit."""


def _html(state: Scan, prefix: str, frame: Frame, selector: str, options: dict[str, str]) -> None:
    """An element of HTML; what it holds is Markdown, code, HTML, or text as it is written."""
    found = _TAG.match(selector)
    tag = found[1].lower() if found else ""
    how = options.get("markdown", "")
    if how not in ("raw", "html") and tag not in _RAW:
        state.open(None, frame)
        return
    lines = _content(state, frame)
    if tag == "pre":
        state.mark(Code(fenced(lines, "")), frame.line, prefix)
    elif how == "html":
        state.mark(Html("\n".join(lines)), frame.line, prefix)
    elif tag not in _UNSEEN:
        shown = _MARKS.sub(lambda sign: f"&#{ord(sign[0])};", "\n".join(lines).strip())
        state.mark(Label(shown), frame.line, prefix)


def _content(state: Scan, frame: Frame) -> list[str]:
    """The lines of a block up to its end."""
    lines: list[str] = []
    while state.todo:
        text, _ = state.todo.pop()
        bare = text.strip()
        if len(bare) >= 3 and len(bare) == frame.count and not bare.strip("/"):
            return lines
        lines.append(text)
    return lines


def _caption(state: Scan, prefix: str, frame: Frame, argument: str) -> None:
    """A caption; of some kinds each has a number, which stands before its words."""
    state.open(None, frame)
    form = state.dialect.captions[frame.name]
    if not form:
        return
    shown = form.replace("{}", _number(state, frame.name, argument))
    while state.todo and not state.todo[-1][0].strip():
        state.todo.pop()
    text, line = state.todo[-1] if state.todo else ("", frame.line)
    if text.strip() and not text.strip().strip("/"):
        state.put(prefix + shown, frame.line)
    elif state.todo:
        state.todo[-1] = (f"{prefix}{shown} {text.strip()}", line)


def _number(state: Scan, name: str, argument: str) -> str:
    """The next number of a kind of captions: one more than the last, on a level below it, or the one that is said."""
    counter, found = state.figures.setdefault(name, [0]), _NUMBER.match(argument)
    said = [int(part) for part in found[2].split(".")] if found and found[2] else []
    below, level = found is not None and bool(found[1]), len(counter) - 1
    wanted = said[0] if below else max(len(said) - 1, 0)
    if wanted > level:
        counter += [1] * min(wanted - level, _DEEPEST)
    else:
        del counter[wanted + 1 :]
        counter[-1] += 1
    if said and not below and said > counter:
        counter[:] = said
    return ".".join(map(str, counter))


_DEEPEST: Final = 20
"""Levels of numbers that anybody writes."""
