"""Counting in bulk gives the counts of `terms`, and a memory changes nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askbook.builder.index.memory import Memory
from askbook.builder.index.runs import Runs
from askbook.builder.index.tally import LIGHT, Numbered, Tally, split, terms_of
from askbook.builder.index.write import encode
from askbook.core.folding import fold
from askbook.core.terms import terms
from tests.shelves import book, card

PIECES = st.sampled_from(
    [
        "时间复杂度",
        "什么是",
        "的",
        "猫",
        "Theorem 3.2",
        "定理３.２ 和 3.3",
        "$x_1^2 + \\alpha$",
        "getUserById",
        "C++",
        ".NET",
        "--flag",
        "sorting",
        "--x",
        "用--flag。",
        "a.b. c: d: .net",
        "(3.2)",
        "\\(x\\)",
        "\\[",
        "\x02",
        "\x00A",
        "a\x04b",
        "é",
        "C#",
        ",",
        "\n",
        " ",
    ]
)


TEXTS = st.lists(PIECES, max_size=12).map("".join)


@given(TEXTS, TEXTS)
def test_bulk_counts_are_those_of_terms_whatever_text_stands_before(before: str, text: str) -> None:
    clean = fold(text)
    found = terms(clean)
    texts = [fold(before), clean]
    parted = [*map(split, texts)]
    runs = Runs([prose for prose, _ in parted])
    numbered = Numbered()
    tally = Tally(texts, parted, runs, numbered).found
    pairs = runs.pairs()
    made = Counter(pairs.terms[place] for place in pairs.members[pairs.owners == 1].tolist())
    length = int((pairs.beside[pairs.owners == 1] == 0).sum())
    pieces = [*numbered]
    for piece in tally.pieces[tally.owners == 1].tolist():
        for term in terms_of(pieces[piece]):
            made[term.text] += 1
            length += term.shape not in LIGHT
    assert made == Counter(term.text for term in found)
    assert length == sum(term.shape not in LIGHT for term in found)


@pytest.mark.parametrize("damage", [b"", b"?"], ids=["whole", "damaged"])
def test_a_memory_changes_no_byte(tmp_path: Path, damage: bytes) -> None:
    one = book(card("哈希表", "哈希表（hash table）很快。"), card("堆", "堆是完全二叉树。"), lang="zh-Hans")
    file = tmp_path / "one.terms"
    first = Memory(file, "x")
    plain = encode(one)
    assert encode(one, first) == plain
    first.save()
    file.write_bytes(file.read_bytes() + damage)
    assert encode(one, Memory(file, "x")) == plain
