"""The pages of one pass of a build: their blocks, made once, and remembered between builds as long as the page stays."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

from askbook.builder.blocks import Block, Heading, Page

if TYPE_CHECKING:  # what reads and cuts pages is loaded when a page has changed
    from askbook.builder.drafts import CutOptions, PageCut

_ADDED = re.compile(r' id="ask-[0-9a-f]{8}(?:-\d+)?"')

Insertions = tuple[tuple[int, str], ...]
"""Where a page's HTML gets which text: the new ids, by place in the source."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a page's front matter says."""

    terms: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    lang: str = ""


@dataclass(slots=True)
class Work:
    """One page as it came from the site generator, and what was made of it."""

    file: str
    url: str
    title: str
    """As the author gave it; empty where the first heading says it."""
    fallback: str
    """Where there is no heading either."""
    shown: str
    """The heading a theme puts on a page that has none."""
    digest: str
    """Of the rendered HTML."""
    insertions: Insertions | None
    """None where the HTML had to be written anew."""
    source: str
    blocks: tuple[Block, ...] | None = None
    """None until somebody asks, for a page known from an earlier build."""
    facts: Facts = Facts()
    _cut: tuple[CutOptions, PageCut] | None = None

    def cut(self, options: CutOptions) -> PageCut:
        """The page as drafts of cards; made once for the same options."""
        from askbook.builder.chunkers.html import add_ids, first_title
        from askbook.builder.pagecut import cut_page

        if self._cut is None or self._cut[0] != options:
            if self.blocks is None:
                self.blocks = add_ids(self.source)[1]
            blocks = (Heading(1, self.shown, ""), *self.blocks) if self.shown else self.blocks
            facts = self.facts
            page = Page(
                self.url,
                self.title or first_title(blocks) or self.fallback,
                blocks,
                file=self.file,
                terms=facts.terms,
                authors=facts.authors,
                lang=facts.lang,
            )
            self._cut = (options, cut_page(page, options))
        return self._cut[1]

    def stamp(self) -> tuple[object, ...]:
        """All that the book depends on."""
        return (self.file, self.url, self.title, self.fallback, self.shown, self.digest, self.facts)


@dataclass(slots=True)
class Pages:
    """The pages of one language, by source path."""

    known: Mapping[str, tuple[str, Insertions]] = field(default_factory=dict)
    """From an earlier build: digest and insertions of each page."""
    works: dict[str, Work] = field(default_factory=dict)

    def take(self, source: str, *, file: str, url: str, title: str, fallback: str, shown: str, facts: Facts) -> str:
        """Read a rendered page; return it with an id on every block."""
        digest = blake2b(source.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        earlier = self.works.get(file)
        known = (earlier.digest, earlier.insertions) if earlier else self.known.get(file)
        same = earlier is not None and earlier.stamp() == (file, url, title, fallback, shown, digest, facts)
        if same and earlier is not None and earlier.insertions is not None:
            return insert(source, earlier.insertions)
        blocks = None
        insertions = known[1] if known and known[0] == digest else None
        if insertions is not None:
            written = insert(source, insertions)
        else:
            from askbook.builder.chunkers.html import add_ids

            written, blocks = add_ids(source)
            insertions = difference(source, written)
        self.works[file] = Work(file, url, title, fallback, shown, digest, insertions, source, blocks, facts)
        return written

    def adopt(self, page: str, *, file: str, url: str) -> None:
        """Take a page as an earlier build left it in the site; its ids are there already."""
        from askbook.builder.chunkers.html import chunk

        read = chunk(page, url=url, file=file)
        digest = blake2b(repr(read.blocks).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        self.works[file] = Work(file, url, "", read.title, "", digest, None, "", read.blocks)

    def drop(self, file: str) -> None:
        """Forget a page that its author has taken out."""
        self.works.pop(file, None)

    def keep(self, files: Sequence[str]) -> None:
        """Forget pages that are no longer part of the site."""
        there = set(files)
        self.works = {file: work for file, work in self.works.items() if file in there}

    def remembered(self) -> dict[str, tuple[str, Insertions]]:
        """What the next build may use."""
        return {file: (work.digest, work.insertions) for file, work in sorted(self.works.items()) if work.insertions is not None}


def insert(source: str, insertions: Insertions) -> str:
    """Put texts into a source at their places."""
    pieces, last = [], 0
    for place, text in insertions:
        pieces += [source[last:place], text]
        last = place
    return "".join([*pieces, source[last:]])


def difference(source: str, written: str) -> Insertions | None:
    """Find what was inserted; None where more than insertions was done."""
    found: list[tuple[int, str]] = []
    here = there = 0
    for piece in _ADDED.finditer(written):
        length = piece.start() - there
        if source[here : here + length] != written[there : piece.start()]:
            return None
        here += length
        if source.startswith(piece[0], here):
            here += len(piece[0])
        else:
            found.append((here, piece[0]))
        there = piece.end()
    return tuple(found) if source[here:] == written[there:] else None
