"""`askbook mcp` before it serves: settings for clients, and what keeps it from starting."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from askbook.builder.index.write import write
from askbook.terminal.mcp import command, host_and_port, stamp_of
from tests.mcp_server.books import topology


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write([topology()], tmp_path / "ai-index")
    return tmp_path


def snippet(*arguments: str) -> dict[str, dict[str, dict[str, object]]]:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0, result.output
    found: dict[str, dict[str, dict[str, object]]] = json.loads(result.output)
    return found


def test_settings_for_claude_start_the_command_with_the_whole_path(folder: Path) -> None:
    (entry,) = snippet(str(folder), "--config", "claude", "--python")["mcpServers"].values()
    assert (entry["type"], entry["args"]) == ("stdio", ["mcp", str(folder), "--python"])
    assert str(entry["command"]).endswith("askbook")


def test_settings_for_cursor_have_no_type(folder: Path) -> None:
    (entry,) = snippet(str(folder), "--config", "cursor")["mcpServers"].values()
    assert set(entry) == {"command", "args"}


def test_settings_for_vscode_stand_under_servers(folder: Path) -> None:
    assert list(snippet(str(folder), "--config", "vscode")) == ["servers"]


def test_settings_for_http_name_the_address_and_never_the_token() -> None:
    found = snippet("https://book.example/", "--config", "claude", "--http", "8765", "--token", "secret")
    assert found == {
        "mcpServers": {
            "askbook-book-example": {
                "type": "http",
                "url": "http://127.0.0.1:8765/mcp",
                "headers": {"Authorization": "Bearer ${ASKBOOK_MCP_TOKEN}"},
            }
        }
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("127.0.0.1:80", ("127.0.0.1", 80)),
        ("8765", ("127.0.0.1", 8765)),
        (":8765", ("127.0.0.1", 8765)),
        ("[::1]:8765", ("::1", 8765)),
        ("book.example:1", ("book.example", 1)),
    ],
)
def test_an_address_is_read(text: str, expected: tuple[str, int]) -> None:
    assert host_and_port(text) == expected


@pytest.mark.parametrize("text", ["", "x", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", "1:-1"])
def test_what_is_no_address_is_a_mistake_of_use(folder: Path, text: str) -> None:
    result = CliRunner().invoke(command, [str(folder), "--http", text])
    assert (result.exit_code, "is not HOST:PORT" in result.output) == (2, True)


def test_a_missing_index_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(tmp_path / "nowhere")])
    assert (result.exit_code, "nowhere" in result.output) == (1, True)


def test_a_folder_without_an_index_says_how_to_make_one(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, [str(tmp_path)])
    assert (result.exit_code, "build-ai-index" in result.output) == (1, True)


def test_a_damaged_index_is_named(folder: Path) -> None:
    index = folder / "ai-index/maths-topology.json"
    index.write_bytes(index.read_bytes()[:500])
    result = CliRunner().invoke(command, [str(folder)])
    assert (result.exit_code, "maths-topology.json" in result.output) == (1, True)


def test_without_the_sdk_one_sentence_says_what_to_install(folder: Path) -> None:
    code = f"import sys; sys.modules['mcp'] = None\nfrom askbook.terminal.mcp import command; command([{str(folder)!r}])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (
        1, "Error: the MCP server needs the extra packages of askbook[mcp]: pip install 'askbook[mcp]'\n",
    )  # fmt: skip


def test_the_command_line_does_not_load_the_sdk(folder: Path) -> None:
    code = "import sys\nfrom askbook.terminal import mcp\nprint('mcp' in sys.modules, 'uvicorn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False False\n"


def test_a_stamp_changes_with_the_files(folder: Path) -> None:
    stamp = stamp_of(str(folder))
    before = stamp()
    assert stamp() == before
    (folder / "ai-index/books.json").write_text("{}", encoding="utf-8")
    assert stamp() != before
