"""What a chunker makes of a page: blocks in reading order, the same whatever the source format was.

A chunker knows its format only; `cards.py` makes cards of the blocks of every format, so that two formats of one page agree.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page."""

    level: int
    """1 to 6."""
    text: str
    """As a reader sees it, in the canonical form of `Card.text`."""
    anchor: str
    """Its fragment id on the built page."""
    line: int = 0
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """One paragraph, list item, table, formula or code block, in the canonical form of `Card.text`."""

    text: str
    anchor: str = ""
    """Fragment id of this very block, where it has one."""
    line: int = 0
    atomic: bool = False
    """Code, a formula, a table: never cut inside."""
    opening: str = ""
    """The run of bold or italic text the paragraph begins with, as `Theorem 3.2 (Heine–Borel).`; it may open a unit."""
    terms: tuple[str, ...] = ()
    """What the author set off: bold, italics, defined terms, code spans, glossary entries."""


@dataclass(frozen=True, slots=True)
class UnitStart:
    """An admonition, directive, component or environment opens; units may nest."""

    name: str
    """As written in the source: `theorem`, `Example`, `note`, `prf:theorem`; `kinds.py` says which kind of card that is."""
    title: str = ""
    """Its caption, as a reader sees it."""
    number: str = ""
    anchor: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class UnitEnd:
    """The innermost open unit closes."""


Block = Heading | Text | UnitStart | UnitEnd


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a book as blocks."""

    url: str
    """Relative to the site root, no leading slash, no anchor: `topology/compact/`."""
    title: str
    """From front matter, first heading or nav."""
    blocks: tuple[Block, ...]
    file: str = ""
    """Source file as a reader of the report knows it."""
    terms: tuple[str, ...] = ()
    """Keywords and tags of the front matter."""
    authors: tuple[str, ...] = ()
    lang: str = ""


@dataclass(frozen=True, slots=True)
class NavEntry:
    """One line of the book's navigation: a page, or a group of entries."""

    title: str
    """Empty where the page's own title counts."""
    page: str = ""
    """Address of the page as `Page.url`; empty for a group without a page of its own."""
    children: tuple[NavEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Something an author can mend."""

    file: str
    line: int
    message: str
    fatal: bool = False
    """The book keeps its earlier index."""
