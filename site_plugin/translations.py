"""Pages of one built site in two languages: which is the translation of which, and what their titles say of each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from urllib.parse import quote, unquote, urljoin, urlsplit

from askbook.builder.index.editions import Outline, Pairs, editions, outline
from askbook.core.schema import Book

_HEAD: Final = 20_000
"""Signs within which a page says what language it is in and where its translations are."""
_LANG = re.compile(r"""<html\b[^>]*?\blang\s*=\s*["']?([A-Za-z-]+)""", re.IGNORECASE)
_CODE = re.compile(r"(?:zh|en)(?:[-_][A-Za-z]{2,4})?", re.IGNORECASE)
_LINK = re.compile(r"<link\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(rel|hreflang|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_TOLD: Final = ("zh", "en")


def pairs_of(book: Book, pages: Iterable[tuple[str, str]]) -> Pairs:
    """Pairs of titles of a book whose pages, given as (address, HTML), are in Chinese and in English."""
    heads = {url: page[:_HEAD] for url, page in pages}
    spoken = {url: _language(url, head) for url, head in heads.items()}
    if not set(_TOLD) <= set(spoken.values()):
        return ()
    keys = {url: _key(url, heads[url], heads) if spoken[url] == "zh" else _bare(url) for url in heads}
    titles = [
        (section.url.partition("#")[0], title) for section, (_, title) in zip(book.sections, outline(book).titles, strict=True)
    ]
    found = editions([Outline(book.col, lang, tuple(_of(titles, lang, spoken, keys))) for lang in _TOLD])
    return found[0]


def _of(
    titles: Sequence[tuple[str, str]], lang: str, spoken: Mapping[str, str], keys: Mapping[str, str]
) -> Iterable[tuple[str, str]]:
    return ((keys[url], title) for url, title in titles if spoken.get(url) == lang)


def _language(url: str, head: str) -> str:
    """What a page is written in: its folder says so, or the page itself."""
    folder = url.partition("/")[0]
    found = _LANG.search(head)
    said = folder if _CODE.fullmatch(folder) else found[1] if found else ""
    return said[:2].lower()


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
