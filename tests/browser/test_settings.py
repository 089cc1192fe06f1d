"""Settings: models at hand where one types, everything but the key kept, numbers in bounds, keys where they are wanted."""

from __future__ import annotations

import pytest
from fakes.endpoint import Answer, Endpoint, text
from panel import PanelPage
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.browser


def number(panel: PanelPage, name: str) -> Locator:
    """A field of the settings."""
    return panel.page.locator("ask-book").get_by_label(name, exact=True)


def test_of_several_models_each_has_its_endpoint_and_key_and_is_chosen_where_one_types(panel: PanelPage) -> None:
    with Endpoint([text("I am the first.")]) as one, Endpoint([text("I am the second.")]) as two:
        panel.open()
        panel.add_model(one.url, key="sk-one-1111", model="first")
        panel.button("Settings").click()
        panel.button("Add a model…").click()
        panel.page.get_by_label("Provider", exact=True).select_option("generic")
        panel.page.get_by_label("Endpoint", exact=True).fill(two.url)
        panel.page.get_by_label("API key", exact=True).fill("sk-two-2222")
        panel.page.get_by_label("Model", exact=True).fill("second")
        panel.button("Save").click()
        expect(panel.status).to_have_text("Saved.")
        panel.button("Back").click()
        choice = panel.page.get_by_role("combobox", name="Answers from")
        for wanted in ("first", "second", "first"):
            choice.select_option(label=next(name for name in choice.locator("option").all_inner_texts() if wanted in name))
            panel.ask(f"Which model are you, {wanted}?")
            expect(panel.log).to_contain_text(f"you, {wanted}?")
            expect(panel.wait()).to_contain_text(f"I am the {wanted}.")
    assert {(post.headers["authorization"], post.body["model"]) for post in one.posts} == {("Bearer sk-one-1111", "first")}
    assert {(post.headers["authorization"], post.body["model"]) for post in two.posts} == {("Bearer sk-two-2222", "second")}


