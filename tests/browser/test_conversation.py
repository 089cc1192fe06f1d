"""A conversation in the hand: keys, copies, follow-ups, first questions, and what the page is when a question is sent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.endpoint import Answer, Call, Endpoint, call, fault, text
from panel import PanelPage
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.browser

ANSWER = "A **map** of terms [1].\n\n```python\nx = 1\n```\n"
CLIPBOARD = """async () => {
  const [item] = await navigator.clipboard.read()
  return Promise.all(["text/plain", "text/html"].map(async kind => (await item.getType(kind)).text()))
}"""


def test_shift_and_enter_break_the_line_and_enter_sends(panel: PanelPage) -> None:
    panel.open()
    panel.field.press_sequentially("stop")
    panel.field.press("Shift+Enter")
    panel.field.press_sequentially("words")
    expect(panel.field).to_have_value("stop\nwords")
    expect(panel.answers).to_have_count(0)
    panel.field.press("Enter")
    panel.wait()
    expect(panel.field).to_have_value("")


def test_escape_stops_a_running_answer_first_and_closes_then(panel: PanelPage) -> None:
    with Endpoint([text("word " * 900, delay=0.03)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        expect(panel.answer).to_contain_text("word word", timeout=60_000)
        panel.page.keyboard.press("Escape")
        panel.wait("aborted")
        expect(panel.region).to_be_visible()
        expect(panel.button("Continue")).to_be_visible()
        panel.page.keyboard.press("Escape")
        expect(panel.region).to_have_count(0)
        expect(panel.opener).to_be_focused()


def test_an_answer_is_copied_as_markdown_and_with_its_formatting(context: BrowserContext, panel: PanelPage) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    with Endpoint([text(ANSWER)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait()
    panel.button("Copy").last.click()
    expect(panel.button("Copied")).to_be_visible()
    plain, rich = panel.page.evaluate(CLIPBOARD)
    assert plain.startswith(ANSWER.strip() + "\n\n**Sources**\n\n1. [")
    assert f"]({panel.site}en/" in plain
    assert "<strong>map</strong>" in rich


def test_the_details_of_a_fault_are_copied(context: BrowserContext, panel: PanelPage) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    with Endpoint([fault(401, "no such key")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait("error")
    panel.button("Copy details").click()
    told = panel.page.evaluate("navigator.clipboard.readText()")
    assert ("401" in told, "no such key" in told, "sk-test" in told) == (True, True, False)


def test_what_may_be_asked_next_is_one_press_away(panel: PanelPage) -> None:
    with Endpoint([text(ANSWER), text("More of it [1].")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait()
        offered = panel.log.get_by_role("group", name="Ask next").get_by_role("button")
        expect(offered).to_have_count(2)
        question = offered.first.inner_text()
        offered.first.click()
        expect(panel.answers).to_have_count(2)
        panel.wait()
        assert endpoint.posts[-1].body["messages"][-1]["content"].endswith(question)
    expect(panel.log).to_contain_text(question)


def test_first_questions_are_the_authors_or_come_from_the_outline(panel: PanelPage) -> None:
    panel.open()
    offered = panel.log.get_by_role("list", name="Questions to start with").get_by_role("button")
    expect(offered).to_have_count(3, timeout=60_000)
    question = offered.first.inner_text()
    offered.first.click()
    panel.wait()
    expect(panel.log).to_contain_text(question)


def test_arrow_up_in_an_empty_field_takes_the_last_question_back(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.field.press("ArrowUp")
    expect(panel.field).to_have_value("stop words")


def test_what_is_being_written_comes_back_when_an_edit_is_sent_or_given_up(panel: PanelPage) -> None:
    panel.open()
    panel.ask("stop words")
    panel.wait()
    panel.field.fill("and pos")
    edit = panel.log.get_by_role("button", name="Edit")
    edit.click()
    expect(panel.field).to_have_value("stop words")
    panel.button("Remove: Edit: stop words").click()
    expect(panel.field).to_have_value("and pos")
    expect(panel.field).to_be_focused()
    edit.click()
    panel.ask("skip pointers")
    expect(panel.field).to_have_value("and pos")
    expect(panel.page.locator("ask-book .chip")).to_have_count(0)
    panel.wait()
    expect(panel.answers).to_have_count(1)
    panel.field.press("End")
    panel.field.press("Enter")
    expect(panel.answers).to_have_count(2)


def test_a_question_that_is_offered_leaves_what_is_being_written(panel: PanelPage) -> None:
    panel.open()
    panel.field.fill("half a quest")
    panel.page.get_by_role("list", name="Questions to start with").get_by_role("button").first.click()
    expect(panel.answers).to_have_count(1)
    expect(panel.field).to_have_value("half a quest")
    panel.wait()


def test_the_keys_of_an_input_method_are_its_own_in_the_list_of_chapters(panel: PanelPage) -> None:
    panel.open()
    panel.field.press_sequentially("@")
    options = panel.page.get_by_role("listbox", name="Chapters").get_by_role("option")
    expect(options.first).to_have_attribute("aria-selected", "true", timeout=60_000)
    pressed = panel.field.evaluate(
        """field => ["ArrowDown", "Enter", "Tab", "Escape"].map(key => {
          const event = new KeyboardEvent("keydown", { key, isComposing: true, bubbles: true, composed: true, cancelable: true })
          return field.dispatchEvent(event)
        })"""
    )
    assert pressed == [True] * 4
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(panel.field).to_have_value("@")


def test_the_page_that_is_told_is_the_one_open_when_the_question_is_sent(page: Page, instant_site: str) -> None:
    panel = PanelPage(page, instant_site)
    panel.visit()
    with Endpoint([text("One."), text("Two.")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is a posting?")
        panel.wait()
        page.get_by_role("link", name="Second").first.click()
        expect(page).to_have_url(instant_site + "second/")
        expect(page).to_have_title("Second - Instant")
        panel.ask("And here?")
        expect(panel.answers).to_have_count(2)
        panel.wait()
        told = [post.body["messages"][0]["content"] for post in endpoint.posts]
    assert ["/second/" in said for said in told] == [False, True]


def test_a_lookup_is_shown_as_soon_as_its_name_is_known_and_unfolds_to_what_was_asked_and_found(panel: PanelPage) -> None:
    with Endpoint([call("book_retrieve", {"question": "postings " * 40}, delta=4, delay=0.1), text(ANSWER)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        row = panel.answer.locator("details[data-tool=book_retrieve]")
        expect(row).to_have_attribute("data-state", "running", timeout=60_000)
        panel.wait()
    expect(row).to_have_attribute("data-state", "completed")
    row.locator("summary").click()
    expect(row).to_contain_text("postings postings")
    expect(row.locator("code span").first).to_be_visible()


def test_what_a_model_plans_before_a_lookup_is_said_once(panel: PanelPage) -> None:
    planned = Answer(text="I look it up in the book.", calls=(Call("book_retrieve", {"question": "postings"}),))
    with Endpoint([planned, text(ANSWER)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait()
    expect(panel.answer.locator(".plan")).to_have_text("I look it up in the book.")
    panel.page.reload()
    expect(panel.wait().locator(".plan")).to_have_text("I look it up in the book.", timeout=60_000)


@pytest.fixture(scope="module")
def chosen_site(
    tmp_path_factory: pytest.TempPathFactory, build_site: Callable[[Path, Path], Path], serve: Callable[..., str]
) -> str:
    """Address of a small book whose author chose another shortcut and the first questions."""
    project = tmp_path_factory.mktemp("chosen")
    (project / "docs").mkdir()
    (project / "docs/index.md").write_text("# Bread\n\nA dough is kneaded for ten minutes.\n", encoding="utf-8")
    (project / "mkdocs.yml").write_text(
        "site_name: Bread\ntheme: {name: material, font: false}\n"
        "plugins:\n  - askbook: {shortcut: Alt+J, questions: ['How long?', 'Why?', 'With what?']}\n",
        encoding="utf-8",
    )
    return serve(build_site(project / "mkdocs.yml", project / "site"), base="/books/chosen/")


def test_the_author_chooses_shortcut_and_first_questions(page: Page, chosen_site: str) -> None:
    panel = PanelPage(page, chosen_site)
    panel.visit()
    page.keyboard.press("Control+I")
    page.keyboard.press("Alt+J")
    expect(panel.field).to_be_focused()
    expect(panel.log.get_by_role("list", name="Questions to start with").get_by_role("button")).to_have_text(
        ["How long?", "Why?", "With what?"]
    )
