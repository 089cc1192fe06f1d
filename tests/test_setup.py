"""The set-up says in one sentence what a machine lacks, and finds what it has."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def set_up(script: str, *arguments: str | Path, path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the set-up on a machine that has only what lies in `path`."""
    command = [shutil.which("bash") or "bash", str(ROOT / ".ci" / script), *map(str, arguments)]
    return subprocess.run(command, env={"PATH": str(path), **environment}, capture_output=True, text=True, check=False)


def program(folder: Path, name: str, body: str) -> Path:
    """A program of that machine."""
    file = folder / name
    file.write_text(f"#!{shutil.which('bash')}\n{body}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize(
    ("script", "arguments", "sentence"),
    [
        ("venv", ("there",), "Python 3.11 or newer is needed: install it, or name it in ASKBOOK_PYTHON.\n"),
        ("node", (), "Node 20 or newer, with npm, is needed to pack the browser's runtime: install it and run make again.\n"),
        ("chromium", (), "The browser tests need Chromium or Chrome: install one, or name it in CHROME.\n"),
    ],
)
def test_what_is_missing_is_one_sentence(tmp_path: Path, script: str, arguments: tuple[str, ...], sentence: str) -> None:
    done = set_up(script, *arguments, path=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", sentence)


def test_an_old_node_is_as_none(tmp_path: Path) -> None:
    program(tmp_path, "npm", "exit 0")
    program(tmp_path, "node", "exit 1")  # what the question for the version comes to
    assert set_up("node", path=tmp_path).returncode == 1


def test_an_old_python_is_passed_over(tmp_path: Path) -> None:
    program(tmp_path, "python3.11", "exit 1")
    assert "ASKBOOK_PYTHON" in set_up("venv", tmp_path / "venv", path=tmp_path).stderr


def test_an_installed_browser_is_found(tmp_path: Path) -> None:
    chrome = program(tmp_path, "google-chrome", "exit 0")
    assert set_up("chromium", path=tmp_path).stdout == f"{chrome}\n"


def test_a_browser_that_does_not_run_is_passed_over(tmp_path: Path) -> None:
    program(tmp_path, "chromium", "exit 1")
    chrome = program(tmp_path, "google-chrome", "exit 0")
    assert set_up("chromium", path=tmp_path).stdout == f"{chrome}\n"


def test_a_named_browser_comes_first(tmp_path: Path) -> None:
    program(tmp_path, "chromium", "exit 0")
    own = program(tmp_path, "my-browser", "exit 0")
    assert set_up("chromium", path=tmp_path, CHROME=str(own)).stdout == f"{own}\n"


def test_the_commands_of_the_makefile_are_told_by_help() -> None:
    done = subprocess.run(["make", "-s", "help"], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True)
    told = {word.strip(" /") for line in done.stdout.splitlines() for word in line.split("  ")[0].split("make")[1:]}
    commands = {command.split()[0] for command in told}
    assert {"demo", "test", "test-shared", "test-llm", "lint", "format", "docs", "bench", "dist", "clean"} <= commands
