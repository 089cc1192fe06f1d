"""What a page costs more with the assistant present and not opened: bytes (gzip), requests, and whether Python runs.

Each page of the example book is loaded in Chromium with the assistant and without it, nothing cached. Goal: at most 4 KB more.
"""

from __future__ import annotations

import gzip
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from playwright.sync_api import Browser, Response, sync_playwright

from askbook.site_plugin.project import build_project
from askbook.terminal.demo import example_book
from askbook.terminal.serve import site_server

GOAL = 4_096
BASE = "/books/ranking/"
PAGES = ("", "en/1-inverted-index/", "en/2-term-weights/", "zh/2-term-weights/", "zh/3-links-and-judgment/")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"]
QUIET_MILLISECONDS = 1_500
"""How long a loaded page is watched for late requests."""


@dataclass(frozen=True, slots=True)
class Load:
    """What one page load fetched."""

    document: int
    """Bytes of the page itself, gzip."""
    others: dict[str, int]
    """Path to bytes, gzip, of everything else that came from the site."""
    workers: int

    @property
    def total(self) -> int:
        return self.document + sum(self.others.values())


@contextmanager
def served(site: Path) -> Iterator[str]:
    """A built site on loopback."""
    with site_server(site, base=BASE) as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{BASE}"
        server.shutdown()


def load(browser: Browser, root: str, page: str) -> Load:
    """Load a page in a context of its own."""
    context = browser.new_context()
    tab = context.new_page()
    bodies: dict[str, int] = {}

    def note(response: Response) -> None:
        if response.ok:
            bodies.setdefault(response.url.removeprefix(root), packed(response.body()))

    tab.on("response", note)
    tab.goto(f"{root}{page}", wait_until="networkidle")
    tab.wait_for_timeout(QUIET_MILLISECONDS)
    found = Load(bodies.pop(page, 0), bodies, len(tab.workers))
    context.close()
    return found


def packed(body: bytes) -> int:
    """Size as a host sends it."""
    return len(gzip.compress(body, 9, mtime=0))


def main() -> int:
    """Print the table; 1 where the goal is missed."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    chromium = os.environ.get("CHROME") or shutil.which("chromium") or shutil.which("google-chrome")
    missed = False
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        sites = {on: Path(folder, str(on)) for on in (True, False)}
        for on, site in sites.items():
            build_project(example_book(), site=site, address=f"http://127.0.0.1{BASE}", options={"cache": "", "enabled": on})
        with served(sites[True]) as with_it, served(sites[False]) as without:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            print("| page | more bytes, gzip | of it in the page | further files | further workers |\n|---|---:|---:|---|---:|")
            for page in PAGES:
                more, bare = load(browser, with_it, page), load(browser, without, page)
                new = {path: size for path, size in more.others.items() if path not in bare.others}
                files = ", ".join(f"{path} {size}" for path, size in sorted(new.items()))
                extra = more.document - bare.document + sum(new.values())
                workers = more.workers - bare.workers
                print(f"| {page or 'start'} | {extra} | {more.document - bare.document} | {files} | {workers} |")
                missed |= extra > GOAL or workers > 0
            browser.close()
    print(f"\nGoal: {GOAL} bytes and no further worker: {'missed' if missed else 'reached'}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
