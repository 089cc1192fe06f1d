"""Card ids: made of the heading path and the number, so that they stay when text, order of pages or anchors change.

The rule stands in `docs/cards.md`.
"""

from __future__ import annotations

import re
from typing import Final

from askbook.core.slugs import slug as slug

_NUMBER = r"(?:[A-Z](?=[.\-–]\d)[.\-–])?\d+(?:[.\-–]\d+)*"
_LEADING = re.compile(rf"^(?:§\s*)?({_NUMBER})(?=[\s.、:：\xa0)）]|$|[^\W\d_a-zA-Z])[.、]?\s*")
_CHAPTER = re.compile(
    rf"^(?:第\s*({_NUMBER}|[〇零一二三四五六七八九十百]+)\s*[章节節讲講课課回部篇卷]|"
    rf"(?:chapter|chap\.|part|section|sec\.|lecture|lesson|unit|appendix)\s+({_NUMBER}|[A-Z](?=[\s.:—–-]|$)|[IVXLC]+(?=[\s.:—–-]|$)))",
    re.IGNORECASE,
)
_HAN_DIGITS: Final = dict(zip("〇零一二三四五六七八九", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))


def heading_number(title: str) -> str:
    """The number a heading begins with: `3.2.1 …`, `第 3 章 …`, `第三章`, `Chapter 3`, `Appendix B`; empty for none."""
    if found := _CHAPTER.match(title):
        number = found[1] or found[2]
        return (
            str(han_number(number))
            if number[0] in "〇零一二三四五六七八九十百"
            else number.upper()
            if number.isalpha()
            else number
        )
    found = _LEADING.match(title)
    if found is None:
        return ""
    number = found[1].replace("–", "-")
    return "" if _is_year(number, title) else number


def _is_year(number: str, title: str) -> bool:
    """Dates and years begin headings of change logs; they number nothing."""
    return (len(number) >= 4 and number.isdigit()) or (number.count("-") == 2 and len(number) >= 8)


def han_number(text: str) -> int:
    """Read a small number written in Chinese: 十二 is 12."""
    total = current = 0
    for sign in text:
        if sign in "十百":
            total += (current or 1) * (10 if sign == "十" else 100)
            current = 0
        else:
            current = (
                _HAN_DIGITS[sign] if not (current and "十" not in text and "百" not in text) else current * 10 + _HAN_DIGITS[sign]
            )
    return total + current


def number_key(number: str) -> str:
    """A number as part of an id: `3.2.1` is `3-2-1`."""
    return re.sub(r"[.–]", "-", number).casefold()


def heading_key(path: str, title: str, number: str, chapter_number: str) -> str:
    """The id of what stands under a heading: its number alone where that names it in the whole book, else path and title."""
    if number and (number == chapter_number or (chapter_number and re.match(rf"{re.escape(chapter_number)}[.\-]", number))):
        return number_key(number)
    own = f"{number_key(number)}-{slug(_LEADING.sub('', title))}".strip("-") if number else slug(title)
    return f"{path}/{own}" if path and own else path or own or "page"


class Ids:
    """Gives ids that are all different; equal ones are told apart in reading order: `a`, `a.2`, `a.3`."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._given: set[str] = set()

    def __call__(self, wanted: str) -> str:
        count = self._counts.get(wanted, 0) + 1
        found = wanted if count == 1 else f"{wanted}.{count}"
        while found in self._given:
            count += 1
            found = f"{wanted}.{count}"
        self._counts[wanted] = count
        self._given.add(found)
        return found
