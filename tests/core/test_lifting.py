"""An index file is parsed in part by searching it: what comes out is what a parser of JSON says."""

from __future__ import annotations

import json
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


def test_records_that_are_no_lists_are_told_when_they_are_read() -> None:
    at = FILE.index(b'"digits":[') + len(b'"digits":[')
    index = load(FILE[:at] + b"?" + FILE[at + 1 :])
    with pytest.raises(IndexFormatError, match="postings of 'heap'"):
        index.posting("heap")
