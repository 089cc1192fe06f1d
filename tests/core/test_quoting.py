"""A quoted sentence shows as it is written in the book, its asked words set off."""

from __future__ import annotations

import pytest

from askbook.core.quoting import quote


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("A heap is a tree.", ("heap",), "A **heap** is a tree. [1]"),
        ("Heaps and heaps.", ("heap",), "**Heaps** and **heaps**. [1]"),
        ("时间复杂度很重要。", ("时间复杂度",), "**时间复杂度**很重要。 [1]"),
        ("经典网络模型", ("经典", "网络模型"), "**经典网络模型** [1]"),
        ("linear data structures", ("linear", "data"), "**linear data** structures [1]"),
        ("Use `heap_push` and $heap$.", ("heap",), "Use `heap_push` and $heap$. [1]"),
        ("__init__ * [3] <b> a|b", (), r"\_\_init\_\_ \* &lbrack;3&rbrack; \<b\> a\|b [1]"),
        ("costs $5 & more", (), r"costs \$5 \& more [1]"),
        ("1. one", (), r"1\. one [1]"),
        ("- x", (), r"\- x [1]"),
        ("第一行\n第二行", (), "第一行第二行 [1]"),
        ("line one\nline two", (), "line one line two [1]"),
        ("It holds:\n\n$$\na\n$$", (), "It holds: [1]\n\n$$\na\n$$"),
    ],
)
def test_a_sentence_becomes_markdown(text: str, words: tuple[str, ...], expected: str) -> None:
    assert quote(text, mark="[1]", words=words) == expected
