"""Small books for tests of the index and the search."""

from __future__ import annotations

from askbook.builder.index.write import encode
from askbook.core.index import Index, load
from askbook.core.schema import Book, Card, Section


def card(
    title: str, text: str, *, name: str = "", kind: str = "section", number: str = "", url: str = "", **more: object
) -> Card:
    """A card of which only the title and text matter, unless told."""
    own = name or title
    return Card(id=own, kind=kind, title=title, url=url or f"{own}/#top", text=text, number=number, **more)  # type: ignore[arg-type]


def book(*cards: Card, lang: str = "en", name: str = "book", sections: tuple[Section, ...] = (), **more: object) -> Book:
    """A book of these cards."""
    return Book(col="books", book=name, title=name, lang=lang, cards=cards, sections=sections, **more)  # type: ignore[arg-type]


def shelf(*books: Book) -> list[Index]:
    """The books written, and read back with their text."""
    found = []
    for one in books:
        files = encode(one)
        first, *sides = files
        found.append(load(files[first], {side: files[side] for side in sides}))
    return found
