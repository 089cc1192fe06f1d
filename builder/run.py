"""One SOURCE from the command line to its index: build, check, write, report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from askbook.core.errors import ContentError
from askbook.core.schema import Book

from .blocks import Problem
from .books import SWITCHES, PageFile, Source, open_source
from .build import Built, Named, build_book, read_data
from .cache import PageCache
from .features import Features
from .index.write import encode, write_files
from .outputs import outputs, part
from .pagecut import CutOptions
from .report import BookReport, chapter_warning, equal_titles, kinds_of, sizes

Lost = tuple[tuple[str, int, str], ...]
"""File, line and text of what no card holds."""


@dataclass(frozen=True, slots=True)
class Order:
    """What the author asked for."""

    source: Path
    format: str
    out: Path
    col: str
    book: str
    title: str
    lang: str
    base_url: str
    features: Features
    options: CutOptions
    jobs: int = 1
    cache: Path | None = None
    verify: Path | None = None
    golden: Path | None = None
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it."""

    report: BookReport | None
    problems: tuple[Problem, ...]
    failed: bool = False


def run(order: Order, progress: Callable[[int, int], None] | None = None, say: Callable[[str], None] | None = None) -> Outcome:
    """Build one book and write its index, unless something fatal is wrong with it."""
    started = time.perf_counter()
    try:
        source = _opened(order)
    except ContentError as wrong:
        return Outcome(None, (Problem(wrong.file, wrong.line, str(wrong), fatal=True),), failed=True)
    data, unread = read_data(source)
    if say is not None:
        for page, content in data:
            say(f"{source.shown}{page.path}: {len(content):,} bytes, {page.url or '/'}")
    settings = f"{order.options.signature()} {source.format} {source.dialect!r} {source.shown}"
    cache = PageCache(order.cache, f"{order.col}-{order.book}", settings)
    named = Named(order.col, order.book, order.title, order.lang)
    built = build_book(source, named, order.options, cache=cache, data=data, problems=unread, jobs=order.jobs, progress=progress)
    return _finished(order, source, data, built, cache, started)


def _opened(order: Order) -> Source:
    source = open_source(order.source, format_=order.format)
    switch = SWITCHES.get(source.format, "")
    if not getattr(order.features.formats, switch, True):
        raise ContentError(f"is a source of the format {switch!r}, which features.toml switches off", file=str(order.source))
    prefix = "" if order.source.is_file() and source.format != "epub" else f"{order.source}/"
    names = order.features.kinds.names
    dialect = replace(source.dialect, kinds=order.options.kinds, names=names)
    return replace(source, dialect=dialect, shown=f"{prefix}{source.shown}" if source.format != "epub" else f"{order.source}/")


def _finished(
    order: Order, source: Source, data: list[tuple[PageFile, bytes]], built: Built, cache: PageCache, started: float
) -> Outcome:
    book = built.book
    problems = [*built.problems, *chapter_warning(book)]
    covered, uncovered = _coverage(source, data, book)
    dead = _dead(order, book)
    failed = built.fatal or bool(dead) or (order.strict and bool(problems or uncovered))
    files = encode(book)
    if not failed:
        write_files([(book, files)], order.out)
        _write_outputs(order, book, files)
    cache.save({})
    raw, packed = sizes(files)
    written = None if failed else str(order.out / f"{book.name}.json")
    report = BookReport(
        book.col, book.book, book.title, written, len(book.pages), len(book.cards),
        kinds_of(book.cards), covered, uncovered, dead, raw, packed, time.perf_counter() - started, built.cached_pages,
        tuple(problems), equal_titles(book.cards),
    )  # fmt: skip
    return Outcome(report, tuple(problems), failed)


def _coverage(
    source: Source, data: Iterable[tuple[PageFile, bytes]], book: Book
) -> tuple[float, tuple[tuple[str, int, str], ...]]:
    """How much of the pages stands in cards: of built pages as a browser shows them, of sources by their words."""
    if source.format == "jsonl":
        return 1.0, ()
    if source.format in ("html", "epub"):
        from .coverage import check

        pages = ((page.url, source.shown + page.path, content.decode("utf-8", "replace")) for page, content in data)
        found = check(pages, book)
        return found.share, tuple((each.file, each.line, each.text) for each in found.uncovered)
    from .coverage_source import check_sources

    texts = ((page.url, source.shown + page.path, content.decode("utf-8", "replace")) for page, content in data)
    return check_sources(texts, book)


def _dead(order: Order, book: Book) -> tuple[tuple[str, str], ...]:
    if order.verify is None:
        return ()
    from .verify import open_site, verify

    return tuple((each.card, each.url) for each in verify(book.cards, open_site(order.verify), base=order.base_url.lstrip("/")))


def _write_outputs(order: Order, book: Book, files: Any) -> None:
    """`llms.txt` and the manifests, as far as they are switched on."""
    switches = order.features.outputs
    if not (switches.llms_txt or switches.llms_full_txt or switches.book_json or switches.mcp_json):
        return
    made = outputs(
        [part(book, base=order.base_url, full=switches.llms_full_txt)],
        switches,
        title=book.title,
        base=order.base_url,
        name=book.book,
    )
    from .index.write import replace as write_whole

    for name, content in made.items():
        write_whole(order.out / name, content)
