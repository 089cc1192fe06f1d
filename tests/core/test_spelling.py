"""Near spellings are the ones a reader would mean."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askbook.core.limits import NEAREST
from askbook.core.spelling import distance, nearest
from tests.shelves import book, card, shelf

INDEX = shelf(
    book(card("a", "binary search trees and searches, cydippids, sequence 2.0.1"), card("b", "search the graph of a sequence"))
)[0]
ZH = shelf(book(card("哈希表", "哈希表很快"), card("链表", "链表很长"), lang="zh-Hans"))[0]


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("serch", ("search",)),
        ("saerch", ("search",)),
        ("seqwence", ("sequence",)),
        ("sequance", ("sequence",)),
        ("sequancee", ("sequence",)),
        ("cypiddids", ("cydippids",)),
        ("gra", ()),
        ("2.0.2", ()),
        ("unrelated", ()),
    ],
)
def test_the_nearest_words(word: str, found: tuple[str, ...]) -> None:
    assert nearest(word, INDEX) == found


def test_a_chinese_word_with_one_wrong_letter() -> None:
    assert nearest("哈西表", ZH) == ()
    assert nearest("哈西表哈西表", ZH) == ()


WORDS = ["".join(letters) for letters in product("bkg", repeat=4)] + ["".join(letters) for letters in product("bk", repeat=5)]
MANY = shelf(book(card("a", " ".join(WORDS))))[0]


@given(st.text("bkgx", min_size=4, max_size=6))
def test_words_one_slip_away_are_those_at_a_distance_of_one(word: str) -> None:
    near = {name for name in WORDS if distance(name, word, most=1) <= 1}
    found = set(nearest(word, MANY))
    assert found <= near
    assert len(found) == min(len(near), NEAREST)


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_distance_is_symmetric_and_bounded(one: str, other: str) -> None:
    assert distance(one, other, most=20) == distance(other, one, most=20) <= max(len(one), len(other))
    assert min(distance(one, other, most=20), 3) == distance(one, other, most=2)
