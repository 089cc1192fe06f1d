"""For every hand, eye and ear: targets large enough, one order of focus, no needless motion, and announcements in their place."""

from __future__ import annotations

import pytest
from fakes.endpoint import Endpoint, text
from panel import PanelPage
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser

SMALL = """([wide, high]) => {
  const root = document.querySelector("ask-book").shadowRoot
  const small = element => {
    const { width, height } = element.getBoundingClientRect()
    return width && (width < wide || height < high) && !element.closest(".text, .source-quote, p")
  }
  const targets = "button, summary, select, textarea, input:not([type=radio], [type=checkbox], [type=file])"
  const named = element => `${element.tagName} ${element.className} ${element.textContent}`
  return [...root.querySelectorAll(targets)].filter(small).map(named)
}"""
"""Targets smaller than so wide and so high; within a sentence they may be."""
ORDER = """() => {
  const at = document.activeElement.shadowRoot?.activeElement ?? document.activeElement
  return at.getAttribute("aria-label") ?? at.getAttribute("title") ?? at.textContent.trim().slice(0, 30)
}"""
MOVING = """() => {
  const root = document.querySelector("ask-book").shadowRoot
  return root.getAnimations().filter(one => one.playState === "running" && one.effect.getTiming().duration > 1).length
}"""
HEARD = """() => {
  window.heard = []
  const { shadowRoot } = document.querySelector("ask-book")
  const line = shadowRoot.querySelector("[role=status]")
  const what = { childList: true, characterData: true, subtree: true }
  new MutationObserver(() => window.heard.push(line.textContent)).observe(line, what)
}"""


@pytest.mark.parametrize(("touch", "least"), [(True, (40, 44)), (False, (24, 24))])
def test_targets_are_large_enough_for_what_points_at_them(
    browser: Browser, site: str, touch: bool, least: tuple[int, int]
) -> None:
    width = 390 if touch else 1280
    context = browser.new_context(viewport={"width": width, "height": 844}, has_touch=touch, is_mobile=touch)
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    panel.open()
    panel.ask("What is an inverted index?")
    panel.wait()
    small = {"conversation": panel.page.evaluate(SMALL, list(least))}
    for name in ("History", "Settings"):
        panel.button(name).click()
        expect(panel.button("Back").last).to_be_visible()
        small[name] = panel.page.evaluate(SMALL, list(least))
    context.close()
    assert small == {"conversation": [], "History": [], "Settings": []}


def test_focus_goes_from_the_head_through_the_conversation_to_the_field(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.button("New thread").focus()
    seen = []
    for _ in range(40):
        seen.append(panel.page.evaluate(ORDER))
        if seen[-1] == "Your question":
            break
        panel.page.keyboard.press("Tab")
    wanted = [
        "New thread",
        "History",
        "Settings",
        "Beside the page",
        "Close",
        "Conversation",
        "Edit",
        "Copy",
        "Retry",
        "Your question",
    ]
    assert [name for name in seen if name in wanted] == wanted


def test_a_reader_who_wants_less_motion_sees_none(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 844}, reduced_motion="reduce")
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    with Endpoint([text("word " * 300, delay=0.03)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        expect(panel.answer).to_contain_text("word word", timeout=60_000)
        assert panel.page.evaluate(MOVING) == 0
    context.close()


def test_an_answer_that_grows_is_announced_by_its_stages_and_not_word_by_word(panel: PanelPage) -> None:
    with Endpoint([text("word " * 200, delay=0.01)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("warm up")
        panel.wait()
        panel.page.evaluate(HEARD)
        panel.ask("What is an inverted index?")
        expect(panel.answers).to_have_count(2)
        panel.wait()
        heard = panel.page.evaluate("heard")
    expect(panel.log).to_have_attribute("aria-live", "off")
    expect(panel.answer).to_have_attribute("aria-busy", "false")
    assert [line for line in heard if "word word" in line] == []
    assert 2 <= len(heard) <= 5
    assert heard[-1].startswith("Answer")
