"""Units in colon and slash fences: MyST, Quarto, Docusaurus, VitePress and PyMdown blocks, and directives in code fences."""

from __future__ import annotations

import re
from typing import Final

from .fences import fenced, outdented, shown_fence
from .scan import Frame, Scan
from .scan_marks import Code, Label, Math, Open

_COLON = re.compile(r"^(:{3,})[ \t]*(.*?)[ \t]*$")
_SLASH = re.compile(r"^(/{3,})[ \t]*([\w-]+)(?:[ \t]*\|[ \t]*(.*?))?[ \t]*$")
_DIRECTIVE = re.compile(r"^\{([A-Za-z][\w:+.-]*)\}[ \t]*(.*)$")
_ATTRIBUTES = re.compile(r"^\{(.*)\}\s*:*$")
_ATTRIBUTE = re.compile(r"""([#.])([\w:.-]+)|([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'}]+))""")
_NAMED = re.compile(r"^([A-Za-z\u4e00-\u9fff][\w-]*)(?:\[(.*)\])?[ \t]*(.*?)[ \t]*(\{.*\})?[ \t]*:*$")
_OPTION = re.compile(r"^:([\w-]+):(?:[ \t]+(.*?))?[ \t]*$")
_QUARTO_ID = re.compile(r"^(thm|lem|cor|prp|cnj|def|exm|exr|sol|rem|alg|nte|tip|wrn|imp|cau)-")
_BELOW = re.compile(r"^\s*#{1,6}\s+(.+?)\s*(?:\{[^{}]*\}\s*)?#*\s*$")
_CALLOUT = re.compile(r"^callout-")

CODE_DIRECTIVES: Final = frozenset(
    [
        "code",
        "code-block",
        "code-cell",
        "sourcecode",
        "literalinclude",
        "parsed-literal",
        "prompt",
        "doctest",
        "mermaid",
        "eval-rst",
    ]
)
"""Directives whose content is code."""
DROPPED_DIRECTIVES: Final = frozenset(
    ["toctree", "tableofcontents", "index", "contents", "bibliography", "include", "raw", "only", "highlight"]
)
"""Directives that leave nothing of their own."""
_TAKEN_WHOLE: Final = frozenset(("vitepress", "docusaurus", "myst"))
_UNTITLED: Final = frozenset(
    [
        "figure",
        "image",
        "applet",
        "iframe",
        "video",
        "youtube",
        "grid",
        "grid-item",
        "code",
        "div",
        "container",
    ]
)
"""Directives whose argument is a path or a setting, not a caption."""
_QUARTO_NAMES: Final = {
    "thm": "theorem", "lem": "lemma", "cor": "corollary", "prp": "proposition", "cnj": "conjecture", "def": "definition",
    "exm": "example", "exr": "exercise", "sol": "solution", "rem": "remark", "alg": "algorithm", "nte": "note", "tip": "tip",
    "wrn": "warning", "imp": "important", "cau": "caution",
}  # fmt: skip


def opens(state: Scan, text: str, stripped: str, line: int) -> bool:
    """Take a line that opens a colon or slash fence."""
    prefix = text[: len(text) - len(stripped)]
    if stripped.startswith(":::") and state.dialect.directives and (found := _COLON.match(stripped)) and found[2]:
        if prefix and shown_fence(state, text, line):
            return True
        return _colon(state, prefix, len(found[1]), found[2], line)
    if stripped.startswith("///") and (found := _SLASH.match(stripped)):
        from .slash_blocks import opens_block

        return opens_block(state, prefix, len(found[1]), found[2], found[3], line)
    return False


def closes(state: Scan, text: str, stripped: str, line: int) -> bool:
    """Take a line that is the end of an open fence."""
    sign = stripped[0]
    if sign not in ":/`~":
        return False
    bare = stripped.rstrip()
    if len(bare) < 3 or bare.strip(sign):
        return False
    kind = {":": "colon", "/": "slash"}.get(sign, "fence")
    index = _matching(state, kind, sign, len(bare))
    if index is None:
        return False
    state.close(index, line, text[: len(text) - len(stripped)])
    return True


