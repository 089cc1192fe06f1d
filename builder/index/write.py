"""Write a book as its index file and side files: the same input gives the same bytes, and a file is whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from askbook.core.bridge import key_of
from askbook.core.folding import fold
from askbook.core.index import ENDS, FORMAT, TEXT_FORMAT, paragraph_bounds
from askbook.core.lexicon import Lexicon, lexicon_of
from askbook.core.schema import Book, Card, Section

from .counting import Counted, count_book
from .editions import bilingual
from .labels import carriers
from .memory import Memory
from .pairs import mine
from .terms import classes, concept_terms
from .twins import twins
from .vocabulary import Postings, kept, pair_column
from .words import decide

MANIFEST = "books.json"
MANIFEST_FORMAT = "askbook-books/1"


def encode(book: Book, memory: Memory | None = None) -> dict[str, bytes]:
    """Make the files of a book, name to bytes: the index first, then the side with the prose; `memory` only saves time."""
    side = _dump(_text_side(book))
    side_name = f"{book.name}.text.{_hash(side)}.json"
    data = _index(book, memory or Memory()) | {"sides": {side_name: _hash(side)}}
    data["hash"] = _hash(_dump(data))
    return {f"{book.name}.json": _dump(data), side_name: side}


def _index(book: Book, memory: Memory) -> dict[str, Any]:
    texts = [fold(card.text) for card in book.cards]
    lexis = decide(book, texts, memory)
    lexicon = lexicon_of(lexis)
    carried = carriers(book, texts)
    counted = count_book(book, texts, carried, lexicon, memory)
    return {
        "format": FORMAT,
        "col": book.col,
        "book": book.book,
        "title": book.title,
        "lang": book.lang,
        "authors": list(book.authors),
        "pages": list(book.pages),
        "sections": [_section(section, book) for section in book.sections],
        "cards": _cards(book, counted.lengths),
        "labels": carried,
        "words": lexis,
        "pairs": [[left, right, key_of(left), key_of(right)] for left, right in mine(book, texts, memory)],
        "terms": _terms(book, counted, lexicon),
    }


def _cards(book: Book, lengths: list[int]) -> dict[str, Any]:
    kinds = sorted({card.kind for card in book.cards})
    trails = list(dict.fromkeys("\t".join(map(_line, card.breadcrumb)) for card in book.cards))
    trail_of = {trail: place for place, trail in enumerate(trails)}
    return {
        "names": _column(name for card in book.cards for name in (card.id, card.url, card.title)),
        "numbers": _column(card.number for card in book.cards),
        "kinds": kinds,
        "kind": [kinds.index(card.kind) for card in book.cards],
        "breadcrumbs": _column(trails, keep_tabs=True),
        "breadcrumb": [trail_of["\t".join(map(_line, card.breadcrumb))] for card in book.cards],
        "chapter": [card.chapter for card in book.cards],
        "parents": [[ordinal, card.parent] for ordinal, card in enumerate(book.cards) if card.parent],
        "lengths": lengths,
        "twins": [list(pair) for pair in twins(book)],
    }


def _terms(book: Book, counted: Counted, lexicon: Lexicon) -> dict[str, str]:
    found = counted.found
    shapes = counted.shapes | {word: "han" for word in lexicon.costs if len(word) > 2}
    names, pairs = kept(found, shapes, len(book.cards))
    postings = Postings(found, shapes)
    special, concepts = counted.names, concept_terms(book, lexicon)
    letters = (classes(some, shapes, special, concepts, otherwise=shape) for some, shape in ((names, "label"), (pairs, "bigram")))
    return {
        "names": _terms_column(names),
        "pairs": _terms_column(pair_column(pairs)),
        "classes": "".join(letters),
        "postings": _terms_column([*map(postings.of_word, names), *map(postings.of_pair, pairs)]),
    }


def _terms_column(values: Iterable[str]) -> str:
    """A column of values that hold no white space and no sign of control."""
    return _clean("".join([value + ENDS for value in values]))


def _text_side(book: Book) -> dict[str, Any]:
    cards = list(enumerate(book.cards))
    return {
        "format": TEXT_FORMAT,
        "of": book.name,
        "texts": [_clean(card.text) for card in book.cards],
        "bounds": [_bounds(card) for card in book.cards],
        "anchors": {
            str(ordinal): "\n".join(paragraph.anchor for paragraph in card.paragraphs)
            for ordinal, card in cards
            if any(paragraph.anchor for paragraph in card.paragraphs)
        },
        "overlaps": {str(ordinal): card.overlap for ordinal, card in cards if card.overlap},
    }


def _bounds(card: Card) -> list[int] | None:
    """Starts and ends of the paragraphs, each as the way from the one before; None where blank lines part them all."""
    places = [place for paragraph in card.paragraphs for place in (paragraph.start, paragraph.end)]
    if places == paragraph_bounds(card.text):
        return None
    return [place - before for place, before in zip(places, [0, *places], strict=False)]


def _section(section: Section, book: Book) -> list[Any]:
    """A section; title and address are left out where they are those of its first card."""
    own = book.cards[section.first] if section.first < len(book.cards) else None
    title = None if own and own.title == section.title else _line(section.title)
    url = None if own and own.url == section.url else section.url
    return [title, url, section.level, section.first, section.last, section.number]


def _column(values: Iterable[str], *, keep_tabs: bool = False) -> str:
    return "".join((_clean(value) if keep_tabs else _line(value)) + ENDS for value in values)


_NO_BREAKS = str.maketrans({"\n": " ", "\t": " ", ENDS: " "})


def _line(value: str) -> str:
    return _clean(value).translate(_NO_BREAKS)


def _clean(value: str) -> str:
    """Lone surrogates cannot be written as UTF-8."""
    return value.encode("utf-8", "replace").decode("utf-8")


def _dump(data: Mapping[str, Any]) -> bytes:
    return orjson.dumps(data)


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def write(books: Iterable[Book], out: Path) -> list[Path]:
    """Write the files of books into a folder and list them in its manifest; other books there stay."""
    encoded = [(book, encode(book)) for book in bilingual(list(books))]
    return write_files(encoded, out)


def write_files(encoded: Iterable[tuple[Book, Mapping[str, bytes]]], out: Path) -> list[Path]:
    """Write what `encode` made: sides first, then indexes, then the manifest, each in one step; stale sides go last."""
    out.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    entries = {entry["file"]: entry for entry in _manifest(out)}
    stale: list[Path] = []
    for book, files in encoded:
        index_name = f"{book.name}.json"
        for name in sorted(files, key=lambda name: name == index_name):
            replace(out / name, files[name])
            written.append(out / name)
        stale += (path for path in sorted(out.glob(f"{book.name}.*.*.json")) if path.name not in files)
        entries[index_name] = _entry(book, files)
    listed = [entries[file] for file in sorted(entries) if (out / file).exists()]
    replace(out / MANIFEST, orjson.dumps({"format": MANIFEST_FORMAT, "books": listed}, option=orjson.OPT_INDENT_2) + b"\n")
    for path in stale:
        path.unlink()
    return [*written, out / MANIFEST]


def _entry(book: Book, files: Mapping[str, bytes]) -> dict[str, Any]:
    index_name = f"{book.name}.json"
    return {
        "col": book.col,
        "book": book.book,
        "title": _clean(book.title),
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
