"""Golden pairs: a page in, its cards out; small, and named by what they show."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest

from askbook.builder.blocks import Heading, NavEntry, Page, Problem, Text
from askbook.builder.books import PageFile, Source, dialect_named, read_page
from askbook.builder.cards import cut
from askbook.builder.dialects import AUTO, Dialect
from askbook.builder.mkdocs_config import dialect_of
from askbook.builder.pagecut import text_fragment

FOLDER = Path(__file__).parents[1] / "golden" / "chunks"
INPUTS = sorted(FOLDER.glob("*.in.*"))
EXTENSIONS = [
    "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "pymdownx.arithmatex", "pymdownx.details",
    "pymdownx.superfences", "pymdownx.tabbed", "pymdownx.blocks.admonition", "pymdownx.blocks.details", "pymdownx.blocks.tab",
    "pymdownx.tasklist",
]  # fmt: skip


def dialect_for(name: str) -> Dialect:
    """What the name of a golden file says of its Markdown."""
    if name.startswith("mkdocs-"):
        return dialect_of({"markdown_extensions": EXTENSIONS})
    if name.startswith(("myst-sphinx-", "quarto-shown")):
        return dialect_named(name.partition("-")[0])
    return replace(AUTO, labels=name.startswith(("myst-", "quarto-")))


def read(file: Path) -> tuple[Page, tuple[Problem, ...]]:
    """Read a golden file as a page of a book."""
    source = Source(file, "x", "markdown", (), lambda _: b"", dialect=dialect_for(file.name))
    return read_page(source, PageFile(file.name, "page/"), file.read_bytes())


@pytest.mark.parametrize("file", INPUTS, ids=[file.name for file in INPUTS])
def test_a_page_makes_these_cards(file: Path, request: pytest.FixtureRequest) -> None:
    page, problems = read(file)
    book, _ = cut([page], col="books", book="x", title="X", lang="en")
    shown = [
        {name: value for name in ("id", "kind", "number", "title", "url", "breadcrumb", "parent", "overlap", "terms", "text")
         if (value := getattr(card, name))}
        for card in book.cards
    ]  # fmt: skip
    made = {"cards": shown, "problems": [f"{problem.line}: {problem.message}" for problem in problems]}
    expected = file.with_name(f"{file.name.partition('.in.')[0]}.out.json")
    if request.config.getoption("--update-golden"):
        expected.write_text(json.dumps(made, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    assert json.loads(json.dumps(made)) == json.loads(expected.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("Going back to our formula <Math>y</Math> = 2", "Going%20back%20to%20our%20formula"),
        ("变换后的特征**Z**i和*", "变换后的特征"),
        ("\u200b\t- 举一个例子来说\u200b，假如", "举一个例子来说"),
        ("**Only marks**", ""),
        ("2\u00a0. x", ""),
    ],
)
def test_a_fragment_holds_only_words_that_surely_stand_on_the_page(text: str, fragment: str) -> None:
    assert unquote(text_fragment(text)) == unquote(fragment)


def test_a_heading_that_the_navigation_calls_otherwise_is_in_a_card_all_the_same() -> None:
    page = Page("a/", "第1章 基础", (Heading(1, "第1章 基础", "a"), Heading(2, "概述", "b"), Text("文字。", "c")))
    book, _ = cut([page], col="books", book="x", title="X", lang="zh", nav=[NavEntry("第一章 基础", "a/"), NavEntry("B", "b/")])
    assert [(card.title, card.text, card.breadcrumb) for card in book.cards] == [
        ("第1章 基础", "", ()),
        ("概述", "文字。", ("第一章 基础",)),
    ]
