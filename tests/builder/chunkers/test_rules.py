"""The short way for plain paragraphs makes the same blocks as asking every rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from askbook.builder.chunkers.rules import parser

LINES = st.sampled_from(
    [
        "text goes on", "中文一行", "", "- item", "  more", "    far in", "1. one", "# title", "===", "---", "a | b", "--|--",
        "|-|-|", ": meaning", "~ meaning", "> quoted", "> deep", "```", "~~~", "* * *", "[a]: b", "\ttab", "+ x", "word", "x:",
    ]
)  # fmt: skip


@pytest.mark.parametrize("loose", [True, False])
@pytest.mark.parametrize("definition_lists", [True, False])
@given(lines=st.lists(LINES, max_size=9))
def test_plain_paragraphs_are_what_all_rules_make_of_them(loose: bool, definition_lists: bool, lines: list[str]) -> None:
    quick = parser(loose=loose, indented_code=True, definition_lists=definition_lists)
    slow: MarkdownIt = parser.__wrapped__(loose=loose, indented_code=True, definition_lists=definition_lists)
    slow.disable("askbook_mark")
    text = "\n".join(lines)
    shown = [[(token.type, token.map, token.content) for token in md.parse(text, {"marks": {}})] for md in (quick, slow)]
    assert shown[0] == shown[1]