def test_all_but_the_key_is_there_the_next_day(panel: PanelPage) -> None:
    with Endpoint([text("Yes.")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url, key="sk-test-1234", model="kept")
        panel.button("Settings").click()
        number(panel, "Mode").select_option("discussion")
        for name, value in (("Passages", "5"), ("Context limit", "3000"), ("Answer limit", "1024"), ("Temperature", "0.7")):
            number(panel, name).fill(value)
            number(panel, name).press("Tab")
        later = panel.page.context.new_page()
        panel.page.close()
        other = PanelPage(later, panel.site)
        other.visit("en/1-inverted-index/")
        other.open()
        other.button("Settings").click()
        kept = [
            number(other, name).input_value()
            for name in ("Mode", "Passages", "Context limit", "Answer limit", "Temperature", "Model", "Endpoint")
        ]
        assert kept == ["discussion", "5", "3000", "1024", "0.7", "kept", endpoint.url]
        expect(number(other, "API key")).to_have_value("")
        assert "1234" not in later.content()
        other.button("Back").click()
        other.ask("What is an inverted index?")
        other.wait()
        (post,) = endpoint.posts
        assert (post.headers.get("authorization"), post.body["temperature"], post.body.get("max_tokens")) == (None, 0.7, 1024)


def test_numbers_stay_within_their_bounds(panel: PanelPage) -> None:
    panel.open()
    panel.button("Settings").click()
    for name, given, kept in (
        ("Passages", "99", "12"),
        ("Passages", "0", "1"),
        ("Temperature", "9", "2"),
        ("Context limit", "-5", "0"),
    ):
        number(panel, name).fill(given)
        number(panel, name).press("Tab")
        expect(number(panel, name)).to_have_value(kept)


def test_a_key_kept_on_the_device_is_there_in_a_new_tab_and_gone_when_everything_is_forgotten(panel: PanelPage) -> None:
    with Endpoint([text("Yes.")]) as endpoint:
        panel.open()
        panel.button("Settings").click()
        panel.page.get_by_label("Provider", exact=True).select_option("generic")
        panel.page.get_by_label("Endpoint", exact=True).fill(endpoint.url)
        panel.page.get_by_label("API key", exact=True).fill("sk-device-9876")
        panel.page.get_by_role("radio", name="This device").check()
        panel.page.get_by_label("Model", exact=True).fill("scripted")
        panel.button("Save").click()
        expect(panel.status).to_have_text("Saved.")
        other = PanelPage(panel.page.context.new_page(), panel.site)
        other.visit("en/1-inverted-index/")
        other.open()
        other.ask("What is an inverted index?")
        other.wait()
        assert endpoint.posts[0].headers["authorization"] == "Bearer sk-device-9876"
    kept = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
    assert "sk-device-9876" in other.page.evaluate(kept)
    other.button("Settings").click()
    other.button("Forget everything").click()
    other.button("Delete").last.click()
    expect(other.status).not_to_have_text("")
    assert "sk-device" not in other.page.evaluate(kept)


def test_the_language_is_chosen_over_that_of_the_page(panel: PanelPage) -> None:
    panel.open()
    panel.button("Settings").click()
    number(panel, "Language").select_option("zh-Hant")
    panel.page.reload()
    region = panel.page.get_by_role("complementary", name="問問這本書")
    expect(region).to_have_attribute("lang", "zh-Hant")
    region.get_by_role("button", name="設定", exact=True).click()
    expect(region.get_by_label("語言", exact=True)).to_have_value("zh-Hant")
    expect(region).to_contain_text("API 金鑰")


def test_the_models_an_endpoint_offers_are_listed(panel: PanelPage) -> None:
    with Endpoint([], models=("small-1", "large-2")) as endpoint:
        panel.open()
        panel.button("Settings").click()
        panel.page.get_by_label("Provider", exact=True).select_option("generic")
        panel.page.get_by_label("Endpoint", exact=True).fill(endpoint.url)
        panel.page.get_by_label("Model", exact=True).focus()
        expect(panel.page.locator("ask-book datalist option")).to_have_count(2, timeout=60_000)
        names = panel.page.locator("ask-book datalist option").evaluate_all("all => all.map(one => one.value)")
    assert sorted(names) == ["large-2", "small-1"]


def test_tokens_that_an_endpoint_does_not_report_count_by_an_estimate(panel: PanelPage) -> None:
    with Endpoint([Answer(text="word " * 100, usage=None)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.button("Settings").click()
        number(panel, "Daily limit").fill("1000")
        number(panel, "Daily limit").press("Tab")
        panel.button("Back").click()
        panel.ask("Is it so?")
        panel.wait()
        sent = len(endpoint.posts)
        panel.ask("And this?")
        expect(panel.status).to_contain_text("The daily limit of 1000 tokens is reached.")
        assert len(endpoint.posts) == sent


def test_a_reader_who_wants_few_data_loads_no_python_before_a_word_is_typed(panel: PanelPage) -> None:
    panel.open()
    panel.button("Settings").click()
    panel.page.get_by_role("checkbox", name="Reduced data").check()
    panel.button("Back").click()
    panel.button("Close").click()
    panel.page.evaluate("caches.delete('askbook')")
    panel.requests.clear()
    panel.page.reload()
    panel.open()
    panel.page.wait_for_timeout(1500)
    assert [url for url in panel.requests if "worker/worker" in url or "vendor/" in url or "ai-index" in url] == []
    panel.ask("What is an inverted index?")
    panel.wait()


def test_settings_are_entered_at_their_top_and_for_a_new_model_at_its_provider(panel: PanelPage) -> None:
    panel.open()
    panel.button("Settings").click()
    number(panel, "Daily limit").focus()
    panel.button("Back").click()
    panel.button("Settings").click()
    expect(panel.button("Back")).to_be_focused()
    expect(panel.page.get_by_role("button", name="The book alone")).to_be_in_viewport()
    panel.button("Back").click()
    panel.page.get_by_role("combobox", name="Answers from").select_option(label="Add a model…")
    expect(number(panel, "Provider")).to_be_focused()


def test_the_tokens_of_an_answer_stand_under_it_where_the_endpoint_reports_them(panel: PanelPage) -> None:
    with Endpoint([Answer(text="Yes.", usage=(1200, 34)), Answer(text="No.", usage=None)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("Is it so?")
        expect(panel.wait()).to_contain_text("1200 tokens read, 34 written")
        panel.ask("And this?")
        expect(panel.answers).to_have_count(2)
        panel.wait()
        expect(panel.answer).not_to_contain_text("tokens")


def test_a_style_file_that_does_not_come_costs_no_other_and_is_worn_in_its_place_later(panel: PanelPage) -> None:
    names = ["panel.css", "pages.css", "prose.css", "python.css"]
    worn = """async ([base, names]) => {
      const { sheetOf } = await import(`${base}styles.js`)
      const first = ({ cssRules }) => [...cssRules].map(({ cssText }) => cssText).join("")
      const known = new Map()
      for (const name of names) known.set(first(await sheetOf(base + name)), name)
      const { adoptedStyleSheets } = document.querySelector("ask-book").shadowRoot
      return adoptedStyleSheets.map(first).filter(text => known.has(text)).map(text => known.get(text))
    }"""
    base = panel.site + "assets/askbook/elements/"
    panel.page.context.route("**/pages.css*", lambda route: route.abort())
    panel.open()
    panel.page.context.unroute("**/pages.css*")
    assert panel.page.evaluate(worn, [base, names]) == ["panel.css", "prose.css", "python.css"]
    panel.page.evaluate(
        "async base => (await import(`${base}styles.js`)).dress(document.querySelector('ask-book').shadowRoot)", base
    )
    assert panel.page.evaluate(worn, [base, names]) == names


@pytest.mark.parametrize("view", ["", "Settings", "History"])
def test_who_puts_a_notice_away_goes_on_where_one_writes_or_in_the_view_that_is_shown(panel: PanelPage, view: str) -> None:
    panel.open()
    if view:
        panel.button(view).click()
        expect(panel.page.get_by_role("region", name=view)).to_be_visible()
    panel.page.evaluate("dispatchEvent(new Event('offline'))")
    panel.button("OK").focus()
    panel.page.keyboard.press("Enter")
    expect(panel.button("OK")).to_be_hidden()
    expect(panel.button("Back").locator("visible=true") if view else panel.field).to_be_focused()
