"""Code blocks of built pages: their text without line numbers, and their language."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-|brush:\s*)([A-Za-z0-9_+#.-]+)")
_BACKTICKS = re.compile(r"^\s*(`{3,})", re.M)
_NOT_LANGUAGES = frozenset({"default", "none", "text", "plain", "plaintext", "notranslate", "source"})


def code_text(node: LexborNode) -> str:
    """The text of a code block as it was written."""
    if node.css_first(".linenos, .lineno, .line-number, .linenumber, br, button") is None:
        return (node.text() or "").strip("\n")
    pieces: list[str] = []
    _collect(node, pieces)
    return "".join(pieces).strip("\n")


def _collect(node: LexborNode, pieces: list[str]) -> None:
    for child in node.iter(include_text=True):
        if child.is_text_node:
            pieces.append(child.text_content or "")
        elif child.tag == "br":
            pieces.append("\n")
        elif child.tag != "button" and not _is_number(child):
            _collect(child, pieces)


def is_code_frame(attributes: dict[str, str | None]) -> bool:
    """Whether an element is the frame of one code block."""
    named = attributes.get("class") or ""
    return "highlight" in named.split() or "highlighttable" in named or "codeBlockContainer" in named


def file_name_of(node: LexborNode) -> LexborNode | None:
    """The element that shows the file name of the code block in `node`."""
    return node.css_first('.filename, [class*="codeBlockTitle"]')


def _is_number(node: LexborNode) -> bool:
    return (node.attributes.get("class") or "") in ("linenos", "lineno", "line-number", "linenumber", "normal linenos")


def language_of(node: LexborNode) -> str:
    """The language a code block is said to be in; empty when it is not said."""
    inner = node.css_first("code")
    for element in (node, inner, node.parent, node.parent.parent if node.parent else None):
        if element is None:
            continue
        found = _LANGUAGE.search(element.attributes.get("class") or "")
        if found:
            return "" if found[1] in _NOT_LANGUAGES else found[1]
    return ""


def fence(text: str, language: str, title: str = "") -> str:
    """Write code as a fence that is longer than any inside it, with the file name the page shows."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=2) if "```" in text else 2
    ticks = "`" * max(3, longest + 1)
    name = f' title="{title}"' if title else ""
    return f"{ticks}{language}{name}\n{text}\n{ticks}"
