"""Counting in bulk gives the counts of `terms`, and a memory changes nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askbook.builder.index.memory import Memory
from askbook.builder.index.runs import Runs
from askbook.builder.index.tally import LIGHT, alone, split, tally, terms_of
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
        "é",
        "C#",
        ",",
        "\n",
        " ",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_bulk_counts_are_those_of_terms(text: str) -> None:
    clean = fold(text)
    found = terms(clean)
    runs = Runs([split(clean)[0]])
    made = Counter(runs.terms[place] for place in runs.members.tolist())
    length = int(runs.free.sum())
    pieces = Counter(tally(clean)) + Counter(alone(letter) for _, letter in runs.alone())
    for piece, seen in pieces.items():
        for term in terms_of(piece):
            made[term.text] += seen
            length += seen * (term.shape not in LIGHT)
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
