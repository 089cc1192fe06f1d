"""Pair the titles of books that are editions of each other in two languages; only their outlines are needed for that."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from askbook.core.folding import fold
from askbook.core.schema import Book

from .words import is_chinese

Pairs = tuple[tuple[str, str], ...]
"""Terms in Chinese and in English."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What the other edition of a book needs to know of it."""

    col: str
    lang: str
    titles: tuple[tuple[str, str], ...]
    """Page and title of each heading in order; the language's own folder at the front of an address is left out."""


def outline(book: Book) -> Outline:
    """Take a book's outline."""
    codes = {book.lang.lower(), book.lang.lower().split("-")[0]}
    titles = []
    for section in book.sections:
        page = section.url.partition("#")[0]
        first, _, rest = page.partition("/")
        titles.append((rest if first.lower() in codes else page, _plain(section.title)))
    return Outline(book.col, book.lang, tuple(titles))


def editions(outlines: Sequence[Outline | None]) -> list[Pairs]:
    """Pairs of titles for each outline, from all its editions; none for a book that is not known."""
    pairs: list[dict[tuple[str, str], None]] = [{} for _ in outlines]
    for i, zh in enumerate(outlines):
        for j, en in enumerate(outlines):
            if zh and en and zh.col == en.col and is_chinese(zh.lang) and en.lang.lower().startswith("en"):
                found = dict.fromkeys(_titles(zh, en))
                pairs[i].update(found)
                pairs[j].update(found)
    return [tuple(sorted(found)) for found in pairs]


def bilingual(books: Sequence[Book]) -> list[Book]:
    """Give books of one collection that are editions of each other the pairs of their titles."""
    return [paired(book, found) for book, found in zip(books, editions([*map(outline, books)]), strict=True)]


def paired(book: Book, pairs: Pairs) -> Book:
    """A book with more pairs."""
    return replace(book, pairs=tuple(dict.fromkeys((*book.pairs, *pairs)))) if pairs else book


def _titles(zh: Outline, en: Outline) -> Iterator[tuple[str, str]]:
    """Titles at the same place of the same page, for pages that have as many headings in both editions."""
    pages, others = _by_page(zh), _by_page(en)
    for page, titles in pages.items():
        beside = others.get(page, [])
        if len(beside) == len(titles):
            yield from (pair for pair in zip(titles, beside, strict=True) if _is_pair(*pair))


def _by_page(one: Outline) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for page, title in one.titles:
        found[page].append(title)
    return found


_HAN = r"[\u3400-\u4dbf\u4e00-\u9fff]"
_LEADING = re.compile(r"^[\d.\-\s、:：]+|^第.{1,4}[章节]\s*")


def _plain(title: str) -> str:
    return _LEADING.sub("", fold(title)).strip().casefold()


def _is_pair(zh: str, en: str) -> bool:
    return bool(re.fullmatch(rf"{_HAN}{{2,12}}", zh) and re.fullmatch(r"[a-z][a-z'\- ]{2,40}", en))
