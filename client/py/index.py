"""Read a book's index: what is needed to find a card, and the prose that may come later."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from .bm25 import Norms, norms
from .bridge import Table, table_of
from .catalogue import Catalogue
from .columns import ENDS, count_all_gaps, read_digits, read_gaps, read_numbers, split, told
from .errors import IndexFormatError
from .lexicon import Lexicon, lexicon_of
from .lifting import parse_index
from .nesting import parse
from .phrases import Subjects
from .postings import Posting
from .prose import Prose
from .schema import Card, Section
from .vocabulary import Kept, Vocabulary

FORMAT: Final = "askbook-index/1"
TEXT_FORMAT: Final = "askbook-text/1"
_FOLDED: Final = 512
"""Cards whose case-folded text is kept."""
_REMEDY: Final = "build the book again with this version of askbook (build-ai-index)"


class Index:
    """One book, ready to be searched; made by `load`, which validates, so everything here may trust the columns."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.col: str = data["col"]
        self.book: str = data["book"]
        self.title: str = data["title"]
        self.lang: str = data["lang"]
        self.authors: tuple[str, ...] = tuple(data["authors"])
        self.hash: str = data["hash"]
        self.sides: dict[str, str] = dict(data["sides"])
        """Name of each side file to the hash of its content."""
        self.pages: tuple[str, ...] = tuple(data["pages"])
        self._twins: tuple[str, list[str]] = (data["cards"]["twins"], data["cards"]["twin_of"])
        self._lengths: list[str] = data["cards"]["lengths"]
        self._catalogue = Catalogue(data)
        self._vocabulary = Vocabulary(data["terms"], len(self._catalogue))
        self._words: dict[str, Any] = data["words"]
        self._pairs: str = data["pairs"]
        self._labels: dict[str, str] = data["labels"]
        self._norms: tuple[float, Norms] | None = None
        self._prose: Prose | None = None
        self._cards: dict[int, Card] = {}
        self._folded: dict[int, str] = {}
        self.check()

    def check(self) -> None:
        """Raise IndexFormatError where columns disagree, or hold what they should not."""
        whole = all(type(text) is str for text in (*self.authors, *self.pages, self._pairs, *self._labels.values()))
        whole &= self._catalogue.is_whole() and all(len(plane) == len(self) for plane in self._lengths)
        whole &= count_all_gaps(self._labels["terms"]) == self._labels["cards"].count(ENDS)
        whole &= {count_all_gaps(self._twins[0])} == set(map(len, self._twins[1]))
        whole &= {self._words["names"].count(ENDS)} == set(map(len, self._words["costs"])) and self._pairs.count(ENDS) % 4 == 0
        if not whole:
            raise IndexFormatError(f"index of {self.name!r} is damaged: its columns disagree; {_REMEDY}")
        if not self._vocabulary.is_whole():
            raise IndexFormatError(f"index of {self.name!r} is damaged: terms and postings differ in number; {_REMEDY}")

    def __len__(self) -> int:
        return len(self._catalogue)

    def __repr__(self) -> str:
        return f"Index({self.name!r}, {len(self)} cards)"

    @property
    def name(self) -> str:
        """The stem of its file: `<col>-<book>`."""
        return f"{self.col}-{self.book}"

    @property
    def ids(self) -> list[str]:
        """Of each card."""
        return self._catalogue.ids

    @property
    def titles(self) -> list[str]:
        """Of each card."""
        return self._catalogue.titles

    @cached_property
    def subjects(self) -> Subjects:
        """Of each card, what its title is about."""
        return Subjects(self.titles)

    @property
    def numbers(self) -> list[str]:
        """Of each card; empty for none."""
        return self._catalogue.numbers

    @property
    def sections(self) -> tuple[Section, ...]:
        """Chapters and the headings under them, in reading order."""
        return self._catalogue.sections

    @property
    def names(self) -> list[str]:
        """Terms but pairs of letters, in order of their code points."""
        return self._vocabulary.names

    @cached_property
    def lengths(self) -> list[int]:
        """Of each card, in terms."""
        return list(read_digits(self._lengths))

    @cached_property
    def twins(self) -> dict[int, int]:
        """Card that nearly repeats an earlier one to that one."""
        cards, apart = read_gaps(self._twins[0]), read_digits(self._twins[1])
        return {card: card - back for card, back in zip(cards, apart, strict=True)}

    @cached_property
    def total(self) -> int:
        """Length of all cards, in terms."""
        return sum(self.lengths)

    @property
    def average(self) -> float:
        """Mean length of a card in terms."""
        return self.total / len(self) if len(self) else 0.0

    @cached_property
    def _rows(self) -> list[tuple[str, str, str, str]]:
        """Sides of each term pair, and what each is looked up by."""
        values = split(self._pairs)
        sides = zip(values[::4], values[1::4], values[2::4], values[3::4], strict=True)
        return [(left, right, told(key, left), told(other, right)) for left, right, key, other in sides]

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Terms the book has in two languages."""
        return tuple((left, right) for left, right, _, _ in self._rows)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words the build cut Chinese text with."""
        return lexicon_of(dict(zip(split(self._words["names"]), read_digits(self._words["costs"]), strict=True)))

    @cached_property
    def crossings(self) -> Table:
        """Names of things in the other language."""
        return table_of(self._rows)

    @property
    def has_text(self) -> bool:
        """Whether the prose is here, and not only what is needed to find it."""
        return self._prose is not None

    def norms(self, average: float) -> Norms:
        """What frequencies in each card are held against, where the shelf's cards are this long on average; made once."""
        if self._norms is None or self._norms[0] != average:
            self._norms = (average, norms(self.lengths, average))
        return self._norms[1]

    @property
    def kinds(self) -> list[str]:
        """Kinds of the book's cards."""
        return self._catalogue.kinds

    @property
    def kind_places(self) -> Sequence[int]:
        """Of each card, the place of its kind among the kinds."""
        return self._catalogue.kind_places

    def kind(self, ordinal: int) -> str:
        """Kind of a card."""
        return self._catalogue.kind(ordinal)

    @property
    def page_places(self) -> list[int]:
        """Of each card, a number that cards of the same page share."""
        return self._catalogue.page_places

    def page(self, ordinal: int) -> str:
        """Address of a card's page."""
        try:
            return self._catalogue.page(ordinal)
        except LookupError as wrong:
            raise IndexFormatError(f"index of {self.name!r} is damaged: page of card {ordinal}; {_REMEDY}") from wrong

    def card(self, ordinal: int) -> Card:
        """Card by ordinal; without the text side its text is empty."""
        if ordinal not in self._cards:
            try:
                self._cards[ordinal] = self._make(ordinal)
            except (LookupError, ValueError) as wrong:
                raise IndexFormatError(f"index of {self.name!r} is damaged: card {ordinal}; {_REMEDY}") from wrong
        return self._cards[ordinal]

    def text(self, ordinal: int) -> str:
        """Text of a card; empty without the text side."""
        try:
            return self._prose.text(ordinal) if self._prose is not None else ""
        except LookupError as wrong:
            raise IndexFormatError(f"index of {self.name!r} is damaged: text of card {ordinal}; {_REMEDY}") from wrong

    def whole(self, ordinal: int) -> str:
        """Title and text of a card."""
        return f"{self.titles[ordinal]}\n{self.text(ordinal)}"

    def folded(self, ordinal: int) -> str:
        """Title and text of a card, case-folded; kept for a while, since questions after one another find the same cards."""
        if ordinal not in self._folded:
            if len(self._folded) >= _FOLDED:
                self._folded.clear()
            self._folded[ordinal] = self.whole(ordinal).casefold()
        return self._folded[ordinal]

    def _make(self, ordinal: int) -> Card:
        cards, prose = self._catalogue, self._prose
        text = self.text(ordinal)
        return Card(
            id=cards.id(ordinal),
            kind=cards.kind(ordinal),
            title=cards.titles[ordinal],
            url=cards.url(ordinal) + (prose.words(ordinal, text) if prose is not None else ""),
            text=text,
            number=cards.numbers[ordinal],
            breadcrumb=cards.trail(ordinal),
            chapter=cards.chapter(ordinal),
            paragraphs=prose.paragraphs(ordinal, text) if prose is not None else (),
            overlap=prose.overlap(ordinal) if prose is not None else 0,
            parent=cards.parent(ordinal),
        )

    def find(self, card: str) -> int | None:
        """Ordinal of the card with the id `card`, or None."""
        return self._ordinals.get(card)

    @cached_property
    def _ordinals(self) -> dict[str, int]:
        return {card: ordinal for ordinal, card in reversed(list(enumerate(self.ids)))}

    def attach(self, name: str, data: bytes) -> None:
        """Add a side file that came later."""
        if name not in self.sides:
            raise IndexFormatError(f"{name!r} is no side file of the index of {self.name!r}: it has {sorted(self.sides)}")
        side = _parse(data, name, TEXT_FORMAT)
        try:
            prose = Prose(side)
        except (KeyError, TypeError, AttributeError, ValueError) as wrong:
            raise IndexFormatError(f"side file {name!r} is damaged ({type(wrong).__name__}: {wrong}); {_REMEDY}") from wrong
        if len(prose) != len(self) or not prose.is_whole:
            raise IndexFormatError(f"side file {name!r} does not belong to the index of {self.name!r}; {_REMEDY}")
        self._prose = prose
        self._cards.clear()
        self._folded.clear()

    @property
    def places(self) -> Kept[int | None]:
        """Ordinals of terms, or None where the book does not have them."""
        return self._vocabulary.places

    def words_among(self, words: Collection[str]) -> list[int]:
        """Ordinals of those of many words that stand in the book as they are."""
        return self._vocabulary.words_among(words)

    def term(self, place: int) -> str:
        """Term by its ordinal."""
        return self._vocabulary.term(place)

    @cached_property
    def asked(self) -> Kept[Posting]:
        """Cards of the terms of questions; of a single letter of a script without spaces, all cards with that letter."""
        return Kept(lambda term: self.single(term) if len(term) == 1 and not term.isascii() else self.posting(term))

    def posting(self, term: str) -> Posting:
        """Cards a term stands in; decoded once."""
        try:
            return self._vocabulary.posting(term)
        except (IndexFormatError, LookupError, ValueError) as wrong:
            raise self._unreadable(term) from wrong

    @property
    def class_of(self) -> Callable[[str], str]:
        """What the book takes a term for: name, number, concept, word or noise; empty if it does not have it."""
        return self._vocabulary.class_of

    def is_word(self, place: int) -> bool:
        """Whether a term stands in the book as it is, and is not only the stem of words that do."""
        return self._vocabulary.is_word(place)

    def single(self, letter: str) -> Posting:
        """Cards that have a letter of a script without spaces, alone or inside a run; how often is not told."""
        try:
            found = self._vocabulary.single(letter)
        except (IndexFormatError, LookupError, ValueError) as wrong:
            raise self._unreadable(letter) from wrong
        if found.cards and found.cards[-1] >= len(self):
            raise self._unreadable(letter)
        return found

    def _unreadable(self, term: str) -> IndexFormatError:
        return IndexFormatError(f"index of {self.name!r} is damaged: postings of {term!r}; {_REMEDY}")

    def starting(self, prefix: str) -> range:
        """Ordinals of the terms that begin with `prefix`."""
        return self._vocabulary.starting(prefix)

    @cached_property
    def _carriers(self) -> dict[str, list[int]]:
        """Label to the cards that carry it, the surest first."""
        rows = zip(read_gaps(self._labels["terms"]), split(self._labels["cards"]), strict=True)
        return {self.names[place]: read_numbers(cards) for place, cards in rows}

    def carriers(self, label: str) -> list[int]:
        """Cards that carry a numbered label such as `theorem 3.2` as their own, the surest first."""
        return self._carriers.get(label, [])


