"""What a reader does between a stop and the end of the stopped answer, with a worker that hears nothing any more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes.endpoint import Endpoint, text
from panel import PanelPage
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

DEAF = """
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (message, ...more) {
    if (globalThis.deaf === this) return
    if (message.kind === "ask") globalThis.asked = this
    return postMessage.call(this, message, ...more)
  }
"""
"""Workers that can be made deaf."""
LONG = text("word " * 2000, delay=0.02)


@pytest.fixture
def panel(page: Page, site: str) -> PanelPage:
    page.add_init_script(DEAF)
    panel = PanelPage(page, site)
    panel.visit("en/1-inverted-index/")
    panel.open()
    return panel


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint([LONG, text("The **second** answer.")]) as endpoint:
        yield endpoint


def stopped(panel: PanelPage, question: str) -> None:
    """An answer that was stopped and does not come to its end."""
    panel.ask(question)
    expect(panel.answer).to_contain_text("word word", timeout=60_000)
    panel.page.evaluate("globalThis.deaf = asked")
    panel.button("Stop").click()


def test_a_question_that_waits_is_shown_and_what_is_typed_meanwhile_is_kept(panel: PanelPage, endpoint: Endpoint) -> None:
    panel.add_model(endpoint.url)
    stopped(panel, "What is an inverted index?")
    panel.ask("What are stop words?")
    expect(panel.answers).to_have_count(2, timeout=1000)
    expect(panel.field).to_have_value("")
    expect(panel.answer).to_have_attribute("aria-busy", "true")
    panel.field.fill("A thought that is longer")
    expect(panel.wait()).to_contain_text("The second answer.")
    expect(panel.field).to_have_value("A thought that is longer")
    assert panel.log.locator(".question-text").all_inner_texts() == ["What is an inverted index?", "What are stop words?"]


def test_a_question_that_waits_is_not_asked_in_another_conversation_and_stays_in_its_own(
    panel: PanelPage, endpoint: Endpoint
) -> None:
    panel.add_model(endpoint.url)
    stopped(panel, "What is an inverted index?")
    panel.ask("What are stop words?")
    panel.button("New thread").click()
    panel.page.wait_for_timeout(5000)
    expect(panel.answers).to_have_count(0)
    panel.page.get_by_role("tab").first.click()
    expect(panel.answers).to_have_count(2)
    expect(panel.answer).to_have_attribute("data-state", "aborted")
    panel.answer.get_by_role("button", name="Retry").click()
    expect(panel.wait()).to_contain_text("The second answer.")
    assert len(endpoint.posts) == 2


def test_a_question_that_waits_can_be_stopped(panel: PanelPage, endpoint: Endpoint) -> None:
    panel.add_model(endpoint.url)
    stopped(panel, "What is an inverted index?")
    panel.ask("What are stop words?")
    panel.button("Stop").click()
    expect(panel.answer).to_have_attribute("data-state", "aborted", timeout=1000)
    expect(panel.answer.get_by_role("button", name="Retry")).to_be_visible()
    expect(panel.answers.first.get_by_role("button", name="Continue")).to_be_visible(timeout=10_000)
    assert len(endpoint.posts) == 1


def test_a_conversation_that_is_opened_meanwhile_is_drawn_by_the_next_worker(panel: PanelPage) -> None:
    with Endpoint([text("The **first** answer."), LONG]) as endpoint:
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait()
        panel.button("New thread").click()
        stopped(panel, "What are stop words?")
        panel.page.get_by_role("tab").first.click()
        expect(panel.answer).to_contain_text("The **first** answer.")
        expect(panel.answer.locator("strong")).to_have_text("first", timeout=30_000)


def test_closing_the_tab_of_the_stopped_answer_lets_the_question_of_another_conversation_be_asked(
    panel: PanelPage, endpoint: Endpoint
) -> None:
    panel.add_model(endpoint.url)
    stopped(panel, "What is an inverted index?")
    panel.button("New thread").click()
    panel.ask("What are stop words?")
    panel.button("Close tab: What is an inverted index?").click()
    expect(panel.answers).to_have_count(1)
    expect(panel.wait()).to_contain_text("The second answer.")
    assert len(endpoint.posts) == 2
