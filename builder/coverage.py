"""Does every word of the built pages stand in a card? Checked by an extractor of its own, so that a fault of a chunker shows.

Nothing here comes from `chunkers/`; how a page is read stands in `page_runs.py`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain

from askbook.core.schema import Book, Card

from .index.memory import Memory, key_of
from .page_runs import Run, page_runs, stretches

_DELIMITER = re.compile(r"\\[()\[\]]")
_SIGNS = "`$\u200b\ufeff\u00ad"
_GAP = "\x00"
_NEAR = 2_000
"""How far behind the last run the next is looked for first."""
_PIECE = 12
"""Text is looked for in pieces of this many signs where it does not stand in one place."""


@dataclass(frozen=True, slots=True)
class Uncovered:
    """Text of a page that no card holds."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the pages' text stands in cards."""

    characters: int
    covered: int
    uncovered: tuple[Uncovered, ...]

    @property
    def share(self) -> float:
        """0 to 1; a book without text is covered."""
        return self.covered / self.characters if self.characters else 1.0


def bare(text: str) -> str:
    """Take away white space, and the signs that only mark formulas and code."""
    text = "".join(text.split())
    for sign in _SIGNS:
        text = text.replace(sign, "")
    return _DELIMITER.sub("", text) if "\\" in text else text


def check(pages: Iterable[tuple[str, str, str]], book: Book, *, whole: bool = True, memory: Memory | None = None) -> Coverage:
    """Compare pages, given as (address, file, HTML), with the cards of a book."""
    cards = _by_page(book.cards)
    headings = _headings(book)
    known = memory or Memory()
    characters = covered = 0
    missing: list[Uncovered] = []
    for url, file, page in pages:
        held = _held(cards.get(url, ()), headings.get(url, ()))
        key = key_of(page, str(whole), *chain.from_iterable(held))
        size, lost, gaps = known.recall("coverage", key, partial(_check_page, page, held, whole=whole))
        characters += size
        covered += size - lost
        missing += (Uncovered(file, line, text) for line, text in gaps)
    return Coverage(characters, covered, tuple(missing))


_Holding = tuple[list[str], list[str]]
"""Texts of the cards of a page, and its titles."""


def _held(cards: Iterable[Card], headings: Iterable[str]) -> _Holding:
    cards = list(cards)
    titles = [card.title for card in cards] + [title for card in cards for title in card.breadcrumb] + list(headings)
    return [card.text[card.overlap :] for card in cards], titles


def _check_page(page: str, held: _Holding, *, whole: bool) -> tuple[int, int, tuple[tuple[int, str], ...]]:
    """How many signs a page has, how many are lost, and which, by line; read closely only where a glance misses something."""
    stock = _Stock(*held)
    seen = [text for text in bare(stretches(page, whole=whole)).split(_GAP) if text]
    if all(map(stock.holds, seen, _times(seen))):
        return sum(map(len, seen)), 0, ()
    total = missing = 0
    gaps: list[tuple[int, str]] = []
    runs = [Run(text, run.line, run.formula) for run in page_runs(page, whole=whole) if (text := bare(run.text))]
    for run, count in zip(runs, _times(run.text for run in runs), strict=True):
        lost = stock.missing(run, count)
        total += len(run.text)
        missing += len(lost)
        if lost:
            gaps.append((run.line, lost))
    return total, missing, tuple(gaps)


def _times(texts: Iterable[str]) -> Iterator[int]:
    """How often each text stood on the page so far, itself included."""
    seen: Counter[str] = Counter()
    for text in texts:
        seen[text] += 1
        yield seen[text]


def _by_page(cards: Iterable[Card]) -> dict[str, list[Card]]:
    found: dict[str, list[Card]] = defaultdict(list)
    for card in cards:
        found[card.url.partition("#")[0]].append(card)
    return found


def _headings(book: Book) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for section in book.sections:
        found[section.url.partition("#")[0]].append(section.title)
    return found


class _Stock:
    """What the cards of a page hold, made bare."""

    def __init__(self, texts: Iterable[str], titles: Iterable[str]) -> None:
        bared = bare(_GAP.join(titles)).split(_GAP)
        self._titles = sorted(set(bared) - {""}, key=len, reverse=True)
        self._text = _GAP.join([bare(_GAP.join(texts)).replace(_GAP, ""), *bared])
        self._place = 0

    def missing(self, run: Run, count: int) -> str:
        """What of a run no card holds; `count` is how often it must be there."""
        text = run.text
        if self.holds(text, count):
            return ""
        if run.formula:
            return "" if all(sign in self._text for sign in text if sign.isalnum()) else text
        if text in self._text:
            return text
        return "".join(self._lost(self._after_title(text)))

    def holds(self, text: str, count: int) -> bool:
        """Whether a text stands here so often."""
        if count == 1:
            return self._stands_next(text) or text in self._text
        return self._text.count(text) >= count

    def _stands_next(self, text: str) -> bool:
        """Runs come in reading order: look behind the last one first."""
        place = self._text.find(text, self._place, self._place + len(text) + _NEAR)
        if place >= 0:
            self._place = place
        return place >= 0

    def _after_title(self, text: str) -> str:
        """What follows the words that open a paragraph and became its card's title."""
        title = next((title for title in self._titles if text.startswith(title)), "")
        rest = text.removeprefix(title)
        return "" if rest in self._text else rest

    def _lost(self, text: str) -> Iterator[str]:
        """The stretches that stand nowhere, found by the longest pieces that do."""
        position = 0
        while position < len(text):
            length = self._longest(text, position)
            if length >= min(_PIECE, len(text)):
                position += length
            else:
                yield text[position]
                position += 1

    def _longest(self, text: str, start: int) -> int:
        low, high = 0, len(text) - start
        while low < high:
            middle = (low + high + 1) // 2
            if text[start : start + middle] in self._text:
                low = middle
            else:
                high = middle - 1
        return low
