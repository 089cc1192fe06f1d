"""Build one book: find its pages, read those that changed, cut them, join the cards, check them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

from askbook.core.errors import ContentError
from askbook.core.schema import Book

from .blocks import Problem
from .books import NOTEBOOKS, PageFile, Source, read_page
from .cache import Entry, PageCache
from .cards import assemble
from .collector import uncollected
from .drafts import CutOptions
from .files import decode
from .includes import take_in
from .languages import book_language, normal
from .pagecut import cut_page


@dataclass(frozen=True, slots=True)
class Named:
    """What a book is called."""

    col: str
    book: str
    title: str = ""
    lang: str = "auto"


@dataclass(frozen=True, slots=True)
class Built:
    """A book, and what was wrong with it."""

    book: Book
    problems: tuple[Problem, ...]
    cached_pages: int = 0

    @property
    def fatal(self) -> bool:
        """Whether the earlier index has to stay."""
        return any(problem.fatal for problem in self.problems)


Progress = Callable[[int, int], None]
"""Told how many pages are done, of how many."""


def build_book(
    source: Source,
    named: Named,
    options: CutOptions,
    *,
    cache: PageCache,
    data: Sequence[tuple[PageFile, bytes]],
    problems: Iterable[Problem] = (),
    jobs: int = 1,
    progress: Progress | None = None,
) -> Built:
    """Build a book of pages that have been read from disk."""
    found = [*source.problems, *problems]
    if source.format == "jsonl":
        return _ready(source, named, data, found)
    with uncollected():
        return _build(source, named, options, cache, data, found, jobs, progress)


def _build(
    source: Source,
    named: Named,
    options: CutOptions,
    cache: PageCache,
    data: Sequence[tuple[PageFile, bytes]],
    found: list[Problem],
    jobs: int,
    progress: Progress | None,
) -> Built:
    entries: dict[str, Entry] = {}
    missing: list[tuple[PageFile, bytes, str]] = []
    for page, content in data:
        digest = page_digest(page, content)
        entry = cache.get(page.path, digest)
        if entry is None:
            missing.append((page, content, digest))
        else:
            entries[page.path] = entry
    cached = len(entries)
    for done, (page, digest, entry) in enumerate(_cut(source, options, missing, jobs), 1):
        entries[page.path] = entry
        if not any(problem.fatal for problem in entry[1]):
            cache.put(page.path, digest, entry)
        if progress is not None:
            progress(cached + done, len(data))
    cuts = []
    for page, _ in data:
        cut, own = entries[page.path]
        found.extend(own)
        cuts.append(cut)
    found.extend(_equal_addresses(source))
    lang = normal(named.lang) if named.lang != "auto" else book_language(
        [source.lang, *(cut.lang for cut in cuts)], (card.text for cut in cuts for card in cut.cards)
    )  # fmt: skip
    title = named.title or source.title or _first_title(cuts) or source.name
    book, own_problems = assemble(cuts, col=named.col, book=named.book, title=title, lang=lang, nav=source.nav)
    if source.authors:
        book = replace(book, authors=tuple(dict.fromkeys((*source.authors, *book.authors))))
    found.extend(own_problems)
    if data and not any(card.text for card in book.cards) and not any(problem.fatal for problem in found):
        found.append(Problem(cuts[0].file, 1, "the book holds no text, titles or pictures alone: nothing will be found in it"))
    return Built(book, tuple(dict.fromkeys(found)), cached)


def page_digest(page: PageFile, content: bytes) -> str:
    """What a page's cache entry is known by."""
    told = (page.path.encode("utf-8", "surrogateescape"), page.url.encode(), page.title.encode("utf-8", "surrogatepass"))
    return sha256(b"\0".join((*told, content))).hexdigest()


def read_data(source: Source) -> tuple[list[tuple[PageFile, bytes]], list[Problem]]:
    """Read every page's bytes; pages that cannot be read are fatal problems."""
    data: list[tuple[PageFile, bytes]] = []
    problems: list[Problem] = []
    lost: list[tuple[PageFile, str]] = []
    for page in source.files:
        try:
            content = source.read(page)
            if source.includes is not None and not page.path.endswith(NOTEBOOKS):
                content, missing = take_in(content, page.path, source.includes)
                lost += ((page, name) for name in missing)
            data.append((page, content))
        except ContentError as wrong:
            file = source.shown + wrong.file if wrong.file == page.path else wrong.file
            problems.append(Problem(file, wrong.line, str(wrong), fatal=True))
    if lost:
        page, name = lost[0]
        more = f", and so in {len(lost) - 1:,} more places" if len(lost) > 1 else ""
        problems.append(Problem(source.shown + page.path, 1, f"takes in {name!r}, which is no file of the project{more}"))
    return data, problems


def _ready(source: Source, named: Named, data: Sequence[tuple[PageFile, bytes]], found: list[Problem]) -> Built:
    """Cards that something else has cut."""
    from .chunkers import jsonl

    shown = source.shown + source.where.name
    text = ""
    try:
        text = decode(data[0][1], shown) if data else ""
    except ContentError as wrong:
        found.append(Problem(wrong.file, wrong.line, str(wrong), fatal=True))
    title = named.title or source.title or source.name
    book, problems = jsonl.read(text, col=named.col, book=named.book, title=title, lang=named.lang, file=shown)
    lang = normal(named.lang) if named.lang != "auto" else book_language([], (card.text for card in book.cards))
    found.extend(problems)
    if not book.cards and not any(problem.fatal for problem in found):
        found.append(Problem(shown, 1, "holds no card", fatal=True))
    return Built(replace(book, lang=lang), tuple(found))


def _cut(
    source: Source, options: CutOptions, missing: Sequence[tuple[PageFile, bytes, str]], jobs: int
) -> Iterator[tuple[PageFile, str, Entry]]:
    """Read and cut pages, in order whatever the number of jobs."""
    bare = replace(source, read=_no_read, nav=(), problems=(), files=())
    work = partial(cut_one, bare, options)
    if jobs > 1 and len(missing) > 2 * jobs:
        with ProcessPoolExecutor(jobs) as pool:
            made = pool.map(work, missing, chunksize=max(1, len(missing) // (jobs * 8)))
            for (page, _, digest), entry in zip(missing, made, strict=True):
                yield page, digest, entry
        return
    for item in missing:
        yield item[0], item[2], work(item)


def _no_read(_: PageFile) -> bytes:
    raise AssertionError("pages are read before they are cut")


def cut_one(source: Source, options: CutOptions, item: tuple[PageFile, bytes, str]) -> Entry:
    """Read and cut one page; one that cannot be read becomes a problem and an empty page."""
    from .blocks import Page

    page, content, _ = item
    try:
        made, problems = read_page(source, page, content)
    except ContentError as wrong:
        empty = Page(page.url, "", (), file=source.shown + page.path)
        return cut_page(empty, options), (Problem(wrong.file, wrong.line, str(wrong), fatal=True),)
    return cut_page(made, options), problems


def _equal_addresses(source: Source) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for page in source.files:
        other = seen.setdefault(page.url, page.path)
        if other != page.path:
            yield Problem(source.shown + page.path, 1, f"has the same address as {other!r}: {page.url!r}")


def _first_title(cuts: Sequence[object]) -> str:
    """The title of the book's first page, when it has an index page of its own."""
    for cut in cuts:
        url, title = getattr(cut, "url", ""), getattr(cut, "title", "")
        if url in ("", "index.html") and title:
            return str(title)
    return ""
