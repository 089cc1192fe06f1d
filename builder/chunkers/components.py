"""Elements in Markdown: MDX components that open units, raw HTML, comments."""

from __future__ import annotations

import re
from typing import Final

from .raw_html import BLOCK_NAMES, opens_html
from .scan import Frame, Scan
from .scan_marks import Open
from .tags import OPEN_TAG, attributes_of, closing_brace, tag_at, take_tag

_NAME = re.compile(r"<(/?)([A-Za-z][\w.-]*)(?=[\s/>]|$)")
_END = re.compile(r"</([A-Za-z][\w.-]*)\s*>")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,2000}>")
_CODE_SPANS = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")

EXPRESSION_LINES: Final = 400
"""Lines an expression or a comment may span."""
_TITLES: Final = ("title", "caption", "heading", "header", "summary", "label", "name")
"""Attributes that hold what a reader sees as a component's caption, the first that is there."""


def closes(state: Scan, text: str, stripped: str, line: int) -> bool:
    """Take a line in which an open component ends."""
    if "</" not in text or not state.elements or state.is_crowded(line):
        return False
    masked = _CODE_SPANS.sub(lambda found: "x" * len(found[0]), text) if "`" in text else text
    depth: dict[str, int] = {}
    for found in _NAME.finditer(masked) if masked.count("<") > 1 else _END.finditer(masked):
        name = found[2] if found.re is _NAME else found[1]
        if not state.elements.get(name):
            continue
        if found.re is _NAME and not found[1]:
            depth[name] = depth.get(name, 0) + (not _self_closing(masked, found.start()))
        elif depth.get(name):
            depth[name] -= 1
        else:
            return _close_at(state, text, found.start(), name, line)
    return False


def _self_closing(text: str, start: int) -> bool:
    found = OPEN_TAG.match(text, start)
    return bool(found and found[3])


def _close_at(state: Scan, text: str, start: int, name: str, line: int) -> bool:
    prefix = text[: len(text) - len(text.lstrip(" \t"))]
    if text[:start].strip():
        state.again(prefix + text[start:], line)
        state.todo.append((text[:start], line))
        return True
    end = _END.match(text, start)
    rest = text[end.end() :] if end else ""
    state.close(state.elements[name][-1], line, prefix)
    if rest.strip():
        state.again(prefix + rest.lstrip(), line)
    return True


def opens(state: Scan, text: str, stripped: str, line: int) -> bool:
    """Take a line that begins with an element or a comment."""
    if state.is_crowded(line):
        state.problem(line, "has so many tags in one line that the text behind them is read without its own")
        state.put(text[: len(text) - len(stripped)] + _TAG.sub(" ", stripped).lstrip(), line)
        return True
    if stripped.startswith("<!--"):
        return _comment(state, text, stripped, line)
    named = _NAME.match(stripped)
    if named is None:
        return _fragment(state, text, stripped, line)
    name, prefix = named[2], text[: len(text) - len(stripped)]
    component = _is_component(state, name)
    if named[1]:
        return _stray_end(state, prefix, stripped, name, line, component=component)
    if component:
        return _component(state, prefix, stripped, name, line)
    return name.lower() in BLOCK_NAMES and opens_html(state, prefix, stripped, name.lower(), line)


def _is_component(state: Scan, name: str) -> bool:
    return name in state.dialect.names or (state.dialect.components and (name[0].isupper() or "." in name))


def _comment(state: Scan, text: str, stripped: str, line: int) -> bool:
    """Leave out a comment; what follows it on its last line stays."""
    end = stripped.find("-->", 4)
    while end < 0:
        if not state.todo:
            state.problem(line, "comment <!-- is never closed")
            return True
        stripped, _ = state.todo.pop()
        end = stripped.find("-->")
    rest, prefix = stripped[end + 3 :], text[: len(text) - len(text.lstrip())]
    if rest.strip():
        state.again(prefix + rest.lstrip(), line)
    else:
        state.put(f"{prefix}[]()" if _is_term(state) else "", line)
    return True


