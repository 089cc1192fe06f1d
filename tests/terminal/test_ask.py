"""`askbook ask`, `tool` and `replay`: the exchange of the panel, in the terminal."""

from __future__ import annotations

import json
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from askbook.builder.index.write import write
from askbook.core.canonical import dumps
from askbook.core.parts import ToolCallPart
from askbook.core.tools import run
from askbook.terminal.cli import main
from tests.fakes.endpoint import Endpoint, call, fault, text
from tests.fakes.memory import CHINESE, ENGLISH, shelf

ANSWER = "The smallest element [1]."
KEY = "sk-terminal-secret"


@pytest.fixture
def books(tmp_path: Path) -> str:
    """A folder with the index of the English book."""
    write([ENGLISH], tmp_path / "index")
    return str(tmp_path / "index")


def askbook(*arguments: str, key: str = "") -> Result:
    return CliRunner().invoke(main, list(arguments), env={"ASKBOOK_API_KEY": key}, catch_exceptions=False)


def test_without_a_key_the_book_answers(books: str) -> None:
    result = askbook("ask", books, "What does a heap keep on top?")
    assert result.exit_code == 0
    assert result.stdout.replace("*", "").startswith("A heap keeps the smallest element on top. ")
    assert "for a model's answer give --model" in result.stderr
    assert "[1] Definition 2.1 (Heap)  /heaps/#definition-2-1  (quoted)" in result.stdout


def test_an_answer_streams_and_a_call_is_run(books: str) -> None:
    with Endpoint([call("book_ref", {"name": "Theorem 2.2"}, id="c1"), text(ANSWER)]) as server:
        result = askbook("ask", books, "What does a heap keep on top?", "--endpoint", server.url, "--model", "scripted", key=KEY)
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, ANSWER)
    assert "· book_ref" in result.stderr
    assert server.posts[1].body["messages"][-1]["tool_call_id"] == "c1"
    assert server.posts[0].headers["authorization"] == f"Bearer {KEY}"


def test_json_holds_the_whole_exchange(books: str) -> None:
    with Endpoint([call("book_ref", {"name": "Theorem 2.2"}), text(ANSWER)]) as server:
        result = askbook(
            "ask", books, "What does a heap keep?", "--endpoint", server.url, "--model", "scripted", "--json", key=KEY
        )
    value = json.loads(result.stdout)
    assert set(value) >= {"answer", "parts", "citations", "sources", "calls", "usage", "error"}
    assert (value["answer"], value["usage"], value["error"]) == (ANSWER, {"input": 24, "output": 68}, None)
    assert [(made["name"], made["result"]["found"]) for made in value["calls"]] == [("book_ref", True)]
    assert [(citation["n"], citation["support"]) for citation in value["citations"]] == [(1, "quoted")]
    assert KEY not in result.output


def test_an_error_is_one_sentence_and_what_had_arrived_stays(books: str) -> None:
    with Endpoint([fault(401, f"Incorrect API key provided: {KEY}")]) as server:
        refused = askbook("ask", books, "heap", "--endpoint", server.url, "--model", "m", key=KEY)
    assert (refused.exit_code, refused.stderr) == (1, "Error (auth): Incorrect API key provided: [key]\n")
    with Endpoint([text("The smallest element", events=4)]) as server:
        cut = askbook("ask", books, "heap", "--endpoint", server.url, "--model", "m")
    assert (cut.exit_code, cut.stdout.startswith("The smallest ele")) == (1, True)
    assert "Error (cut)" in cut.stderr or "Error (network)" in cut.stderr


def test_a_log_and_a_receipt_play_again(books: str, tmp_path: Path) -> None:
    log, receipt = tmp_path / "log.json", tmp_path / "receipt.json"
    with Endpoint([call("list_books"), text(ANSWER)]) as server:
        askbook(
            "ask",
            books,
            "What does a heap keep?",
            "--endpoint",
            server.url,
            "--model",
            "m",
            "--log",
            str(log),
            "--receipt",
            str(receipt),
            key=KEY,
        )
    for file in (log, receipt):
        result = askbook("replay", str(file))
        assert (result.exit_code, json.loads(result.stdout)["text"]) == (0, ANSWER)
        assert KEY not in file.read_text(encoding="utf-8")
    log.write_text(log.read_text(encoding="utf-8").replace("smallest", "largest", 1), encoding="utf-8")
    changed = json.loads(log.read_text(encoding="utf-8"))
    changed["answer"]["text"] = "Something else."
    log.write_text(json.dumps(changed), encoding="utf-8")
    result = askbook("replay", str(log))
    assert (result.exit_code, "differs: text" in result.stderr) == (1, True)


