"""Policies that others write: the panel stands dressed, and says what it may not do."""

from __future__ import annotations

import pytest
from panel import PanelPage
from playwright.sync_api import Route, expect

pytestmark = pytest.mark.browser

WORN = "document.querySelector('ask-book').shadowRoot.adoptedStyleSheets.map(({ cssRules }) => cssRules.length)"


@pytest.mark.parametrize("connect", ["https://api.example.org", "'none'"])
def test_where_scripts_may_fetch_nothing_from_the_site_the_panel_is_dressed_all_the_same(panel: PanelPage, connect: str) -> None:
    panel.open()
    free = panel.page.evaluate(WORN)
    panel.page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page = "**/en/1-inverted-index/"
    meta = f'<head><meta http-equiv="Content-Security-Policy" content="connect-src {connect}">'

    def forbid(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace("<head>", meta, 1))

    panel.page.route(page, forbid)
    panel.visit("en/1-inverted-index/")
    panel.open()
    panel.page.wait_for_function(f"({WORN}).length === {len(free)}")
    assert panel.page.evaluate(WORN) == free
    expect(panel.region).to_have_css("display", "flex")
    assert panel.page.locator("head > link[media='not all']").count() == 0
    panel.ask("What is an inverted index?")
    expect(panel.wait()).to_contain_text("postings list")
