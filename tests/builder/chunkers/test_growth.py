"""Reading takes time in step with the text, also where what opens is never closed: counted in lines of Python that ran."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from time import process_time
from types import FrameType
from typing import Any

import pytest

from askbook.builder.blocks import Text
from askbook.builder.books import dialect_named
from askbook.builder.chunkers.attributes import split_heading, split_paragraph
from askbook.builder.chunkers.markdown import chunk
from askbook.builder.dialects import AUTO, Dialect
from askbook.builder.mkdocs_config import usual_dialect

SHAPES = {
    "fences that never close": "```py x\n",
    "titled fences that never close": '```py title="a"\n\ntext\n\n',
    "fences in items that never close": "- ```py\n",
    "fences in deep items that never close": "1.  a\n\n    ```py\n",
    "divisions that never close": "<div>\n\ntext\n\n",
    "folded elements that never close": "<details>\n<summary>x\n",
    "components that never close": "<Note>\n",
    "colon fences that never close": "::: note\n\ntext\n\n",
    "environments that never close": "\\begin{theorem}\n",
    "braces that never close": "{a\n",
    "comments that never close": "{/* a\n",
    "tags that never close": "<A b={\n",
    "exports that never close": "export const a = {\n\n",
    "exports above text that never close": "export const a = [\n\ntext\n\n",
    "templates that never close": "export const a = {b: `\n\n{\n\n",
    "equal headings": "# a\n\n",
    "edits that never close": "{++a {--b {==c\n",
    "exchanges that never close": "{~~a~>b\n",
    "terms": "a\n:   b\n\n",
}
NESTS = {
    "divisions": ("<div>\n", "</div>\n"),
    "components": ("<Note>\n", "</Note>\n"),
    "folded elements": ("<details>\n", "</details>\n"),
    "directives": (":::{note}\n", ":::\n"),
}
EDITED = replace(usual_dialect(), symbols=frozenset(["critic:view", "insert", "keys", "emoji"]))
DIALECTS = {"mkdocs": EDITED, "auto": AUTO, "mdx": dialect_named("mdx")}
SMALL, LARGE = 120, 480
SLOWER = 10
"""Of four times the text; what looks through all the rest at each sign takes sixteen times as long."""
GROWTH = 1.25 * LARGE / SMALL


def work(source: str, dialect: Dialect) -> int:
    """How many lines of Python it takes to read a page."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        chunk(source, url="x", dialect=dialect)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_the_text_takes_four_times_the_work(shape: str, dialect: str) -> None:
    small, large = (work(SHAPES[shape] * count, DIALECTS[dialect]) for count in (SMALL, LARGE))
    assert large < GROWTH * small


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("shape", NESTS)
def test_nesting_four_times_as_deep_takes_four_times_the_work(shape: str, dialect: str) -> None:
    start, end = NESTS[shape]
    small, large = (work(start * count + "\nx\n\n" + end * count, DIALECTS[dialect]) for count in (SMALL, LARGE))
    assert large < GROWTH * small


def test_edits_that_never_close_take_no_more_than_a_glance_each() -> None:
    """Searches for an end run in C, where no line of Python counts them: time has to."""
    assert grows(lambda size: chunk("{~~a~>b {++c {--d {==e {>>f\n" * size, url="x", dialect=EDITED), 500) < SLOWER


@pytest.mark.parametrize("mark", ["<div>", "<p>", "[^a]: "])
def test_a_line_of_elements_and_notes_that_never_close_is_read_in_no_time(mark: str) -> None:
    assert grows(lambda size: chunk(mark * size, url="x", dialect=AUTO), 250) < SLOWER


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "mark",
    ["<details><summary>x</summary>", "<Note>", "<Note>a</Note>", "<p><b>x</b><table><tr>", "<hr>", "<!-- a -->", "</div>"],
)
def test_thousands_of_tags_in_one_line_take_no_more_than_as_many_lines(mark: str, dialect: str) -> None:
    source = "# A\n\n" + mark * 60_000 + " the end"
    assert (
        least(lambda: chunk(source, url="x", dialect=DIALECTS[dialect]), times=1) < 8
    )  # of a second or less, and of twenty where each rest of the line is read


def test_text_behind_too_many_tags_is_kept() -> None:
    page, problems = chunk("<div>" * 20_000 + "the *end*\n\nAfter", url="x", dialect=AUTO)
    assert [block.text for block in page.blocks if isinstance(block, Text)][-2:] == ["the end", "After"]
    assert [problem.line for problem in problems] == [1]


@pytest.mark.parametrize("dialect", [AUTO, EDITED])
@pytest.mark.parametrize("end", ["{space}}}", "{{{space}}}", "{{b{space}c}}", "{{#b}}{space}}}", "{{#b {space}}}"])
def test_attributes_are_looked_for_in_step_with_the_text(end: str, dialect: Dialect) -> None:
    assert grows(lambda size: split_heading("A " + end.format(space=" " * size), dialect), 4_000) < SLOWER
    assert grows(lambda size: split_paragraph("A\n" + end.format(space=" " * size)), 4_000) < SLOWER


def grows(work: Callable[[int], object], size: int) -> float:
    """How much longer it takes to work on four times as much; what takes no time at all does not count."""
    return least(lambda: work(4 * size)) / max(least(lambda: work(size)), 0.001)


def least(work: Callable[[], object], times: int = 5) -> float:
    """The time it takes undisturbed."""

    def once() -> float:
        started = process_time()
        work()
        return process_time() - started

    return min(once() for _ in range(times))