def _is_term(state: Scan) -> bool:
    """Whether a definition stands below, whose term nobody sees."""
    if not (state.dialect.raw_html and state.dialect.definition_lists):
        return False
    below = (text.lstrip() for text, _ in state.todo[-1:-3:-1])
    return next(filter(None, below), "").startswith((": ", ":\t"))


def expression(state: Scan, text: str, stripped: str, line: int) -> bool:
    """Take a comment of MDX, or JavaScript in braces that runs over lines: it is a paragraph, whatever stands in it."""
    comment = stripped.startswith("{/*")
    if not comment and (not state.dialect.esm or closing_brace(stripped, 0) >= 0):
        return False
    if line < state.barren.get("{", 0):
        return False
    below = state.todo[-1 : -EXPRESSION_LINES - 1 : -1]
    whole = "\n".join([stripped, *(text for text, _ in below)])
    end = whole.find("*/}") + 2 if comment else closing_brace(whole, 0)
    if end < 2:
        state.barren["{"] = below[-1][1] if below else line
        return False
    del state.todo[len(state.todo) - whole.count("\n", 0, end) :]
    whole = whole[: whole.find("\n", end) if "\n" in whole[end:] else len(whole)]
    prefix, rest = text[: len(text) - len(stripped)], whole[end + 1 :]
    state.put("" if comment else prefix + " ".join(whole[: end + 1].split()), line)
    if rest.strip():
        state.again(prefix + rest.lstrip(), line)
    return True


def _fragment(state: Scan, text: str, stripped: str, line: int) -> bool:
    """`<>` and `</>` of JSX leave nothing."""
    if state.dialect.esm and stripped.startswith(("<>", "</>")):
        rest = stripped.partition(">")[2]
        state.again(rest, line) if rest.strip() else state.put("", line)
        return True
    return False


def _component(state: Scan, prefix: str, stripped: str, name: str, line: int) -> bool:
    tag = tag_at(state, stripped)
    kind = state.dialect.names.get(name) or state.dialect.kinds.of(name)
    if tag is None or (not tag[0][3] and not _ends_later(state, tag[0].string[tag[0].end() :], name)):
        if kind or state.dialect.esm:
            state.problem(line, f"<{name}> is never closed", fatal=True)
            state.put("", line)
            return True
        return False
    found, taken = tag
    attributes = attributes_of(found[2])
    title = next((attributes[key] for key in _TITLES if attributes.get(key) and (key != "name" or kind)), "")
    take_tag(state, prefix, found, taken, line)
    if found[3]:
        state.put("", line)
        if title and "name" not in attributes:
            state.put(prefix + title, line)
            state.put("", line)
        return True
    frame = Frame("component", name, line)
    if kind or title:
        number = attributes.get("number", "")
        if number and kind and number not in title:
            title = f"{name} {number}: {title}" if title else f"{name} {number}"
        anchor = attributes.get("id", "")
        state.open(Open(name, title or name, number, anchor, anchor), frame, prefix)
    else:
        state.open(None, frame)
    return True


def _ends_later(state: Scan, rest: str, name: str) -> bool:
    """Say whether an element that has opened ends somewhere below; every end belongs to one start."""
    ends = f"</{name}"
    if ends in rest:
        return True
    if ends in state.absent:
        return False
    if not state.todo or state.todo[-1][1] >= state.found.get(ends, 0):
        place = next((number for text, number in reversed(state.todo) if ends in text), 0)
        if not place:
            state.absent.add(ends)
            return False
        state.found[ends] = place
    return True


def _stray_end(state: Scan, prefix: str, stripped: str, name: str, line: int, *, component: bool) -> bool:
    """An end tag nothing open belongs to."""
    found = _END.match(stripped)
    if found is None or not (component or name.lower() in BLOCK_NAMES):
        return False
    if component and (state.dialect.esm or state.dialect.kinds.of(name)):
        state.problem(line, f"</{name}> closes nothing", fatal=state.dialect.esm)
    rest = stripped[found.end() :]
    if rest.strip():
        state.again(prefix + rest.lstrip(), line)
    else:
        state.put("", line)
    return True
