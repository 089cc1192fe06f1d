"""Without a network after a first visit: the book answers all the same, only the model is out of reach, and both are said."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from fakes.endpoint import Endpoint, text
from panel import PanelPage
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

    def end_headers(self) -> None:
        """Say how long a file may be kept."""
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def log_message(self, *told: object) -> None:
        """Say nothing."""


@pytest.fixture
def hosted(site_folder: Path) -> Iterator[str]:
    """Address of the example book at such a host."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(site_folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


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
