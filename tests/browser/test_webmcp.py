"""The tools of the page for the browser's own agent, and that they say what every other surface says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from panel import PanelPage
from playwright.sync_api import BrowserContext

from askbook.core.canonical import dumps
from askbook.core.parts import ToolCallPart
from askbook.core.toolbox import Shelf
from askbook.core.tools import TOOLS, run
from askbook.terminal.shelf import read_shelf

pytestmark = pytest.mark.browser

AGENT = """
  Document.prototype.modelContext = {
    tools: {},
    registerTool(tool, { signal }) {
      if (this.tools[tool.name]) throw new DOMException("there is one already", "InvalidStateError")
      this.tools[tool.name] = tool
      signal.addEventListener("abort", () => delete this.tools[tool.name])
    },
  }
"""
COUNT = "Object.keys(document.modelContext.tools).length"


def calls(shelf: Shelf) -> list[tuple[str, dict[str, Any]]]:
    """Each tool, plain, at its limits, and wrong, on whatever book there is."""
    index = shelf.indexes[0]
    cards = [index.card(ordinal) for ordinal in range(len(index))]
    longest = max(cards, key=lambda card: len(card.text))
    quote = next(line for line in longest.text.split("\n") if len(line) > 40)[:60]
    return [
        ("list_books", {}),
        ("list_books", {"book": "x"}),
        ("book_toc", {}),
        ("book_toc", {"start": 2}),
        ("book_toc", {"start": -1}),
        ("book_toc", {"book": "nowhere"}),
        ("book_retrieve", {"question": "What is an inverted index?", "topK": 3}),
        ("book_retrieve", {"question": "postings list skip pointers", "topK": 99}),
        ("book_retrieve", {"question": "倒排索引"}),
        ("book_retrieve", {"question": "zxqv"}),
        ("book_retrieve", {"question": "x" * 5_000}),
        ("book_retrieve", {"k": 3}),
        ("book_retrieve", {}),
        ("book_chunk", {"id": longest.id}),
        ("book_chunk", {"id": longest.id, "start": 100}),
        ("book_chunk", {"id": longest.id, "start": 1_000_000}),
        ("book_chunk", {"id": "../../etc/passwd"}),
        ("book_chunk", {"id": 5}),
        ("book_slice_search", {"pattern": "posting", "limit": 2}),
        ("book_slice_search", {"pattern": "e", "limit": 99}),
        ("book_slice_search", {"pattern": "(index|term)s?", "mode": "regex"}),
        ("book_slice_search", {"pattern": "(", "mode": "regex"}),
        ("book_slice_search", {"pattern": "(a+)+$", "mode": "regex"}),
        ("book_slice_search", {"pattern": " "}),
        ("book_slice_search", {"pattern": "term", "mode": "glob"}),
        ("book_chapter_outline", {"chapter": "1"}),
        ("book_chapter_outline", {"chapter": "99"}),
        ("book_chapter_outline", {"chapter": cards[0].title}),
        ("book_read_section", {"start": "1.1"}),
        ("book_read_section", {"start": cards[0].id, "end": cards[-1].id}),
        ("book_read_section", {"start": cards[0].id, "count": 1}),
        ("book_read_section", {"start": cards[0].id, "skip": 100}),
        ("book_read_section", {"start": cards[-1].id, "end": cards[0].id}),
        ("book_read_section", {"start": "nowhere"}),
        ("book_ref", {"name": "Definition 1.1"}),
        ("book_ref", {"name": "Theorem 99.9"}),
        ("book_ref", {"name": ""}),
        ("add_citation", {"card": longest.id, "quote": quote}),
        ("add_citation", {"card": longest.id, "quote": "The book never says this."}),
        ("add_citation", {"card": "nothing", "quote": "nothing"}),
        ("calculate", {"expression": "1/3 + 1/6"}),
        ("calculate", {"expression": "2**10 + sqrt(2)"}),
        ("calculate", {"expression": "9**9**9**9"}),
        ("calculate", {"expression": "__import__('os')"}),
    ]


@pytest.fixture
def context(context: BrowserContext) -> BrowserContext:
    """A browser with an agent."""
    context.add_init_script(AGENT)
    return context


def test_every_tool_is_offered_as_read_only_and_untrusted(panel: PanelPage) -> None:
    panel.page.wait_for_function("Object.keys(document.modelContext.tools).length >= 10")
    tools = panel.page.evaluate("Object.values(document.modelContext.tools).map(({ name, annotations }) => [name, annotations])")
    assert tools == [[name, {"readOnlyHint": True, "untrustedContentHint": True}] for name in TOOLS]


def test_tools_are_there_as_long_as_the_assistant_is(panel: PanelPage) -> None:
    panel.page.wait_for_function(f"{COUNT} >= 10")
    count = panel.page.evaluate(COUNT)
    panel.page.evaluate("globalThis.kept = document.querySelector('ask-book'); kept.remove()")
    assert panel.page.evaluate(COUNT) == 0
    panel.page.evaluate("document.body.append(kept)")
    panel.page.wait_for_function(f"{COUNT} === {count}")
    panel.page.evaluate("document.body.prepend(kept); kept.remove()")
    panel.page.wait_for_timeout(500)
    assert panel.page.evaluate(COUNT) == 0
    panel.page.evaluate("document.body.append(kept); document.body.prepend(kept)")
    panel.page.wait_for_function(f"{COUNT} === {count}")
    assert panel.errors == []


def test_the_page_gives_the_same_json_as_the_core(panel: PanelPage, site_folder: Path) -> None:
    panel.page.wait_for_function("Object.keys(document.modelContext.tools).length >= 10")
    panel.page.set_default_timeout(90_000)
    shown = panel.page.evaluate("document.documentElement.lang")
    shelf = Shelf(tuple(index for index in read_shelf(str(site_folder / "ai-index")) if index.lang[:2] == shown[:2]))
    assert shelf
    asked = calls(shelf)
    expected = [run(ToolCallPart("", name, given), shelf) for name, given in asked]
    assert {name for name, _ in asked} == set(TOOLS)
    assert {result.error for result in expected} == {True, False}
    assert {"true", "false"} <= {json.dumps(value) for result in expected for value in truncations(result.content)}
    for (name, given), result in zip(asked, expected, strict=True):
        text = panel.page.evaluate(
            "([name, given]) => document.modelContext.tools[name].execute(given).then(({ content }) => content[0].text)",
            [name, given],
        )
        assert json.loads(text) == json.loads(dumps(result.content)), (name, given)


def truncations(value: object) -> list[object]:
    """Every `truncated` in a result."""
    if isinstance(value, list):
        return [found for item in value for found in truncations(item)]
    if not isinstance(value, dict):
        return []
    return [found for key, item in value.items() for found in ([item] if key == "truncated" else truncations(item))]
