"""jieba decides words at build; what it decides is enough to cut with afterwards."""

from __future__ import annotations

from askbook.builder.index.words import decide
from askbook.core.lexicon import lexicon_of
from tests.shelves import book, card, shelf

BOOK = book(
    card("时间复杂度", "时间复杂度描述增长趋势。", terms=("渐近上界",)),
    card("动态规划", "动态规划把问题分解。"),
    lang="zh-Hans",
)


def test_words_come_from_titles_and_set_off_terms() -> None:
    words = decide(BOOK)
    assert {"时间", "复杂度", "时间复杂度", "动态", "规划", "动态规划", "渐近上界"} <= set(words)
    assert "描述" not in words


def test_a_frequent_word_is_cheaper() -> None:
    words = decide(book(card("循环", "循环循环循环循环"), card("递归", "递归"), lang="zh-Hans"))
    assert words["循环"] < words["递归"]


def test_other_languages_have_no_lexicon() -> None:
    assert decide(book(card("Heap", "heap"))) == {}


def test_the_browser_cuts_as_the_build_did() -> None:
    [index] = shelf(BOOK)
    run = "动态规划的时间复杂度"
    assert index.lexicon.cut(run) == lexicon_of(decide(BOOK)).cut(run) == ["动态规划", "的", "时间复杂度"]
