"""What no command can read, write or ask ends in one sentence and an exit code; one row a case."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from askbook.builder.index.write import write
from askbook.terminal.cli import main
from tests.fakes.memory import ENGLISH

COMMANDS = {"search": ("search", "INDEX", "heap"), "tool": ("tool", "INDEX", "list_books"), "ask": ("ask", "INDEX", "heap")}
DAMAGE: dict[str, str] = {
    "nowhere": "there is no",
    "empty": "holds no index",
    "file": "is not JSON",
    "manifest": "books.json is damaged",
    "outside": "lies outside",
    "odd": "names a file that is not there",
    "side": "names a file that is not there",
    "text": "'title' is no text",
    "column": "is damaged",
    "beyond": "columns disagree",
    "row": "is damaged",
    "newer": "update askbook",
    "http://[::1": "is no address",
    "http://127.0.0.1:1/": "cannot be reached",
    "x" * 5000: "cannot be read: File name too long",
}
"""What is given as INDEX or done to it, and what is said."""


def spoil(folder: Path, damage: str) -> str:
    """A shelf with one thing wrong; what names it."""
    if damage == "nowhere" or len(damage) > 12:
        return damage
    if damage == "empty" or damage.startswith("http"):
        (folder / "empty").mkdir()
        return str(folder / "empty") if damage == "empty" else damage
    write([ENGLISH], folder)
    index, manifest = folder / "books-structures.json", folder / "books.json"
    value = json.loads(index.read_text(encoding="utf-8"))
    match damage:
        case "file":
            index.write_bytes(b"\xff{")
        case "manifest":
            manifest.write_text('{"books": [1]}', encoding="utf-8")
        case "outside":
            manifest.write_text('{"books": [{"file": "../x.json"}]}', encoding="utf-8")
        case "odd":
            manifest.write_text('{"books": [{"file": 5}]}', encoding="utf-8")
        case "side":
            next(folder.glob("*.text.*")).unlink()
        case "text":
            value["title"] = 5
        case "column":
            value["cards"]["lengths"][0] = 5
        case "beyond":
            value["cards"]["kind"][0] = "z" * len(value["cards"]["kind"][0])
        case "row":
            value["sections"]["levels"] = [[]]
        case "newer":
            value["format"] = "askbook-index/2"
    if damage in ("text", "column", "beyond", "row", "newer"):
        index.write_text(json.dumps(value), encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize("name", list(COMMANDS))
@pytest.mark.parametrize("damage", list(DAMAGE))
def test_an_index_nobody_can_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, name: str) -> None:
    monkeypatch.delenv("ASKBOOK_API_KEY", raising=False)
    where = spoil(tmp_path, damage)
    result = CliRunner().invoke(main, [where if word == "INDEX" else word for word in COMMANDS[name]])
    assert (type(result.exception), result.exit_code, result.stdout) == (SystemExit, 1, "")
    assert (result.stderr.startswith("Error: "), result.stderr.count("\n"), DAMAGE[damage] in result.stderr) == (True, 1, True)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["search", "BOOKS", "heap", "-k", "0"], 2, "0 is not in the range"),
        (["ask", "BOOKS", " "], 2, "the QUESTION is empty"),
        (["ask", "BOOKS", "heap", "--endpoint", "nope", "--model", "m"], 2, "'nope' is no http or https address"),
        (["ask", "BOOKS", "heap", "--endpoint", "http://[::1", "--model", "m"], 2, "is no http or https address"),
        (["ask", "BOOKS", "heap", "--log", "BOOKS/none/log.json"], 2, "there is no folder"),
        (["tool", "BOOKS", "book_toc", "[" * 100_000], 2, "the arguments are not JSON"),
        (["tool", "BOOKS", "nonsense"], 2, "no tool 'nonsense'; there are list_books"),
        (["render", "BYTES"], 1, "is not UTF-8: byte 0xff at 0"),
        (["render", "--sources", "-1", "TEXT"], 2, "-1 is not in the range"),
        (["render", "--site", "nope", "TEXT"], 2, "site 'nope' is not an http address"),
        (["replay", "BYTES"], 1, "is not JSON"),
        (["eval", "BOOKS"], 1, "queries.jsonl: No such file or directory"),
        (["eval", "SET"], 1, "corpus.jsonl:2: 'text' is missing or no text"),
        (["inject", "BOOKS", "--features", "BOOKS/none.toml"], 2, "does not exist"),
        (["inject", "BOOKS", "--col", "a-b"], 2, "'a-b' is no slug"),
        (["inject", "BOOKS", "--lang", "?"], 2, "'?' is no language tag"),
        (["inject", "SITE"], 1, "nothing was written: index.html: is not UTF-8"),
        (["mcp", "http://[::1"], 1, "is no address"),
        (["doctor", "http://[::1"], 1, ""),
    ],
)
def test_wrong_use_and_unreadable_files_are_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, said: str
) -> None:
    monkeypatch.delenv("ASKBOOK_API_KEY", raising=False)
    places = {name: str(tmp_path / name.lower()) for name in ("BOOKS", "BYTES", "TEXT", "SET", "SITE")}
    write([ENGLISH], tmp_path / "books")
    (tmp_path / "bytes").write_bytes(b"\xff")
    (tmp_path / "text").write_text("x", encoding="utf-8")
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "queries.jsonl").write_text('{"id": "q", "text": "heap"}\n', encoding="utf-8")
    (tmp_path / "set" / "corpus.jsonl").write_text('{"id": "a", "text": "heap"}\n{"id": "b"}\n', encoding="utf-8")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_bytes(b"<main><h1>\xff</h1></main>")
    given = [re.sub("BOOKS|BYTES|TEXT|SET|SITE", lambda found: places[found[0]], word) for word in arguments]
    result = CliRunner().invoke(main, given)
    assert (type(result.exception), result.exit_code, said in result.stderr) == (SystemExit, code, True), result.output


@pytest.mark.parametrize(("question", "hits"), [("", 0), ("\ud800", 0), ("heap " * 20_000, 1), ("堆", 0)])
def test_a_strange_question_is_only_a_question(tmp_path: Path, question: str, hits: int) -> None:
    write([ENGLISH], tmp_path)
    result = CliRunner().invoke(main, ["search", str(tmp_path), question, "--json", "-k", "10000"])
    assert (result.exit_code, bool(json.loads(result.stdout)["hits"])) == (0, bool(hits))
