"""Does every address of a card lead somewhere? Opens a built site, or an EPUB file, and looks for each page and each id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path, PurePosixPath
from typing import Protocol
from urllib.parse import unquote
from zipfile import BadZipFile, ZipFile

from askbook.core.errors import ContentError
from askbook.core.schema import Card

from .chunkers.epub import UNPACKING

_START_TAG = re.compile(r"""<!--.*?-->|<([a-zA-Z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>""", re.DOTALL)
_ID = re.compile(r"""(?:^|\s)(id|name|xml:id)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_TAG = re.compile(
    r"""<script\b.*?</script>|<style\b.*?</style>|<!--.*?-->|</?[a-z!?](?:"[^"]*"|'[^']*'|[^"'>])*>""", re.DOTALL | re.IGNORECASE
)
_FRAGMENT = ":~:text="


@dataclass(frozen=True, slots=True)
class Dead:
    """An address of a card that leads nowhere."""

    card: str
    """Id of the card."""
    url: str
    reason: str


class Site(Protocol):
    """A place that holds pages."""

    def read(self, path: str) -> str | None:
        """The HTML of a page, given its path; None when there is none."""
        ...


class FolderSite:
    """A built site in a folder."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise ContentError(f"no built site at {str(root)!r}: build the site first", file=str(root))
        self._root = root.resolve()

    def read(self, path: str) -> str | None:
        """Try the path as a server would: itself, with `index.html`, with `.html`."""
        for name in _candidates(path):
            file = (self._root / name).resolve()
            if file.is_relative_to(self._root) and file.is_file():
                return file.read_text(encoding="utf-8", errors="replace")
        return None


class EpubSite:
    """An EPUB file."""

    def __init__(self, file: Path) -> None:
        try:
            self._zip = ZipFile(file)
        except (OSError, BadZipFile) as wrong:
            raise ContentError(f"{str(file)!r} is no EPUB file: {wrong}", file=str(file)) from None
        self._names = {PurePosixPath(name).as_posix(): name for name in self._zip.namelist()}
        self._tails = {name.partition("/")[2]: name for name in self._zip.namelist() if "/" in name}

    def read(self, path: str) -> str | None:
        """Read a member, with or without the folder its package lies in."""
        path = unquote(path)
        name = self._names.get(path) or self._tails.get(path)
        try:
            return self._zip.read(name).decode("utf-8", "replace") if name else None
        except UNPACKING:
            return None


_NAMED = r"""<meta\b(?=[^>]*\sname\s*=\s*["']?generator\b)[^>]*\scontent\s*=\s*["']?"""
"""Where a page says what made it."""
_GENERATORS = {
    "mkdocs": re.compile(rf"{_NAMED}(?:mkdocs|properdocs|zensical)", re.IGNORECASE),
    "docusaurus": re.compile(rf"{_NAMED}Docusaurus", re.IGNORECASE),
    "vitepress": re.compile(rf"{_NAMED}VitePress", re.IGNORECASE),
    "mdbook": re.compile(r"<!-- Book generated using mdBook", re.IGNORECASE),
    "quarto": re.compile(rf"{_NAMED}quarto", re.IGNORECASE),
    "myst": re.compile(r"""<script\b[^>]*\bsrc=["'][^"']*_static/documentation_options\.js""", re.IGNORECASE),
}
_HEAD = 20_000
"""Signs of a page within which it says what made it."""


def generator(site: Site) -> str:
    """The format of the sources of a site, by what its first page says of its generator; empty where it does not say."""
    page = (site.read("") or "")[:_HEAD]
    return next((name for name, said in _GENERATORS.items() if said.search(page)), "")


def open_site(where: Path) -> Site:
    """Open a folder or an EPUB file."""
    return EpubSite(where) if where.suffix.lower() == ".epub" and where.is_file() else FolderSite(where)


def _candidates(path: str) -> Iterator[str]:
    path = unquote(path)
    if not path or path.endswith("/"):
        yield f"{path}index.html"
        return
    yield path
    yield f"{path}.html"
    yield f"{path}/index.html"


@dataclass(slots=True)
class _Page:
    ids: frozenset[str]
    source: str
    text: str | None = None

    def says(self, words: str) -> bool:
        """Whether the words of a text fragment stand on the page."""
        if self.text is None:
            self.text = _plain(unescape(_TAG.sub(" ", self.source)))
        return _plain(words) in self.text


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()


def page_ids(page: str) -> frozenset[str]:
    """Every id of a page, and the names of old anchors."""
    found: set[str] = set()
    for tag in _START_TAG.finditer(page):
        for attribute in _ID.finditer(tag[2] or ""):
            if attribute[1].lower() != "name" or tag[1].lower() == "a":
                found.add(unescape(attribute[2] or attribute[3] or attribute[4] or ""))
    return frozenset(found)


def verify(cards: Iterable[Card], site: Site, *, base: str = "") -> tuple[Dead, ...]:
    """Follow the address of every card and of every paragraph; `base` begins the addresses, but not the site's paths."""
    pages: dict[str, _Page | None] = {}
    return tuple(dead for card in cards for dead in _follow(card, site, pages, base))


def _follow(card: Card, site: Site, pages: dict[str, _Page | None], base: str) -> Iterator[Dead]:
    page = card.url.partition("#")[0]
    addresses = [card.url, *(f"{page}#{paragraph.anchor}" for paragraph in card.paragraphs if paragraph.anchor)]
    for url in dict.fromkeys(addresses):
        reason = _problem(url, site, pages, base)
        if reason:
            yield Dead(card.id, url, reason)


def _problem(url: str, site: Site, pages: dict[str, _Page | None], base: str) -> str:
    address, _, fragment = url.partition("#")
    path = address.partition("?")[0].removeprefix(base).removeprefix("/")
    if path not in pages:
        source = site.read(path)
        pages[path] = None if source is None else _Page(page_ids(source), source)
    page = pages[path]
    if page is None:
        return "no such page"
    anchor, _, words = fragment.partition(_FRAGMENT)
    anchor = anchor.removesuffix(":~:")
    if anchor and anchor not in page.ids and unquote(anchor) not in page.ids and anchor != "top":
        return "no such id on the page"
    return "" if not words or _stands(words, page) else "the page does not say this"


def _stands(words: str, page: _Page) -> bool:
    """Whether the beginning and the end that a text fragment names are on the page."""
    parts = [unquote(part) for part in words.split("&text=")[0].split(",")]
    return all(page.says(part.removesuffix("-") if index == 0 else part.removeprefix("-")) for index, part in enumerate(parts))