def _matching(state: Scan, kind: str, sign: str, count: int) -> int | None:
    """Which open fence a line of `count` signs closes: the innermost of that very length, else the innermost.

    Where a fence is first taken whole and then looked into, it is the outermost that is no longer.
    """
    if state.dialect.name in _TAKEN_WHOLE and kind != "slash":
        return next(
            (
                index
                for index, frame in enumerate(state.frames)
                if frame.kind == kind and frame.count <= count and (kind == "colon" or frame.name.startswith(sign))
            ),
            None,
        )
    fallback = None
    for index in range(len(state.frames) - 1, -1, -1):
        frame = state.frames[index]
        if frame.kind != kind or (kind == "fence" and not frame.name.startswith(sign)):
            continue
        if frame.count == count:
            return index
        if fallback is None and (kind == "colon" or frame.count < count):
            fallback = index
    return fallback


def _colon(state: Scan, prefix: str, count: int, info: str, line: int) -> bool:
    if found := _DIRECTIVE.match(info):
        return _directive(state, prefix, Frame("colon", found[1], line, count), found[1], found[2])
    if found := _ATTRIBUTES.match(info):
        mark = _pandoc(state, found[1])
        state.open(mark, Frame("colon", mark.name if mark else "div", line, count), prefix)
        return True
    found = _NAMED.match(info)
    if found is None or not _is_closed(state, count):
        return False
    attributes = _attributes(found[4] or "")
    title = found[2] or found[3] or attributes.get("title", "")
    name = _CALLOUT.sub("", found[1])
    if state.dialect.kinds.of(name) is None and not title:
        state.open(None, Frame("colon", name, line, count))
        return True
    anchor = attributes.get("#", "")
    title = title or _heading_below(state)
    shown = title or (name if state.dialect.name == "docusaurus" else name.capitalize())
    state.open(Open(name, shown, anchor=anchor, label=anchor), Frame("colon", name, line, count), prefix)
    return True


def _is_closed(state: Scan, count: int) -> bool:
    """Say whether a fence of so many colons is closed further on; mkdocstrings writes `::: package.module` and nothing more."""
    sign = ":" * count
    following = state.todo[-1][1] if state.todo else 0
    if sign in state.absent or following < state.barren.get(sign, 0):
        return False
    if following < state.found.get(sign, 0):
        return True
    for text, number in reversed(state.todo):
        bare = text.strip()
        if bare.startswith(sign) and not bare.strip(":"):
            state.found[sign] = number
            return True
        if bare.startswith("::: ") and "." in bare:
            state.barren[sign] = number
            return False
    state.absent.add(sign)
    return False


def _pandoc(state: Scan, inside: str) -> Open | None:
    """The unit a fenced division of pandoc opens; None for a division that only lays out."""
    attributes = _attributes(inside)
    anchor, classes = attributes.get("#", ""), attributes.get(".", "").split()
    crossref = _QUARTO_ID.match(anchor)
    named = _QUARTO_NAMES[crossref[1]] if crossref else ""
    callouts = [_CALLOUT.sub("", name) for name in classes]
    name = named or next((name for name in callouts if state.dialect.kinds.of(name)), "")
    if not name:
        return None
    shown = anchor if state.dialect.labels else ""
    title = attributes.get("name") or attributes.get("title") or _heading_below(state)
    return Open(name, title or name.capitalize(), anchor=shown, label=anchor)


def _heading_below(state: Scan) -> str:
    """The heading a division of Quarto begins with: its caption, with no id of its own on the page."""
    if state.dialect.name != "quarto":
        return ""
    ahead = next((ahead for ahead in range(1, len(state.todo) + 1) if state.todo[-ahead][0].strip()), 0)
    found = _BELOW.match(state.todo[-ahead][0]) if ahead else None
    if found is None:
        return ""
    del state.todo[-ahead:]
    return found[1]


def _attributes(inside: str) -> dict[str, str]:
    """An attribute list as a mapping, the id under `#`, the classes under `.`."""
    found: dict[str, str] = {}
    for sign, word, key, *values in _ATTRIBUTE.findall(inside):
        if sign == "#":
            found["#"] = word
        elif sign:
            found["."] = f"{found.get('.', '')} {word}".strip()
        else:
            found[key] = next((value for value in values if value), "")
    return found


