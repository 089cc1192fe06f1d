"""An index gives back the book it was made of, its text apart from its postings, and refuses what is damaged."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from askbook.builder.index.write import encode
from askbook.core.errors import IndexFormatError
from askbook.core.index import load
from askbook.core.schema import Card, Paragraph, Section
from askbook.core.vocabulary import KEPT
from tests.shelves import book, card, shelf

CARDS = (
    Card(
        id="3/theorem-3-2",
        kind="theorem",
        title="Theorem 3.2 (Heine–Borel)",
        url="topology/compact/#theorem-3-2",
        text="A set is compact.\n\nIf and only if it is closed and bounded.",
        number="3.2",
        breadcrumb=("Topology", "Compact sets"),
        chapter=2,
        paragraphs=(Paragraph(0, 17, "p1"), Paragraph(19, 59)),
        overlap=3,
    ),
    Card(
        id="3/proof",
        kind="proof",
        title="Proof",
        url="topology/compact/#proof",
        text="紧集的证明 ❄",
        chapter=2,
        parent="3/theorem-3-2",
    ),
)
SECTIONS = (
    Section("Theorem 3.2 (Heine–Borel)", "topology/compact/#theorem-3-2", 1, 0, 2),
    Section("Topology", "topology/", 0, 0, 2, "3"),
    Section("Compact sets", "topology/compact/", 1, 0, 2, "3.1"),
)
BOOK = book(
    *CARDS, sections=SECTIONS, pages=("topology/", "topology/compact/"), authors=("A. Author",), pairs=(("紧集", "compact set"),)
)


def test_a_book_comes_back_whole() -> None:
    [index] = shelf(BOOK)
    assert [index.card(ordinal) for ordinal in range(len(index))] == list(CARDS)
    assert (index.name, index.title, index.lang, index.authors, index.sections, index.pages, index.pairs) == (
        "books-book", "book", "en", ("A. Author",), SECTIONS, BOOK.pages, BOOK.pairs,
    )  # fmt: skip
    assert (index.find("3/proof"), index.find("nowhere")) == (1, None)


def test_paragraphs_that_are_told_and_paragraphs_that_are_not() -> None:
    fence = "One.\n\n```\na\n\nb\n```\n\nTwo."
    told = card("fence", fence, paragraphs=(Paragraph(0, 4), Paragraph(6, 18), Paragraph(20, 24)))
    plain = card("plain", "One.\n\nTwo.", paragraphs=(Paragraph(0, 4), Paragraph(6, 10)))
    [index] = shelf(book(told, plain, card("none", "One.\n\nTwo.")))
    assert [index.card(ordinal).paragraphs for ordinal in range(3)] == [told.paragraphs, plain.paragraphs, ()]


def test_the_text_comes_later() -> None:
    files = encode(BOOK)
    first, side = files
    index = load(files[first])
    assert (index.has_text, index.card(0)) == (False, replace(CARDS[0], text="", paragraphs=(), overlap=0))
    index.attach(side, files[side])
    assert (index.has_text, index.card(0)) == (True, CARDS[0])


def test_the_same_book_gives_the_same_bytes() -> None:
    assert encode(BOOK) == encode(replace(BOOK, cards=tuple(BOOK.cards)))


def test_side_files_are_named_by_their_content() -> None:
    main, side = encode(BOOK)
    changed_main, changed_side = encode(replace(BOOK, cards=(replace(CARDS[0], text="Another text."), CARDS[1])))
    assert (main, changed_main) == ("books-book.json", "books-book.json")
    assert side != changed_side
    assert json.loads(encode(BOOK)[main])["sides"] == {side: side.split(".")[2]}


def test_a_book_without_words_is_an_index_too() -> None:
    pictures = book(card("", ""), card("", ""))
    assert [len(index) for index in shelf(book(), pictures)] == [0, 2]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not JSON"),
        (b"<!doctype html>", "not JSON"),
        (b"\xff\xfe{}", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "has the format None"),
        (b'{"format": "askbook-index/2"}', "update askbook"),
        (b'{"format": "askbook-index/1"}', "damaged"),
        (b'{"format": "askbook-index/1", "cards": 3, "terms": []}', "damaged"),
    ],
)
def test_what_is_no_index_is_refused_with_advice(data: bytes, says: str) -> None:
    with pytest.raises(IndexFormatError, match=says) as refused:
        load(data)
    assert "build-ai-index" in str(refused.value)


@pytest.mark.parametrize(
    "column", ["titles", "anchors", "ids", "numbers", "lengths", "kind", "chapter", "trail", "run_cards", "children"]
)
def test_columns_that_differ_are_refused(column: str) -> None:
    parsed = json.loads(encode(BOOK)["books-book.json"])
    told = parsed["cards"][column]
    parsed["cards"][column] = [plane[:-1] for plane in told] if isinstance(told, list) else told[:-1]
    with pytest.raises(IndexFormatError, match="damaged"):
        load(json.dumps(parsed).encode())


def test_postings_beyond_the_book_are_refused_when_they_are_asked_for() -> None:
    parsed = json.loads(encode(BOOK)["books-book.json"])
    parsed["terms"]["digits"] = [[plane.replace("!", "z") for plane in planes] for planes in parsed["terms"]["digits"]]
    index = load(json.dumps(parsed).encode())
    with pytest.raises(IndexFormatError, match="postings of 'compact'"):
        index.posting("compact")


def test_a_side_of_another_book_is_refused() -> None:
    files = encode(BOOK)
    first, side = files
    other = list(encode(book(CARDS[0])).values())[1]
    index = load(files[first])
    with pytest.raises(IndexFormatError, match="does not belong"):
        index.attach(side, other)
    with pytest.raises(IndexFormatError, match="no side file"):
        index.attach("elsewhere.json", files[side])
    assert not index.has_text


def test_a_letter_is_found_inside_its_pairs() -> None:
    [index] = shelf(book(card("a", "我的黑猫睡了"), card("b", "猫"), card("c", "狗"), lang="zh-Hans"))
    assert list(index.single("猫").cards) == [0, 1]


def test_what_is_remembered_of_questions_is_bounded() -> None:
    [index] = shelf(book(card("a", "The heap and the 黑猫")))
    for asked in range(KEPT + 10):
        assert not index.asked[f"unknown{asked}"].cards
    vocabulary = index._vocabulary
    assert max(map(len, (index.asked, vocabulary._postings, vocabulary.places))) <= KEPT
    assert [list(index.asked[term].cards) for term in ("heap", "猫")] == [[0], [0]]
