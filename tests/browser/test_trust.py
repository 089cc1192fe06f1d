"""A whole answer under the policy we write, what leaves the browser for it, and that a page does what the terminal does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import build
from fakes.endpoint import Answer, Call, Endpoint, call, text
from panel import PanelPage, at_rest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

KEY = "sk-test-1234"
QUESTION = "What does a posting name?"
SENTENCE = "A posting names a document and the places in it."
ANSWER = f"{SENTENCE[:-1]} [1]."
PAGES = {
    "index.md": "# First\n\nAn inverted index maps terms to postings.\n",
    "second.md": f"# Second\n\n{'Before it come many words that fill the page. ' * 200}\n\n## Postings\n\n{SENTENCE}\n",
}
WATCH = """document.addEventListener("securitypolicyviolation", event =>
  (window.refused ??= []).push(`${event.effectiveDirective} ${event.blockedURI}`))"""
HIGHLIGHTED = "[...CSS.highlights.values()].flatMap(set => [...set].map(range => range.toString()))"


@pytest.fixture(scope="module")
def strict_site(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., str]) -> str:
    """Address of a book on Material, with instant navigation and our policy on every page."""
    project = tmp_path_factory.mktemp("strict")
    address = serve(project / "site", base="/books/strict/")
    (project / "docs").mkdir()
    for name, content in PAGES.items():
        (project / "docs" / name).write_text(content, encoding="utf-8")
    (project / "mkdocs.yml").write_text(
        f"site_name: Strict\nsite_url: {address}\n"
        "theme: {name: material, font: false, features: [navigation.instant]}\n"
        "plugins:\n  - search\n  - askbook: {policy: {enabled: true}}\n",
        encoding="utf-8",
    )
    build(project / "mkdocs.yml", project / "site")
    return address


@pytest.fixture
def strict(page: Page, strict_site: str) -> Iterator[PanelPage]:
    """The panel under the policy; nothing may be refused by it while a test runs."""
    page.add_init_script(WATCH)
    panel = PanelPage(page, strict_site)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if "Content Security Policy" in message.text else None)
    panel.visit()
    assert page.locator("meta[http-equiv=Content-Security-Policy]").count() == 1
    yield panel
    assert (page.evaluate("window.refused ?? []"), said) == ([], [])


def wait_for(page: Page, expression: str) -> list[str]:
    """Ask until a list is not empty; the driver's own way of waiting needs `eval`, which the policy refuses."""
    for _ in range(50):
        if found := page.evaluate(expression):
            return list(found)
        page.wait_for_timeout(100)
    return []


def test_a_whole_question_with_program_and_jump_stays_within_the_policy(strict: PanelPage) -> None:
    page = strict.page
    script = [
        call("python_exec", {"code": "print(6 * 7)\nplot([0, 1], [0, 1])"}),
        text(f"{ANSWER} $x^2$\n\n```python\nx = 1\n```"),
    ]
    with Endpoint(script) as endpoint:
        strict.open()
        strict.add_model(endpoint.url)
        strict.ask(QUESTION)
        strict.button("Run programs in this thread").click(timeout=60_000)
        answer = strict.wait(patience=90_000)
        expect(answer.get_by_role("img", name="Figure drawn by the program")).to_be_visible()
        expect(answer.locator(".katex").first).to_be_attached()
        results = [message["content"] for message in endpoint.posts[1].body["messages"] if message["role"] == "tool"]
    assert json.loads(results[0])["stdout"] == "42\n"
    answer.locator("a.cite-ref").first.click()
    answer.locator("a.cite-ref").first.click()
    page.wait_for_url("**/second/#*")
    expect(page.locator("h2#postings")).to_be_in_viewport()


def test_the_policy_refuses_what_it_should_and_the_test_would_hear_of_it(page: Page, strict_site: str) -> None:
    page.add_init_script(WATCH)
    page.goto(strict_site)
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.alive = 1'}))")
    wait_for(page, "window.refused ?? []")
    assert page.evaluate("[window.refused, window.alive ?? null]") == [["script-src-elem inline"], None]


