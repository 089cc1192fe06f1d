"""One toolbox on every surface: the same call gives the same bytes, errors and truncation included."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from askbook.builder.index.write import write
from askbook.core.canonical import dumps
from askbook.core.parts import ToolCallPart
from askbook.core.toolbox import Shelf
from askbook.core.tools import TOOLS, run
from askbook.mcp_server.sandbox import find_sandbox
from askbook.terminal.shelf import read_shelf
from askbook.terminal.tool import command as tool
from tests.conformance.calls import CALLS, PROGRAMS
from tests.mcp_server.books import analysis, topology

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ASKBOOK = [sys.executable, "-W", "error::DeprecationWarning:askbook", "-c", "from askbook.terminal.cli import main; main()"]

Answer = tuple[str, bool]
"""The JSON text, and whether it is an error."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("conformance")
    write([topology(), analysis()], made)
    return made


@pytest.fixture(scope="module")
def expected(folder: Path) -> list[Answer]:
    """What the core itself says."""
    shelf = Shelf(tuple(read_shelf(str(folder))))
    results = [run(ToolCallPart("", name, given), shelf) for name, given in CALLS]
    return [(dumps(result.content), result.error) for result in results]


@pytest.fixture(scope="module", params=["0", "2"])
def http(folder: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A server over HTTP, that searches itself and that has processes for it."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--http", f"127.0.0.1:{port}", "--workers", request.param]
    process = subprocess.Popen([*ASKBOOK, "mcp", str(folder), *options], stderr=subprocess.PIPE, text=True)
    try:
        wait_for(port, process)
        time.sleep(float(request.param))  # until the processes are up, though all goes well before as well
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        _, said = process.communicate()
    assert [line for line in said.splitlines() if not line.startswith(("maths-", "serving "))] == []


def wait_for(port: int, process: subprocess.Popen[str]) -> None:
    for _ in range(300):
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert process.poll() is None, process.stderr and process.stderr.read()
        time.sleep(0.1)
    raise AssertionError("the server did not start")


def server(folder: Path, *options: str) -> StdioServerParameters:
    command, *arguments = ASKBOOK
    return StdioServerParameters(command=command, args=[*arguments, "mcp", str(folder), *options], env=dict(os.environ))


def test_the_suite_calls_every_tool() -> None:
    assert {name for name, _ in CALLS} == set(TOOLS)


def test_results_errors_and_truncation_all_occur(expected: list[Answer]) -> None:
    texts = [text for text, _ in expected]
    assert any(error for _, error in expected)
    assert any('"truncated":true' in text for text in texts)
    assert any('"found":false' in text or "nothing is called" in text for text in texts)


def test_the_command_line_prints_the_same_bytes(folder: Path, expected: list[Answer]) -> None:
    results = [CliRunner().invoke(tool, [str(folder), name, json.dumps(given)]) for name, given in CALLS]
    assert [(result.stdout.removesuffix("\n"), result.exit_code == 1) for result in results] == expected


@pytest.fixture(scope="module")
def ran(folder: Path) -> list[dict[str, Any]]:
    """What programs come to on the command line."""
    find_sandbox()
    results = [CliRunner().invoke(tool, [str(folder), "python_exec", json.dumps(given)]) for given in PROGRAMS]
    return [json.loads(result.stdout) for result in results]


def test_programs_give_text_figures_errors_and_truncation(ran: list[dict[str, Any]]) -> None:
    good = ["figures", "stdout", "truncated"]
    failed = ["error", *good]
    refused = ["error", "schema"]
    assert [sorted(result) for result in ran] == [
        good,
        good,
        failed,
        failed,
        failed,
        good,
        good,
        failed,
        failed,
        refused,
        refused,
    ]
    assert [result.get("truncated") for result in ran] == [False] * 4 + [True, False, False, True, False, None, None]
    assert ran[6]["stdout"] == "a\nb漢\ufffd|? \0\n"


def test_programs_give_the_same_over_mcp(folder: Path, ran: list[dict[str, Any]]) -> None:
    async def answers() -> list[Any]:
        async with Client(stdio_client(server(folder, "--python"))) as client:
            return [(await client.call_tool("python_exec", given)).structured_content for given in PROGRAMS]

    assert anyio.run(answers) == ran


async def ask(client: Client) -> list[Answer]:
    """Make every call with the Python SDK; text and structure have to say the same."""
    assert [listed.name for listed in (await client.list_tools()).tools] == list(TOOLS)
    answers = []
    for name, given in CALLS:
        result = await client.call_tool(name, given)
        assert dumps(result.structured_content) == result.content[0].text
        answers.append((result.content[0].text, result.is_error))
    return answers


def test_the_python_client_over_standard_input_gets_the_same(folder: Path, expected: list[Answer]) -> None:
    async def answers() -> list[Answer]:
        async with Client(stdio_client(server(folder))) as client:
            return await ask(client)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert anyio.run(answers) == expected


def test_the_python_client_over_http_gets_the_same(http: str, expected: list[Answer]) -> None:
    async def answers() -> list[Answer]:
        async with Client(http) as client:
            return await ask(client)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert anyio.run(answers) == expected


def node(*arguments: str) -> dict[str, Any]:
    """Make every call with an official npm client."""
    if not shutil.which("node") or not (ROOT / "node_modules/@modelcontextprotocol").is_dir():
        pytest.fail("the npm clients are not installed: run 'npm ci'")
    done = subprocess.run(
        ["node", str(HERE / "calls.mjs"), *arguments],
        input=json.dumps(CALLS),
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("kind", ["sdk", "client"])
def test_the_npm_clients_over_standard_input_get_the_same(folder: Path, expected: list[Answer], kind: str) -> None:
    check(node(kind, "stdio", *ASKBOOK, "mcp", str(folder)), expected)


@pytest.mark.parametrize("kind", ["sdk", "client"])
def test_the_npm_clients_over_http_get_the_same(http: str, expected: list[Answer], kind: str) -> None:
    check(node(kind, "http", http), expected)


def check(found: dict[str, Any], expected: list[Answer]) -> None:
    """Hold what an npm client found against what the core says; it may not have warned of anything."""
    assert found["warnings"] == []
    assert found["tools"] == list(TOOLS)
    assert [(result["text"], result["error"]) for result in found["results"]] == expected
    assert [result["structured"] for result in found["results"]] == [json.loads(text) for text, _ in expected]
    assert (found["resources"], found["prompts"], found["first"][:8]) == (11, 3, "# 数学分析\n\n"[:8])
