"""Pages into a book: drafts of all pages joined in reading order, with ids, chapters, breadcrumbs and sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from askbook.core.schema import Book, Card, Section

from .blocks import NavEntry, Page, Problem
from .drafts import CardDraft, CutOptions, PageCut
from .ids import Ids, heading_key, heading_number
from .outline import Group, Place, outline
from .pagecut import cut_page

_HAN = r"[\u3400-\u9fff\uf900-\ufaff][\u3400-\u9fff\uf900-\ufaff·\-]{0,19}"
_PAIR = re.compile(
    rf"^({_HAN})\s*[（(]\s*([A-Za-z][A-Za-z0-9 .,'’+#/&-]{{1,60}}?)\s*[)）]$"
    rf"|^([A-Za-z][A-Za-z0-9 .'’+#/&-]{{1,60}}?)\s*[（(]\s*({_HAN})\s*[)）]$"
)
_CLOSING = (")", "）")
"""What a pair ends in."""


def cut(
    pages: Sequence[Page],
    *,
    col: str,
    book: str,
    title: str,
    lang: str,
    nav: Sequence[NavEntry] = (),
    options: CutOptions | None = None,
) -> tuple[Book, tuple[Problem, ...]]:
    """Cut pages into the cards of a book."""
    chosen = options or CutOptions()
    return assemble([cut_page(page, chosen) for page in pages], col=col, book=book, title=title, lang=lang, nav=nav)


def assemble(
    cuts: Sequence[PageCut], *, col: str, book: str, title: str, lang: str, nav: Sequence[NavEntry] = ()
) -> tuple[Book, tuple[Problem, ...]]:
    """Join the drafts of all pages."""
    placed = outline(cuts, nav)
    crowded = [
        Problem(cut.file, 1, f"{len(cut.sections):,} headings on one page: split it")
        for cut in cuts
        if len(cut.sections) > _HEADINGS
    ]
    state = _State(single=sum(isinstance(place, Place) for place in placed) == 1)
    for place in placed:
        if isinstance(place, Group):
            state.group(place)
        else:
            state.page(place)
    state.close(0)
    authors = tuple(dict.fromkeys(author for cut in cuts for author in cut.authors))
    pages = tuple(place.cut.url for place in placed if isinstance(place, Place))
    made = Book(col, book, title, lang, tuple(state.cards), tuple(state.sections), pages, authors, _pairs(state.cards))
    return made, (*crowded, *state.problems)


_HEADINGS: Final = 5_000
"""More on one page are named: a reader's table of contents would not show them."""


@dataclass(slots=True)
class _Row:
    """A section that is open."""

    level: int
    place: int
    """In `sections`."""
    title: str
    path: str
    """Start of the ids of what stands under it."""
    file: str | None = None
    """Of the page it is a heading of; None for a part of the navigation."""
    line: int = 0
    heading: str = ""
    """What stands on the page, where the navigation calls it something else."""


@dataclass(slots=True)
class _State:
    single: bool
    """Whether the book is one page, whose top headings are its chapters."""
    cards: list[Card] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    rows: list[_Row] = field(default_factory=list)
    ids: Ids = field(default_factory=Ids)
    problems: list[Problem] = field(default_factory=list)
    chapter_number: str = ""
    chapters: int = 0

    def group(self, group: Group) -> None:
        """Open a part of the navigation."""
        self.open(group.level, group.title, heading_number(group.title), group.url)

    def open(self, level: int, title: str, number: str, url: str, *, file: str | None = None, line: int = 0) -> _Row:
        """Open a section."""
        self.close(level)
        if not level:
            self.chapter_number, self.chapters = number, self.chapters + 1
        above = self.rows[-1].path if self.rows else ""
        row = _Row(level, len(self.sections), title, heading_key(above, title, number, self.chapter_number), file, line)
        self.sections.append(Section(title, url, level, len(self.cards), len(self.cards), number))
        self.rows.append(row)
        return row

    def close(self, level: int) -> None:
        """Close sections of this level and deeper."""
        while self.rows and self.rows[-1].level >= level:
            row = self.rows.pop()
            section = self.sections[row.place]
            if section.first == len(self.cards) and row.file is not None:
                self.title_alone(row)
            self.sections[row.place] = Section(
                section.title, section.url, section.level, section.first, len(self.cards), section.number
            )

    def title_alone(self, row: _Row) -> None:
        """A heading with nothing under it, or another title in its place, still has a card: nothing of the page is lost."""
        section = self.sections[row.place]
        trail, chapter = tuple(above.title for above in self.rows if above is not row), max(self.chapters - 1, 0)
        self.cards.append(
            Card(
                self.ids(row.path),
                "section",
                row.heading or section.title,
                section.url,
                "",
                section.number,
                trail,
                chapter,
                file=row.file or "",
                line=row.line,
            )
        )

    def page(self, place: Place) -> None:
        """Add a page's cards, opening its headings as they come."""
        page = _PageState(self, place)
        for draft in place.cut.cards:
            page.add(draft)
        page.open_up_to(len(place.cut.sections) - 1)


