"""The order of a book: its navigation, or the natural order of its pages where it has none; chapters and what is under them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape

from .blocks import NavEntry
from .drafts import PageCut

_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page stands."""

    cut: PageCut
    level: int
    """Of the section its title makes; 0 for a chapter."""
    title: str = ""
    """What the navigation calls it; empty where it does not."""


@dataclass(frozen=True, slots=True)
class Group:
    """A part of the navigation that has no page of its own."""

    title: str
    level: int
    url: str
    """Of its first page."""


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort `ch10` behind `ch2`."""
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part.casefold()) for part in _DIGITS.split(text) if part)


def page_key(url: str) -> tuple[object, ...]:
    """Sort pages by their address, a folder's own page first."""
    return tuple(natural_key(part) for part in url.removesuffix("index.html").split("/") if part)


def outline(cuts: Sequence[PageCut], nav: Sequence[NavEntry]) -> list[Place | Group]:
    """Pages and groups in reading order; pages the navigation leaves out come last, in natural order."""
    by_url = {cut.url: cut for cut in cuts}
    entries = _clean(nav, by_url)
    named = set(pages_of(entries))
    rest = [cut for cut in cuts if cut.url not in named]
    if not entries:
        entries = _natural(rest)
    else:
        entries = [*entries, *(NavEntry("", cut.url) for cut in sorted(rest, key=lambda cut: page_key(cut.url)))]
    while len(entries) == 1 and entries[0].children:
        only = entries[0]
        entries = [*([NavEntry(only.title, only.page)] if only.page else []), *only.children]
    placed: list[Place | Group] = []
    seen: set[str] = set()
    for entry in entries:
        _place(entry, 0, by_url, placed, seen)
    return placed


def _has_page(entry: NavEntry) -> bool:
    """The home page's address is empty, as that of a group is; but a group has children."""
    return bool(entry.page) or not entry.children


def _clean(nav: Sequence[NavEntry], pages: Mapping[str, PageCut]) -> list[NavEntry]:
    """Leave out what leads to no page of the book."""
    kept: list[NavEntry] = []
    for entry in nav:
        children = tuple(_clean(entry.children, pages))
        if (_has_page(entry) and entry.page in pages) or children:
            page = entry.page if entry.page in pages else ""
            kept.append(replace(entry, title=" ".join(unescape(entry.title).split()), page=page, children=children))
    return kept


def pages_of(entries: Sequence[NavEntry]) -> Iterator[str]:
    """The addresses a navigation names, in order."""
    for entry in entries:
        if _has_page(entry):
            yield entry.page
        yield from pages_of(entry.children)


@dataclass(slots=True)
class _Folder:
    page: str | None = None
    order: float | None = None
    children: dict[str, _Folder] = field(default_factory=dict)


def _natural(cuts: Sequence[PageCut]) -> list[NavEntry]:
    """Make a navigation of addresses: a folder is a group, its index its own page."""
    root = _Folder()
    for cut in cuts:
        folder = root
        for part in (part for part in cut.url.removesuffix("index.html").split("/") if part):
            folder = folder.children.setdefault(part, _Folder())
        folder.page, folder.order = cut.url, cut.order
    entries = _folder_entries(root)
    return entries if root.page is None else [NavEntry("", root.page), *entries]


def _folder_entries(folder: _Folder) -> list[NavEntry]:
    def key(item: tuple[str, _Folder]) -> tuple[float, object]:
        return (item[1].order if item[1].order is not None else float("inf"), natural_key(item[0]))

    entries: list[NavEntry] = []
    for name, child in sorted(folder.children.items(), key=key):
        children = tuple(_folder_entries(child))
        if children and child.page is None and 1 in (len(folder.children), len(children)):
            entries.extend(children)
        elif children:
            entries.append(NavEntry("" if child.page else name, child.page or "", children))
        else:
            entries.append(NavEntry("", child.page or ""))
    return entries


def _place(entry: NavEntry, level: int, pages: Mapping[str, PageCut], placed: list[Place | Group], seen: set[str]) -> None:
    """Place an entry and what is under it; a page counts where it is named first."""
    children = list(entry.children)
    page, title = entry.page if _has_page(entry) else None, entry.title
    if page is None and _has_page(children[0]) and _is_own_page(children[0], children[1:], title):
        first = children.pop(0)
        page = first.page
        children = [*first.children, *children]
    if page is not None and page not in seen:
        seen.add(page)
        placed.append(Place(pages[page], level, title))
    elif children:
        under = list(pages_of(children))
        if any(url not in seen for url in under):
            placed.append(Group(title or pages[under[0]].title, level, under[0]))
    for child in children:
        _place(child, level + 1, pages, placed, seen)


def _is_own_page(first: NavEntry, rest: Sequence[NavEntry], title: str) -> bool:
    """Whether a group's first page is the group's own: it has no other name, and the others lie in its folder."""
    if first.title and first.title != title:
        return False
    folder = first.page.removesuffix("index.html")
    if not first.title and not title:
        return True
    return not rest or ((folder.endswith("/") or not folder) and all(url.startswith(folder) for url in pages_of(rest)))
