"""What hostile code gets from Pyodide under Node."""

from __future__ import annotations

import os
import re

import pytest

from askbook.core.pytool import Outcome
from askbook.mcp_server.node import NodeSandbox, resident
from askbook.mcp_server.sandbox import Sandbox, SandboxError, find_sandbox


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return find_sandbox(NodeSandbox)


def test_code_computes_from_its_input(sandbox: Sandbox) -> None:
    assert sandbox.run("print(input['a'] + 1)\ninput['漢']", {"a": 3, "漢": "字"}) == Outcome("4\n字\n")


def test_a_curve_comes_back_as_a_figure(sandbox: Sandbox) -> None:
    assert [figure["type"] for figure in sandbox.run("plot([0, 1], [0, 1])", None).figures] == ["image/svg+xml"]


ATTEMPTS = {
    "read a file": ("open('/etc/passwd')", r"FileNotFoundError: .*"),
    "mount the machine's files": (
        "import pyodide_js\npyodide_js.mountNodeFS('/m', '/etc')\nprint(__import__('os').listdir('/m'))", r".*(Error|crashed).*",
    ),
    "reach Node through js": ("import js; js.process", r"AttributeError: process"),
    "make a function": (
        "import pyodide_js; pyodide_js.loadPackage.constructor('return 1')()", r".*EvalError: Code generation from strings.*",
    ),
    "open a connection": ("import urllib.request; urllib.request.urlopen('http://127.0.0.1:1/')", r"urllib.error.URLError: .*"),
    "start a program": ("import subprocess; subprocess.run(['/bin/sh'])", r"OSError: .*"),
    "take all memory": ("x = []\nwhile True: x.append(bytearray(10_000_000))", r"MemoryError"),
    "see the environment": ("import os; raise ValueError('ASKBOOK' in str(os.environ))", r"ValueError: False"),
}  # fmt: skip


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_an_attempt_to_escape_is_contained_and_told(sandbox: Sandbox, attempt: str) -> None:
    code, expected = ATTEMPTS[attempt]
    outcome = sandbox.run(code, None)
    said = outcome.error.rpartition("\n")[2]
    assert re.fullmatch(expected, said), outcome


def test_javascript_by_way_of_the_c_library_is_refused(sandbox: Sandbox) -> None:
    outcome = sandbox.run("import ctypes; ctypes.CDLL(None).emscripten_run_script_int(b'1')", None)
    assert outcome.error == "the interpreter crashed"


def test_output_without_end_is_cut(sandbox: Sandbox) -> None:
    outcome = sandbox.run("while True: print('x' * 100)", None)
    assert (len(outcome.stdout), outcome.truncated) == (8_000, True)


@pytest.mark.parametrize(
    "code",
    [
        "for n in range(900): open(str(n), 'wb').write(b'0' * 5_000_000)",
        "from pyodide.ffi import to_js\nx = []\nwhile True: x.append(to_js(bytes(10_000_000)))",
    ],
)
def test_memory_outside_of_webassembly_counts_too(sandbox: Sandbox, code: str) -> None:
    assert sandbox.run(code, None).error.startswith("stopped by the system: too much memory")


def test_it_is_known_how_much_memory_a_process_holds() -> None:
    assert 5_000_000 < resident(os.getpid()) < 5_000_000_000
    assert resident(2**22 + 1) == 0


@pytest.mark.parametrize("piece", [b"x", b"\xff" * 100])
def test_output_past_python_counts_too(sandbox: Sandbox, piece: bytes) -> None:
    outcome = sandbox.run(f"import os\nwhile True: os.write(2, {piece!r})", None)
    assert (len(outcome.stdout), outcome.truncated) == (8_000, True)


def test_halves_of_pairs_become_question_marks_as_on_linux(sandbox: Sandbox) -> None:
    outcome = sandbox.run("print('\\ud800')\nraise ValueError('\\udfff')", None)
    assert (outcome.stdout, outcome.error.rpartition("\n")[2]) == ("?\n", "ValueError: ?")


def test_time_is_up(sandbox: Sandbox) -> None:
    outcome = NodeSandbox(seconds=0.5).run("print('begun')\nwhile True: pass", None)
    assert (outcome.stdout, outcome.error.partition(";")[0]) == ("begun\n", "stopped after 15 seconds")


def test_where_no_sandbox_works_every_reason_is_named() -> None:
    def nothing() -> Sandbox:
        raise SandboxError("first: not here")

    def broken() -> Sandbox:
        raise SandboxError("second: not here either")

    with pytest.raises(SandboxError, match="first: not here; second: not here either"):
        find_sandbox(nothing, broken)
