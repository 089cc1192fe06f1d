"""Which paragraphs open a unit, and which only mention one."""

from __future__ import annotations

import pytest

from askbook.builder.kinds import DEFAULT_KINDS
from askbook.builder.units import Opened, Openings, ends_unit, number_in

OPENINGS = Openings(DEFAULT_KINDS)


@pytest.mark.parametrize(
    ("text", "opening", "opened"),
    [
        (
            "Theorem 3.2.1 (Heine–Borel). A set",
            "Theorem 3.2.1 (Heine–Borel).",
            ("theorem", "Theorem 3.2.1 (Heine–Borel)", "3.2.1"),
        ),
        ("Theorem 3.2 (Heine–Borel). A set", "Theorem 3.2", ("theorem", "Theorem 3.2 (Heine–Borel)", "3.2")),
        ("定理 3.2（海涅）欧氏空间", "", ("theorem", "定理 3.2（海涅）", "3.2")),
        ("定理3.2 设 $x$ 为", "", ("theorem", "定理3.2", "3.2")),
        ("例2.1 求极限", "", ("example", "例2.1", "2.1")),
        ("例 2.1：求极限", "", ("example", "例 2.1", "2.1")),
        ("定义 $1.2$（图）", "", ("definition", "定义 $1.2$（图）", "1.2")),
        ("引理一 设", "引理一", ("lemma", "引理一", "一")),
        ("Example 3.4. Let", "", ("example", "Example 3.4", "3.4")),
        ("Lemma A.1 Let $x$", "", ("lemma", "Lemma A.1", "A.1")),
        ("Definition. A graph", "Definition.", ("definition", "Definition", "")),
        ("Proof. Count.", "", ("proof", "Proof", "")),
        ("证明：显然。", "", ("proof", "证明", "")),
        ("解：原式等于", "", ("solution", "解", "")),
        ("習題 3.1 證明", "", ("exercise", "習題 3.1", "3.1")),
        ("证明 由引理 3.1 可得。", "证明", ("proof", "证明", "")),
        ("定义 设 $x$ 为", "定义", ("definition", "定义", "")),
        ("Proof Suppose not.", "Proof", ("proof", "Proof", "")),
        ("Corollary 2-1: Then", "", ("corollary", "Corollary 2-1", "2-1")),
    ],
)
def test_a_paragraph_opens_a_unit(text: str, opening: str, opened: tuple[str, str, str]) -> None:
    assert OPENINGS.find(text, opening) == Opened(*opened)


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("Theorem 3.2 shows that", ""),
        ("Theorem 3.2 and Lemma 3.3", ""),
        ("定理3.2表明", ""),
        ("定理 12.6 所表达的意思", ""),
        ("定理12.1、定理12.3 的共同点", ""),
        ("由定理3.2可知", ""),
        ("例如，归并排序", ""),
        ("解决问题的方法", ""),
        ("证明过程如下", ""),
        ("算法（algorithm）是一组指令", ""),
        ("Examples are many.", ""),
        ("Important words", "Important words"),
        ("Note that this", "Note"),
        ("方法", "方法"),
        ("Example of use", "Example"),
        ("定义的作用", "定义"),
        ("Proofread the text.", ""),
        ("Definitions of terms", ""),
    ],
)
def test_a_mention_opens_nothing(text: str, opening: str) -> None:
    assert OPENINGS.find(text, opening) is None


@pytest.mark.parametrize("text", ["… as claimed. $\\square$", "得证。□", "证毕", "Q.E.D.", "so it is ∎"])
def test_the_end_of_a_proof_is_seen(text: str) -> None:
    assert ends_unit(text)


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("Theorem 3.2 (X)", "3.2"),
        ("例 6.4. 安装", "6.4"),
        ("Listing 15-1: A box", "15-1"),
        ("表 11.1", ""),
        ("Python 3.12 notes", ""),
        ("Tip", ""),
    ],
)
def test_the_number_of_a_caption(title: str, number: str) -> None:
    assert number_in(title, DEFAULT_KINDS) == number


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Theorem 3.2 (Heine–Borel)", "theorem"),
        ("定理 3.2", "theorem"),
        ("Proof of Theorem 3", "proof"),
        ("例题", "example"),
        ("Definition: Graph", "definition"),
        ("Solution to Exercise 2", "solution"),
        ("Note", None),
        ("Problems with caches", None),
        ("Method overview", None),
        ("算法流程", None),
        ("Examples", None),
    ],
)
def test_a_caption_may_name_the_kind_of_a_note(title: str, kind: str | None) -> None:
    assert OPENINGS.of_caption(title) == kind
