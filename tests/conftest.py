"""What every test may use, and a guard: the installed packages are the folders they are made from, as they stand."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("askbook", deadline=None)
settings.load_profile("askbook")
"""A busy machine is no fault of the code; tests that promise a time measure it themselves."""

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
"""The real books and sets, where this checkout has them beside it."""

MAPPED = {
    "askbook.core": ("client/py", ("*.py",)),
    "askbook.builder": ("builder", ("*.py",)),
    "askbook.site_plugin": ("site_plugin", ("*.py",)),
    "askbook.mcp_server": ("mcp_server", ("*.py",)),
    "askbook.terminal": ("terminal", ("*.py",)),
    "askbook.client": ("client", ("__init__.py", "*.js", "elements/*.js", "elements/*.css", "worker/*.js", "worker/*.py")),
    "askbook.examples": ("examples", ("__init__.py", "book/*.yml", "book/*.py", "book/docs/**/*.*", "ci/*.yml")),
}
"""Package to its folder, and what of the folder travels with it."""


def pytest_sessionstart() -> None:
    """Stop where a file is missing, left over or another checkout's, instead of failing oddly later."""
    for package, (folder, patterns) in MAPPED.items():
        try:
            installed, source = Path(str(files(package))), ROOT / folder
        except ModuleNotFoundError:
            pytest.exit(f"{package} is not installed: run 'make test', or 'pip install -e .[dev]'", returncode=3)
        if _names(installed, patterns) != _names(source, patterns) or not _same(installed, source):
            pytest.exit(f"{package} is not {folder}/ as it stands: run 'make test', or 'pip install -e .' again", returncode=3)


def _names(folder: Path, patterns: tuple[str, ...]) -> set[str]:
    found = (path for pattern in patterns for path in (folder.rglob(pattern) if pattern == "*.py" else folder.glob(pattern)))
    return {path.relative_to(folder).as_posix() for path in found if path.exists() and "__pycache__" not in path.parts}


def _same(installed: Path, source: Path) -> bool:
    return (installed / "__init__.py").samefile(source / "__init__.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let what drives a browser come last: Playwright keeps an event loop running, beside which no other can be started."""
    items.sort(key=_drives_a_browser)


def _drives_a_browser(item: pytest.Item) -> bool:
    named = getattr(item, "fixturenames", ())
    return "browser" in item.path.parts or item.get_closest_marker("browser") is not None or "browser" in named


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden files anew; read the difference")
    parser.addoption("--require-shared", action="store_true", help="count a test that is skipped for lack of ../shared as failed")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and item.config.getoption("--require-shared") and _for_shared(item, report):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped: {report.longrepr}"
    return report


def _for_shared(item: pytest.Item, report: pytest.TestReport) -> bool:
    return item.get_closest_marker("shared") is not None or "shared" in str(report.longrepr)


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real books and sets."""
    if not SHARED.is_dir():
        pytest.skip("the real books are not here: no folder ../shared beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def chromium() -> str:
    """A Chromium that can be started; `make test` names or installs one."""
    names = (os.environ.get("CHROME"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None:
        pytest.fail("no Chromium on this machine: 'make test' installs one, or name it in CHROME")
    return found


@pytest.fixture(scope="session")
def example_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example book, built once with the assistant in it, as if published under `/books/ranking/`."""
    from askbook.site_plugin.project import build_project

    site = tmp_path_factory.mktemp("example") / "site"
    build_project(ROOT / "examples/book", site=site, address="http://127.0.0.1/books/ranking/", options={"cache": ""})
    return site
