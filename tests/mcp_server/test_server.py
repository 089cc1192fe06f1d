"""The server as a client of the official SDK sees it."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from askbook.core.canonical import dumps
from askbook.core.parts import ToolCallPart
from askbook.core.pytool import Outcome
from askbook.core.tools import TOOLS, run
from askbook.mcp_server import resources
from askbook.mcp_server.live import LiveShelf
from askbook.mcp_server.server import BookServer, Python
from askbook.terminal.shelf import read_shelf

pytestmark = pytest.mark.anyio

CALLS: dict[str, dict[str, Any]] = {
    "list_books": {},
    "book_toc": {"book": "topology"},
    "book_retrieve": {"question": "Theorem 2.1", "topK": 2},
    "book_chunk": {"id": "2/filters"},
    "book_slice_search": {"pattern": "open", "limit": 3},
    "book_chapter_outline": {"chapter": "2", "book": "topology"},
    "book_read_section": {"start": "2/compact", "count": 2},
    "book_ref": {"name": "定理 1.1", "book": "analysis"},
    "add_citation": {"card": "1/open-sets", "quote": "A set is open when it is a neighbourhood of each of its points."},
    "calculate": {"expression": "1/3 + 1/6"},
}


class Echo:
    """A sandbox that runs nothing."""

    name = "echo"
    packages = ("sympy",)

    def run(self, code: str, given: object, *, stop: threading.Event | None = None) -> Outcome:
        return Outcome(f"{code} {given}", figures=({"type": "image/png", "data": "aGk="},))


def live(folder: Path) -> LiveShelf:
    return LiveShelf(lambda: read_shelf(str(folder)), lambda: 0)


@asynccontextmanager
async def client(folder: Path, python: Python | None = None) -> AsyncIterator[Client]:
    async with Client(BookServer(live(folder), python).server()) as connected:
        yield connected


async def test_every_tool_is_listed_read_only_with_schemas(shelf_folder: Path) -> None:
    async with client(shelf_folder) as connected:
        tools = (await connected.list_tools()).tools
    assert [tool.name for tool in tools] == list(TOOLS)
    for tool in tools:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)
        assert tool.description
        assert tool.annotations is not None
        assert (tool.annotations.read_only_hint, tool.annotations.open_world_hint) == (True, False)


def test_there_is_a_call_here_for_every_tool() -> None:
    assert set(CALLS) == set(TOOLS)


@pytest.mark.parametrize("name", CALLS)
async def test_text_and_structure_are_what_the_core_gives(shelf_folder: Path, name: str) -> None:
    async with client(shelf_folder) as connected:
        result = await connected.call_tool(name, CALLS[name])
    expected = run(ToolCallPart("", name, CALLS[name]), live(shelf_folder).shelf)
    assert not expected.error, expected.content
    assert ([block.text for block in result.content], result.structured_content, result.is_error) == (
        [dumps(expected.content)], expected.content, False,
    )  # fmt: skip


async def test_wrong_arguments_are_a_result_that_says_what_would_be_right(shelf_folder: Path) -> None:
    async with client(shelf_folder) as connected:
        result = await connected.call_tool("book_chunk", {"nr": 1})
    assert result.is_error
    assert set(result.structured_content) == {"error", "schema"}


async def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(shelf_folder: Path) -> None:
    async with client(shelf_folder) as connected:
        with pytest.raises(MCPError) as raised:
            await connected.call_tool("rm", {})
    assert (raised.value.code, raised.value.message, raised.value.data) == (-32602, "Unknown tool: rm", {"tools": list(TOOLS)})


async def test_python_exec_is_there_only_with_a_sandbox_and_the_server_says_why_not(shelf_folder: Path) -> None:
    async with client(shelf_folder, Python(reason="no sandbox works here (test)")) as connected:
        names = [tool.name for tool in (await connected.list_tools()).tools]
        instructions = connected.instructions or ""
        with pytest.raises(MCPError) as raised:
            await connected.call_tool("python_exec", {"code": "1"})
    assert "python_exec" not in names
    assert "python_exec is not offered: no sandbox works here (test)." in instructions
    assert raised.value.data["reason"] == "no sandbox works here (test)"


async def test_python_exec_gives_text_structure_and_figures_and_tells_its_progress(shelf_folder: Path) -> None:
    progress: list[tuple[float, float | None]] = []

    async def note(done: float, total: float | None, message: str | None) -> None:
        progress.append((done, total))

    async with client(shelf_folder, Python(Echo())) as connected:
        result = await connected.call_tool("python_exec", {"code": "x", "input": "y"}, progress_callback=note)
    expected = {"stdout": "x y", "truncated": False, "figures": [{"type": "image/png", "bytes": 2}]}
    assert result.structured_content == expected
    assert [block.type for block in result.content] == ["text", "image"]
    assert json.loads(result.content[0].text) == expected
    assert progress == [(0.0, 15.0)]


async def test_python_exec_refuses_what_is_not_code(shelf_folder: Path) -> None:
    async with client(shelf_folder, Python(Echo())) as connected:
        result = await connected.call_tool("python_exec", {"code": ""})
    assert (result.is_error, result.structured_content["error"]) == (
        True, "wrong arguments for python_exec: 'code' has to be Python source",
    )  # fmt: skip


async def test_a_large_shelf_is_listed_in_a_number_of_pages_that_clients_read(
    shelf_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "PAGE", 1)
    monkeypatch.setattr(resources, "PAGES", 4)
    async with client(shelf_folder) as connected:
        first = await connected.list_resources()
        last = await connected.list_resources(cursor="9")
    assert (len(first.resources), first.next_cursor, len(last.resources), last.next_cursor) == (3, "3", 2, None)


async def test_all_resources_are_listed_and_can_be_read(shelf_folder: Path) -> None:
    async with client(shelf_folder) as connected:
        listed = (await connected.list_resources()).resources
        texts = {entry.uri: (await connected.read_resource(entry.uri)).contents[0].text for entry in listed}
        templates = (await connected.list_resource_templates()).resource_templates
    assert [entry.uri for entry in listed] == [
        "askbook://maths/analysis/outline",
        "askbook://maths/analysis/llms.txt",
        "askbook://maths/topology/outline",
        "askbook://maths/topology/llms.txt",
        "askbook://maths/analysis/card/1/%E4%B8%80%E8%87%B4%E6%94%B6%E6%95%9B",
        "askbook://maths/analysis/card/1/theorem-1-1",
        "askbook://maths/topology/card/1/open-sets",
        "askbook://maths/topology/card/1/theorem-1-1",
        "askbook://maths/topology/card/2/compact",
        "askbook://maths/topology/card/2/theorem-2-1",
        "askbook://maths/topology/card/2/filters",
    ]
    assert texts["askbook://maths/topology/card/1/theorem-1-1"] == (
        "# Theorem 1.1 (Unions)\n\nChapter 1\n\nAny union of open sets is open.\n\nSource: c1/#theorem-1-1\n"
    )
    assert len(templates) == 3


@pytest.mark.parametrize("size", [1, 3, 4, 11, 12])
async def test_pages_of_any_size_give_the_same_list(shelf_folder: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "PAGE", size)
    pages: list[list[str]] = []
    cursor = None
    async with client(shelf_folder) as connected:
        while cursor or not pages:
            page = await connected.list_resources(cursor=cursor)
            pages.append([entry.uri for entry in page.resources])
            cursor = page.next_cursor
    whole = [entry.uri for entry in resources.listed(live(shelf_folder).shelf, 0, 100)]
    assert ([uri for page in pages for uri in page], max(map(len, pages))) == (whole, min(size, 11))


@pytest.mark.parametrize(
    "uri",
    [
        "askbook://maths/topology/card/../../../etc/passwd",
        "askbook://maths/topology/card/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "askbook://maths/..%2ftopology/outline",
        "askbook://maths/topology/card/",
        "askbook://maths/topology/",
        "askbook://maths/topology/outline/x",
        "file:///etc/passwd",
        "askbook:///etc/passwd",
        "askbook://maths/algebra/outline",
    ],
)
async def test_an_address_that_names_nothing_leads_nowhere(shelf_folder: Path, uri: str) -> None:
    async with client(shelf_folder) as connected:
        with pytest.raises(MCPError) as raised:
            await connected.read_resource(uri)
    assert (raised.value.code, raised.value.data["uri"]) == (-32602, uri)


@pytest.mark.parametrize("cursor", ["", "x", "-1", "99999", "1.5", "１"])
async def test_a_cursor_we_did_not_give_is_an_error_of_the_protocol(shelf_folder: Path, cursor: str) -> None:
    async with client(shelf_folder) as connected:
        with pytest.raises(MCPError) as raised:
            await connected.list_resources(cursor=cursor)
    assert raised.value.code == -32602


async def test_prompts_are_filled_with_the_chapter_they_mean(shelf_folder: Path) -> None:
    async with client(shelf_folder) as connected:
        names = [prompt.name for prompt in (await connected.list_prompts()).prompts]
        found = await connected.get_prompt("summarise_chapter", {"chapter": "compact", "book": "topology"})
        chinese = await connected.get_prompt("ask", {"question": "什么是一致收敛？", "book": "analysis"})
        quiz = await connected.get_prompt("quiz", {"chapter": "1", "questions": "3", "book": "topology"})
    assert names == ["ask", "summarise_chapter", "quiz"]
    assert found.messages[0].content.text.startswith("Summarise chapter 2: Compactness of the book Topology (maths/topology).")
    assert "根据《数学分析 (maths/analysis)》回答这个问题：什么是一致收敛？" in chinese.messages[0].content.text
    assert "with 3 questions" in quiz.messages[0].content.text


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("poem", {}),
        ("ask", {}),
        ("ask", {"question": "x", "tone": "y"}),
        ("quiz", {"chapter": "99", "book": "topology"}),
        ("ask", {"question": "x"}),
    ],
)
async def test_a_prompt_that_cannot_be_filled_says_what_would_be_right(
    shelf_folder: Path, name: str, arguments: dict[str, str]
) -> None:
    async with client(shelf_folder) as connected:
        with pytest.raises(MCPError) as raised:
            await connected.get_prompt(name, arguments)
    assert raised.value.code == -32602
    assert raised.value.data


async def test_what_is_typed_is_completed(shelf_folder: Path) -> None:
    from mcp_types import PromptReference

    async with client(shelf_folder) as connected:
        found = await connected.complete(PromptReference(name="quiz"), {"name": "chapter", "value": "comp"})
    assert found.completion.values == ["Compactness"]
