"""Who keeps a key, who gets it, and that nothing of it is left where it is not to be."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from conftest import FLAGS, chromium
from fakes.endpoint import Endpoint, text
from panel import PanelPage
from playwright.sync_api import Locator, Playwright, expect

pytestmark = pytest.mark.browser

KEY = "sk-very-secret-9876"
IDLE = 4_000
"""Milliseconds after an answer before something is kept for the next visit."""
STORED = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
SHOWN = """() => {
  const seen = [], look = root => {
    for (const at of root.querySelectorAll("*")) {
      seen.push(...[...at.attributes].map(({ value }) => value), at.value ?? "")
      if (at.shadowRoot) look(at.shadowRoot)
    }
    seen.push(root.textContent)
  }
  look(document.querySelector("ask-book").shadowRoot)
  return seen.join("\\n")
}"""
LEFT = """async () => {
  const read = request => new Promise(resolve => (request.onsuccess = () => resolve(request.result)))
  const left = []
  for (const { name } of await indexedDB.databases()) {
    const database = await read(indexedDB.open(name))
    const names = store => read(database.transaction(store).objectStore(store).getAllKeys())
    for (const store of database.objectStoreNames) left.push(...await names(store))
    database.close()
  }
  for (const name of await caches.keys()) left.push(...(await (await caches.open(name)).keys()).map(({ url }) => url))
  return [...left, ...Object.keys(localStorage).filter(name => name.startsWith("askbook"))]
}"""
"""Names of all that the assistant keeps in a browser, apart from what ends with the tab."""


def field(panel: PanelPage, name: str) -> Locator:
    """A field of the settings."""
    return panel.page.locator("ask-book").get_by_label(name, exact=True)


def fill(panel: PanelPage, endpoint: str, *, key: str = KEY, model: str = "scripted") -> None:
    """Fill the form of a model, and save nothing."""
    panel.open()
    panel.button("Settings").click()
    field(panel, "Provider").select_option("generic")
    field(panel, "Endpoint").fill(endpoint)
    field(panel, "API key").fill(key)
    field(panel, "Model").fill(model)


def save(panel: PanelPage) -> None:
    """Press Save, and see that it was done."""
    panel.button("Save").click()
    expect(panel.status).to_have_text("Saved.")


def beside(panel: PanelPage) -> PanelPage:
    """The same page open in another tab, with its panel."""
    other = PanelPage(panel.page.context.new_page(), panel.site)
    other.visit("en/1-inverted-index/")
    other.open()
    return other


def stored(panel: PanelPage) -> tuple[bool, bool]:
    """Whether the key stands in what stays on the device, and in what ends with the tab."""
    device, tab = panel.page.evaluate("[JSON.stringify(localStorage), JSON.stringify(sessionStorage)]")
    return KEY in device, KEY in tab


def test_a_key_that_is_saved_moves_where_the_reader_chooses_without_being_typed_again(panel: PanelPage) -> None:
    with Endpoint([text("Yes.")]) as endpoint:
        fill(panel, endpoint.url)
        save(panel)
        assert stored(panel) == (False, True)
        field(panel, "This device").check()
        save(panel)
        assert stored(panel) == (True, False)
        field(panel, "With passphrase").check()
        field(panel, "Passphrase").fill("open sesame")
        save(panel)
        assert stored(panel) == (False, False)
        field(panel, "This tab").check()
        field(panel, "Passphrase").fill("open barley")
        panel.button("Save").click()
        expect(panel.page.get_by_text("This passphrase does not open it.")).to_be_visible()
        field(panel, "Passphrase").fill("open sesame")
        save(panel)
        assert stored(panel) == (False, True)
        expect(field(panel, "This tab")).to_be_checked()
        assert "secret" not in panel.page.evaluate(SHOWN)


def test_no_key_is_locked_without_a_passphrase(panel: PanelPage) -> None:
    fill(panel, "http://127.0.0.1:9/v1")
    field(panel, "With passphrase").check()
    panel.button("Save").click()
    expect(panel.page.get_by_text("Type the passphrase the key is to be locked with.")).to_be_visible()
    expect(field(panel, "Passphrase")).to_be_focused()
    assert "key:" not in panel.page.evaluate(STORED)


def test_a_key_is_tried_for_the_list_of_models_and_kept_only_when_it_is_saved(panel: PanelPage) -> None:
    with Endpoint([], models=("small-1", "large-2")) as endpoint:
        fill(panel, endpoint.url, model="")
        field(panel, "Model").focus()
        expect(panel.status).to_have_text("2 models offered", timeout=60_000)
        assert {seen.headers.get("authorization") for seen in endpoint.journal if seen.method == "GET"} == {f"Bearer {KEY}"}
        assert stored(panel) == (False, False)


def test_an_endpoint_without_a_list_of_models_is_said_to_have_none(panel: PanelPage) -> None:
    fill(panel, "http://127.0.0.1:9/v1", model="")
    field(panel, "Model").focus()
    expect(panel.status).to_have_text("The endpoint gives no list of models; type the name of one.", timeout=60_000)


def test_the_key_of_one_endpoint_is_never_sent_to_another(panel: PanelPage) -> None:
    with Endpoint([text("One.")]) as one, Endpoint([text("Two.")]) as two:
        fill(panel, one.url)
        save(panel)
        field(panel, "Endpoint").fill(two.url)
        expect(panel.page.get_by_text("Saved, ends in 9876")).to_be_hidden()
        save(panel)
        panel.button("Back").click()
        panel.ask("What is an inverted index?")
        expect(panel.wait()).to_contain_text("Two.")
        assert [seen.headers.get("authorization") for seen in two.journal] == [None] * len(two.journal)
        assert one.posts == []


def test_a_model_added_where_one_types_leaves_the_others_as_they_are(panel: PanelPage) -> None:
    with Endpoint([text("I am the first.")]) as one:
        panel.open()
        panel.add_model(one.url, model="first")
        choice = panel.page.get_by_role("combobox", name="Answers from")
        choice.select_option(label="Add a model…")
        expect(field(panel, "Model")).to_have_value("")
        field(panel, "Provider").select_option("generic")
        field(panel, "Endpoint").fill("http://127.0.0.1:9/v1")
        field(panel, "Model").fill("second")
        panel.button("Back").click()
        expect(choice.locator("option:checked")).to_have_text(re.compile("first"))
        panel.ask("Which one are you?")
        expect(panel.wait()).to_contain_text("I am the first.")


def test_a_model_is_deleted_after_a_question_and_takes_its_key_along(panel: PanelPage) -> None:
    fill(panel, "http://127.0.0.1:9/v1", model="gone")
    field(panel, "This device").check()
    save(panel)
    panel.button("Delete").click()
    expect(panel.page.get_by_text("Delete gone (127.0.0.1:9)")).to_be_visible()
    panel.button("Cancel").click()
    expect(panel.button("Delete")).to_be_focused()
    assert stored(panel) == (True, False)
    panel.button("Delete").click()
    panel.page.get_by_role("group", name="Delete", exact=True).get_by_role("button", name="Delete").click()
    expect(field(panel, "Provider")).to_be_focused()
    assert "gone" not in panel.page.evaluate(STORED)
    assert stored(panel) == (False, False)


def test_where_a_key_is_kept_is_chosen_anew_for_another_endpoint(panel: PanelPage) -> None:
    fill(panel, "http://127.0.0.1:9/v1")
    field(panel, "This device").check()
    save(panel)
    field(panel, "Endpoint").fill("http://127.0.0.1:8/v1")
    expect(field(panel, "This tab")).to_be_checked()


def test_save_pressed_twice_keeps_one_model(panel: PanelPage) -> None:
    fill(panel, "http://127.0.0.1:9/v1")
    field(panel, "With passphrase").check()
    field(panel, "Passphrase").fill("open sesame")
    panel.button("Save").dblclick()
    expect(panel.status).to_have_text("Saved.")
    assert field(panel, "Saved models").locator("option").all_inner_texts() == ["Add a model…", "scripted (127.0.0.1:9)"]


def test_a_key_can_be_forgotten_alone(panel: PanelPage) -> None:
    fill(panel, "http://127.0.0.1:9/v1")
    save(panel)
    panel.button("Forget the key").click()
    expect(panel.page.get_by_text("Saved, ends in")).to_be_hidden()
    expect(field(panel, "API key")).to_be_focused()
    assert stored(panel) == (False, False)


def test_a_question_for_a_locked_model_asks_for_the_passphrase_and_is_kept_in_the_field(panel: PanelPage) -> None:
    with Endpoint([text("Yes, indeed.")]) as endpoint:
        fill(panel, endpoint.url)
        field(panel, "With passphrase").check()
        field(panel, "Passphrase").fill("open sesame")
        save(panel)
        panel.page.reload()
        expect(panel.button("Settings")).to_be_visible()
        panel.ask("Is it so?")
        expect(panel.status).to_contain_text("is locked")
        expect(field(panel, "Passphrase")).to_be_focused()
        panel.page.keyboard.type("open sesame")
        panel.page.keyboard.press("Enter")
        expect(panel.page.get_by_text("Saved, ends in 9876")).to_be_visible()
        panel.button("Back").click()
        expect(panel.field).to_have_value("Is it so?")
        assert endpoint.posts == []
        panel.field.press("Enter")
        expect(panel.wait()).to_contain_text("Yes, indeed.")


def test_a_key_forgotten_in_one_tab_is_gone_in_the_other(panel: PanelPage) -> None:
    with Endpoint([text("Yes.")]) as endpoint:
        fill(panel, endpoint.url)
        field(panel, "This device").check()
        save(panel)
        other = beside(panel)
        other.button("Settings").click()
        other.button("Forget the key").click()
        panel.button("Back").click()
        panel.ask("Is it so?")
        panel.wait()
        assert endpoint.posts[0].headers.get("authorization") is None


def test_what_two_tabs_choose_is_all_kept_and_each_goes_on_with_its_own_model(panel: PanelPage) -> None:
    panel.open()
    other = beside(panel)
    panel.add_model("https://one.example/v1", model="first")
    other.add_model("https://two.example/v1", model="second")
    names = ["The book alone", "first (one.example)", "second (two.example)", "Add a model…"]
    for one, chosen in ((panel, names[1]), (other, names[2])):
        choice = field(one, "Answers from")
        expect(choice.locator("option")).to_have_text(names)
        expect(choice.locator("option:checked")).to_have_text(chosen)
    other.button("Settings").click()
    field(other, "Passages").fill("3")
    field(other, "Passages").press("Tab")
    panel.button("Settings").click()
    field(panel, "Daily limit").fill("5000")
    field(panel, "Daily limit").press("Tab")
    kept = "JSON.parse(Object.entries(localStorage).find(([name]) => name.endsWith(':choices'))[1])"
    expression = f"(({{ models, passages, dailyCap }}) => [models.map(({{ model }}) => model), passages, dailyCap])({kept})"
    assert panel.page.evaluate(expression) == [["first", "second"], 3, 5000]


def test_what_is_forgotten_in_one_tab_is_gone_in_the_others_and_does_not_come_back(panel: PanelPage) -> None:
    grows = text("word " * 2000, delay=0.05)
    with Endpoint([text("Yes."), grows]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url, key=KEY)
        panel.ask("Is it so?")
        panel.wait()
        panel.ask("And more?")
        panel.wait_growing()
        other = beside(panel)
        other.button("Settings").click()
        other.button("Forget everything").click()
        other.page.get_by_role("group", name="Forget everything").get_by_role("button", name="Delete").click()
        expect(other.status).to_have_text("Everything is deleted.")
        expect(panel.answers).to_have_count(0)
        expect(panel.status).to_have_text("Everything is deleted.")
        expect(field(panel, "Answers from").locator("option")).to_have_text(["The book alone", "Add a model…"])
    assert KEY not in panel.page.evaluate(STORED)
    panel.page.reload()
    expect(panel.page.locator("ask-book")).to_be_attached()
    assert [name for name in panel.page.evaluate(LEFT) if not name.startswith("http")] == []


def test_forget_everything_leaves_nothing_of_any_book_of_the_site(panel: PanelPage) -> None:
    with Endpoint([text("Yes.")]) as endpoint:
        panel.visit("zh/1-inverted-index/")
        panel.page.locator("ask-book-button button").click()
        panel.page.locator("ask-book textarea").fill("什么是倒排索引？")
        panel.page.locator("ask-book textarea").press("Enter")
        panel.page.locator("ask-book article[data-state=completed]").wait_for(timeout=60_000)
        panel.page.evaluate("sessionStorage.clear()")
        panel.visit("en/1-inverted-index/")
        fill(panel, endpoint.url)
        field(panel, "This device").check()
        save(panel)
        panel.button("Back").click()
        panel.ask("Is it so?")
        panel.wait()
        before = panel.page.evaluate(LEFT)
        assert all(any(part in name for name in before) for part in (":ranking-zh:", ":ranking-en:", ":key:", ".wasm"))
        panel.button("Settings").click()
        panel.button("Forget everything").click()
        panel.page.get_by_role("group", name="Forget everything").get_by_role("button", name="Delete").click()
        expect(panel.status).to_have_text("Everything is deleted.")
        expect(panel.button("Forget everything")).to_be_focused()
        assert panel.page.evaluate(LEFT) == []
        assert KEY not in panel.page.evaluate(STORED)
        panel.page.wait_for_timeout(IDLE + 6_000)
        assert panel.page.evaluate(LEFT) == []


def test_forgetting_a_site_leaves_what_sites_in_its_folders_keep(panel: PanelPage) -> None:
    path = urlsplit(panel.site).path
    names = ["{}:key:https://a.example", "tabs:askbook:{}:a:b", "draft:{}"]
    own, others = ([f"askbook:{name.format(at)}" for name in names] for at in (path, f"{path}books/"))
    files = ["assets/askbook/a.wasm", "ai-index/a.json"]
    left = panel.page.evaluate(
        """async ([site, names, files, others]) => {
          for (const name of names) sessionStorage.setItem(name, "kept")
          const cache = await caches.open("askbook")
          for (const file of [...files, ...others]) await cache.put(site + file, new Response("kept"))
          const { forgetSite } = await import(`${site}assets/askbook/elements/forget.js`)
          await forgetSite(new URL(site), [`${site}ai-index/b.json`])
          const cached = (await cache.keys()).map(({ url }) => url.slice(site.length))
          return [Object.keys(sessionStorage).filter(name => names.includes(name)).sort(), cached]
        }""",
        [panel.site, [*own, *others], files, [f"books/{file}" for file in files]],
    )
    assert left == [sorted(others), [f"books/{file}" for file in files]]


def test_a_provider_out_of_reach_gets_advice_that_helps(panel: PanelPage) -> None:
    panel.page.context.route("https://api.deepseek.com/**", lambda route: route.abort())
    fill(panel, "")
    field(panel, "Provider").select_option("deepseek")
    field(panel, "Model").fill("deepseek-chat")
    panel.button("Test").click()
    expect(panel.status).to_contain_text("The endpoint cannot be reached from this page. Check the address", timeout=60_000)


DENIED = """navigator.permissions.query = async ({ name }) => {
  if (name !== "loopback-network") throw new TypeError("no such permission")
  return { state: "denied" }
}"""


def test_a_browser_that_keeps_the_site_from_ones_own_computer_is_named_with_where_to_allow_it(
    site: str, playwright: Playwright
) -> None:
    port = urlsplit(site).port
    public = f"--ip-address-space-overrides=127.0.0.1:{port}=public"  # as a site on the web is
    browser = playwright.chromium.launch(executable_path=chromium(), args=[*FLAGS, public])
    panel = PanelPage(browser.new_page(locale="en-US"), site)
    panel.page.add_init_script(DENIED)
    panel.visit("en/1-inverted-index/")
    with Endpoint([text("Never."), text("Never.")]) as endpoint:
        fill(panel, endpoint.url)
        field(panel, "Provider").select_option("ollama")
        field(panel, "Endpoint").fill(endpoint.url)
        field(panel, "Model").fill("qwen3")
        panel.button("Test").click()
        expect(panel.status).to_contain_text("does not let this site connect to your computer: allow it", timeout=60_000)
    browser.close()


def test_the_way_over_ones_own_computer_takes_no_server_of_others(panel: PanelPage) -> None:
    fill(panel, "https://models.example/v1")
    save(panel)
    panel.page.get_by_role("button", name=re.compile("^A server on your computer")).click()
    expect(field(panel, "Endpoint")).to_have_value("http://localhost:11434/v1")
    panel.page.get_by_role("button", name=re.compile("^A provider")).click()
    expect(field(panel, "Endpoint")).to_have_value("https://models.example/v1")
