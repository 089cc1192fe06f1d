"""Count every card of a book, by memory where a text is known, and turn what was counted into the cards of each term."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import blake2b
from operator import mul
from typing import Any, NamedTuple

from askbook.core.folding import fold
from askbook.core.lexicon import Lexicon
from askbook.core.limits import FIELD_BREADCRUMB, FIELD_LABEL, FIELD_TITLE
from askbook.core.schema import Book

from .memory import Memory, key_of
from .tally import LIGHT, RUN, Tally, split, tally, terms_of
from .terms import capitals, proper_names
from .vocabulary import Found

Gathered = Mapping[str | bytes, dict[int, int]]
"""Cards of each piece, and of each pair of letters, which is a term already, with frequencies; in order as first seen."""
Sources = dict[str, list[str | bytes]]
"""The pieces a term comes from."""


class _Text(NamedTuple):
    """What is counted in the text of a card."""

    pieces: Mapping[bytes, int]
    pairs: Mapping[str, int]
    free: int
    stops: Mapping[str, int]
    capitals: Mapping[str, int]


class _Field(NamedTuple):
    """What a title, or the headings above a card, add to what its text counts."""

    text: str
    weight: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class Counted:
    """The terms of a book."""

    lengths: list[int]
    """Of each card."""
    found: Found
    """Each term's cards and frequencies, fields weighted."""
    shapes: dict[str, str]
    """Of terms, as first seen; a pair of letters has one only if it mostly is a function word, or stands in a formula."""
    names: frozenset[str]
    """Latin words that the book nearly always writes with a capital."""


def count_book(
    book: Book, texts: Sequence[str], carried: Mapping[str, Sequence[int]], lexicon: Lexicon, memory: Memory
) -> Counted:
    """Count the cards of a book, whose folded texts are given, with the labels each carries as its own."""
    own = [_Text(*memory.recall("cards", key_of(text), partial(_read, text))) for text in texts]
    fields = [(_title(card.title), _trail(card.breadcrumb)) for card in book.cards]
    gathered = _gather(own, fields)
    heavy: dict[bytes, int] = {}
    sources, shapes = _sources(gathered, heavy)
    added = _label_places(carried)
    if lexicon.openings:
        added |= _word_places(texts, fields, lexicon, memory)
    found = _found(gathered, sources, added)
    shapes |= dict.fromkeys(_function_pairs(own, fields, gathered, sources), "stop")
    names = proper_names((one.capitals for one in own), _Pieces(gathered, sources, fields).of)
    return Counted(list(_lengths(own, fields, heavy)), found, shapes, names)


def _read(text: str) -> tuple[Any, ...]:
    one = tally(text)
    return dict(one.pieces), dict(one.pairs), one.free, one.stops, dict(capitals(text))


@lru_cache(maxsize=16384)
def _title(text: str) -> _Field:
    folded = fold(text)
    return _Field(folded, FIELD_TITLE, tally(folded))


@lru_cache(maxsize=16384)
def _trail(breadcrumb: tuple[str, ...]) -> _Field:
    folded = fold(" \n".join(breadcrumb))
    return _Field(folded, FIELD_BREADCRUMB, tally(folded))


def _gather(texts: Iterable[_Text], fields: Iterable[tuple[_Field, ...]]) -> Gathered:
    found: defaultdict[str | bytes, dict[int, int]] = defaultdict(dict)
    for ordinal, (text, own) in enumerate(zip(texts, fields, strict=True)):
        for piece, seen in text.pieces.items():
            found[piece][ordinal] = seen
        for pair, seen in text.pairs.items():
            found[pair][ordinal] = seen
        for field in own:
            for counts in (field.tally.pieces, field.tally.pairs):
                for each, seen in counts.items():
                    cards = found[each]
                    cards[ordinal] = cards.get(ordinal, 0) + field.weight * seen
    return found


def _sources(gathered: Gathered, heavy: dict[bytes, int]) -> tuple[Sources, dict[str, str]]:
    """Take each piece apart: what each term comes from, and its shape; `heavy` is told how long each piece makes its card."""
    sources: Sources = {}
    shapes: dict[str, str] = {}
    for piece in gathered:
        if isinstance(piece, str):
            sources[piece] = [*sources.get(piece, ()), piece]
            continue
        terms = terms_of(piece)
        for term, shape in terms:
            if term in sources:
                sources[term].append(piece)
            else:
                sources[term] = [piece]
            if term not in shapes:
                shapes[term] = shape
        heavy[piece] = sum([shape not in LIGHT for _, shape in terms])
    return sources, shapes


