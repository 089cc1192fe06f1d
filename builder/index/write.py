"""Write a book as its index file and side files: the same input gives the same bytes, and a file is whole or not there."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import orjson

from askbook.core.bridge import key_of
from askbook.core.index import ENDS, FORMAT, TEXT_FORMAT, paragraph_bounds
from askbook.core.lexicon import Lexicon, lexicon_of
from askbook.core.limits import STOP_FEWEST_CARDS, STOP_MOST
from askbook.core.postings import Posting, encode_within
from askbook.core.postings import encode as encode_posting
from askbook.core.schema import Book, Card, Section
from askbook.core.terms import PAIR, stem

from .labels import carriers
from .pairs import bilingual, mine
from .terms import Counts, classes, count
from .twins import twins
from .words import decide

MANIFEST = "books.json"
MANIFEST_FORMAT = "askbook-books/1"


def encode(book: Book) -> dict[str, bytes]:
    """Make the files of a book, name to bytes: the index first, then the side with the prose."""
    side = _dump(_text_side(book))
    side_name = f"{book.name}.text.{_hash(side)}.json"
    data = _index(book) | {"sides": {side_name: _hash(side)}}
    data["hash"] = _hash(_dump(data))
    return {f"{book.name}.json": _dump(data), side_name: side}


def _index(book: Book) -> dict[str, Any]:
    words = decide(book)
    lexicon = lexicon_of(words)
    carried = carriers(book)
    own: defaultdict[int, list[str]] = defaultdict(list)
    for label, ordinals in carried.items():
        for ordinal in ordinals:
            own[ordinal].append(label)
    shapes: dict[str, str] = {}
    counts = [count(card, lexicon, own[ordinal], shapes) for ordinal, card in enumerate(book.cards)]
    return {
        "format": FORMAT,
        "col": book.col,
        "book": book.book,
        "title": book.title,
        "lang": book.lang,
        "authors": list(book.authors),
        "pages": list(book.pages),
        "sections": [_section(section, book) for section in book.sections],
        "cards": _cards(book, counts),
        "labels": carried,
        "words": words,
        "pairs": [[left, right, key_of(left), key_of(right)] for left, right in mine(book)],
        "terms": _terms(book, counts, shapes, lexicon),
    }


def _cards(book: Book, counts: Sequence[Counts]) -> dict[str, Any]:
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
        "lengths": [one.length for one in counts],
        "twins": [list(pair) for pair in twins(book)],
    }


def _terms(book: Book, counts: Sequence[Counts], shapes: Mapping[str, str], lexicon: Lexicon) -> dict[str, str]:
    postings: defaultdict[str, Posting] = defaultdict(lambda: Posting([], []))
    for ordinal, one in enumerate(counts):
        for term, frequency in one.frequencies.items():
            cast(list[int], postings[term].cards).append(ordinal)
            cast(list[int], postings[term].frequencies).append(frequency)
    usual = STOP_MOST * max(len(book.cards), STOP_FEWEST_CARDS)
    kept = sorted(term for term, found in postings.items() if shapes.get(term) != "stop" or len(found.cards) <= usual)
    names = [term for term in kept if not PAIR.fullmatch(term)]
    pairs = [term for term in kept if PAIR.fullmatch(term)]
    return {
        "names": _column(names),
        "pairs": _column(first + "".join(pair[1] for pair in row) for first, row in groupby(pairs, key=lambda pair: pair[0])),
        "classes": classes(book, [*names, *pairs], shapes, lexicon),
        "postings": _column(_posting(term, shapes, postings) for term in (*names, *pairs)),
    }


def _posting(term: str, shapes: Mapping[str, str], postings: Mapping[str, Posting]) -> str:
    """Postings as text: a function word's without frequencies, a word's by those of its stem."""
    found = postings[term]
    if shapes.get(term) == "stop":
        return encode_posting(found.cards, [1] * len(found.cards))
    root = stem(term)
    if root != term and root in postings and shapes.get(root) != "stop" and set(found.cards) <= set(postings[root].cards):
        return encode_within(found.cards, found.frequencies, postings[root])
    return encode_posting(found.cards, found.frequencies)


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
