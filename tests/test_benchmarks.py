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


def block(name: str, text: str) -> str:
    """A block of the page."""
    return f"<!-- benchmark: {name} -->\n\n{text}\n\n<!-- end of benchmark -->"


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "performance.md"
    monkeypatch.setattr(runner, "PAGE", path)
    return path


def test_figures_take_the_place_of_the_old_ones_and_what_is_written_by_hand_stays(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.write_text(f"# Performance\n\n{block('stream', 'old')}\n\nBy hand.\n", encoding="utf-8")
    monkeypatch.setattr(runner, "figures", lambda name: f"new of {name}")
    assert main(["--write", "stream"]) == 0
    kept = f"# Performance\n\n{block('stream', 'new of stream')}\n\nBy hand.\n"
    assert page.read_text(encoding="utf-8") == kept
    assert main(["--write", "peers"]) == 0
    assert page.read_text(encoding="utf-8") == f"{kept}\n## {runner.WRITTEN['peers']}\n\n{block('peers', 'new of peers')}\n"


def test_a_slow_line_is_as_slow_as_it_says_and_counts_what_it_sends(tmp_path: Path) -> None:
    (tmp_path / "file.gz").write_bytes(bytes(100_000))
    line = Line(0.05, 4e6)
    with paced(tmp_path, line, base="/book/") as root:
        began = time.perf_counter()
        assert len(urlopen(root + "file.gz").read()) == 100_000
        assert time.perf_counter() - began > 0.14  # 0.05 to wait, 0.2 to send, of which 0.1 may be caught up
    assert line.sent == {"file.gz": 100_000}


def test_the_whole_page_is_written_and_what_breaks_leaves_its_block_as_it_was(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = {
        "one": 'print("| a |\\n|---|\\n| 1 |\\n\\nMedians.")',
        "two": 'print("3 deltas"); raise SystemExit(1)',
        "three": 'print("half of it", flush=True); 1 / 0',
        "four": 'print("it starts", flush=True); import time; time.sleep(60)',
    }
    package = tmp_path / "benchmarks"
    package.mkdir()
    for name, program in programs.items():
        about = '"""How it is got.\n\n    python x.py\n\nMore.\n"""\n'
        (package / f"{name}.py").write_text(about + program, encoding="utf-8")
    monkeypatch.setattr(runner, "HERE", package)
    monkeypatch.setattr(runner, "WRITTEN", {name: name.title() for name in programs})
    monkeypatch.setattr(runner, "PATIENCE_SECONDS", 2)
    blocks = [block(name, "old") for name in ("machine", *programs)]
    page.write_text("# Performance\n\n" + "\n\nBy hand.\n\n".join(blocks) + "\n", encoding="utf-8")
    assert main(["--write"]) == 1
    assert capsys.readouterr().err.endswith("no end after 2 s\nno figures of: three, four\n")
    machine, one, two, three, four = page.read_text(encoding="utf-8").removeprefix("# Performance\n\n").split("\n\nBy hand.\n\n")
    assert re.fullmatch(re.escape(block("machine", "X")).replace("X", r"\d+ processors, .*Python 3\.[^\n]*"), machine)
    how = r"How it is got\.\n\n`python x\.py`\n\nMore\.\n\n`python -m benchmarks {}`, \d+ s; load before the run [\d.]+\."
    assert re.search(how.format("one") + r"\n\n\| a \|\n\|---\|\n\| 1 \|\n\nMedians\.\n\n<!--", one)
    assert re.search(how.format("two") + r" \*\*A goal is missed\.\*\*\n\n```text\n3 deltas\n```\n\n<!--", two)
    assert (three, four) == (block("three", "old"), block("four", "old") + "\n")


def test_the_page_has_a_block_for_every_benchmark_that_fills_one() -> None:
    text = (ROOT / "docs/performance.md").read_text(encoding="utf-8")
    assert re.findall(r"<!-- benchmark: (\w+) -->", text) == ["machine", *runner.WRITTEN]


@pytest.mark.browser
@pytest.mark.parametrize("name", ["start", "first_answer", "in_browser", "peers", "drawing", "stopping"])
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
        "drawing": "| paragraphs |",
        "stopping": "| worker ÷ bare loop |",
    }[name] in done.stdout
