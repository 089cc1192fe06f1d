"""What hands do that nobody planned: two clicks for one, a book pasted into the field, answers of endless words."""

from __future__ import annotations

import pytest
from column import beside
from fakes.endpoint import Endpoint, text
from panel import PanelPage
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PASTE = "(field, pasted) => { field.focus(); document.execCommand('insertText', false, pasted) }"
ROW = "| " + " | ".join(["some longer text of a cell"] * 9) + " |\n"
WIDE = (
    f"A word {'x' * 400} and https://example.org/{'path/' * 60} end.\n\n{ROW}{'|---' * 9}|\n{ROW}\n`{'y' * 300}`\n\n"
    f"$$ {' + '.join(f'x_{{{at}}}' for at in range(60))} $$\n\n"
    f"```\n{'z' * 300}\n```\n"
)


def test_two_clicks_open_it_and_a_pasted_book_stays_in_a_field_of_some_lines(panel: PanelPage) -> None:
    panel.opener.dblclick()
    expect(panel.button("Settings")).to_be_visible(timeout=30_000)
    expect(panel.field).to_be_focused()
    pasted = "word " * 20_000
    panel.field.evaluate(PASTE, pasted)
    expect(panel.field).to_have_value(pasted)
    box = panel.field.bounding_box()
    assert box is not None
    assert box["height"] <= 240
    expect(panel.button("Send")).to_be_in_viewport()
    assert panel.errors == []


def test_two_clicks_send_and_open_as_one_does(panel: PanelPage) -> None:
    panel.open()
    panel.field.fill("What are stop words?")
    panel.button("Send").dblclick()
    panel.wait()
    expect(panel.answers).to_have_count(1)
    panel.button("History").dblclick()
    expect(panel.page.get_by_role("searchbox")).to_be_focused()
    panel.button("Settings").dblclick()
    expect(panel.page.get_by_label("Passages")).to_be_visible()
    assert panel.errors == []


def test_nothing_in_an_answer_makes_the_panel_scroll_sideways(panel: PanelPage) -> None:
    with Endpoint([text(WIDE)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait()
    expect(panel.answer.locator(".text .math.typeset")).to_have_count(1)
    for width in (1280, 320):
        panel.page.set_viewport_size({"width": width, "height": 800})
        assert beside(panel.answer.locator(".text")) == []
        assert panel.log.evaluate("log => log.scrollWidth <= log.clientWidth")
    assert panel.errors == []
