"""A reader turns to a page of another book while the panel is open: it follows, and nothing of the book that was left is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.endpoint import Endpoint, text
from panel import PanelPage, until
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser

PAGES = {
    "index.md": "# Shelf\n\nThree books, to be read in any order, on this one site.\n",
    "bread/index.md": "# Bread\n\nA dough rises because yeast makes gas in it.\n",
    "bread/crust.md": "# Crust\n\nSteam keeps the crust soft until the loaf has risen.\n",
    "soup/index.md": "# Soup\n\nA broth is skimmed while it simmers, and salted late.\n",
    "zh/index.md": "# 面条\n\n面条要在沸水里煮三分钟。\n",
}
CONFIG = """
theme: {name: material, font: false, features: [navigation.instant, navigation.expand]}
plugins:
  - search
  - askbook:
      books:
        - {folder: bread, book: bread, title: On Bread, lang: en}
        - {folder: soup, book: soup, title: On Soup, lang: en}
        - {folder: zh, book: noodles, title: 面条之书, lang: zh-Hans}
nav: [{Shelf: index.md}, {Bread: bread/index.md}, {Crust: bread/crust.md}, {Soup: soup/index.md}, {Noodles: zh/index.md}]
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory, build_site: Callable[[Path, Path], Path], serve: Callable[..., str]) -> str:
    """Address of three books on one site, with Material's instant navigation."""
    project = tmp_path_factory.mktemp("shelf")
    address = serve(project / "site", base="/books/shelf/")
    for name, markdown in PAGES.items():
        (project / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (project / "docs" / name).write_text(markdown, encoding="utf-8")
    (project / "mkdocs.yml").write_text(f"site_name: Shelf\nsite_url: {address}\n{CONFIG}", encoding="utf-8")
    build_site(project / "mkdocs.yml", project / "site")
    return address


@pytest.fixture
def panel(page: Page, shelf: str) -> PanelPage:
    """The open panel on the first page of the bread book, on a page that is never loaded anew."""
    shown = PanelPage(page, shelf)
    shown.visit("bread/")
    shown.page.evaluate("window.stays = true")
    shown.open()
    return shown


def turn(panel: PanelPage, title: str) -> None:
    """Go to a page by the site's own navigation."""
    panel.page.locator("nav.md-nav--primary").get_by_role("link", name=title, exact=True).click()
    expect(panel.page.locator("article h1")).to_contain_text({"Noodles": "面条"}.get(title, title))
    assert panel.page.evaluate("window.stays")


def head(panel: PanelPage, title: str) -> None:
    """Wait until the panel is that of a book, and there is one of it."""
    expect(panel.page.locator("ask-book .panel h2")).to_have_text([title])


def test_the_panel_follows_and_the_draft_comes_along_and_the_conversation_is_one_press_away(panel: PanelPage) -> None:
    panel.ask("Why does a dough rise?")
    expect(panel.wait()).to_contain_text("yeast makes gas")
    panel.field.fill("How long are they boiled?")
    turn(panel, "Noodles")
    head(panel, "面条之书")
    chinese = panel.page.get_by_role("textbox", name="你的问题")
    expect(chinese).to_have_value("How long are they boiled?")
    expect(panel.page.locator("ask-book article")).to_have_count(0)
    chinese.fill("面条煮多久？")
    chinese.press("Enter")
    expect(panel.page.locator("ask-book article")).to_contain_text("三分钟", timeout=60_000)
    turn(panel, "Bread")
    head(panel, "On Bread")
    expect(panel.answer).to_contain_text("yeast makes gas")
    expect(panel.region).to_contain_text("Your conversation with the other book is kept: 面条之书.")
    panel.button("Back to it").click()
    head(panel, "面条之书")
    expect(panel.page.locator("ask-book article")).to_contain_text("三分钟")
    assert panel.page.url.endswith("/zh/")
    assert panel.errors == []


def test_a_page_of_no_book_and_another_page_of_the_same_one_change_nothing(panel: PanelPage) -> None:
    panel.ask("Why does a dough rise?")
    panel.wait()
    for title in ["Crust", "Shelf", "Bread"]:
        turn(panel, title)
        panel.page.wait_for_timeout(300)
        head(panel, "On Bread")
        expect(panel.answers).to_have_count(1)
    expect(panel.page.locator("ask-book .notice-bar")).to_have_count(0)


def test_an_answer_that_is_running_comes_to_its_end_and_then_the_reader_decides(panel: PanelPage) -> None:
    with Endpoint([text("word " * 300, delay=0.04), text("word ")]) as endpoint:
        panel.add_model(endpoint.url)
        panel.ask("Why does a dough rise?")
        expect(panel.answer).to_contain_text("word word", timeout=60_000)
        turn(panel, "Soup")
        offered = panel.region.get_by_text("This page belongs to another book: On Soup.")
        expect(offered).to_be_visible()
        panel.wait()
        head(panel, "On Bread")
        assert panel.answer.inner_text().count("word") == 300
        panel.button("Ask that book").click()
        head(panel, "On Soup")
        expect(panel.answers).to_have_count(0)
        expect(panel.page.locator("ask-book .model-choice")).to_contain_text("scripted")
        panel.ask("When is it salted?")
        expect(panel.answer).to_contain_text("word", timeout=60_000)
        panel.wait()
        assert endpoint.posts[-1].headers["authorization"] == "Bearer sk-test-1234"
        turn(panel, "Crust")
        head(panel, "On Bread")
        panel.wait()
        assert panel.answer.inner_text().count("word") == 300
    assert panel.errors == []


def test_going_over_while_an_answer_runs_ends_it_with_what_it_had(panel: PanelPage) -> None:
    with Endpoint([text("word " * 400, delay=0.05)]) as endpoint:
        panel.add_model(endpoint.url)
        panel.ask("Why does a dough rise?")
        expect(panel.answer).to_contain_text("word word", timeout=60_000)
        turn(panel, "Soup")
        panel.button("Ask that book").click()
        head(panel, "On Soup")
        turn(panel, "Bread")
        head(panel, "On Bread")
        panel.wait("aborted")
        expect(panel.answer).to_contain_text("word word")
    assert panel.errors == []


def test_a_source_of_another_book_leaves_the_conversation_where_it_is(panel: PanelPage) -> None:
    panel.ask("When is a broth salted?")
    expect(panel.wait()).to_contain_text("salted late")
    panel.page.locator("ask-book .source-card a, ask-book .sources a", has_text="Soup").first.click()
    expect(panel.page.locator("article h1")).to_contain_text("Soup")
    expect(panel.region.get_by_text("This page belongs to another book: On Soup.")).to_be_visible()
    head(panel, "On Bread")
    expect(panel.answers).to_have_count(1)
    panel.page.reload()
    expect(panel.region.get_by_text("This page belongs to another book: On Soup.")).to_be_visible()
    expect(panel.answer).to_contain_text("salted late")
    panel.button("Ask that book").click()
    head(panel, "On Soup")
    panel.button("Back to it").click()
    head(panel, "On Bread")
    assert panel.page.url.endswith("/bread/")
    panel.page.evaluate("window.stays = true")
    turn(panel, "Soup")
    head(panel, "On Soup")


def test_what_is_half_written_under_settings_is_not_taken_away(panel: PanelPage) -> None:
    panel.button("Settings").click()
    endpoint = panel.page.get_by_label("Endpoint", exact=True)
    panel.page.get_by_label("Provider", exact=True).select_option("generic")
    endpoint.fill("https://example.org/v1")
    turn(panel, "Noodles")
    expect(panel.region.get_by_text("This page belongs to another book: 面条之书.")).to_be_visible()
    expect(endpoint).to_have_value("https://example.org/v1")
    head(panel, "On Bread")


def test_a_closed_panel_opens_with_the_book_of_the_page(panel: PanelPage) -> None:
    panel.ask("Why does a dough rise?")
    panel.wait()
    panel.button("Close").click()
    turn(panel, "Soup")
    panel.open()
    head(panel, "On Soup")
    expect(panel.answers).to_have_count(0)


def test_a_closed_panel_keeps_its_conversations_over_pages_of_other_books(panel: PanelPage) -> None:
    panel.ask("Why does a dough rise?")
    panel.wait()
    panel.button("New thread").click()
    panel.ask("What keeps the crust soft?")
    panel.wait()
    panel.button("Close").click()
    for title in ["Soup", "Bread", "Soup"]:
        turn(panel, title)
        panel.opener.hover()
        head(panel, f"On {title}")
    turn(panel, "Bread")
    panel.open()
    head(panel, "On Bread")
    expect(panel.answer).to_contain_text("Steam keeps the crust soft")
    expect(panel.page.get_by_role("tab")).to_have_count(2)
    assert panel.errors == []


def test_words_that_do_not_come_leave_the_panel_where_it_is_till_they_do(panel: PanelPage) -> None:
    panel.button("Settings").click()
    panel.page.get_by_label("Language", exact=True).select_option("zh-Hant")
    panel.button("Back").click()
    panel.page.route("**/words/zh-hant.js*", lambda route: route.abort())
    turn(panel, "Soup")
    expect(panel.region.get_by_text("This page belongs to another book: On Soup.")).to_be_visible()
    panel.ask("Why does a dough rise?")
    expect(panel.wait()).to_contain_text("yeast makes gas")
    panel.page.unroute("**/words/zh-hant.js*")
    panel.button("Ask that book").click()
    head(panel, "On Soup")
    expect(panel.page.get_by_role("textbox", name="你的問題")).to_be_visible()
    assert panel.errors == []


def test_a_page_turned_before_the_panel_is_there_has_one_panel_of_its_own_book(page: Page, shelf: str) -> None:
    panel = PanelPage(page, shelf)
    panel.visit("bread/")
    page.evaluate("window.stays = true")
    held: list[Route] = []
    page.route("**/words/en.js*", lambda route: held.append(route))
    panel.opener.click()
    until(page, lambda: bool(held))
    page.evaluate("document.querySelector('nav.md-nav--primary a[href*=zh]').click()")
    expect(page.locator("article h1")).to_contain_text("面条")
    page.wait_for_timeout(500)
    for route in held:
        route.continue_()
    head(panel, "面条之书")
    expect(page.get_by_role("textbox", name="你的问题")).to_be_visible()
    expect(page.locator("ask-book .outline")).to_have_count(0)
    assert panel.errors == []


def test_the_way_back_on_a_phone_leads_to_the_open_panel(page: Page, shelf: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    panel = PanelPage(page, shelf)
    panel.visit("bread/")
    page.evaluate("window.stays = true")
    panel.open()
    panel.ask("Why does a dough rise?")
    panel.wait()
    page.evaluate("document.querySelector('nav.md-nav--primary a[href*=soup]').click()")
    head(panel, "On Soup")
    panel.button("Back to it").click()
    head(panel, "On Bread")
    expect(panel.answer).to_be_visible()
    expect(panel.answer).to_contain_text("yeast makes gas")
    assert panel.errors == []


def test_where_pages_are_loaded_anew_each_book_has_its_tabs_and_the_draft_stays(panel: PanelPage) -> None:
    panel.ask("Why does a dough rise?")
    panel.wait()
    panel.button("New thread").click()
    panel.ask("What keeps the crust soft?")
    panel.wait()
    panel.field.fill("and salted?")
    panel.visit("soup/")
    head(panel, "On Soup")
    expect(panel.field).to_have_value("and salted?")
    expect(panel.region).to_contain_text("Your conversation with the other book is kept: On Bread.")
    panel.button("Back to it").click()
    head(panel, "On Bread")
    expect(panel.answer).to_contain_text("Steam keeps the crust soft")
    expect(panel.page.get_by_role("tab")).to_have_count(2)
    expect(panel.field).to_have_value("and salted?")


def test_a_page_of_no_book_that_is_loaded_anew_changes_nothing(panel: PanelPage) -> None:
    panel.visit("soup/")
    head(panel, "On Soup")
    panel.ask("When is a broth salted?")
    panel.wait()
    panel.visit("")
    head(panel, "On Soup")
    expect(panel.answers).to_have_count(1)
    expect(panel.page.locator("ask-book .notice-bar")).to_have_count(0)
    panel.button("Close").click()
    panel.visit("zh/")
    panel.visit("")
    panel.opener.click()
    head(panel, "On Soup")
    other = PanelPage(panel.page.context.new_page(), panel.site)
    other.visit("")
    other.opener.click()
    head(other, "On Bread")


def test_a_book_that_is_fetched_again_ends_the_answer_that_was_growing(page: Page, shelf: str) -> None:
    panel = PanelPage(page, shelf)
    panel.visit("bread/")
    page.route("**/ai-index/*soup.json*", lambda route: route.fulfill(status=404))
    with Endpoint([text("word " * 300, delay=0.05), text("All of it.")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("Why does a dough rise?")
        expect(panel.answer).to_contain_text("word word", timeout=60_000)
        page.unroute("**/ai-index/*soup.json*")
        panel.button("Try again").click()
        expect(panel.wait("aborted", patience=5_000)).to_contain_text("word word")
        panel.ask("And then?")
        expect(panel.wait()).to_contain_text("All of it.")
    assert panel.errors == []
