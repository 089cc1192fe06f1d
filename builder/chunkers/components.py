"""Elements in Markdown: MDX components that open units, raw HTML, comments."""

from __future__ import annotations

import re
from typing import Final

from .scan import Frame, Html, Open, Scan

_NAME = re.compile(r"<(/?)([A-Za-z][\w.-]*)(?=[\s/>])")
_VALUE = r"""(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|[^\s"'=<>`{}]+)"""
_OPEN = re.compile(rf"<([A-Za-z][\w.-]*)((?:\s+(?:[A-Za-z_:@][\w:.@-]*(?:\s*=\s*{_VALUE})?|\{{[^{{}}]*\}}))*)\s*(/?)>")
_ATTRIBUTE = re.compile(rf"([A-Za-z_:@][\w:.@-]*)(?:\s*=\s*({_VALUE}))?")
_END = re.compile(r"</([A-Za-z][\w.-]*)\s*>")
_CODE_SPANS = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_SUMMARY = re.compile(r"^<summary[^>]*>(.*?)</summary>[ \t]*(.*)$", re.DOTALL)
_INNER_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_TAG_LINES: Final = 40
"""Lines one tag may span."""
_REGION_LINES: Final = 20_000
"""Lines an element may span to be taken as raw."""

BLOCK_NAMES: Final = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "canvas",
        "center",
        "colgroup",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "iframe",
        "legend",
        "li",
        "main",
        "math",
        "menu",
        "nav",
        "noscript",
        "object",
        "ol",
        "output",
        "p",
        "pre",
        "script",
        "section",
        "style",
        "summary",
        "svg",
        "table",
        "tbody",
        "td",
        "template",
        "textarea",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
        "video",
        "audio",
        "picture",
    ]
)
"""Elements that make a block of raw HTML."""
_DROPPED: Final = frozenset(
    ["script", "style", "svg", "noscript", "template", "iframe", "canvas", "object", "video", "audio", "picture"]
)
_RAW: Final = frozenset(
    ["table", "pre", "textarea", "math", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "p", "figure", "blockquote"]
)
_VOID: Final = frozenset(["hr", "br", "img", "input"])
_TITLES: Final = ("title", "caption", "heading", "header", "summary", "label", "name")
"""Attributes that hold what a reader sees as a component's caption, the first that is there."""


def closes(state: Scan, text: str, stripped: str, line: int) -> bool:
    """Take a line in which an open component ends."""
    if "</" not in text:
        return False
    names = {frame.name for frame in state.frames if frame.kind in ("component", "element")}
    if not names:
        return False
    masked = _CODE_SPANS.sub(lambda found: "x" * len(found[0]), text) if "`" in text else text
    depth: dict[str, int] = {}
    for found in _NAME.finditer(masked) if masked.count("<") > 1 else _END.finditer(masked):
        name = found[2] if found.re is _NAME else found[1]
        if name not in names:
            continue
        if found.re is _NAME and not found[1]:
            depth[name] = depth.get(name, 0) + (not _self_closing(masked, found.start()))
        elif depth.get(name):
            depth[name] -= 1
        else:
            return _close_at(state, text, found.start(), name, line)
    return False


def _self_closing(text: str, start: int) -> bool:
    found = _OPEN.match(text, start)
    return bool(found and found[3])


def _close_at(state: Scan, text: str, start: int, name: str, line: int) -> bool:
    prefix = text[: len(text) - len(text.lstrip(" \t"))]
    if text[:start].strip():
        state.todo.append((prefix + text[start:], line))
        state.todo.append((text[:start], line))
        return True
    end = _END.match(text, start)
    rest = text[end.end() :] if end else ""
    index = max(
        index for index, frame in enumerate(state.frames) if frame.name == name and frame.kind in ("component", "element")
    )
    state.close(index, line, prefix)
    if rest.strip():
        state.todo.append((prefix + rest.lstrip(), line))
    return True


def opens(state: Scan, text: str, stripped: str, line: int) -> bool:
    """Take a line that begins with an element or a comment."""
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
    return name.lower() in BLOCK_NAMES and _html(state, prefix, stripped, name.lower(), line)


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
    rest = stripped[end + 3 :]
    if rest.strip():
        state.todo.append((text[: len(text) - len(text.lstrip())] + rest.lstrip(), line))
    else:
        state.put("", line)
    return True


def _fragment(state: Scan, text: str, stripped: str, line: int) -> bool:
    """`<>` and `</>` of JSX leave nothing."""
    if state.dialect.esm and stripped.startswith(("<>", "</>")):
        rest = stripped.partition(">")[2]
        state.todo.append((rest, line)) if rest.strip() else state.put("", line)
        return True
    return False


