"""The blocks of one page as drafts of cards: what depends on no other page, and so can be cached and done in parallel."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final
from urllib.parse import quote

from askbook.core.schema import Paragraph

from .blocks import CELL, Block, Heading, Page, Text, UnitStart
from .drafts import CardDraft, CutOptions, PageCut, SectionDraft
from .ids import heading_number, number_key, slug
from .kinds import SECTION, Kinds
from .split import WIDE, estimate, size_of, split
from .units import Opened, Openings, continues, ends_unit, number_in


@dataclass(slots=True)
class _Open:
    """A card that is being filled."""

    kind: str
    title: str
    number: str
    anchor: str
    section: int
    key: str
    line: int
    own_title: bool = True
    """Whether the title is the author's; a name that stands in for one gives way to a heading."""
    titled_text: bool = False
    """Whether the title opens a paragraph of the page (and so is on the page where the text is)."""
    parent: int = -1
    first: int = -1
    """Position of its first draft, once there is one."""
    parts: int = 0
    blocks: list[Text] = field(default_factory=list)
    terms: tuple[str, ...] = ()
    above: tuple[str, ...] = ()


_GENERIC: Final = "note"
"""What authors write for a box of any kind; its caption may say which."""
_TERM_CHARACTERS: Final = 60
_MARKUP = re.compile(r"[`$|*<>{}~\\\u200b\u2060\ufeff\u00ad]")
_LEADING = re.compile(r"^(?:- |\d+\. |[\u200b\u2060\ufeff\u00ad\s]+)+")
_FRAGMENT_WORDS: Final = 8
_FRAGMENT_WIDE: Final = 14
_FRAGMENT_TOKENS: Final = 1.5
"""Fewer words might stand anywhere."""


def cut_page(page: Page, options: CutOptions) -> PageCut:
    """Make drafts of a page."""
    cutter = _Cutter(page, options)
    for block in page.blocks:
        cutter.take(block)
    cutter.finish()
    return PageCut(
        page.url,
        page.title,
        tuple(cutter.sections),
        tuple(cutter.drafts),
        page.file,
        page.terms,
        page.authors,
        page.lang,
        page.order,
    )


