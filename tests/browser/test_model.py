"""A reader with a key: the request goes to the endpoint, text streams, tools run, marks lead to sources."""

from __future__ import annotations

import json

import pytest
from fakes.endpoint import Answer, Endpoint, call, fault, text
from panel import PanelPage
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

ANSWER = "An inverted index maps every term to its postings list [1]."


def test_a_tool_call_is_run_and_its_result_goes_back_by_id(panel: PanelPage) -> None:
    with Endpoint([call("book_retrieve", {"question": "skip pointers"}, id="call_7"), text(ANSWER)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        answer = panel.wait()
        expect(answer).to_contain_text("An inverted index maps every term to its postings list")
        expect(answer.locator("details[data-tool=book_retrieve]")).to_have_count(1)
        first, second = endpoint.posts
    assert [message["tool_call_id"] for message in second.body["messages"] if message["role"] == "tool"] == ["call_7"]
    assert "results" in json.loads(next(message["content"] for message in second.body["messages"] if message["role"] == "tool"))
    assert first.headers["authorization"] == "Bearer sk-test-1234"
    assert panel.errors == []


def test_only_two_headers_of_ours_leave_and_only_to_the_chosen_endpoint(panel: PanelPage) -> None:
    with Endpoint([text(ANSWER)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        panel.wait()
        sent = set(endpoint.posts[0].headers)
        origin = endpoint.url.removesuffix("/v1")
    browsers_own = {
        "host", "connection", "content-length", "user-agent", "accept", "origin", "accept-encoding", "accept-language", "referer",
        "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform",
        "cache-control", "pragma",
    }  # fmt: skip
    assert sent - browsers_own == {"authorization", "content-type"}
    own = panel.site.split("/books/")[0]
    assert [url for url in panel.requests if not url.startswith((own, origin, "blob:", "data:"))] == []


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (fault(401, "Incorrect API key provided"), "The endpoint refused the key."),
        (fault(404, "no such model"), "The endpoint does not know this address or model."),
        (Answer(status=200, body="<!doctype html><title>Hello</title>"), "The endpoint sent something that is no answer."),
    ],
)
def test_a_refusal_is_one_clear_sentence_and_can_be_tried_again(panel: PanelPage, answer: Answer, sentence: str) -> None:
    with Endpoint([answer, text(ANSWER)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        expect(panel.wait("error")).to_contain_text(sentence)
        panel.answer.get_by_role("group", name="The answer failed.").get_by_role("button", name="Retry").click()
        expect(panel.wait()).to_contain_text("An inverted index maps")


def test_an_endpoint_that_is_not_there_says_so(panel: PanelPage) -> None:
    with Endpoint([text(ANSWER)]) as endpoint:
        gone = endpoint.url
    panel.open()
    panel.add_model(gone)
    panel.ask("What is an inverted index?")
    expect(panel.wait("error")).to_contain_text("The endpoint cannot be reached from this page.")


def test_an_endpoint_that_does_not_allow_the_page_is_named_with_the_origin_to_allow(panel: PanelPage) -> None:
    with Endpoint([text(ANSWER)], cors=False) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        answer = panel.wait("error")
    expect(answer).to_contain_text(panel.site.split("/books/")[0])
    expect(answer).to_contain_text("CORS")


def test_what_had_arrived_before_the_connection_broke_stays_and_can_be_gone_on_with(panel: PanelPage) -> None:
    with Endpoint([text(ANSWER * 6, events=10), text("And so it goes on [1].")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        answer = panel.wait("error")
        expect(answer).to_contain_text("An inverted index maps")
        expect(answer).to_contain_text("The connection broke off")
        panel.button("Continue").click()
        panel.wait()
        expect(answer).to_contain_text("An inverted index maps")
        expect(answer).to_contain_text("And so it goes on")


def test_a_question_sent_at_the_very_moment_of_a_stop_is_asked(panel: PanelPage) -> None:
    with Endpoint([text("word " * 400, delay=0.02), text("The second answer.")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        expect(panel.answer).to_contain_text("word word word", timeout=60_000)
        panel.page.evaluate(
            """() => {
                const { shadowRoot } = document.querySelector("ask-book")
                const field = shadowRoot.querySelector("form.composer textarea")
                shadowRoot.querySelector(".stop").click()
                field.value = "And a stop word?"
                field.dispatchEvent(new Event("input"))
                field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }))
            }"""
        )
        expect(panel.wait("completed")).to_contain_text("The second answer.")


def test_stop_ends_a_running_answer_at_once_and_keeps_what_came(panel: PanelPage) -> None:
    with Endpoint([text("word " * 400, delay=0.02)]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is an inverted index?")
        expect(panel.answer).to_contain_text("word word word", timeout=60_000)
        panel.button("Stop").click()
        expect(panel.wait("aborted", patience=2000)).to_contain_text("word word word")
        expect(panel.button("Send")).to_be_visible()
