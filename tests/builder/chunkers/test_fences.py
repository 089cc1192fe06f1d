"""Where fences of colons and elements end, as each generator reads them, and where lines look like fences and are none."""

from __future__ import annotations

import pytest

from askbook.builder.blocks import Text, UnitEnd, UnitStart
from askbook.builder.chunkers.markdown import chunk
from askbook.builder.generators import dialect_named


def shown(source: str, format_: str) -> tuple[list[str], list[str]]:
    """Texts with units in brackets, and what is wrong."""
    page, problems = chunk(source, url="x", dialect=dialect_named(format_))
    texts = [
        block.text if isinstance(block, Text) else f"<{block.name}" if isinstance(block, UnitStart) else ">"
        for block in page.blocks
        if isinstance(block, Text | UnitStart | UnitEnd)
    ]
    return texts, [f"{problem.line}: {problem.message}" for problem in problems]


@pytest.mark.parametrize("name", ["iframe", "svg", "video"])
@pytest.mark.parametrize("end", ["></{}>", ">\n</{}>", ">\n\nText inside\n</{}> After"])
def test_an_element_whose_tag_runs_over_lines_is_left_out_whole(name: str, end: str) -> None:
    source = f"Before\n\n<{name}\n  src='a'\n  title='b'\n{end.format(name)}\n\nAfter"
    assert [text for text in shown(source, "mdx")[0] if text != "After"] == ["Before"]


NESTED = "::: warning\nOne\n\n::: tip\nTwo\n:::\n\nThree\n"


@pytest.mark.parametrize(
    ("format_", "texts"),
    [
        ("vitepress", ["<warning", "One", "<tip", "Two", ">", ">", "Three"]),
        ("docusaurus", ["<warning", "One", "<tip", "Two", ">", ">", "Three"]),
        ("markdown", ["<warning", "One", "<tip", "Two", ">", "Three", ">"]),
    ],
)
def test_a_fence_ends_the_outermost_where_fences_are_taken_whole(format_: str, texts: list[str]) -> None:
    assert shown(NESTED, format_)[0] == texts


def test_a_longer_fence_stays_open_over_the_end_of_a_shorter_one() -> None:
    source = ":::: warning\nOne\n\n::: tip\nTwo\n:::\n\nThree\n::::\n\nFour"
    assert shown(source, "vitepress") == (["<warning", "One", "<tip", "Two", ">", "Three", ">", "Four"], [])


def test_a_division_that_is_shown_as_code_opens_nothing() -> None:
    source = "Write:\n\n    ::: {.callout-note}\n\n    Text.\n\n    :::\n\nMore."
    code = "```\n::: {.callout-note}\n\nText.\n\n:::\n```"
    assert shown(source, "quarto") == (["Write:", code, "More."], [])


def test_a_directive_that_never_ends_is_called_by_its_name() -> None:
    assert shown("```{note}\nText.", "myst") == (["<note", "Text.", ">"], ["1: ``` note is never closed"])


LISTED = """```{list-table} Caption
:header-rows: 1

* - Head *one*
  - Two
* - a
  - b `code`
    more
* -
  - d | e
```

After.
"""


def test_a_list_of_lists_is_a_table_as_sphinx_shows_it() -> None:
    table = "Head one | Two\na | b `code` more\n | d | e"
    assert shown(LISTED, "myst") == (["Caption", table, "After."], [])


@pytest.mark.parametrize("cell", ["- x\n    - y", "x\n\n    ```\n    code\n    ```", "x\n\n    > y"])
def test_a_list_of_lists_with_more_than_lines_in_a_cell_is_a_list(cell: str) -> None:
    texts, problems = shown(f"````{{list-table}}\n* - a\n  - {cell}\n````\n\nAfter.", "myst")
    assert (texts[0].lstrip("- "), texts[-1], problems) == ("a", "After.", [])
    assert all(word in " ".join(texts) for word in ("x", "y" if "y" in cell else "code"))
