"""What a page costs more with the assistant present and not opened: bytes (gzip), requests, and whether Python runs.

Each page of the example book is loaded in Chromium with the assistant and without it, nothing cached. Goal: at most 4 KB more.
"""

from __future__ import annotations

import gzip
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Response

from .stage import build_example, chromium, served

GOAL = 4_096
PAGES = ("", "en/1-inverted-index/", "en/2-term-weights/", "zh/2-term-weights/", "zh/3-links-and-judgment/")
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
    missed = False
    with TemporaryDirectory() as folder, chromium() as browser:
        sites = {on: Path(folder, str(on)) for on in (True, False)}
        for on, site in sites.items():
            build_example(site, enabled=on)
        with served(sites[True]) as with_it, served(sites[False]) as without:
            print("| page | more bytes, gzip | of it in the page | further files | further workers |\n|---|---:|---:|---|---:|")
            for page in PAGES:
                more, bare = load(browser, with_it, page), load(browser, without, page)
                new = {path: size for path, size in more.others.items() if path not in bare.others}
                files = ", ".join(f"{path} {size}" for path, size in sorted(new.items()))
                extra = more.document - bare.document + sum(new.values())
                workers = more.workers - bare.workers
                print(f"| {page or 'start'} | {extra} | {more.document - bare.document} | {files} | {workers} |")
                missed |= extra > GOAL or workers > 0
    print(f"\nGoal: {GOAL} bytes and no further worker: {'missed' if missed else 'reached'}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
