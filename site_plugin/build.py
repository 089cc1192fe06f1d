"""One build of a site: takes pages pass by pass, writes books, outputs and the client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from askbook.builder.blocks import NavEntry, Problem
from askbook.builder.features import Features
from askbook.builder.outputs import Part, outputs, part
from askbook.core.schema import Book

from .assets import VENDORED, package_version, write_assets
from .books import INDEX_FOLDER, Memory, Volume, book_key, copy_index, replace_file
from .language import language
from .pages import Pages
from .stamp import code_stamp

ROOT_OUTPUTS = ("llms.txt", "llms-full.txt")
"""Outputs that belong at the root of a site, by convention."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the author chose, apart from MkDocs."""

    features: Features = field(default_factory=Features)
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the panel, as `site.js` has them."""
    runtime: str = VENDORED
    cache: Path | None = None
    title: str = ""
    """Of the site."""
    summary: str = ""
    address: str = ""
    """Of the site, where it is known."""
    coverage: bool = True


@dataclass(slots=True)
class Report:
    """What a build has to say."""

    warnings: list[str] = field(default_factory=list)
    """Things an author can mend."""
    notes: list[str] = field(default_factory=list)
    """Things to know."""


class Build:
    """Keeps what the passes of a build have read; lives as long as the process, so that `serve` makes anew only what changed."""

    def __init__(self) -> None:
        self.settings = Settings()
        self._passes: dict[str, tuple[Pages, Memory]] = {}
        self._written: dict[str, tuple[Volume, Part]] = {}
        self._version = f"{package_version()}+{code_stamp()}"

    def pages(self, name: str, volume: Volume) -> Pages:
        """The pages of one pass, by the name of its language."""
        if name not in self._passes:
            cache = self.settings.cache
            memory = Memory(cache / f"{volume.name}.pages.json" if cache else None, self._version)
            memory.load()
            self._passes[name] = (Pages(known=memory.pages), memory)
        return self._passes[name][0]

    def finish(self, site: Path, name: str, volume: Volume, *, entries: Sequence[NavEntry], order: Sequence[str]) -> Report:
        """Write the book of one pass, beside those of the passes before it."""
        report = Report()
        pages = self.pages(name, volume)
        pages.keep(order)
        memory = self._passes[name][1]
        store = self.settings.cache / "index" if self.settings.cache else site / INDEX_FOLDER
        if self._write(volume, pages, memory, store, entries, order, report):
            self._written[name] = (replace(volume, lang=memory.lang), Part(**memory.part))
            copy_index(store, site / INDEX_FOLDER, memory.files, [each.name for each, _ in self._written.values()])
        report.warnings += [describe(problem) for problem in memory.warnings]
        self._outputs(site, report)
        report.warnings += write_assets(
            site, settings=self._site_settings(), runtime=self.settings.runtime, tools=self.settings.features.tools
        )
        return report

    def _write(
        self,
        volume: Volume,
        pages: Pages,
        memory: Memory,
        store: Path,
        entries: Sequence[NavEntry],
        order: Sequence[str],
        report: Report,
    ) -> bool:
        """Make sure that the store holds the book as the pages are now; say whether it holds one."""
        settings = self.settings
        switches = (settings.features.cards, settings.features.kinds, settings.features.outputs, settings.address)
        key = book_key(volume, pages, entries=entries, order=order, settings=switches)
        kept = memory.files and all((store / file).is_file() for file in memory.files)
        if key == memory.key and kept:
            return True
        book, memory.warnings = self._cut(volume, pages, entries, order)
        if not book.cards and not memory.warnings:
            memory.warnings = (Problem("", 0, f"no page of {volume.title!r} has text, so there is nothing to ask"),)
        if not book.cards or any(problem.fatal for problem in memory.warnings):
            return bool(kept)
        self._check(book, pages, order, report)
        from askbook.builder.index.write import encode, write_files

        files = encode(book)
        write_files([(book, files)], store)
        made = part(
            book,
            base=settings.address,
            hash_=index_hash(files, book.name),
            full=settings.features.outputs.llms_full_txt,
        )
        memory.key, memory.files, memory.pages = key, tuple(sorted(files)), pages.remembered()
        memory.lang, memory.part = book.lang, asdict(made)
        memory.save()
        return True

    def _cut(
        self, volume: Volume, pages: Pages, entries: Sequence[NavEntry], order: Sequence[str]
    ) -> tuple[Book, tuple[Problem, ...]]:
        from askbook.builder.cards import assemble
        from askbook.builder.kinds import DEFAULT_KINDS
        from askbook.builder.pagecut import CutOptions

        switches = self.settings.features
        kinds = DEFAULT_KINDS.changed(switches.kinds.names, off=switches.kinds.off)
        options = CutOptions(switches.cards.tokens, switches.cards.overlap, kinds)
        works = [pages.works[file] for file in order if file in pages.works]
        cuts = [work.cut(options) for work in works]
        lang = language(volume.lang, (card.text for cut in cuts for card in cut.cards))
        book, problems = assemble(cuts, col=volume.col, book=volume.book, title=volume.title, lang=lang, nav=entries)
        return replace(book, authors=volume.authors or book.authors), problems

    def _check(self, book: Book, pages: Pages, order: Sequence[str], report: Report) -> None:
        """Say what no card holds; no fault of an author, so it never fails a build."""
        if not self.settings.coverage:
            return
        from askbook.builder.coverage import check

        works = [pages.works[file] for file in order if file in pages.works]
        coverage = check(((work.url, work.file, work.source) for work in works), book, whole=False)
        report.notes += [f"{gap.file}: no card holds {gap.text[:60]!r} (HTML line {gap.line})" for gap in coverage.uncovered[:20]]
        report.notes.append(f"{book.name}: {len(book.cards)} cards of {len(works)} pages, {coverage.share:.2%} of the text")

    def _outputs(self, site: Path, report: Report) -> None:
        settings = self.settings
        parts = [each for _, (_, each) in sorted(self._written.items())]
        if not parts:
            return
        made = outputs(
            parts, settings.features.outputs, title=settings.title, base=settings.address, summary=settings.summary, name="book"
        )
        for name, data in made.items():
            target = site / name if name in ROOT_OUTPUTS else site / INDEX_FOLDER / name
            if name in ROOT_OUTPUTS and target.is_file() and not data.startswith(target.read_bytes()[:40]):
                report.warnings.append(
                    f"the site has its own {name}; switch [outputs] {name.replace('-', '_').replace('.', '_')} off"
                )
                continue
            replace_file(target, data)

    def _site_settings(self) -> dict[str, object]:
        books = [
            {
                "col": volume.col,
                "book": volume.book,
                "title": volume.title,
                "lang": volume.lang,
                "index": f"{INDEX_FOLDER}/{volume.name}.json",
            }
            for _, (volume, _) in sorted(self._written.items())
        ]
        return {"books": books, "features": {}, "options": dict(self.settings.options)}


def index_hash(files: Mapping[str, bytes], name: str) -> str:
    """The hash an index file names itself by."""
    return str(orjson.loads(files[f"{name}.json"]).get("hash", ""))


def describe(problem: Problem) -> str:
    """A problem as one line."""
    place = f"{problem.file}:{problem.line}" if problem.line else problem.file
    return f"{place}: {problem.message}" if place else problem.message
