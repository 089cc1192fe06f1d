"""Index files are whole or not there, listed in one manifest, and the same for the same book."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from askbook.builder.index.twins import twins
from askbook.builder.index.write import encode, write
from askbook.core.index import load
from tests.shelves import book, card

TEXT = "A heap is a complete binary tree that keeps its order. The root is the largest element of them all."


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_books_are_written_and_listed(tmp_path: Path) -> None:
    write([book(card("a", "x"), name="one"), book(card("b", "y"), name="two")], tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "books.json").read_bytes())
    assert manifest["format"] == "askbook-books/1"
    assert [(entry["file"], entry["cards"], entry["title"]) for entry in manifest["books"]] == [
        ("books-one.json", 1, "one"),
        ("books-two.json", 1, "two"),
    ]
    assert set(names(tmp_path / "out")) == {
        "books.json",
        *(f for entry in manifest["books"] for f in (entry["file"], *entry["sides"])),
    }


def test_a_new_edition_replaces_the_old_one_and_its_sides(tmp_path: Path) -> None:
    write([book(card("a", "old text"), name="one"), book(card("b", "y"), name="two")], tmp_path)
    before = names(tmp_path)
    write([book(card("a", "new text"), name="one")], tmp_path)
    after = names(tmp_path)
    assert (len(before), len(after)) == (5, 5)
    assert len(set(before) & set(after)) == 4
    data = (tmp_path / "books-one.json").read_bytes()
    [side] = load(data).sides
    assert load(data, {side: (tmp_path / side).read_bytes()}).card(0).text == "new text"


def test_twins_are_told_to_the_earlier_card() -> None:
    cards = [
        card("a", TEXT),
        card("b", "Short."),
        card("c", TEXT + " "),
        card("d", TEXT.replace("heap", "tree")),
        card("e", "Short."),
    ]
    assert twins(book(*cards)) == [(2, 0)]


@given(st.lists(st.text(max_size=80), max_size=4), st.sampled_from(["en", "zh-Hans", "ja"]))
@settings(max_examples=60, deadline=None)
def test_any_text_is_written_and_read_back(texts: list[str], lang: str) -> None:
    one = book(*(card(f"t{place}", text) for place, text in enumerate(texts)), lang=lang)
    files = encode(one)
    main, side = files
    index = load(files[main], {side: files[side]})
    assert [index.card(place).text for place in range(len(index))] == texts
    assert encode(one) == files
