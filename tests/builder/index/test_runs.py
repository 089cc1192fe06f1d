"""The runs of many texts at once give what each gives alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from askbook.builder.index.runs import Runs
from askbook.core.lexicon import lexicon_of
from askbook.core.stopwords import CHINESE
from askbook.core.terms import CJK, FUNCTION, PAIR

TEXTS = st.lists(st.text(st.sampled_from("图堆栈表的是 a。\n"), max_size=14), max_size=4)
WORDS = st.dictionaries(st.text(st.sampled_from("图堆栈表"), min_size=2, max_size=5), st.integers(0, 30), max_size=8)


@given(TEXTS, WORDS)
def test_longer_words_are_those_of_whole_runs(texts: list[str], costs: dict[str, int]) -> None:
    lexicon = lexicon_of(costs | {"图堆栈": 3})
    alone = {}
    for owner, text in enumerate(texts):
        letters = "".join(letter if letter in "图堆栈表的是" else " " for letter in text)
        alone[owner] = sorted(word for run in letters.split() for word in lexicon.words(run))
    found: dict[int, list[str]] = {owner: [] for owner in alone}
    for owner, segment in Runs(texts).segments(lexicon):
        found[owner] += lexicon.words(segment)
    assert {owner: sorted(words) for owner, words in found.items()} == alone


@given(
    st.lists(st.sampled_from(["图", "么", " ", "\n", "a", *CHINESE, *(word[:-1] for word in CHINESE)]), max_size=12).map("".join)
)
def test_function_words_are_found_as_one_after_the_other(text: str) -> None:
    touched = {place for match in FUNCTION.finditer(text) for place in range(*match.span())}
    places = [place for place in range(len(text) - 1) if PAIR.fullmatch(text[place : place + 2])]
    assert Runs([text]).pairs().beside.tolist() == [(place in touched) + (place + 1 in touched) for place in places]


def test_a_letter_beyond_the_scripts_is_in_no_pair() -> None:
    assert Runs(["图\U0010ffff堆", "\ud800堆栈"]).pairs().terms == ["堆栈"]
    assert CJK.endswith("\U0003ffff")


def test_a_letter_alone_is_told_with_its_text() -> None:
    assert list(Runs(["a 图, 堆栈", "", "表"]).alone()) == [(0, "图"), (2, "表")]
