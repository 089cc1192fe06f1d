"""The shelf the tools work on, and how what a model calls a card, a chapter or a book is told apart: listed, never guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from .errors import NotFoundError, ToolError
from .folding import fold
from .index import Index
from .numerals import canonical, labels
from .schema import Card, Section
from .search import Found, search

MATCHES: Final = 12
"""How many matches are listed where a name fits several things."""
BARE_NUMBER: Final = re.compile(r"\d{1,4}(?:\s?[.\-]\s?\d{1,4}){0,4}|[a-z](?:[.\-]\d{1,4}){1,3}")
SPACES: Final = re.compile(r"\s+")


@dataclass(frozen=True)
class Shelf:
    """The books that can be asked, the one that is open, and how far the reader has come in it."""

    indexes: tuple[Index, ...]
    current: str = ""
    """Name of the open book, `<col>-<book>`; it is meant where a call names none."""
    horizon: int | None = None
    """Last chapter of the open book the reader has reached, from 0; None lets everything be seen."""

    def __bool__(self) -> bool:
        return bool(self.indexes)

    @cached_property
    def visible(self) -> dict[str, int]:
        """Number of cards of each book that may be seen: those before the horizon come first, in reading order."""
        return {index.name: self._visible(index) for index in self.indexes}

    def _visible(self, index: Index) -> int:
        if self.horizon is None or index.name != (self.current or self.indexes[0].name):
            return len(index)
        return next((ordinal for ordinal in range(len(index)) if index.card(ordinal).chapter > self.horizon), len(index))

    def within(self, index: Index, ordinal: int) -> bool:
        """Whether the reader may see this card."""
        return ordinal < self.visible[index.name]

    def search(self, question: str, *, k: int, books: Sequence[Index] | None = None) -> Found:
        """Search all books, or these, for what the reader may see."""
        asked = self.indexes if books is None else books
        seen = () if self.horizon is None else [range(self.visible[index.name]) for index in asked]
        return search(asked, question, k=k, within=seen)

    def search_chapter(self, index: Index, chapter: Section, question: str, *, k: int) -> Found:
        """Search one chapter for what the reader may see."""
        return search((index,), question, k=k, within=[range(chapter.first, min(chapter.last, self.visible[index.name]))])

    def chapter_at(self, url: str) -> tuple[Index, Section] | None:
        """Return the chapter with this address, and its book; None where no book has it any more."""
        tops = ((index, section) for index in self.indexes for section in index.sections if section.level == 0)
        return next(((index, section) for index, section in tops if url and section.url == url), None)

    def books(self, col: str = "", book: str = "") -> tuple[Index, ...]:
        """Return the books a call means; a name that no book has is an error that says which there are."""
        if col and not book and "-" in col and any(index.name == col for index in self.indexes):
            col, book = "", col
        named = [index for index in self.indexes if book in ("", index.book, index.name) and col in ("", index.col)]
        if not named and book:  # by its title, as models like to
            named = [index for index in self.indexes if same(index.title, book) and col in ("", index.col)]
        if not named:
            asked = "/".join(filter(None, (col, book)))
            raise ToolError(f"no book {asked!r}", books=[book_json(index) for index in self.indexes])
        return tuple(named)

    def one(self, col: str = "", book: str = "") -> Index:
        """Return the one book a call means: named, open, or the only one."""
        named = self.books(col, book)
        if len(named) > 1:
            named = tuple(index for index in named if index.name == self.current) or named
        if len(named) > 1:
            raise ToolError("several books: say which by col and book", books=[book_json(index) for index in named])
        return named[0]


@dataclass(frozen=True, slots=True)
class Place:
    """A card of one book."""

    index: Index
    ordinal: int

    @property
    def card(self) -> Card:
        """The card itself."""
        return self.index.card(self.ordinal)


def key(name: str) -> str:
    """A name as it is compared: case, width, accents and white space aside."""
    return SPACES.sub(" ", fold(name).casefold()).strip()


def same(one: str, other: str) -> bool:
    """Whether two titles are the same to a reader."""
    return key(one) == key(other)


def book_json(index: Index) -> dict[str, Any]:
    """A book as the tools list it."""
    return {"col": index.col, "book": index.book, "title": index.title}


def card_json(card: Card) -> dict[str, Any]:
    """What every tool says of a card."""
    return {"id": card.id, "type": card.kind, "title": card.title, "url": card.url}


def capped(text: str, limit: int, start: int = 0) -> dict[str, Any]:
    """A stretch of text under its cap, with whether more follows."""
    return {"text": text[start : start + limit], "truncated": len(text) > start + limit}


def find_start(shelf: Shelf, books: Sequence[Index], name: str) -> Place:
    """Find where reading begins: the one section with this bare number, else the card `find_card` finds."""
    if BARE_NUMBER.fullmatch(folded := key(name)) and not any(index.find(name.strip()) is not None for index in books):
        number = canonical(folded)
        places = [
            Place(index, section.first)
            for index in books
            for section in index.sections
            if section.number and section.first < section.last and canonical(key(section.number)) == number
        ]
        if len(places) == 1 and shelf.within(places[0].index, places[0].ordinal):
            return places[0]
    return find_card(shelf, books, name)


def find_card(shelf: Shelf, books: Sequence[Index], name: str) -> Place:
    """Find the card with this id, else exactly this title, else this number; several matches are listed, not guessed."""
    for ways in (_by_id, _by_title, _by_number, _by_part_of_title):
        places = [place for index in books for place in ways(shelf, index, name) if shelf.within(index, place.ordinal)]
        places = list({(place.index.name, place.ordinal): place for place in places}.values())
        if len(places) == 1:
            return places[0]
        if places:
            raise NotFoundError(
                f"{name!r} fits {len(places)} cards: give one of the ids",
                matches=[match_json(place, books) for place in places[:MATCHES]],
            )
    raise NotFoundError(f"nothing is called {name!r}", hint="give an id from an earlier result, an exact title or a number")


def match_json(place: Place, books: Sequence[Index]) -> dict[str, Any]:
    """A card in a list of matches; its book is named where several are meant."""
    found = card_json(place.card) | {"number": place.card.number}
    return found | {"col": place.index.col, "book": place.index.book} if len(books) > 1 else found


def _by_id(shelf: Shelf, index: Index, name: str) -> Iterator[Place]:
    ordinal = index.find(name.strip())
    if ordinal is not None:
        yield Place(index, ordinal)


def _by_title(shelf: Shelf, index: Index, name: str) -> Iterator[Place]:
    cards = [Place(index, ordinal) for ordinal, title in enumerate(index.titles) if same(title, name)]
    yield from [place for place in cards if not place.card.parent] or cards
    if not cards:
        yield from (
            Place(index, section.first)
            for section in index.sections
            if section.first < section.last and same(section.title, name)
        )


def _by_number(shelf: Shelf, index: Index, name: str) -> Iterator[Place]:
    folded = key(name)
    named = [f"{kind} {number}" for kind, number, _ in labels(folded)]
    if named:
        carriers = index.carriers(named[0])
        yield from (Place(index, ordinal) for ordinal in carriers[:1])
    elif BARE_NUMBER.fullmatch(folded):
        number = canonical(folded)
        cards = [Place(index, ordinal) for ordinal, own in enumerate(index.numbers) if own and canonical(fold(own)) == number]
        yield from [place for place in cards if not place.card.parent] or cards
        if not cards:
            yield from (
                Place(index, section.first)
                for section in index.sections
                if section.number and canonical(section.number) == number
            )


def _by_part_of_title(shelf: Shelf, index: Index, name: str) -> Iterator[Place]:
    wanted = key(name)
    if wanted:
        yield from (Place(index, ordinal) for ordinal, title in enumerate(index.titles) if wanted in key(title))


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter with its place among the chapters, from 1."""

    section: Section
    ordinal: int
    number: str
    """Its own; its place where no chapter of the book has one; empty for a foreword beside numbered chapters."""

    @property
    def label(self) -> str:
        """Number and title, the number once."""
        return self.section.title if self.number in self.section.title else f"{self.number} {self.section.title}"


