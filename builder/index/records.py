"""Write the postings of a vocabulary as the records and columns that `askbook.core.postings` reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from askbook.core.columns import BASE, LETTERS
from askbook.core.postings import ALL, EXACT, EXACT_WITHIN, LONG, ORDINAL, SIZES, Size
from askbook.core.terms import stem

from . import letters
from .vocabulary import Found

_DENSE: Final = 50
"""A term that stands in one of fewer cards has gaps short enough for a letter each, so that digits gain nothing."""


class RecordWriter:
    """Takes term after term; a function word is written without frequencies, a word by the postings of its stem."""

    def __init__(self, found: Found, shapes: Mapping[str, str], cards: int) -> None:
        self._found = found
        self._shapes = shapes
        self._digits = letters.digits_for(max(0, cards - 1))
        self._rare = min(EXACT, cards // _DENSE)
        self._sizes: list[str] = []
        self._numbers: list[list[int]] = [[] for _ in SIZES]
        self._times: list[list[int]] = [[] for _ in SIZES]
        self._long: list[str] = []
        self._long_times: list[str] = []

    def add_pair(self, pair: str) -> None:
        """Add a pair of letters, which has no stem."""
        self._add(self._found[pair], plain=self._shapes.get(pair) == "stop")

    def add_word(self, term: str) -> None:
        """Add any other term."""
        own = self._found[term]
        plain = self._shapes.get(term) == "stop"
        root = stem(term)
        over = {} if plain or root == term or self._shapes.get(root) == "stop" else self._found.get(root, {})
        if own.keys() <= over.keys():
            self._add_within(own, over)
        else:
            self._add(own, plain=plain)

    def _add(self, own: Mapping[int, int], *, plain: bool) -> None:
        counted = not plain and max(own.values()) > 1
        self._put([*own], own.values(), counted=counted, within=False)

    def _add_within(self, own: Mapping[int, int], over: Mapping[int, int]) -> None:
        counted = any(over[card] != frequency for card, frequency in own.items())
        if len(own) < len(over):
            place = {card: position for position, card in enumerate(over)}
            self._put([place[card] for card in own], own.values(), counted=counted, within=True)
            return
        self._sizes.append(LETTERS[ORDINAL[Size(ALL, counted, within=True)]])
        if counted:
            self._long_times.append(letters.times(own.values()))

    def _put(self, numbers: Sequence[int], times: Iterable[int], *, counted: bool, within: bool) -> None:
        gaps = [number - before for number, before in zip(numbers, (0, *numbers), strict=False)]
        cards = len(numbers) if self._is_exact(gaps, within=within) else LONG
        ordinal = ORDINAL[Size(cards, counted, within)]
        self._sizes.append(LETTERS[ordinal])
        if cards == LONG:
            self._long.append(letters.gaps(numbers))
            if counted:
                self._long_times.append(letters.times(times))
            return
        self._numbers[ordinal] += gaps
        if counted:
            self._times[ordinal] += times

    def _is_exact(self, gaps: Sequence[int], *, within: bool) -> bool:
        if within:
            return len(gaps) <= EXACT_WITHIN and max(gaps) < BASE
        return len(gaps) <= self._rare or (len(gaps) <= EXACT and max(gaps) < BASE)

    def columns(self) -> dict[str, object]:
        """Everything that was added, as it stands in the index."""
        digits = [self._digits if 0 < size.cards <= self._rare and not size.within else 1 for size in SIZES]
        planes = [letters.digits(numbers, own) for numbers, own in zip(self._numbers, digits, strict=True)]
        return {
            "sizes": "".join(self._sizes),
            "digits": [list(plane) for plane in zip_longest(*planes, fillvalue="")],
            "times": [letters.times(times) for times in self._times],
            "long": letters.column(self._long),
            "long_times": letters.column(self._long_times),
        }