class _PageState:
    """What is known while one page's drafts become cards."""

    def __init__(self, state: _State, place: Place) -> None:
        self._state = state
        self._place = place
        self._opened = 0
        self._levels: list[int] = []
        self._trails: list[tuple[str, ...]] = []
        self._paths: list[str] = []
        self._given: list[str] = []
        self._bases: dict[tuple[int, str, int], str] = {}
        cut = place.cut
        self._titled = bool(cut.sections) and cut.sections[0].page_title
        self._base_trail: tuple[str, ...] = ()
        self._base_path = ""
        if not self._titled or (cut.cards and cut.cards[0].section < 0):
            self._open_page()
        self._start = len(state.cards)

    def _open_page(self) -> None:
        """A page that begins without a heading is a section all the same, when nothing else opens it."""
        cut, state, level = self._place.cut, self._state, self._place.level
        state.close(level)
        title = self._place.title or cut.title
        if not self._titled:
            row = state.open(level, title or cut.url, heading_number(title), cut.url)
            self._base_path = row.path
        elif not level and not state.rows:
            self._base_path = ""
        self._base_trail = tuple(row.title for row in state.rows)
        self._base_path = self._base_path or (state.rows[-1].path if state.rows else "")

    def open_up_to(self, position: int) -> None:
        """Open the headings of the page up to this one."""
        while self._opened <= position:
            self._open_heading(self._opened)
            self._opened += 1

    def _open_heading(self, position: int) -> None:
        state, cut = self._state, self._place.cut
        section = cut.sections[position]
        if section.parent >= 0:
            level = self._levels[section.parent] + 1
        elif position and not (state.single or self._place.level):
            level = 1
        else:
            level = self._place.level + (0 if self._titled else 1)
        title, number = section.title, section.number
        nav_title = self._place.title if section.page_title and position == 0 else ""
        number = number or (heading_number(nav_title) if nav_title else "")
        url = f"{cut.url}#{section.anchor}" if section.anchor else cut.url
        shown = nav_title if nav_title and not level else title
        row = state.open(level, shown, number, url, file=cut.file, line=section.line)
        row.heading = title
        if shown != title and "".join(title.split()) not in "".join(shown.split()) and not self._has_own_card(position):
            state.title_alone(row)
        self._levels.append(level)
        self._trails.append(tuple(row.title for row in state.rows[:-1]))
        self._paths.append(row.path)

    def _has_own_card(self, section: int) -> bool:
        """Whether text right below a heading has a card that is called after it."""
        return any(draft.section == section and not draft.key for draft in self._place.cut.cards)

    def add(self, draft: CardDraft) -> None:
        """Make a card of a draft."""
        self.open_up_to(draft.section)
        state, cut = self._state, self._place.cut
        own = draft.kind == "section" and not draft.key
        trail, path, number = self._base_trail, self._base_path, draft.number
        if draft.section >= 0:
            trail, path = self._trails[draft.section], self._paths[draft.section]
            if own and not number and not draft.part:
                number = state.sections[self._row_of(draft.section)].number
            if not own:
                trail = (*trail, state.sections[self._row_of(draft.section)].title)
        url = f"{cut.url}#{draft.fragment}" if draft.fragment else cut.url
        title = draft.title or cut.title or (trail[-1] if trail else "") or "…"
        parent = self._given[draft.parent] if 0 <= draft.parent < len(self._given) else ""
        identity = self._identity(draft, path or heading_key("", title, "", ""), parent)
        self._given.append(identity)
        if own and draft.part and not parent:
            parent = self._bases.get((draft.section, "", 0), "")
        state.cards.append(
            Card(
                identity,
                draft.kind,
                title,
                url,
                draft.text,
                number,
                tuple(dict.fromkeys((*trail, *draft.above))),
                max(state.chapters - 1, 0),
                draft.paragraphs,
                draft.overlap,
                parent,
                draft.terms,
                cut.file,
                draft.line,
            )
        )

    def _row_of(self, section: int) -> int:
        """Position among the book's sections of a heading of this page."""
        return len(self._state.sections) - (self._opened - section)

    def _identity(self, draft: CardDraft, path: str, parent: str) -> str:
        wanted = f"{path}/{draft.key}" if draft.key else path
        place = (draft.section, draft.key, 0)
        if draft.part:
            base = parent if draft.key and parent else self._bases.get(place, wanted)
            return self._state.ids(f"{base}~{draft.part + 1}")
        given = self._state.ids(wanted)
        if not draft.key:
            self._bases[place] = given
        return given


def _pairs(cards: Sequence[Card]) -> tuple[tuple[str, str], ...]:
    """Terms given in two languages, `图（graph）`, the Chinese first."""
    found: dict[tuple[str, str], None] = {}
    for card in cards:
        for term in card.terms:
            if term[-1:] in _CLOSING and (pair := _PAIR.match(term)):
                found[(pair[1], pair[2]) if pair[1] else (pair[4], pair[3])] = None
    return tuple(found)
