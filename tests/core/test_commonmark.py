"""The examples of the CommonMark specification, apart from HTML and the link policy, which are ours."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from askbook.core.render import render_answer

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "node_modules/commonmark-spec/spec.txt"
EXAMPLE = re.compile(r"^`{32} example\n(.*?)^\.\n(.*?)^`{32}$", re.DOTALL | re.MULTILINE)
REFUSED = re.compile(r"<([^<>\s]+[:@][^<>\s]*)>")
"""An autolink that the policy refuses keeps its brackets."""


def examples() -> list[tuple[int, str, str]]:
    """Number, Markdown and HTML of each example."""
    found = EXAMPLE.findall(SPEC.read_text("utf-8")) if SPEC.is_file() else []
    return [(number, *(part.replace("→", "\t") for part in pair)) for number, pair in enumerate(found, 1)]


def bare(drawn: str) -> str:
    """HTML without what the link policy decides: links become their labels, images their alternative texts."""
    drawn = re.sub(r'<img [^>]*?alt="([^"]*)"[^>]*>', r"\1", drawn)
    drawn = re.sub(r"</?a\b[^>]*>", "", drawn).replace(" />", ">")
    return REFUSED.sub(r"\1", html.unescape(re.sub(r"\s+", " ", drawn).replace("> <", "><"))).strip()


def is_ours(markdown: str, expected: str) -> bool:
    """Tell whether an example is about raw HTML; autolinks are no HTML."""
    raw = [tag for tag in re.findall(r"<[^>\n]*>?", markdown) if not re.match(r"<[a-zA-Z][a-zA-Z0-9+.-]*[:@]", tag)]
    return any(tag in expected for tag in raw if re.match(r"<[a-zA-Z/!?]", tag))


@pytest.mark.skipif(not SPEC.is_file(), reason="the specification is not here: 'npm ci' fetches commonmark-spec")
def test_the_examples_of_commonmark_hold() -> None:
    wrong = {}
    compared = 0
    for number, markdown, expected in examples():
        if is_ours(markdown, expected):
            continue
        compared += 1
        drawn = render_answer(markdown, site="https://example.org/")
        if bare(drawn) != bare(expected):
            wrong[number] = (markdown, bare(drawn), bare(expected))
    assert wrong == {}
    assert compared > 550
