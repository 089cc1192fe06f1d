"""Real books, from ../shared: nothing lost, no two ids alike, code and formulas whole, Markdown and built HTML agree."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from askbook.builder.books import open_source
from askbook.builder.build import Built, Named, build_book, read_data
from askbook.builder.cache import PageCache
from askbook.builder.coverage_source import check_sources
from askbook.builder.drafts import CutOptions
from tests.conftest import SHARED

BOOKS = (
    "hello-algo/docs", "hello-algo/en/docs", "fastapi/docs/en/docs", "fastapi/docs/zh/docs", "tudelft-linear-algebra",
    "pumpkin-book/docs", "rust-book/src", "react-learn/src/content/learn", "dl500", "formats/ipynb",
    "formats/epub/little-linear-algebra-v1.epub", "debian-handbook-zh/html",
)  # fmt: skip

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not (SHARED / "books").is_dir(), reason="the real books are not beside this checkout (../shared/books)"),
]

_FENCE = re.compile(r"^(`{3,})([^`\n]*)\n(.*?)^ {0,3}\1`*[ \t]*$", re.DOTALL | re.MULTILINE)


@cache
def built(name: str) -> tuple[Built, list[tuple[str, str, str]]]:
    """A shared book in cards, and its pages as (address, file, source)."""
    source = open_source(SHARED / "books" / name)
    data, problems = read_data(source)
    made = build_book(source, Named("books", "x"), CutOptions(), cache=PageCache(None, "", ""), data=data, problems=problems)
    return made, [(page.url, page.path, content.decode("utf-8")) for page, content in data]


@pytest.mark.parametrize("name", BOOKS)
def test_every_card_has_an_id_a_title_and_an_address_of_its_book(name: str) -> None:
    book = built(name)[0].book
    assert [card for card, count in Counter(card.id for card in book.cards).items() if count > 1] == []
    assert [card.id for card in book.cards if not card.title] == []
    assert {card.url.partition("#")[0] for card in book.cards} <= set(book.pages)


@pytest.mark.parametrize("name", [name for name in BOOKS if not name.endswith(("epub", "html"))])
def test_nothing_of_a_source_is_lost(name: str) -> None:
    made, pages = built(name)
    assert check_sources(pages, made.book) == (1.0, ())


@pytest.mark.parametrize(
    "name", ["hello-algo/docs", "fastapi/docs/en/docs", "rust-book/src", "react-learn/src/content/learn", "dl500"]
)
def test_every_fenced_code_block_is_whole(name: str) -> None:
    made, pages = built(name)
    stock = "\n".join(card.text for card in made.book.cards)
    codes = [code.strip("\n") for _, _, source in pages for _, info, code in _FENCE.findall(source) if not info.startswith("{")]
    assert codes
    assert [code for code in codes if "\n".join(line.rstrip() for line in code.split("\n")).strip("\n") not in stock] == []


@pytest.mark.parametrize("name", BOOKS)
def test_parts_repeat_the_end_of_the_part_before(name: str) -> None:
    cards = built(name)[0].book.cards
    assert [
        card.id
        for before, card in pairwise(cards)
        if card.overlap and not before.text.endswith(card.text[: card.overlap].rstrip())
    ] == []


def test_chapters_and_numbers_come_from_the_navigation() -> None:
    book = built("hello-algo/docs")[0].book
    chapters = [(section.number, section.title) for section in book.sections if section.level == 0]
    assert chapters[:4] == [("", "序"), ("0", "第 0 章 前言"), ("1", "第 1 章 初识算法"), ("2", "第 2 章 复杂度分析")]
    assert [card.number for card in book.cards if card.title == "算法效率评估"][:1] == ["2.1"]


def test_listings_carry_their_numbers() -> None:
    cards = built("rust-book/src")[0].book.cards
    (card,) = [card for card in cards if card.kind == "listing" and card.number == "15-1"]
    assert (card.title.partition(":")[0], "```rust" in card.text) == ("Listing 15-1", True)


def test_a_project_and_the_site_built_from_it_agree(tmp_path: Path) -> None:
    """At least 99 cards in 100 have the same kind, number, title and address."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    (tmp_path / "mkdocs.yml").write_text(
        f"site_name: X\ndocs_dir: {(SHARED / 'books' / 'hello-algo' / 'docs').resolve()}\nsite_dir: site\n"
        "theme: mkdocs\nplugins: []\n"
        "markdown_extensions: [admonition, attr_list, def_list, footnotes, md_in_html, tables, pymdownx.details, "
        "pymdownx.superfences, pymdownx.blocks.admonition, {pymdownx.arithmatex: {generic: true}}, "
        "{pymdownx.tabbed: {alternate_style: true}}]\n",
        encoding="utf-8",
    )
    build(load_config(str(tmp_path / "mkdocs.yml")))
    cards = []
    for path, format_ in ((tmp_path, ""), (tmp_path / "site", "html")):
        source = open_source(path, format_=format_)
        data, _ = read_data(source)
        made = build_book(source, Named("books", "x"), CutOptions(), cache=PageCache(None, "", ""), data=data)
        cards.append(Counter((card.kind, card.number, card.title, card.url) for card in made.book.cards))
    assert (cards[0] & cards[1]).total() >= 0.99 * max(cards[0].total(), cards[1].total())
