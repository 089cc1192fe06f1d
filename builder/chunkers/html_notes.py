"""Footnotes of a built page: where they stand, so that each can be read where it is referred to first."""

from __future__ import annotations

import re
from urllib.parse import unquote

from selectolax.lexbor import LexborNode

_PLACES = (
    '.footnote li[id], .footnotes li[id], [role="doc-endnotes"] li[id], li[role="doc-endnote"][id], li[id^="user-content-fn"], '
    "aside.footnote[id], .footnotes > .footnote[id], .footnote-definition[id], div.footnote[id], aside[role=doc-footnote][id], "
    ".footnote-definition li[id], "
    "aside[role=doc-endnote][id], "
    r'[epub\:type~="footnote"][id], [epub\:type~="endnote"][id], [epub\:type~="rearnote"][id]'
)
_MARK = re.compile(r"[\[(]?\s*(?:\d+|[*†‡])\s*[\])]?\.?|↩︎?|↩|\^")


def find_notes(main: LexborNode) -> dict[str, LexborNode]:
    """The footnotes of a page by their id, in order."""
    found: dict[str, LexborNode] = {}
    for node in main.css(_PLACES):
        name = node.attributes.get("id")
        if name and name not in found:
            found[name] = node
    return found


def is_note_mark(link: LexborNode) -> bool:
    """Whether a link says that it is the mark of a note, which may stand on another page."""
    attributes = link.attributes
    return "noteref" in (attributes.get("epub:type") or "") or attributes.get("role") == "doc-noteref"


def note_target(link: LexborNode) -> str:
    """The id a link within the page leads to; empty for other links."""
    address = link.attributes.get("href") or ""
    return unquote(address[1:]) if address.startswith("#") else ""


def is_mark(text: str) -> bool:
    """Whether a link inside a footnote is nothing but its number or the way back."""
    return _MARK.fullmatch(text.strip()) is not None
