"""Among cards that name a number, the one that carries it is known."""

from __future__ import annotations

import pytest

from askbook.builder.index.labels import captions, carried, carriers
from askbook.core.schema import Section
from tests.shelves import book, card


@pytest.mark.parametrize(
    ("title", "labels"),
    [
        ("Theorem 3.2 (Heine–Borel)", {"theorem 3.2"}),
        ("3.2.3 式(3.5)的推导", {"section 3.2.3", "equation 3.5"}),
        ("第3章 线性模型", {"chapter 3"}),
        ("12 Sorting", {"chapter 12"}),
        ("3D graphics", set()),
        ("Introduction", set()),
    ],
)
def test_a_title_carries_labels(title: str, labels: set[str]) -> None:
    assert set(carried(card(title, ""))) == labels


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Listing 15-1: A first try", ["listing 15.1"]),
        ("**Figure 2.3.** The curve", ["figure 2.3"]),
        ("图 10.2 主成分", ["figure 10.2"]),
        ("表 11.1. 各国人口", ["table 11.1"]),
        ("Listing 10-18 fixes the code so that it compiles.", []),
        ("As shown in Figure 2.3: it rises.", []),
        ("图10.2中的曲线表示了数据的变化趋势。", []),
    ],
)
def test_a_caption_is_told_from_a_mention(text: str, labels: list[str]) -> None:
    assert captions(text) == labels


def test_the_surest_carrier_comes_first() -> None:
    cards = (
        card("Proof of Theorem 3.2", "", kind="proof"),
        card("Theorem 3.2", "", kind="theorem", number="3.2"),
        card("Mentions", "We use Theorem 3.2 here."),
    )
    found = carriers(book(*cards, sections=(Section("Compact sets", "p/", 0, 1, 3, "3"),)))
    assert found == {"chapter 3": [1], "theorem 3.2": [1, 0]}
