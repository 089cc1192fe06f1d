"""Where the panel stands and what it wears: beside the page or over it, as wide as wanted, in the clothes of any theme."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from panel import PanelPage
from playwright.sync_api import Browser, BrowserContext, Page, expect

pytestmark = pytest.mark.browser

LOOKS = """() => {
  const region = document.querySelector("ask-book").shadowRoot.querySelector(".panel")
  const shown = getComputedStyle(region)
  return [shown.fontFamily, shown.backgroundColor, shown.color]
}"""
LAYERS = """() => {
  const style = element => getComputedStyle(element)
  const isBar = element => ["fixed", "sticky"].includes(style(element).position) && element.getClientRects().length
  const layer = element => Number(style(element).zIndex) || 0
  const panel = document.querySelector("ask-book").shadowRoot.querySelector(".panel")
  return [[...document.querySelectorAll("body *")].filter(isBar).map(layer), layer(panel)]
}"""
THEMES = ["material", "mkdocs", "readthedocs"]
MARGIN = "getComputedStyle(document.body).paddingInlineEnd"


def looks(page: Page) -> list[str]:
    """Font, ground and ink of the panel."""
    found: list[str] = page.evaluate(LOOKS)
    return found


def test_beside_the_page_it_leaves_the_page_its_room_and_over_it_it_does_not(panel: PanelPage) -> None:
    panel.open()
    region = panel.region.bounding_box()
    assert region is not None
    assert panel.page.evaluate(MARGIN) == f"{region['width']:g}px"
    text = panel.page.locator("article p").first.bounding_box()
    assert text is not None
    assert text["x"] + text["width"] <= region["x"]
    panel.button("Beside the page").click()
    expect(panel.button("Beside the page")).to_have_attribute("aria-pressed", "false")
    assert panel.page.evaluate(MARGIN) == "0px"
    panel.page.reload()
    expect(panel.button("Beside the page")).to_have_attribute("aria-pressed", "false")
    assert panel.page.evaluate(MARGIN) == "0px"
    panel.button("Close").click()
    expect(panel.region).to_have_count(0)


def test_a_page_is_printed_as_if_there_were_no_panel(panel: PanelPage) -> None:
    panel.open()
    panel.page.emulate_media(media="print")
    assert panel.page.evaluate(MARGIN) == "0px"
    expect(panel.region).to_be_hidden()
    panel.page.emulate_media(media="screen")
    assert panel.page.evaluate(MARGIN) != "0px"


def test_a_page_is_printed_whole_while_a_sheet_covers_it(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800})
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    panel.open()
    overflow = "getComputedStyle(document.documentElement).overflowY"
    assert panel.page.evaluate(overflow) == "hidden"
    panel.page.emulate_media(media="print")
    assert panel.page.evaluate(overflow) != "hidden"
    context.close()


def test_on_a_page_too_narrow_for_both_it_floats(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    panel.open()
    assert panel.page.evaluate(MARGIN) == "0px"
    panel.page.set_viewport_size({"width": 1400, "height": 800})
    expect(panel.region).to_be_visible()
    panel.page.wait_for_function(f"{MARGIN} !== '0px'")
    context.close()


def test_its_width_is_drawn_or_stepped_within_bounds_and_kept(panel: PanelPage) -> None:
    panel.open()
    handle = panel.page.get_by_role("separator", name="Width of the panel")
    box = handle.bounding_box()
    assert box is not None
    panel.page.mouse.move(box["x"] + box["width"] / 2, 400)
    panel.page.mouse.down()
    panel.page.mouse.move(box["x"] + box["width"] / 2 - 120, 400, steps=4)
    panel.page.mouse.up()
    expect(handle).to_have_attribute("aria-valuenow", "520")
    handle.press("ArrowRight")
    expect(handle).to_have_attribute("aria-valuenow", "496")
    panel.page.reload()
    expect(handle).to_have_attribute("aria-valuenow", "496")
    handle.press("End")
    expect(handle).to_have_attribute("aria-valuenow", "538")  # what is left of the window is still a page
    panel.button("Beside the page").click()
    handle.press("End")
    expect(handle).to_have_attribute("aria-valuenow", "720")
    handle.press("Home")
    expect(handle).to_have_attribute("aria-valuenow", "320")


def test_its_width_is_changed_by_a_press_alone_too(panel: PanelPage) -> None:
    panel.open()
    handle = panel.page.get_by_role("separator", name="Width of the panel")
    for width in ("520", "538", "320"):  # what is left of the window is still a page, and then it begins anew
        handle.click()
        expect(handle).to_have_attribute("aria-valuenow", width)


@pytest.fixture(scope="module")
def themed(
    tmp_path_factory: pytest.TempPathFactory, build_site: Callable[[Path, Path], Path], serve: Callable[..., str]
) -> dict[str, str]:
    """Addresses of one small book in each theme."""
    addresses = {}
    for theme in THEMES:
        project = tmp_path_factory.mktemp(theme)
        (project / "docs").mkdir()
        (project / "docs/index.md").write_text("# Bread\n\nA dough is [kneaded](#bread) for ten minutes.\n", encoding="utf-8")
        more = ", font: false" if theme == "material" else ""
        (project / "mkdocs.yml").write_text(
            f"site_name: Bread\ntheme: {{name: {theme}{more}}}\nplugins: [search, askbook]\n", encoding="utf-8"
        )
        addresses[theme] = serve(build_site(project / "mkdocs.yml", project / "site"), base=f"/books/{theme}/")
    return addresses


@pytest.mark.parametrize("theme", THEMES)
def test_it_wears_the_font_and_the_ground_of_every_theme_and_its_button_stands_in_view(
    context: BrowserContext, themed: dict[str, str], theme: str
) -> None:
    panel = PanelPage(context.new_page(), themed[theme])
    panel.visit()
    expect(panel.opener).to_be_in_viewport()
    panel.open()
    family, ground, _ = looks(panel.page)
    assert family == panel.page.evaluate("getComputedStyle(document.body).fontFamily")
    assert ground in panel.page.evaluate(
        "[document.body, document.documentElement].map(at => getComputedStyle(at).backgroundColor).concat('rgb(255, 255, 255)')"
    )
    panel.ask("How long is dough kneaded?")
    expect(panel.wait()).to_contain_text("ten minutes")
    text = panel.page.get_by_text("A dough is").first.bounding_box()
    region = panel.region.bounding_box()
    assert text is not None
    assert region is not None
    assert text["x"] + text["width"] <= region["x"]


@pytest.mark.parametrize("theme", THEMES)
def test_its_button_stands_in_view_on_a_phone_and_when_a_window_becomes_as_narrow(
    context: BrowserContext, themed: dict[str, str], theme: str
) -> None:
    panel = PanelPage(context.new_page(), themed[theme])
    panel.page.set_viewport_size({"width": 390, "height": 800})
    panel.visit()
    expect(panel.opener).to_be_in_viewport(ratio=1)
    for width in (1280, 390):
        panel.page.set_viewport_size({"width": width, "height": 800})
        expect(panel.opener).to_be_in_viewport(ratio=1)
    panel.open()
    bars, own = panel.page.evaluate(LAYERS)
    assert max(bars, default=0) < own


def test_a_page_chooses_colours_and_font_by_variables_and_what_cannot_be_read_is_not_taken(
    context: BrowserContext, themed: dict[str, str]
) -> None:
    panel = PanelPage(context.new_page(), themed["mkdocs"])
    panel.visit()
    style = ":root { --askbook-ground: #102030; --askbook-ink: #f0e8d8; --askbook-accent: #11222f; --askbook-font: Courier }"
    panel.page.add_style_tag(content=style)
    panel.open()
    assert looks(panel.page) == ["Courier", "rgb(16, 32, 48)", "rgb(240, 232, 216)"]
    accent = panel.page.evaluate("document.querySelector('ask-book').style.getPropertyValue('--ab-accent')")
    assert accent not in ("", "rgb(17 34 47)")


AROUND = """document.addEventListener("readystatechange", () => {
  if (document.readyState !== "interactive") return
  const around = document.createElement("div")
  around.style.cssText = "--askbook-ground: #102030; --askbook-ink: #f0e8d8; --askbook-font: Courier"
  around.append(document.createElement("ask-book"))
  document.body.append(around)
})"""


def test_the_variables_may_stand_on_any_element_around_the_panel(panel: PanelPage) -> None:
    panel.page.add_init_script(AROUND)
    panel.page.reload()
    panel.open()
    assert looks(panel.page) == ["Courier", "rgb(16, 32, 48)", "rgb(240, 232, 216)"]
