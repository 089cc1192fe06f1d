"""One SOURCE from the command line to its index: build, check, write, report."""

from __future__ import annotations

import posixpath
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from askbook.core.errors import ContentError
from askbook.core.schema import Book

from .blocks import Problem
from .books import FOUND_OUT, SWITCHES, PageFile, Source, open_like, suffix_switch
from .build import Built, Named, build_book, page_digest, read_data
from .cache import PageCache
from .collector import uncollected
from .drafts import CutOptions
from .features import Features
from .index.editions import Outline, Pairs, editions, outline, paired
from .index.memory import Memory
from .index.write import encode, listed, write_files
from .index.write import replace as write_whole
from .outputs import Part, outputs, part
from .packing import packed
from .report import BookReport, chapter_warning, equal_titles, kinds_of

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
    sized: bool = True
    """Whether anybody will read how large the files are when compressed."""
    pairs: Pairs = ()
    """Titles of this book and its edition in another language, when both are built."""
    cached: int | None = None
    """How many pages were known before the outline was taken."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it."""

    report: BookReport | None
    problems: tuple[Problem, ...]
    failed: bool = False
    part: Part | None = None
    """For `llms.txt` and the manifest; None when the earlier index stays."""


def run(order: Order, progress: Callable[[int, int], None] | None = None, say: Callable[[str], None] | None = None) -> Outcome:
    """Build one book and write its index, unless something fatal is wrong with it."""
    with uncollected():
        return _run(order, progress, say)


def _run(order: Order, progress: Callable[[int, int], None] | None, say: Callable[[str], None] | None) -> Outcome:
    started = time.perf_counter()
    try:
        source = _opened(order)
    except ContentError as wrong:
        return Outcome(None, (Problem(wrong.file, wrong.line, str(wrong), fatal=True),), failed=True)
    if not source.files and not source.problems:
        return Outcome(None, (Problem(str(order.source), 0, "is passed over: features.toml switches its format off"),))
    data, unread = read_data(source)
    if say is not None:
        for page, content in data:
            say(f"{source.shown}{page.path}: {len(content):,} bytes, {page.url or '/'}")
    cache = _cache(order, source)
    key = _key(order, source, data, unread)
    if (known := _unchanged(order, cache, key, started, len(data))) is not None:
        return known
    named = Named(order.col, order.book, order.title, order.lang)
    built = build_book(source, named, order.options, cache=cache, data=data, problems=unread, jobs=order.jobs, progress=progress)
    if order.pairs:
        built = replace(built, book=paired(built.book, order.pairs))
    if order.cached is not None:
        built = replace(built, cached_pages=order.cached)
    return _finished(order, source, data, built, cache, key, started)


def look(order: Order, progress: Callable[[int, int], None] | None = None) -> tuple[Outline | None, int]:
    """Take a book's outline and say how many pages were known; its pages are kept in the cache."""
    try:
        source = _opened(order)
    except ContentError:
        return None, 0
    data, unread = read_data(source)
    cache = _cache(order, source)
    key = _key(order, source, data, unread)
    known = cache.notes.get("outline")
    if known and known["key"] == key:
        return Outline(order.col, known["lang"], known["titles"]), len(data)
    named = Named(order.col, order.book, order.title, order.lang)
    built = build_book(source, named, order.options, cache=cache, data=data, problems=unread, jobs=order.jobs, progress=progress)
    if built.fatal:
        return None, built.cached_pages
    found = outline(built.book)
    cache.save({**cache.notes, "outline": {"key": key, "lang": found.lang, "titles": found.titles}})
    return found, built.cached_pages


def with_editions(orders: Sequence[Order], progress: Sequence[Callable[[int, int], None] | None]) -> list[Order]:
    """Orders of books that are built together, told the titles of each other's editions; needs a cache."""
    looks = [look(order, show) for order, show in zip(orders, progress, strict=True)]
    found = editions([outline for outline, _ in looks])
    return [replace(order, pairs=own, cached=seen) for order, own, (_, seen) in zip(orders, found, looks, strict=True)]


def _cache(order: Order, source: Source) -> PageCache:
    settings = f"{order.options.signature()} {source.format} {source.dialect.signature()} {source.shown}"
    return PageCache(order.cache, f"{order.col}-{order.book}", settings)


def _opened(order: Order) -> Source:
    source = open_like(order.source, format_=order.format, site=order.verify)
    formats = order.features.formats
    own = SWITCHES[source.format] if order.format or source.format not in FOUND_OUT else "markdown"
    files = tuple(page for page in source.files if getattr(formats, suffix_switch(page.path) or own))
    shown = f"{order.source}/" if source.format == "epub" else f"{_before(order.source)}{source.shown}"
    named = tuple(replace(each, file=posixpath.normpath(shown + each.file)) if each.file else each for each in source.problems)
    names = order.features.kinds.names
    dialect = replace(source.dialect, kinds=order.options.kinds, names=names)
    return replace(source, files=files, dialect=dialect, shown=shown, problems=named)


def _before(source: Path) -> str:
    """What stands before the paths of a book's pages, so that they can be opened from here."""
    folder = source if source.is_dir() else source.parent
    return "" if folder == Path() else f"{folder.as_posix()}/"


def _key(order: Order, source: Source, data: Sequence[tuple[PageFile, bytes]], unread: Sequence[Problem]) -> str:
    """What an index is made of: when none of it has changed, the index has not."""
    pages = [page_digest(page, content) for page, content in data]
    facts = (
        order.title,
        order.lang,
        order.base_url,
        repr(order.features.outputs),
        source.title,
        source.lang,
        repr(source.authors),
        repr(order.pairs),
    )
    return sha256("\n".join([*facts, repr(source.nav), repr(source.problems), repr(unread), *pages]).encode()).hexdigest()


