"""Count the terms of a text in bulk: the counts of `askbook.core.terms.terms`, without an object for each term.

What is counted are pieces of a text that stand between spaces, and each piece is taken apart once in a book; only pairs of
Chinese letters are terms as they stand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from operator import add
from typing import Final, NamedTuple

from askbook.core.numerals import labels
from askbook.core.terms import CJK, FORMULA, FUNCTION, LATIN, LATIN_ALONE, Term, formula_terms, latex, latin

RUN: Final = re.compile(rf"[{CJK}]+")
_TOUCHED: Final = re.compile(rf"((?:{FUNCTION.pattern}| )+)")
LIGHT: Final = frozenset({"stem", "part", "noise", "label", "touched", "stop", "han"})
"""Shapes that do not make a card longer: they say again what was counted, or say nothing."""

_RUNS: Final = re.compile(rf"([{CJK}]+)")
_BETWEEN: Final = "\u4e00\n\u4e00"
"""Stands for a run of letters: what is beside one is not at the start or end of a word."""
_SPACES: Final = bytes(32 if chr(code) in '\0\x01\x02\x03\t\n\r,;()[]{}<>=*&^%!?"~`|$' else code for code in range(256))
"""Signs that part words and are in none."""
_FORMULA: Final = b"\x01"
_LABEL: Final = b"\x02"
_ALONE: Final = b"\x03"
_TAGS: Final = 4
"""First bytes of pieces that are no plain ones; they are below this."""

Pieces = dict[bytes, int]
"""Pieces of a text as first seen, with how often."""


class Tally(NamedTuple):
    """What one text counts; plain values, so that a build can leave them to the next."""

    pieces: Pieces
    pairs: dict[str, int]
    """Pairs of letters of a script without spaces."""
    free: int
    """How many pairs no function word touches."""
    stops: dict[str, int]
    """How often a pair stood inside function words."""


def tally(clean: str) -> Tally:
    """Count a folded text, all but the words of a lexicon."""
    prose, formulas = split(clean)
    parts = [prose] if clean.isascii() else _RUNS.split(prose)
    runs = parts[1::2]
    pieces: Pieces = Counter(_cut(_BETWEEN.join(parts[::2])))
    for formula in formulas:
        _count(pieces, _FORMULA + _encoded(formula))
    for kind, number, _ in labels(clean):
        _count(pieces, _LABEL + f"{kind} {number}".encode())
    if not runs:
        return Tally(pieces, {}, 0, {})
    for run in runs:
        if len(run) == 1:
            _count(pieces, _ALONE + run.encode())
    return Tally(pieces, *_pairs(runs))


def _count(pieces: Pieces, piece: bytes) -> None:
    pieces[piece] = pieces.get(piece, 0) + 1


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def pieces_of(clean: str) -> Iterator[bytes]:
    """Pieces of a folded text, all but its labels."""
    prose, formulas = split(clean)
    yield from (_FORMULA + _encoded(formula) for formula in formulas)
    parts = [prose] if clean.isascii() else _RUNS.split(prose)
    yield from _cut(_BETWEEN.join(parts[::2]))
    yield from (_ALONE + run.encode() for run in parts[1::2] if len(run) == 1)


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


def _pairs(runs: list[str]) -> tuple[dict[str, int], int, dict[str, int]]:
    """Count the pairs of runs; how many no function word touches; which stand inside function words."""
    counts = Counter(chain.from_iterable(map(_pairs_of, runs)))
    stops: dict[str, int] = {}
    pieces = _TOUCHED.split(" ".join(runs))
    for touched in pieces[1::2]:
        if len(touched) > 1:
            for run in touched.split():
                for pair in _pairs_of(run):
                    stops[pair] = stops.get(pair, 0) + 1
    free = [piece for piece in pieces[::2] if piece]
    return counts, sum(map(len, free)) - len(free), stops


def free_pairs(run: str) -> Iterator[str]:
    """Pairs of a run that no function word touches."""
    return chain.from_iterable(map(_pairs_of, _TOUCHED.split(run)[::2]))


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
