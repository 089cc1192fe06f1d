"""What other programs rely on: every role and name of the element, letter by letter, in every state."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import build
from fakes.endpoint import Answer, Endpoint, call, text
from panel import PanelPage
from playwright.sync_api import Browser, Page, expect

from askbook.core.prompts import PROBE_TOOL

pytestmark = pytest.mark.browser

ANSWER = "An inverted index is a map from every term of the collection to its postings list [1]."
BROWSERS_OWN = {
    "host", "connection", "content-length", "user-agent", "accept", "origin", "accept-encoding", "accept-language", "referer",
    "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform", "cache-control",
    "pragma",
}  # fmt: skip


def test_there_is_one_element_and_one_button_before_anything_is_opened(panel: PanelPage) -> None:
    expect(panel.page.locator("ask-book")).to_have_count(1)
    expect(panel.page.get_by_role("button", name="Ask this book")).to_have_count(1)
    assert panel.page.evaluate("document.querySelector('ask-book').shadowRoot.mode") == "open"


def test_an_answer_is_found_by_roles_from_its_first_word_to_its_sources(panel: PanelPage) -> None:
    page = panel.page
    with Endpoint([call("book_retrieve", {"question": "skip pointers"}), text(ANSWER, delta=2, delay=0.03)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        page.get_by_role("textbox", name="Your question").fill("What is an inverted index?")
        page.get_by_role("button", name="Send").click()
        article = page.get_by_role("log", name="Conversation").get_by_role("article")
        expect(article).to_have_attribute("data-state", "running")
        expect(page.get_by_role("button", name="Stop")).to_be_visible()
        expect(article).to_have_attribute("data-state", "completed", timeout=60_000)
        expect(article.locator("details[data-tool='book_retrieve']")).to_have_count(1)
        mark = article.locator("a.cite-ref")
        assert [mark.get_attribute(name) for name in ("data-n", "data-support")] == ["1", "quoted"]
        assert (mark.get_attribute("href") or "").endswith("-1")
        expect(article.get_by_role("list", name="Sources").get_by_role("listitem")).to_have_count(1)
        for name in ("Copy", "Retry"):
            expect(article.get_by_role("button", name=name, exact=True)).to_be_visible()
        expect(panel.log.get_by_role("button", name="Edit", exact=True)).to_have_count(1)
        expect(page.locator("ask-book").get_by_role("status")).to_have_count(1)


def test_a_source_of_another_page_is_reached_and_the_conversation_comes_along(panel: PanelPage) -> None:
    panel.open()
    panel.ask("What does Theorem 2.2 say?")
    answer = panel.wait()
    mark = answer.locator("a.cite-ref").first
    mark.click()
    mark.click()
    panel.page.wait_for_url("**/en/2-term-weights/#*")
    anchor = panel.page.url.partition("#")[2].partition(":~:")[0]
    expect(panel.page.locator(f"[id='{anchor}']")).to_be_in_viewport()
    expect(panel.answer.locator("a.cite-ref").first).to_be_visible(timeout=60_000)


def test_under_instant_navigation_a_source_of_another_page_is_reached_without_a_reload(page: Page, instant_site: str) -> None:
    panel = PanelPage(page, instant_site)
    panel.visit()
    page.evaluate("window.stays = true")
    panel.open()
    panel.ask("What does a posting name?")
    source = panel.wait().get_by_role("list", name="Sources").get_by_role("link", name="Second")
    source.click()
    page.wait_for_url("**/second/**")
    expect(page.get_by_role("heading", name="Second")).to_be_in_viewport()
    assert page.evaluate("window.stays")
    expect(panel.answer.locator("a.cite-ref").first).to_be_visible()


def test_the_browsers_search_in_the_page_finds_what_the_open_panel_says_and_nothing_of_a_closed_one(panel: PanelPage) -> None:
    find = "word => (getSelection().removeAllRanges(), window.find(word, false, false, true))"
    said = [text(f"This is the {name} sentence.") for name in ("marvellous", "second", "third", "fourth")]
    thought = Answer(reasoning="A secretive thought.", text="\n\n".join(f"Paragraph {at}." for at in range(100)))
    with Endpoint([thought, *said]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        for question in ("One?", "Two?", "Three?", "Four?"):
            panel.ask(question)
            panel.wait()
    for words in ("Paragraph 3.", "Paragraph 77.", "secretive thought", "marvellous sentence", "third sentence"):
        assert panel.page.evaluate(find, words), words
    assert not panel.page.evaluate(find, "Daily limit")
    panel.button("Close").click()
    for words in ("Paragraph 3.", "third sentence"):
        assert not panel.page.evaluate(find, words), words


def test_what_the_question_matched_is_set_off_in_answer_and_source(panel: PanelPage) -> None:
    panel.open()
    panel.ask("postings list")
    answer = panel.wait()
    expect(answer.locator(".text strong").first).to_be_visible()
    expect(answer.get_by_role("list", name="Sources").locator("mark").first).to_be_visible()


def test_anthropic_gets_its_three_headers_and_the_kind_of_body_and_no_other(panel: PanelPage) -> None:
    with Endpoint([text(ANSWER)]) as endpoint:
        panel.open()
        panel.button("Settings").click()
        panel.page.get_by_label("Provider", exact=True).select_option("anthropic")
        panel.page.get_by_label("Endpoint", exact=True).fill(endpoint.url)
        panel.page.get_by_label("API key", exact=True).fill("sk-ant-test")
        panel.page.get_by_label("Model", exact=True).fill("scripted")
        panel.button("Save").click()
        panel.button("Back").click()
        panel.ask("What is an inverted index?")
        expect(panel.wait()).to_contain_text("a map from every term")
        sent = endpoint.posts[0]
    ours = {name: value for name, value in sent.headers.items() if name not in BROWSERS_OWN}
    assert sent.path == "/v1/messages"
    assert ours == {
        "x-api-key": "sk-ant-test", "anthropic-version": "2023-06-01", "anthropic-dangerous-direct-browser-access": "true",
        "content-type": "application/json",
    }  # fmt: skip


def test_a_model_that_calls_no_tools_is_found_out_and_asked_without_them(panel: PanelPage) -> None:
    with Endpoint([text("OK")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.button("Settings").click()
        panel.button("Test").click()
        expect(panel.page.get_by_role("list", name="Test")).to_contain_text("Does not call tools", timeout=60_000)
        panel.button("Back").click()
        panel.ask("What is an inverted index?")
        panel.wait()
        assert "tools" not in endpoint.posts[-1].body


def test_a_model_that_calls_tools_is_found_out_too(panel: PanelPage) -> None:
    def reply(entry: object) -> Answer:
        asked = json.dumps(getattr(entry, "body", None))
        return call(PROBE_TOOL.name, {"word": "index"}) if f'"{PROBE_TOOL.name}"' in asked else text("OK")

    with Endpoint(reply) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.button("Settings").click()
        panel.button("Test").click()
        expect(panel.page.get_by_role("list", name="Test")).to_contain_text("one at a time", timeout=60_000)


def test_the_receipt_of_an_answer_can_be_saved_and_holds_no_key(panel: PanelPage, tmp_path: Path) -> None:
    with Endpoint([text(ANSWER)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url, key="sk-very-secret")
        panel.ask("What is an inverted index?")
        answer = panel.wait()
        answer.locator(".answer-more summary").click()
        with panel.page.expect_download() as download:
            answer.get_by_role("button", name="Save the receipt").click()
        download.value.save_as(tmp_path / "receipt.json")
    kept = (tmp_path / "receipt.json").read_text(encoding="utf-8")
    assert json.loads(kept)["answer"]["text"] == ANSWER
    assert "very-secret" not in kept
    assert endpoint.url not in kept


@pytest.fixture(scope="module")
def long_site(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., str]) -> str:
    """Address of a book with more chapters than an ordinary answer reads."""
    project = tmp_path_factory.mktemp("long")
    (project / "docs").mkdir()
    (project / "docs/index.md").write_text("# Trees of the North\n\nA book in nine chapters.\n", encoding="utf-8")
    for n in range(1, 10):
        chapter = f"# Chapter {n}: Tree {n}\n\nThe tree of chapter {n} has leaves of kind {n}.\n"
        (project / f"docs/{n}.md").write_text(chapter, encoding="utf-8")
    (project / "mkdocs.yml").write_text(
        "site_name: Trees\ntheme: {name: material, font: false}\nplugins: [askbook]\n", encoding="utf-8"
    )
    return serve(build(project / "mkdocs.yml", project / "site"), base="/books/trees/")


def test_a_long_job_shows_its_price_before_anything_is_sent(page: Page, long_site: str) -> None:
    panel = PanelPage(page, long_site)
    panel.visit()
    with Endpoint([text("Chapter by chapter [1].")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("Summarise each chapter of the book.")
        answer = panel.wait("aborted")
        expect(answer).to_contain_text("This question asks for every chapter. An answer takes up to")
        assert endpoint.posts == []
        answer.get_by_role("button", name="Answer in full").click()
        expect(panel.wait()).to_contain_text("Chapter by chapter")
        assert endpoint.posts != []


def test_a_statement_under_the_pointer_can_be_asked_about_while_the_panel_is_open(panel: PanelPage) -> None:
    block = panel.page.locator("main .admonition").first
    block.scroll_into_view_if_needed()
    panel.open()
    block.hover()
    panel.page.get_by_role("button", name="Ask about this").click()
    expect(panel.page.locator("ask-book .chip")).to_contain_text("About the selection")


@pytest.mark.parametrize(
    ("block", "said"), [("main pre", "from collections import Counter"), ("main .admonition", "Definition"), ("main h2", "1.1")]
)
def test_code_boxes_and_headings_can_be_asked_about_while_the_panel_is_closed(panel: PanelPage, block: str, said: str) -> None:
    panel.page.locator(block).first.scroll_into_view_if_needed()
    panel.page.locator(block).first.hover()
    panel.page.get_by_role("button", name="Ask about this").click()
    expect(panel.field).to_be_focused()
    expect(panel.page.locator("ask-book .chip")).to_contain_text(said)


@pytest.mark.parametrize("block", ["main pre", "main .admonition", "main h2"])
def test_a_tap_on_a_phone_offers_to_ask_about_code_boxes_and_headings(browser: Browser, site: str, block: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    panel = PanelPage(context.new_page(), site)
    panel.visit("en/1-inverted-index/")
    panel.page.locator(block).first.scroll_into_view_if_needed()
    panel.page.locator(block).first.tap(position={"x": 20, "y": 12})
    button = panel.page.get_by_role("button", name="Ask about this")
    box = button.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    button.tap()
    expect(panel.page.locator("ask-book .chip")).to_contain_text("About the selection")
    context.close()


def test_the_shortcut_takes_selected_text_along(panel: PanelPage) -> None:
    expect(panel.opener).to_be_visible()
    panel.page.evaluate(
        "document.getSelection().selectAllChildren(document.querySelector('main .admonition p:not(.admonition-title)'))"
    )
    panel.page.keyboard.press("Control+i")
    expect(panel.page.locator("ask-book .chip")).to_contain_text("About the selection")


def test_a_page_without_the_paragraph_of_a_source_says_that_the_index_is_old(panel: PanelPage) -> None:
    panel.visit("en/2-term-weights/")
    panel.open()
    panel.ask("What does Theorem 2.2 say?")
    source = panel.wait().get_by_role("list", name="Sources").get_by_role("link").first
    anchor = (source.get_attribute("href") or "").partition("#")[2]
    panel.page.evaluate("id => document.getElementById(id).removeAttribute('id')", anchor)
    source.click()
    expect(panel.page.get_by_role("alert")).to_contain_text("older than this page")


def test_an_index_of_another_build_than_the_page_is_said_to_be_older(panel: PanelPage, site_folder: Path) -> None:
    index = json.loads((site_folder / "ai-index/books-ranking-en.json").read_text(encoding="utf-8"))
    older = json.dumps(index | {"hash": "0123456789abcdef"}, separators=(",", ":"))
    panel.page.route("**/ai-index/books-ranking-en.json*", lambda route: route.fulfill(body=older))
    panel.open()
    expect(panel.page.get_by_role("alert")).to_contain_text("The book's index is older than this page", timeout=60_000)
    panel.ask("stop words")
    expect(panel.wait()).to_contain_text("stop words")


def test_an_index_of_this_build_is_not(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    expect(panel.page.get_by_role("alert")).to_have_count(0)


def test_an_index_of_other_rules_of_words_is_named_instead_of_finding_nothing(panel: PanelPage, site_folder: Path) -> None:
    foreign = {ord(sign): 0xE000 + at for at, sign in enumerate("0123456789abcdefghijklmnopqrstuvwxyz")}
    index = json.loads((site_folder / "ai-index/books-ranking-en.json").read_text(encoding="utf-8"))
    index["terms"]["names"] = index["terms"]["names"].translate(foreign)
    panel.page.route("**/ai-index/books-ranking-en.json*", lambda route: route.fulfill(body=json.dumps(index)))
    panel.open()
    panel.ask("What are stop words?")
    expect(panel.wait()).to_contain_text("The book's index was made for another version of the assistant")
