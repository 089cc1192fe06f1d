"""What the core answers to fixed questions; run by CPython and by the packed runtime, the two texts must be equal."""

from __future__ import annotations

import json
from collections.abc import Mapping

from askbook.core.citations import check
from askbook.core.extract import answer
from askbook.core.index import Index, load
from askbook.core.parts import ToolCallPart
from askbook.core.render import AnswerView, render_answer
from askbook.core.search import search
from askbook.core.toolbox import Shelf
from askbook.core.tools import run, schemas
from askbook.core.wire import to_json

QUESTIONS = (
    "What is an inverted index?",
    "什么是倒排索引？",
    "Theorem 2.2",
    "定理 2.2",
    "C++",
    "",
    "no such thing anywhere 量子",
)
CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("list_books", {}),
    ("book_toc", {}),
    ("book_retrieve", {"question": "postings"}),
    ("book_chunk", {"id": "1/definition-1"}),
    ("book_slice_search", {"query": "postings"}),
    ("book_chapter_outline", {"chapter": "1"}),
    ("book_read_section", {"section": "1.1"}),
    ("calculate", {"expression": "2 ** 10 / 3"}),
    ("no_such_tool", {}),
)
ANSWERS = (
    "An **inverted index** maps terms to postings [1].\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | $a_1$ |\n",
    "<script>alert(1)</script> [x](javascript:alert(1)) ![p](https://example.com/p.png) https://example.org [2][9]",
    "倒排索引[1]是映射。\n\n```python\na[1] = 2\n```\n\n$$\n\\frac{N}{2}\n$$\n",
)


def shelf_of(files: Mapping[str, bytes]) -> Shelf:
    """Read every index among the files with its side files."""
    indexes: list[Index] = []
    for name in sorted(files):
        if name != "books.json" and ".text." not in name and name.count(".") == 1:
            index = load(files[name])
            for side in index.sides:
                index.attach(side, files[side])
            indexes.append(index)
    return Shelf(tuple(indexes))


def drawn(text: str) -> list[str]:
    """The blocks of an answer that arrived letter by letter."""
    view = AnswerView(site="https://example.org/books/", sources=2)
    blocks: dict[int, str] = {}
    for patch in [patch for letter in text for patch in view.feed(letter)] + view.finish():
        blocks[patch.block] = blocks.get(patch.block, "") + patch.text if patch.text else patch.html
    return [blocks[at] for at in sorted(blocks)]


def probe(files: Mapping[str, bytes]) -> str:
    """Return everything as one JSON text."""
    shelf = shelf_of(files)
    found = {question: search(shelf.indexes, question) for question in QUESTIONS}
    return json.dumps(
        {
            "search": {question: result.to_json() for question, result in found.items()},
            "extract": {question: answer(question, result, lang="en") for question, result in found.items()},
            "schemas": [to_json(schema) for schema in schemas(shelf)],
            "tools": [to_json(run(ToolCallPart("c", name, arguments), shelf)) for name, arguments in CALLS],
            "render": [render_answer(text, site="https://example.org/books/", sources=2) for text in ANSWERS],
            "drawn": [drawn(text) for text in ANSWERS],
            "citations": to_json(check(ANSWERS[0], {1: shelf.indexes[0].card(0)})),
        },
        ensure_ascii=False,
        sort_keys=True,
    )
