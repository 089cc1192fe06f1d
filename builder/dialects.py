"""Which constructs a book's Markdown has; one parser reads them all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Final

from .chunkers.typesetting import PLAIN, Smart
from .kinds import DEFAULT_KINDS, Kinds
from .slugs import Slugify, markdown_slug

CAPTIONS: Final[Mapping[str, str]] = {"caption": "", "figure-caption": "Figure {}.", "table-caption": "Table {}."}
"""Captions of PyMdown unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one book writes Markdown and what ids its site gives to headings."""

    name: str = "markdown"
    admonitions: bool = True
    """`!!! note "Title"`."""
    details: bool = True
    """`??? note` and `???+ note`."""
    tabs: bool = True
    """`=== "Label"`."""
    blocks: frozenset[str] | None = None
    """Names `/// note | Title` may have; None for any the kind table knows."""
    captions: Mapping[str, str] = field(default_factory=lambda: CAPTIONS)
    """Of each kind of captions in blocks what stands before its words, `{}` for a number; nothing for none."""
    fancy_lists: frozenset[str] = frozenset()
    """Markers that lists may have besides figures: `roman`, `alpha`, `generic`."""
    directives: bool = True
    """`:::{theorem}`, `::: {#thm-x}`, `:::tip[Title]` and directives in fences."""
    environments: bool = True
    r"""`\\begin{theorem}`; environments of formulas are formulas in every dialect."""
    components: bool = True
    """Any `<Capital>` element at the start of a line is a component; otherwise only those in `names`."""
    esm: bool = False
    """`import` and `export` at the start of a block are code for the page, not text."""
    raw_html: bool = False
    """An HTML element is raw down to its end tag unless it says `markdown`, as in MkDocs."""
    superfences: bool = False
    """A line of backticks opens code only with a header that PyMdown's superfences know, and a line like it closes it."""
    relaxed_headers: bool = False
    """Superfences take any header."""
    indented_code: bool = True
    loose_headings: bool = True
    """`#Title` is a heading; a set-off line under one line of text makes a heading (Python-Markdown)."""
    sane_headings: bool = False
    """Number signs make a heading only with a space behind them, even where headings are loose."""
    alerts: bool = True
    """`> [!NOTE]`."""
    footnotes: bool = True
    definition_lists: bool = True
    abbreviations: bool = True
    attributes: bool = True
    """`{#id .class}` after headings and paragraphs."""
    scripts: str = ""
    """Marks of what stands below and above the line: `~` for `H~2~O`, `^` for `x^2^`."""
    marks: str = "~="
    """Signs that set off what stands between two of them: `~~gone~~`, `==marked==`."""
    symbols: frozenset[str] = frozenset()
    """What extensions read in running text: `emoji`, `keys`, `insert`, `critic` with its mode, `hilite`, `symbols`, `wiki`,
    `angled`, `progress`, `span`, and `raised` or `lowered` where what is may hold blanks."""
    tasks: bool = True
    """`[x]` at the start of an item is a box, not text."""
    appended: str = ""
    """What stands at the end of every page, where links find what they lead to."""
    smart: Smart = PLAIN
    """What becomes as a typesetter sets it: straight quotes `"`, two or three hyphens `-`, three dots `.`."""
    escapes: str = ""
    """Signs that a backslash makes plain besides those of Python-Markdown itself."""
    note_ids: bool = True
    """A footnote's id is `fn:` and its label, as in Python-Markdown."""
    labels: bool = False
    """Labels of directives are ids of the built page (Sphinx, Quarto)."""
    slugify: Slugify = markdown_slug
    separator: str = "-"
    dashed: bool = False
    """Equal headings are told apart by `-1`, not `_1`."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Components the author named, to their kind."""
    kinds: Kinds = DEFAULT_KINDS

    def signature(self) -> str:
        """Say in one line what decides, for the cache key; the same in every process."""
        return " ".join(f"{entry.name}={_shown(getattr(self, entry.name))}" for entry in fields(self))

    @property
    def strict(self) -> bool:
        """Whether what looks like another generator's syntax is text."""
        return not self.directives and not self.components


AUTO: Final = Dialect()
"""A folder of Markdown nothing more is known of: every construct, ids as Python-Markdown makes them."""


def _shown(value: object) -> str:
    if isinstance(value, partial):
        return f"{value.func.__name__}{sorted(value.keywords.items())}"
    if isinstance(value, Smart):
        return f"{value.signs}{sorted(value.own.items())}"
    if isinstance(value, Kinds):
        return value.signature()
    if isinstance(value, frozenset):
        return repr(sorted(value))
    if value is not None and isinstance(value, Mapping):
        return repr(sorted(value.items()))
    return str(getattr(value, "__name__", None) or repr(value))