class _Cutter:
    """Fills cards block by block."""

    def __init__(self, page: Page, options: CutOptions) -> None:
        self._page = page
        self._options = options
        self._openings = _openings(options.kinds)
        self.sections: list[SectionDraft] = []
        self.drafts: list[CardDraft] = []
        self._levels: list[tuple[int, int]] = []
        """Open headings as (level, position)."""
        self._headings = [block for block in page.blocks if isinstance(block, Heading)]
        self._units: list[_Open | None] = []
        """Open units, None for one that makes no card."""
        self._implicit: _Open | None = None
        """A unit that a plain paragraph opened."""
        self._section = self._section_card(-1, page.title, "", "", 0, ())
        self._last: _Open | None = None
        """The card written last, with its blocks, while something may still join it."""
        self._last_blocks: list[Text] = []
        self._subject: _Open | None = None
        """The statement or exercise a proof or solution would belong to."""
        self._own_page_section()

    def _own_page_section(self) -> None:
        """A page whose title stands in no heading has a section of its own."""
        title, first = self._page.title, self._headings[0] if self._headings else None
        if title and (first is None or (first.text != title and first.level > 1)):
            self.sections.append(SectionDraft(title, heading_number(title), "", -1, 1, page_title=True))
            self._levels = [(0, 0)]
            self._section = self._section_card(0, title, heading_number(title), "", 1, ())

    def _section_card(self, section: int, title: str, number: str, anchor: str, line: int, terms: tuple[str, ...]) -> _Open:
        return _Open(SECTION, title, number, anchor, section, "", line, terms=terms)

    # What a page is made of

    def take(self, block: Block) -> None:
        """Take the next block."""
        if isinstance(block, Text):
            self._text(block)
        elif isinstance(block, Heading):
            self._heading(block)
        elif isinstance(block, UnitStart):
            self._start(block)
        else:
            self._end()

    def finish(self) -> None:
        """Write what is still open."""
        self._close_implicit()
        for unit in reversed(self._units):
            if unit is not None:
                self._write(unit)
        self._units = []
        self._leave(0)

    def _heading(self, block: Heading) -> None:
        self._close_implicit()
        unit = next((unit for unit in reversed(self._units) if unit is not None), None)
        if unit is not None:
            self._heading_in_unit(block, unit)
            return
        self._leave(block.level)
        number = heading_number(block.text)
        parent = self._levels[-1][1] if self._levels else -1
        self.sections.append(SectionDraft(block.text, number, block.anchor, parent, block.line, page_title=not self.sections))
        position = len(self.sections) - 1
        self._levels.append((block.level, position))
        self._section = self._section_card(position, block.text, number, block.anchor, block.line, block.terms)
        self._subject = None

    def _leave(self, level: int) -> None:
        """Close headings of this level and deeper."""
        self._write(self._section)
        while self._levels and self._levels[-1][0] >= level:
            self._levels.pop()

    def _heading_in_unit(self, block: Heading, unit: _Open) -> None:
        """A heading inside a unit names it, or begins the next of several."""
        if not unit.own_title and not unit.blocks and not unit.parts:
            unit.title, unit.anchor, unit.own_title = block.text, unit.anchor or block.anchor, True
            unit.number = number_in(block.text, self._options.kinds) or heading_number(block.text) or unit.number
            unit.key = _key(unit.kind, unit.number, block.text)
            unit.terms += block.terms
            return
        if not unit.blocks and not unit.parts:
            unit.blocks.append(Text(block.text, block.anchor, block.line, terms=block.terms, keep=True))
            return
        self._write(unit)
        number = number_in(block.text, self._options.kinds) or heading_number(block.text)
        following = _Open(
            unit.kind, block.text, number, block.anchor, unit.section, _key(unit.kind, number, block.text), block.line,
            parent=unit.parent, terms=block.terms, above=unit.above,
        )  # fmt: skip
        self._units[self._units.index(unit)] = following
        self._subject = following if self._role(unit.kind) in ("statement", "worked") else self._subject

    def _role(self, kind: str) -> str:
        return self._options.kinds.role(kind)

    def _start(self, block: UnitStart) -> None:
        self._close_implicit()
        kind = self._options.kinds.of(block.name)
        if kind is None:
            self._units.append(None)
            if block.title:
                self._text(Text(block.title, block.anchor, block.line, keep=True))
            return
        if kind == _GENERIC and block.title:
            kind = self._openings.of_caption(block.title) or kind
        title = block.title or kind.capitalize()
        number = block.number or number_in(title, self._options.kinds)
        own = bool(block.title) and block.title.casefold() != block.name.rpartition(":")[2].casefold()
        key = _key(kind, number, block.title if own else "", block.label)
        self._open(_Open(kind, title, number, block.anchor, self._section.section, key, block.line, own_title=own))

    def _open(self, unit: _Open, *, implicit: bool = False) -> None:
        outer = next((outer for outer in reversed(self._units) if outer is not None), None)
        self._write(outer if outer is not None else self._section)
        if self._role(unit.kind) == "proof":
            subject = outer if outer is not None and self._role(outer.kind) != "proof" else self._subject
            if subject is not None:
                unit.parent = subject.first
        elif outer is not None:
            unit.parent = outer.first
        if outer is not None:
            unit.above = (*outer.above, outer.title)
        if implicit:
            self._implicit = unit
        else:
            self._units.append(unit)
        if self._role(unit.kind) in ("statement", "worked"):
            self._subject = unit

    def _end(self) -> None:
        self._close_implicit()
        if self._units and (unit := self._units.pop()) is not None:
            self._write(unit)

    def _close_implicit(self) -> None:
        if self._implicit is not None:
            unit, self._implicit = self._implicit, None
            self._write(unit)

    def _text(self, block: Text) -> None:
        unit = next((unit for unit in reversed(self._units) if unit is not None), None) if self._units else None
        if unit is not None:
            self._text_in_unit(block, unit)
            return
        opened = self._openings.find(block.text, block.opening) if not block.atomic else None
        if opened is not None:
            self._close_implicit()
            self._open_from_text(block, opened)
            return
        if self._implicit is not None and not self._goes_on(self._implicit, block):
            self._close_implicit()
        (self._implicit or self._section).blocks.append(block)
        if self._implicit is not None and ends_unit(block.text):
            self._close_implicit()

    def _text_in_unit(self, block: Text, unit: _Open) -> None:
        """A unit without a caption is called what its first paragraph calls it, “**Theorem 3.** …”."""
        if not (unit.own_title or unit.blocks or unit.parts or block.atomic):
            opened = self._openings.find(block.text, block.opening)
            if opened is not None and opened.kind == unit.kind:
                unit.title, unit.number, unit.titled_text, unit.own_title = opened.title, opened.number, True, True
                unit.key = _key(unit.kind, opened.number, "" if opened.number else opened.title)
        unit.blocks.append(block)

    def _open_from_text(self, block: Text, opened: Opened) -> None:
        key = _key(opened.kind, opened.number, "" if opened.number else opened.title)
        unit = _Open(
            opened.kind, opened.title, opened.number, block.anchor, self._section.section, key, block.line, titled_text=True
        )
        self._open(unit, implicit=True)
        unit.blocks.append(block)
        if ends_unit(block.text):
            self._close_implicit()

    def _goes_on(self, unit: _Open, block: Text) -> bool:
        if self._role(unit.kind) in ("worked", "proof") or block.atomic:
            return True
        before = unit.blocks[-1].text if unit.blocks else ":"
        return continues(block.text, before)

    # Drafts

    def _write(self, card: _Open) -> None:
        """Write what a card holds so far; a short proof joins what it proves."""
        if not card.blocks and (card.kind == SECTION or card.parts or not card.own_title):
            return
        if self._joins(card):
            return
        blocks, card.blocks = card.blocks, []
        parts = split(blocks, tokens=self._options.tokens, overlap=self._options.overlap) if blocks else []
        for part in parts:
            terms = card.terms if not card.parts else ()
            self._draft(card, part.text, part.paragraphs, part.overlap, part.blocks, (*terms, *_terms(part.blocks)))
        if not parts:
            self._draft(card, "", (), 0, (), card.terms)
        card.blocks = []
        self._last = card
        self._last_blocks = blocks

    def _draft(
        self,
        card: _Open,
        text: str,
        paragraphs: tuple[Paragraph, ...],
        overlap: int,
        blocks: Sequence[Text],
        terms: Sequence[str],
    ) -> None:
        continued = card.parts > 0
        fragment = self._fragment(card, blocks, continued=continued)
        line = blocks[0].line if blocks and (continued or not card.line) else card.line
        parent = card.parent if not continued else card.first
        kept = tuple(dict.fromkeys(term for term in terms if 0 < len(term) <= _TERM_CHARACTERS))
        draft = CardDraft(
            card.kind, card.title, "" if continued else card.number, fragment, text, card.section, card.key, card.parts, parent,
            paragraphs, overlap, kept, line, card.above,
        )  # fmt: skip
        if card.first < 0:
            card.first = len(self.drafts)
        card.parts += 1
        self.drafts.append(draft)

    def _fragment(self, card: _Open, blocks: Sequence[Text], *, continued: bool) -> str:
        """The address of a draft on its page: its own id, or the heading's and the words it begins with."""
        if card.anchor and not continued:
            return card.anchor
        if card.kind == SECTION and not continued:
            return blocks[0].anchor if blocks and blocks[0].anchor.startswith(CELL) else ""
        if blocks and blocks[0].anchor:
            return blocks[0].anchor
        base = self.sections[card.section].anchor if card.section >= 0 else ""
        words = text_fragment(card.title) if card.titled_text and not continued else ""
        words = words or next((words for block in blocks if not block.atomic and (words := text_fragment(told(block)))), "")
        return f"{base}:~:text={words}" if words else base

    def _joins(self, card: _Open) -> bool:
        """Set a proof or solution behind what it proves, when both fit one card."""
        last = self._last
        if self._role(card.kind) != "proof" or last is None or card.parts or last.parts != 1 or last is not self._subject:
            return False
        if last.first != len(self.drafts) - 1 or card.parent != last.first:
            return False
        title = [Text(card.title, card.anchor, card.line, keep=True)] if not card.titled_text else []
        blocks = [*self._last_blocks, *title, *card.blocks]
        if sum(size_of(block) for block in blocks) > self._options.tokens:
            return False
        del self.drafts[last.first :]
        last.parts, last.first, last.blocks = 0, -1, blocks
        card.blocks, card.first, card.parts = [], len(self.drafts), 1
        self._write(last)
        return True


