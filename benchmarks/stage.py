"""What the benchmarks in a browser stand on: the example book, built and served on loopback, and a Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from playwright.sync_api import Browser, sync_playwright

from askbook.site_plugin.project import build_project
from askbook.terminal.demo import example_book
from askbook.terminal.serve import site_server

BASE = "/books/ranking/"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@contextmanager
def chromium() -> Iterator[Browser]:
    """The Chromium that `CHROME` names, or the first that is installed."""
    path = os.environ.get("CHROME") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def build_example(site: Path, *, enabled: bool = True) -> None:
    """Build the example book into a folder, with the assistant or without it."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    build_project(example_book(), site=site, address=f"http://127.0.0.1{BASE}", options={"cache": "", "enabled": enabled})


@contextmanager
def served(site: Path, *, base: str = BASE) -> Iterator[str]:
    """The address of a built site on loopback."""
    with site_server(site, base=base) as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{base}"
        server.shutdown()


@contextmanager
def example() -> Iterator[tuple[Browser, str]]:
    """A Chromium, and the address of the example book."""
    with TemporaryDirectory() as folder, chromium() as browser:
        build_example(Path(folder))
        with served(Path(folder)) as root:
            yield browser, root
