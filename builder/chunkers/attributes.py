"""Attribute lists behind headings and paragraphs, `{#id .class key="value"}`: text and id apart."""

from __future__ import annotations

import re

from askbook.builder.dialects import Dialect

_ATTRIBUTES = re.compile(r"(?:\{(?!/\*)(:?)([^{}\n]*)|\{/\*[ \t]*#?([\w:.-]+)[ \t]*\*/)\}[ \t]*$")
_HEADING_ATTRIBUTES = re.compile(r" \{:? *([^ }\n][^\n]*)\} *$")
"""As Python-Markdown finds them: anything in braces at the end counts, from the first that opens in the text behind code."""
_BRACE, _QUOTED = re.compile(r"(?<!\\)\}"), re.compile(r"=(?:\"[^\"]*\"|'[^']*')")
_EMPHASIS = re.compile(r"(\*+)(?=\S)[^{}\n]*?(?<=\S)\1|(?<!\w)(_+)(?=\S)[^{}\n]*?(?<=\S)\2(?!\w)")
_ID = re.compile(r"(?:^|\s)#([^\s{}]+)|(?:^|\s)id=[\"']?([^\s\"'{}]+)")
_LOOKS_LIKE_ATTRIBUTES = re.compile(r"^[#.:]|^[\w-]+=|^-$|^unnumbered$|^markdown$|^data-|^docsify-ignore")


def split_heading(source: str, dialect: Dialect) -> tuple[str, str]:
    """Part a heading from the attribute list behind it; return both text and id."""
    if not source.endswith("}") or not dialect.attributes:
        return source, ""
    if dialect.raw_html:
        return _split_as_python(source)
    found = _last(source)
    if found is None:
        return source, ""
    before = source[: found.start()].rstrip(" \t")
    if found[3]:
        return (source, "") if dialect.strict else (before, found[3])
    listed = found[2].strip(" \t")
    return (before, _id_of(listed)) if _LOOKS_LIKE_ATTRIBUTES.match(listed) else (source, "")


def _split_as_python(source: str) -> tuple[str, str]:
    """Python-Markdown takes all from the first brace, and shows it all where there are more, or where emphasis stands in it."""
    listed = _HEADING_ATTRIBUTES.search(source, source.rfind("`") + 1)
    if listed is None or _BRACE.search(_QUOTED.sub("", listed[1])) or _EMPHASIS.search(listed[1]):
        return source, ""
    return source[: listed.start()].rstrip().rstrip("#").rstrip(), _id_of(listed[1])


def split_paragraph(source: str) -> tuple[str, str]:
    """Part a paragraph from the attribute list in its last line; return both text and id."""
    found = _last(source)
    if found is None or found[3]:
        return source, ""
    before, listed = source[: found.start()].rstrip(" \t"), found[2].strip(" \t")
    if (before and before[-1] != "\n") or not (found[1] or _LOOKS_LIKE_ATTRIBUTES.match(listed)):
        return source, ""
    return before[:-1], _id_of(listed)


def _last(source: str) -> re.Match[str] | None:
    """The list a text ends in."""
    start = source.rfind("{")
    return _ATTRIBUTES.match(source, start) if start >= 0 else None


def _id_of(attributes: str) -> str:
    found = _ID.search(attributes)
    return (found[1] or found[2]) if found else ""
