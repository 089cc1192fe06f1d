"""Asking only the rules a line may open makes the same blocks as asking every rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from askbook.builder.chunkers.block_parser import Blocks
from askbook.builder.chunkers.rules import _heading, _underlined, parser

LINES = st.sampled_from(
    [
        "text goes on", "中文一行", "", "- item", "  more", "    far in", "1. one", "# title", "===", "---", "a | b", "--|--",
        "|-|-|", ": meaning", "~ meaning", "> quoted", "> deep", "```", "~~~", "* * *", "[a]: b", "\ttab", "+ x", "word", "x:",
        "* | b", "\\\\|a | b", "||", "|a|", "  - in", "   > q", "    ", "|", "-", "*", "1)", "a\\|b|",
    ]
)  # fmt: skip


@pytest.mark.parametrize("loose", [True, False])
@pytest.mark.parametrize("definition_lists", [True, False])
@given(lines=st.lists(LINES, max_size=9))
def test_blocks_are_what_all_rules_of_markdown_it_make_of_the_lines(
    loose: bool, definition_lists: bool, lines: list[str]
) -> None:
    ours = parser(loose=loose, indented_code=True, definition_lists=definition_lists)
    assert isinstance(ours.block, Blocks)
    env: dict[str, object] = {"marks": {}}
    assert _ours(ours.block.tokens_of(lines, ours, env)) == _theirs(_library(loose, definition_lists).parse("\n".join(lines)))


def _library(loose: bool, definition_lists: bool) -> MarkdownIt:
    """The library's own parser, with our headings where they are loose."""
    md = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table").disable("html_block")
    md.core.ruler.enableOnly(["block"])
    if definition_lists:
        md.use(deflist_plugin)
    if loose:
        md.block.ruler.at("heading", _heading, {"alt": ["paragraph", "reference", "blockquote"]})
        md.block.ruler.at("lheading", _underlined)
    return md


def _ours(tokens: list[Token]) -> list[tuple[object, ...]]:
    return [(token.type, token.map, " ".join(token.content.split()), token.meta.get("rows")) for token in tokens]


def _theirs(tokens: list[Token]) -> list[tuple[object, ...]]:
    """The same with a paragraph, and a table, as one token."""
    found: list[tuple[object, ...]] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        text, rows = token.content, None
        if token.type == "paragraph_open":
            text, index = tokens[index + 1].content, index + 2
        elif token.type == "table_open":
            rows = []
            while tokens[index].type != "table_close":
                rows += [tokens[index].map[0]] if tokens[index].type == "tr_open" else []  # type: ignore[index]
                index += 1
        found.append(
            (
                token.type.replace("paragraph_open", "paragraph").replace("table_open", "table"),
                token.map,
                " ".join(text.split()),
                rows,
            )
        )
        index += 1
    return found
