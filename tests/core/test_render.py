"""Whole answers: every case, every beginning of every answer, CommonMark, and text made to hurt."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time

import pytest
from drawn import SITE, faults, look
from hypothesis import given
from hypothesis import strategies as st

from askbook.core.render import render_answer, render_plain

GOLDEN = Path(__file__).parents[1] / "golden"
LINKS = [case for case in json.loads((GOLDEN / "cases/links.json").read_text("utf-8")) if case["kind"] == "markdown"]
ANSWERS = json.loads((GOLDEN / "cases/markdown-xss.json").read_text("utf-8"))
CASES = LINKS + [case for case in ANSWERS if case["kind"] in {"answer", "reasoning"}]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_is_drawn_as_expected(case: dict) -> None:
    html = render_answer(case["input"], site=SITE, sources=case.get("sources", 0))
    drawn = look(html)
    assert faults(html) == []
    for name in ("hrefs", "srcs", "cites"):
        assert case.get(name, getattr(drawn, name)) == getattr(drawn, name)
    assert [text for text in case.get("text_has", ()) if " ".join(text.split()) not in drawn.visible] == []
    assert [tag for tag in case.get("no_tags", ()) if tag in dict(drawn.tags)] == []
    assert [name for name in case.get("no_attrs", ()) if any(name in attrs for _, attrs in drawn.tags)] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_beginning_of_a_case_is_clean(case: dict) -> None:
    text = case["input"]
    found = {text[:cut]: faults(render_answer(text[:cut], site=SITE, sources=case.get("sources", 0))) for cut in range(len(text))}
    assert {text: wrong for text, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    "case", [case for case in ANSWERS if case not in CASES and case["kind"] != "card-url"], ids=lambda case: case["id"]
)
def test_what_is_no_markdown_is_shown_letter_by_letter(case: dict) -> None:
    html = render_plain(case["input"])
    assert (look(html).text, faults(html)) == (case["input"] + "\n", [])


@pytest.mark.parametrize("path", sorted((GOLDEN / "answers").glob("*.in.md")), ids=lambda path: path.name)
def test_an_answer_becomes_its_golden_html(path: Path, update_golden: bool) -> None:
    html = render_answer(path.read_text("utf-8"), site=SITE, sources=5, known={"python/ch03/"})
    golden = path.with_name(path.name.replace(".in.md", ".out.html"))
    if update_golden:
        golden.write_text(html, "utf-8")
    assert html == golden.read_text("utf-8")


HOSTILE = st.lists(
    st.sampled_from(
        [
            "<script>",
            "</script>",
            "<img src=x onerror=alert(1)>",
            "<!--",
            "-->",
            "[",
            "]",
            "(",
            ")",
            "![",
            "](",
            "javascript:alert(1)",
            "//evil.example",
            "[1]",
            "[9]",
            "【1】",
            "¹",
            "。",
            "`",
            "```",
            "\n",
            "\n\n",
            "    ",
            "$",
            "$$",
            "\\[",
            "\\]",
            "\\(",
            "\\)",
            "\\",
            "|",
            "|---|",
            "*",
            "**",
            "_",
            "~~",
            "# ",
            "> ",
            "- ",
            "1. ",
            "&lt;",
            "&#60;",
            "&",
            "<",
            ">",
            '"',
            "'",
            "[a]: ",
            "[1]: ",
            "/python/",
            "https://example.org/books/",
            "x",
            "漢字",
            "\u202e",
            "\x00",
            "\ud83d",
            "5",
            " ",
            "<br>",
            "<https://a.b>",
            "Sources:",
        ]
    ),
    max_size=30,
).map("".join)


@given(text=HOSTILE | st.text(max_size=80))
def test_whatever_is_written_is_drawn_clean(text: str) -> None:
    assert faults(render_answer(text, site=SITE, sources=3, known={"python/"})) == []


def test_a_mark_leads_to_its_card_and_says_how_well_it_is_supported() -> None:
    html = render_answer("A [2]. B [1].", site=SITE, sources=[1, 2], prefix="askbook-t7", support=["quoted", "missing"])
    assert html == (
        '<p>A <a class="cite-ref" href="#askbook-t7-2" data-n="2" data-support="quoted">[2]</a>. '
        'B <a class="cite-ref" href="#askbook-t7-1" data-n="1" data-support="missing">[1]</a>.</p>\n'
    )


def test_words_of_the_question_are_set_off_outside_code() -> None:
    html = render_answer("Compactness of 紧集 and `compact`.", site=SITE, words=["compact", "紧集"])
    assert html == "<p><mark>Compactness</mark> of <mark>紧集</mark> and <code>compact</code>.</p>\n"


def test_addresses_that_the_book_has_become_links_where_they_stand_bare() -> None:
    html = render_answer("见/python/ch03/。Not /python/ch99/, not and/or.", site=SITE, known={"python/ch03/"})
    assert html == '<p>见<a href="https://example.org/books/python/ch03/">/python/ch03/</a>。Not /python/ch99/, not and/or.</p>\n'


SIZE = 64_000
PATTERNS = {
    "nested strong emphasis": "*a **a " * (SIZE // 7),
    "many emphasis closers": "a_ " * (SIZE // 3),
    "many emphasis openers": "_a " * (SIZE // 3),
    "many link closers": "a]" * (SIZE // 2),
    "many link openers": "[a" * (SIZE // 2),
    "mismatched openers and closers": "*a_ " * (SIZE // 4),
    "commonmark/cmark #389": "*a " * (SIZE // 6) + "_a*_ " * (SIZE // 10),
    "openers and closers multiple of 3": "a**b" + "c* " * (SIZE // 3),
    "link openers and emphasis closers": "[ a_" * (SIZE // 4),
    "pattern [ (](": "[ (](" * (SIZE // 5),
    "pattern ![[]()": "![[]()" * (SIZE // 6),
    "hard link/emphasis case": "**x [a*b**c*](d)" * (SIZE // 16),
    "nested brackets": "[" * (SIZE // 2) + "a" + "]" * (SIZE // 2),
    "nested block quotes": "> " * (SIZE // 2) + "a",
    "deeply nested lists": "".join(f"{'  ' * depth}* a\n" for depth in range(250)),
    "list markers in one line": "- " * (SIZE // 2) + "a",
    "U+0000 in input": "abc\x00de\x00" * (SIZE // 8),
    "backticks": "".join(f"e{'`' * run}" for run in range(350)),
    "unclosed links A": "[a](<b" * (SIZE // 6),
    "unclosed links B": "[a](b" * (SIZE // 5),
    "unclosed comment": "</" + "<!--" * (SIZE // 4),
    "unclosed autolinks": "<http:" * (SIZE // 6),
    "empty lines in deeply nested lists": "- " * 15_000 + "x" + "\n" * 30_000,
    "empty lines in deeply nested quotes": "> " * 15_000 + "x\n" + ">\n" * 15_000,
    "emphasis in deep quote": ">" * (SIZE // 2) + "a*" * (SIZE // 4),
    "many references": "".join(f"[{at}x]: u\n" for at in range(SIZE // 16)) + "[0x] " * (SIZE // 10),
    "reference labels": "[a" * 900 + "]: x\n" + "[x" * (SIZE // 2),
    "dollar signs": "$a " * (SIZE // 3),
    "display openers": "$$\n" * (SIZE // 3),
    "display openers in text": "a $$ b\n" * (SIZE // 7),
    "formula brackets": "\\[a " * (SIZE // 4),
    "formula parentheses": "\\(a " * (SIZE // 4),
    "environments": "\\begin{align}\n" * (SIZE // 14),
    "backslashes": "\\" * SIZE,
    "table of many columns": "|a" * (SIZE // 4) + "|\n" + "|-" * (SIZE // 4) + "|\n",
    "table of many rows": "|a|b|\n|-|-|\n" + "||\n" * (SIZE // 3),
    "table cells with dollars": "|a|b|\n|-|-|\n" + "|$a|b$|\n" * (SIZE // 8),
    "rulers under a long paragraph": "a|b\n" * (SIZE // 8) + "-|\n" * (SIZE // 6),
    "marks": "[1]" * (SIZE // 3),
    "ranges": "[1-3]" * (SIZE // 5),
    "raised digits": "。¹" * (SIZE // 2),
    "addresses": "/python/" * (SIZE // 8),
    "tildes": "~~a " * (SIZE // 4),
    "entities": "&lt" * (SIZE // 3),
    "fences": "```\n" * (SIZE // 4),
    "headings": "# a\n" * (SIZE // 4),
    "list of sources": "Sources:\n" + "- [a](b)\n" * (SIZE // 9),
    "one long word": "a" * SIZE,
    "one long Chinese sentence": "漢" * SIZE,
}


@pytest.mark.parametrize("name", PATTERNS)
def test_text_made_to_hurt_is_drawn_within_a_second(name: str) -> None:
    start = process_time()
    html = render_answer(PATTERNS[name], site=SITE, sources=3, known={"python/"})
    assert process_time() - start < 1
    assert faults(html) == []
