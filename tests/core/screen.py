"""A page that does with patches what the panel does, on the text of its HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape

from markdown_it.common.utils import escapeHtml

from askbook.core.render import Patch

_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)[^>]*>")
_ALONE = frozenset({"br", "hr", "img"})


class Screen:
    """Holds the blocks of an answer."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.letters = 0
        """Of all the HTML that was put into it."""

    def apply(self, patches: Iterable[Patch]) -> None:
        for patch in patches:
            self.blocks += [""] * (patch.block + 1 - len(self.blocks))
            self.letters += len(patch.html) + len(patch.text)
            self.blocks[patch.block] = _changed(self.blocks[patch.block], patch)

    @property
    def html(self) -> str:
        return "".join(self.blocks)


def _changed(html: str, patch: Patch) -> str:
    if patch.text:
        return _with_text(html, patch.text)
    if not patch.at:
        return patch.html
    *path, elements, characters = patch.at
    place, opened = _place(html, path, elements)
    copies = 0
    for tag in opened:
        found = _TAG.match(patch.html, copies)
        assert found is not None
        assert found[0] == tag, "the end begins with copies of the elements it stands in"
        copies = found.end()
    return html[:place] + _letters(html[place:], characters) + patch.html[copies:]


def _place(html: str, path: list[int], elements: int) -> tuple[int, list[str]]:
    """Return the place behind so many elements, down a path, and the tags gone into."""
    place, opened = 0, list[str]()
    for ordinal in path:
        place = _behind(html, place, ordinal)
        found = _TAG.search(html, place)
        assert found is not None
        assert (found[1], found[2] in _ALONE) == ("", False)
        opened.append(found[0])
        place = found.end()
    return _behind(html, place, elements), opened


def _behind(html: str, place: int, elements: int) -> int:
    """Return the place behind so many elements that stand side by side."""
    for _ in range(elements):
        depth = 0
        for found in _TAG.finditer(html, place):
            assert depth or not found[1], "there are so many elements"
            depth += 0 if found[2] in _ALONE else -1 if found[1] else 1
            place = found.end()
            if not depth:
                break
    return place


def _letters(html: str, units: int) -> str:
    """Return the HTML of so many UTF-16 units of text, with which it begins."""
    at = 0
    while units > 0:
        assert html[at : at + 1] not in {"", "<"}, "there is so much text"
        end = html.index(";", at) + 1 if html[at] == "&" else at + 1
        units -= len(unescape(html[at:end]).encode("utf-16-le")) // 2
        at = end
    return html[:at]


def _with_text(html: str, text: str) -> str:
    """Add text where the last text of a block ends."""
    end = len(html)
    while html[:end].rstrip("\n").endswith(">") and html.rfind("</", 0, end) >= 0:
        code = html[:end].rstrip("\n").endswith("</code>")
        end = html.rfind("</", 0, end)
        end = end if code else len(html[:end].rstrip("\n"))
    return html[:end] + escapeHtml(text) + html[end:]
