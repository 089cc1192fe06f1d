"""Find the terms of a book nearest to one it does not have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from .index import Index
from .limits import NEAREST

_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"
_SHORTEST: Final = 4
"""Shorter words have too many neighbours to mean any of them."""
_TWICE: Final = 7
"""From this length on two slips are forgiven."""
_THRICE: Final = 9
_LONGEST: Final = 32


def nearest_of(word: str, shelf: Sequence[Index]) -> tuple[str, ...]:
    """Nearest terms of all books: those with the same first letter before the others, then the most frequent."""
    found = dict.fromkeys(near for index in shelf for near in nearest(word, index))
    often = {near: sum(len(index.posting(near).cards) for index in shelf) for near in found}
    return tuple(sorted(found, key=lambda near: (near[0] != word[0], -often[near], near))[:NEAREST])


def nearest(word: str, index: Index) -> tuple[str, ...]:
    """Terms one slip away, else, for longer words, two; the most frequent first."""
    if not _SHORTEST <= len(word) <= _LONGEST or any(letter.isdigit() for letter in word):
        return ()
    if not word.isascii():
        return _nearest_han(word, index)
    found = [place for near in dict.fromkeys(_one_slip(word)) if (place := _known(near, index)) is not None]
    if not found and len(word) >= _TWICE:
        most = 3 if len(word) >= _THRICE else 2
        near = [(distance(word, index.names[place], most=most), place) for place in _alike(word, index, most)]
        closest = min(near, default=(most + 1, 0))[0]
        found = [place for apart, place in near if apart == closest <= most]
    return _by_frequency(found, index, word[0])


def _known(near: str, index: Index) -> int | None:
    place = index.listed(near)
    return place if place is not None and index.is_word(place) else None


def _by_frequency(places: Iterable[int], index: Index, first: str) -> tuple[str, ...]:
    names = list(map(index.term, places))
    names.sort(key=lambda name: (name[0] != first, -len(index.posting(name).cards), name))
    return tuple(names[:NEAREST])


def _one_slip(word: str) -> Iterator[str]:
    """Every word one letter dropped, swapped, changed or added away."""
    for place in range(len(word) + 1):
        before, after = word[:place], word[place:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        for letter in _ALPHABET:
            if after:
                yield before + letter + after[1:]
            yield before + letter + after


def _alike(word: str, index: Index, most: int) -> Iterator[int]:
    """Words of about the same length with the same first letter and enough pairs of letters in common."""
    pairs = [word[place : place + 2] for place in range(len(word) - 1)]
    least = max(2, len(pairs) - 2 * most)
    for place in index.starting(word[0]):
        name = index.names[place]
        if (
            abs(len(name) - len(word)) <= 2
            and name.isalpha()
            and sum(pair in name for pair in pairs) >= least
            and index.is_word(place)
        ):
            yield place


def _nearest_han(word: str, index: Index) -> tuple[str, ...]:
    """Words of the book's lexicon that differ from a Chinese one in one letter."""
    words = [name for name in index.lexicon.costs if len(name) == len(word) and sum(map(str.__ne__, name, word)) == 1]
    return _by_frequency([place for name in sorted(words) if (place := index.place(name)) is not None], index, word[0])


def distance(one: str, other: str, *, most: int) -> int:
    """Edit distance with neighbours swapped (optimal string alignment); `most + 1` as soon as it is more than `most`."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        current = [i]
        for j, beside in enumerate(other, 1):
            cost = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + (letter != beside))
            if before and j > 1 and letter == other[j - 2] and one[i - 2] == beside:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > most:
            return most + 1
        before, row = row, current
    return min(row[-1], most + 1)
