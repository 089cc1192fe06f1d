"""What a chunker makes of a page: blocks in reading order, the same whatever the source format was.

A chunker knows its format only; `cards.py` makes cards of the blocks of every format, so that two formats of one page agree.
What every chunker promises, so that Markdown and the HTML built from it give the same blocks:

- White space is collapsed as a browser shows it; a line break, hard or soft, is one space. Nothing but code, tables and
  display formulas holds a newline.
- An image leaves nothing, nor does its alternative text; what a reader sees is the text.
- A list item is one `Text` that begins with `- ` or `1. ` (its own number) at every depth; later blocks of the item follow
  bare.
- A table is one atomic `Text`, a row a line, cells joined by ` | `. A code block is one atomic `Text`, a fence with its
  language and, where the page shows a file name, ` title="…"`. A display formula alone is one atomic `Text`, `$$…$$`; one
  inside a paragraph is part of it.
- A content tab is a `Text` with its label and `keep`, then the blocks of the tab; the next tab follows.
- A definition list is, for each term, a `Text` with `keep`, then the blocks of its definitions.
- A footnote mark is left out; the footnote's blocks stand right after the block that refers to it first, `[n] ` left out too;
  notes nobody refers to stand at the end of the page.
- A unit's caption is `UnitStart.title`, never a `Text`. An admonition without a caption has the one the page shows, its name
  with a capital.
- A unit the kind table does not know is no card of its own; its caption becomes a `Text` in `pagecut.py`.
- Units that plain paragraphs open (“**Theorem 3.2 (Heine–Borel).** …”, “例 2.1 …”) are found in `units.py`, from `Text.opening`
  and `Text.text`.
- What the reader does not see (front matter, comments, link targets, attribute lists) leaves nothing; what a site generator
  would replace later (snippets, macros, includes) stays as it is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CELL: Final = "cell-"
"""Start of the fragment id of a cell of a notebook; every block of one has it."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the page."""

    level: int
    """1 to 6."""
    text: str
    """As a reader sees it, in the canonical form of `Card.text`."""
    anchor: str
    """Its fragment id on the built page; empty where it has none."""
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
    keep: bool = False
    """Belongs to the block after it and is never parted from it: a tab's label, a defined term, a caption above."""
    told: int | None = None
    """How many letters from the start the page is sure to show as they stand here, before a reference; None for all."""


@dataclass(frozen=True, slots=True)
class UnitStart:
    """An admonition, directive, component or environment opens; units may nest."""

    name: str
    """As written in the source: `theorem`, `Example`, `note`, `prf:theorem`; `kinds.py` says which kind of card that is."""
    title: str = ""
    """Its caption, as a reader sees it."""
    number: str = ""
    anchor: str = ""
    """Its fragment id on the built page; empty where it has none."""
    line: int = 0
    label: str = ""
    """The name other places refer to it by (`:label:`, `\\label{}`), which need not be an id of the page."""


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
    order: float | None = None
    """Place among its neighbours, where the page itself says so (`sidebar_position`, `nav_order`, `weight`)."""


@dataclass(frozen=True, slots=True)
class NavEntry:
    """One line of the book's navigation: a page, or a group of entries."""

    title: str
    """Empty where the page's own title counts."""
    page: str = ""
    """Address of the page as `Page.url`; empty for a group without a page, and for the home page, which has no children."""
    children: tuple[NavEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Something an author can mend."""

    file: str
    line: int
    message: str
    fatal: bool = False
    """The book keeps its earlier index."""
