"""One build of a site: takes pages pass by pass, writes books, outputs and the client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from askbook.builder.blocks import NavEntry, Problem
from askbook.builder.features import Features
from askbook.builder.index.memory import Memory as Texts
from askbook.builder.outputs import Part, outputs, part
from askbook.core.schema import Book

from .ahead import Ahead, worth_it
from .assets import VENDORED, package_version, write_assets
from .books import INDEX_FOLDER, Memory, Volume, book_key, copy_index, index_hash, replace_file, site_settings
from .pages import Pages
from .siblings import Siblings, with_pairs
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


@dataclass(frozen=True, slots=True)
class Made:
    """The files of a book, not yet written; not the book itself, which would have to travel between processes."""

    problems: tuple[Problem, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Empty for a book that cannot be written."""
    part: Part = field(default_factory=lambda: Part("", "", {}))
    """What the book gives to the outputs."""
    entry: Mapping[str, Any] = field(default_factory=dict)
    """Its place in the manifest of indexes."""
    notes: tuple[str, ...] = ()


class Build:
    """Keeps what the passes of a build have read; lives as long as the process, so that `serve` makes anew only what changed."""

    def __init__(self) -> None:
        self.settings = Settings()
        self._passes: dict[str, tuple[Pages, Memory]] = {}
        self._written: dict[str, tuple[Volume, Part]] = {}
        self._ahead: dict[str, tuple[str, Ahead[Made]]] = {}
        self._terms: dict[str, Texts] = {}
        self._siblings = Siblings()
        self._version = f"{package_version()}+{code_stamp()}"

    def pages(self, name: str, volume: Volume) -> Pages:
        """The pages of one pass, by the name of its language."""
        if name not in self._passes:
            cache = self.settings.cache
            memory = Memory(cache / f"{volume.name}.pages.json" if cache else None, self._version)
            memory.load()
            self._passes[name] = (Pages(known=memory.pages), memory)
        return self._passes[name][0]

    def look(self, name: str, volume: Volume, *, entries: Sequence[NavEntry], order: Sequence[str]) -> None:
        """Take the outline of one of several books, so that its editions can pair their titles with it."""
        pages, memory = self.pages(name, volume), self._passes[name][1]
        pages.keep(order)
        key = self._key(volume, pages, entries, order)
        self._siblings.look(name, key, memory, lambda: self._cut(volume, pages, entries, order))

    def begin(self, name: str, volume: Volume, *, entries: Sequence[NavEntry], order: Sequence[str]) -> None:
        """Begin on the book of one pass, all of whose pages have been taken, unless it is known from an earlier build."""
        pages = self.pages(name, volume)
        pages.keep(order)
        own = self._key(volume, pages, entries, order)
        key = with_pairs(own, self._siblings.pairs(name))
        if key != self._passes[name][1].key and worth_it():
            import askbook.builder.index.write  # noqa: F401  both processes need it

            self._ahead[name] = (key, Ahead(lambda: self._make(name, own, volume, pages, entries, order)))

    def finish(self, site: Path, name: str, volume: Volume, *, entries: Sequence[NavEntry], order: Sequence[str]) -> Report:
        """Write the book of one pass, beside those of the passes before it."""
        report = Report()
        pages, memory = self.pages(name, volume), self._passes[name][1]
        pages.keep(order)
        own = self._key(volume, pages, entries, order)
        key = with_pairs(own, self._siblings.pairs(name))
        store = self.settings.cache / "index" if self.settings.cache else site / INDEX_FOLDER
        known = memory.files and all((store / file).is_file() for file in memory.files)
        if not known or key != memory.key:
            made = self._begun(name, key) or self._make(name, own, volume, pages, entries, order)
            known = self._keep(made, key, pages, memory, store) or known
            report.notes += made.notes
        if known:
            self._written[name] = (replace(volume, lang=memory.lang), Part(**memory.part))
            copy_index(store, site / INDEX_FOLDER, memory.files, [each.name for each, _ in self._written.values()])
        report.warnings += [describe(problem) for problem in memory.warnings]
        self._outputs(site, report)
        volumes = [written for _, (written, _) in sorted(self._written.items())]
        hashes = {written.name: str(each.entry["hash"]) for written, each in self._written.values()}
        report.warnings += write_assets(
            site,
            settings=site_settings(volumes, options=self.settings.options, hashes=hashes),
            runtime=self.settings.runtime,
            tools=self.settings.features.tools,
        )
        return report

    def _key(self, volume: Volume, pages: Pages, entries: Sequence[NavEntry], order: Sequence[str]) -> str:
        features = self.settings.features
        switches = (features.cards, features.kinds, features.outputs, self.settings.address)
        return book_key(volume, pages, entries=entries, order=order, settings=switches)

    def _begun(self, name: str, key: str) -> Made | None:
        """What was begun on early, if it is still what is wanted."""
        begun = self._ahead.pop(name, None)
        if begun is None:
            return None
        if begun[0] == key:
            return begun[1].result()
        begun[1].drop()
        return None

    def drop(self) -> None:
        """Leave what was begun on early: nobody will ask for it."""
        while self._ahead:
            self._ahead.popitem()[1][1].drop()

    def _make(self, name: str, key: str, volume: Volume, pages: Pages, entries: Sequence[NavEntry], order: Sequence[str]) -> Made:
        """Cut, check and encode a book; nothing is written."""
        book, problems = self._siblings.draft(name, key) or self._cut(volume, pages, entries, order)
        if not problems and not any(card.text for card in book.cards):
            problems = (Problem("", 0, f"no page of {volume.title!r} has text, so there is nothing to ask"),)
        if not book.cards or any(problem.fatal for problem in problems):
            return Made(problems)
        from askbook.builder.index.editions import paired
        from askbook.builder.index.write import listed

        book = paired(book, self._siblings.pairs(name))
        texts = self._texts(book)
        notes = self._check(book, pages, order, texts)
        files = self._encode(book, texts)
        full = self.settings.features.outputs.llms_full_txt
        whole = part(book, base=self.settings.address, hash_=index_hash(files, book.name), full=full)
        return Made(problems, files, whole, listed(book, files), notes)

    def _texts(self, book: Book) -> Texts:
        """What earlier builds made of the texts of a book."""
        cache = self.settings.cache
        return self._terms.setdefault(book.name, Texts(cache / f"{book.name}.terms" if cache else None, self._version))

    def _encode(self, book: Book, memory: Texts) -> dict[str, bytes]:
        """Encode a book; texts that the last build had are not counted again."""
        from askbook.builder.index.write import encode

        files = encode(book, memory)
        memory.save()
        memory.turn()
        return files

    def _keep(self, made: Made, key: str, pages: Pages, memory: Memory, store: Path) -> bool:
        """Write a book into the store, and remember what it was made of; a book with a fatal fault leaves what is there."""
        memory.warnings = made.problems
        if not made.files:
            return False
        from askbook.builder.index.write import write_files

        write_files([(made.entry, made.files)], store)
        memory.key, memory.files, memory.pages = key, tuple(sorted(made.files)), pages.remembered()
        memory.lang, memory.part = made.entry["lang"], asdict(made.part)
        memory.save()
        return True

    def _cut(
        self, volume: Volume, pages: Pages, entries: Sequence[NavEntry], order: Sequence[str]
    ) -> tuple[Book, tuple[Problem, ...]]:
        from askbook.builder.cards import assemble
        from askbook.builder.drafts import options_of

        from .language import language

        options = options_of(self.settings.features)
        works = [pages.works[file] for file in order if file in pages.works]
        cuts = [work.cut(options) for work in works]
        lang = language(volume.lang, (card.text for cut in cuts for card in cut.cards))
        book, problems = assemble(cuts, col=volume.col, book=volume.book, title=volume.title, lang=lang, nav=entries)
        return replace(book, authors=volume.authors or book.authors), problems

    def _check(self, book: Book, pages: Pages, order: Sequence[str], memory: Texts) -> tuple[str, ...]:
        """Say what no card holds; no fault of an author, so it never fails a build."""
        if not self.settings.coverage:
            return ()
        from askbook.builder.coverage import check

        works = [pages.works[file] for file in order if file in pages.works]
        coverage = check(((work.url, work.file, work.source) for work in works), book, whole=False, memory=memory)
        gaps = [f"{gap.file}: no card holds {gap.text[:60]!r} (HTML line {gap.line})" for gap in coverage.uncovered[:20]]
        return (*gaps, f"{book.name}: {len(book.cards)} cards of {len(works)} pages, {coverage.share:.2%} of the text")

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


def describe(problem: Problem) -> str:
    """A problem as one line."""
    place = f"{problem.file}:{problem.line}" if problem.line else problem.file
    return f"{place}: {problem.message}" if place else problem.message
