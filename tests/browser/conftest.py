"""The example book built with the assistant and served under a sub-path, a Chromium, and the panel as a reader handles it."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from panel import PanelPage
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from askbook.terminal.serve import site_server

ROOT = Path(__file__).parents[2]
BASE = "/books/ranking/"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def chromium() -> str:
    """The Chromium to drive: `CHROME` where it is set, else the first that is installed."""
    found = os.environ.get("CHROME") or next((path for name in CHROMIUMS if (path := shutil.which(name))), None)
    if found is None:
        pytest.exit("no Chromium: install one (apt install chromium), or name it in CHROME", returncode=3)
    return found


def build(project: Path, folder: Path) -> Path:
    """Build a project into a folder."""
    from mkdocs.commands.build import build as build_site
    from mkdocs.config import load_config

    if not (ROOT / "client/vendor/runtime.json").is_file():
        pytest.exit("the Python runtime is not packed: run 'npm ci' and 'npm run pack'", returncode=3)
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    config = load_config(str(project), site_dir=str(folder))
    config.plugins.on_startup(command="build", dirty=False)
    build_site(config)
    return folder


@pytest.fixture(scope="session")
def build_site() -> Callable[[Path, Path], Path]:
    """`build`, for tests with a project of their own."""
    return build


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; `ASKBOOK_SITE` names one that is built already."""
    built = os.environ.get("ASKBOOK_SITE")
    return Path(built) if built else build(ROOT / "examples/book/mkdocs.yml", tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., str]]:
    """Serve a folder on loopback; return its address."""
    servers = []

    def start(folder: Path, base: str = BASE) -> str:
        server = site_server(folder, base=base)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}{base}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def site(site_folder: Path, serve: Callable[..., str]) -> str:
    """Address of the example book's site."""
    return serve(site_folder)


@pytest.fixture(scope="session")
def instant_site(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., str]) -> str:
    """Address of two pages with Material's instant navigation."""
    project = tmp_path_factory.mktemp("instant")
    address = serve(project / "site", base="/books/instant/")
    (project / "docs").mkdir()
    (project / "docs/index.md").write_text("# First\n\nAn inverted index maps terms to postings.\n", encoding="utf-8")
    (project / "docs/second.md").write_text("# Second\n\nA posting names a document.\n", encoding="utf-8")
    (project / "mkdocs.yml").write_text(
        f"site_name: Instant\nsite_url: {address}\n"
        "theme: {name: material, font: false, features: [navigation.instant]}\nplugins: [search, askbook]\n",
        encoding="utf-8",
    )
    build(project / "mkdocs.yml", project / "site")
    return address


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """The driver."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One Chromium for all tests; each test has a context of its own."""
    running = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
    yield running
    running.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile on a desktop."""
    made = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US", timezone_id="UTC")
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A page that fails its test where the panel throws."""
    return context.new_page()


@pytest.fixture
def panel(page: Page, site: str) -> PanelPage:
    """The panel on the first English chapter, still closed."""
    shown = PanelPage(page, site)
    shown.visit("en/1-inverted-index/")
    return shown
