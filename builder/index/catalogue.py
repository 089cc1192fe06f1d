"""Write the cards and sections of a book as `askbook.core.catalogue` reads them: nothing that follows from something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from askbook.core.catalogue import (
    AS_KIND,
    AS_TITLE,
    AS_URL,
    BLOCK,
    KIND_AND_TITLE,
    LITERAL,
    PART,
    USUAL,
    WHOLE,
    Tree,
    own_part,
    steps,
    usual_ends,
)  # fmt: skip
from askbook.core.prose import WORDS
from askbook.core.schema import Book, Card, Section
from askbook.core.slugs import usual_anchor

from . import letters
from .kept import Kept
from .letters import given, line

_UP = 25
"""Most steps up that an id tells."""


def base(url: str) -> str:
    """An address without the words it ends in."""
    return line(url).partition(WORDS)[0]


_Row = tuple[str, str, str, str, str]
"""What is told of a card: its page; its title and anchor where they are not those of the card before; its id by the path of
the one before; its number."""


def cards(book: Book, lengths: Sequence[int], twins: Sequence[tuple[int, int]], kept: Kept | None = None) -> dict[str, Any]:
    """Columns of the cards."""
    own = kept or Kept(book)
    rows = own.each("catalogue", partial(_rows, book.cards), beside=1)
    trails = own.each("trails", lambda ordinals: [_trail(book.cards[place]) for place in ordinals])
    pages, titles, anchors, ids, own_numbers = zip(*rows, strict=True) if rows else [()] * 5
    kinds = sorted({card.kind for card in book.cards})
    place_of = {kind: place for place, kind in enumerate(kinds)}
    listed = dict.fromkeys(map(line, book.pages))
    known = dict.fromkeys([*listed, *pages])
    ordinal = {page: place for place, page in enumerate(known)}
    runs = [(ordinal[page], len(list(run))) for page, run in groupby(pages)]
    return {
        "elsewhere": list(known)[len(listed) :],
        "run_pages": letters.signed([page - before for (page, _), (before, _) in zip(runs, [(0, 0), *runs], strict=False)]),
        "run_cards": letters.digits([count for _, count in runs]),
        "titles": letters.column(titles),
        "anchors": letters.column(anchors),
        "ids": letters.column([told if place % BLOCK else _whole(told, book.cards[place]) for place, told in enumerate(ids)]),
        "numbers": letters.column(own_numbers),
        "kinds": kinds,
        "kind": letters.digits([place_of[card.kind] for card in book.cards]),
        **_trails(book, trails),
        **_parents(book.cards),
        "lengths": letters.digits(lengths),
        "twins": letters.gaps([card for card, _ in twins]),
        "twin_of": letters.digits([card - earlier for card, earlier in twins]),
    }


def _rows(cards: Sequence[Card], ordinals: range) -> list[_Row]:
    """What is told of some cards that stand one after the other."""
    known = {card.id for card in cards}
    before = cards[ordinals.start - 1] if ordinals.start and ordinals else None
    last_title, last_url, last_id = (line(before.title), base(before.url), line(before.id)) if before else ("", None, "")
    rows = []
    for place in ordinals:
        card = cards[place]
        title, url, own = line(card.title), base(card.url), line(card.id)
        page, mark, anchor = url.partition("#")
        if url == last_url:
            shown = ""
        elif mark and anchor == usual_anchor(title):
            shown = USUAL
        else:
            shown = line(mark + anchor) or ":"
        if own == url:
            told = AS_URL
        elif card.parent in known and own.startswith(line(card.parent) + PART):
            told = own[len(line(card.parent)) :]
        else:
            told = _id(own, steps(last_id), card.kind, title)
        rows.append((page, given(title, last_title), shown, told, line(card.number)))
        last_title, last_url, last_id = title, url, own
    return rows


def _whole(told: str, card: Card) -> str:
    """An id that does not say how it follows from the one before."""
    return told if told == AS_URL or told.startswith(PART) else WHOLE + line(card.id)


def _id(own: str, path: Sequence[str], kind: str, title: str) -> str:
    """An id by the path of the one before, if that is shorter."""
    if PART not in own:
        parts = own.split("/")
        shared = 0
        while shared < min(len(path), len(parts)) and path[shared] == parts[shared]:
            shared += 1
        rest = "/".join(parts[shared:])
        told = next(
            (value for value in (AS_TITLE, KIND_AND_TITLE, AS_KIND) if own_part(value, kind, title) == rest), LITERAL + rest
        )
        if rest and len(path) - shared <= _UP:
            return chr(65 + len(path) - shared) + told
    return WHOLE + own


def _trail(card: Card) -> tuple[str, str]:
    """Its title, and the headings above it."""
    return line(card.title), "\t".join(map(line, card.breadcrumb))


def _trails(book: Book, trails: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Trails and chapters, as far as the sections do not tell them."""
    tree = Tree([_plain(section) for section in book.sections])
    follows = ["\t".join(tree.trail(place, title)) for place, (title, _) in enumerate(trails)]
    pairs = [(trail, usual) for (_, trail), usual in zip(trails, follows, strict=True)]
    own = list(dict.fromkeys(trail for trail, usual in pairs if trail != usual))
    number = {trail: place for place, trail in enumerate(own, 1)}
    chapters = [0 if card.chapter == tree.chapter(place) else card.chapter + 1 for place, card in enumerate(book.cards)]
    return {
        "trails": letters.column(own),
        "trail": letters.digits([0 if trail == usual else number[trail] for trail, usual in pairs]),
        "chapter": letters.digits(chapters),
    }


def _plain(section: Section) -> Section:
    return Section(line(section.title), "", section.level, section.first, section.last)


def _parents(cards: Sequence[Card]) -> dict[str, Any]:
    place = {card.id: ordinal for ordinal, card in enumerate(cards)}
    children = [(ordinal, place[card.parent]) for ordinal, card in enumerate(cards) if card.parent in place]
    return {
        "children": letters.gaps([child for child, _ in children]),
        "parents": letters.signed([child - parent for child, parent in children]),
        "strays": {str(n): line(card.parent) for n, card in enumerate(cards) if card.parent and card.parent not in place},
    }


def sections(book: Book) -> Mapping[str, Any]:
    """Columns of the sections."""
    levels = [section.level for section in book.sections]
    firsts = [section.first for section in book.sections]
    ends = usual_ends(levels, firsts, len(book.cards))
    own = [book.cards[first] if first < len(book.cards) else None for first in firsts]
    pairs = list(zip(book.sections, own, strict=True))
    return {
        "levels": letters.digits(levels, 1),
        "firsts": letters.signed([first - before for first, before in zip(firsts, [0, *firsts], strict=False)]),
        "lasts": letters.signed([section.last - end for section, end in zip(book.sections, ends, strict=True)]),
        "titles": letters.column(given(line(section.title), line(card.title) if card else "") for section, card in pairs),
        "urls": letters.column(given(line(section.url), base(card.url) if card else "") for section, card in pairs),
        "numbers": letters.column(given(line(section.number), line(card.number) if card else "") for section, card in pairs),
    }
