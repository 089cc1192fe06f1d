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
_MARK = re.compile(r"[\W\d_]*+(?:[^\W\d_]|[ivxlc]+|n[bo]?|fn|note|注释|註釋|脚注|腳註|尾注)?[\W\d_]*", re.IGNORECASE)
"""Numbers and signs, with a letter, a Roman number or what notes are called; no word of the book."""
_WAY_BACK = re.compile(r"[\[(]?\s*(?:\d+|[*†‡])\s*[\])]?\.?|↩︎?|↩|\^")


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
    """Whether what a link to a note shows is but its mark; a link may also lead there in words, which are the book's."""
    return _MARK.fullmatch(text) is not None


def is_way_back(text: str) -> bool:
    """Whether a link inside a footnote is nothing but its number or the way back."""
    return _WAY_BACK.fullmatch(text.strip()) is not None
