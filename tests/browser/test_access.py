"""axe finds nothing in any state of the panel that it does not find on the page without it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fakes.endpoint import Answer, Call, Endpoint, call, text
from looks import Looks
from panel import PanelPage
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser

ANSWER = "A **map** of terms [1].\n\n```python\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
DOWNLOADABLE = "globalThis.LanguageModel = { availability: async () => 'downloadable', create: () => new Promise(() => {}) }"
RUNG = re.compile("^The browser's own model")


@pytest.fixture(params=[(scheme, width) for scheme in ("light", "dark") for width in (1280, 390)], ids=str)
def look(request: pytest.FixtureRequest, browser: Browser, site: str) -> Iterator[Looks]:
    """The page, light and dark, on a desktop and on a phone."""
    scheme, width = request.param
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme, reduced_motion="reduce")
    context.add_init_script(DOWNLOADABLE)
    yield Looks(context.new_page(), site, "en/1-inverted-index/")
    context.close()


def test_no_state_of_the_panel_adds_a_violation(look: Looks) -> None:
    panel = look.panel
    look("closed")
    panel.open()
    look("open")
    panel.button("Settings").click()
    expect(panel.page.locator("ask-book").get_by_role("button", name=RUNG)).to_be_enabled()
    look("settings")
    panel.button("Back").click()
    look.at_answers("What is an inverted index?", ANSWER)
    panel.button("New thread").click()
    expect(panel.page.get_by_role("tab")).to_have_count(2)
    look("tabs")
    panel.button("History").click()
    look("history")
    assert look.found == {}


def test_nothing_that_unfolds_or_comes_up_adds_a_violation(look: Looks) -> None:
    panel = look.panel
    planned = Answer(
        reasoning="The reader wants a definition.", text="I look it up.", calls=(Call("book_retrieve", {"question": "postings"}),)
    )
    program = call("python_exec", {"code": "print(6 * 7)"})
    with Endpoint([planned, text(ANSWER), program, text("Not computed.")], models=("scripted", "other")) as endpoint:
        panel.page.locator("main p").first.evaluate("at => getSelection().selectAllChildren(at)")
        expect(panel.page.get_by_role("button", name="Ask about this")).to_be_visible()
        look("text selected")
        panel.page.evaluate("getSelection().removeAllRanges()")
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        answer = panel.wait()
        for folded in (".reasoning", "details[data-tool]", ".also-read"):
            answer.locator(f"{folded} > summary").click()
        expect(answer.locator(".plan")).to_be_visible()
        look("thought, plan, lookup and sources unfolded")
        answer.locator(".answer-more summary").click()
        look("more of an answer")
        answer.locator("a.cite-ref").first.click()
        look("a source pointed out")
        panel.field.press_sequentially("@")
        expect(panel.page.get_by_role("option")).not_to_have_count(0)
        look("chapters to pick from")
        panel.page.get_by_role("option").first.click()
        look("a chapter picked")
        panel.ask("How much is six times seven?")
        expect(panel.button("Do not run")).to_be_visible(timeout=60_000)
        look("a program to be allowed")
        panel.button("Do not run").click()
        panel.wait()
        panel.page.context.set_offline(True)
        expect(panel.region).to_contain_text("offline")
        look("offline")
        panel.page.context.set_offline(False)
        panel.button("Settings").click()
        panel.button("Test").click()
        expect(panel.button("Test")).to_be_enabled(timeout=30_000)
        look("a model tested")
        panel.page.get_by_role("radio", name="With passphrase").check()
        look("a passphrase asked for")
        panel.button("Save").click()
        panel.button("Delete").click()
        look("a model about to be deleted")
        panel.button("Cancel").click()
        panel.button("Forget everything").click()
        look("everything about to be forgotten")
        panel.button("Cancel").locator("visible=true").click()
        panel.button("Back").click()
    panel.button("History").click()
    panel.page.get_by_role("searchbox").fill("map")
    expect(panel.page.locator("ask-book .thread-found")).to_be_visible(timeout=30_000)
    look("history searched")
    panel.page.locator("ask-book .thread-tools button").nth(1).click()
    look("a thread renamed")
    panel.page.keyboard.press("Escape")
    panel.page.locator("ask-book .thread-tools button").last.click()
    expect(panel.button("Undo")).to_be_visible()
    look("a thread deleted, with a way back")
    assert look.found == {}


ACROSS = """() => {
  const root = document.querySelector("ask-book").shadowRoot
  const parts = [...root.querySelectorAll(".panel, .head, .log, .composer, .page-body, .thread-list")]
  const across = at => at.scrollWidth > at.clientWidth + 1 || at.getBoundingClientRect().right > innerWidth + 1
  return parts.filter(at => at.getClientRects().length && across(at)).map(at => at.className)
}"""


@pytest.mark.parametrize("size", [(320, 1024), (320, 256)])
def test_at_400_percent_everything_is_reached_by_scrolling_one_way(browser: Browser, site: str, size: tuple[int, int]) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    panel.open()
    panel.ask("What is an inverted index?")
    panel.wait()
    found = panel.page.evaluate(ACROSS)
    assert panel.log.evaluate("log => log.clientHeight") > 100
    panel.field.focus()
    expect(panel.field).to_be_in_viewport()
    for name in ("History", "Settings"):
        panel.button(name).click()
        found += panel.page.evaluate(ACROSS)
    panel.button("Test").scroll_into_view_if_needed()
    expect(panel.button("Test")).to_be_in_viewport()
    context.close()
    assert found == []


def test_on_a_page_from_right_to_left_the_panel_is_mirrored(panel: PanelPage) -> None:
    panel.page.evaluate("document.documentElement.dir = document.body.dir = 'rtl'")
    panel.open()
    panel.ask("What is an inverted index?")
    panel.wait()
    region, close, title = (part.bounding_box() for part in (panel.region, panel.button("Close"), panel.region.locator("h2")))
    assert region is not None
    assert close is not None
    assert title is not None
    assert (region["x"], close["x"] < title["x"]) == (0, True)
    handle = panel.page.get_by_role("separator", name="Width of the panel").bounding_box()
    assert handle is not None
    assert handle["x"] > 300
    panel.page.get_by_role("separator", name="Width of the panel").press("ArrowRight")
    wider = panel.region.bounding_box()
    assert wider is not None
    assert wider["width"] > region["width"]
    expect(panel.status).to_have_css("unicode-bidi", "plaintext")
    expect(panel.status).to_have_css("text-align", "right")
    panel.button("Settings").click()
    expect(panel.button("Back").locator("svg")).to_have_css("transform", "matrix(-1, 0, 0, 1, 0, 0)")
