"""Ids stay while heading path and number stay."""

from __future__ import annotations

import pytest

from askbook.builder.blocks import Page
from askbook.builder.cards import cut
from askbook.builder.chunkers.markdown import chunk
from askbook.builder.ids import Ids, heading_number, slug

BOOK = """# 3 Compactness

## 3.2 Covers

Text.

**Theorem 3.2 (Heine–Borel).** A set.

## Remarks

More.
"""


def ids(source: str) -> list[str]:
    page, _ = chunk(source, url="a/")
    book, _ = cut([page, Page("b/", "Other", ())], col="books", book="x", title="X", lang="en")
    return [card.id for card in book.cards]


def test_ids_are_made_of_numbers_and_titles() -> None:
    assert ids(BOOK) == ["3-2", "3-2/theorem-3-2", "3/remarks", "other"]


@pytest.mark.parametrize(
    "changed",
    [
        BOOK.replace("Text.", "Other text.\n\nAnd more of it."),
        BOOK.replace("(Heine–Borel)", "(Borel–Lebesgue)"),
        BOOK.replace("## 3.2 Covers", "## 3.2 Open covers"),
        BOOK + "\n## Later\n\nNew.\n",
    ],
)
def test_ids_stay_when_the_text_changes(changed: str) -> None:
    assert set(ids(BOOK)) <= set(ids(changed))


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("3.2.1 属性数值化", "3.2.1"),
        ("第 3 章 线性模型", "3"),
        ("第三章 线性模型", "3"),
        ("第十二章", "12"),
        ("第二十一章", "21"),
        ("Chapter 3: Sets", "3"),
        ("Chapter IV. Sets", "IV"),
        ("Appendix B", "B"),
        ("B.2 Tables", "B.2"),
        ("1. Intro", "1"),
        ("15-1 Box", "15-1"),
        ("6.1.简介", "6.1"),
        ("2024 in review", ""),
        ("3D graphics", ""),
        ("Part of it", ""),
        ("A book", ""),
        ("0.115.2 (2024-10-12)", "0.115.2"),
        ("2024-10-12", ""),
    ],
)
def test_the_number_of_a_heading(title: str, number: str) -> None:
    assert heading_number(title) == number


def test_equal_ids_are_told_apart_in_order() -> None:
    give = Ids()
    assert [give("a"), give("a"), give("a.2"), give("a")] == ["a", "a.2", "a.2.2", "a.3"]


@pytest.mark.parametrize(
    ("title", "slugged"), [("C++ & C#", "c++-c#"), ("图（graph）", "图-graph"), ("Ｃ", "c"), ("🚀", ""), ("a" * 99, "a" * 48)]
)
def test_a_slug_keeps_letters_of_every_script(title: str, slugged: str) -> None:
    assert slug(title) == slugged
