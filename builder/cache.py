"""What the last build made of each page, so that only changed pages are read again; a cache that cannot be read is none."""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from hashlib import sha256
from itertools import starmap
from pathlib import Path
from typing import Any, Final

from askbook.core.schema import Paragraph

from . import sealed
from .blocks import Problem
from .drafts import CardDraft, PageCut, SectionDraft
from .index.memory import Memory
from .readers import readers, version_of

_MAGIC: Final = b"askbook-pages/3\n"

Entry = tuple[PageCut, tuple[Problem, ...]]


def default_folder() -> Path:
    """Where caches lie when the author says nothing."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "askbook"


@lru_cache(maxsize=1)
def code_signature() -> str:
    """Changes with the versions of this program and of what it reads pages with, and with its files while they are worked on."""
    stamps = [version_of("askbook"), readers()]
    for folder in (Path(__file__).parent, Path(sys.modules["askbook.core.schema"].__file__ or __file__).parent):
        for file in sorted(folder.rglob("*.py")) if folder.is_dir() else []:
            state = file.stat()
            stamps.append(f"{file.name} {state.st_size} {state.st_mtime_ns}")
    return sha256("\n".join(stamps).encode()).hexdigest()


class PageCache:
    """The pages of one book; `None` as folder keeps nothing."""

    def __init__(self, folder: Path | None, name: str, settings: str) -> None:
        self._file = folder / f"{name}.pages" if folder is not None else None
        self._settings = sha256(f"{code_signature()}\n{settings}".encode()).hexdigest()
        self._old: dict[str, tuple[str, bytes]] = {}
        self._new: dict[str, tuple[str, bytes]] = {}
        """Of each page the digest of its content, and what was made of it, taken apart only when somebody asks."""
        self.notes: dict[str, Any] = {}
        """What a build wants to know of the last one: plain values."""
        self._load()

    def _load(self) -> None:
        if self._file is None:
            return
        settings, pages, notes = sealed.read(self._file, _MAGIC) or ("", {}, {})
        if settings == self._settings:
            self._old, self.notes = pages, notes

    def terms(self) -> Memory:
        """What the last build made of the texts of cards; read when it is first asked."""
        return Memory(self._file.with_suffix(".terms") if self._file is not None else None, self._settings)

    def get(self, path: str, digest: str) -> Entry | None:
        """What was made of a page with this content."""
        found = self._old.get(path)
        if found is None or found[0] != digest:
            return None
        self._new[path] = found
        return _thawed(marshal.loads(found[1]))

    def knows(self, path: str, digest: str) -> bool:
        """Whether `get` would find it."""
        found = self._old.get(path)
        return found is not None and found[0] == digest

    def put(self, path: str, digest: str, entry: Entry) -> None:
        """Keep what was made of a page."""
        if self._file is not None:
            self._new[path] = (digest, marshal.dumps(_frozen(entry)))

    def save(self, notes: Mapping[str, Any]) -> None:
        """Write what this build used."""
        if self._file is not None:
            sealed.keep(self._file, _MAGIC, (self._settings, self._new, dict(notes)))


_PAGE = tuple(entry.name for entry in fields(PageCut) if entry.name not in ("sections", "cards"))
_PROBLEM = tuple(entry.name for entry in fields(Problem))
_BEFORE = CardDraft._fields.index("paragraphs")


def _row(value: object, names: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in names)


def _frozen(entry: Entry) -> Any:
    cut, problems = entry
    cards = []
    for card in cut.cards:
        places = tuple([(paragraph.start, paragraph.end, paragraph.anchor) for paragraph in card.paragraphs])
        cards.append((*card[:_BEFORE], places, *card[_BEFORE + 1 :]))
    return _row(cut, _PAGE), tuple(map(tuple, cut.sections)), tuple(cards), tuple(_row(problem, _PROBLEM) for problem in problems)


def _thawed(frozen: Any) -> Entry:
    page, sections, cards, problems = frozen
    made = [(*row[:_BEFORE], tuple(starmap(Paragraph, row[_BEFORE])), *row[_BEFORE + 1 :]) for row in cards]
    drafts = tuple(starmap(SectionDraft, sections)), tuple(map(CardDraft._make, made))
    cut = PageCut(**dict(zip(_PAGE, page, strict=True)), sections=drafts[0], cards=drafts[1])
    return cut, tuple(starmap(Problem, problems))
