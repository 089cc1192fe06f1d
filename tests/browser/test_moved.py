"""A page may move the assistant, take it away and bring it back: it goes on, is asked once, and leaves nothing behind."""

from __future__ import annotations

import pytest
from panel import PanelPage, at_rest
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser

MOVE = "document.body.prepend(document.querySelector('ask-book'))"
PAGE = """[
  [...document.body.children].filter(element => element.inert).length,
  getComputedStyle(document.documentElement).overflowY,
  getComputedStyle(document.body).paddingInlineEnd,
]"""
"""What a panel changes of the page: what is out of reach, whether it scrolls, and the room beside it."""
DRESSED = """() => {
  const { shadowRoot } = document.querySelector("ask-book")
  const looks = () => [".panel", ".prose"].map(name => {
    const { position, fontSize, backgroundColor } = getComputedStyle(shadowRoot.querySelector(name))
    return [position, fontSize, backgroundColor, shadowRoot.querySelector(name).getBoundingClientRect().width]
  })
  const before = looks()
  document.body.prepend(document.querySelector("ask-book"))
  return [before, looks()]
}"""
"""How the panel looks before it is moved, and in the same moment after."""
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


def test_what_is_moved_stays_dressed(panel: PanelPage) -> None:
    panel.open()
    panel.ask("What are stop words?")
    panel.wait()
    before, after = panel.page.evaluate(DRESSED)
    assert before[0][0] == "fixed"
    assert after == before


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


@pytest.mark.parametrize("width", [390, 1400], ids=["a sheet", "docked"])
def test_what_is_taken_away_while_it_is_open_gives_the_page_back_until_it_returns(
    browser: Browser, site: str, width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    closed = panel.page.evaluate(PAGE)
    panel.open()
    opened = panel.page.evaluate(PAGE)
    assert opened != closed
    panel.page.evaluate("globalThis.kept = document.querySelector('ask-book'); kept.remove()")
    assert panel.page.evaluate(PAGE) == closed
    panel.page.set_viewport_size({"width": width, "height": 700})
    panel.page.wait_for_timeout(200)
    assert panel.page.evaluate(PAGE) == closed
    panel.page.evaluate("document.body.append(kept)")
    assert panel.page.evaluate(PAGE) == opened
    panel.button("Close").click()
    assert panel.page.evaluate(PAGE) == closed
    assert panel.errors == []
    context.close()


def test_a_sheet_inside_a_part_of_the_page_stays_within_reach(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800})
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    panel.page.evaluate("document.body.appendChild(document.createElement('div')).append(document.querySelector('ask-book'))")
    panel.open()
    panel.button("Close").click()
    expect(panel.region).to_have_count(0)
    context.close()


@pytest.mark.parametrize("away", [False, True], ids=["moved", "taken away and brought back"])
def test_a_conversation_stands_where_it_was_read(panel: PanelPage, away: bool) -> None:
    panel.open()
    for question in ["What are stop words?", "skip pointers", "postings list"]:
        panel.ask(question)
        panel.wait()
    panel.log.evaluate("log => log.scrollTo({ top: log.scrollHeight / 2 })")
    assert at_rest(panel.log) > 0
    before = panel.answers.nth(1).bounding_box()
    if away:
        panel.page.evaluate("globalThis.kept = document.querySelector('ask-book'); kept.remove()")
        panel.page.wait_for_timeout(300)
        panel.page.evaluate("document.body.append(kept)")
    else:
        panel.page.evaluate(MOVE)
    panel.page.wait_for_function("document.querySelector('ask-book').shadowRoot.querySelector('.log').scrollTop > 0")
    at_rest(panel.log)
    assert panel.answers.nth(1).bounding_box() == before
    assert panel.errors == []
