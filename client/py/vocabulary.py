"""The terms of a book: which there are, what the book takes each for, and where it stands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from itertools import accumulate
from typing import Any, Final, TypeVar

from .columns import ENDS, count_all_gaps, count_gaps, count_names, read_gaps, read_names, split
from .errors import IndexFormatError
from .postings import NOWHERE, Posting, Records
from .terms import stem

CLASSES: Final = {"n": "name", "#": "number", "c": "concept", "t": "concept", "w": "word", "s": "word", "x": "noise"}
"""Letter in the index to class of a term; t and s are stems that no text has as a word."""
_STEMS: Final = "ts"
_ENDING: Final = 7
"""Most letters that a word has more than its stem."""
KEPT: Final = 5_000
"""Terms whose postings, and as many whose places, are remembered; a server is asked for years."""
_Value = TypeVar("_Value")


class Kept(dict[str, _Value]):
    """What was found of terms, each looked for when it is first asked for; all is forgotten where it is too much."""

    def __init__(self, find: Callable[[str], _Value]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, term: str) -> _Value:
        found = self._find(term)
        if len(self) >= KEPT:
            self.clear()
        self[term] = found
        return found


class Vocabulary:
    """Terms in order: names by their code points, then pairs of letters by how many pairs their letters are in."""

    def __init__(self, terms: Mapping[str, Any], cards: int) -> None:
        self._cards = cards
        self._names_column: str = terms["names"]
        self._letters: str = terms["letters"]
        self._rows_column: str = terms["pairs"]
        self._classes: str = terms["classes"]
        self._records = Records(terms["sizes"], terms["digits"], terms["times"], terms["long"], terms["long_times"])
        self._rows: dict[int, list[int]] = {}
        self._first_pair = count_names(self._names_column)

    def is_whole(self) -> bool:
        """Whether the columns agree in length."""
        pairs = len(self._classes) - self._first_pair
        whole = self._rows_column.count(ENDS) == len(self._letters) and count_all_gaps(self._rows_column) == pairs
        return whole and len(self._records) == len(self._classes)

    @cached_property
    def names(self) -> list[str]:
        """Terms but pairs of letters, in order of their code points."""
        return read_names(self._names_column)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.names)

    @cached_property
    def _rank(self) -> dict[str, int]:
        return dict(zip(self._letters, range(len(self._letters)), strict=True))

    @cached_property
    def _row_texts(self) -> list[str]:
        return split(self._rows_column)

    @cached_property
    def _starts(self) -> list[int]:
        """Of each letter, the ordinal of the first pair that begins with it."""
        return list(accumulate(count_gaps(self._rows_column), initial=self._first_pair))

    def _row(self, first: int) -> list[int]:
        """Ranks of the letters that follow a letter, rising."""
        if first not in self._rows:
            self._rows[first] = read_gaps(self._row_texts[first])
        return self._rows[first]

    def listed(self, term: str) -> int | None:
        """Ordinal of a term that stands in the index as it is."""
        if len(term) == 2 and not term.isascii():
            first, second = self._rank.get(term[0]), self._rank.get(term[1])
            if first is not None and second is not None:
                row = self._row(first)
                at = bisect_left(row, second)
                if at < len(row) and row[at] == second:
                    return self._starts[first] + at
        at = bisect_left(self.names, term)
        return at if at < len(self.names) and self.names[at] == term else None

    @cached_property
    def places(self) -> Kept[int | None]:
        """Ordinal of a term, or of the one word that has it as its stem; None if the book does not have it."""
        return Kept(lambda term: self._form(term) if (found := self.listed(term)) is None else found)

    def _form(self, root: str) -> int | None:
        """The word a stem was left out for, because the book has no other of that stem."""
        if not (len(root) > 1 and root.isascii() and root.isalpha()):
            return None
        begins = root[:-1] if root[-1] == "i" else root
        near = (place for place in self.starting(begins) if len(self.names[place]) <= len(root) + _ENDING)
        return next((place for place in near if stem(self.names[place]) == root), None)

    def term(self, place: int) -> str:
        """Term by its ordinal."""
        if place < self._first_pair:
            return self.names[place]
        first = bisect_right(self._starts, place) - 1
        return self._letters[first] + self._letters[self._row(first)[place - self._starts[first]]]

    def posting(self, term: str) -> Posting:
        """Cards a term stands in; decoded once."""
        return self._postings[term]

    @cached_property
    def _postings(self) -> Kept[Posting]:
        return Kept(lambda term: NOWHERE if (place := self.places[term]) is None else self._read(term, place))

    def _read(self, term: str, place: int) -> Posting:
        """Decode a record; that of a word may be told by the record of its stem."""
        try:
            over = NOWHERE
            if self._records.size(place).within and (root := stem(self.names[place])) != self.names[place]:
                over = self.posting(root)
            found = self._records.read(place, over)
        except (IndexFormatError, IndexError, RecursionError) as wrong:
            raise IndexFormatError(f"postings of {term!r}") from wrong
        if found.cards[-1] >= self._cards:
            raise IndexFormatError(f"postings of {term!r}")
        return found

    def class_of(self, term: str) -> str:
        """What the book takes a term for: name, number, concept, word or noise; empty if it does not have it."""
        place = self.places[term]
        return "" if place is None else CLASSES.get(self._classes[place], "word")

    def is_word(self, place: int) -> bool:
        """Whether a term stands in the book as it is, and is not only the stem of words that do."""
        return self._classes[place] not in _STEMS

    def single(self, letter: str) -> Posting:
        """Cards that have a letter of a script without spaces, alone or inside a run; how often is not told."""
        rank = self._rank.get(letter)
        places = [] if rank is None else [*range(*self._starts[rank : rank + 2]), *self._endings[rank]]
        cards = sorted(self._records.cards_of(places).union(self.posting(letter).cards))
        return Posting(cards, b"\x01" * len(cards))

    @cached_property
    def _endings(self) -> list[list[int]]:
        """Of each letter, the ordinals of the pairs that end with it."""
        found: list[list[int]] = [[] for _ in self._letters]
        for first, start in enumerate(self._starts[:-1]):
            for place, second in enumerate(self._row(first), start):
                found[second].append(place)
        return found

    def words_among(self, words: Collection[str]) -> list[int]:
        """Ordinals of those of many words that stand in the book as they are."""
        places = [bisect_left(self.names, name) for name in self._known.intersection(words)]
        return [place for place in places if self.is_word(place)]

    def starting(self, prefix: str) -> range:
        """Ordinals of the terms that begin with `prefix`."""
        return range(bisect_left(self.names, prefix), bisect_left(self.names, prefix + "\U0010ffff"))
