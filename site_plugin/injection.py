"""The assistant into a site that is already built, whatever built it: ids, index, client, and one script in every page."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from askbook.builder.blocks import Problem
from askbook.builder.books import PageFile, Source, open_source
from askbook.builder.build import Named, build_book
from askbook.builder.cache import PageCache
from askbook.builder.chunkers.html import add_ids
from askbook.builder.coverage import Coverage, check
from askbook.builder.drafts import options_of
from askbook.builder.features import Features
from askbook.builder.generators import site_url
from askbook.builder.index.editions import paired
from askbook.builder.index.write import encode, listed, write_files
from askbook.builder.outputs import outputs, part
from askbook.builder.verify import Dead, FolderSite, verify
from askbook.core.errors import ContentError
from askbook.core.schema import Book

from .assets import FOLDER, VENDORED, write_assets
from .books import INDEX_FOLDER, index_hash, replace_file, site_settings
from .build import ROOT_OUTPUTS
from .entry import add_entry, relative_root
from .policy import add_policy, page_needs, policy_text
from .translations import pairs_of

_MOVING = frozenset({"404.html"})
"""Pages a host serves under any address, so that relative addresses do not hold on them."""


@dataclass(frozen=True, slots=True)
class Injection:
    """What the author of a built site asked for."""

    site: Path
    col: str = "books"
    book: str = ""
    title: str = ""
    lang: str = "auto"
    base_url: str = ""
    """Path or address the site is published under; needed for `404.html` and for printed addresses only."""
    features: Features = field(default_factory=Features)
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the panel, as `site.js` has them."""
    runtime: str = VENDORED
    policy: bool = False
    connect: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Injected:
    """What was done."""

    book: Book
    pages: int
    """Pages that carry the assistant."""
    coverage: Coverage
    dead: tuple[Dead, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...] = ()


def inject(asked: Injection) -> Injected:
    """Put the assistant into a site; running it again changes nothing but what the site's pages changed."""
    source = open_source(asked.site, format_="html")
    pages, unread = _with_ids(source)
    built = build_book(
        replace(source, problems=()),
        Named(asked.col, asked.book or _slug(source, pages), asked.title, asked.lang),
        options_of(asked.features),
        cache=PageCache(None, "", ""),
        data=[(page, text.encode()) for page, text in pages],
        problems=[*source.problems, *unread],
    )
    book = paired(built.book, pairs_of(built.book, ((page.url, text) for page, text in pages)))
    if not book.cards or built.fatal:
        named = sorted(built.problems, key=lambda each: not each.fatal)
        reason = next((f"{each.file}: {each.message}" for each in named), "no page of it has text")
        raise ContentError(f"nothing was written: {reason}", file=str(asked.site))
    files = encode(book)
    write_files([(listed(book, files), files)], asked.site / INDEX_FOLDER)
    _write_outputs(asked, book)
    hashes = {book.name: index_hash(files, book.name)}
    settings = site_settings([book], options=asked.options, hashes=hashes)
    warnings = write_assets(asked.site, settings=settings, runtime=asked.runtime, tools=asked.features.tools)
    count = _write_pages(asked, pages)
    coverage = check(((page.url, page.path, text) for page, text in pages), book)
    dead = verify(book.cards, FolderSite(asked.site))
    return Injected(book, count, coverage, dead, built.problems, tuple(warnings))


def _with_ids(source: Source) -> tuple[list[tuple[PageFile, str]], list[Problem]]:
    """Every page of the book, with an id on each block that had none."""
    pages: list[tuple[PageFile, str]] = []
    problems: list[Problem] = []
    for page in source.files:
        try:
            text = source.read(page).decode("utf-8")
        except UnicodeDecodeError as wrong:
            problems.append(Problem(page.path, 0, f"is not UTF-8 ({wrong.reason} at byte {wrong.start}); left as it is"))
            continue
        pages.append((page, add_ids(text, main=True)[0]))
    return pages, problems


def _slug(source: Source, pages: Sequence[tuple[PageFile, str]]) -> str:
    """The folder's name, unless it is one that every generator uses."""
    from askbook.builder.books import is_unbound

    if not is_unbound(source.name):
        return source.name
    parent = source.where.resolve().parent.name.lower()
    return "".join(sign if sign.isalnum() else "-" for sign in parent).strip("-") or "book"


def _write_outputs(asked: Injection, book: Book) -> None:
    switches = asked.features.outputs
    made = outputs(
        [part(book, base=asked.base_url, full=switches.llms_full_txt)],
        switches,
        title=book.title,
        base=asked.base_url,
        name=book.book,
    )
    for name, data in made.items():
        replace_file(asked.site / name if name in ROOT_OUTPUTS else asked.site / INDEX_FOLDER / name, data)


def _write_pages(asked: Injection, pages: Sequence[tuple[PageFile, str]]) -> int:
    """Write the pages of the book, and the others of the site, with the script in them."""
    texts = {page.path: text for page, text in pages}
    count = 0
    for path in _html_files(asked.site):
        file = asked.site / path
        before = file.read_bytes()
        try:
            text = texts.get(path) or before.decode("utf-8")
        except UnicodeDecodeError:
            continue
        root = _root(path, asked.base_url)
        if root is None:
            continue
        after = _finish(text, root, asked).encode()
        count += 1
        if after != before:
            replace_file(file, after)
    return count


def _html_files(site: Path) -> list[str]:
    """Pages of a site, what we put there ourselves left out."""
    found = [
        path.relative_to(site).as_posix() for path in site.rglob("*.htm*") if path.is_file() and path.suffix in (".html", ".htm")
    ]
    return sorted(path for path in found if not path.startswith((f"{FOLDER}/", f"{INDEX_FOLDER}/")))


def _root(path: str, base_url: str) -> str | None:
    """The way from a page to the site's root; None where it cannot be known."""
    if os.path.basename(path) in _MOVING:
        return f"{base_url.rstrip('/')}/" if base_url else None
    return relative_root(unquote(site_url(path)))


def _finish(text: str, root: str, asked: Injection) -> str:
    text = add_entry(text, root)
    if not asked.policy:
        return text
    return add_policy(text, policy_text(page_needs(text), connect=asked.connect))
