"""What MkDocs knows of a page and of the reading order, in the builder's terms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatch
from html import unescape
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import InclusionLevel
from mkdocs.utils import nest_paths

from askbook.builder.blocks import NavEntry

from .pages import Facts

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure import StructureItem
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page

FRONT_MATTER = "askbook"
"""Key of a page's front matter; false leaves the page out and puts nothing on it."""


def excluded(page: Page, patterns: Sequence[str]) -> bool:
    """Whether a page stays out of the index: by pattern, by front matter, as a draft, or because the site's search skips it."""
    meta = page.meta
    search = meta.get("search")
    return (
        meta.get(FRONT_MATTER) is False
        or (isinstance(search, Mapping) and search.get("exclude") is True)
        or page.file.inclusion.value <= InclusionLevel.DRAFT.value
        or any(fnmatch(page.file.src_uri, pattern) for pattern in patterns)
    )


def page_facts(meta: Mapping[str, Any]) -> Facts:
    """Terms, authors and language that a page's front matter gives."""
    terms = [*_words(meta.get("tags")), *_words(meta.get("keywords"))]
    authors = _words(meta.get("authors") or meta.get("author"))
    return Facts(tuple(dict.fromkeys(terms)), tuple(authors), str(meta.get("lang") or ""))


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
    if isinstance(value, Sequence):
        return [str(word).strip() for word in value if isinstance(word, (str, int, float))]
    return []


def nav_entries(nav: Navigation, config: MkDocsConfig, files: Files) -> tuple[NavEntry, ...]:
    """The navigation as the builder takes it, links left out; empty where it is only the order of file names, not an author's."""
    if config.nav is None and [page.file.src_uri for page in nav.pages] == list(_by_name(files)):
        return ()
    return tuple(_entries(nav.items))


def _by_name(files: Files) -> Iterable[str]:
    pages = files.documentation_pages(inclusion=InclusionLevel.is_in_nav)
    return _flat(nest_paths(file.src_uri for file in pages))  # type: ignore[no-untyped-call]


def _flat(items: Iterable[Any]) -> Iterable[str]:
    for item in items:
        if isinstance(item, str):
            yield item
        else:
            for inner in item.values():
                yield from _flat(inner)


def _entries(items: Iterable[StructureItem]) -> Iterable[NavEntry]:
    for item in items:
        if item.is_page:
            yield NavEntry(given_title(item), item.url)  # type: ignore[attr-defined]
        elif item.is_section:
            yield NavEntry(str(item.title or ""), children=tuple(_entries(item.children or ())))  # type: ignore[attr-defined]


def given_title(page: StructureItem) -> str:
    """The title an author gave a page, in the navigation or its front matter; empty where MkDocs made one up."""
    title = vars(page).get("title") or getattr(page, "meta", {}).get("title")
    return str(title or "")


def null_place(page: Page) -> str:
    """The file of a page, and its line with the first null byte."""
    text = page.file.content_string
    return f"{page.file.src_uri}:{text.count(chr(10), 0, text.index(chr(0))) + 1}" if "\0" in text else page.file.src_uri


_SHOWN = re.compile(r"<p\b[^>]*>(`{3,}|~{3,})((?:(?!</p>)[^\n])*)\n([^\n]*)")
"""The first two lines of a paragraph that begins as a fence does; what is made of Markdown has no space before them."""
_ITEM = r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*"
_FENCE = re.compile(
    rf"({_ITEM})(`{{3,}}|~{{3,}})"
    r"""([ \t]*+\.?[\w#.+-]*+(?:[ \t]*+\{[^\n]*\}|(?:[ \t]+[\w-]+=(?:"[^"]*"|'[^']*'))*)[ \t]*+)$"""
)
_END = re.compile(r"([ \t>]*)(`{3,}|~{3,})[ \t]*$")
_ESCAPED = re.compile(rf"^{_ITEM}[`~]*(?:\\[`~]|&(?:#0*96|#x0*60|grave|#0*126|#x0*7e);)", re.MULTILINE | re.IGNORECASE)
"""The beginning of a paragraph that shows the signs of a fence and means them so."""


def open_fence(page: Page, html: str) -> str:
    """The file and line of a code fence that the page shows as text, because nothing closes it; empty where there is none.

    In doubt there is none: the page has to show the very line that opens it, and the next one.
    """
    shown = {(fence, _letters(header), _letters(following)) for fence, header, following in _SHOWN.findall(html)}
    text = page.file.content_string if shown else ""
    if not text or _ESCAPED.search(text):
        return ""
    lines = text.split("\n")
    ends = [(_depth(found[1]), found[2]) if (found := _END.match(line)) else None for line in lines]
    last = {end: line for line, end in enumerate(ends)}
    closed = 0
    for at, line in enumerate(lines[:-1]):
        found = _FENCE.match(line) if at >= closed else None
        if found is None:
            continue
        end = (_depth(found[1]), found[2])
        if last.get(end, at) > at:
            closed = ends.index(end, at + 1) + 1
        elif lines[at + 1].strip(" \t>") and (found[2], _letters(found[3]), _letters(lines[at + 1])) in shown:
            return f"{page.file.src_uri}:{at + 1}"
    return ""


def _depth(before: str) -> str:
    """How far in a fence stands, and in which quotes; the mark of a list's item counts as the space below it."""
    return re.sub(r"[^>]", " ", before.expandtabs(4).replace("> ", ">"))


def _letters(line: str) -> str:
    """What of a line is the same in Markdown and in what is made of it."""
    return re.sub(r"[\W_]+", "", unescape(re.sub(r"<[^>]*>", "", line)))


def shown_title(page: Page, html: str, config: MkDocsConfig) -> str:
    """The heading the theme puts above a page that brings none; empty where it does not."""
    if config.theme.name != "material" or "<h1" in html:
        return ""
    return str(page.title or config.site_name)


def reading_order(nav: Navigation, files: Files) -> tuple[File, ...]:
    """The files of all pages: those of the navigation in its order, then the others by path."""
    pages = {file.src_uri: file for file in files.documentation_pages()}
    listed = [page.file.src_uri for page in nav.pages]
    others = sorted(set(pages) - set(listed))
    return tuple(pages[name] for name in dict.fromkeys([*listed, *others]) if name in pages)


def page_url(file: File) -> str:
    """The address of a page relative to the site."""
    return "" if file.url in (".", "./") else file.url


def instant(config: MkDocsConfig) -> bool:
    """Whether the theme changes pages without loading them anew."""
    features = config.theme.get("features") if "features" in config.theme else None
    return isinstance(features, Sequence) and any(str(feature).startswith("navigation.instant") for feature in features)


def language_pass(config: MkDocsConfig) -> str:
    """The language this pass of the build is for; empty where the site has one pass."""
    plugin = config.plugins.get("i18n")
    return str(getattr(plugin, "current_language", None) or "")


def default_language(config: MkDocsConfig) -> str:
    """The language whose pages stand at the root; empty where the site has one pass."""
    plugin = config.plugins.get("i18n")
    return str(getattr(plugin, "default_language", None) or "")


def theme_language(config: MkDocsConfig) -> str:
    """What the theme says the site is written in; empty where it does not."""
    theme = config.theme
    for key in ("language", "locale"):
        value = theme.get(key) if key in theme else None
        if value:
            return str(value)
    return ""
