"""Notebooks: cells in order, each with its own address."""

from __future__ import annotations

import json

import pytest

from askbook.builder.blocks import Heading, Text
from askbook.builder.cards import cut
from askbook.builder.chunkers.notebook import chunk
from askbook.core.errors import ContentError


def notebook(*cells: dict[str, object]) -> str:
    return json.dumps({"nbformat": 4, "metadata": {"language_info": {"name": "python"}}, "cells": list(cells)})


def test_cells_become_blocks_with_the_address_of_their_cell() -> None:
    source = notebook(
        {"cell_type": "markdown", "source": ["# 第2章\n", "\n", "设 $a_1$。"]},
        {
            "cell_type": "code",
            "source": "print(1)\n",
            "outputs": [
                {"output_type": "stream", "text": ["1\n"]},
                {"output_type": "display_data", "data": {"image/png": "iVBOR", "text/plain": ["<Figure size 1>"]}},
                {"output_type": "error", "ename": "ValueError", "evalue": "no"},
            ],
        },
        {"cell_type": "raw", "source": "raw text"},
    )
    page = chunk(source, url="ch02.ipynb")
    assert (page.title, page.blocks) == (
        "第2章",
        (
            Heading(1, "第2章", "cell-1", 1),
            Text("设 $a_1$。", "cell-1", 3),
            Text("```python\nprint(1)\n```", "cell-2", atomic=True),
            Text("```text\n1\n```", "cell-2", atomic=True),
            Text("```text\nValueError: no\n```", "cell-2", atomic=True),
            Text("raw text", "cell-3"),
        ),
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{", "is no notebook: Expecting property name"),
        ("[]", "is no notebook: the JSON is no object"),
        ("{}", "is no notebook: it has no list of cells"),
        ('{"cells": [3]}', "is no notebook: cell 1 has no type"),
        ("[" * 100_000, "is no notebook"),
    ],
)
def test_what_is_no_notebook_is_named(source: str, message: str) -> None:
    with pytest.raises(ContentError, match=message):
        chunk(source, url="x.ipynb", file="x.ipynb")


def test_what_a_page_shows_of_raw_cells_and_formulas_is_kept_and_what_stands_before_a_heading_has_its_cell() -> None:
    cells = [
        {"cell_type": "raw", "source": "---\ntitle: Named\n---\n"},
        {"cell_type": "markdown", "source": "First."},
        {"cell_type": "raw", "metadata": {"raw_mimetype": "text/latex"}, "source": "\\begin{x}"},
        {"cell_type": "raw", "metadata": {}, "source": "Shown."},
        {
            "cell_type": "code", "source": "x**2",
            "outputs": [{"output_type": "display_data", "data": {"text/latex": "$\\displaystyle x^{2}$", "text/plain": "x**2"}}],
        },
        {"cell_type": "markdown", "source": "# Head\n\nText."},
    ]  # fmt: skip
    page = chunk(json.dumps({"cells": cells}), url="a.ipynb")
    book, _ = cut([page], col="c", book="b", title="T", lang="en")
    assert [(card.title, card.url, card.text) for card in book.cards] == [
        ("Named", "a.ipynb#cell-2", "First.\n\nShown.\n\n```python\nx**2\n```\n\n$$x^{2}$$"),
        ("Head", "a.ipynb#cell-6", "Text."),
    ]


@pytest.mark.parametrize(
    ("metadata", "source", "texts"),
    [
        ({}, "---\ntitle: T\n---\nText behind it.\n", ["Text behind it."]),
        ({}, "---\ntitle: T\n---\n<p>One &amp; two.</p>\n<p>Three.</p>", ["One & two.", "Three."]),
        ({}, "No markup, if a < b and b > c.", ["No markup, if a < b and b > c."]),
        ({"raw_mimetype": "text/html"}, "<script>x()</script><p>The <b>bold</b> $a_1$.</p>", ["The bold $a_1$."]),
        ({"raw_mimetype": "text/html"}, "1 &lt; 2", ["1 < 2"]),
        ({"format": "text/markdown"}, "Some *set off*.\n\nMore.", ["Some set off.", "More."]),
        ({"raw_mimetype": "text/restructuredtext"}, "Plain\ntext.", ["Plain text."]),
        ({"raw_mimetype": "text/latex"}, "---\ntitle: T\n---\n\\newpage", []),
    ],
)
def test_a_raw_cell_is_readable_text(metadata: dict[str, str], source: str, texts: list[str]) -> None:
    page = chunk(notebook({"cell_type": "raw", "metadata": metadata, "source": source}), url="a.ipynb")
    assert page.title == ("T" if source.startswith("---") else "")
    assert [(block.text, block.anchor) for block in page.blocks if isinstance(block, Text)] == [
        (text, "cell-1") for text in texts
    ]


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (
            "$\\displaystyle \\left[\\begin{matrix}1\\\\2\\end{matrix}\\right]$",
            "$$\\left[\\begin{matrix}1\\\\2\\end{matrix}\\right]$$",
        ),
        ("$$x^2$$", "$$x^2$$"),
        ("$a$ and $b$", "$a$ and $b$"),
        ("$\\displaystyle a$ costs\n\\$5 or $$b$$.", "$a$ costs \\$5 or $$b$$."),
        ("$a$ and $b", "```text\nplain\n```"),
        ("$a$\n\n$b$", "```text\nplain\n```"),
        ("\\LaTeX", "```text\nplain\n```"),
    ],
)
def test_formulas_of_an_output_stay_formulas(tex: str, text: str) -> None:
    output = {"output_type": "execute_result", "data": {"text/latex": [tex], "text/plain": "plain"}}
    page = chunk(notebook({"cell_type": "code", "source": "", "outputs": [output]}), url="a.ipynb")
    assert page.blocks == (Text(text, "cell-1", atomic=True),)


def test_headings_of_the_third_format_are_headings() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["The *set*\n", "off"]},
        {"cell_type": "heading", "level": "x", "source": "One"},
        {"cell_type": "code", "input": ["1"], "outputs": [{"output_type": "pyout", "text": ["1"]}]},
    ]
    page = chunk(json.dumps({"worksheets": [{"cells": cells}, {"cells": None}, None]}), url="a.ipynb")
    assert page.blocks == (
        Heading(2, "The set off", "cell-1", line=1, terms=("set",)),
        Heading(1, "One", "cell-2", line=1),
        Text("```python\n1\n```", "cell-3", atomic=True),
        Text("```text\n1\n```", "cell-3", atomic=True),
    )
