"""The cards of a book but for their prose: ids, titles, addresses, trails; what follows from other values is not stored."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain, repeat
from typing import Any, Final

from .columns import DERIVED, ENDS, Values, count_all_gaps, read_digits, read_gaps, read_signed, split, told
from .schema import Section
from .slugs import slug, usual_anchor

BLOCK: Final = 32
"""Ids are told by the one before; every so many cards one is told in full."""
WHOLE, AS_URL, PART = "!", "#", "~"
"""How the value of an id begins that is told in full, that is the card's address, that is a later part of its parent."""
_TOLD_ALONE: Final = ("", WHOLE, AS_URL, PART)
"""How the value of an id begins that says nothing of the one before it."""
AS_TITLE, KIND_AND_TITLE, AS_KIND, LITERAL = "=", "-", "_", "/"
"""How a last part is told: the title's slug, kind and slug, the kind, or as it is."""
USUAL: Final = "="
"""An anchor made of the title as most generators do."""


class Catalogue:
    """Columns of cards and sections, each read when it is needed."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        cards, sections = data["cards"], data["sections"]
        self._addresses: tuple[str, ...] = (*data["pages"], *cards["elsewhere"])
        self.kinds: list[str] = cards["kinds"]
        self._columns: dict[str, str] = {name: cards[name] for name in ("titles", "anchors", "ids", "numbers", "trails")}
        self._planes: dict[str, list[str]] = {name: cards[name] for name in ("kind", "trail", "chapter", "parents")}
        self._runs: tuple[list[str], list[str]] = (cards["run_pages"], cards["run_cards"])
        self._children: str = cards["children"]
        self._strays: dict[str, str] = cards["strays"]
        self._headings: dict[str, str] = {name: sections[name] for name in ("titles", "urls", "numbers")}
        self._extents: dict[str, list[str]] = {name: sections[name] for name in ("levels", "firsts", "lasts")}
        self._anchors = Values(self._columns["anchors"])
        self._id_values = Values(self._columns["ids"])
        self._ids: dict[int, str] = {}
        self._cards = sum(read_digits(self._runs[1]))

    def __len__(self) -> int:
        return self._cards

    def is_whole(self) -> bool:
        """Whether the columns agree in length and lead nowhere else."""
        counts = {self._columns[name].count(ENDS) for name in ("titles", "anchors", "ids", "numbers")}
        counts |= {len(plane) for name in ("kind", "trail", "chapter") for plane in self._planes[name]}
        headings = {column.count(ENDS) for column in self._headings.values()}
        headings |= {len(plane) for planes in self._extents.values() for plane in planes}
        children = {count_all_gaps(self._children), *map(len, self._planes["parents"])}
        runs = {len(plane) for planes in self._runs for plane in planes}
        known = max(self.kind_places, default=-1) < len(self.kinds) and max(map(len, (headings, children, runs))) == 1
        return known and counts <= {len(self)}

    @cached_property
    def _ends(self) -> list[int]:
        """Of each run of cards on one page, one past its last card."""
        return list(accumulate(read_digits(self._runs[1])))

    @cached_property
    def _run_page(self) -> list[int]:
        return list(accumulate(read_signed(self._runs[0])))

    @cached_property
    def page_places(self) -> list[int]:
        """Of each card, the place of its page among the addresses."""
        runs = map(repeat, self._run_page, read_digits(self._runs[1]))
        return list(chain.from_iterable(runs))

    def page(self, ordinal: int) -> str:
        """Address of a card's page."""
        return self._addresses[self._run_page[bisect_right(self._ends, ordinal)]]

    @cached_property
    def titles(self) -> list[str]:
        """Of each card."""
        return list(accumulate(split(self._columns["titles"]), lambda before, own: told(own, before), initial=""))[1:]

    @cached_property
    def numbers(self) -> list[str]:
        """Of each card; empty for none."""
        return split(self._columns["numbers"])

    def kind(self, ordinal: int) -> str:
        """Kind of a card."""
        return self.kinds[self.kind_places[ordinal]]

    @cached_property
    def kind_places(self) -> Sequence[int]:
        """Of each card, the place of its kind among the kinds."""
        return read_digits(self._planes["kind"])

    def url(self, ordinal: int) -> str:
        """Address of a card but for the words it begins with."""
        page = self.page(ordinal)
        place = ordinal
        while (anchor := self._anchors.at(place)) == DERIVED and place and self.page(place - 1) == page:
            place -= 1
        if anchor == USUAL:
            return f"{page}#{usual_anchor(self.titles[place])}"
        return page + anchor.removeprefix(":")

    def id(self, ordinal: int) -> str:
        """Id of a card; those between it and the last one that is told without the one before are read on the way."""
        if ordinal not in self._ids:
            first = ordinal
            while first and first - 1 not in self._ids and self._id_values.at(first)[:1] not in _TOLD_ALONE:
                first -= 1
            for place in range(first, ordinal + 1):
                self._ids[place] = self._id(place)
        return self._ids[ordinal]

    def _id(self, ordinal: int) -> str:
        value = self._id_values.at(ordinal)
        if value == AS_URL:
            return self.url(ordinal)
        if value.startswith(PART):
            return self.parent(ordinal) + value
        if value.startswith(WHOLE):
            return value[1:]
        path = steps(self._ids.get(ordinal - 1, ""))
        head = path[: len(path) - (ord(value[0]) - 65)]
        return "/".join([*head, *filter(None, [self._own(ordinal, value[1:])])])

    def _own(self, ordinal: int, value: str) -> str:
        """The part of an id that its heading path does not have."""
        return own_part(value, self.kind(ordinal), self.titles[ordinal])

    @cached_property
    def ids(self) -> list[str]:
        """Of each card."""
        return [self.id(ordinal) for ordinal in range(len(self))]

    @cached_property
    def _parents(self) -> dict[int, int]:
        children = read_gaps(self._children)
        return {child: child - back for child, back in zip(children, read_signed(self._planes["parents"]), strict=True)}

    def parent(self, ordinal: int) -> str:
        """Id of the card it belongs to; empty for none."""
        parent = self._parents.get(ordinal)
        return self._strays.get(str(ordinal), "") if parent is None else self.id(parent)

    @cached_property
    def _trail(self) -> Sequence[int]:
        return read_digits(self._planes["trail"])

    @cached_property
    def _trails(self) -> list[str]:
        return split(self._columns["trails"])

    def trail(self, ordinal: int) -> tuple[str, ...]:
        """Titles from the chapter down to the heading above a card."""
        if self._trail[ordinal] == 0:
            return self.tree.trail(ordinal, self.titles[ordinal])
        told_trail = self._trails[self._trail[ordinal] - 1]
        return tuple(told_trail.split("\t")) if told_trail else ()

    @cached_property
    def _chapter(self) -> Sequence[int]:
        return read_digits(self._planes["chapter"])

    def chapter(self, ordinal: int) -> int:
        """Ordinal of a card's chapter."""
        given = self._chapter[ordinal]
        return self.tree.chapter(ordinal) if given == 0 else given - 1

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Chapters and the headings under them; what is not told is as the first card's."""
        levels = read_digits(self._extents["levels"])
        firsts = list(accumulate(read_signed(self._extents["firsts"])))
        ends = usual_ends(levels, firsts, len(self))
        lasts = [end + more for end, more in zip(ends, read_signed(self._extents["lasts"]), strict=True)]
        columns = (split(self._headings[name]) for name in ("titles", "urls", "numbers"))
        return tuple(map(self._section, levels, firsts, lasts, *columns))

    def _section(self, level: int, first: int, last: int, title: str, url: str, number: str) -> Section:
        own = (self.titles[first], self.url(first), self.numbers[first]) if first < len(self) else ("", "", "")
        title, url, number = map(told, (title, url, number), own)
        return Section(title, url, level, first, last, number)

    @cached_property
    def tree(self) -> Tree:
        """Which headings stand above a card."""
        return Tree(self.sections)


