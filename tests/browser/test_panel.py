"""The panel in the hand: keys, focus, places, settings, history, languages, and nothing lost."""

from __future__ import annotations

import re

import pytest
from fakes.endpoint import Endpoint, text
from panel import PanelPage, at_rest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser


def test_it_is_a_region_with_the_names_everyone_relies_on(panel: PanelPage) -> None:
    panel.open()
    expect(panel.page.get_by_role("complementary", name="Ask this book")).to_be_visible()
    expect(panel.log).to_be_visible()
    for name in ("Send", "New thread", "History", "Settings", "Close"):
        expect(panel.button(name)).to_be_visible()
    expect(panel.status).to_have_count(1)
    panel.button("Settings").click()
    for name in (
        "Provider", "Endpoint", "API key", "Model", "Passages", "Context limit", "Answer limit", "Mode", "Temperature",
        "Language",
        "This tab", "This device", "With passphrase",
    ):  # fmt: skip
        expect(panel.page.get_by_label(name, exact=True)).to_be_visible()
    for name in ("Test", "Forget everything"):
        expect(panel.button(name)).to_be_visible()


def test_the_shortcut_opens_and_escape_closes_and_focus_returns_where_it_was(panel: PanelPage) -> None:
    link = panel.page.get_by_role("link", name="Chapter 2: Weighing Terms").first
    link.focus()
    panel.page.keyboard.press("Control+i")
    expect(panel.field).to_be_focused()
    panel.page.keyboard.press("Escape")
    expect(panel.region).to_be_hidden()
    expect(link).to_be_focused()


def test_the_shortcut_does_nothing_inside_a_text_field(panel: PanelPage) -> None:
    panel.page.evaluate("document.body.prepend(Object.assign(document.createElement('textarea'), {id: 'own'}))")
    panel.page.locator("#own").focus()
    panel.page.keyboard.press("Control+i")
    panel.page.wait_for_timeout(300)
    expect(panel.region).to_be_hidden()


def test_keys_typed_in_the_panel_do_not_reach_the_page(panel: PanelPage) -> None:
    panel.open()
    panel.page.keyboard.type("/s and f")
    expect(panel.field).to_have_value("/s and f")
    expect(panel.field).to_be_focused()


def test_an_input_method_composing_never_sends(panel: PanelPage) -> None:
    panel.open()
    panel.field.fill("倒排")
    panel.field.dispatch_event(
        "keydown", {"key": "Enter", "isComposing": True, "keyCode": 229, "bubbles": True, "composed": True}
    )
    expect(panel.answers).to_have_count(0)
    panel.field.press("Shift+Enter")
    expect(panel.field).to_have_value("倒排\n")
    expect(panel.answers).to_have_count(0)


def test_a_keydown_without_a_key_opens_nothing_and_is_no_error(panel: PanelPage) -> None:
    panel.page.evaluate("document.body.dispatchEvent(new Event('keydown', { bubbles: true }))")
    panel.page.keyboard.press("Control+i")
    expect(panel.field).to_be_focused()
    assert panel.errors == []


