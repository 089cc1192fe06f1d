"""What MkDocs knows of a page and of the reading order, in the builder's terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import InclusionLevel

from askbook.builder.blocks import NavEntry

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure import StructureItem
    from mkdocs.structure.files import Files
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


def page_facts(meta: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Terms and authors that a page's front matter gives."""
    terms = [*_words(meta.get("tags")), *_words(meta.get("keywords"))]
    return {"terms": tuple(dict.fromkeys(terms)), "authors": tuple(_words(meta.get("authors") or meta.get("author")))}


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
    if isinstance(value, Sequence):
        return [str(word).strip() for word in value if isinstance(word, (str, int, float))]
    return []


def nav_entries(nav: Navigation) -> tuple[NavEntry, ...]:
    """The navigation as the builder takes it; links to other sites are left out."""
    return tuple(_entries(nav.items))


def _entries(items: Iterable[StructureItem]) -> Iterable[NavEntry]:
    for item in items:
        if item.is_page:
            yield NavEntry(str(item.title or ""), item.url)  # type: ignore[attr-defined]
        elif item.is_section:
            yield NavEntry(str(item.title or ""), children=tuple(_entries(item.children or ())))  # type: ignore[attr-defined]


def reading_order(nav: Navigation, files: Files) -> tuple[str, ...]:
    """Source paths of all pages: those of the navigation in its order, then the others by path."""
    listed = [page.file.src_uri for page in nav.pages]
    others = sorted({file.src_uri for file in files.documentation_pages()} - set(listed))
    return tuple(dict.fromkeys([*listed, *others]))


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
