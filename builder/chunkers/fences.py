"""Code fences of Markdown: where one opens, where it ends, and its text in the canonical form."""

from __future__ import annotations

import re
from functools import lru_cache

from .scan import Scan
from .scan_marks import MARK, Code

_FENCE = re.compile(r"^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^\n]*)$")
_SUPERFENCE = re.compile(
    r"""[ \t]*(?:\.?[\w#.+-]+(?=[\t ]|$))?
    (?:[ \t]*\{[^\n]*\}|(?P<options>(?:[ \t]*[a-zA-Z]\w*(?:=(?P<quote>["'])(?:(?!(?P=quote)).)*(?P=quote))?(?=[\t ]|$))+))?\s*""",
    re.VERBOSE,
)
_OPTIONS = re.compile(r"""([a-zA-Z]\w*)(?:=(["'])(.*?)\2)?""")
_OPTION_VALUES = {
    "hl_lines": re.compile(r"\d+(?:-\d+)?(?:[ \t]+\d+(?:-\d+)?)*$"),
    "linenums": re.compile(r"\d+"),
    "title": re.compile(""),
    "title_mode": re.compile(""),
}
"""What superfences let stand behind a language; anything else makes the line one of text."""
_TITLE = re.compile(r"""\b(?:title|filename|file)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s}]+))""")
_LANGUAGE = re.compile(r"[\w+#.-]+")
_BACKTICKS = re.compile(r"`{3,}")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)]|:)[ \t]")
_ALONE = "#>"
"""Signs of lines that go on no paragraph."""
_LOOK_BACK = 100
"""Lines above a fence in which what it stands in is looked for."""


def take_fence(state: Scan, text: str, line: int) -> bool:
    """Take a code fence that opens in this line, to its end."""
    found = _FENCE.match(text)
    if found is None:
        return False
    prefix, fence, info = found.groups()
    if fence[0] == "`" and "`" in info:
        return False
    if ">" in prefix:
        return _quoted_fence(state, text, fence, line)
    if not (state.dialect.raw_html or prefix.strip()) and prefix and shown_fence(state, text, line):
        return True
    if state.dialect.raw_html and prefix.strip():
        return _fence_in_item(state, prefix, fence, info, line)
    if state.dialect.superfences and not _is_superfence(state, prefix, fence, info, line):
        state.put(f"{prefix}{_shown(fence)}{info}", line)
        return True
    if state.dialect.directives and info.strip().startswith("{"):
        from . import directives

        if directives.opens_fence(state, prefix, fence, info.strip(), line):
            return True
    width = _width(prefix)
    content = [outdented(text, width) if width else text.rstrip("\r") for text in _content(state, fence, width, line)]
    state.mark(Code(fenced(content, info)), line, prefix)
    return True


def shown_fence(state: Scan, text: str, line: int) -> bool:
    """A fence that is code itself, four columns in below text at the margin, with all that is as far in; no item holds it."""
    width = _indent(text)
    if width < 4 or not state.dialect.indented_code or state.margin() or not state.out or state.out[-1].strip():
        return False
    if not _stands_alone(state.out[-_LOOK_BACK:]):
        return False
    lines = [text]
    while state.todo and (not state.todo[-1][0].strip() or _indent(state.todo[-1][0]) >= 4):
        lines.append(state.todo.pop()[0])
    state.mark(Code(fenced([outdented(each, 4) for each in lines], "")), line)
    state.put("", line)
    return True


def _stands_alone(above: list[str]) -> bool:
    """Whether text four columns in below these lines is in no item: their last paragraph at the margin goes on none."""
    at_margin = False
    for text in reversed(above):
        if not text.strip():
            if at_margin:
                return True
        elif _indent(text) >= 4:
            at_margin = False
        elif _indent(text) or MARK in text or _ITEM.match(text):
            return at_margin and MARK in text
        elif text[0] in _ALONE:
            return True
        else:
            at_margin = True
    return at_margin


def _content(state: Scan, fence: str, width: int, line: int) -> list[str]:
    """Take the lines of code that has opened `width` columns in, and its end; without one it ends with the item around it."""
    todo, superfences, margin = state.todo, state.dialect.superfences, state.margin()
    end = f"{fence} {margin + width}"
    taken: list[tuple[str, int]] = []
    while todo and end not in state.absent:
        taken.append(todo.pop())
        text = taken[-1][0]
        if fence in text and _closes(outdented(text, margin), fence, width, superfences):
            return [outdented(text, margin) for text, _ in taken[:-1]]
    state.absent.add(end)
    state.problem(line, f"code fence {fence} is never closed")
    todo.extend(reversed(taken))
    inside = margin + max(1, width - 3) if width > 1 else 0
    lines: list[str] = []
    while todo and not (todo[-1][0].strip() and _indent(todo[-1][0]) < inside):
        lines.append(outdented(todo.pop()[0], margin))
    return lines


