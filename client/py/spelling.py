"""Find the terms of a book nearest to one it does not have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    found = index.words_among(_one_slip(word))
    if not found and len(word) >= _TWICE:
        found = _closest(word, index, 3 if len(word) >= _THRICE else 2)
    return _by_frequency(found, index, word[0])


def _closest(word: str, index: Index, most: int) -> list[int]:
    """Of the words alike those with the fewest slips; who has more than the best so far is not counted to the end."""
    found: list[int] = []
    for place in _alike(word, index, most):
        apart = distance(word, index.names[place], most=most)
        if apart < most:
            most, found = apart, []
        if apart == most:
            found.append(place)
    return found


def _by_frequency(places: Iterable[int], index: Index, first: str) -> tuple[str, ...]:
    names = list(map(index.term, places))
    names.sort(key=lambda name: (name[0] != first, -len(index.posting(name).cards), name))
    return tuple(names[:NEAREST])


def _one_slip(word: str) -> set[str]:
    """Every word one letter dropped, swapped, changed or added away."""
    found: set[str] = set()
    for place in range(len(word)):
        before, after, rest = word[:place], word[place:], word[place + 1 :]
        found.add(before + rest)
        found.add(before + rest[:1] + after[0] + rest[1:])
        found.update([before + letter + rest for letter in _ALPHABET])
        found.update([before + letter + after for letter in _ALPHABET])
    found.update([word + letter for letter in _ALPHABET])
    return found


def _alike(word: str, index: Index, most: int) -> list[int]:
    """Words of about the same length with the same first letter and enough pairs of letters in common."""
    pairs = [word[place : place + 2] for place in range(len(word) - 1)]
    least = max(2, len(pairs) - 2 * most)
    names, same = index.names, index.starting(word[0])
    sizes = range(len(word) - 2, len(word) + 3)
    near = [place for place in same if len(names[place]) in sizes and sum(map(names[place].__contains__, pairs)) >= least]
    return [place for place in near if names[place].isalpha() and index.is_word(place)]


def _nearest_han(word: str, index: Index) -> tuple[str, ...]:
    """Words of the book's lexicon that differ from a Chinese one in one letter."""
    first, last = word[0], word[-1]
    likely = (name for name in index.lexicon.alike.get(len(word), ()) if name[0] == first or name[-1] == last)
    words = [name for name in likely if sum(map(str.__ne__, name, word)) == 1]
    return _by_frequency([place for name in words if (place := index.places[name]) is not None], index, first)


def distance(one: str, other: str, *, most: int) -> int:
    """Edit distance with neighbours swapped (optimal string alignment); `most + 1` as soon as it is more than `most`."""
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    if abs(len(one) - len(other)) > most:
        return most + 1
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