def test_a_theme_of_our_own_answers_with_trusted_types_required(page: Page, tmp_path: Path, serve: Callable[..., str]) -> None:
    frame = "<!doctype html><html><head><title>Own</title></head><body><main>{{ page.content }}</main></body></html>"
    for name, content in {"docs/index.md": PAGES["second.md"], "theme/main.html": frame}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: Own\ntheme: {name: null, custom_dir: theme}\n"
        "plugins:\n  - askbook: {policy: {enabled: true, trusted_types: true}}\n",
        encoding="utf-8",
    )
    page.add_init_script(WATCH)
    panel = PanelPage(page, serve(build(tmp_path / "mkdocs.yml", tmp_path / "site"), base="/"))
    panel.visit()
    with Endpoint([text(f"{ANSWER} $x^2$\n\n```python\nx = 1\n```")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask(QUESTION)
        expect(panel.wait().locator(".katex").first).to_be_attached()
    assert page.evaluate("window.refused ?? []") == []
    raw = "() => { try { document.body.innerHTML = '<b>x</b>' } catch (error) { return error.name } }"
    assert page.evaluate(raw) == "TypeError"


@pytest.mark.parametrize("way", ["mark", "card"])
def test_mark_and_card_set_the_sentence_off_on_another_page_and_the_conversation_stays(strict: PanelPage, way: str) -> None:
    page = strict.page
    page.evaluate("window.stays = true")
    with Endpoint([text(ANSWER + "\n\n" + "More words follow. \n\n" * 60)]) as endpoint:
        strict.open()
        strict.add_model(endpoint.url)
        strict.ask(QUESTION)
        answer = strict.wait()
        mark = answer.locator("a.cite-ref").first
        mark.click()
        before = at_rest(strict.log)  # the list of sources comes into view smoothly
        if way == "mark":
            mark.evaluate("link => link.click()")  # the driver would scroll to it first
        else:
            source = answer.get_by_role("list", name="Sources").get_by_role("link").first
            source.scroll_into_view_if_needed()
            before = at_rest(strict.log)
            source.click()
        page.wait_for_url("**/second/#*")
    assert wait_for(page, HIGHLIGHTED) == [SENTENCE.rstrip(".")]
    assert page.evaluate("window.stays")
    expect(strict.answer).to_contain_text(ANSWER.split(" [")[0])
    assert abs(at_rest(strict.log) - before) <= 1
    page.go_back()
    expect(page.locator("h1", has_text="First")).to_be_visible()
    assert abs(at_rest(strict.log) - before) <= 1


@pytest.mark.parametrize(
    ("provider", "asked"),
    [
        ("generic", {"authorization", "content-type"}),
        ("anthropic", {"anthropic-dangerous-direct-browser-access", "anthropic-version", "content-type", "x-api-key"}),
    ],
)
def test_the_browser_asks_leave_for_exactly_our_headers(panel: PanelPage, provider: str, asked: set[str]) -> None:
    with Endpoint([text("Yes [1].")]) as endpoint:
        panel.open()
        add_model(panel, endpoint.url, provider)
        panel.ask("What is an inverted index?")
        panel.wait()
        flights = [entry.headers for entry in endpoint.journal if entry.method == "OPTIONS"]
    names = [
        (flight["access-control-request-method"], set(flight["access-control-request-headers"].split(","))) for flight in flights
    ]
    assert ("POST", asked) in names
    assert [(method, headers) for method, headers in names if headers - asked or (method, headers) == ("POST", set())] == []


def add_model(panel: PanelPage, url: str, provider: str) -> None:
    """Save a model of a provider."""
    panel.button("Settings").click()
    panel.page.get_by_label("Provider", exact=True).select_option(provider)
    panel.page.get_by_label("Endpoint", exact=True).fill(url)
    panel.page.get_by_label("API key", exact=True).fill(KEY)
    panel.page.get_by_label("Model", exact=True).fill("scripted")
    panel.button("Save").click()
    expect(panel.status).to_have_text("Saved.")
    panel.button("Back").click()


TWO_CALLS = (Call("book_retrieve", {"question": "posting"}, "a"), Call("no_tool", {}, "b"))
SCRIPTS: dict[str, tuple[str, list[Answer]]] = {
    "calls": ("generic", [Answer(text="I will look. ", reasoning="Hm.", calls=TWO_CALLS), text("The text says it [1].")]),
    "signed": ("anthropic", [Answer(reasoning="Look.", calls=(Call("book_toc", {}, "t1"),)), text(ANSWER)]),
    "announcement": ("generic", [text("Let me search the book for that."), text(ANSWER)]),
    "cut off": ("generic", [text("A posting names", finish="length")]),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_page_and_terminal_write_the_same_log_of_the_same_exchange(panel: PanelPage, tmp_path: Path, name: str) -> None:
    provider, script = SCRIPTS[name]
    with Endpoint(script) as endpoint:
        panel.open()
        add_model(panel, endpoint.url, provider)
        panel.ask(QUESTION)
        panel.wait()
        page_log = saved(panel, "Save the event log", tmp_path / "page.json")
        receipt = saved(panel, "Save the receipt", tmp_path / "receipt.json")
    with Endpoint(script) as endpoint:
        own_log = from_terminal(endpoint, provider, f"{panel.site}ai-index/books-ranking-en.json", tmp_path / "own.json")
    assert told(page_log) == told(own_log)
    for name, played in (("page", page_log), ("receipt", receipt)):
        written = json.dumps(played).lower()
        assert [secret for secret in (KEY, endpoint.url, "authorization", "x-api-key") if secret in written] == []
        again_played = terminal("replay", str(tmp_path / f"{name}.json"))
        assert (again_played.returncode, json.loads(again_played.stdout)["text"]) == (0, played["answer"]["text"])


def terminal(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a program."""
    program = [sys.executable, "-c", "from askbook.terminal.cli import main; main()", *arguments]
    return subprocess.run(program, capture_output=True, text=True, check=False, env={**os.environ, "ASKBOOK_API_KEY": KEY})


def saved(panel: PanelPage, button: str, file: Path) -> Any:
    """What the menu of the last answer saves."""
    menu = panel.answer.locator(".answer-more")
    if menu.get_attribute("open") is None:
        menu.locator("summary").click()
    with panel.page.expect_download() as download:
        panel.answer.get_by_role("button", name=button).click()
    download.value.save_as(file)
    return json.loads(file.read_text(encoding="utf-8"))


def from_terminal(endpoint: Endpoint, provider: str, index: str, file: Path) -> Any:
    """The log of the same question in the terminal."""
    arguments = ["ask", index, QUESTION, "--endpoint", endpoint.url, "--provider", provider, "--model", "scripted"]
    terminal(*arguments, "--log", str(file))
    return json.loads(file.read_text(encoding="utf-8"))


TOLD = ("question", "mode", "books", "sources", "calls", "events", "answer")
"""What a log tells of an exchange; the rest is what was sent, in which a page also says what is looked at."""
PAGE_ONLY = "python_exec"


def told(log: Any) -> Any:
    """What a log tells, but for its time and the tool that only a page has."""
    return without({name: log[name] for name in TOLD})


def without(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without(entry) for name, entry in value.items() if name not in {"at", "seconds"}}
    return [without(entry) for entry in value if entry != PAGE_ONLY] if isinstance(value, list) else value
