"""Attribute lists behind headings and paragraphs, `{#id .class key="value"}`: text and id apart."""

from __future__ import annotations

import re

from askbook.builder.dialects import Dialect

_ATTRIBUTES = re.compile(r"[ \t]*(?:\{(?!/\*):?[ \t]*([^{}\n]*?)[ \t]*\}|\{/\*[ \t]*#?([\w:.-]+)[ \t]*\*/\})[ \t]*$")
_HEADING_ATTRIBUTES = re.compile(r" +\{:? *([^ `{}\n][^`{}\n]*)\} *$")
"""As Python-Markdown finds them: anything in braces at the end counts."""
_LAST_LINE_ATTRIBUTES = re.compile(r"(?:^|\n)[ \t]*\{(:?)[ \t]*([^{}\n]*?)[ \t]*\}[ \t]*$")
_ID = re.compile(r"(?:^|\s)#([^\s{}]+)|(?:^|\s)id=[\"']?([^\s\"'{}]+)")
_LOOKS_LIKE_ATTRIBUTES = re.compile(r"^[#.:]|^[\w-]+=|^-$|^unnumbered$|^markdown$|^data-")


def split_heading(source: str, dialect: Dialect) -> tuple[str, str]:
    """Part a heading from the attribute list behind it; return both text and id."""
    if not source.endswith("}") or not dialect.attributes:
        return source, ""
    if dialect.raw_html:
        listed = _HEADING_ATTRIBUTES.search(source)
        return (source[: listed.start()].rstrip("#").rstrip(), _id_of(listed[1])) if listed else (source, "")
    found = _ATTRIBUTES.search(source)
    if found is None:
        return source, ""
    if found[2]:
        return (source, "") if dialect.strict else (source[: found.start()], found[2])
    if not _LOOKS_LIKE_ATTRIBUTES.match(found[1]):
        return source, ""
    return source[: found.start()], _id_of(found[1])


def split_paragraph(source: str) -> tuple[str, str]:
    """Part a paragraph from the attribute list in its last line; return both text and id."""
    found = _LAST_LINE_ATTRIBUTES.search(source)
    if found is None or not (found[1] or _LOOKS_LIKE_ATTRIBUTES.match(found[2])):
        return source, ""
    return source[: found.start()], _id_of(found[2])


def _id_of(attributes: str) -> str:
    found = _ID.search(attributes)
    return (found[1] or found[2]) if found else ""
