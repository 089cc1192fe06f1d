"""The forms that other programs rely on: every command's JSON, key by key, and every place INDEX may name."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from askbook.builder.cli import main as build_ai_index
from askbook.core.links import safe_link
from askbook.core.render import render_answer
from askbook.terminal.cli import main as askbook

PAGE = """# Chapter 1: Heaps

A heap keeps the smallest element on top.

## 1.1 Order

!!! definition "Definition 1.1 (Heap order)"

    A tree has heap order when no child is smaller than its parent.

Heap order says nothing of brothers.
"""
REPORT = [
    "col", "book", "title", "file", "pages", "cards", "kinds", "coverage", "uncovered", "dead", "bytes", "gzip_bytes", "seconds",
    "cached_pages", "warnings",
]  # fmt: skip
QUESTION = "What is heap order?"
TOOLS: dict[str, tuple[dict[str, object], dict[str, Any]]] = {
    "list_books": ({}, {"books": [{"col", "book", "title"}]}),
    "book_toc": ({"col": "books", "book": "heaps"}, {"title": str, "toc": [{"title", "url"}]}),
    "book_retrieve": (
        {"question": QUESTION},
        {"results": [{"id", "type", "title", "url", "score", "matched", "text", "truncated"}]},
    ),
    "book_chunk": (
        {"id": "Definition 1.1"},
        {"found": bool, "id": str, "type": str, "title": str, "url": str, "text": str, "truncated": bool},
    ),
    "book_slice_search": ({"pattern": "child"}, {"hits": [{"id", "type", "title", "url", "text", "context"}], "count": int}),
    "book_chapter_outline": (
        {"chapter": "1"},
        {"found": bool, "chapter": {"number": str, "title": str, "sections": [{"cards"}]}},
    ),
    "book_read_section": (
        {"start": "1.1"},
        {"found": bool, "items": [{"kind", "type", "title", "url", "text", "truncated"}]},
    ),
}
"""Of each tool: arguments, and what its result holds at least; a set stands for the keys of an object."""


def run(*arguments: str) -> Any:
    result = CliRunner().invoke(askbook, list(arguments))
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def lacks(value: Any, form: Any, where: str = "") -> list[str]:
    """Where a value is not of a form."""
    match form:
        case type():
            return [] if type(value) is form else [f"{where}: {value!r}"]
        case set():
            return [f"{where}.{key}" for key in sorted(form) if not isinstance(value, dict) or key not in value]
        case [entry]:
            rows = [lacks(each, entry, f"{where}[{place}]") for place, each in enumerate(value)]
            return [f"{where} is empty"] if not value else [each for row in rows for each in row]
        case _:
            inner = [lacks(value.get(key), below, f"{where}.{key}") for key, below in form.items()]
            return [each for row in inner for each in row]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A small site with its index, and what the build said."""
    root = tmp_path_factory.mktemp("surfaces")
    (root / "heaps").mkdir()
    (root / "heaps" / "index.md").write_text(PAGE, encoding="utf-8")
    index = root / "site" / "ai-index"
    result = CliRunner().invoke(build_ai_index, [str(root / "heaps"), "--out", str(index), "--no-cache", "--json"])
    assert (result.exit_code, result.stderr) == (0, "")
    return root / "site", json.loads(result.stdout)