def _unchanged(order: Order, cache: PageCache, key: str, started: float, pages: int) -> Outcome | None:
    """What the last build said, when nothing has changed and what it wrote is still there."""
    notes = cache.notes
    if order.verify or order.golden or notes.get("key") != key or not _still_there(order.out, notes["files"]):
        return None
    report = BookReport(**{**notes["report"], "warnings": tuple(Problem(*row) for row in notes["report"]["warnings"])})
    if order.strict and (report.warnings or report.uncovered):
        return None
    report = replace(
        report,
        file=str(order.out / f"{report.col}-{report.book}.json"),
        gzip_bytes=report.gzip_bytes
        or (packed((order.out / name).read_bytes() for name in notes["files"]) if order.sized else 0),
        seconds=time.perf_counter() - started,
        cached_pages=pages,
    )
    return Outcome(report, report.warnings, part=Part(**orjson.loads(notes["part"])))


def _still_there(out: Path, files: Mapping[str, str]) -> bool:
    try:
        listed = {entry["file"] for entry in orjson.loads((out / "books.json").read_bytes())["books"]}
        return next(iter(files)) in listed and all(
            sha256((out / name).read_bytes()).hexdigest() == digest for name, digest in files.items()
        )
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _finished(
    order: Order, source: Source, data: list[tuple[PageFile, bytes]], built: Built, cache: PageCache, key: str, started: float
) -> Outcome:
    book = built.book
    problems = [*built.problems, *chapter_warning(book)]
    memory = cache.terms()
    unreadable = {problem.file for problem in problems if problem.fatal}
    readable = [(page, content) for page, content in data if source.shown + page.path not in unreadable]
    covered, uncovered = _coverage(source, readable, book, memory)
    dead = _dead(order, book)
    failed = built.fatal or bool(dead) or (order.strict and bool(problems or uncovered))
    files = {} if failed else encode(book, memory)
    if order.golden and files:
        from .golden import check_golden

        found = list(check_golden(order.golden, files))
        problems += found
        failed = bool(found)
    if not failed:
        write_files([(listed(book, files), files)], order.out)
    raw, small = sum(map(len, files.values())), packed(files.values(), memory) if order.sized else 0
    report = BookReport(
        book.col, book.book, book.title, None if failed else str(order.out / f"{book.name}.json"), len(book.pages),
        len(book.cards), kinds_of(book.cards), covered, uncovered, dead, raw, small, time.perf_counter() - started,
        built.cached_pages, tuple(problems), equal_titles(book.cards),
    )  # fmt: skip
    if failed:
        cache.save({})
        return Outcome(report, tuple(problems), failed=True)
    made = _part(order, book, files)
    cache.save(_notes(key, files, report, made) | {"outline": cache.notes.get("outline")})
    memory.save()
    return Outcome(report, tuple(problems), part=made)


def _part(order: Order, book: Book, files: Mapping[str, bytes]) -> Part:
    hash_ = str(orjson.loads(files[f"{book.name}.json"]).get("hash", ""))
    return part(book, base=order.base_url, hash_=hash_, full=order.features.outputs.llms_full_txt)


def _notes(key: str, files: Mapping[str, bytes], report: BookReport, made: Part) -> dict[str, Any]:
    shown = asdict(report)
    shown["warnings"] = tuple(tuple(row.values()) for row in shown["warnings"])
    digests = {name: sha256(content).hexdigest() for name, content in files.items()}
    return {"key": key, "files": digests, "report": shown, "part": orjson.dumps(asdict(made))}


def _coverage(source: Source, data: Iterable[tuple[PageFile, bytes]], book: Book, memory: Memory) -> tuple[float, Lost]:
    """How much of the pages stands in cards: of built pages as a browser shows them, of sources by their words."""
    if source.format == "jsonl":
        return 1.0, ()
    pages = ((page.url, source.shown + page.path, content.decode("utf-8", "replace")) for page, content in data)
    if source.format in ("html", "epub"):
        from .coverage import check

        found = check(pages, book, memory=memory)
        return found.share, tuple((each.file, each.line, each.text) for each in found.uncovered)
    from .coverage_source import check_sources

    return check_sources(pages, book, memory, dialect=source.dialect)


def _dead(order: Order, book: Book) -> tuple[tuple[str, str], ...]:
    if order.verify is None:
        return ()
    from .verify import open_site, verify

    return tuple((each.card, each.url) for each in verify(book.cards, open_site(order.verify), base=order.base_url.lstrip("/")))


def write_outputs(out: Path, features: Features, parts: Sequence[Part], *, base: str) -> None:
    """Write `llms.txt` and the manifests of one run; the manifest keeps books that earlier runs wrote there."""
    switches = features.outputs
    if not parts or not (switches.llms_txt or switches.llms_full_txt or switches.book_json or switches.mcp_json):
        return
    titles = [str(each.entry["title"]) for each in parts]
    made = outputs(parts, switches, title=titles[0] if len(titles) == 1 else "Books", base=base, name=str(parts[0].entry["book"]))
    if "book.json" in made:
        from .outputs import book_json

        made["book.json"] = book_json([*_earlier(out, parts), *parts])
    for name, content in made.items():
        write_whole(out / name, content)


def _earlier(out: Path, parts: Sequence[Part]) -> list[Part]:
    """Books of the manifest that are not written anew and whose index is still there."""
    new = {each.entry["index"] for each in parts}
    try:
        collections = orjson.loads((out / "book.json").read_bytes())["collections"]
        entries = [entry for collection in collections for entry in collection["books"]]
        return [Part("", "", entry) for entry in entries if entry["index"] not in new and (out / entry["index"]).is_file()]
    except (OSError, ValueError, KeyError, TypeError):
        return []
