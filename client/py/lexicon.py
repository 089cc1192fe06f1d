"""The Chinese words of a book with their costs: the build decides them, everybody cuts with them in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

_UNKNOWN_COST: Final = 12
"""Of one letter that no word covers."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words of two or more letters and what each costs on a path: the rarer, the dearer."""

    costs: Mapping[str, int] = field(default_factory=dict)
    longest: int = 0
    openings: frozenset[tuple[str, str, str]] = frozenset()
    """First three letters of the words that have so many."""
    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """How long words are that end in two letters, rising."""
    alike: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The words of each length, in order."""

    def cut(self, run: str) -> list[str]:
        """Cut a run into words and single letters along the cheapest path; of equal paths the one with the longer last word."""
        best = [0]
        step = [1]
        sizes, costs = self.sizes.get, self.costs.get
        for end in range(1, len(run) + 1):
            cheapest, length = best[-1] + _UNKNOWN_COST, 1
            for size in sizes(run[end - 2 : end], ()) if end > 1 else ():
                if size > end:
                    break
                cost = costs(run[end - size : end])
                if cost is not None and best[end - size] + cost <= cheapest:
                    cheapest, length = best[end - size] + cost, size
            best.append(cheapest)
            step.append(length)
        words: list[str] = []
        end = len(run)
        while end:
            words.append(run[end - step[end] : end])
            end -= step[end]
        return words[::-1]

    def words(self, run: str) -> list[str]:
        """Words of three or more letters in a run, the shorter ones inside them too."""
        if len(run) < 3 or self.openings.isdisjoint(zip(run, run[1:], run[2:], strict=False)):
            return []
        found: list[str] = []
        for word in self.cut(run):
            if len(word) >= 3:
                found.append(word)
                found += (
                    word[start : start + size]
                    for size in range(3, len(word))
                    for start in range(len(word) - size + 1)
                    if word[start : start + size] in self.costs
                )
        return found


EMPTY: Final = Lexicon()


def lexicon_of(costs: Mapping[str, int]) -> Lexicon:
    """Make a lexicon of words and their costs."""
    openings = frozenset((word[0], word[1], word[2]) for word in costs if len(word) > 2)
    ends: dict[str, set[int]] = {}
    alike: dict[int, list[str]] = {}
    for word in costs:
        alike.setdefault(len(word), []).append(word)
        if len(word) > 1:
            ends.setdefault(word[-2:], set()).add(len(word))
    sizes = {ending: tuple(sorted(found)) for ending, found in ends.items()}
    in_order = {length: tuple(sorted(words)) for length, words in alike.items()}
    return Lexicon(costs, max(map(len, costs), default=0), openings, sizes, in_order)
