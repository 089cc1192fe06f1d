"""Count the terms of many texts in bulk: the counts of `askbook.core.terms.terms`, without an object for each term.

What is counted are pieces of texts that stand between spaces, and each piece is taken apart once in a book (`pieces.py`); only
pairs of letters of scripts without spaces are terms as they stand (`runs.py`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from operator import add, itemgetter
from typing import Any, Final

import numpy as np

from askbook.core.numerals import labels
from askbook.core.terms import CJK, FORMULA, FUNCTION, LATIN, LATIN_ALONE, Term, formula_terms, latex, latin

from .runs import Runs
from .table import Numbers, numbers

RUN: Final = re.compile(rf"[{CJK}]+")
_TOUCHED: Final = re.compile(rf"((?:{FUNCTION.pattern}| )+)")
LIGHT: Final = frozenset({"stem", "part", "noise", "label", "touched", "stop", "han"})
"""Shapes that do not make a card longer: they say again what was counted, or say nothing."""

_BETWEEN: Final = "\u4e00\n\u4e00"
"""Stands for a run of letters: what is beside one is not at the start or end of a word."""
_SPACES: Final = bytes(32 if chr(code) in '\0\x01\x02\x03\t\n\r,;()[]{}<>=*&^%!?"~`|$' else code for code in range(256))
"""Signs that part words and are in none."""
_FORMULA: Final = b"\x01"
_LABEL: Final = b"\x02"
_ALONE: Final = b"\x03"
_END: Final = "\x04"
"""Ends a text; where a text itself has it, it is a space."""
_TAGS: Final = 4
"""First bytes of pieces that are no plain ones; they are below this."""


class Numbered(dict[Any, int]):
    """Values with numbers in order as they were first asked for."""

    def __missing__(self, value: Any) -> int:
        self[value] = number = len(self)
        return number

    def all(self, values: Sequence[Any]) -> Numbers:
        """Numbers of values that are all different, given quicker than one by one."""
        new = [value for value in values if value not in self]
        self.update(zip(new, range(len(self), len(self) + len(new)), strict=True))
        return numbers([*map(self.__getitem__, values)])


@dataclass(frozen=True, slots=True)
class Pieced:
    """The pieces of some texts."""

    pieces: Numbers
    """Numbers of pieces, those of the first text first."""
    owners: Numbers
    """Ordinal of the text of each."""


class Tally:
    """The pieces of some folded texts, which are given parted from their formulas too, and of the letters alone in their runs."""

    def __init__(
        self, texts: Sequence[str], parted: Sequence[tuple[str, list[str]]], runs: Runs, numbered: Numbered | None = None
    ) -> None:
        self.numbered = Numbered() if numbered is None else numbered
        number = self.numbered.__getitem__
        end = number(_END.encode())
        bare = [prose for prose, _ in parted]
        for owner in runs.holders():
            bare[owner] = without_runs(bare[owner])
        pieces = numbers([*map(number, _cut(_joined(bare, f" {_END} ")))])
        ends = pieces == end
        pieces, owners = pieces[~ends], np.cumsum(ends)[~ends]
        more = [(owner, _FORMULA + _encoded(formula)) for owner, (_, formulas) in enumerate(parted) for formula in formulas]
        more += ((owner, _LABEL + label.encode()) for owner, label in _labels(texts))
        more += ((owner, alone(letter)) for owner, letter in runs.alone())
        more.sort(key=itemgetter(0))
        those = numbers([owner for owner, _ in more])
        places = np.searchsorted(owners, those, side="right")
        own = np.insert(pieces, places, numbers([number(piece) for _, piece in more]))
        self.found = Pieced(own, np.insert(owners, places, those))


def _joined(texts: Sequence[str], end: str) -> str:
    whole = end.join(texts)
    return whole if whole.count(_END) < len(texts) else end.join([text.replace(_END, " ") for text in texts])


def _labels(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """What texts name by kind and number."""
    starts = [0, *accumulate(len(text) + 1 for text in texts)]
    for kind, number, place in labels(_joined(texts, _END)):
        yield bisect_right(starts, place) - 1, f"{kind} {number}"


def without_runs(prose: str) -> str:
    """A text without its runs of letters."""
    return prose if prose.isascii() else RUN.sub(_BETWEEN, prose)


def alone(letter: str) -> bytes:
    """The piece of a letter that is a run by itself."""
    return _ALONE + _encoded(letter)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def pieces_of(clean: str) -> Iterator[bytes]:
    """Pieces of a folded text, all but its labels."""
    prose, formulas = split(clean)
    yield from (_FORMULA + _encoded(formula) for formula in formulas)
    yield from _cut(without_runs(prose))
    yield from map(alone, [] if prose.isascii() else [run for run in RUN.findall(prose) if len(run) == 1])


def _cut(prose: str) -> list[bytes]:
    """Cut at spaces, signs, and the stops of sentences, which are in no word either."""
    data = _encoded(prose).translate(_SPACES)
    return data.replace(b". ", b" ").replace(b": ", b" ").split()


def split(clean: str) -> tuple[str, list[str]]:
    """Part prose from formulas."""
    if "$" not in clean and "\\" not in clean:
        return clean, []
    formulas = FORMULA.findall(clean)
    return (FORMULA.sub("\n", clean), formulas) if formulas else (clean, [])


def free_pairs(runs: Iterable[str]) -> Iterator[str]:
    """Pairs of runs that no function word touches."""
    return chain.from_iterable(map(_pairs_of, _TOUCHED.split(" ".join(runs))[::2]))


def _pairs_of(run: str) -> Iterator[str]:
    return map(add, run, run[1:])


def terms_of(piece: bytes) -> tuple[Term, ...]:
    """Terms of a piece, each as often as the piece has it."""
    if piece.isalpha():
        return latin(piece.decode())
    text = piece.decode("utf-8", "surrogatepass")
    if piece[0] < _TAGS:
        return tuple(_of_tagged(piece[:1], text[1:]))
    tokens = (LATIN_ALONE if piece.isascii() else LATIN).findall(text)
    return _expanded(tokens[0]) if len(tokens) == 1 else tuple(chain.from_iterable(map(_expanded, tokens)))


def _of_tagged(tag: bytes, text: str) -> Iterator[Term]:
    if tag == _FORMULA:
        yield from formula_terms(text)
    elif tag == _LABEL:
        yield Term(text, "label")
    else:
        yield Term(text, "stop" if FUNCTION.fullmatch(text) else "han")


def _expanded(token: str) -> tuple[Term, ...]:
    return tuple(latex(token[1:])) if token[0] == "\\" else latin(token)
