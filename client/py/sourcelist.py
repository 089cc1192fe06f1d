"""Recognise the list of sources that a model writes under its answer; ours stands there already, with checked addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from markdown_it.token import Token

Shape = Literal["label", "items", "labelled", "rule", "prose"]
"""What a block may be to a list of sources: its heading, its items, both in one, a line before it, or none of these."""

LABELS = (
    "sources", "source", "references", "reference", "citations", "works cited", "bibliography", "sources used", "footnotes",
    "参考", "参考资料", "参考文献", "参考来源", "来源", "引用", "引用来源", "资料来源", "出处",
    "參考", "參考資料", "參考文獻", "參考來源", "來源", "引用來源", "資料來源", "出處",
)  # fmt: skip
"""Headings under which models list sources."""

_LABEL_CHARACTERS = max(map(len, LABELS))
_DECORATION = re.compile(r"^[\s#*_>📚🔗📖]+|[\s*_:：]+$")
_ITEM_NUMBER = re.compile(r"^\s*(?:[-*+]\s+|\d{1,3}[.)、]\s*)?")
_NUMBERED = re.compile(r"^[*_]*(?:\[\^?\d[\d\s,，、–—-]*\]|【\s*\d[^】]*】|\(\d{1,3}\)|[¹²³⁴⁵⁶⁷⁸⁹])")
_LINKED = re.compile(r"\]\([^)\s]+|\]\[[^\]]+\]|https?://\S|<[a-z]+:[^>\s]+>")
_SENTENCE_END = re.compile(r"[。！？!?；;]|[a-z]{3,}\.\s*$")
_ITEM_CHARACTERS = 120


def shape(block: Sequence[Token], *, arriving: bool = False) -> Shape:
    """Say what one top-level block is; of a block that is still arriving, the beginning of a label counts as one."""
    kind = block[0].type
    lines = [line for token in block if token.type == "inline" for line in token.content.split("\n") if line.strip()]
    if kind == "hr":
        return "rule"
    alone = kind == "heading_open" or (kind == "paragraph_open" and len(lines) == 1)
    if alone and _is_label(lines[0] if lines else "", arriving=arriving):
        return "label"
    if kind == "paragraph_open" and lines:
        return _paragraph_shape(lines)
    if kind in {"bullet_list_open", "ordered_list_open"}:
        return "items" if all(map(_is_item, lines)) else "prose"
    return "prose"


def cut(shapes: Sequence[Shape]) -> int:
    """Return the number of blocks to keep: all before a list of sources at the end."""
    keep = len(shapes)
    while keep and shapes[keep - 1] == "items":
        keep -= 1
    if not keep or shapes[keep - 1] not in {"label", "labelled"}:
        return len(shapes)
    keep -= 1
    while keep and shapes[keep - 1] == "rule":
        keep -= 1
    return keep


def _paragraph_shape(lines: list[str]) -> Shape:
    """Tell a label with its items in one paragraph, and items alone, from prose."""
    label, colon, first = re.sub(r"[*_]{1,3}", "", lines[0]).replace("：", ":").partition(":")
    if colon and _is_label(label):
        items = [first, *lines[1:]] if first.strip() else lines[1:]
        return "labelled" if all(map(_is_item, items)) else "prose"
    if _is_label(lines[0]) and len(lines) > 1:
        return "labelled" if all(map(_is_item, lines[1:])) else "prose"
    return "items" if all(_is_numbered(line) for line in lines) else "prose"


def _is_label(line: str, *, arriving: bool = False) -> bool:
    """Tell whether a line says nothing but that sources follow."""
    if len(line) > _LABEL_CHARACTERS + 16:
        return False
    bare = _DECORATION.sub("", line).casefold()
    return bare in LABELS or (arriving and bool(bare) and any(label.startswith(bare) for label in LABELS))


def _is_numbered(line: str) -> bool:
    """Tell whether a line begins with the number of a source."""
    return _NUMBERED.match(_ITEM_NUMBER.sub("", line)) is not None


def _is_item(line: str) -> bool:
    """Tell whether a line names a source rather than saying something."""
    text = _ITEM_NUMBER.sub("", line)
    if _is_numbered(line) or _LINKED.search(text):
        return True
    return len(text) <= _ITEM_CHARACTERS and not _SENTENCE_END.search(text)