def _label_places(carried: Mapping[str, Sequence[int]]) -> dict[str, dict[int, int]]:
    """Where labels stand that cards carry as their own, and their numbers."""
    found: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for label, ordinals in carried.items():
        for term in (label, label.partition(" ")[2]):
            for ordinal in ordinals:
                found[term][ordinal] = found[term].get(ordinal, 0) + FIELD_LABEL
    return dict(found)


def _word_places(
    texts: Sequence[str], fields: Iterable[tuple[_Field, ...]], lexicon: Lexicon, memory: Memory
) -> dict[str, dict[int, int]]:
    """Where the longer Chinese words stand."""
    words_of = lru_cache(maxsize=None)(lexicon.words)

    def words(text: str) -> dict[str, int]:
        runs = [] if text.isascii() else RUN.findall(split(text)[0])
        return dict(Counter(word for run in runs if len(run) > 2 for word in words_of(run)))

    part = "words " + blake2b(repr(sorted(lexicon.costs.items())).encode(), digest_size=16).hexdigest()
    known = lru_cache(maxsize=None)(words)
    found: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for ordinal, (text, own) in enumerate(zip(texts, fields, strict=True)):
        for word, seen in memory.recall(part, key_of(text), partial(words, text)).items():
            found[word][ordinal] = seen
        for field in own:
            for word, seen in known(field.text).items():
                found[word][ordinal] = found[word].get(ordinal, 0) + field.weight * seen
    return dict(found)


def _found(gathered: Gathered, sources: Sources, added: Mapping[str, dict[int, int]]) -> Found:
    """The postings of every term."""
    found: dict[str, dict[int, int]] = {}
    for term, pieces in sources.items():
        if len(pieces) == 1 and term not in added:
            found[term] = gathered[pieces[0]]
        else:
            found[term] = _merged([*map(gathered.__getitem__, pieces), added.get(term, {})])
    found.update((term, _merged([cards])) for term, cards in added.items() if term not in sources)
    return found


def _merged(sources: list[dict[int, int]]) -> dict[int, int]:
    """Add up postings; the cards of the sum are in order."""
    sources.sort(key=len)
    total = dict(sources.pop())
    for cards in sources:
        for card, seen in cards.items():
            total[card] = total.get(card, 0) + seen
    return dict(sorted(total.items()))


def _function_pairs(
    texts: Iterable[_Text], fields: Iterable[tuple[_Field, ...]], gathered: Gathered, sources: Sources
) -> list[str]:
    """Pairs of letters that mostly are function words."""
    stops: defaultdict[str, int] = defaultdict(int)
    for text, own in zip(texts, fields, strict=True):
        for pair, seen in text.stops.items():
            stops[pair] += seen
        for field in own:
            for pair, seen in field.tally.stops.items():
                stops[pair] += field.weight * seen
    return [pair for pair, seen in stops.items() if 2 * seen > sum(sum(gathered[piece].values()) for piece in sources[pair])]


class _Pieces:
    """How often the texts of a book have the pieces a word comes from, titles and headings apart."""

    def __init__(self, gathered: Gathered, sources: Sources, fields: Iterable[tuple[_Field, ...]]) -> None:
        self._gathered = gathered
        self._sources = sources
        self._elsewhere: defaultdict[bytes, int] = defaultdict(int)
        for own in fields:
            for field in own:
                for piece, times in field.tally.pieces.items():
                    self._elsewhere[piece] += field.weight * times

    def of(self, word: str) -> dict[bytes, int]:
        """The pieces a word stands in without a capital."""
        bare = word.encode()
        pieces = {piece for piece in self._sources.get(word, ()) if isinstance(piece, bytes) and bare in piece}
        return {piece: sum(self._gathered[piece].values()) - self._elsewhere.get(piece, 0) for piece in pieces}


def _lengths(texts: Iterable[_Text], fields: Iterable[tuple[_Field, ...]], heavy: Mapping[bytes, int]) -> Iterable[int]:
    def length(pieces: Mapping[bytes, int], free: int) -> int:
        own: Iterable[int] = map(mul, pieces.values(), map(heavy.__getitem__, pieces))
        return free + sum(own)

    for text, own in zip(texts, fields, strict=True):
        yield length(text.pieces, text.free) + sum(length(field.tally.pieces, field.tally.free) for field in own)
