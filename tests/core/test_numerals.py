"""Numbers name the same thing in all their clothes."""

from __future__ import annotations

import pytest

from askbook.core.folding import fold
from askbook.core.numerals import canonical, chinese, labels, roman


def named(text: str) -> list[str]:
    return [f"{kind} {number}" for kind, number, _ in labels(fold(text))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("第三章", ["chapter 3"]),
        ("第１０章", ["chapter 10"]),
        ("chapter 3", ["chapter 3"]),
        ("Chapter III", ["chapter 3"]),
        ("chapter iv", ["chapter 4"]),
        ("第二十三章", ["chapter 23"]),
        ("第3章和第4章", ["chapter 3", "chapter 4"]),
        ("定理３.２", ["theorem 3.2"]),
        ("定理 $12.5$", ["theorem 12.5"]),
        ("Theorem 3.2.", ["theorem 3.2"]),
        ("Theorem 3.21", ["theorem 3.21"]),
        ("定理三", ["theorem 3"]),
        ("式（10.15）", ["equation 10.15"]),
        ("公式(9.37)", ["equation 9.37"]),
        ("由式(3.5)得", ["equation 3.5"]),
        ("式(1.1)和式(1.2)", ["equation 1.1", "equation 1.2"]),
        ("式(1.1)和(1.2)", ["equation 1.1", "equation 1.2"]),
        ("图10.3画的是什么", ["figure 10.3"]),
        ("图 $11.1$", ["figure 11.1"]),
        ("表\u00a011.1", ["table 11.1"]),
        ("第 10.2.2 节", ["section 10.2.2"]),
        ("Listings 20-1 and 20-3", ["listing 20.1", "listing 20.3"]),
        ("figs. 3, 4 and 5", ["figure 3", "figure 4", "figure 5"]),
        ("Table B-1", ["table b.1"]),
        ("Appendix C", ["appendix c"]),
        ("Example IV", ["example 4"]),
        ("§ 3.4", ["section 3.4"]),
        ("例 2.1", ["example 2.1"]),
        ("version 3.2 of the table a part of 3", []),
        ("parts of it, a case in point", []),
    ],
)
def test_a_label_is_found(text: str, names: list[str]) -> None:
    assert named(text) == names


def test_numerals_have_values() -> None:
    assert [chinese(numeral) for numeral in ("零", "十", "十二", "二十", "一百零五", "二〇二四", "两千")] == [
        0,
        10,
        12,
        20,
        105,
        2024,
        2000,
    ]
    assert [roman(numeral) for numeral in ("I", "iv", "IX", "XLII", "xcix", "IIII", "mix", "")] == [
        1,
        4,
        9,
        42,
        99,
        None,
        None,
        None,
    ]


def test_separators_of_a_number_are_one() -> None:
    assert [canonical(number) for number in ("15-1", "15.1", "15 - 1", "B-1")] == ["15.1", "15.1", "15.1", "b.1"]
