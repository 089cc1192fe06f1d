"""A page may move the assistant, take it away and bring it back: it goes on, is asked once, and leaves nothing behind."""

from __future__ import annotations

import pytest
from panel import PanelPage
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

MOVE = "document.body.prepend(document.querySelector('ask-book'))"
COUNT = """
  globalThis.heard = 0
  const { addEventListener } = document
  document.addEventListener = function (kind, act, how) {
    const counted = kind === "ask-book-open" ? event => (heard++, act(event)) : act
    return addEventListener.call(this, kind, counted, how)
  }
"""


def test_a_move_fills_in_no_question_again_and_is_heard_once(panel: PanelPage) -> None:
    panel.page.add_init_script(COUNT)
    panel.visit("en/1-inverted-index/?ask=stop+words")
    expect(panel.field).to_have_value("stop words")
    panel.field.fill("my own question")
    for _ in range(3):
        panel.page.evaluate(MOVE)
    expect(panel.field).to_have_value("my own question")
    panel.button("Close").click()
    panel.opener.click()
    expect(panel.field).to_be_focused()
    expect(panel.field).to_have_value("my own question")
    assert panel.page.evaluate("heard") == 1
    assert panel.errors == []


def test_what_is_taken_away_leaves_no_button_and_no_shortcut_and_comes_back(panel: PanelPage) -> None:
    panel.page.evaluate("globalThis.kept = document.querySelector('ask-book'); kept.remove()")
    expect(panel.opener).to_have_count(0)
    panel.page.keyboard.press("Control+i")
    panel.page.evaluate("document.body.append(kept)")
    expect(panel.region).to_have_count(0)
    panel.page.keyboard.press("Control+i")
    expect(panel.field).to_be_focused()
    expect(panel.opener).to_have_count(1)
    assert panel.errors == []
