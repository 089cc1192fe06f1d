"""One build of a site: takes pages pass by pass, writes books, outputs and the client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from askbook.builder.blocks import NavEntry, Problem
from askbook.builder.features import Features

from .assets import VENDORED, package_version, write_assets
from .books import INDEX_FOLDER, Memory, Volume, Written, book_key, copy_index, ordered
from .pages import Pages
from .stamp import code_stamp


@dataclass(frozen=True, slots=True)
class Settings:
    """What the author chose, apart from MkDocs."""

    features: Features = field(default_factory=Features)
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the panel, as `site.js` has them."""
    runtime: str = VENDORED
    cache: Path | None = None


class Build:
    """Keeps what the passes of a build have read; lives as long as the process, so that `serve` makes anew only what changed."""

    def __init__(self) -> None:
        self.settings = Settings()
        self._passes: dict[str, tuple[Pages, Memory]] = {}
        self._written: dict[str, Written] = {}
        self._version = f"{package_version()}+{code_stamp()}"

    def pages(self, language: str, volume: Volume) -> Pages:
        """The pages of one language."""
        if language not in self._passes:
            memory = self._memory(volume)
            self._passes[language] = (Pages(known=memory.pages), memory)
        return self._passes[language][0]

    def _memory(self, volume: Volume) -> Memory:
        cache = self.settings.cache
        memory = Memory(cache / f"{volume.name}.pages.json" if cache else None, self._version)
        memory.load()
        return memory

    def finish(
        self, site: Path, language: str, volume: Volume, *, entries: Sequence[NavEntry], order: Sequence[str]
    ) -> list[str]:
        """Write the book of one language, beside those of the passes before it; return warnings."""
        pages = self.pages(language, volume)
        pages.keep(order)
        memory = self._passes[language][1]
        store = self.settings.cache / "index" if self.settings.cache else site / INDEX_FOLDER
        written = self._write(volume, pages, memory, store, entries, order)
        if written is not None:
            self._written[language] = written
            names = [each.volume.name for each in self._written.values()]
            copy_index(store, site / INDEX_FOLDER, written.files, names)
        return [describe(problem) for problem in memory.warnings] + self._assets(site)

    def _write(
        self, volume: Volume, pages: Pages, memory: Memory, store: Path, entries: Sequence[NavEntry], order: Sequence[str]
    ) -> Written | None:
        switches = (self.settings.features.cards, self.settings.features.kinds)
        key = book_key(volume, pages, entries=entries, order=order, settings=switches)
        if key == memory.key and all((store / name).is_file() for name in memory.files):
            return Written(volume, memory.files)
        book, problems = self._cut(volume, pages, entries, order)
        memory.warnings = problems
        if not book.cards or any(problem.fatal for problem in problems):
            return None
        from askbook.builder.index.write import encode, write_files

        files = encode(book)
        write_files([(book, files)], store)
        memory.key, memory.files, memory.pages = key, tuple(sorted(files)), pages.remembered()
        memory.save()
        return Written(volume, memory.files, book, problems)

    def _cut(self, volume: Volume, pages: Pages, entries: Sequence[NavEntry], order: Sequence[str]) -> Any:
        from askbook.builder.cards import cut

        return cut(ordered(pages, order), col=volume.col, book=volume.book, title=volume.title, lang=volume.lang, nav=entries)

    def _assets(self, site: Path) -> list[str]:
        books = [
            {
                "col": each.volume.col,
                "book": each.volume.book,
                "title": each.volume.title,
                "lang": each.volume.lang,
                "index": f"{INDEX_FOLDER}/{each.volume.name}.json",
            }
            for _, each in sorted(self._written.items())
        ]
        settings = {"books": books, "features": {}, "options": dict(self.settings.options)}
        return write_assets(site, settings=settings, runtime=self.settings.runtime)


def describe(problem: Problem) -> str:
    """A problem as one line."""
    place = f"{problem.file}:{problem.line}" if problem.line else problem.file
    return f"{place}: {problem.message}" if place else problem.message
