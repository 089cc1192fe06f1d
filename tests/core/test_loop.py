"""The loop ends with an answer or a clear error, whatever the model does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askbook.core import limits
from askbook.core.exchange import Ask
from askbook.core.parts import (
    Citations,
    Event,
    ExchangeEnd,
    ExchangeStart,
    Notice,
    PartDelta,
    PartDemote,
    PartEnd,
    PartStart,
    PlanPart,
    Retrieval,
    SourceAdd,
    TextPart,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
    TurnEnd,
    TurnStart,
)  # fmt: skip
from tests.fakes.endpoint import Answer, Call, Entry, call, fault, text
from tests.fakes.memory import KEY, ScriptedTransport, end, endpoint, run, said

QUESTION = Ask("What does a heap keep on top?", endpoint=endpoint())
ANSWER = text("The smallest element [1].")


def notices(events: list[Event]) -> list[str]:
    return [event.code for event in events if isinstance(event, Notice)]


def results(events: list[Event]) -> list[dict[str, Any]]:
    return [dict(event.result.content) for event in events if isinstance(event, ToolResult)]


def test_an_answer_streams_and_its_marks_are_checked() -> None:
    events = run(QUESTION, ScriptedTransport([ANSWER]))
    assert [type(event) for event in events if not isinstance(event, (PartDelta, SourceAdd))] == [
        ExchangeStart, Retrieval, TurnStart, PartStart, PartEnd, TurnEnd, Citations, ExchangeEnd,
    ]  # fmt: skip
    assert said(events) == "The smallest element [1]."
    citations = next(event for event in events if isinstance(event, Citations))
    assert [(citation.n, citation.support) for citation in citations.citations] == [(1, "quoted")]


def test_a_call_is_run_and_answered_by_its_id_and_name() -> None:
    transport = ScriptedTransport([call("book_ref", {"name": "Theorem 2.2"}, id="abc"), ANSWER])
    events = run(QUESTION, transport)
    messages = transport.bodies[1]["messages"]
    assert messages[-2]["tool_calls"][0]["id"] == messages[-1]["tool_call_id"] == "abc"
    assert (messages[-1]["role"], messages[-1]["name"]) == ("tool", "book_ref")
    assert json.loads(messages[-1]["content"])["url"] == "/heaps/#theorem-2-2"
    assert said(events) == "The smallest element [1]."


def test_a_result_carries_the_number_of_the_thread_and_the_source_is_announced() -> None:
    events = run(
        Ask("heap", endpoint=endpoint(), passages=1), ScriptedTransport([call("book_ref", {"name": "Theorem 1.2"}), ANSWER])
    )
    assert [event.source.n for event in events if isinstance(event, SourceAdd)] == [1, 2]
    assert results(events)[0]["n"] == 2


def test_text_before_a_call_streams_and_becomes_a_plan() -> None:
    script = [Answer(text="I will look at the theorem. ", calls=(Call("book_ref", {"name": "Theorem 2.2"}),)), ANSWER]
    events = run(QUESTION, ScriptedTransport(script))
    demoted = [event.part for event in events if isinstance(event, PartDemote)]
    assert demoted == [0]
    assert any(isinstance(event, PartDelta) and event.part == 0 for event in events)
    message = end(events).message
    assert message is not None
    assert [type(part) for part in message.parts] == [PlanPart, ToolCallPart, ToolResultPart, TextPart]


def test_calls_of_one_response_are_answered_in_order() -> None:
    both = Answer(calls=(Call("book_ref", {"name": "Theorem 1.2"}, "a"), Call("list_books", {}, "b")))
    transport = ScriptedTransport([both, ANSWER])
    run(QUESTION, transport)
    assert [message.get("tool_call_id") for message in transport.bodies[1]["messages"][-2:]] == ["a", "b"]


def test_the_last_request_has_no_tools() -> None:
    transport = ScriptedTransport(lambda entry: call("book_ref", {"name": f"Theorem {len(transport.journal)}.1"}))
    events = run(QUESTION, transport)
    assert len(transport.journal) == limits.REQUESTS
    assert ["tools" in body for body in transport.bodies] == [True] * (limits.REQUESTS - 1) + [False]
    assert "Definition 2.1" not in said(events)
    assert said(events)  # the book itself answers where the model never does


def test_the_model_is_told_what_is_left() -> None:
    transport = ScriptedTransport(lambda entry: call("book_ref", {"name": f"Theorem {len(transport.journal)}.1"}))
    events = run(QUESTION, transport)
    assert notices(events).count("budget") == 1
    assert any("Left for this question" in json.dumps(body["messages"]) for body in transport.bodies)


def test_twelve_calls_are_the_most() -> None:
    flood = Answer(calls=tuple(Call("book_ref", {"name": f"Theorem {at}.1"}, f"c{at}") for at in range(40)))
    transport = ScriptedTransport([flood, ANSWER])
    events = run(QUESTION, transport)
    found = results(events)
    assert len(found) == 40
    assert sum("no calls are left" in result.get("error", "") for result in found) == 40 - limits.CALLS
    assert "tools" not in transport.bodies[1]
    assert said(events) == "The smallest element [1]."


def test_a_repeat_gets_the_earlier_result_and_a_nudge() -> None:
    first, again = (
        call("book_retrieve", {"question": "What is a heap?"}),
        call("book_retrieve", {"question": "what is a heap", "topK": 3}),
    )
    events = run(QUESTION, ScriptedTransport([first, again, ANSWER]))
    found = results(events)
    assert found[1]["results"] == found[0]["results"]
    assert "repeats an earlier call" in found[1]["note"]
    assert "repeat" in notices(events)


def test_two_numbers_are_two_questions() -> None:
    script = [call("book_retrieve", {"question": f"state Theorem 2.{at}"}) for at in (1, 2)]
    events = run(QUESTION, ScriptedTransport([*script, ANSWER]))
    assert "repeat" not in notices(events)


def test_a_model_that_repeats_itself_loses_its_tools() -> None:
    transport = ScriptedTransport([call("list_books"), call("list_books"), call("list_books"), call("list_books"), ANSWER])
    events = run(QUESTION, transport)
    assert ["tools" in body for body in transport.bodies] == [True, True, True, True, False]
    assert said(events) == "The smallest element [1]."


def test_three_failures_in_a_row_end_the_tool_phase() -> None:
    script = [call("no_such_tool", {"x": at}) for at in range(5)]
    transport = ScriptedTransport([*script[:3], ANSWER])
    events = run(QUESTION, transport)
    assert results(events)[0]["tools"][:2] == ["list_books", "book_toc"]
    assert ["tools" in body for body in transport.bodies] == [True, True, True, False]
    assert said(events) == "The smallest element [1]."


def test_wrong_arguments_are_answered_with_the_schema() -> None:
    events = run(QUESTION, ScriptedTransport([call("book_retrieve", {"topK": "many"}), ANSWER]))
    found = results(events)[0]
    assert "'question' is missing" in found["error"]
    assert "'topK' has to be a whole number" in found["error"]
    assert found["schema"]["required"] == ["question"]


def test_bad_json_is_answered_with_the_schema() -> None:
    events = run(QUESTION, ScriptedTransport([call("book_retrieve", "{question: heap}"), ANSWER]))
    assert results(events)[0]["schema"]["required"] == ["question"]


def test_a_tool_that_keeps_failing_leaves_list_and_prompt() -> None:
    script = [
        call("book_slice_search", {"pattern": "(a+)+$", "mode": "regex"}),
        call("book_slice_search", {"pattern": "(b+)+$", "mode": "regex"}),
    ]
    transport = ScriptedTransport([*script, ANSWER])
    run(QUESTION, transport)
    names = [[tool["function"]["name"] for tool in body["tools"]] for body in transport.bodies]
    assert ["book_slice_search" in listed for listed in names] == [True, True, False]
    assert ["book_slice_search" in body["messages"][0]["content"] for body in transport.bodies] == [True, True, False]


def test_nothing_of_a_cut_response_runs() -> None:
    cut = Answer(calls=(Call("book_ref", {"name": "Theorem 2.2"}),), finish="length")
    events = run(QUESTION, ScriptedTransport([cut, ANSWER]))
    assert "cut off" in results(events)[0]["error"]
    assert said(events) == "The smallest element [1]."


def test_a_cut_answer_is_marked_and_can_be_gone_on_with() -> None:
    events = run(QUESTION, ScriptedTransport([text("The proof begins with", finish="length")]))
    message = end(events).message
    assert message is not None
    assert (end(events).state, message.incomplete, notices(events)) == ("completed", "length", ["incomplete"])
    from askbook.core.parts import Message

    history = (Message("user", (TextPart("Prove it."),)), message)
    transport = ScriptedTransport([text(" a lemma.")])
    run(Ask("", endpoint=endpoint(), history=history, continues=True), transport)
    asked = transport.bodies[0]["messages"]
    assert [message["role"] for message in asked] == ["system", "user", "assistant", "user"]
    assert asked[2]["content"] == "The proof begins with"
    assert "Go on exactly where it stopped" in asked[3]["content"]


@pytest.mark.parametrize(
    "early",
    [
        "",
        "Let me search the book for that.",
        "我来查一下书中的定义。",
        "Sure! I'll look up the definition…",
        "好的，我先在书中检索一下。",
        "首先来查一下定义：",
        "请稍等。",
    ],
)
def test_an_answer_that_stops_too_early_is_nudged_once(early: str) -> None:
    transport = ScriptedTransport([text(early), ANSWER])
    events = run(QUESTION, transport)
    assert notices(events) == ["nudged"]
    assert said(events) == "The smallest element [1]."


def test_a_model_that_only_announces_is_marked_incomplete() -> None:
    transport = ScriptedTransport([text("Let me look that up.")])
    events = run(QUESTION, transport)
    assert len(transport.journal) == 2
    message = end(events).message
    assert message is not None
    assert message.incomplete == "announcement"


@pytest.mark.parametrize(
    "answer",
    [
        "Let me know if you need more.",
        "A heap. I can look at the proof too, if you wish [1].",
        "I can't find this in the passages.",
        "I could not find it: the book is silent on this.",
        "You will find it by searching from the root.",
        "先进先出的结构叫队列，查找较慢。",
        "我们可以用二分查找。",
        "书中没有找到这个问题的答案。",
        "首先比较根节点，再查找子树。",
    ],
)
def test_a_short_answer_is_no_announcement(answer: str) -> None:
    events = run(QUESTION, ScriptedTransport([text(answer)]))
    assert (notices(events), said(events)) == ([], answer)


def test_a_model_that_says_nothing_leaves_the_word_to_the_book() -> None:
    events = run(QUESTION, ScriptedTransport([text("")]))
    assert notices(events) == ["nudged", "incomplete", "extractive"]
    assert "smallest element on top" in said(events).replace("*", "")


def test_a_plan_with_chapters_left_out_is_gone_on_with() -> None:
    request = Ask("Summarise the book chapter by chapter.", endpoint=endpoint())
    transport = ScriptedTransport([text("Chapter 1 (Lists): order."), text("Chapter 2 (Heaps): the smallest on top.")])
    events = run(request, transport)
    assert "2 Heaps" in transport.bodies[1]["messages"][-1]["content"]
    assert said(events) == "Chapter 1 (Lists): order.\n\nChapter 2 (Heaps): the smallest on top."


@pytest.mark.parametrize("question", ["请逐章总结这本书。", "Summarise each chapter of the book."])
def test_a_plan_that_stays_unfinished_is_marked_and_says_so(question: str) -> None:
    transport = ScriptedTransport([text("Chapter 1 (Lists): order."), text("Chapter 1 (Lists): order, once more.")])
    events = run(Ask(question, endpoint=endpoint()), transport)
    message = end(events).message
    assert message is not None
    assert (len(transport.journal), notices(events), message.incomplete) == (2, ["nudged", "incomplete"], "plan")


def test_a_flood_of_white_space_in_arguments_runs_nothing() -> None:
    events = run(QUESTION, ScriptedTransport([call("book_ref", '{"name": ' + " " * 5_000 + '"Theorem 2.2"}'), ANSWER]))
    error = end(events).error
    assert error is not None
    assert ("white space" in error.message, [result for result in results(events) if "url" in result]) == (True, [])


def test_a_flood_of_white_space_is_stopped() -> None:
    events = run(QUESTION, ScriptedTransport([text("Well" + " " * 5_000 + "x")]))
    error = end(events).error
    assert error is not None
    assert (error.fault, "white space" in error.message) == ("bad_response", True)
    assert said(events) == "Well"


def test_an_error_keeps_what_had_arrived() -> None:
    events = run(QUESTION, ScriptedTransport([text("The smallest element", events=3)]))
    error = end(events).error
    assert error is not None
    assert (end(events).state, error.fault) == ("error", "cut")
    assert said(events).startswith("The smal")


def test_what_may_be_tried_again_is_tried_again() -> None:
    transport = ScriptedTransport([fault(503, "busy"), fault(429, "slow down", retry_after="2"), ANSWER])
    events = run(QUESTION, transport)
    assert [event.data["seconds"] for event in events if isinstance(event, Notice)] == [0.5, 2.0]
    assert said(events) == "The smallest element [1]."


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (fault(401, "no"), "auth"),
        (fault(429, "no money", code="insufficient_quota"), "quota"),
        (fault(429, "later", retry_after="3600"), "rate_limit"),
    ],
)
def test_what_may_not_be_tried_again_is_said_at_once(answer: Answer, kind: str) -> None:
    transport = ScriptedTransport([answer])
    error = end(run(QUESTION, transport)).error
    assert error is not None
    assert (error.fault, len(transport.journal)) == (kind, 1)


def test_a_model_without_tools_goes_on_in_the_text_protocol() -> None:
    refusal = fault(400, "registry/tiny does not support tools")
    react = [text(" look\nAction: book_ref\nAction Input: Theorem 2.2"), text(" done\nFinal Answer: In $O(n)$ [1].")]
    transport = ScriptedTransport([refusal, *react])
    events = run(QUESTION, transport)
    assert ["tools" in body for body in transport.bodies] == [True, False, False]
    assert "Observation: {" in transport.bodies[2]["messages"][-1]["content"]
    assert said(events) == "In $O(n)$ [1]."


@pytest.mark.parametrize(
    ("complaint", "before", "after"),
    [
        ("Unsupported value: 'temperature' does not support 0.3 with this model.", "temperature", ""),
        (
            "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "max_tokens",
            "max_completion_tokens",
        ),
        ("Unrecognized request argument supplied: stream_options", "stream_options", ""),
    ],
)
def test_a_field_the_endpoint_complains_about_is_left_out(complaint: str, before: str, after: str) -> None:
    transport = ScriptedTransport([fault(400, complaint), ANSWER])
    assert said(run(QUESTION, transport)) == "The smallest element [1]."
    assert (before in transport.bodies[0], before in transport.bodies[1], not after or after in transport.bodies[1]) == (
        True,
        False,
        True,
    )


def test_a_prompt_too_long_for_the_model_is_shortened() -> None:
    transport = ScriptedTransport([fault(400, "maximum context length is 2048", code="context_length_exceeded"), ANSWER])
    assert said(run(QUESTION, transport)) == "The smallest element [1]."


def test_the_key_is_in_the_header_and_nowhere_else() -> None:
    transport = ScriptedTransport([fault(401, f"Incorrect API key provided: {KEY}")])
    events = run(QUESTION, transport)
    assert transport.journal[0].headers == {"content-type": "application/json", "authorization": f"Bearer {KEY}"}
    assert KEY not in repr(events)
    assert KEY not in repr(QUESTION)


def test_discussion_sends_no_passages() -> None:
    transport = ScriptedTransport([text("Heaps are fun.")])
    events = run(Ask("Tell me about heaps", mode="discussion", endpoint=endpoint()), transport)
    assert not any(isinstance(event, (Retrieval, SourceAdd)) for event in events)
    assert transport.bodies[0]["messages"][-1] == {"role": "user", "content": "Tell me about heaps"}


# Models that do whatever they like

names = st.sampled_from(["book_retrieve", "book_ref", "list_books", "book_chunk", "no_such_tool", "calculate", ""])
arguments = st.one_of(
    st.sampled_from(
        ["", "{}", "[]", '{"question": "heap"}', '{"name": "Theorem 2.2"}', '{"question": "he', "null", '{"id": 7}', '"{}"']
    ),
    st.dictionaries(
        st.sampled_from(["question", "name", "id", "topK"]), st.one_of(st.text(max_size=8), st.integers(), st.none()), max_size=3
    ).map(json.dumps),
)
words = st.sampled_from(
    [
        "",
        " ",
        "Let me search.",
        "A heap [1].",
        "<think>hm",
        "</think>",
        "<tool_call>{}",
        "```json\n{",
        " " * 2_500,
        "最终答案：堆",
        "Action: list_books",
    ]
)
answers = st.builds(
    Answer,
    text=words,
    reasoning=st.sampled_from(["", "thinking"]),
    calls=st.lists(st.builds(Call, names, arguments, st.sampled_from(["", "same", "other"])), max_size=4).map(tuple),
    finish=st.sampled_from(["", "stop", "length", "content_filter", "error", "tool_calls"]),
    status=st.sampled_from([200] * 8 + [400, 401, 429, 500, 503]),
    body=st.sampled_from([None] * 8 + ["", "<html>", "{}", "[]", "null", '{"error": "x"}']),
    events=st.sampled_from([None, None, None, 0, 1, 3]),
    hang=st.sampled_from([0.0, 0.0, 1.0]),
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(answers, min_size=1, max_size=8),
    st.sampled_from(["native", "react", "gather"]),
    st.sampled_from(["generic", "anthropic", "deepseek"]),
)
def test_any_model_ends_with_an_answer_or_a_clear_error_within_the_limits(
    script: list[Answer], protocol: Any, provider: str
) -> None:
    transport = ScriptedTransport(script)
    events = run(Ask("What is a heap?", endpoint=endpoint(provider), protocol=protocol), transport)
    final = end(events)
    assert sum(isinstance(event, ExchangeEnd) for event in events) == 1
    assert len(transport.journal) <= limits.REQUESTS * (1 + limits.RETRIES)
    assert sum(isinstance(event, TurnStart) for event in events) <= limits.REQUESTS
    assert said(events).strip() or (final.error is not None and final.error.message)
    assert paired(transport) == []
    assert opened(events) == closed(events)


def paired(transport: ScriptedTransport) -> list[str]:
    """Ids of calls without a result or results without a call, in any request."""
    lost: list[str] = []
    for body in transport.bodies:
        calls, answered = [], []
        for message in body["messages"]:
            blocks = message["content"] if isinstance(message.get("content"), list) else []
            calls += [made["id"] for made in message.get("tool_calls", ())] + [
                block["id"] for block in blocks if block["type"] == "tool_use"
            ]
            answered += [message["tool_call_id"]] if message["role"] == "tool" else []
            answered += [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        lost += sorted(set(calls) ^ set(answered)) if sorted(calls) != sorted(answered) else []
    return lost


def opened(events: list[Event]) -> set[int]:
    return {event.part for event in events if isinstance(event, PartStart)}


def closed(events: list[Event]) -> set[int]:
    return {event.part for event in events if isinstance(event, PartEnd)}


def test_a_script_may_read_what_it_is_asked() -> None:
    def script(entry: Entry) -> Answer:
        return text(f"{len(entry.body['messages'])} messages")

    assert said(run(QUESTION, ScriptedTransport(script))) == "2 messages"