def test_a_stream_case_is_played(tmp_path: Path) -> None:
    file = Path(__file__).parents[1] / "golden" / "streams" / "net-06-cut-tool.json"
    value = json.loads(askbook("replay", str(file)).stdout)
    assert set(value) == {"text", "reasoning", "tool_calls", "finish", "error", "keep"}
    assert value["tool_calls"] == [{"id": "call_c", "name": "book_toc", "arguments": {}, "problem": "truncated"}]


@pytest.mark.parametrize("content", ["{", "[]", '{"format": "askbook-log/9"}', '{"format": "askbook-log/1"}', "\udcff"])
def test_what_cannot_be_played_is_named(tmp_path: Path, content: str) -> None:
    file = tmp_path / "broken.json"
    file.write_bytes(content.encode("utf-8", "surrogateescape"))
    result = askbook("replay", str(file))
    assert (result.exit_code, "broken.json" in result.stderr) == (1, True)


def test_a_tool_prints_the_very_bytes(books: str) -> None:
    arguments = {"question": "heap", "topK": 2}
    result = askbook("tool", books, "book_retrieve", json.dumps(arguments))
    assert result.stdout == dumps(run(ToolCallPart("x", "book_retrieve", arguments), shelf()).content) + "\n"


def test_a_tool_that_refuses_says_so_in_its_exit_code(books: str) -> None:
    result = askbook("tool", books, "book_retrieve", "{}")
    assert (result.exit_code, "'question' is missing" in json.loads(result.stdout)["error"]) == (1, True)


@pytest.mark.parametrize(
    "arguments",
    [["tool", "BOOKS", "nonsense"], ["tool", "BOOKS", "book_toc", "{"], ["tool", "BOOKS", "book_toc", "[]"], ["ask", "question"],
     ["ask", "BOOKS", "q", "--endpoint", "http://127.0.0.1:9/v1"], ["ask", "BOOKS", "q", "--provider", "azure", "--model", "m"]],
)  # fmt: skip
def test_wrong_use_exits_with_2(books: str, arguments: list[str]) -> None:
    assert askbook(*[books if argument == "BOOKS" else argument for argument in arguments]).exit_code == 2


def test_several_places_make_one_shelf(tmp_path: Path) -> None:
    write([ENGLISH], tmp_path / "a")
    write([CHINESE], tmp_path / "b")
    value = json.loads(askbook("ask", str(tmp_path / "a"), str(tmp_path / "b"), "堆顶保存什么？", "--json").stdout)
    assert value["sources"][0]["name"] == "books-shuju"


def test_an_index_may_be_a_file_a_folder_or_a_site(books: str, tmp_path: Path) -> None:
    site = tmp_path / "site"
    write([ENGLISH], site / "ai-index")
    expected = '{"books":[{"col":"books","book":"structures","title":"Data Structures"}]}\n'
    for where in (books, f"{books}/books-structures.json", str(site)):
        assert askbook("tool", where, "list_books").stdout == expected


@pytest.mark.parametrize("damage", ["missing", "empty", "no-side", "broken"])
def test_an_index_that_cannot_be_read_is_named(books: str, tmp_path: Path, damage: str) -> None:
    where = Path(books)
    if damage == "missing":
        where = tmp_path / "nowhere"
    elif damage == "empty":
        where = tmp_path / "empty"
        where.mkdir()
    elif damage == "no-side":
        next(where.glob("*.text.*")).unlink()
    else:
        (where / "books-structures.json").write_text("{", encoding="utf-8")
    result = askbook("ask", str(where), "heap")
    assert (result.exit_code, result.stderr.startswith("Error: "), "Traceback" in result.output) == (1, True, False)


@pytest.mark.parametrize("address", ["", "ai-index/", "ai-index/books-structures.json"])
def test_a_published_site_is_a_shelf_and_gives_its_addresses(tmp_path: Path, address: str) -> None:
    write([ENGLISH], tmp_path / "books" / "ai-index")

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{server.server_address[1]}/books/"
        value = json.loads(askbook("ask", site + address, "heap", "--json").stdout)
        missing = askbook("ask", site + "nowhere/", "heap")
        server.shutdown()
    assert value["sources"][0]["url"] == "/books/heaps/#definition-2-1"
    assert (missing.exit_code, "publishes no index" in missing.stderr) == (1, True)
