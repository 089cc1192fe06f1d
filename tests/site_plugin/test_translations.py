"""Titles of one site in two languages, whatever editions it has besides."""

from __future__ import annotations

import pytest

from askbook.core.schema import Book, Card, Section
from askbook.site_plugin.translations import pairs_of

ZH, EN = ["最短路径", "广度优先"], ["Shortest path", "Breadth first"]
PAIRS = (("广度优先", "breadth first"), ("最短路径", "shortest path"))


@pytest.mark.parametrize(
    ("pages", "pairs"),
    [
        ({"g/": ("zh", ZH), "en/g/": ("en", EN)}, PAIRS),
        ({"g/": ("zh", ZH), "zh-hant/g/": ("zh-Hant", ["最短路徑", "廣度優先"]), "en/g/": ("en", EN)}, PAIRS),
        ({"g/": ("en", EN), "en-GB/g/": ("en-GB", EN), "zh-Hans-CN/g/": ("zh-Hans-CN", ZH)}, PAIRS),
        ({"g/": ("zh", ZH), "zh/g/": ("zh", ZH), "en/g/": ("en", EN)}, PAIRS),
        (
            {"g/": ("zh-CN", ZH), "zh_TW/g/": ("zh-TW", ["最短之路", "廣度先行"]), "en/g/": ("en", EN)},
            (*PAIRS[:1], ("广度先行", "breadth first"), ("最短之路", "shortest path"), *PAIRS[1:]),
        ),
        ({"g/": ("zh", ZH), "zh-hant/g/": ("zh-Hant", ZH)}, ()),
    ],
)
def test_each_edition_is_paired_with_each_of_the_other_language(
    pages: dict[str, tuple[str, list[str]]], pairs: tuple[tuple[str, str], ...]
) -> None:
    sections = tuple(
        Section(title, f"{url}#h{place}", 1, number, number + 1)
        for number, (url, (_, titles)) in enumerate(pages.items())
        for place, title in enumerate(titles)
    )
    cards = tuple(Card(url, "section", "T", url, "Text.") for url in pages)
    book = Book("books", "b", "B", "zh", cards, sections, tuple(pages))
    assert pairs_of(book, [(url, f'<html lang="{lang}"><body>') for url, (lang, _) in pages.items()]) == pairs
