"""Count the terms of a text in bulk: the counts of `askbook.core.terms.terms`, without an object for each term."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from operator import add
from typing import Final

from askbook.core.lexicon import Lexicon
from askbook.core.numerals import labels
from askbook.core.terms import CJK, FORMULA, FUNCTION, LATIN, LATIN_ALONE, Term, formula_terms, latex, latin

_RUN: Final = re.compile(rf"[{CJK}]+")
_TOUCHED: Final = re.compile(rf"((?:{FUNCTION.pattern}| )+)")
LIGHT: Final = frozenset({"stem", "part", "noise", "label", "touched", "stop", "han"})
"""Shapes that do not make a card longer: they say again what was counted, or say nothing."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What one text counts: pairs of letters apart, since a pair has its shape from its neighbours."""

    frequencies: dict[str, int] = field(default_factory=dict)
    shapes: dict[str, str] = field(default_factory=dict)
    """Of each term but pairs, as first seen."""
    length: int = 0
    stops: dict[str, int] = field(default_factory=dict)
    """How often a pair stood inside function words."""


def tally(clean: str) -> Tally:
    """Count a folded text, all but the words of a lexicon."""
    prose, formulas = _split(clean)
    counts: Counter[str] = Counter()
    shapes: dict[str, str] = {}
    length = 0
    runs = [] if clean.isascii() else _RUN.findall(prose)
    for token, seen in Counter((LATIN if runs else LATIN_ALONE).findall(prose)).items():
        for term, shape in _expanded(token):
            counts[term] += seen
            shapes.setdefault(term, shape)
            if shape not in LIGHT:
                length += seen
    for term, shape in chain.from_iterable(map(_formula, formulas)):
        counts[term] += 1
        shapes.setdefault(term, shape)
        length += shape not in LIGHT
    for kind, number, _ in labels(clean):
        label = f"{kind} {number}"
        counts[label] += 1
        shapes.setdefault(label, "label")
    stops: dict[str, int] = {}
    length += _count_runs(runs, counts, shapes, stops)
    return Tally(dict(counts), shapes, length, stops)


def _split(clean: str) -> tuple[str, list[str]]:
    """Part prose from formulas."""
    if "$" not in clean and "\\" not in clean:
        return clean, []
    formulas = FORMULA.findall(clean)
    return (FORMULA.sub("\n", clean), formulas) if formulas else (clean, [])


@lru_cache(maxsize=65536)
def _expanded(token: str) -> tuple[Term, ...]:
    return tuple(latex(token[1:])) if token[0] == "\\" else latin(token)


@lru_cache(maxsize=16384)
def _formula(text: str) -> tuple[Term, ...]:
    return tuple(formula_terms(text))


def _count_runs(runs: list[str], counts: Counter[str], shapes: dict[str, str], stops: dict[str, int]) -> int:
    """Count the pairs of runs, and letters that stand alone; return how many pairs no function word touches."""
    for run in runs:
        if len(run) == 1:
            counts[run] += 1
            shapes.setdefault(run, "stop" if FUNCTION.fullmatch(run) else "han")
    counts.update(chain.from_iterable(map(_pairs, runs)))
    pieces = _TOUCHED.split(" ".join(runs))
    for touched in pieces[1::2]:
        if len(touched) > 1:
            for run in touched.split():
                for pair in _pairs(run):
                    stops[pair] = stops.get(pair, 0) + 1
    free = [piece for piece in pieces[::2] if piece]
    return sum(map(len, free)) - len(free)


def _pairs(run: str) -> Iterator[str]:
    return map(add, run, run[1:])


def words(clean: str, lexicon: Lexicon) -> dict[str, int]:
    """Count the longer Chinese words of a folded text."""
    found: Counter[str] = Counter()
    if not lexicon.openings or clean.isascii():
        return {}
    for run in _RUN.findall(_split(clean)[0]):
        found.update(lexicon.words(run))
    return dict(found)
