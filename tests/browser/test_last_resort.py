"""Stop ends an answer even where the worker hears nothing any more, and the next question is answered all the same."""

from __future__ import annotations

import pytest
from fakes.endpoint import Endpoint, text
from panel import PanelPage, until
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

DEAF = """
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (message, ...more) {
    if (message.kind === "stop" && globalThis.deaf) return
    if (message.kind === "ask") globalThis.answering = this
    return postMessage.call(this, message, ...more)
  }
  const { terminate } = Worker.prototype
  Worker.prototype.terminate = function () {
    globalThis.ended = (globalThis.ended ?? 0) + 1
    return terminate.call(this)
  }
"""
"""Workers to which no stop gets through, as to one whose Python never comes to rest; counts those that are ended."""


@pytest.fixture
def deaf(page: Page, site: str) -> PanelPage:
    """The panel with workers that do not hear a stop."""
    page.add_init_script(DEAF)
    panel = PanelPage(page, site)
    panel.visit("en/1-inverted-index/")
    return panel


def stop_unheard(deaf: PanelPage, endpoint: Endpoint) -> None:
    """Stop an answer in its middle, in a worker that goes on."""
    deaf.open()
    deaf.add_model(endpoint.url)
    deaf.ask("What is an inverted index?")
    expect(deaf.answer).to_contain_text("word word word", timeout=60_000)
    deaf.page.evaluate("globalThis.deaf = true")
    deaf.button("Stop").click()


def test_a_worker_that_does_not_hear_the_stop_is_replaced_and_what_had_come_stays(deaf: PanelPage) -> None:
    with Endpoint([text("word " * 2000, delay=0.02), text("The second answer.")]) as endpoint:
        stop_unheard(deaf, endpoint)
        expect(deaf.button("Continue")).to_be_visible(timeout=15_000)
        expect(deaf.answer).to_have_attribute("data-state", "aborted")
        expect(deaf.answer).to_contain_text("word word word")
        assert deaf.page.evaluate("globalThis.ended") == 1
        deaf.ask("What are stop words?")
        deaf.wait()
        expect(deaf.answer).to_contain_text("The second answer.")
    assert [post.headers["authorization"] for post in endpoint.posts] == ["Bearer sk-test-1234"] * 2
    deaf.page.reload()
    expect(deaf.answers).to_have_count(2)
    expect(deaf.answers.first).to_contain_text("word word word")


def test_a_question_sent_while_a_deaf_worker_is_stopped_is_asked_of_the_next_one(deaf: PanelPage) -> None:
    with Endpoint([text("word " * 2000, delay=0.02), text("The second answer.")]) as endpoint:
        stop_unheard(deaf, endpoint)
        deaf.ask("What are stop words?")
        expect(deaf.answers).to_have_count(2, timeout=15_000)
        deaf.wait()
        expect(deaf.answer).to_contain_text("The second answer.")


def test_a_worker_that_dies_while_it_answers_is_said_to_and_the_question_can_be_asked_again(deaf: PanelPage) -> None:
    with Endpoint([text("word " * 2000, delay=0.02), text("The second answer.")]) as endpoint:
        deaf.open()
        deaf.add_model(endpoint.url)
        deaf.ask("What is an inverted index?")
        expect(deaf.answer).to_contain_text("word word word", timeout=60_000)
        deaf.page.evaluate("""() => {
            answering.terminate()
            answering.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }))
        }""")
        deaf.wait("error")
        expect(deaf.answer).to_contain_text("word word word")
        card = deaf.answer.get_by_role("group", name="The answer failed.")
        expect(card).to_contain_text("The assistant stopped working on this page.")
        deaf.answer.get_by_role("button", name="Retry").click()
        expect(deaf.wait()).to_contain_text("The second answer.")
    assert [post.headers["authorization"] for post in endpoint.posts] == ["Bearer sk-test-1234"] * 2


def test_a_question_that_is_stopped_before_python_is_there_is_never_sent(panel: PanelPage) -> None:
    with Endpoint([text("The first answer."), text("The second answer.")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        held = []
        panel.page.route("**/ai-index/*.json*", lambda route: held.append(route))
        panel.page.reload()
        panel.ask("What is an inverted index?")
        until(panel.page, lambda: len(held) > 0)
        panel.button("Stop").click()
        panel.wait("aborted")
        for route in held:
            route.continue_()
        panel.page.unroute("**/ai-index/*.json*")
        panel.ask("What are stop words?")
        panel.wait()
        expect(panel.answer).to_contain_text("The first answer.")
    assert [post.body["messages"][-1]["content"].count("stop words") > 0 for post in endpoint.posts] == [True]
