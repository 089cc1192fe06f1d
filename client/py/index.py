"""Read a book's index: columns of text, and postings that are decoded for the terms of a question only."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate, repeat
from typing import Any, Final

from .bm25 import norm
from .bridge import Table, table_of
from .errors import IndexFormatError
from .lexicon import Lexicon, lexicon_of
from .nesting import parse
from .postings import NOWHERE, WITHIN, Posting, decode, within
from .schema import Card, Paragraph, Section
from .terms import stem

FORMAT: Final = "askbook-index/1"
TEXT_FORMAT: Final = "askbook-text/1"
CLASSES: Final = {"n": "name", "#": "number", "c": "concept", "t": "concept", "w": "word", "s": "word", "x": "noise"}
"""Letter in the index to class of a term; t and s are stems that no text has as a word."""
_STEMS: Final = "ts"
ENDS: Final = "\x7f"
"""Ends each value of a column: a sign no text has, and one that JSON does not escape, so that a column is read in one go."""
_REMEDY: Final = "build the book again with this version of askbook (build-ai-index)"


class Index:
    """One book, ready to be searched; made by `load`, which validates, so everything here may trust the columns."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        cards, terms = data["cards"], data["terms"]
        self.col: str = data["col"]
        self.book: str = data["book"]
        self.title: str = data["title"]
        self.lang: str = data["lang"]
        self.authors: tuple[str, ...] = tuple(data["authors"])
        self.hash: str = data["hash"]
        self.sides: dict[str, str] = dict(data["sides"])
        """Name of each side file to the hash of its content."""
        self.pages: tuple[str, ...] = tuple(data["pages"])
        self.lengths: list[int] = cards["lengths"]
        """Of each card, in terms."""
        self.twins: dict[int, int] = dict(cards["twins"])
        """Card that nearly repeats an earlier one to that one."""
        self._columns: dict[str, str] = {name: cards[name] for name in ("names", "numbers", "breadcrumbs")}
        self._terms: dict[str, str] = {name: terms[name] for name in ("names", "pairs", "postings")}
        self._classes: str = terms["classes"]
        self._kinds: list[str] = cards["kinds"]
        self._kind: list[int] = cards["kind"]
        self._breadcrumb: list[int] = cards["breadcrumb"]
        self._chapter: list[int] = cards["chapter"]
        self._parents: dict[int, str] = dict(cards["parents"])
        self._sections: list[list[Any]] = data["sections"]
        self._words: dict[str, int] = data["words"]
        self._keyed_pairs: list[tuple[str, str, str, str]] = data["pairs"]
        self._carriers: dict[str, list[int]] = data["labels"]
        self._decoded: dict[str, Posting] = {}
        self._norms: tuple[float, list[float]] = (-1.0, [])
        self._text: Mapping[str, Any] | None = None
        self._cards: dict[int, Card] = {}
        self.check()

    def check(self) -> None:
        """Raise IndexFormatError where columns disagree, or hold what they should not."""
        rows = (*((row, 6) for row in self._sections), *((row, 4) for row in self._keyed_pairs))
        if not all(type(row) is list and len(row) == length for row, length in rows):
            raise IndexFormatError(f"index of {self.name!r} is damaged: a row has another length; {_REMEDY}")
        texts = (*self._columns.values(), *self._terms.values(), self._classes, *self._kinds, *self.pages)
        texts += tuple(side for pair in self._keyed_pairs for side in pair)
        numbers = (*self.lengths, *self._kind, *self._breadcrumb, *self._chapter)
        if not all(type(text) is str for text in texts) or not all(type(number) is int for number in numbers):
            raise IndexFormatError(f"index of {self.name!r} is damaged: a column holds what it should not; {_REMEDY}")
        trails = self._columns["breadcrumbs"].count(ENDS)
        if max(self._kind, default=-1) >= len(self._kinds) or max(self._breadcrumb, default=-1) >= trails:
            raise IndexFormatError(f"index of {self.name!r} is damaged: a column leads beyond its table; {_REMEDY}")
        cards = {len(self.lengths), len(self._kind), len(self._breadcrumb), len(self._chapter)}
        cards |= {self._columns["numbers"].count(ENDS)}
        if len(cards) > 1 or self._columns["names"].count(ENDS) != 3 * len(self):
            raise IndexFormatError(f"index of {self.name!r} is damaged: its columns differ in length; {_REMEDY}")
        pairs = self._terms["pairs"]
        terms = self._terms["names"].count(ENDS) + len(pairs) - 2 * pairs.count(ENDS)
        if not terms == len(self._classes) == self._terms["postings"].count(ENDS):
            raise IndexFormatError(f"index of {self.name!r} is damaged: terms and postings differ in number; {_REMEDY}")

    @cached_property
    def _names(self) -> list[str]:
        return _split(self._columns["names"])

    @cached_property
    def ids(self) -> list[str]:
        """Of each card."""
        return self._names[::3]

    @cached_property
    def urls(self) -> list[str]:
        """Of each card, relative to the site root."""
        return self._names[1::3]

    @cached_property
    def titles(self) -> list[str]:
        """Of each card."""
        return self._names[2::3]

    @cached_property
    def numbers(self) -> list[str]:
        """Of each card; empty for none."""
        return _split(self._columns["numbers"])

    @cached_property
    def names(self) -> list[str]:
        """Terms but pairs of letters, in order of their code points."""
        return _split(self._terms["names"])

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Terms the book has in two languages."""
        return tuple((left, right) for left, right, _, _ in self._keyed_pairs)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Chapters and the headings under them, in reading order; one that begins with its own card has its name and address."""
        return tuple(
            Section(
                self.titles[first] if title is None else title,
                self.urls[first] if url is None else url,
                level,
                first,
                last,
                number,
            )
            for title, url, level, first, last, number in self._sections
        )

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words the build cut Chinese text with."""
        return lexicon_of(self._words)

    @cached_property
    def crossings(self) -> Table:
        """Names of things in the other language."""
        return table_of(self._keyed_pairs)

    @cached_property
    def _rows(self) -> list[str]:
        """Pairs of letters of scripts without spaces: a first letter, then all second ones, in order; they follow the names."""
        return _split(self._terms["pairs"])

    @cached_property
    def _row(self) -> dict[str, tuple[str, int]]:
        """First letter to its row and the ordinal of the row's first pair."""
        starts = accumulate((len(row) - 1 for row in self._rows), initial=len(self.names))
        return {row[0]: (row, start) for row, start in zip(self._rows, starts, strict=False)}

    @cached_property
    def _place(self) -> dict[str, int]:
        return dict(zip(self.names, range(len(self.names)), strict=True))

    @cached_property
    def _postings(self) -> list[str]:
        return _split(self._terms["postings"])

    @cached_property
    def _breadcrumbs(self) -> list[tuple[str, ...]]:
        return [tuple(trail.split("\t")) if trail else () for trail in _split(self._columns["breadcrumbs"])]

    def __len__(self) -> int:
        return len(self.lengths)

    def __repr__(self) -> str:
        return f"Index({self.name!r}, {len(self)} cards)"

    @property
    def name(self) -> str:
        """The stem of its file: `<col>-<book>`."""
        return f"{self.col}-{self.book}"

    @property
    def has_text(self) -> bool:
        """Whether the prose is here, and not only what is needed to find it."""
        return self._text is not None

    @property
    def average(self) -> float:
        """Mean length of a card in terms."""
        return sum(self.lengths) / len(self.lengths) if self.lengths else 0.0

    def norms(self, average: float) -> list[float]:
        """What frequencies in each card are held against, where the shelf's cards are this long on average; made once."""
        if self._norms[0] != average:
            self._norms = (average, [norm(length, average) for length in self.lengths])
        return self._norms[1]

    def kind(self, ordinal: int) -> str:
        """Kind of a card."""
        return self._kinds[self._kind[ordinal]]

    def card(self, ordinal: int) -> Card:
        """Card by ordinal; without the text side its text is empty."""
        if ordinal not in self._cards:
            self._cards[ordinal] = self._make(ordinal)
        return self._cards[ordinal]

    def _make(self, ordinal: int) -> Card:
        text, paragraphs, overlap = self._side(ordinal)
        return Card(
            id=self.ids[ordinal],
            kind=self.kind(ordinal),
            title=self.titles[ordinal],
            url=self.urls[ordinal],
            text=text,
            number=self.numbers[ordinal],
            breadcrumb=self._breadcrumbs[self._breadcrumb[ordinal]],
            chapter=self._chapter[ordinal],
            paragraphs=paragraphs,
            overlap=overlap,
            parent=self._parents.get(ordinal, ""),
        )

    def _side(self, ordinal: int) -> tuple[str, tuple[Paragraph, ...], int]:
        if self._text is None:
            return "", (), 0
        text, told = self._text["texts"][ordinal], self._text["bounds"][ordinal]
        bounds = paragraph_bounds(text) if told is None else list(accumulate(told))
        anchors = self._text["anchors"].get(str(ordinal), "").split("\n")
        anchors += [""] * (len(bounds) // 2 - len(anchors))
        return text, tuple(map(Paragraph, bounds[::2], bounds[1::2], anchors)), self._text["overlaps"].get(str(ordinal), 0)

    def find(self, card: str) -> int | None:
        """Ordinal of the card with the id `card`, or None."""
        try:
            return self.ids.index(card)
        except ValueError:
            return None

    def attach(self, name: str, data: bytes) -> None:
        """Add a side file that came later."""
        if name not in self.sides:
            raise IndexFormatError(f"{name!r} is no side file of the index of {self.name!r}: it has {sorted(self.sides)}")
        side = _parse(data, name, TEXT_FORMAT)
        try:
            whole = len(side["texts"]) == len(side["bounds"]) == len(self)
            self._text = {key: side[key] for key in ("texts", "bounds", "anchors", "overlaps")}
        except (KeyError, TypeError) as wrong:
            raise IndexFormatError(f"side file {name!r} is damaged: {wrong} is missing; {_REMEDY}") from wrong
        if not whole:
            self._text = None
            raise IndexFormatError(f"side file {name!r} does not belong to the index of {self.name!r}; {_REMEDY}")
        self._cards.clear()

    def place(self, term: str) -> int | None:
        """Ordinal of a term, or None if the book does not have it."""
        if len(term) == 2 and term[0] in self._row:
            row, start = self._row[term[0]]
            found = row.find(term[1], 1)
            if found > 0:
                return start + found - 1
        return self._place.get(term)

    def term(self, place: int) -> str:
        """Term by its ordinal."""
        if place < len(self.names):
            return self.names[place]
        place -= len(self.names)
        for row in self._rows:
            if place < len(row) - 1:
                return row[0] + row[place + 1]
            place -= len(row) - 1
        raise IndexError(place)

    def posting(self, term: str) -> Posting:
        """Cards a term stands in; decoded once."""
        if term not in self._decoded:
            place = self.place(term)
            self._decoded[term] = NOWHERE if place is None else self._read(term, place)
        return self._decoded[term]

    def _read(self, term: str, place: int) -> Posting:
        """Decode postings; those of a word may be told by their places among the postings of its stem."""
        text = self._postings[place]
        if text.startswith(WITHIN):
            root = stem(term)
            posting = within(text, NOWHERE if root == term else self.posting(root))
        else:
            posting = decode(text)
        if len(posting.cards) != len(posting.frequencies) or (posting.cards and posting.cards[-1] >= len(self)):
            raise IndexFormatError(f"index of {self.name!r} is damaged: postings of {term!r}; {_REMEDY}")
        return posting

    def class_of(self, term: str) -> str:
        """What the book takes a term for: name, number, concept, word or noise; empty if it does not have it."""
        place = self.place(term)
        return "" if place is None else CLASSES.get(self._classes[place], "word")

    def is_word(self, place: int) -> bool:
        """Whether a term stands in the book as it is, and is not only the stem of words that do."""
        return self._classes[place] not in _STEMS

    def single(self, letter: str) -> Posting:
        """Cards that have a letter of a script without spaces, alone or inside a run; how often is not told."""
        key = f"\n{letter}"
        if key not in self._decoded:
            pairs = [letter + second for row in self._rows if row[0] == letter for second in row[1:]]
            pairs += [row[0] + letter for row in self._rows if letter in row]
            cards = sorted(set().union(*(self.posting(term).cards for term in (letter, *pairs))))
            self._decoded[key] = Posting(cards, bytes(repeat(1, len(cards))))
        return self._decoded[key]

    def starting(self, prefix: str) -> range:
        """Ordinals of the terms that begin with `prefix`."""
        return range(bisect_left(self.names, prefix), bisect_left(self.names, prefix + "\U0010ffff"))

    def carriers(self, label: str) -> list[int]:
        """Cards that carry a numbered label such as `theorem 3.2` as their own, the surest first."""
        return self._carriers.get(label, [])


_SHAPE: Final[Mapping[str, type]] = {
    "col": str, "book": str, "title": str, "lang": str, "hash": str, "authors": list, "pages": list, "sides": dict,
    "cards": dict, "terms": dict, "sections": list, "words": dict, "pairs": list, "labels": dict,
}  # fmt: skip
"""What an index file holds, and of which JSON type."""


def _check_shape(parsed: Mapping[str, Any]) -> None:
    for name, form in _SHAPE.items():
        if not isinstance(parsed[name], form):
            raise TypeError(f"{name!r} is no {'text' if form is str else form.__name__}")


def paragraph_bounds(text: str) -> list[int]:
    """Starts and ends of the paragraphs of a text where nothing else is told: what blank lines part."""
    bounds: list[int] = []
    start = 0
    for paragraph in text.split("\n\n"):
        bounds += (start, start + len(paragraph))
        start += len(paragraph) + 2
    return bounds


def load(data: bytes, sides: Mapping[str, bytes] = {}) -> Index:
    """Read an index file and what is at hand of its side files; raise IndexFormatError with what to do."""
    parsed = _parse(data, "index", FORMAT)
    try:
        _check_shape(parsed)
        index = Index(parsed)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as wrong:
        raise IndexFormatError(f"the index file is damaged ({type(wrong).__name__}: {wrong}); {_REMEDY}") from wrong
    for name in index.sides:
        if name in sides:
            index.attach(name, sides[name])
    return index


def _parse(data: bytes, name: str, form: str) -> Mapping[str, Any]:
    try:
        parsed = parse(data)
    except ValueError as wrong:
        raise IndexFormatError(f"{name} is not JSON, so it is damaged or not an index at all; {_REMEDY}") from wrong
    found = parsed.get("format") if isinstance(parsed, dict) else None
    if found != form:
        family, _, version = str(found).rpartition("/")
        newer = family == form.rpartition("/")[0] and version.isdigit() and int(version) > 1
        advice = "update askbook, or " + _REMEDY if newer else _REMEDY
        raise IndexFormatError(f"{name} has the format {found!r}, this program reads {form!r}: {advice}")
    return dict(parsed)


def _split(column: str) -> list[str]:
    return column.split(ENDS)[:-1]
