"""Count how often words stand in a text, all words at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .table import Numbers, numbers

_BEYOND = 1 << 16
"""Letters from here on are in no word that is looked for."""


def occurrences(words: Sequence[str], text: str) -> dict[str, int]:
    """How often each word of two or more letters stands in a text; of those of four or more, what overlaps counts once."""
    ranks, own = _ranked(words, text)
    size = int(own.max(initial=0)) + 1
    counts = dict.fromkeys(words, 0)
    here = [word for word in words if all(ranks[letter] < size for letter in word)]
    if len(own) < 2 or not here:
        return counts
    pairs = {pair: place for place, pair in enumerate(dict.fromkeys(word[:2] for word in here), 1)}
    table = np.zeros(size * size, dtype=np.int32)
    table[[ranks[pair[0]] * size + ranks[pair[1]] for pair in pairs]] = [*pairs.values()]
    found = table[own[:-1] * size + own[1:]].astype(np.int64)
    seen = np.bincount(found, minlength=len(pairs) + 1).tolist()
    counts.update((word, seen[pairs[word]]) for word in here if len(word) == 2)
    longer = {word: pairs[word[:2]] * size + ranks[word[2]] for word in here if len(word) > 2}
    if longer:
        starts = np.flatnonzero(found[:-1])
        places = _by_key(found[starts] * size + own[starts + 2], starts, sorted({*longer.values()}))
        for word, key in longer.items():
            counts[word] = len(places[key]) if len(word) == 3 else _apart(word, text, places[key])
    return counts


def _by_key(keys: Numbers, places: Numbers, wanted: Sequence[int]) -> dict[int, list[int]]:
    """Places that have each of the wanted keys, in order."""
    known = numbers(wanted)
    near = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    hit = known[near] == keys
    near, places = near[hit], places[hit]
    order = np.argsort(near, kind="stable")
    bounds = np.searchsorted(near[order], np.arange(len(known) + 1)).tolist()
    rising = places[order].tolist()
    return {key: rising[first:last] for key, first, last in zip(wanted, bounds, bounds[1:], strict=False)}


def _ranked(words: Sequence[str], text: str) -> tuple[dict[str, int], Numbers]:
    """A rank for each letter of the words, and the ranks of the letters of a text, 0 for those that are in no word."""
    ranks = {letter: rank for rank, letter in enumerate(sorted(set("".join(words))), 1)}
    table = np.zeros(_BEYOND + 1, dtype=np.int64)
    table[[ord(letter) for letter in ranks]] = [*ranks.values()]
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return ranks, table[np.minimum(codes, _BEYOND)]


def _apart(word: str, text: str, places: Sequence[int]) -> int:
    """How many of the places where a word may stand hold it, one behind the other."""
    count = end = 0
    for place in places:
        if place >= end and text.startswith(word, place):
            count += 1
            end = place + len(word)
    return count