def _tag(state: Scan, stripped: str) -> tuple[re.Match[str], int] | None:
    """The whole start tag a line begins, with how many more lines it takes."""
    text = stripped
    for ahead in range(_TAG_LINES):
        if ">" in text and (found := _OPEN.match(text)):
            return found, ahead
        if ahead >= len(state.todo):
            return None
        following = state.todo[-ahead - 1][0]
        if not following.strip() and ahead:
            return None
        text = f"{text}\n{following}"
    return None


def _take_tag(state: Scan, prefix: str, found: re.Match[str], taken: int, line: int) -> int:
    """Take the tag away; what follows it on its line comes next. Return the line it ends on."""
    last = line
    for _ in range(taken):
        last = state.todo.pop()[1]
    rest = found.string[found.end() :]
    if rest.strip():
        state.todo.append((prefix + rest.lstrip(), last))
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


def _component(state: Scan, prefix: str, stripped: str, name: str, line: int) -> bool:
    tag = _tag(state, stripped)
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
    _take_tag(state, prefix, found, taken, line)
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
    if any(ends in text for text, _ in reversed(state.todo)):
        return True
    state.absent.add(ends)
    return False


def _stray_end(state: Scan, prefix: str, stripped: str, name: str, line: int, *, component: bool) -> bool:
    """An end tag nothing open belongs to."""
    found = _END.match(stripped)
    if found is None or not (component or name.lower() in BLOCK_NAMES):
        return False
    if component and (state.dialect.esm or state.dialect.kinds.of(name)):
        state.problem(line, f"</{name}> closes nothing", fatal=state.dialect.esm)
    rest = stripped[found.end() :]
    if rest.strip():
        state.todo.append((prefix + rest.lstrip(), line))
    else:
        state.put("", line)
    return True


def _html(state: Scan, prefix: str, stripped: str, name: str, line: int) -> bool:
    tag = _tag(state, stripped)
    if tag is None:
        return False
    found, taken = tag
    attributes = attributes_of(found[2])
    if name in _VOID or found[3]:
        _take_tag(state, prefix, found, taken, line)
        state.put("", line)
        return True
    span = _span(state, stripped, name)
    if span is None and state.dialect.raw_html:
        state.problem(line, f"<{name}> is never closed: the rest of the page is raw HTML to MkDocs")
        span = len(state.todo)
    if span is None:
        _take_tag(state, prefix, found, taken, line)
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
    _take_tag(state, prefix, found, taken, line)
    return True


def _span(state: Scan, stripped: str, name: str) -> int | None:
    """How many lines on the element ends that begins here; None when it never does."""
    starts, ends = re.compile(rf"<{name}(?=[\s/>])", re.I), re.compile(rf"</{name}\s*>", re.I)
    depth, fence = 0, ""
    for ahead in range(min(len(state.todo), _REGION_LINES) + 1):
        text = state.todo[-ahead][0] if ahead else stripped
        bare = text.strip()
        if fence:
            if bare.startswith(fence) and not bare.strip(fence[0]):
                fence = ""
            continue
        if bare.startswith(("```", "~~~")) and ahead:
            fence = bare[: len(bare) - len(bare.lstrip(bare[0]))]
            continue
        depth += len(starts.findall(text)) - len(ends.findall(text))
        if depth <= 0:
            return ahead
    return None


def _has_blank(state: Scan, span: int) -> bool:
    return any(not state.todo[-ahead][0].strip() for ahead in range(1, span + 1))


def _drop(state: Scan, prefix: str, stripped: str, name: str, span: int, line: int) -> None:
    last = stripped
    for _ in range(span):
        last = state.todo.pop()[0]
    rest = re.split(rf"</{name}\s*>", last, flags=re.I)[-1]
    if rest.strip():
        state.todo.append((prefix + rest.lstrip(), line))
    else:
        state.put("", line)


def _raw(state: Scan, prefix: str, stripped: str, name: str, span: int, line: int) -> bool:
    """Raw HTML to its end tag; code fences in it stay code fences."""
    from .scan import take_fence

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
    _take_tag(state, prefix, found, taken, line)
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
    while state.todo and len(taken) < _TAG_LINES:
        taken.append(state.todo.pop())
        text = "\n".join(piece for piece, _ in taken).strip()
        if text and text[:8] != "<summary":
            break
        if found := _SUMMARY.match(text):
            if found[2].strip():
                state.todo.append((found[2], taken[-1][1]))
            return found[1].strip()
    state.todo.extend(reversed(taken))
    return ""
