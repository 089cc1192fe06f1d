"""Pages of one built site in two languages: which is the translation of which, and what their titles say of each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Final
from urllib.parse import quote, unquote, urljoin, urlsplit

from askbook.builder.index.editions import Outline, Pairs, editions, outline
from askbook.core.schema import Book

_HEAD: Final = 20_000
"""Signs within which a page says what language it is in and where its translations are."""
_LANG = re.compile(r"""<html\b[^>]*?\blang\s*=\s*["']?([A-Za-z-]+)""", re.IGNORECASE)
_CODE = re.compile(r"(?:zh|en)(?:[-_][A-Za-z]{2,4}){0,2}", re.IGNORECASE)
_LINK = re.compile(r"<link\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(rel|hreflang|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_TOLD: Final = {"zh", "en"}


def pairs_of(book: Book, pages: Iterable[tuple[str, str]]) -> Pairs:
    """Pairs of titles of a book whose pages, given as (address, HTML), are in Chinese and in English."""
    heads = {url: page[:_HEAD] for url, page in pages}
    spoken = {url: _language(url, head) for url, head in heads.items()}
    if not {lang[:2] for _, lang in spoken.values()} >= _TOLD:
        return ()
    keys = {url: _key(url, heads[url], heads) if lang.startswith("zh") else _bare(url) for url, (_, lang) in spoken.items()}
    titles: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for section, (_, title) in zip(book.sections, outline(book).titles, strict=True):
        url = section.url.partition("#")[0]
        if url in spoken:
            titles.setdefault(spoken[url], []).append((keys[url], title))
    found = editions([Outline(book.col, lang, tuple(told)) for (_, lang), told in titles.items()])
    return tuple(sorted({*chain.from_iterable(found)}))


def _language(url: str, head: str) -> tuple[str, str]:
    """The edition a page belongs to: the folder of its language, if it has one, and the language that says or the page does."""
    folder = url.partition("/")[0].lower().replace("_", "-")
    if _CODE.fullmatch(folder):
        return folder, folder
    found = _LANG.search(head)
    return "", found[1].lower() if found else ""


def _bare(url: str) -> str:
    """An address without the folder of its language."""
    folder, _, rest = url.partition("/")
    return rest if _CODE.fullmatch(folder) else url


def _key(url: str, head: str, known: Mapping[str, str]) -> str:
    """The English page a Chinese one names as its translation, else its own place in the site."""
    for link in _LINK.findall(head):
        said = {name.lower(): first or second or third for name, first, second, third in _ATTRIBUTE.findall(link)}
        if said.get("rel", "").lower() == "alternate" and said.get("hreflang", "").lower().startswith("en"):
            path = quote(unquote(urlsplit(urljoin(f"/{url}", said.get("href", ""))).path)).removesuffix("index.html").lstrip("/")
            while path:
                if there := next((each for each in (path, f"{path}.html", f"{path}/") if each in known), ""):
                    return _bare(there)
                path = path.partition("/")[2]  # the site may stand below the root of its host
    return _bare(url)