def test_on_a_phone_it_is_a_sheet_and_the_page_behind_is_out_of_reach(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    panel.open()
    sheet = panel.page.get_by_role("dialog", name="Ask this book")
    expect(sheet).to_be_visible()
    box = sheet.bounding_box()
    assert box is not None
    assert (box["x"], box["y"], box["width"]) == (0, 0, 390)
    assert panel.page.evaluate("[...document.body.children].filter(e => e.inert).length > 0")
    panel.button("Close").click()
    assert panel.page.evaluate("[...document.body.children].filter(e => e.inert).length") == 0
    context.close()


def test_a_key_is_kept_for_the_tab_only_and_shown_by_its_last_four_characters(panel: PanelPage) -> None:
    with Endpoint([text("Yes.")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url, key="sk-very-secret-9876")
        panel.button("Settings").click()
        expect(panel.page.get_by_text("Saved, ends in 9876")).to_be_visible()
        assert "very-secret" not in panel.page.evaluate("document.querySelector('ask-book').shadowRoot.innerHTML")
        assert panel.page.evaluate("JSON.stringify(localStorage)").count("very-secret") == 0
        panel.page.get_by_label("Endpoint", exact=True).fill("https://elsewhere.example/v1")
        expect(panel.page.get_by_text("Saved, ends in 9876")).to_be_hidden()


def test_a_locked_key_opens_after_a_reload_with_its_passphrase(panel: PanelPage) -> None:
    with Endpoint([text("Yes, indeed.")]) as endpoint:
        panel.open()
        panel.button("Settings").click()
        panel.page.get_by_label("Provider", exact=True).select_option("generic")
        panel.page.get_by_label("Endpoint", exact=True).fill(endpoint.url)
        panel.page.get_by_label("API key", exact=True).fill("sk-locked-4321")
        panel.page.get_by_label("With passphrase", exact=True).check()
        panel.page.get_by_label("Passphrase", exact=True).fill("open sesame")
        panel.page.get_by_label("Model", exact=True).fill("scripted")
        panel.button("Save").click()
        expect(panel.status).to_have_text("Saved.")
        assert "sk-locked" not in panel.page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
        panel.page.reload()
        panel.button("Settings").click()
        panel.page.get_by_label("Passphrase", exact=True).fill("open sesame")
        panel.button("Unlock").click()
        expect(panel.page.get_by_text("Saved, ends in 4321")).to_be_visible()
        panel.button("Back").click()
        panel.ask("Is it so?")
        panel.wait()
        assert endpoint.posts[-1].headers["authorization"] == "Bearer sk-locked-4321"


def test_the_test_button_says_what_is_right_or_wrong(panel: PanelPage) -> None:
    with Endpoint([text("OK")], models=("small", "large")) as endpoint:
        panel.open()
        panel.add_model(endpoint.url, model="small")
        panel.button("Settings").click()
        panel.button("Test").click()
        expect(panel.status).to_have_text("It works: small answered.", timeout=60_000)


def test_forget_everything_does(panel: PanelPage) -> None:
    with Endpoint([text("Yes.")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("Is it so?")
        panel.wait()
        panel.button("Settings").click()
        panel.button("Forget everything").click()
        panel.page.get_by_role("group", name="Key and privacy").get_by_role("button", name="Delete").click()
        expect(panel.status).to_have_text("Everything is deleted.")
        kept = panel.page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
        assert "sk-" not in kept
        assert endpoint.url not in kept
        panel.button("History").click()
        expect(panel.page.get_by_text("No conversations yet.")).to_be_visible()


def test_what_is_deleted_while_it_is_answered_does_not_come_back(panel: PanelPage) -> None:
    with Endpoint([text("word " * 200, delay=0.02), text("word " * 200, delay=0.02)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("Is it so?")
        expect(panel.answer).to_contain_text("word word", timeout=60_000)
        panel.button("History").click()
        panel.button("Delete: Is it so?").click()
        panel.page.wait_for_timeout(2500)  # longer than between two times of keeping
        panel.button("Back").last.click()
        panel.button("History").click()
        expect(panel.page.get_by_text("No conversations yet.")).to_be_visible()
        panel.button("Back").last.click()
        panel.ask("And this?")
        expect(panel.answer).to_contain_text("word word", timeout=60_000)
        panel.button("Settings").click()
        panel.button("Forget everything").click()
        panel.page.get_by_role("group", name="Key and privacy").get_by_role("button", name="Delete").click()
        expect(panel.status).to_have_text("Everything is deleted.")
        panel.page.wait_for_timeout(2500)
        panel.button("History").click()
        expect(panel.page.get_by_text("No conversations yet.")).to_be_visible()


def test_what_is_deleted_while_it_is_answered_comes_back_with_what_had_come(panel: PanelPage) -> None:
    with Endpoint([text("word " * 200, delay=0.02)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("Is it so?")
        expect(panel.answer).to_contain_text("word word", timeout=60_000)
        panel.button("History").click()
        panel.page.wait_for_timeout(1000)
        came = panel.page.locator("ask-book article .text").text_content() or ""
        panel.button("Delete: Is it so?").click()
        panel.button("Undo").click()
        panel.page.locator("ask-book .thread-open").click()
        panel.wait("aborted")
        expect(panel.answer).to_contain_text(came.strip())
        panel.page.reload()
        expect(panel.answer).to_contain_text(came.strip())


def test_a_conversation_is_there_after_a_reload_with_its_marks_and_sources(panel: PanelPage) -> None:
    with Endpoint([text("A **map** of terms [1].")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait()
        panel.page.reload()
        answer = panel.answer
        expect(answer).to_contain_text("A map of terms", timeout=60_000)
        expect(answer.locator("a.cite-ref")).to_have_count(1)
        expect(answer.get_by_role("list", name="Sources").get_by_role("link")).to_have_count(1)


def test_threads_are_found_pinned_renamed_and_deleted_with_a_way_back(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.button("New thread").click()
    panel.ask("skip pointers")
    panel.wait()
    panel.button("History").click()
    threads = panel.page.locator("ask-book .thread-line")
    expect(threads).to_have_count(2)
    panel.page.get_by_label("Search conversations").fill("stop")
    expect(threads).to_have_count(1)
    panel.page.get_by_label("Search conversations").fill("")
    panel.button("Delete: stop words").click()
    expect(threads).to_have_count(1)
    panel.button("Undo").click()
    expect(threads).to_have_count(2)
    panel.button("Pin: stop words").click()
    expect(panel.page.locator("ask-book .thread-list h4").first).to_have_text("Pinned")
    panel.button("Rename: stop words").click()
    panel.page.get_by_label("Rename", exact=True).fill("On stop words")
    panel.page.keyboard.press("Enter")
    expect(threads.first).to_contain_text("On stop words")
    threads.first.get_by_role("button").first.click()
    expect(panel.log).to_contain_text("stop words")


def test_escape_gives_up_a_search_first_and_leaves_the_history_then(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.button("History").click()
    search = panel.page.get_by_role("searchbox", name="Search conversations")
    search.fill("skip pointers")
    expect(panel.page.locator("ask-book .thread-line")).to_have_count(0)
    search.press("Escape")
    expect(search).to_have_value("")
    expect(panel.page.locator("ask-book .thread-line")).to_have_count(1)
    search.press("Escape")
    expect(panel.log).to_be_visible()
    expect(panel.button("History")).to_be_focused()


def test_an_edited_question_goes_on_in_a_thread_of_its_own(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.field.press("ArrowUp")
    expect(panel.field).to_have_value("stop words")
    panel.ask("skip pointers")
    panel.wait()
    expect(panel.answers).to_have_count(1)
    panel.button("History").click()
    expect(panel.page.locator("ask-book .thread-line")).to_have_count(2)


def test_a_running_answer_survives_instant_navigation(page: Page, instant_site: str) -> None:
    panel = PanelPage(page, instant_site)
    panel.visit()
    panel.page.evaluate("window.stays = true")
    with Endpoint([text("word " * 200, delay=0.02)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        expect(panel.answer).to_contain_text("word word", timeout=60_000)
        panel.page.get_by_role("link", name="Second").first.click()
        panel.page.wait_for_url("**/second/")
        assert panel.page.evaluate("window.stays")
        expect(panel.opener).to_have_count(1)
        panel.wait()
        assert panel.answer.inner_text().count("word") == 200
        panel.ask("And here?")
        panel.wait()
        assert "Second" in str(endpoint.posts[-1].body["messages"])


def test_a_link_with_a_question_fills_it_in_also_where_pages_change_in_place(page: Page, instant_site: str) -> None:
    panel = PanelPage(page, instant_site)
    panel.visit()
    page.evaluate("window.stays = true")
    page.locator("article").evaluate(
        "(article, site) => article.insertAdjacentHTML('beforeend', `<a href='${site}second/?ask=Why+so%3F'>Ask why</a>`)",
        instant_site,
    )
    page.get_by_role("link", name="Ask why").click()
    expect(panel.field).to_have_value("Why so?")
    assert page.url == f"{instant_site}second/"
    panel.field.fill("Something else")
    page.go_back()
    page.wait_for_url(instant_site)
    page.go_forward()
    page.wait_for_url("**/second/")
    assert page.evaluate("window.stays")
    expect(panel.field).to_have_value("Something else")
    expect(panel.answers).to_have_count(0)
    assert panel.errors == []


def test_reading_above_is_not_pulled_down_by_new_text(panel: PanelPage) -> None:
    with Endpoint([text("word and another line\n\n" * 300, delay=0.004)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        expect(panel.answer).to_contain_text("word", timeout=60_000)
        panel.page.wait_for_function("document.querySelector('ask-book').shadowRoot.querySelector('.log').scrollTop > 200")
        panel.log.hover()
        panel.page.mouse.wheel(0, -2000)
        top = at_rest(panel.log)
        height = panel.log.evaluate("log => log.scrollHeight")
        panel.page.wait_for_function(
            "height => document.querySelector('ask-book').shadowRoot.querySelector('.log').scrollHeight > height + 300",
            arg=height,
        )
        assert panel.log.evaluate("log => log.scrollTop") == top
        panel.button("New text below").click()
        panel.wait()
        at_rest(panel.log)
        assert panel.log.evaluate("log => log.scrollHeight - log.scrollTop - log.clientHeight") < 64


def test_it_speaks_the_language_of_the_page_or_the_one_that_was_chosen(panel: PanelPage) -> None:
    panel.visit("zh/1-inverted-index/")
    panel.page.get_by_role("button", name="问问这本书").click()
    expect(panel.page.get_by_role("textbox", name="你的问题")).to_be_focused()
    panel.page.get_by_role("textbox", name="你的问题").fill("什么是倒排索引？")
    panel.page.keyboard.press("Enter")
    expect(panel.page.locator("ask-book article").last).to_have_attribute("data-state", "completed", timeout=60_000)
    expect(panel.page.locator("ask-book article").last).to_contain_text("词项到其倒排列表的映射")


def test_chinese_stands_in_the_fonts_of_the_page(panel: PanelPage) -> None:
    panel.visit("zh/1-inverted-index/")
    panel.page.get_by_role("button", name="问问这本书").click()
    shown = panel.page.locator("ask-book .panel")
    page = panel.page.locator("html").get_attribute("lang") or ""
    expect(shown).to_have_attribute("lang", page)
    expect(panel.page.locator("ask-book")).to_have_attribute("lang", "zh-Hans")


def test_the_palette_of_the_page_is_followed(panel: PanelPage) -> None:
    panel.open()
    expect(panel.page.locator("ask-book")).to_have_attribute("data-scheme", "light")
    panel.page.evaluate("document.body.setAttribute('data-md-color-scheme', 'slate')")
    expect(panel.page.locator("ask-book")).to_have_attribute("data-scheme", "dark")


def test_selected_text_can_be_asked_about(panel: PanelPage) -> None:
    panel.page.locator("article p").first.click(click_count=3)
    panel.page.get_by_role("button", name="Ask about this").click()
    expect(panel.field).to_be_focused()
    expect(panel.page.locator("ask-book .chip")).to_contain_text(re.compile("About the selection"))


def test_the_sites_own_search_offers_to_ask_instead_and_sends_nothing_by_itself(panel: PanelPage) -> None:
    panel.page.locator(".md-search__input").click()
    panel.page.keyboard.type("skip pointers")
    panel.page.get_by_role("button", name="Ask: skip pointers").click()
    expect(panel.field).to_have_value("skip pointers")
    expect(panel.answers).to_have_count(0)


def test_a_daily_limit_that_is_reached_is_told_and_nothing_is_sent(panel: PanelPage) -> None:
    with Endpoint([text("Yes.")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.button("Settings").click()
        panel.page.get_by_label("Daily limit", exact=True).fill("10")
        panel.page.get_by_label("Daily limit", exact=True).press("Tab")
        panel.button("Back").click()
        panel.ask("Is it so?")
        panel.wait()
        sent = len(endpoint.posts)
        panel.ask("And this?")
        expect(panel.status).to_contain_text("The daily limit of 10 tokens is reached.")
        assert len(endpoint.posts) == sent


LATE = """
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (message, ...more) {
    const late = message.name === "models" ? 1000 : 0
    late ? setTimeout(() => postMessage.call(this, message, ...more), late) : postMessage.call(this, message, ...more)
  }
"""


def test_a_list_of_models_that_comes_late_does_not_hide_that_the_model_is_saved(panel: PanelPage) -> None:
    panel.page.add_init_script(LATE)
    panel.page.reload()
    with Endpoint([text("word")]) as endpoint:
        panel.open()
        panel.ask("stop words")
        panel.wait()
        panel.button("Settings").click()
        panel.page.get_by_label("Provider", exact=True).select_option("generic")
        panel.page.get_by_label("Endpoint", exact=True).fill(endpoint.url)
        panel.page.get_by_label("Model", exact=True).fill("scripted")
        panel.button("Save").click()
        panel.page.wait_for_timeout(2500)
        expect(panel.status).to_have_text("Saved.")
        panel.page.get_by_label("Model", exact=True).focus()
        expect(panel.status).to_have_text("1 models offered")