@pytest.fixture(scope="module")
def address(built: tuple[Path, dict[str, Any]]) -> Iterator[str]:
    """The site, published under a path."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(built[0].parent))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/site"
        server.shutdown()


def test_the_report_has_its_keys(built: tuple[Path, dict[str, Any]]) -> None:
    site, report = built
    assert (list(report), [list(book) for book in report["books"]]) == (["books"], [REPORT])
    book = report["books"][0]
    files = list((site / "ai-index").glob("books-heaps.*"))
    assert (book["file"], book["bytes"]) == (
        str(site / "ai-index" / "books-heaps.json"),
        sum(path.stat().st_size for path in files),
    )
    assert (book["coverage"], book["kinds"]["definition"], book["cards"]) == (1.0, 1, sum(book["kinds"].values()))


def test_the_index_says_what_it_is_and_its_addresses_are_relative(built: tuple[Path, dict[str, Any]]) -> None:
    folder = built[0] / "ai-index"
    index = json.loads((folder / "books-heaps.json").read_text(encoding="utf-8"))
    manifest = json.loads((folder / "books.json").read_text(encoding="utf-8"))
    assert (index["format"], index["col"], index["book"]) == ("askbook-index/1", "books", "heaps")
    assert [book["file"] for book in manifest["books"]] == ["books-heaps.json"]
    assert all((folder / side).is_file() for side in index["sides"])
    urls = [hit["url"] for hit in run("search", str(folder), QUESTION, "-k", "100", "--json")["hits"]]
    assert [url.startswith("/") for url in urls] == [False] * manifest["books"][0]["cards"]


@pytest.mark.parametrize(
    "where", ["FILE", "FOLDER", "SITE", "ADDRESS", "ADDRESS/", "ADDRESS/ai-index/", "ADDRESS/index.html", "ADDRESS/ai-index/FILE"]
)
def test_index_may_be_a_file_a_folder_or_a_site(built: tuple[Path, dict[str, Any]], address: str, where: str) -> None:
    site = built[0]
    places = {"FILE": site / "ai-index/books-heaps.json", "FOLDER": site / "ai-index", "SITE": site}
    place = where.replace("FILE", "books-heaps.json").replace("ADDRESS", address) if "ADDRESS" in where else str(places[where])
    hits = run("search", place, QUESTION, "--json")["hits"]
    assert lacks(hits, [{"id", "kind", "number", "title", "url", "score", "matched", "text"}]) == []
    assert (hits[0]["kind"], hits[0]["number"]) == ("definition", "1.1")
    assert run("tool", place, "list_books") == {"books": [{"col": "books", "book": "heaps", "title": "Chapter 1: Heaps"}]}
    answer = run("ask", place, QUESTION, "--json")
    assert answer["sources"][0]["url"] == ("/site/" if "ADDRESS" in where else "/") + hits[0]["url"]


@pytest.mark.parametrize("name", list(TOOLS))
def test_every_tool_result_has_its_fields(built: tuple[Path, dict[str, Any]], name: str) -> None:
    arguments, form = TOOLS[name]
    assert lacks(run("tool", str(built[0]), name, json.dumps(arguments)), form) == []


def test_an_answer_has_its_keys(built: tuple[Path, dict[str, Any]]) -> None:
    answer = run("ask", str(built[0]), QUESTION, "--json")
    assert set(answer) >= {"answer", "parts", "citations", "sources", "calls", "usage", "error"}
    assert (answer["error"], [citation["n"] for citation in answer["citations"]][:1]) == (None, [1])


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "gbk"])
def test_json_is_utf_8_whatever_the_locale(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "dui").mkdir()
    (tmp_path / "dui" / "index.md").write_text("# 堆 · é\n\n堆顶保存最小的元素。\n", encoding="utf-8")
    out = str(tmp_path / "out")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    for code, arguments in (
        ("from askbook.builder.cli import main; main()", [str(tmp_path / "dui"), "--out", out, "--no-cache", "--json"]),
        ("from askbook.terminal.cli import main; main()", ["tool", out, "list_books"]),
    ):
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, env=environment, check=True)
        assert json.loads(done.stdout.decode("utf-8"))["books"][0]["title"] == "堆 · é"


def test_marks_and_links_are_what_pages_rely_on() -> None:
    html = render_answer("It holds [1] and [2].", site="https://example.org/books/", sources=2)
    marks = re.findall(r'<a class="cite-ref" href="#[^"]*-(\d+)" data-n="(\d+)" data-support="unchecked"', html)
    assert marks == [("1", "1"), ("2", "2")]
    link = safe_link("/a/#b", site="https://example.org/books/")
    assert link is not None
    assert (link.href, link.external) == ("https://example.org/books/a/#b", False)
    named = [("site", inspect.Parameter.empty), ("page", None), ("known", None)]
    assert [(name, each.default) for name, each in list(inspect.signature(safe_link).parameters.items())[1:4]] == named
