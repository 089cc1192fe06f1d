"""The benchmarks can be listed and named; each says in a line what it measures."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from benchmarks import __main__ as runner
from benchmarks.__main__ import main, modules
from benchmarks.paced import Line, paced

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


def test_figures_take_the_place_of_the_old_ones_and_other_sections_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "performance.md"
    title = runner.WRITTEN["stream"]
    page.write_text(f"# Performance\n\nHead.\n\n## {title}\n\nold\n\n## Other\n\nkept\n", encoding="utf-8")
    monkeypatch.setattr(runner, "PAGE", page)
    monkeypatch.setattr(runner, "section", lambda name: f"## {runner.WRITTEN[name]}\n\nnew\n\n")
    assert main(["--write", "stream"]) == 0
    assert page.read_text(encoding="utf-8") == f"# Performance\n\nHead.\n\n## {title}\n\nnew\n\n## Other\n\nkept\n"


def test_a_slow_line_is_as_slow_as_it_says_and_counts_what_it_sends(tmp_path: Path) -> None:
    (tmp_path / "file.gz").write_bytes(bytes(100_000))
    line = Line(0.05, 4e6)
    with paced(tmp_path, line, base="/book/") as root:
        began = time.perf_counter()
        assert len(urlopen(root + "file.gz").read()) == 100_000
        assert time.perf_counter() - began > 0.14  # 0.05 to wait, 0.2 to send, of which 0.1 may be caught up
    assert line.sent == {"file.gz": 100_000}


def test_the_whole_page_is_written_from_what_the_benchmarks_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "performance.md"
    page.write_text("# Performance\n\nBy hand.\n\n## Other\n\nby hand\n", encoding="utf-8")
    printed = {"one": "| a |\n|---|\n| 1 |\n\nMedians.\n", "two": "3 deltas\n"}
    for name in printed:
        (tmp_path / f"{name}.py").write_text('"""How it is got.\n\n    python x.py\n\nMore.\n"""\n', encoding="utf-8")
        monkeypatch.setitem(runner.WRITTEN, name, name.title())
    for name in [name for name in runner.WRITTEN if name not in printed]:
        monkeypatch.delitem(runner.WRITTEN, name)
    monkeypatch.setattr(runner, "PAGE", page)
    monkeypatch.setattr(runner, "HERE", tmp_path)

    def ran(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        name = command[-1].rpartition(".")[2]
        return subprocess.CompletedProcess(command, int(name == "two"), printed.get(name, "v20.1.0"))

    monkeypatch.setattr(runner.subprocess, "run", ran)
    assert main(["--write"]) == 0
    text = page.read_text(encoding="utf-8")
    assert "by hand\n" not in text.removeprefix(text.partition("\n\n## ")[0])
    assert "Node 20.1.0" in text
    assert re.search(
        r"## One\n\nHow it is got\.\n\n`python x\.py`\n\nMore\.\n\n"
        r"`python -m benchmarks one`, \d+ s; load before the run [\d.]+\.\n\n"
        r"\| a \|\n\|---\|\n\| 1 \|\n\nMedians\.\n\n## Two\n\n.*\*\*A goal is missed\.\*\*\n\n```text\n3 deltas\n```\n$",
        text,
        re.S,
    )


@pytest.mark.browser
@pytest.mark.parametrize("name", ["start", "first_answer", "in_browser", "peers"])
def test_a_small_run_of_each_large_benchmark_ends_with_figures(name: str) -> None:
    if not (ROOT / "client/vendor/runtime.json").is_file() or not (ROOT / "node_modules/minisearch").is_dir():
        pytest.fail("the runtime or the other libraries are not installed: npm ci, node client/pack/pack.mjs")
    environment = {**os.environ, "ASKBOOK_SMOKE": "1", "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}"], cwd=ROOT, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr[-600:]
    assert {
        "start": "| warm tier B |",
        "first_answer": "| link | 1 |",
        "peers": "| synthetic, 50 cards |",
        "in_browser": "| zh | askbook |",
    }[name] in done.stdout