_SHAPE: Final[Mapping[str, type]] = {
    "col": str, "book": str, "title": str, "lang": str, "hash": str, "authors": list, "pages": list, "sides": dict,
    "cards": dict, "terms": dict, "sections": dict, "words": dict, "pairs": str, "labels": dict,
}  # fmt: skip
"""What an index file holds, and of which JSON type."""


def _check_shape(parsed: Mapping[str, Any]) -> None:
    for name, form in _SHAPE.items():
        if not isinstance(parsed[name], form):
            raise TypeError(f"{name!r} is no {'text' if form is str else form.__name__}")


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
    """Parse a file; one that begins as the build writes it is not searched for deep nesting, which would take as long again.

    Where nesting is a danger, in the browser, the worker has looked before it hands a file over; elsewhere the parser refuses.
    """
    try:
        parsed = parse_index(data) if data.startswith(f'{{"format":"{form}"'.encode()) else parse(data)
    except (ValueError, RecursionError) as wrong:
        raise IndexFormatError(f"{name} is not JSON, so it is damaged or not an index at all; {_REMEDY}") from wrong
    found = parsed.get("format") if isinstance(parsed, dict) else None
    if found != form:
        family, _, version = str(found).rpartition("/")
        newer = family == form.rpartition("/")[0] and version.isdigit() and int(version) > 1
        advice = "update askbook, or " + _REMEDY if newer else _REMEDY
        raise IndexFormatError(f"{name} has the format {found!r}, this program reads {form!r}: {advice}")
    return dict(parsed)