def _closes(text: str, fence: str, width: int, superfences: bool) -> bool:
    """Whether a line ends code whose fence stands `width` columns in: superfences wants it like the one that opened."""
    bare, further = text.strip(), _indent(text) - width
    if superfences:
        return bare == fence and further == 0
    return bare.startswith(fence) and not bare.strip(fence[0]) and further < 4


@lru_cache(maxsize=512)
def _is_header(info: str) -> bool:
    found = _SUPERFENCE.fullmatch(info)
    if found is None:
        return False
    options = _OPTIONS.findall(found["options"] or "")
    return all(name in _OPTION_VALUES and _OPTION_VALUES[name].match(value or name) for name, _, value in options)


def _fence_in_item(state: Scan, prefix: str, fence: str, info: str, line: int) -> bool:
    """Backticks behind a list's marker open no block in Python-Markdown: up to the next blank line they are code in the text."""
    taken = [info.strip()]
    end = f"- {fence}"
    if line >= state.barren.get(end, 0) and fence[0] == "`":
        for ahead in range(1, len(state.todo) + 1):
            bare = state.todo[-ahead][0].strip()
            if bare == fence:
                del state.todo[-ahead:]
                code = " ".join(word for text in taken for word in text.split())
                state.put(f"{prefix}{fence} {code} {fence}" if code else prefix, line)
                return True
            if not bare:
                break
            taken.append(bare)
        state.barren[end] = line + len(taken)
    state.put(f"{prefix}{_shown(fence)}{info}", line)
    return True


def _shown(fence: str) -> str:
    """The signs of a fence as signs."""
    return "".join(f"&#{ord(sign)};" for sign in fence)


def _is_superfence(state: Scan, prefix: str, fence: str, info: str, line: int) -> bool:
    """Whether superfences take this line for the start of code: a header they know, and an end that is like it."""
    if not (state.dialect.relaxed_headers or _is_header(info)):
        return False
    width, margin = _width(prefix), len(prefix)
    end = f"{prefix}{fence}"
    known, number = state.barren.get(end, 0), line
    for text, number in reversed(state.todo) if line >= known else ():  # noqa: B007  how far it came
        if text.startswith(prefix):
            if text.startswith(fence, margin) and text[margin:].rstrip() == fence:
                return True
            continue
        bare = text.strip()
        if not bare:
            continue
        indent = _indent(text)
        if indent < width:
            break
        if bare == fence and indent == width:
            return True
    state.barren[end] = max(known, number)
    state.problem(line, f"code fence {fence} is never closed")
    return False


def _width(prefix: str) -> int:
    return len(prefix.expandtabs(4))


def _indent(text: str) -> int:
    return _width(text[: len(text) - len(text.lstrip())])


def outdented(text: str, width: int) -> str:
    """A line without as much of its indentation as what it stands in has."""
    lead = 0
    while lead < len(text) and lead < width and text[lead] in " \t":
        if text[lead] == "\t":
            lead += 1
            break
        lead += 1
    return text[lead:].rstrip("\r")


def _quoted_fence(state: Scan, text: str, fence: str, line: int) -> bool:
    """Code in a quotation is the block parser's; only nothing in it must be taken for something else."""
    state.put(text, line)
    while state.todo and state.todo[-1][0].lstrip().startswith(">"):
        inner, number = state.todo.pop()
        state.put(inner, number)
        bare = inner.strip(" \t>")
        if bare.startswith(fence) and not bare.strip(fence[0]):
            break
    return True


def fenced(content: list[str], info: str) -> str:
    """Write a code block the canonical way."""
    while content and not content[0].strip():
        content = content[1:]
    while content and not content[-1].strip():
        content = content[:-1]
    body = "\n".join(line.rstrip() for line in content)
    longest = max((len(run) for run in _BACKTICKS.findall(body)), default=2) if "```" in body else 2
    fence = "`" * max(3, longest + 1)
    language, title = _info(info)
    shown = f' title="{title}"' if title else ""
    return f"{fence}{language}{shown}\n{body}\n{fence}"


@lru_cache(maxsize=512)
def _info(info: str) -> tuple[str, str]:
    """The language and the file name of a fence."""
    titled = _TITLE.search(info)
    title = next((part for part in titled.groups() if part is not None), "") if titled else ""
    words = info.strip().lstrip("{").strip()
    first = _LANGUAGE.match(words.removeprefix("."))
    if first is None or words[first.end() + words.startswith(".") :].lstrip().startswith("="):
        return "", title
    return first[0], title
