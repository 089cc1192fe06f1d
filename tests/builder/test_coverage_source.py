"""What of Markdown is text, where no chunker is asked."""

from __future__ import annotations

import pytest

from askbook.builder.coverage_source import check_sources
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


def test_plain_front_matter_is_no_text_where_a_site_takes_it_for_none() -> None:
    page = "author: Unseen\n    And another\ntags: unseen\n\nText after.\n"
    found = check_sources([("a/", "a.md", page)], HELD, plain=True)
    assert found == (1.0, ())
    assert check_sources([("a/", "a.md", page)], HELD)[1] != ()
