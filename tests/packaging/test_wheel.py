"""The wheel is enough: in an empty environment, without Node, it builds a site with the assistant in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOLDERS = sorted({folder.partition("/")[0] for folder in PROJECT["tool"]["setuptools"]["package-dir"].values()})

pytestmark = pytest.mark.slow

PAGES = {
    "index.md": """# Bread

## 1.1 Sourdough

!!! definition "Definition 1.1 (Starter)"
    A **starter** is flour, water and patience.
""",
    "zh.md": """# 面包

## 1.2 酸面团

!!! theorem "定理 1.2"
    酸面团发得慢，因为野生酵母有耐心。
""",
}


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built aside so that nothing left by earlier builds gets in."""
    if not (ROOT / "client/vendor/runtime.json").is_file():
        pytest.fail("the runtime is not packed: run 'node client/pack/pack.mjs'")
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, source)
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__", "node_modules", ".cache"))
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, source)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="session")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment that holds the wheel, what it depends on, and nothing else."""
    folder = tmp_path_factory.mktemp("empty") / "venv"
    run(sys.executable, "-m", "venv", folder)
    commands = folder / ("Scripts" if os.name == "nt" else "bin")
    run(commands / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--prefer-binary", wheel)
    return commands


@pytest.fixture(scope="session")
def site(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site built in that environment, with no other program on the path."""
    project = tmp_path_factory.mktemp("project")
    (project / "docs").mkdir()
    for name, text in PAGES.items():
        (project / "docs" / name).write_text(text, encoding="utf-8")
    config = "site_name: Bread\ntheme: readthedocs\nmarkdown_extensions: [admonition]\nplugins: [search, askbook]\n"
    (project / "mkdocs.yml").write_text(config, encoding="utf-8")
    without_node(environment / "mkdocs", "build", "--strict", cwd=project)
    return project / "site"


def run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Run a program; what it printed."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, text=True, capture_output=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def without_node(*command: str | Path, cwd: Path | None = None) -> str:
    """Run a program of the environment with an otherwise empty path and none of our own settings."""
    path = str(Path(command[0]).parent)
    assert shutil.which("node", path=path) is None
    return run(*command, cwd=cwd, env={"PATH": path, "HOME": str(Path.home()), "LANG": "C.UTF-8"})


def test_the_wheel_holds_what_is_promised_and_nothing_of_the_workshop(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    inside = {name.split("/")[1] for name in names if name.startswith("askbook/")}
    assert inside == {package.split(".")[1] for package in PROJECT["tool"]["setuptools"]["packages"]}
    assert [
        name
        for name in names
        if name.startswith(("tests/", "benchmarks/", "client/")) or "/pack/" in name or "__pycache__" in name
    ] == []
    for wanted in ("client/main.js", "client/vendor/runtime.json", "client/worker/worker.py", "examples/book/docs/zh/index.md"):
        assert f"askbook/{wanted}" in names
    assert [name for name in names if name.endswith("/licenses/NOTICE")] != []


def test_a_site_is_built_without_node(site: Path) -> None:
    runtime = json.loads((site / "assets/askbook/vendor/runtime.json").read_text(encoding="utf-8"))
    assets = [
        f"vendor/{runtime['pyodide']['wasm']['path']}",
        f"vendor/{runtime['app']['path']}",
        "site.js",
        "main.js",
        "worker/worker.js",
    ]
    assert [name for name in assets if not (site / "assets/askbook" / name).is_file()] == []
    assert "assets/askbook/main.js" in (site / "zh/index.html").read_text(encoding="utf-8")


def test_the_index_of_that_site_is_searched(site: Path, environment: Path) -> None:
    found = json.loads(without_node(environment / "askbook", "search", site / "ai-index", "野生酵母", "--json"))
    assert found["hits"][0]["number"] == "1.2"


def test_the_other_commands_start(environment: Path) -> None:
    version = PROJECT["project"]["version"]
    assert without_node(environment / "askbook", "--version").strip() == f"askbook, version {version}"
    assert "SOURCE" in without_node(environment / "build-ai-index", "--help")


def test_the_demo_says_what_is_missing_without_the_theme(environment: Path) -> None:
    done = subprocess.run([environment / "askbook", "demo", "--no-serve"], text=True, capture_output=True, check=False)
    assert done.returncode == 1
    assert "pip install 'askbook[demo]'" in done.stderr