class Tree:
    """The sections of a book by the cards under them."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._sections = sections
        self._firsts = [section.first for section in sections]
        self._chapters = [section.first for section in sections if section.level == 0]
        self._above: list[int] = []
        open_ones: list[int] = []
        for place, section in enumerate(sections):
            while open_ones and sections[open_ones[-1]].level >= section.level:
                open_ones.pop()
            self._above.append(open_ones[-1] if open_ones else -1)
            open_ones.append(place)

    def trail(self, ordinal: int, title: str) -> tuple[str, ...]:
        """Titles of the headings above a card; its own heading, known by its title, is left out."""
        titles: list[str] = []
        place = bisect_right(self._firsts, ordinal) - 1
        while place >= 0:
            section = self._sections[place]
            if section.last > ordinal and (titles or section.title != title):
                titles.append(section.title)
            place = self._above[place]
        return tuple(titles[::-1])

    def chapter(self, ordinal: int) -> int:
        """How many chapters begin before a card's own."""
        return max(0, bisect_right(self._chapters, ordinal) - 1)


def usual_ends(levels: Sequence[int], firsts: Sequence[int], cards: int) -> list[int]:
    """Where sections end if each goes on until the next one of its level or above."""
    ends = [cards] * len(levels)
    open_ones: list[int] = []
    for place, level in enumerate(levels):
        while open_ones and levels[open_ones[-1]] >= level:
            ends[open_ones.pop()] = firsts[place]
        open_ones.append(place)
    return ends


def steps(card: str) -> list[str]:
    """Parts of an id, the mark of a later part left out."""
    path = card.partition(PART)[0]
    return path.split("/") if path else []


def own_part(value: str, kind: str, title: str) -> str:
    """The last part of an id as it is told."""
    if value == AS_TITLE:
        return slug(title)
    if value == KIND_AND_TITLE:
        return f"{kind}-{slug(title)}"
    return kind if value == AS_KIND else value.removeprefix(LITERAL)
