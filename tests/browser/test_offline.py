"""Without a network after a first visit: the book answers all the same, only the model is out of reach, and both are said."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from fakes.endpoint import Endpoint, text
from panel import PanelPage, until
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_an_open_panel_goes_on_answering_from_the_book(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.page.context.set_offline(True)
    expect(panel.region).to_contain_text("You are offline")
    panel.ask("skip pointers")
    expect(panel.answers).to_have_count(2)
    expect(panel.wait()).to_contain_text("These are the book's own sentences")
    panel.page.context.set_offline(False)
    expect(panel.region).not_to_contain_text("You are offline")


class Host(SimpleHTTPRequestHandler):
    """Lets browsers keep every file for ten minutes, as common hosts of static sites do."""

    protocol_version = "HTTP/1.1"
    age = 600

    def end_headers(self) -> None:
        """Say how long a file may be kept."""
        self.send_header("Cache-Control", f"max-age={self.age}")
        super().end_headers()

    def log_message(self, *told: object) -> None:
        """Say nothing."""


class ForgetfulHost(Host):
    """Lets browsers keep every file for a second only."""

    age = 1


@pytest.fixture
def host() -> Iterator[Callable[..., str]]:
    """Serve a folder at such a host; return its address."""
    servers = []

    def start(folder: Path, kind: type[Host] = Host) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(kind, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def hosted(site_folder: Path, host: Callable[..., str]) -> str:
    """Address of the example book at such a host."""
    return host(site_folder)


def test_on_a_page_read_offline_the_panel_starts_from_what_an_earlier_visit_left(page: Page, hosted: str) -> None:
    panel = PanelPage(page, hosted)
    panel.visit("en/1-inverted-index/")
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.button("Close").click()
    panel.visit("en/2-term-weights/")
    expect(panel.opener).to_be_visible()
    panel.page.context.set_offline(True)
    panel.open()
    panel.ask("What is the idf of a term?")
    expect(panel.wait()).to_contain_text("These are the book's own sentences")
    expect(panel.region).to_contain_text("You are offline")


def test_where_the_panels_own_files_are_gone_that_is_said_and_the_next_press_opens_it(
    page: Page, site_folder: Path, host: Callable[..., str]
) -> None:
    panel = PanelPage(page, host(site_folder, ForgetfulHost))
    panel.visit("en/1-inverted-index/")
    page.wait_for_timeout(1500)
    page.context.set_offline(True)
    panel.opener.click()
    expect(panel.status).to_have_text("Could not load. Check the network.")
    assert panel.errors == []
    page.context.set_offline(False)
    panel.open()


KEPT = "caches.open('askbook').then(c => c.keys()).then(all => all.map(({url}) => url.split('/').pop()).sort())"
"""Names of the files that are kept."""


def asked_once(page: Page, host: Callable[..., str], site: Path) -> tuple[PanelPage, Path]:
    """The panel of a site that was used once, and the site's folder."""
    panel = PanelPage(page, host(site))
    panel.visit("en/1-inverted-index/")
    panel.open()
    panel.ask("stop words")
    panel.wait()
    return panel, site


def test_an_update_that_does_not_come_to_its_end_costs_no_start_that_worked(
    page: Page, site_folder: Path, tmp_path: Path, host: Callable[..., str]
) -> None:
    panel, site = asked_once(page, host, shutil.copytree(site_folder, tmp_path / "site"))
    panel.button("Close").click()
    manifest = site / "assets/askbook/vendor/runtime.json"
    written = manifest.read_text(encoding="utf-8")
    updated = re.sub(r"-[0-9a-f]{4}([0-9a-f]{8}\.\w+\.zst)", r"-0000\1", written)
    assert updated != written
    manifest.write_text(updated, encoding="utf-8")
    panel.visit("en/2-term-weights/")
    panel.opener.click()
    expect(panel.region).to_contain_text("A file of the assistant is missing on this site.", timeout=30_000)
    panel.button("Close").click()
    panel.visit("en/1-inverted-index/")
    expect(panel.opener).to_be_visible()
    page.context.set_offline(True)
    panel.open()
    panel.ask("What is the idf of a term?")
    expect(panel.wait()).to_contain_text("These are the book's own sentences")


def test_of_a_book_that_is_built_anew_only_what_is_in_use_is_kept(
    page: Page, site_folder: Path, tmp_path: Path, host: Callable[..., str]
) -> None:
    panel, site = asked_once(page, host, shutil.copytree(site_folder, tmp_path / "site"))
    (old,) = [path.name for path in site.glob("ai-index/books-ranking-en.text.*.json")]
    new = "books-ranking-en.text.aaaaaaaaaaaaaaaa.json"
    until(page, lambda: old in page.evaluate(KEPT))
    index = site / "ai-index/books-ranking-en.json"
    index.write_text(index.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    (site / "ai-index" / old).rename(site / "ai-index" / new)
    page.reload()
    panel.ask("skip pointers")
    expect(panel.answers).to_have_count(2)
    panel.wait()
    until(page, lambda: old not in page.evaluate(KEPT))
    assert [name for name in page.evaluate(KEPT) if name.startswith("books-")] == ["books-ranking-en.json", new]


def test_a_model_that_is_out_of_reach_is_said_to_be_and_the_question_can_be_asked_again(panel: PanelPage) -> None:
    with Endpoint([text("Back again.")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("stop words")
        panel.wait()
        panel.page.context.set_offline(True)
        panel.ask("skip pointers")
        expect(panel.answers).to_have_count(2)
        panel.wait("error")
        panel.page.context.set_offline(False)
        panel.button("Retry").last.click()
        expect(panel.wait()).to_contain_text("Back again.")
