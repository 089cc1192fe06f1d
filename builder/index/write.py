"""Write a book as its index file and side files: the same input gives the same bytes, and a file is whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from askbook.builder.collector import uncollected
from askbook.core.bridge import key_of
from askbook.core.folding import fold
from askbook.core.index import FORMAT, TEXT_FORMAT
from askbook.core.lexicon import lexicon_of
from askbook.core.schema import Book

from . import catalogue, letters
from .cuts import Cuts
from .editions import bilingual
from .kept import Kept
from .labels import carriers
from .letters import clean, column, given, line
from .memory import Memory
from .pairs import mine
from .prose import prose
from .twins import twins
from .words import decide

MANIFEST = "books.json"
MANIFEST_FORMAT = "askbook-books/1"


@uncollected()
def encode(book: Book, memory: Memory | None = None) -> dict[str, bytes]:
    """Make the files of a book, name to bytes: the index first, then the side with the prose; `memory` only saves time."""
    kept = Kept(book, memory)
    side = _dump({"format": TEXT_FORMAT, "of": book.name, **prose(book, kept)})
    side_hash = _hash(side)
    side_name = f"{book.name}.text.{side_hash}.json"
    bare = _dump(_index(book, memory or Memory(), kept) | {"sides": {side_name: side_hash}})
    kept.done()
    return {f"{book.name}.json": bare[:-1] + b',"hash":' + _dump(_hash(bare)) + b"}", side_name: side}


def _index(book: Book, memory: Memory, kept: Kept) -> dict[str, Any]:
    from .counting import count_book  # NumPy is loaded when there is something to count
    from .layout import vocabulary

    texts = kept.each("folded", lambda ordinals: [fold(book.cards[place].text) for place in ordinals])
    lexis = decide(book, texts, memory, kept)
    lexicon = lexicon_of(lexis)
    carried = carriers(book, texts, kept)
    cuts = Cuts(lexicon, kept)
    counted = count_book(book, texts, carried, cuts, kept)
    names, terms = vocabulary(book, counted, cuts, kept)
    return {
        "format": FORMAT,
        "col": book.col,
        "book": book.book,
        "title": clean(book.title),
        "lang": book.lang,
        "authors": [*map(clean, book.authors)],
        "pages": list(dict.fromkeys(map(line, book.pages))),
        "sections": catalogue.sections(book),
        "cards": catalogue.cards(book, counted.lengths, twins(book, kept), kept),
        "labels": _labels(names, carried),
        "words": {"names": column(sorted(lexis)), "costs": letters.digits([lexis[word] for word in sorted(lexis)])},
        "pairs": column(_pair_values(mine(book, texts, memory, kept))),
        "terms": terms,
    }


def _labels(names: Sequence[str], carried: Mapping[str, Sequence[int]]) -> dict[str, str]:
    """Labels by their places among the terms, and the cards that carry each."""
    place = {name: ordinal for ordinal, name in enumerate(names)}
    rows = sorted((place[label], cards) for label, cards in carried.items())
    return {"terms": letters.gaps([term for term, _ in rows]), "cards": column(letters.numbers(cards) for _, cards in rows)}


def _pair_values(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    for left, right in pairs:
        yield from (line(left), line(right), given(line(key_of(left)), line(left)), given(line(key_of(right)), line(right)))


def _dump(data: Mapping[str, Any] | str) -> bytes:
    return orjson.dumps(data)


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def write(books: Iterable[Book], out: Path) -> list[Path]:
    """Write the files of books into a folder and list them in its manifest; other books there stay."""
    encoded = [(book, encode(book)) for book in bilingual(list(books))]
    return write_files([(listed(book, files), files) for book, files in encoded], out)


def write_files(encoded: Iterable[tuple[Mapping[str, Any], Mapping[str, bytes]]], out: Path) -> list[Path]:
    """Write what `encode` made, with its entries: sides first, then indexes, then the manifest, each in one step; stale sides
    go last."""
    out.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    entries: dict[str, Mapping[str, Any]] = {entry["file"]: entry for entry in _manifest(out)}
    stale: list[Path] = []
    for entry, files in encoded:
        index_name = entry["file"]
        for name in sorted(files, key=lambda name: name == index_name):
            replace(out / name, files[name])
            written.append(out / name)
        stale += (path for path in sorted(out.glob(f"{index_name.removesuffix('.json')}.*.*.json")) if path.name not in files)
        entries[index_name] = entry
    known = [entries[file] for file in sorted(entries) if (out / file).exists()]
    replace(out / MANIFEST, orjson.dumps({"format": MANIFEST_FORMAT, "books": known}, option=orjson.OPT_INDENT_2) + b"\n")
    for path in stale:
        path.unlink()
    return [*written, out / MANIFEST]


def listed(book: Book, files: Mapping[str, bytes]) -> dict[str, Any]:
    """The entry of a book in the manifest."""
    index_name = f"{book.name}.json"
    return {
        "col": book.col,
        "book": book.book,
        "title": clean(book.title),
        "lang": book.lang,
        "file": index_name,
        "hash": _hash(files[index_name]),
        "bytes": len(files[index_name]),
        "cards": len(book.cards),
        "sides": sorted(name for name in files if name != index_name),
    }


def _manifest(out: Path) -> list[dict[str, Any]]:
    try:
        parsed = orjson.loads((out / MANIFEST).read_bytes())
        return [entry for entry in parsed["books"] if isinstance(entry["file"], str)]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def replace(path: Path, data: bytes) -> None:
    """Write a file in one step: readers see the old bytes or the new ones."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_bytes(data)
    os.replace(beside, path)
