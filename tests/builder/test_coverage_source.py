"""What of Markdown is text, where no chunker is asked."""

from __future__ import annotations

import pytest

from askbook.builder.coverage_source import check_sources
from askbook.builder.mkdocs_config import dialect_of
from askbook.core.schema import Book, Card

HELD = Book("books", "b", "B", "en", (Card("a", "section", "A", "a/", "Text after."),))


def lost(source: str) -> list[str]:
    """What a page of MDX has that the card does not hold."""
    return [words for _, _, words in check_sources([("a/", "a.mdx", source)], HELD)[1]]


@pytest.mark.parametrize(
    "module",
    [
        "import {A} from './a'\nimport B from './b'",
        "export const a = {\n  one: 1,\n\n  two: [\n\n    3,\n  ],\n}",
        "export const a = `\n  one\n\n  two\n`;",
        "export function F() {\n  one()\n\n  return [\n  ]\n}\nexport const two = 2",
    ],
)
def test_what_a_module_says_is_no_text(module: str) -> None:
    assert lost(f"{module}\n\nText after.\n") == []


@pytest.mark.parametrize("module", ["export const re = /\\(/", "export const a = {", "import {A} from './a'"])
def test_text_below_a_module_is_text_whatever_stays_open(module: str) -> None:
    assert lost(f"{module}\n\nImportant.\n\nA smiley :) here\n\nText after.\n") == ["Important", "smiley here"]


@pytest.mark.parametrize(
    "source",
    [
        "[a]:\n  https://docs.example.org/one/two\n[b]:https://docs.example.org/three",
        "```{code-cell} ipython3\n---\ntags: [hide-output]\nmystnb:\n  figure:\n    caption: Yields\n---\n```",
        "{doc}`Text after <unseen>` {ref}`after<unseen>` [Text]{#unseen .bg} `after`{.unseen}",
        "$$\nText\n$$ (eq:unseen)",
        "<script setup>\nif (unseen) { unseen() }\n</script>\n\n<style>\n.unseen { top: 1px }\n</style>",
        '<form class="unseen"\n  method="post">\n  <button>Unseen</button>\n</form>',
        "[[toc]]\n\n:material-unseen: Text",
        "> [Text][1]\n>\n> [1]: https://unseen.example.org",
        "[Text](https://{{< meta unseen >}}a.org/unseen) ![](a.png){.unseen alt='{{< meta unseen >}}'}",
        '![](a.png){alt="\\unseen{a}"} {docsify-ignore-all}',
    ],
)
def test_what_no_reader_sees_is_no_text(source: str) -> None:
    assert lost(f"{source}\n\nText after.\n") == []


def test_a_script_that_is_shown_is_text() -> None:
    assert lost("```html\n<script>\nseen()\n</script>\n```\n\n<script>\nMissing end.\n\nText after.\n") == [
        "script",
        "seen",
        "script",
        "Missing end",
    ]


@pytest.mark.parametrize("page", ["author: Unseen\n    And another\ntags: unseen\n\n", "\ufeffauthor: Unseen\r\n\r\n"])
def test_plain_front_matter_is_no_text_where_a_site_takes_it_for_none(page: str) -> None:
    pages = [("a/", "a.md", f"{page}Text after.\n")]
    assert check_sources(pages, HELD, dialect=dialect_of({})) == (1.0, ())
    assert check_sources(pages, HELD)[1] != ()


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("- :material-check: all\n- :foo: bar", "- all\n\n- :foo: bar"),
        ('++ctrl+escape++ and ++arrow-up++, ++"Any"++', "`Ctrl`+`Esc` and `Up`, `Any`"),
        ("Trade(tm) c/o 1/2 cup, `1/4` and $1/3$", "Trade™ ℅ ½ cup, `1/4` and $1/3$"),
        ("Use `#!py print(x)`, `` :::js a`b ``", "Use `print(x)`, `` a`b ``"),
        ("A {>>why\nnot<<}{~~old~>new~~} {--gone--}{++put in++}, {==set==}\nmore", "A new put in, set more"),
        ("- [x] done\n    1. [ ] open\n\n> - [X] quoted", "- done\n\n    1. open\n\n> - quoted"),
    ],
)
def test_what_extensions_make_of_signs_is_what_cards_must_hold(source: str, shown: str) -> None:
    card = Card("a", "section", "A", "a/", shown)
    book = Book("books", "b", "B", "en", (card,))
    names = ("emoji", "keys", "smartsymbols", "inlinehilite", "tasklist")
    dialect = dialect_of(
        {"markdown_extensions": [*(f"pymdownx.{name}" for name in names), {"pymdownx.critic": {"mode": "accept"}}]}
    )
    assert check_sources([("a/", "a.md", source)], book, dialect=dialect) == (1.0, ())
    assert check_sources([("a/", "a.md", f"{source} lost")], book, dialect=dialect)[1] == (
        ("a.md", source.count("\n") + 1, "lost"),
    )
    assert check_sources([("a/", "a.md", source)], book, dialect=dialect_of({}))[1] != ()
