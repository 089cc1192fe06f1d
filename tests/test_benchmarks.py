"""The benchmarks can be listed and named; each says in a line what it measures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import main, modules

ROOT = Path(__file__).parents[1]


def test_each_benchmark_says_what_it_measures() -> None:
    found = modules()
    assert {"closed_page", "fresh_clone"} <= set(found)
    assert [name for name, about in found.items() if not about.endswith((".", ":", ","))] == []


def test_a_name_that_does_not_exist_is_answered_with_those_that_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    assert "closed_page" in capsys.readouterr().err


def test_they_are_run_as_a_module_from_the_root() -> None:
    done = subprocess.run([sys.executable, "-m", "benchmarks", "--list"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(modules())
