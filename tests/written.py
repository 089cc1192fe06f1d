"""Postings as the builder writes them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from askbook.builder.index.records import records
from askbook.builder.index.table import Rows, numbers
from askbook.core.postings import Records
from askbook.core.terms import stem


def written(book: Mapping[str, Mapping[int, int]], cards: int, stops: tuple[str, ...] = ()) -> Records:
    """The records of terms, in the order of `book`."""
    places = {term: place for place, term in enumerate(book)}
    rows = [(places[term], card, times, 0, 0) for term, found in book.items() for card, times in found.items()]
    counted = Rows(*map(numbers, zip(*rows, strict=True))) if rows else Rows(*[numbers([])] * 5)
    table = counted.gathered(cards).table(len(book))
    stems = [places.get(root, -1) if (root := stem(term)) != term else -1 for term in book]
    columns = records(table, numbers(range(len(book))), numbers(stems), np.isin([*book], stops), cards)
    return Records(*(columns[name] for name in ("sizes", "digits", "times", "long", "long_times")))  # type: ignore[arg-type]
