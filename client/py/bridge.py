"""Cross from one language of a question to the other by the term pairs that the build found in the books."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from .terms import stem

_LONGEST_HAN: Final = 12
_LONGEST_WORDS: Final = 5
_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]{2,}")
_WORDS: Final = re.compile(r"[a-z0-9]+(?:[\s\-]+[a-z0-9]+)*")
_WORD: Final = re.compile(r"[a-z0-9]+")


class Table(NamedTuple):
    """What a book's pairs are looked up in."""

    others: Mapping[str, tuple[str, ...]]
    """Either side of every pair, Latin words by their stems, to what stands on its other side."""
    sizes: Mapping[str, tuple[int, ...]]
    """A letter, or a word, to how many of them the keys that begin with it have, falling."""


def table_of(pairs: Iterable[tuple[str, str, str, str]]) -> Table:
    """Make the table of a book's pairs, each with the keys of its sides, which the build has made."""
    others: dict[str, list[str]] = {}
    sizes: dict[str, set[int]] = {}
    for left, right, left_key, right_key in pairs:
        for key, other in ((left_key, right), (right_key, left)):
            if key and other not in others.setdefault(key, []):
                others[key].append(other)
                units = key.split() if key.isascii() else key
                sizes.setdefault(units[0], set()).add(len(units))
    falling = {unit: tuple(sorted(found, reverse=True)) for unit, found in sizes.items()}
    return Table({key: tuple(found[:3]) for key, found in others.items()}, falling)


def key_of(phrase: str) -> str:
    """What a phrase is looked up by: Latin words by their stems, others as they are."""
    return " ".join(map(stem, _WORD.findall(phrase))) if phrase.isascii() else phrase


def crossings(question: str, tables: Iterable[Table]) -> Iterator[tuple[str, str]]:
    """Phrases of a folded, lower-case question and what they are called in the other language; the longest phrases only."""
    for table in tables:
        if not table.others:
            continue
        for run in _HAN.findall(question):
            yield from _longest(run, run, table, "", _LONGEST_HAN)
        for line in _WORDS.findall(question):
            words = _WORD.findall(line)
            yield from _longest(words, list(map(stem, words)), table, " ", _LONGEST_WORDS)


def _longest(units: Sequence[str], keys: Sequence[str], table: Table, joint: str, longest: int) -> Iterator[tuple[str, str]]:
    """Phrases of neighbouring units: letters of a run, or words, told by their keys."""
    sizes, others = table.sizes, table.others.get
    after = 0
    for place in [place for place, key in enumerate(keys) if key in sizes]:
        if place < after:
            continue
        for size in sizes[keys[place]]:
            if size <= min(longest, len(units) - place) and (found := others(joint.join(keys[place : place + size]))):
                phrase = joint.join(units[place : place + size])
                yield from ((phrase, other) for other in found)
                after = place + size
                break
