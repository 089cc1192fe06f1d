"""For eyes of every kind: colours of the reader's own, text spaced wider, a focus that is always seen, borders that are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes.endpoint import Endpoint, call, text
from panel import PanelPage
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser

SPACED = """() => {
  const sheet = new CSSStyleSheet()
  const wide = "line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important"
  sheet.replaceSync(`* { ${wide} } p { margin-block-end: 2em !important }`)
  const root = document.querySelector("ask-book").shadowRoot
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}"""
CUT = """() => {
  const root = document.querySelector("ask-book").shadowRoot
  const style = at => getComputedStyle(at)
  const own = at => [...at.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim())
  const shown = at => at.getClientRects().length && own(at) && !at.closest(".visually-hidden, option")
  const short = at => style(at).textOverflow === "ellipsis" || style(at).webkitLineClamp !== "none" // told in full elsewhere
  const fits = at => at.scrollWidth <= at.clientWidth + 1 && at.scrollHeight <= at.clientHeight + 1
  const holds = at => style(at).overflowX === "visible" || short(at) || fits(at)
  const panel = root.querySelector(".panel").getBoundingClientRect()
  const inside = at => at.closest("pre, table, .cards, .math, .tabs") || at.getBoundingClientRect().right <= panel.right + 1
  const texts = [...root.querySelectorAll(".panel *")].filter(shown)
  return texts.filter(at => !holds(at) || !inside(at)).map(at => `${at.className} ${at.textContent.slice(0, 40)}`)
}"""
"""Texts that their place cuts off."""
SEEN = """() => {
  const root = document.querySelector("ask-book").shadowRoot
  const at = root.activeElement
  if (!at) return ["outside", true, true]
  const { outlineStyle, outlineWidth } = getComputedStyle(at)
  const marked = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 || at.matches(".field, .handle")
  const box = at.getBoundingClientRect()
  const middle = (from, length, most) => Math.min(Math.max(from + length / 2, 1), most - 2)
  const top = root.elementFromPoint(middle(box.x, box.width, innerWidth), middle(box.y, box.height, innerHeight))
  const name = at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 30)
  return [name, marked, at === top || at.contains(top) || Boolean(top?.contains(at))]
}"""
"""What has the focus, whether that is marked, and whether it is in sight."""


@pytest.fixture
def asked(panel: PanelPage) -> Iterator[PanelPage]:
    """A panel with a model and an answer of several parts."""
    with Endpoint(
        [call("book_retrieve", {"question": "postings"}), text("A **map** of terms [1].\n\n```python\nx = 1\n```\n")]
    ) as ep:
        panel.open()
        panel.add_model(ep.url)
        panel.ask("What is an inverted index?")
        panel.wait()
        yield panel


def test_text_that_is_spaced_wider_is_cut_nowhere(asked: PanelPage) -> None:
    asked.page.evaluate(SPACED)
    found = {"conversation": asked.page.evaluate(CUT)}
    for name in ("Settings", "History"):
        asked.button(name).click()
        expect(asked.button("Back").locator("visible=true")).to_have_count(1)
        found[name] = asked.page.evaluate(CUT)
    assert found == {"conversation": [], "Settings": [], "History": []}


@pytest.mark.parametrize("width", [1280, 390])
def test_the_focus_is_marked_and_in_sight_wherever_it_goes(asked: PanelPage, width: int) -> None:
    asked.page.set_viewport_size({"width": width, "height": 640})
    lost = []
    for view in ("conversation", "Settings", "History"):
        if view != "conversation":
            asked.button(view).click()
            expect(asked.button("Back").locator("visible=true")).to_have_count(1)
        asked.button("New thread").focus()
        for _ in range(60):
            asked.page.keyboard.press("Tab")
            name, marked, seen = asked.page.evaluate(SEEN)
            if name in ("outside", "New thread"):
                break
            lost += [] if marked and seen else [(view, name, marked, seen)]
    assert lost == []


CHOSEN = """names => {
  const root = document.querySelector("ask-book").shadowRoot
  const look = at => {
    const { backgroundColor, color, outlineStyle, borderBlockEndColor } = getComputedStyle(at)
    return [backgroundColor, color, outlineStyle, borderBlockEndColor].join()
  }
  return names.map(([chosen, other]) => look(root.querySelector(chosen)) !== look(root.querySelector(other)))
}"""


READABLE = """() => {
  const root = document.querySelector("ask-book").shadowRoot
  const looks = at => [getComputedStyle(at).color, getComputedStyle(at).backgroundColor]
  const probe = document.createElement("input")
  document.body.append(probe)
  const wanted = looks(probe).join()
  probe.remove()
  const fields = "select, input:not([type=radio], [type=checkbox])"
  const shown = [...root.querySelectorAll(fields)].filter(at => at.getClientRects().length)
  return shown.filter(at => looks(at).join() !== wanted).map(at => `${at.tagName} ${at.className} ${looks(at)}`)
}"""
"""Fields that are not in the colours the reader has chosen for fields."""


def test_in_the_readers_own_colours_what_is_chosen_and_focused_is_told_apart(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, forced_colors="active")
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    panel.open()
    panel.ask("What is an inverted index?")
    panel.wait()
    panel.button("New thread").click()
    expect(panel.page.get_by_role("tab")).to_have_count(2)
    tabs = [".tab[aria-selected=true]", ".tab[aria-selected=false]"]
    assert panel.page.evaluate(CHOSEN, [tabs, [".icon-button[aria-pressed=true]", ".icon-button[aria-label=Close]"]]) == [
        True,
        True,
    ]
    panel.field.focus()
    expect(panel.page.locator("ask-book .composer")).to_have_css("outline-style", "solid")
    handle = panel.page.get_by_role("separator", name="Width of the panel")
    resting = handle.evaluate("at => getComputedStyle(at).backgroundColor")
    handle.focus()
    panel.page.keyboard.press("ArrowLeft")
    assert handle.evaluate("at => getComputedStyle(at).backgroundColor") != resting
    assert panel.page.evaluate(READABLE) == []
    panel.button("Settings").click()
    expect(panel.button("Back").locator("visible=true")).to_have_count(1)
    assert panel.page.evaluate(READABLE) == []
    assert panel.page.evaluate(CHOSEN, [[".rung[aria-pressed=true]", ".rung[aria-pressed=false]"]]) == [True]
    context.close()


BORDER = """selector => {
  const at = document.querySelector("ask-book").shadowRoot.querySelector(selector)
  const scale = text => (text.startsWith("color") ? 255 : 1)
  const channels = text => text.match(/[\\d.]+/g).map(found => Number(found) * scale(text))
  const luminance = text => {
    const [r, g, b] = channels(text).map(value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const { borderTopColor, backgroundColor } = getComputedStyle(at)
  const [low, high] = [luminance(borderTopColor), luminance(backgroundColor)].sort((one, other) => one - other)
  return (high + 0.05) / (low + 0.05)
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_written_in_has_a_border_that_is_seen(browser: Browser, site: str, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce"
    )
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    panel.open()
    panel.opener.focus()
    seen = [panel.page.evaluate(BORDER, ".composer")]
    panel.button("Settings").click()
    expect(panel.button("Back").locator("visible=true")).to_have_count(1)
    seen.append(panel.page.evaluate(BORDER, ".page-body input.input"))
    context.close()
    assert min(seen) >= 3
