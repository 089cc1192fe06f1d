"""One function makes the terms of cards and of questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askbook.core.lexicon import lexicon_of
from askbook.core.terms import terms


def made(text: str) -> list[str]:
    return [f"{term}/{shape}" for term, shape in terms(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserById", ["getuserbyid/whole", "user/part", "id/part"]),
        ("snake_case", ["snake_case/whole", "snake/part", "case/part"]),
        ("--flag-name", ["--flag-name/whole", "flag/part", "name/part"]),
        ("C++ C# C", ["c++/whole", "c#/whole", "c/word"]),
        (".NET node.js", [".net/whole", "net/part", "node.js/whole", "node/part", "js/part"]),
        (
            "x86_64 H2O utf-8",
            ["x86_64/whole", "x86/part", "64/part", "86/part", "h2o/whole", "utf-8/whole", "utf/part", "8/part"],
        ),
        ("3.2.1 v1.2.3", ["3.2.1/number", "v1.2.3/whole", "1.2.3/number"]),
        ("app:setTimeout(cb)", ["app:settimeout/whole", "app/part", "settimeout/part", "set/part", "timeout/part", "cb/word"]),
        ('罐身上的"SAP No. 1293164"', ["罐身/bigram", "身上/bigram", "上的/touched", "sap/word", "no/stop", "1293164/word"]),
        ("Newton's heaps", ["newton/word", "heaps/word", "heap/stem"]),
        ("the dog's dogs'", ["the/stop", "dog/word", "dogs/word", "dog/stem"]),
        ("α \\alpha", ["alpha/word", "alpha/word"]),
        ("$\\frac{\\alpha}{b} x_{12}$", ["\\frac/noise", "alpha/word", "b/noise", "x/noise", "12/word"]),
        ("Theorem 3.2", ["theorem/word", "3.2/number", "theorem 3.2/label"]),
        ("物联网", ["物联/bigram", "联网/bigram"]),
        ("猫", ["猫/han"]),
        ("データ 한국어", ["デー/bigram", "ータ/bigram", "한국/bigram", "국어/bigram"]),
        ("what is the", ["what/stop", "is/stop", "the/stop"]),
    ],
)
def test_a_text_gives_its_terms(text: str, expected: list[str]) -> None:
    assert made(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [("圖書館", "图书馆"), ("Ｃ＋＋", "C++"), ("第１０章", "第10章"), ("Poincaré", "poincare"), ("Heine–Borel", "heine-borel")],
)
def test_two_spellings_give_the_same_terms(one: str, other: str) -> None:
    assert terms(one) == terms(other)


def test_an_english_word_is_beside_its_stem() -> None:
    assert made("sorting algorithms") == ["sorting/word", "sort/stem", "algorithms/word", "algorithm/stem"]


def test_words_of_the_lexicon_stand_beside_the_pairs() -> None:
    lexicon = lexicon_of({"时间": 4, "复杂度": 6, "时间复杂度": 7})
    assert [term.text for term in terms("时间复杂度", lexicon=lexicon)] == [
        "时间",
        "间复",
        "复杂",
        "杂度",
        "时间复杂度",
        "复杂度",
    ]


def test_the_cheapest_path_decides_the_words() -> None:
    lexicon = lexicon_of({"研究": 5, "研究生": 8, "生命": 6, "命": 9, "起源": 6})
    assert lexicon.cut("研究生命起源") == ["研究", "生命", "起源"]


@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_gives_terms(text: str) -> None:
    assert all(term.text and "\n" not in term.text for term in terms(text))
