"""A whole session with everything used: requests go to the site and to the chosen endpoint, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fakes.endpoint import Answer, Call, Endpoint, call, text
from panel import PATIENCE, PanelPage
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.browser

ELSEWHERE = "https://elsewhere.example"
ANSWER = (
    "A **map** of terms [1], $\\frac{1}{2}$ ![seen](" + ELSEWHERE + "/seen.png) [more](" + ELSEWHERE + "/more).\n\n"
    "<img src='" + ELSEWHERE + "/raw.png'><iframe src='" + ELSEWHERE + "/frame'></iframe>\n\n```python\nx = 1\n```\n"
)
PLANNED = Answer(reasoning="A definition.", text="I look it up.", calls=(Call("book_retrieve", {"question": "postings"}),))
PROGRAM = call("python_exec", {"code": "print(6 * 7)\nplot([0, 1], [0, 1])"})


def without_a_model(panel: PanelPage) -> None:
    """A link with a question, the site's own search, selected text, a chapter, an answer of the book's own sentences."""
    panel.visit("en/1-inverted-index/?ask=stop+words")
    expect(panel.field).to_have_value("stop words", timeout=PATIENCE)
    panel.button("Close").click()
    panel.visit("en/1-inverted-index/")
    panel.page.locator(".md-search__input").click()
    panel.page.keyboard.type("skip pointers")
    panel.page.get_by_role("button", name="Ask: skip pointers").click()
    expect(panel.field).to_have_value("skip pointers")
    panel.button("Close").click()
    panel.visit("en/1-inverted-index/")
    panel.page.locator("article p").first.click(click_count=3)
    panel.page.get_by_role("button", name="Ask about this").click()
    expect(panel.page.locator("ask-book .chip")).to_contain_text("About the selection")
    panel.ask("What is an inverted index?")
    panel.wait()
    panel.field.press_sequentially("@")
    panel.page.locator("ask-book .menu").get_by_role("option").first.click(timeout=PATIENCE)
    panel.field.fill("What does this say?")
    panel.field.press("Enter")
    expect(panel.answers).to_have_count(2)
    panel.wait()


def with_a_model(panel: PanelPage, endpoint: Endpoint) -> None:
    """A key locked with a passphrase, the list of models, the test, an answer with thoughts, lookup, program and sources."""
    panel.button("Settings").click()
    panel.page.get_by_label("Provider", exact=True).select_option("generic")
    panel.page.get_by_label("Endpoint", exact=True).fill(endpoint.url)
    panel.page.get_by_label("API key", exact=True).fill("sk-test-1234")
    panel.page.get_by_role("radio", name="With passphrase").check()
    panel.page.get_by_label("Passphrase", exact=True).fill("open sesame")
    panel.page.get_by_label("Model", exact=True).fill("scripted")
    panel.button("Save").click()
    expect(panel.status).to_have_text("Saved.", timeout=PATIENCE)
    panel.button("Back").click()
    panel.button("New thread").click()
    panel.ask("What is an inverted index, and six times seven?")
    panel.button("Run programs in this thread").click(timeout=PATIENCE)
    answer = panel.wait(patience=2 * PATIENCE)
    for folded in (".reasoning", "details[data-tool]", ".also-read", ".answer-more"):
        answer.locator(f"{folded} > summary").first.click()
    for name in ("Save the receipt", "Save the event log"):
        with panel.page.expect_download():
            answer.get_by_role("button", name=name).click()
    answer.locator("a.cite-ref").first.click()
    panel.ask("And more?")
    expect(panel.answers).to_have_count(2)
    panel.wait()
    panel.button("Settings").click()
    panel.button("Test").click()
    expect(panel.status).to_contain_text("It works", timeout=PATIENCE)


def with_threads(panel: PanelPage, folder: Path) -> None:
    """Search, rename, pin, delete and undo, export, import."""
    panel.button("History").click()
    lines = panel.page.locator("ask-book .thread-line")
    panel.page.get_by_label("Search conversations").fill("inverted")
    expect(lines).to_have_count(2, timeout=PATIENCE)
    with panel.page.expect_download() as download:
        panel.button("Export as JSON").click()
    download.value.save_as(folder / "threads.json")
    with panel.page.expect_file_chooser() as chooser:
        panel.button("Import").click()
    chooser.value.set_files(folder / "threads.json")
    expect(panel.region).to_contain_text("Conversations imported: 2.")
    panel.page.locator("ask-book .thread-tools button").last.click()
    panel.button("Undo").click()
    panel.button("Back").click()


def test_requests_go_to_the_site_and_to_the_chosen_endpoint_and_nowhere_else(
    context: BrowserContext, site: str, tmp_path: Path
) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page: Page = context.new_page()
    page.on("websocket", lambda socket: asked.append(socket.url))
    panel = PanelPage(page, site)
    probes = [text("OK"), call("book_retrieve", {"question": "postings"}), text("OK")]
    with Endpoint([PLANNED, PROGRAM, text(ANSWER), text(ANSWER), *probes], models=("scripted",)) as endpoint:
        without_a_model(panel)
        with_a_model(panel, endpoint)
        with_threads(panel, tmp_path)
        panel.visit("zh/1-inverted-index/")
        page.get_by_role("button", name="设置").click()
        page.get_by_role("button", name="全部清除").click()
        page.get_by_role("group", name="全部清除").get_by_role("button", name="删除").click()
        expect(panel.page.locator("ask-book").get_by_role("status")).to_have_text("已全部删除。", timeout=PATIENCE)
        page.wait_for_timeout(1000)
    origins = {f"{at.scheme}://{at.netloc}" for at in map(urlsplit, asked) if at.scheme not in ("blob", "data")}
    assert origins == {site.split("/books/")[0], endpoint.url.removesuffix("/v1")}
    assert any(url.endswith(".wasm.zst") for url in asked)  # which the worker asks for: it is listened to, too
    assert panel.errors == []
