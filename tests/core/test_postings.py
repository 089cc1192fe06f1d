"""Postings come back as they were written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import written

from askbook.core.errors import IndexFormatError
from askbook.core.postings import MOST, NOWHERE, SIZES, Posting, Records

FREQUENCIES = st.one_of(st.just(1), st.integers(1, MOST))
WORDS = st.sampled_from(["sorting", "sort", "sorts", "heap", "heaps", "3.2", "tree"])
BOOKS = st.dictionaries(WORDS, st.dictionaries(st.integers(0, 60_000), FREQUENCIES, min_size=1, max_size=60), max_size=7)


def plain(posting: Posting) -> dict[int, int]:
    return dict(zip(posting.cards, posting.frequencies, strict=True))


@given(BOOKS, st.sampled_from([60_001, 10_000, 900, 80]))
def test_postings_survive(book: dict[str, dict[int, int]], cards: int) -> None:
    book = {term: {card % cards: seen for card, seen in found.items()} for term, found in sorted(book.items())}
    for root, word in (("sort", "sorting"), ("sort", "sorts"), ("heap", "heaps")):
        if word in book:
            book[root] = {**dict.fromkeys(book[word], 1), **book.get(root, {})}
    columns = written(book, cards)
    stems = {"sorting": "sort", "sorts": "sort", "heaps": "heap"}
    place = {term: ordinal for ordinal, term in enumerate(book)}
    read = {}
    for term in book:
        over = columns.read(place[stems[term]]) if columns.size(place[term]).within else NOWHERE
        read[term] = plain(columns.read(place[term], over))
    assert read == book


def test_a_word_wherever_its_stem_stands_takes_a_letter() -> None:
    book = {"heap": {3: 1, 5: 2}, "heaps": {3: 1, 5: 2}}
    columns = written(book, 9)
    stem = columns.read(0)
    assert (columns.size(1).within, plain(columns.read(1, stem)), len(columns)) == (True, book["heap"], 2)


def test_a_function_word_has_no_frequencies() -> None:
    assert plain(written({"the": {1: 4, 2: 9}}, 9, ("the",)).read(0)) == {1: 1, 2: 1}


def test_a_frequency_beyond_the_largest_is_the_largest() -> None:
    assert plain(written({"tree": {3: 127}}, 9).read(0)) == {3: MOST}


def test_every_size_has_a_letter() -> None:
    assert len(set(SIZES)) == len(SIZES) <= 92


def test_a_record_that_is_cut_short_is_refused() -> None:
    columns = Records("!!", [["!"]], [""], "", "")
    assert plain(columns.read(0)) == {0: 1}
    with pytest.raises(IndexFormatError, match="not whole"):
        columns.read(1)
