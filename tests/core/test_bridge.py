"""Pairs of terms carry a question from one language to the other."""

from __future__ import annotations

from askbook.core.bridge import crossings, key_of, table_of
from askbook.core.search import search
from tests.shelves import book, card, shelf

PAIRS = (("哈希表", "hash table"), ("表", "table"), ("二叉搜索树", "binary search tree"), ("一致收敛", "uniform convergence"))
TABLES = [table_of((left, right, key_of(left), key_of(right)) for left, right in PAIRS)]


def test_the_longest_phrase_crosses() -> None:
    assert list(crossings("how do hash tables work", TABLES)) == [("hash tables", "哈希表")]
    assert list(crossings("二叉搜索树和哈希表", TABLES)) == [("二叉搜索树", "binary search tree"), ("哈希表", "hash table")]
    assert list(crossings("nothing here", TABLES)) == []


def test_an_author_s_pair_finds_the_card_in_the_other_language() -> None:
    zh = book(card("一致收敛", "函数列在区间上的性质。"), card("导数", "变化率。"), lang="zh-Hans", pairs=PAIRS)
    en = book(card("Uniform convergence", "A property of sequences."), card("Derivative", "A rate."), name="en", pairs=PAIRS)
    assert search(shelf(zh), "uniform convergence").hits[0].card.title == "一致收敛"
    assert search(shelf(en), "什么是一致收敛？").hits[0].card.title == "Uniform convergence"


def test_a_book_that_speaks_the_language_is_not_asked_in_the_other() -> None:
    zh = book(
        card("哈希表", "哈希表（hash table）很快。"), card("hash table", "The English edition."), lang="zh-Hans", pairs=PAIRS
    )
    assert search(shelf(zh), "哈希表").status.expanded == {}
