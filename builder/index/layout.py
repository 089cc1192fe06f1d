"""Lay out the terms of a book: their order, what each is to the book, and where it stands."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence, Set
from typing import Final

import numpy as np

from askbook.core.limits import STOP_FEWEST_CARDS, STOP_MOST
from askbook.core.schema import Book

from . import letters
from .counting import Counted
from .cuts import Cuts
from .kept import Kept
from .letters import clean
from .pieces import SHAPE
from .records import gap_column, gaps_of, records
from .table import Flags, Numbers, Table, distinct, stable
from .terms import classes, concept_terms

_COMPOUND: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_STOP: Final = SHAPE["stop"]


def vocabulary(book: Book, counted: Counted, cuts: Cuts, kept: Kept) -> tuple[list[str], dict[str, object]]:
    """Terms but pairs of letters in their order, and the columns of all terms."""
    number, table, shapes, is_pair = counted.number, counted.table, counted.shapes.copy(), counted.pairs
    terms = [*number]
    shapes[[number[word] for word in cuts.lexicon.costs if len(word) > 2 and word in number]] = SHAPE["han"]
    usual = STOP_MOST * max(len(book.cards), STOP_FEWEST_CARDS)
    useful = (table.sizes > 0) & ((shapes != _STOP) | (table.sizes <= usual))
    order = counted.order[useful[counted.order]]
    names = [terms[place] for place in order.tolist()]
    stems = counted.roots[order]
    stems = np.where(table.sizes[stems] > 0, stems, -1)
    special, concepts = counted.names, concept_terms(book, cuts, kept)
    left_out = lone_stems(terms, order, stems, table, shapes)
    left_out[order] |= mere_compounds(names, table.sizes[order], shapes[order], special | concepts)
    stays = ~left_out[order]
    order, stems = order[stays], stems[stays]
    stems = np.where((stems >= 0) & (left_out[stems] | (shapes[stems] == _STOP) | (shapes[order] == _STOP)), -1, stems)
    pairs = np.flatnonzero(useful & is_pair)
    alphabet, rows, ordered = pair_rows([terms[place] for place in pairs.tolist()])
    order = np.concatenate([order, pairs[ordered]])
    stems = np.concatenate([stems, np.full(len(pairs), -1, dtype=np.int64)])
    names = [terms[place] for place in order[: len(order) - len(pairs)].tolist()]
    return names, {
        "names": clean(letters.names(names)),
        "letters": alphabet,
        "pairs": rows,
        "classes": classes(terms, order, shapes, number, special, concepts, pairs=len(pairs)),
        **records(table, order, stems, shapes[order] == _STOP, max(1, len(book.cards))),
    }


def lone_stems(terms: Sequence[str], order: Numbers, stems: Numbers, table: Table, shapes: Numbers) -> Flags:
    """Of each term, whether it is a stem of which the book has one word only: the word stands for both (`Vocabulary.place`)."""
    found = np.zeros(len(terms), dtype=bool)
    known = stems >= 0
    one = np.bincount(stems[known], minlength=len(terms)) == 1
    words, roots = order[known], stems[known]
    alike = (table.sizes[words] == table.sizes[roots]) & (table.totals[words] == table.totals[roots])
    some = one[roots] & alike & (shapes[roots] == SHAPE["stem"]) & (shapes[words] != _STOP)
    words, roots = words[some], roots[some]
    if len(words):
        own, over = table.rows(words), table.rows(roots)
        equal = (table.cards[own] == table.cards[over]) & (table.times[own] == table.times[over])
        sizes = table.sizes[words]
        same = np.logical_and.reduceat(equal, np.cumsum(sizes) - sizes)
        pairs = zip(words[same].tolist(), roots[same].tolist(), strict=True)
        found[[root for word, root in pairs if _begins(terms[root], terms[word])]] = True
    return found


def _begins(root: str, word: str) -> bool:
    return len(root) > 1 and root.isascii() and root.isalpha() and word.startswith(root[:-1] if root[-1] == "i" else root)


def mere_compounds(names: Sequence[str], sizes: Numbers, shapes: Numbers, known: Set[str]) -> Flags:
    """Of words, whether they are joined by hyphens, in one card, and set off by nobody: their parts find them."""
    found = np.zeros(len(names), dtype=bool)
    wholes = np.flatnonzero((sizes == 1) & (shapes == SHAPE["whole"])).tolist()
    found[[place for place in wholes if names[place] not in known and _COMPOUND.fullmatch(names[place])]] = True
    return found


def pair_rows(pairs: Sequence[str]) -> tuple[str, str, Numbers]:
    """The letters of pairs, those in most pairs first; for each the ranks of the letters after it; the pairs in that order."""
    letters = np.frombuffer("".join(pairs).encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
    found, ranks = distinct(letters, sys.maxunicode + 1)
    order = np.lexsort((found, -np.bincount(ranks, minlength=len(found))))
    alphabet = found[order].astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    ranks = rank[ranks]
    order = stable(ranks[::2] * len(alphabet) + ranks[1::2], len(alphabet) ** 2)
    sizes = np.bincount(ranks[::2], minlength=len(alphabet)).astype(np.int64)
    return alphabet, gap_column(gaps_of(ranks[1::2][order], sizes), sizes), order
