"""Sentences end where readers end them, and never inside a formula or code."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askbook.core.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[one.start : one.end] for one in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("第一句。第二句！“第三句？”第四句", ["第一句。", "第二句！", "“第三句？”", "第四句"]),
        ("See e.g. Fig. 3 and Sec. 2. Then go.", ["See e.g. Fig. 3 and Sec. 2.", "Then go."]),
        ("Version 3.2 is out. It is fast.", ["Version 3.2 is out.", "It is fast."]),
        ("Let $x. y$ be. Then `a. B` runs.", ["Let $x. y$ be.", "Then `a. B` runs."]),
        ("- first item. More.\n- second", ["first item.", "More.", "second"]),
        ("1. one\n2. two", ["one", "two"]),
        ("Text:\n\n```py\nprint('a. B')\n```\n\nAfter.", ["Text:", "```py\nprint('a. B')\n```", "After."]),
        ("It holds:\n\n$$\na = b. C\n$$\n\nDone.", ["It holds:", "$$\na = b. C\n$$", "Done."]),
        ("a | b\nc | d", ["a | b", "c | d"]),
        ("A line\nthat goes on. Next.", ["A line\nthat goes on.", "Next."]),
        ("", []),
        ("\n\n", []),
    ],
)
def test_a_text_is_cut(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@given(st.text(alphabet="ab. 。!?\n`$-|1", max_size=80))
def test_sentences_are_in_order_and_lose_nothing_but_blanks_and_marks(text: str) -> None:
    found = sentences(text)
    assert all(one.start < one.end for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
