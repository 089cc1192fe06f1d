"""Cards and sections of one page as values, but for what other pages decide; and what an author may set about cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from askbook.core.limits import CARD_OVERLAP, CARD_TOKENS
from askbook.core.schema import Paragraph

from .features import Features
from .kinds import DEFAULT_KINDS, Kinds


@dataclass(frozen=True, slots=True)
class CutOptions:
    """What an author may set about cards."""

    tokens: int = CARD_TOKENS
    overlap: float = CARD_OVERLAP
    kinds: Kinds = DEFAULT_KINDS

    def signature(self) -> str:
        """Say in one line what decides, for the cache key."""
        return f"{self.tokens} {self.overlap} {self.kinds.signature()}"


def options_of(features: Features) -> CutOptions:
    """How cards are cut under an author's switches."""
    kinds = DEFAULT_KINDS.changed(features.kinds.names, off=features.kinds.off)
    return CutOptions(features.cards.tokens, features.cards.overlap, kinds)


class SectionDraft(NamedTuple):
    """A heading of a page: a named tuple, since a rebuild makes all of a book again, and these are made quicker."""

    title: str
    number: str
    anchor: str
    parent: int
    """Position of the heading above on the same page; -1 for none."""
    line: int
    page_title: bool = False
    """Whether it is the page's own title."""


class CardDraft(NamedTuple):
    """A card but for what other pages decide: its id, its chapter, its breadcrumb; a named tuple for the same reason."""

    kind: str
    title: str
    number: str
    fragment: str
    """What stands after `#` in its address; empty for the page itself."""
    text: str
    section: int
    """Position of the heading it stands under; -1 above the first heading."""
    key: str
    """Its own part of the id; empty for a section's text."""
    part: int
    """From 0; later parts continue the card."""
    parent: int
    """Position of the draft it belongs to; -1 for none."""
    paragraphs: tuple[Paragraph, ...]
    overlap: int
    terms: tuple[str, ...]
    line: int
    above: tuple[str, ...] = ()
    """Titles of the units it is nested in."""


@dataclass(frozen=True, slots=True)
class PageCut:
    """A page as drafts, in reading order."""

    url: str
    title: str
    sections: tuple[SectionDraft, ...]
    cards: tuple[CardDraft, ...]
    file: str = ""
    terms: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    lang: str = ""
    order: float | None = None
