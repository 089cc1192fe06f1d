"""The reading order of a built site: from the sidebar or the table of contents of a page, else from the way to the next page."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from urllib.parse import urldefrag, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from askbook.builder.blocks import NavEntry

from .html_inline import collapse

_SIDEBARS = (
    "nav.md-nav--primary",  # Material for MkDocs
    "ol.chapter",  # mdBook
    ".wy-menu-vertical",  # Read the Docs themes
    ".sidebar-tree",  # Sphinx, Furo
    "nav.bd-links",  # Sphinx, PyData theme and Jupyter Book
    ".theme-doc-sidebar-menu",  # Docusaurus
    ".VPSidebar",  # VitePress
    "#quarto-sidebar",
    ".navbar-nav",  # MkDocs' own theme
    ".toctree-wrapper",  # Sphinx, classic themes
    "div.toc",  # DocBook
    ".sphinxsidebarwrapper",
    "nav[epub\\:type=toc]",
)
_LISTS = frozenset({"ul", "ol", "dl", "menu"})
_LABELS = frozenset({"span", "label", "summary", "p", "button", "div", "strong", "h2", "h3", "h4"})
_NEXT = re.compile(
    r"""<(?:link|a)\b(?=[^>]*(?:\brel=["']?next\b|class=["'][^"']*(?:pagination-nav__link--next|pager-link\s+next|nav-chapters\s+next)))"""
    r"""[^>]*\bhref=["']([^"']+)["']""",
    re.IGNORECASE,
)
_ENOUGH = 0.9
"""Share of the pages a sidebar must name for its order to count."""

Read = Callable[[str], str]
"""The HTML of a page, by its address."""


def site_nav(pages: Collection[str], read: Read, contents: str = "") -> tuple[NavEntry, ...]:
    """Find the order of a site's pages, given by their addresses, and its page of contents; empty where the site does not say."""
    known = {_key(page): page for page in pages}
    start = known.get("")
    if start is None:
        return ()
    home = read(start)
    tree = _best_tree(LexborHTMLParser(home), start, known) or _best_tree(LexborHTMLParser(contents), start, known)
    named = len(set(_pages(tree)))
    if named >= len(known) * _ENOUGH:
        return tree
    chain = list(_chain(start, home, known, read))
    return tree if named >= len(chain) * _ENOUGH else tuple(NavEntry("", page) for page in chain)


def _key(address: str) -> str:
    """One spelling of a page's address: `a/index.html`, `a/` and `a` are one page."""
    return address.removesuffix("index.html").removesuffix(".html").strip("/")


def _best_tree(page: LexborHTMLParser, url: str, known: dict[str, str]) -> tuple[NavEntry, ...]:
    best: tuple[NavEntry, ...] = ()
    for selector in _SIDEBARS:
        for node in page.css(selector):
            listed = _entries(node, url, known) if node.css_first("li, dt") is not None else _links(node, url, known)
            tree = tuple(_once(listed, set()))
            if len(set(_pages(tree))) > len(set(_pages(best))):
                best = tree
        if len(set(_pages(best))) > 2:
            return best
    return best


def _links(node: LexborNode, url: str, known: dict[str, str]) -> Iterator[NavEntry]:
    """Every link of a sidebar that is not made of lists."""
    for link in node.css("a[href]"):
        target = known.get(_key(_resolve(url, link)))
        if target is not None:
            yield NavEntry(_text(link), target or _HOME)


def _entries(node: LexborNode, url: str, known: dict[str, str]) -> Iterator[NavEntry]:
    """The entries of the lists in an element, at any depth that has no list around it."""
    for child in node.iter():
        if child.tag in ("li", "dt"):
            yield _entry(child, url, known)
        elif child.tag == "dd":
            yield NavEntry("", "", tuple(_entries(child, url, known)))
        else:
            yield from _entries(child, url, known)


def _entry(item: LexborNode, url: str, known: dict[str, str]) -> NavEntry:
    title, page, here = "", "", False
    children: list[NavEntry] = []
    for child in item.iter():
        if child.tag in _LISTS or (child.tag in ("nav", "details", "section") and child.css_first("li, dt") is not None):
            children += _entries(child, url, known)
            continue
        link = child if child.tag == "a" else child.css_first("a[href]") if child.css_first("li") is None else None
        if link is not None and (link.attributes.get("href") or "#").startswith("#"):
            here = here or (not title and _is_current(link))
            title, link = title or _text(link), None  # it opens a menu
        target = known.get(_key(_resolve(url, link))) if link is not None else None
        if target is not None and not title:
            title, page = _text(link), target or _HOME
        elif child.tag in _LABELS and not title:
            title = _text(child)
        if child.tag == "div" and child.css_first("li") is not None:
            children += _entries(child, url, known)
    if here and not any(_pages(tuple(children))):
        page = known.get(_key(url), "") or _HOME
    return NavEntry(title, page, tuple(children))


def _is_current(link: LexborNode) -> bool:
    """Whether a link leads to the page it stands on, and says so."""
    classes = [node.attributes.get("class") or "" for node in (link, link.parent) if node is not None]
    marked = any("current" in names.split() for names in classes) or link.attributes.get("aria-current") == "page"
    return marked and link.attributes.get("href") == "#"


_HOME = "\x00"
"""Stands for the home page, whose address is empty, until groups are told from pages."""


def _resolve(url: str, link: LexborNode | None) -> str:
    address = (link.attributes.get("href") or "") if link is not None else ""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or (not parts.path and address != "."):
        return _HOME
    return urldefrag(urljoin(f"https://site/{url}", address)).url.removeprefix("https://site/").partition("?")[0]


def _text(node: LexborNode | None) -> str:
    return collapse(node.text()) if node is not None else ""


def _once(entries: Iterator[NavEntry], seen: set[str]) -> Iterator[NavEntry]:
    """Each page once; what leads nowhere and holds nothing goes; the groups of a definition list hang on the entry before."""
    held: NavEntry | None = None
    for entry in entries:
        new = bool(entry.page) and entry.page not in seen
        seen.add(entry.page)
        children = tuple(_once(iter(entry.children), seen))
        if not entry.title and not entry.page and held is not None:
            held = replace(held, children=(*held.children, *children))
            continue
        if held is not None and (held.page or held.children):
            yield _told(held)
        held = NavEntry(entry.title, entry.page if new else "", children)
    if held is not None and (held.page or held.children):
        yield _told(held)


def _told(entry: NavEntry) -> NavEntry:
    """An entry with the address of the home page as it is."""
    return replace(entry, page="") if entry.page == _HOME else entry


def _pages(entries: tuple[NavEntry, ...]) -> Iterator[str]:
    for entry in entries:
        if entry.page or not entry.children:
            yield entry.page
        yield from _pages(entry.children)


def _chain(start: str, home: str, known: dict[str, str], read: Read) -> Iterator[str]:
    """Follow the way to the next page from the first."""
    seen: set[str] = set()
    page: str | None = start
    text = home
    while page is not None and page not in seen:
        seen.add(page)
        yield page
        found = _NEXT.search(text)
        address = urldefrag(urljoin(f"https://site/{page}", found[1])).url if found else ""
        page = known.get(_key(address.removeprefix("https://site/"))) if address.startswith("https://site/") else None
        text = read(page) if page is not None and page not in seen else ""
