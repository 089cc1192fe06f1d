"""An index file is parsed in part by searching it: what comes out is what a parser of JSON says."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from askbook.builder.index.write import encode
from askbook.core.errors import IndexFormatError
from askbook.core.index import load
from askbook.core.lifting import parse_index
from tests.shelves import book, card

FILE = encode(
    book(
        card('The "heap"', r"A heap has $\lambda$ nodes, and heaps have a root: 二叉树 和 堆。", kind="definition"),
        card(r"Paths \ in Windows", "The queue of the heap, C:\\temp and the 二叉树."),
        card("Trees\x01", "Trees, the tree and its root."),
    )
)["books-book.json"]


def whole(data: bytes) -> Any:
    """What is parsed, with the records that are left for later."""
    parsed = parse_index(data)
    terms = parsed.get("terms", {})
    for name in ("digits", "times"):
        if isinstance(terms.get(name), bytes):
            terms[name] = json.loads(terms[name])
    return parsed


def laid_out(parsed: dict[str, Any], **more: Any) -> bytes:
    return json.dumps(parsed, ensure_ascii=False, **more).encode()


def reversed_order(value: Any) -> Any:
    return {key: reversed_order(value[key]) for key in reversed(value)} if isinstance(value, dict) else value


PARSED = json.loads(FILE)


@pytest.mark.parametrize(
    "data",
    [
        FILE,
        laid_out(PARSED),  # with spaces
        laid_out(PARSED, separators=(",", ":")),
        laid_out(PARSED, indent=2),
        json.dumps(PARSED, separators=(",", ":")).encode(),  # letters beyond ASCII escaped
        laid_out(reversed_order(PARSED), separators=(",", ":")),
        laid_out({"format": PARSED["format"], "inside": PARSED}, separators=(",", ":")),
        laid_out({**PARSED, "cards": [], "inside": {"cards": PARSED["cards"]}}, separators=(",", ":")),
        laid_out({**PARSED, "title": '"cards":{"titles":"'}, separators=(",", ":")),
        laid_out({**PARSED, "sections": {**PARSED["sections"], "terms": {"names": "x"}}}, separators=(",", ":")),
        laid_out({**PARSED, "terms": {**PARSED["terms"], "names": "\x7f"}}, separators=(",", ":")),
    ],
)
def test_every_layout_gives_what_a_parser_says(data: bytes) -> None:
    assert whole(data) == json.loads(data)


def test_long_values_are_cut_out_as_the_build_writes_them() -> None:
    parsed = parse_index(FILE)
    assert [type(parsed["terms"][name]) for name in ("digits", "times")] == [bytes, bytes]
    assert '"' in parsed["cards"]["titles"]
    assert "\\temp" in parsed["terms"]["names"]


@pytest.mark.parametrize("end", [10, len(FILE) // 2, len(FILE) - 1])
def test_a_file_that_is_cut_off_is_no_index(end: int) -> None:
    with pytest.raises(IndexFormatError, match="not JSON"):
        load(FILE[:end])


def with_records(name: str, value: bytes, spaced: bool) -> bytes:
    """The file with other records, as the build lays them out or so that a parser reads them at once."""
    begin, end = (b'"digits":', b',"times":') if name == "digits" else (b'"times":', b',"long":')
    start = FILE.index(begin) + len(begin)
    return FILE[:start] + b" " * spaced + value + b" " * spaced + FILE[FILE.index(end) :].replace(b",", b" ,", spaced)


DEEP = b"[" * (400 if sys.platform == "emscripten" else 200_000)
"""In the reader's browser the worker refuses what is deeper before Python, which could not come back from it, sees it."""
NO_RECORDS = [b"5", b"null", b"{}", b'{"a":1}', b"[1,2]", b"[[1]]", b"[]", b"[[]]", b'"x"', b'["!"]', b'[["!"]]']


@pytest.mark.parametrize(
    ("name", "value", "spaced"),
    [
        *[("digits", value, spaced) for value in NO_RECORDS for spaced in (False, True)],
        *[("times", value, spaced) for value in NO_RECORDS for spaced in (False, True)],
        *[(name, value, False) for name in ("digits", "times") for value in (b"[[,]", DEEP, b"?")],
    ],
)
def test_records_that_are_no_lists_are_told_when_they_are_read(name: str, value: bytes, spaced: bool) -> None:
    index = load(with_records(name, value, spaced))
    asked = [(index.posting, "heap"), (index.single, "二")]
    for ask, term in asked if name == "digits" else asked[:1]:
        with pytest.raises(IndexFormatError, match=f"index of 'books-book' is damaged: postings of '{term}'; build the book"):
            ask(term)


def test_a_letter_is_found_in_the_records_as_they_are() -> None:
    assert [list(load(FILE).single(letter).cards) for letter in "二堆无"] == [[0, 1], [0], []]


def test_a_letter_in_a_card_that_the_book_has_not_is_refused() -> None:
    digits = [[column and "~" * len(column) for column in plane] for plane in PARSED["terms"]["digits"]]
    index = load(with_records("digits", json.dumps(digits).encode(), spaced=False))
    with pytest.raises(IndexFormatError, match="postings of '二'; build the book"):
        index.single("二")
