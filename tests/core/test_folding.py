"""Spellings that a reader takes for the same fold to the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askbook.core.folding import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("圖書館的數據結構", "图书馆的数据结构"),
        ("第１０章，Ｃ＋＋", "第10章,C++"),
        ("Poincaré, Erdős, Łukasiewicz, naïve", "Poincare, Erdos, Lukasiewicz, naive"),
        ("Heine–Borel’s", "Heine-Borel's"),
        ("ガ行のデータ", "ガ行のデータ"),
        ("ﾃﾞｰﾀ", "データ"),
        ("co\u00adoperate\u200b", "cooperate"),
        ("한국어", "한국어"),
        ("Æsop ﬁnds ½", "AEsop finds 1⁄2"),
    ],
)
def test_a_spelling_folds(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
