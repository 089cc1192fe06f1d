"""Raw HTML in Markdown: elements that are read as HTML, elements around Markdown, elements that leave nothing."""

from __future__ import annotations

import re
from typing import Final

from .scan import Frame, Scan
from .scan_marks import Html, Open
from .spans import Spans
from .tags import TAG_LINES, attributes_of, tag_at, take_tag

_SUMMARY = re.compile(r"^<summary[^>]*>(.*?)</summary>[ \t]*(.*)$", re.DOTALL)
_MARKS = re.compile(r"[\\`*_\[\]]")
"""Signs that an element without Markdown shows as they are."""
_INNER_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
BLOCK_NAMES: Final = frozenset(
    (
        "address", "article", "aside", "blockquote", "canvas", "center", "colgroup", "dd", "details", "dialog", "div", "dl",
        "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup",
        "hr", "iframe", "legend", "li", "main", "math", "menu", "nav", "noscript", "object", "ol", "output", "p", "pre",
        "script", "section", "style", "summary", "svg", "table", "tbody", "td", "template", "textarea", "tfoot", "th",
        "thead", "tr", "ul", "video", "audio", "picture"
    )
)  # fmt: skip
"""Elements that make a block of raw HTML."""
_DROPPED: Final = frozenset(
    ("script", "style", "svg", "noscript", "template", "iframe", "canvas", "object", "video", "audio", "picture")
)
_RAW: Final = frozenset(
    ("table", "pre", "textarea", "math", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "p", "figure", "blockquote")
)
_VOID: Final = frozenset(("hr", "br", "img", "input"))


def opens_html(state: Scan, prefix: str, stripped: str, name: str, line: int) -> bool:
    """Take an element of raw HTML that opens in this line; False where it is none."""
    tag = tag_at(state, stripped)
    if tag is None:
        return False
    found, taken = tag
    attributes = attributes_of(found[2])
    if name in _VOID or found[3]:
        take_tag(state, prefix, found, taken, line)
        state.put("", line)
        return True
    span = state.spans.setdefault(name, Spans(name)).end(state.todo, line, stripped)
    if span is None and state.dialect.raw_html:
        state.problem(line, f"<{name}> is never closed: the rest of the page is raw HTML to MkDocs")
        span = len(state.todo)
    if span is None:
        take_tag(state, prefix, found, taken, line)
        state.put("", line)
        return True
    if name in _DROPPED:
        _drop(state, prefix, stripped, name, span, line)
        return True
    if "markdown" in attributes or (name == "details" and not state.dialect.raw_html):
        return _element(state, prefix, found, taken, name, attributes, line)
    if state.dialect.raw_html or (name in _RAW and not state.dialect.esm) or not _has_blank(state, span):
        if state.dialect.esm and name not in _RAW:
            return _layout(state, prefix, found, taken, line)
        return _raw(state, prefix, stripped, name, span, line)
    return _layout(state, prefix, found, taken, line)


def _layout(state: Scan, prefix: str, found: re.Match[str], taken: int, line: int) -> bool:
    """A tag around Markdown: it goes, what it holds is Markdown."""
    state.put("", line)
    take_tag(state, prefix, found, taken, line)
    return True


def _has_blank(state: Scan, span: int) -> bool:
    """Whether a blank line stands in the next `span` lines."""
    if not span:
        return False
    if state.todo[-1][1] > state.found.get("", 0):
        state.found[""] = next((number for text, number in reversed(state.todo) if not text.strip()), state.todo[0][1] + 1)
    return state.found[""] <= state.todo[-span][1]


def _drop(state: Scan, prefix: str, stripped: str, name: str, span: int, line: int) -> None:
    last = stripped
    for _ in range(span):
        last = state.todo.pop()[0]
    rest = "".join(re.split(rf"</{name}\s*>", last, flags=re.I)[1:][-1:])
    if rest.strip():
        state.again(prefix + rest.lstrip(), line)
    else:
        state.put("", line)


def _raw(state: Scan, prefix: str, stripped: str, name: str, span: int, line: int) -> bool:
    """Raw HTML to its end tag; code fences in it stay code fences."""
    from .fences import take_fence

    lines, start, left = [stripped], line, span
    while left > 0 and state.todo:
        text, number = state.todo.pop()
        left -= 1
        if ("```" in text or "~~~" in text) and name != "pre":
            below = len(state.todo)
            _flush(state, lines, start, prefix)
            lines, start = [], number
            if take_fence(state, text, number):
                left -= below - len(state.todo)
                continue
        lines.append(text)
    _flush(state, lines, start, prefix)
    return True


def _flush(state: Scan, lines: list[str], line: int, prefix: str) -> None:
    if any(_INNER_TAG.sub("", text).strip() for text in lines) or any("<img" not in text and "id=" in text for text in lines):
        state.put("", line)
        state.mark(Html("\n".join(lines)), line, prefix)
    state.put("", line)


def _element(
    state: Scan, prefix: str, found: re.Match[str], taken: int, name: str, attributes: dict[str, str], line: int
) -> bool:
    """An element whose content is Markdown; a folded or classed one may be a unit."""
    take_tag(state, prefix, found, taken, line)
    classes = attributes.get("class", "").split()
    unit = next((word for word in classes if state.dialect.kinds.of(word) and word != "admonition"), "")
    title = ""
    if name == "details":
        title, unit = _summary(state), unit or "details"
    frame = Frame("element", name, line)
    anchor = attributes.get("id", "")
    state.open(Open(unit, title, anchor=anchor) if unit and (title or unit != "details") else None, frame, prefix)
    return True


def _summary(state: Scan) -> str:
    """Take the caption of a folded element."""
    taken: list[tuple[str, int]] = []
    while state.todo and len(taken) < TAG_LINES:
        taken.append(state.todo.pop())
        text = "\n".join(piece for piece, _ in taken).strip()
        if text and text[:8] != "<summary":
            break
        if found := _SUMMARY.match(text):
            if found[2].strip():
                state.again(found[2], taken[-1][1])
            raw = state.dialect.raw_html and " markdown" not in text.partition(">")[0]
            return _MARKS.sub(r"\\\g<0>", found[1].strip()) if raw else found[1].strip()
    state.todo.extend(reversed(taken))
    return ""
