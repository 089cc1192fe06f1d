"""jieba decides words at build; what it decides is enough to cut with afterwards."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from askbook.builder.index.seen import occurrences
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


HAN = st.text(st.sampled_from("图堆栈"), min_size=2, max_size=5)


@given(st.sets(HAN, min_size=1, max_size=6).map(sorted), st.text(st.sampled_from("图堆栈表 a\n"), max_size=40))
def test_words_are_counted_where_they_stand(words: list[str], text: str) -> None:
    overlapping = {word: sum(text.startswith(word, place) for place in range(len(text))) for word in words if len(word) < 4}
    assert occurrences(words, text) == {word: overlapping.get(word, text.count(word)) for word in words}
