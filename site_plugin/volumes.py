"""Which books a project is: one for each pass of the build, or one for each folder the author names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from askbook.builder.blocks import NavEntry
from askbook.core.errors import BookError

from .books import Volume
from .config import AskbookConfig
from .navigation import default_language, theme_language

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

WHOLE = ""
"""The folder of a book that is the whole project."""

_COL = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_BOOK = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")


def volumes_of(options: AskbookConfig, config: MkDocsConfig, language: str, *, name: str = "") -> dict[str, Volume]:
    """Folder of each book to what it is called in this pass; raise BookError for an option that cannot be.

    `name` is the site's in the first pass, so that a book's slug is the same in every language.
    """
    whole = _whole(options, config, language, name or config.site_name)
    if not options.books:
        return {WHOLE: whole}
    found: dict[str, Volume] = {}
    for given in options.books:
        folder = given.folder.strip("/")
        if not folder or folder in found:
            raise BookError(f"the option 'books' needs folders of docs_dir, each once, not {given.folder!r}")
        book = _checked(given.book, "book") or slug(folder)
        lang = given.lang if given.lang != "auto" else language
        title = given.title or whole.title
        found[folder] = replace(whole, book=_in_pass(book, config, language), title=title, lang=lang, folder=folder)
    if len({volume.book for volume in found.values()}) < len(found):
        raise BookError("two of the 'books' have the same slug: give each its own 'book'")
    return found


def folder_of(path: str, volumes: Mapping[str, Volume]) -> str | None:
    """The folder of the book that a page belongs to, the deepest of several; None for a page in no book."""
    found = [folder for folder in volumes if folder == WHOLE or path.startswith(f"{folder}/")]
    return max(found, key=len, default=None)


def within(entries: tuple[NavEntry, ...], pages: Collection[str]) -> tuple[NavEntry, ...]:
    """The part of the navigation that leads to some pages; a lone group around all of it is no chapter and goes."""
    kept = _kept(entries, pages)
    while len(kept) == 1 and kept[0].children and not kept[0].page:
        kept = kept[0].children
    return kept


def _kept(entries: tuple[NavEntry, ...], pages: Collection[str]) -> tuple[NavEntry, ...]:
    found = []
    for entry in entries:
        children = _kept(entry.children, pages)
        if children or (not entry.children and entry.page in pages):
            found.append(replace(entry, children=children))
    return tuple(found)


def _whole(options: AskbookConfig, config: MkDocsConfig, language: str, name: str) -> Volume:
    if not _COL.fullmatch(options.col):
        raise BookError(f"the option 'col' must be lower-case letters and digits without '-', not {options.col!r}")
    book = _checked(options.book, "book") or slug(name)
    lang = options.lang if options.lang != "auto" else language or theme_language(config)
    authors = tuple(options.authors) or ((config.site_author,) if config.site_author else ())
    return Volume(options.col, _in_pass(book, config, language), options.title or config.site_name, lang, authors)


def _checked(book: str, option: str) -> str:
    if book and not _BOOK.fullmatch(book):
        raise BookError(f"the option {option!r} must be lower-case letters, digits and '-', not {book!r}")
    return book


def _in_pass(book: str, config: MkDocsConfig, language: str) -> str:
    """The slug of a book in the pass of one language."""
    return f"{book}-{slug(language)}" if language and language != default_language(config) else book


def slug(name: str) -> str:
    """A name as the stem of a file: lower-case letters and digits of any script, joined by `-`."""
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "book"