def chapters(index: Index) -> tuple[Chapter, ...]:
    """The chapters of a book in reading order."""
    top = [section for section in index.sections if section.level == 0]
    numbered = any(section.number for section in top)
    return tuple(Chapter(section, at, section.number if numbered else str(at)) for at, section in enumerate(top, 1))


def inner_chapters(index: Index) -> tuple[Chapter, ...]:
    """Sections whose titles begin with a chapter's number, in a book whose top divisions are unnumbered parts or languages."""
    top = chapters(index)
    if any(chapter.section.number for chapter in top):
        return ()
    found: list[Chapter] = []
    for section in index.sections:
        if section.level and (named := next(labels(key(section.title)), None)) and named[0] == "chapter" and not named[2]:
            around = next(
                (chapter.ordinal for chapter in top if chapter.section.first <= section.first < chapter.section.last), 0
            )
            found.append(Chapter(section, around, named[1]))
    return tuple(found)


def find_chapter(shelf: Shelf, index: Index, name: str) -> Chapter:
    """Find a chapter by number or keyword; `1` is never `10`, and several matches are listed."""
    seen = [chapter for chapter in chapters(index) if shelf.within(index, chapter.section.first) or not chapter.section.first]
    inner = [chapter for chapter in inner_chapters(index) if shelf.within(index, chapter.section.first)]
    exact = [chapter for chapter in (*seen, *inner) if same(chapter.section.title, name)]
    if len(exact) == 1:
        return exact[0]
    known = seen
    folded = key(name)
    number = next((number for kind, number, _ in labels(folded) if kind in ("chapter", "part", "lecture", "appendix")), "")
    if not number and BARE_NUMBER.fullmatch(folded):
        number = canonical(folded)
    if number:
        numbered = [chapter for chapter in inner if canonical(chapter.number) == number]
        matches = [chapter for chapter in numbered if folded in key(chapter.section.title)] if len(numbered) > 1 else numbered
        matches = (
            matches or numbered or [chapter for chapter in known if chapter.number and canonical(key(chapter.number)) == number]
        )
    else:
        matches = [chapter for chapter in known if same(chapter.section.title, name)]
        matches = matches or [chapter for chapter in known if folded and folded in key(chapter.section.title)]
        matches = matches or _holding(index, known, folded)
    if len(matches) == 1:
        return matches[0]
    listed = [{"number": chapter.number, "title": chapter.section.title} for chapter in (matches or known)[: MATCHES * 4]]
    way = "title" if number else "number"
    problem = f"{name!r} fits {len(matches)} chapters: give the {way}" if matches else f"no chapter {name!r}"
    raise NotFoundError(problem, **{"matches" if matches else "chapters": listed})


def _holding(index: Index, known: Sequence[Chapter], folded: str) -> list[Chapter]:
    """Return the chapters with a section of that name."""
    inner = [section for section in index.sections if section.level and folded and folded in key(section.title)]
    return [
        chapter for chapter in known if any(chapter.section.first <= section.first < chapter.section.last for section in inner)
    ]
