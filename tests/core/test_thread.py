"""What stays of a thread: numbers, what providers want back, and what is folded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from askbook.core import wire
from askbook.core.exchange import Ask
from askbook.core.fences import plain_address
from askbook.core.parts import Message, Source, SourceAdd, TextPart, ToolCallPart, ToolResultPart
from askbook.core.thread import Numbering, history, turns
from tests.fakes.endpoint import Answer, Call, Entry, call, text
from tests.fakes.memory import ENGLISH, ScriptedTransport, end, endpoint, index, run, said, shelf


def three_questions(provider: str, script: Any) -> ScriptedTransport:
    """Ask three questions in one thread; history and sources go through JSON between them, as over a reload."""
    transport = ScriptedTransport(script)
    messages: tuple[Message, ...] = ()
    sources: tuple[Source, ...] = ()
    for question in ("What is a heap?", "How is it built?", "And a list?"):
        events = run(Ask(question, endpoint=endpoint(provider), history=messages, sources=sources), transport)
        sources = (*sources, *(event.source for event in events if isinstance(event, SourceAdd)))
        message = end(events).message
        assert message is not None
        stored = json.loads(json.dumps(wire.to_json((*messages, Message("user", (TextPart(question),)), message))))
        messages = wire.read_messages(stored)
        sources = tuple(wire.read_source(source) for source in json.loads(json.dumps(wire.to_json(sources))))
    return transport


def thinking_script(entry: Entry) -> Answer:
    """Think and call, then answer, for each question."""
    last = entry.body["messages"][-1]
    answered = last["role"] == "tool" or (isinstance(last["content"], list) and last["content"][0]["type"] == "tool_result")
    asked = sum(message["role"] == "assistant" for message in entry.body["messages"])
    if answered:
        return text("So it is [1].", reasoning=f"I know {asked}.")
    return Answer(reasoning=f"Look up {asked}.", calls=(Call("book_ref", {"name": "Theorem 2.2"}, f"call{asked}"),))


def test_deepseek_gets_its_reasoning_back_on_messages_with_calls() -> None:
    bodies = three_questions("deepseek", thinking_script).bodies
    assistant = [message for message in bodies[-1]["messages"] if message["role"] == "assistant"]
    assert [(bool(message.get("tool_calls")), message.get("reasoning_content")) for message in assistant] == [
        (True, "Look up 0."), (False, None), (True, "Look up 2."), (False, None), (True, "Look up 4."),
    ]  # fmt: skip


def test_anthropic_gets_its_signed_thinking_back_unchanged() -> None:
    bodies = three_questions("anthropic", thinking_script).bodies
    blocks = [block for message in bodies[-1]["messages"] if message["role"] == "assistant" for block in message["content"]]
    thinking = [(block["thinking"], block["signature"]) for block in blocks if block["type"] == "thinking"]
    assert thinking == [
        (thought, f"signed:{thought}") for thought in ("Look up 0.", "I know 1.", "Look up 2.", "I know 3.", "Look up 4.")
    ]
    assert [message["role"] for message in bodies[-1]["messages"]][-2:] == ["assistant", "user"]


def test_gemini_gets_its_signatures_back() -> None:
    function = {"name": "book_ref", "arguments": '{"name": "Theorem 2.2"}'}
    made = {"id": "g", "function": function, "extra_content": {"google": {"thought_signature": "c2ln"}}}
    chunk = {"choices": [{"index": 0, "delta": {"tool_calls": [made]}, "finish_reason": "stop"}]}
    signed = Answer(body=f"data: {json.dumps(chunk)}\n\n")

    def script(entry: Entry) -> Answer:
        return text("So [1].") if entry.body["messages"][-1]["role"] == "tool" else signed

    bodies = three_questions("gemini", script).bodies
    calls = [made for message in bodies[-1]["messages"] for made in message.get("tool_calls", ())]
    assert [made["extra_content"] for made in calls] == [{"google": {"thought_signature": "c2ln"}}] * 3
    other = three_questions("generic", script).bodies
    assert "extra_content" not in json.dumps(other)


def test_numbers_stay_for_the_whole_thread() -> None:
    numbering = Numbering()
    books = index(ENGLISH)
    first = [numbering.add(books, books.card(at), text="")[0].n for at in (2, 3)]
    again = Numbering(numbering.sources.values())
    assert (
        first,
        next(again.add(books, books.card(at), text="") for at in (3, 0))[1],
        again.add(books, books.card(0), text="")[0].n,
    ) == ([1, 2], False, 3)


def test_addresses_are_paths_of_the_site() -> None:
    books = index(ENGLISH)
    assert Numbering(root="/books/x/").add(books, books.card(0), text="")[0].url == "/books/x/lists/#definition-1-1"


def test_only_messages_that_say_something_count() -> None:
    def exchange(question: str, *parts: Any, state: Any = "completed") -> list[Message]:
        return [Message("user", (TextPart(question),)), Message("assistant", parts, state)]

    thread = [
        *exchange("a", TextPart("A")),
        *exchange("b", TextPart("B"), state="aborted"),
        *exchange("c", TextPart(" ")),
        *exchange("d", TextPart("D")),
    ]
    assert [message.parts[0].text for message in history(thread)] == ["a", "A", "d", "D"]  # type: ignore[union-attr]
    many = [message for at in range(20) for message in exchange(str(at), TextPart("x"))]
    assert [message.parts[0].text for message in history(many)][:2] == ["14", "x"]  # type: ignore[union-attr]


def test_results_are_folded_and_calls_keep_theirs() -> None:
    long = {"results": [{"n": 1, "id": "x", "text": "t" * 900, "score": 3.0}]}
    answer = Message(
        "assistant",
        (
            ToolCallPart("a", "book_retrieve", {"question": "q"}),
            ToolResultPart("a", "book_retrieve", long),
            ToolCallPart("b", "list_books", {}),
            TextPart("So."),
        ),
    )
    assert [(message.role, len(message.parts)) for message in turns(answer)] == [("assistant", 1), ("tool", 1), ("assistant", 1)]
    folded = turns(answer)[1].parts[0]
    assert isinstance(folded, ToolResultPart)
    assert folded.content == {"results": [{"n": 1, "id": "x", "text": "t" * 200 + "…"}]}


def test_a_mark_of_a_tool_result_is_checked_in_discussion_too() -> None:
    events = run(
        Ask("Tell me", mode="discussion", endpoint=endpoint()),
        ScriptedTransport([call("book_ref", {"name": "Theorem 2.2"}), text("A heap of n elements is built in $O(n)$ [1].")]),
    )
    assert said(events) == "A heap of n elements is built in $O(n)$ [1]."
    citations = next(event for event in events if type(event).__name__ == "Citations")
    assert [citation.support for citation in citations.citations] == ["quoted"]  # type: ignore[union-attr]


@pytest.mark.parametrize("root", ["/", "/books/"])
def test_results_carry_paths_of_the_site(root: str) -> None:
    transport = ScriptedTransport([call("book_toc"), text("x [1].")])
    run(Ask("heap", endpoint=endpoint(), root=root), transport, shelf())
    assert json.loads(transport.bodies[1]["messages"][-1]["content"])["toc"][0]["url"] == f"{root}lists/"


def test_a_text_fragment_is_for_the_jump_and_not_for_the_model() -> None:
    assert [plain_address(url) for url in ("p/#a:~:text=x", "p/#:~:text=x", "p/#a")] == ["p/#a", "p/", "p/#a"]
