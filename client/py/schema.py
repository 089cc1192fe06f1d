"""Cards, sections and books as values: what the build makes and everything else reads."""

from __future__ import annotations

from dataclasses import dataclass, field

Kind = str
"""A word of the kind table (`builder/kinds.py`) such as `theorem`, `definition`, `section`; authors may add their own."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph of a card's text and the place it has on the page."""

    start: int
    """First code point in `Card.text`."""
    end: int
    """One past the last code point in `Card.text`."""
    anchor: str = ""
    """Fragment id on the card's page; empty means the card's own address."""


@dataclass(frozen=True, slots=True)
class Card:
    """One semantic unit of a book: what is indexed, found and cited.

    `text` is light Markdown in one canonical form, whatever the source was: paragraphs parted by a blank line, formulas as
    `$…$` or `$$…$$`, code in backticks or fences, list items after `- ` or `1. `, table rows as `a | b`, no emphasis marks,
    no HTML, no link targets. The card's own heading is its title, not part of its text.
    """

    id: str
    """Unique in the book, stable while heading path and number stay: `3-2/theorem-3-2`."""
    kind: Kind
    title: str
    """As a reader sees it, number and name included: `Theorem 3.2 (Heine–Borel)`; never empty."""
    url: str
    """Relative to the site root, no leading slash, with the anchor: `topology/compact/#theorem-3-2`."""
    text: str
    number: str = ""
    """The identifier alone, `3.2` or `15-1`; empty for none."""
    breadcrumb: tuple[str, ...] = ()
    """Titles from the chapter down to the heading above this card, its own title left out."""
    chapter: int = 0
    """Ordinal of its chapter among the book's chapters (sections of level 0), from 0."""
    paragraphs: tuple[Paragraph, ...] = ()
    """In order, covering all of `text` but the blank lines; empty where the source has no positions."""
    overlap: int = 0
    """Code points at the start of `text` that repeat the end of the card before it (a split card)."""
    parent: str = ""
    """Id of the card it belongs to: the theorem of a proof, the first part of a split card."""
    terms: tuple[str, ...] = ()
    """What the author set off inside this card: bold, italics, defined terms, code spans, glossary entries; at build only."""
    file: str = field(default="", compare=False)
    """Source file, for reports only."""
    line: int = field(default=0, compare=False)
    """1-based source line, for reports only; 0 unknown."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the book with the run of cards under it; level 0 is a chapter."""

    title: str
    url: str
    """As `Card.url`."""
    level: int
    first: int
    """Ordinal of the first card under it, deeper sections included."""
    last: int
    """One past the ordinal of the last card under it."""
    number: str = ""
    """Of the heading, `3` or `3.2`; for a chapter without one, empty."""


@dataclass(frozen=True, slots=True)
class Book:
    """Everything the build knows of one book, in reading order."""

    col: str
    """Collection slug, without `-`."""
    book: str
    """Book slug."""
    title: str
    lang: str
    """BCP 47: `zh-Hans`, `zh-Hant`, `en`, … """
    cards: tuple[Card, ...]
    sections: tuple[Section, ...] = ()
    """In reading order, chapters (level 0) and what is under them."""
    pages: tuple[str, ...] = ()
    """Every page address of the book, as `Card.url` without anchor, in reading order."""
    authors: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    """Terms the author gave in two languages: (`一致收敛`, `uniform convergence`)."""

    @property
    def name(self) -> str:
        """The stem of its index file: `<col>-<book>`."""
        return f"{self.col}-{self.book}"