def _key(kind: str, number: str, title: str, label: str = "") -> str:
    """A unit's own part of its id."""
    own = number_key(number) if number else slug(label) or slug(title)
    return f"{kind}-{own}" if own else kind


def _terms(blocks: Sequence[Text]) -> tuple[str, ...]:
    return tuple(term for block in blocks for term in block.terms)


def told(block: Text) -> str:
    """What of a text the page shows as it stands here."""
    return block.text[: block.told]


def text_fragment(text: str) -> str:
    """The first words of a text as a text fragment of an address; empty where they hold code or formulas."""
    text = _LEADING.sub("", text)
    plain = _MARKUP.split(text, maxsplit=1)[0]
    whole = len(plain) == len(text)
    words = plain.split(" ")
    if not whole and words:
        words = words[:-1] if plain and not plain.endswith(" ") and not WIDE.match(plain[-1]) else words
    taken = " ".join(words[:_FRAGMENT_WORDS])
    if WIDE.search(taken):
        taken = taken[:_FRAGMENT_WIDE]
    taken = taken.strip()
    return quote(taken, safe="").replace("-", "%2D") if estimate(taken) >= _FRAGMENT_TOKENS else ""


@lru_cache(maxsize=8)
def _openings(kinds: Kinds) -> Openings:
    """The compiled openings of a kind table; a build has one or two tables."""
    return Openings(kinds)
