"""Cut a card's text into sentences, never inside a formula, a code span or a fence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

Form = Literal["prose", "item", "code", "formula", "row"]


class Sentence(NamedTuple):
    """A stretch of a text: prose, a list item, a whole block of code, a displayed formula or a table row."""

    start: int
    end: int
    form: Form


_BLOCK: Final = re.compile(
    r"(?P<code>^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z))"
    r"|(?P<formula>^[ \t]*\$\$.+?\$\$[ \t.,;。，；]*$)"
    r"|(?P<item>^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?=\S))"
    r"|(?P<blank>\n[ \t]*\n\s*)",
    re.DOTALL | re.MULTILINE,
)
ATOM: Final = re.compile(r"(?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`)|\$\$.+?\$\$|\$(?!\s)[^$\n]{1,600}?(?<!\s)\$(?!\d)", re.DOTALL)
_END: Final = re.compile(r"[。！？!?]+[”’」』）)\"']*|(?<!\.)\.(?:[”’\"')\]]*)(?=\s+(?![a-z])|$)|[;；](?=\s*\n)|…{1,2}(?=\s|$)")
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:[A-Za-z]|e\.g|i\.e|cf|vs|etc|Mr|Mrs|Dr|Prof|St|No|Fig|Figs|Eq|Eqs|Sec|Ch|Thm|Def|al|resp|approx))$"
)
_ROW: Final = re.compile(r"^[^\n|]*\S ?\| ?\S[^\n]*$", re.MULTILINE)


def sentences(text: str) -> list[Sentence]:
    """Sentences in order; blanks around them and list marks belong to none."""
    found: list[Sentence] = []
    place = 0
    form: Form = "prose"
    for match in _BLOCK.finditer(text) if "\n" in text else filter(None, (_BLOCK.match(text),)):
        if match.start() < place:
            continue
        found += _inline(text, place, match.start(), form)
        place, form = match.end(), "prose"
        if match.lastgroup == "item" or match["item"]:
            form = "item"
        elif match["code"] or match["formula"]:
            found.append(_trim(text, match.start(), match.end(), "code" if match["code"] else "formula"))
    found += _inline(text, place, len(text), form)
    return [sentence for sentence in found if sentence.end > sentence.start]


def _inline(text: str, start: int, end: int, form: Form) -> Iterator[Sentence]:
    """Sentences of one block."""
    block = text[start:end]
    if not block.strip():
        return
    if form == "prose" and "|" in block and _ROW.search(block):
        for row in re.finditer(r"[^\n]+", block):
            yield _trim(text, start + row.start(), start + row.end(), "row" if "|" in row.group() else "prose")
        return
    atoms = [match.span() for match in ATOM.finditer(block)] if "`" in block or "$" in block else []
    first = 0
    for match in _END.finditer(block):
        left, right = match.span()
        if atoms and any(begin < right and left < stop for begin, stop in atoms):
            continue
        if block[left] == "." and _ABBREVIATION.search(block[max(0, left - 8) : left]):
            continue
        yield _trim(text, start + first, start + right, form)
        first = right
    yield _trim(text, start + first, end, form)


def _trim(text: str, start: int, end: int, form: Form) -> Sentence:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Sentence(start, end, form)
