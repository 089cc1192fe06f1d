"""The wire as others understand it: an endpoint that is not ours, and a real book beside this checkout."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from panel import PanelPage
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
AIMOCK = ROOT / "node_modules/@copilotkit/aimock/dist/cli.js"
FIXTURES = {
    "fixtures": [
        {
            "match": {"userMessage": "inverted index", "hasToolResult": False},
            "response": {"toolCalls": [{"name": "book_retrieve", "arguments": {"question": "inverted index"}}]},
        },
        {
            "match": {"userMessage": "inverted index", "hasToolResult": True},
            "response": {"content": "An inverted index maps every term to its postings list [1]."},
        },
    ]
}


@pytest.fixture
def aimock(tmp_path: Path) -> Iterator[str]:
    """The mock endpoint of the package `@copilotkit/aimock`; its base address."""
    if not AIMOCK.is_file():
        pytest.fail("the package @copilotkit/aimock is not installed: run 'npm ci'")
    (tmp_path / "fixtures.json").write_text(json.dumps(FIXTURES), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [shutil.which("node") or "node", str(AIMOCK), "-p", str(port), "-f", str(tmp_path / "fixtures.json"), "-l", "5"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with socket.socket() as knock:
                if knock.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def journal(address: str) -> list[dict[str, Any]]:
    """The requests for an answer that the mock wrote down."""
    with urllib.request.urlopen(f"{address}/v1/_requests") as response:
        entries = json.load(response)
    return [entry for entry in entries if entry["method"] == "POST"]


def test_the_tool_loop_runs_against_an_endpoint_of_others(panel: PanelPage, aimock: str) -> None:
    panel.open()
    panel.add_model(f"{aimock}/v1")
    panel.ask("What is an inverted index?")
    answer = panel.wait()
    expect(answer).to_contain_text("An inverted index maps every term to its postings list")
    expect(answer.locator("a.cite-ref")).to_have_count(1)
    first, second = journal(aimock)
    calls = [call["id"] for message in second["body"]["messages"] for call in message.get("tool_calls") or ()]
    results = [message["tool_call_id"] for message in second["body"]["messages"] if message["role"] == "tool"]
    assert len(calls) == 1
    assert results == calls
    assert first["body"]["stream"] is True


@pytest.mark.shared
def test_a_reader_asks_a_real_book_and_lands_on_the_right_heading(
    page: Page, tmp_path: Path, serve: Callable[..., str], build_site: Callable[[Path, Path], Path], shared: Path
) -> None:
    (tmp_path / "mkdocs.yml").write_text(
        f"site_name: Hello Algo\nsite_url: https://example.org/books/algo/\ndocs_dir: {shared / 'books/hello-algo/docs'}\n"
        "theme: {name: material, font: false, language: zh}\n"
        "plugins:\n  - search\n  - askbook: {book: hello-algo, title: Hello 算法}\n"
        "markdown_extensions: [admonition, attr_list, footnotes, tables, pymdownx.superfences, pymdownx.details,\n"
        "  {pymdownx.tabbed: {alternate_style: true}}, {pymdownx.arithmatex: {generic: true}}]\n",
        encoding="utf-8",
    )
    panel = PanelPage(page, serve(build_site(tmp_path / "mkdocs.yml", tmp_path / "site"), base="/books/algo/"))
    panel.visit()
    page.get_by_role("button", name="问问这本书").click()
    page.get_by_role("textbox", name="你的问题").fill("什么是空间复杂度？")
    page.keyboard.press("Enter")
    answer = page.locator("ask-book article").last
    expect(answer).to_have_attribute("data-state", "completed", timeout=90_000)
    expect(answer).to_contain_text("空间")
    answer.get_by_role("list", name="来源").get_by_role("link").first.click()
    page.wait_for_url("**/chapter_computational_complexity/space_complexity/**", timeout=30_000)
