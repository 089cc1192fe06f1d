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

AGENT = "Document.prototype.modelContext = { tools: {}, registerTool(tool) { this.tools[tool.name] = tool } }"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_books", {}),
    ("book_toc", {}),
    ("book_retrieve", {"question": "What is an inverted index?", "topK": 3}),
    ("book_retrieve", {}),
    ("book_chunk", {"id": "../../etc/passwd"}),
    ("book_slice_search", {"pattern": "posting", "limit": 2}),
    ("book_slice_search", {"pattern": "(", "mode": "regex"}),
    ("book_chapter_outline", {"chapter": "1"}),
    ("book_read_section", {"start": "1.1"}),
    ("book_ref", {"name": "Definition 1.1"}),
    ("add_citation", {"card": "nothing", "quote": "nothing"}),
    ("calculate", {"expression": "1/3 + 1/6"}),
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


def test_the_page_gives_the_same_json_as_the_core(panel: PanelPage, site_folder: Path) -> None:
    panel.page.wait_for_function("Object.keys(document.modelContext.tools).length >= 10")
    panel.page.set_default_timeout(90_000)
    shown = panel.page.evaluate("document.documentElement.lang")
    shelf = Shelf(tuple(index for index in read_shelf(str(site_folder / "ai-index")) if index.lang[:2] == shown[:2]))
    assert shelf
    for name, given in CALLS:
        text = panel.page.evaluate(
            "([name, given]) => document.modelContext.tools[name].execute(given).then(({ content }) => content[0].text)",
            [name, given],
        )
        expected = run(ToolCallPart("", name, given), shelf).content
        assert json.loads(text) == json.loads(dumps(expected)), name