def opens_fence(state: Scan, prefix: str, fence: str, info: str, line: int) -> bool:
    """Take a code fence that is a directive; False when its content is code."""
    found = _DIRECTIVE.match(info)
    if found is None:
        return False
    if found[2].startswith(",") or not (found[1].islower() or ":" in found[1] or found[1][0].isupper()):
        return False
    if found[1] in _EXECUTED:
        return False
    return _directive(state, prefix, Frame("fence", fence[0] + found[1], line, len(fence)), found[1], found[2])


_EXECUTED: Final = frozenset(
    [
        "python",
        "r",
        "julia",
        "bash",
        "sh",
        "js",
        "javascript",
        "ojs",
        "dot",
        "sql",
        "rust",
        "c",
        "cpp",
        "java",
        "go",
        "ruby",
        "perl",
        "html",
        "css",
        "json",
        "yaml",
        "toml",
        "text",
    ]
)
"""Quarto's executable code, `{python}`."""


def _directive(state: Scan, prefix: str, frame: Frame, name: str, argument: str) -> bool:
    """A MyST directive: options first, then its content as Markdown."""
    options = _options(state)
    plain = name.rpartition(":")[2].lower()
    if plain == "math":
        return _math(state, prefix, frame, argument)
    if plain in CODE_DIRECTIVES:
        return _code(state, prefix, frame, argument, options)
    if plain in ("csv-table", "list-table", "table"):
        from .tables import opens_table

        return opens_table(state, prefix, frame, argument, options)
    if plain in DROPPED_DIRECTIVES:
        content_of(state, frame)
        state.put("", frame.line)
        return True
    label = options.get("label") or options.get("name") or ""
    title = argument if plain not in _UNTITLED else ""
    known = state.dialect.kinds.of(name)
    if plain == "admonition" and (classes := options.get("class", "").replace(",", " ").split()):
        name = next((word for word in classes if state.dialect.kinds.of(word)), name)
    if known is None and not (title and " " in title):
        if plain == "tab-item" and title:
            state.mark(Label(title), frame.line, prefix)
        state.open(None, frame)
        return True
    caption = title if not title or known != "exercise" or " " in title or not title.isdigit() else ""
    shown = label if state.dialect.labels else ""
    state.open(Open(name, caption or plain.capitalize(), anchor=shown, label=label), frame, prefix)
    return True


def _options(state: Scan) -> dict[str, str]:
    """Read `:key: value` lines, or YAML between two `---`, after a directive."""
    found: dict[str, str] = {}
    todo = state.todo
    if todo and todo[-1][0].strip() == "---":
        todo.pop()
        while todo and (text := todo.pop()[0].strip()) != "---":
            key, _, value = text.partition(":")
            found[key.strip()] = value.strip().strip("\"'")
        return found
    while todo and (option := _OPTION.match(todo[-1][0].strip())):
        todo.pop()
        found[option[1]] = option[2] or ""
    return found


def content_of(state: Scan, frame: Frame) -> list[str]:
    """Take the lines up to the end of a fence that has just opened."""
    sign = ":" if frame.kind == "colon" else frame.name[0]
    lines: list[str] = []
    while state.todo:
        text, _ = state.todo.pop()
        bare = text.strip()
        if len(bare) >= frame.count and bare and not bare.strip(sign):
            break
        lines.append(text)
    else:
        state.problem(frame.line, f"{sign * frame.count} {frame.name} is never closed")
    return lines


def _math(state: Scan, prefix: str, frame: Frame, argument: str) -> bool:
    tex = "\n".join([argument, *content_of(state, frame)]).strip()
    if tex:
        state.mark(Math(tex), frame.line, prefix)
    return True


def _code(state: Scan, prefix: str, frame: Frame, argument: str, options: dict[str, str]) -> bool:
    if not argument and frame.name.endswith("mermaid"):
        argument = "mermaid"
    if caption := options.get("caption"):
        state.mark(Label(caption), frame.line, prefix)
    width = state.margin() + len(prefix.expandtabs(4))
    content = [outdented(text, width) for text in content_of(state, frame)]
    state.mark(Code(fenced(content, argument)), frame.line, prefix)
    return True
