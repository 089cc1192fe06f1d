"""The books of a MkDocs build: one for each language, written anew only when a page, its order or a setting changed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson

from askbook.builder.blocks import NavEntry, Problem
from askbook.core.schema import Book

from .pages import Insertions, Pages

INDEX_FOLDER = "ai-index"
"""Where the indexes lie in a site."""
MANIFEST = "books.json"


@dataclass(frozen=True, slots=True)
class Volume:
    """What one language's book is called."""

    col: str
    book: str
    title: str
    lang: str
    authors: tuple[str, ...] = ()
    folder: str = ""
    """Of `docs_dir`, where the project has several books; empty where it is the whole project."""

    @property
    def name(self) -> str:
        """The stem of its index file."""
        return f"{self.col}-{self.book}"


@dataclass(slots=True)
class Memory:
    """What an earlier build knew of a book, kept in a file; nothing when that was made by another version or is damaged."""

    file: Path | None
    version: str
    key: str = ""
    files: tuple[str, ...] = ()
    lang: str = ""
    part: Mapping[str, Any] = field(default_factory=dict)
    """What the book gives to the outputs, as JSON."""
    outline: Mapping[str, Any] = field(default_factory=dict)
    """Titles of the book's headings, for its edition in another language, and the key they were taken under."""
    warnings: tuple[Problem, ...] = ()
    pages: Mapping[str, tuple[str, Insertions]] = field(default_factory=dict)

    def load(self) -> None:
        """Read the file."""
        try:
            known = orjson.loads(self.file.read_bytes()) if self.file else {}
            if known.get("version") != self.version:
                return
            self.pages = {
                file: (digest, tuple((place, text) for place, text in added)) for file, (digest, added) in known["pages"].items()
            }
            self.warnings = tuple(Problem(**warning) for warning in known["warnings"])
            self.lang, self.part, self.outline = known["lang"], known["part"], known["outline"]
            self.key, self.files = known["key"], tuple(known["files"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.key, self.pages = "", {}

    def save(self) -> None:
        """Write the file in one step."""
        if self.file is None:
            return
        data = {
            "version": self.version,
            "key": self.key,
            "files": self.files,
            "lang": self.lang,
            "part": self.part,
            "outline": self.outline,
            "warnings": self.warnings,
            "pages": self.pages,
        }
        self.file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self.file, orjson.dumps(data))


def site_settings(
    books: Iterable[Volume | Book], *, options: Mapping[str, Any], hashes: Mapping[str, str] | None = None
) -> dict[str, object]:
    """What `site.js` says of the books, and what the author chose for the panel; `hashes`: what the indexes of this build name
    themselves by, so that a page knows an index of another build."""
    known = hashes or {}
    listed = [
        {
            "col": book.col,
            "book": book.book,
            "title": book.title,
            "lang": book.lang,
            "index": f"{INDEX_FOLDER}/{book.name}.json",
            "hash": known.get(book.name, ""),
            **({"folder": f"{book.folder}/"} if isinstance(book, Volume) and book.folder else {}),
        }
        for book in books
    ]
    return {"books": listed, "options": dict(options)}


def index_hash(files: Mapping[str, bytes], name: str) -> str:
    """The hash an index file names itself by."""
    return str(orjson.loads(files[f"{name}.json"]).get("hash", ""))


def replace_file(path: Path, data: bytes) -> None:
    """Write a file in one step."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_bytes(data)
    os.replace(beside, path)


def book_key(volume: Volume, pages: Pages, *, entries: Sequence[NavEntry], order: Sequence[str], settings: object) -> str:
    """Say in one word everything that a book's index depends on, apart from the code."""
    stamps = [pages.works[file].stamp() for file in order if file in pages.works]
    facts = repr((volume, stamps, tuple(entries), settings))
    return blake2b(facts.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def copy_index(store: Path, target: Path, names: Sequence[str], books: Sequence[str]) -> None:
    """Put a book's files into the site, and list the books of this run in the site's manifest."""
    if store == target:
        return
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        beside = target / f".{name}.{os.getpid()}"
        shutil.copyfile(store / name, beside)
        os.replace(beside, target / name)
    manifest: dict[str, Any] = orjson.loads((store / MANIFEST).read_bytes())
    manifest["books"] = [entry for entry in manifest["books"] if entry["file"].removesuffix(".json") in books]
    replace_file(target / MANIFEST, orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n")
