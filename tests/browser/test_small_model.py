"""The panel with a real, very small model: it ignores tools, so it must end in a plain answer, never in a crash."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from panel import PanelPage
from playwright.sync_api import Page, expect

from tests.fakes.smollm import NEEDS, small_model

pytestmark = [pytest.mark.browser, *NEEDS]

MINUTES = 6 * 60_000


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    with small_model() as address:
        yield address


def shorten(panel: PanelPage, page: Page) -> None:
    """Ask for little, since the model writes a few words a second."""
    panel.button("Settings").click()
    page.get_by_label("Passages", exact=True).fill("1")
    page.get_by_label("Context limit", exact=True).fill("400")
    page.get_by_label("Answer limit", exact=True).fill("40")
    page.get_by_label("Answer limit", exact=True).press("Tab")
    panel.button("Back").click()


def test_a_small_model_ends_in_an_answer(panel: PanelPage, page: Page, model: str) -> None:
    panel.open()
    panel.add_model(model, key="", model="smollm2")
    shorten(panel, page)
    panel.ask("What is an inverted index?")
    answer = panel.wait(patience=MINUTES)
    expect(answer).not_to_be_empty()
    expect(panel.status).not_to_be_empty()
