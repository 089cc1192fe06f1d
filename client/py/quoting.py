"""Write a stretch of a card as Markdown that shows it letter by letter, asked words set off, formulas and code untouched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .folding import fold
from .sentences import ATOM
from .terms import CJK, STOP, stem

_SPECIAL: Final = re.compile(r"[\\`*_\[\]<>#~|$&^=]")
_ENTITIES: Final = {"[": "&lbrack;", "]": "&rbrack;"}
"""Escaped brackets would open a formula."""
_LIST_LIKE: Final = re.compile(r"^(\d{1,9})([.)])(?=\s)|^([+\-])(?=\s)")
_WRAP: Final = re.compile(rf"(?<=[{CJK}，。；：、！？])[ \t]*\n[ \t]*(?=[{CJK}])")
_BREAK: Final = re.compile(r"\s*\n\s*")
_PIECE: Final = re.compile(r"\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t])")
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+")
_DISPLAY: Final = re.compile(r"(\$\$.+?\$\$)[ \t]*[.,;。，；]?", re.DOTALL)
_WORD: Final = re.compile(r"[^\W_]+")
_TOUCHING: Final = re.compile(r"\*\*([ \-]?)\*\*")
"""Where two words that are set off meet: they become one."""
_CJK_WORD: Final = re.compile(rf"[{CJK}]+")


def quote(text: str, *, mark: str, words: Sequence[str]) -> str:
    """The text as Markdown with its mark: after the text, but before a displayed formula that ends it."""
    pattern, stems = _pattern(words)
    out: list[str] = []
    display: list[str] = []
    place = 0
    for atom in ATOM.finditer(text):
        out.append(_plain(text[place : atom.start()], pattern, stems))
        if atom.group().startswith("$$"):
            display.append(atom.group())
        else:
            out.append(atom.group())
        place = atom.end()
    out.append(_plain(text[place:], pattern, stems))
    line = _LIST_LIKE.sub(lambda match: f"{match[1] or ''}\\{match[2] or match[3]}", "".join(out).strip())
    return "\n\n".join([f"{line} {mark}".strip(), *display])


def passage(text: str, *, mark: str, words: Sequence[str]) -> str:
    """Write a stretch of several sentences: its list items and displayed formulas stay where they are, the mark comes first."""
    out = ""
    for piece in filter(str.strip, _PIECE.split(text)):
        item = _ITEM.match(piece)
        for part in filter(str.strip, _DISPLAY.split(piece[item.end() :] if item else piece)):
            written = part.strip() if part.startswith("$$") else quote(part, mark="" if mark and out else mark, words=words)
            joint = "\n" if item and out.rpartition("\n")[2].startswith("- ") else "\n\n"
            out += (joint if out else "") + ("- " if item and not part.startswith("$$") else "") + written
    return out


def _pattern(words: Sequence[str]) -> tuple[re.Pattern[str] | None, frozenset[str]]:
    """How to find asked words again: runs of scripts without spaces by themselves, the others by their stems."""
    runs = sorted({word for word in words if _CJK_WORD.fullmatch(word)}, key=lambda word: (-len(word), word))
    pieces = (piece.casefold() for word in words if not _CJK_WORD.fullmatch(word) for piece in _WORD.findall(word))
    stems = frozenset(stem(piece) for piece in pieces if piece not in STOP and not piece.isdigit())
    return (re.compile("|".join(map(re.escape, runs))) if runs else None), stems


def _plain(text: str, pattern: re.Pattern[str] | None, stems: frozenset[str]) -> str:
    joined = _BREAK.sub(" ", _WRAP.sub("", text))
    escaped = _SPECIAL.sub(lambda match: _ENTITIES.get(match.group(), "\\" + match.group()), joined)
    if pattern is not None:
        escaped = pattern.sub(lambda match: f"**{match.group()}**", escaped)
    if stems:
        escaped = _WORD.sub(lambda match: _set_off(match.group(), stems), escaped)
    return _TOUCHING.sub(r"\1", escaped)


def _set_off(word: str, stems: frozenset[str]) -> str:
    return f"**{word}**" if stem(fold(word).casefold()) in stems else word
