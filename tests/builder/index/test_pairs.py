"""Terms given in two languages are found with the words that belong to them, and no others."""

from __future__ import annotations

import pytest

from askbook.builder.index.editions import bilingual
from askbook.builder.index.pairs import mine
from askbook.core.schema import Section
from tests.shelves import book, card


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("如果函数列一致收敛（uniform convergence），", [("一致收敛", "uniform convergence")]),
        ("使用哈希表（hash table）存储", [("哈希表", "hash table")]),
        ("它被称为平衡二叉搜索树（balanced binary search tree）。", [("平衡二叉搜索树", "balanced binary search tree")]),
        ("图由顶点（vertex）组成", [("顶点", "vertex")]),
        ("卷积神经网络（CNN）", [("卷积神经网络", "cnn")]),
        ("前人的方法（Bishop 2006）", []),
        ("没有括号 hash table", []),
    ],
)
def test_a_gloss_is_cut_where_the_term_begins(text: str, pairs: list[tuple[str, str]]) -> None:
    assert mine(book(card("x", text), lang="zh-Hans")) == pairs


def test_an_english_book_glosses_the_other_way() -> None:
    assert mine(book(card("x", "Say that it has uniform convergence (一致收敛)."))) == [("一致收敛", "uniform convergence")]


def test_set_off_terms_are_trusted_whole() -> None:
    assert mine(book(card("x", "", terms=("图（graph）",)), lang="zh-Hans")) == [("图", "graph")]


def test_two_editions_pair_their_titles() -> None:
    zh = book(card("哈希表", ""), lang="zh-Hans", name="zh", sections=(Section("6.1 哈希表", "zh/hash/#_1", 0, 0, 1),))
    en = book(card("Hash table", ""), lang="en", name="en", sections=(Section("6.1 Hash table", "en/hash/#hash-table", 0, 0, 1),))
    assert [one.pairs for one in bilingual([zh, en])] == [(("哈希表", "hash table"),)] * 2
