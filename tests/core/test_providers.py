"""Adapters take whatever an endpoint sends, and write what their wire wants."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askbook.core import wire
from askbook.core.assembly import Answer
from askbook.core.parts import Message, ReasoningPart, TextPart, ToolCallPart, ToolResultPart
from askbook.core.profiles import find_profile
from askbook.core.providers import anthropic, openai
from askbook.core.providers.base import Endpoint, Prompt, ToolSchema, address
from askbook.core.reply import Reply

FIELDS = [
    "choices", "delta", "message", "content", "tool_calls", "function", "name", "arguments", "id", "index", "finish_reason",
    "error", "usage", "type",
    "text", "thinking", "reasoning_content", "reasoning_details", "extra_content", "refusal", "function_call",
    "content_block", "input", "partial_json",
    "stop_reason", "signature", "code", "prompt_tokens", "object", "done", "data",
]  # fmt: skip
WORDS = [
    "message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop",
    "text_delta", "thinking_delta",
    "input_json_delta", "tool_use", "thinking", "redacted_thinking", "stop", "length", "error", "book_toc", "{}", '{"a":',
    "\ud83d", "\ude00", "<think>", "",
]  # fmt: skip
LEAVES = st.one_of(
    st.sampled_from(WORDS), st.integers(-2, 3), st.none(), st.booleans(), st.floats(allow_nan=False), st.text(max_size=5)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4)),
    max_leaves=12,
)
CHUNKS = st.lists(st.tuples(st.sampled_from(["", "error", *WORDS[:6]]), VALUES), max_size=6)


def read(name: str, body: bytes, status: int = 200) -> Answer:
    reply = Reply(find_profile(name, ""), status=status, tools=("book_toc",))
    reply.feed(body)
    return reply.end()[1]


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(["openai", "gemini", "openrouter", "anthropic"]), CHUNKS, st.sampled_from([200, 200, 200, 400, 500]))
def test_any_json_is_read_without_a_fault_of_ours(name: str, chunks: list[tuple[str, Any]], status: int) -> None:
    body = "".join(f"event: {event}\ndata: {json.dumps(value)}\n\n" for event, value in chunks).encode()
    answer = read(name, body, status)
    json.dumps(wire.to_json(answer.parts), ensure_ascii=False).encode()
    assert (answer.finish == "error") == (answer.error is not None)
    assert len({call.id for call in answer.calls}) == len(answer.calls)
    assert all(call.problem for call in answer.calls) or answer.finish == "tool_calls"


@given(st.binary(max_size=200), st.sampled_from(["openai", "anthropic"]), st.sampled_from([200, 401, 503]))
def test_any_bytes_are_read_without_a_fault_of_ours(body: bytes, name: str, status: int) -> None:
    assert read(name, body, status).error is not None or read(name, body, status).finish != "error"


@pytest.mark.parametrize("field", ["arguments", "extra_content"])
@pytest.mark.parametrize("provider", ["gemini", "anthropic"])
def test_what_is_nested_without_end_is_not_taken(provider: str, field: str) -> None:
    deep: Any = {}
    for _ in range(400):
        deep = {"a": deep}
    function = {"name": "book_toc", "arguments": deep if field == "arguments" else "{}"}
    call = {"id": "x", "function": function, "extra_content": deep if field == "extra_content" else None}
    chunk = {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    answer = read(provider, f"data: {json.dumps(chunk)}\n\n".encode())
    json.dumps(wire.to_json(answer.parts))
    text = json.dumps(deep)
    chunk["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"] = text  # type: ignore[index]
    answer = read("openai", f"data: {json.dumps(chunk)}\n\n".encode())
    assert [made.problem for made in answer.calls] == ["bad_json"]


CALL = ToolCallPart("a", "book_toc", {"book": "漢"})
RESULT = ToolResultPart("a", "book_toc", {"toc": []}, error=True)
TOOL = ToolSchema("book_toc", "List.", {"type": "object", "properties": {}, "required": []})
PROMPT = Prompt(
    "S",
    [
        Message("user", (TextPart("q"),)),
        Message("assistant", (TextPart("t"), CALL)),
        Message("tool", (RESULT,)),
        Message("user", (TextPart("n"),)),
    ],
    [TOOL],
    99,
    0.5,
)


def test_a_request_of_the_first_wire() -> None:
    request = openai.request(Endpoint("https://x.example/v1/", "m", "k", find_profile("generic", "")), PROMPT)
    assert (request.url, dict(request.headers)) == (
        "https://x.example/v1/chat/completions",
        {"content-type": "application/json", "authorization": "Bearer k"},
    )
    assert json.loads(request.body) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "S"},
            {"role": "user", "content": "q"},
            {
                "role": "assistant",
                "content": "t",
                "tool_calls": [{"id": "a", "type": "function", "function": {"name": "book_toc", "arguments": '{"book": "漢"}'}}],
            },
            {"role": "tool", "tool_call_id": "a", "name": "book_toc", "content": '{"toc":[]}'},
            {"role": "user", "content": "n"},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 99,
        "temperature": 0.5,
        "tools": [
            {"type": "function", "function": {"name": "book_toc", "description": "List.", "parameters": dict(TOOL.parameters)}}
        ],
    }


def test_a_request_of_the_second_wire() -> None:
    request = anthropic.request(Endpoint("https://x.example/v1", "m", "k", find_profile("anthropic", "")), PROMPT)
    assert (request.url, sorted(request.headers)) == (
        "https://x.example/v1/messages",
        ["anthropic-dangerous-direct-browser-access", "anthropic-version", "content-type", "x-api-key"],
    )
    body = json.loads(request.body)
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "q"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "t"},
                {"type": "tool_use", "id": "a", "name": "book_toc", "input": {"book": "漢"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": '{"toc":[]}', "is_error": True},
                {"type": "text", "text": "n"},
            ],
        },
    ]
    assert body["tools"] == [{"name": "book_toc", "description": "List.", "input_schema": dict(TOOL.parameters)}]


def test_a_last_turn_of_the_second_wire_names_its_tools_and_forbids_them() -> None:
    last = Prompt(PROMPT.system, PROMPT.messages)
    body = json.loads(anthropic.request(Endpoint("https://x.example", "m", "", find_profile("anthropic", "")), last).body)
    assert (body["tool_choice"], [tool["name"] for tool in body["tools"]]) == ({"type": "none"}, ["book_toc"])


def test_a_request_without_a_key_has_no_header_for_it() -> None:
    assert dict(openai.request(Endpoint("http://localhost:1234/v1", "m"), PROMPT).headers) == {"content-type": "application/json"}


def test_what_a_provider_wants_is_sent() -> None:
    def body(name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            openai.request(Endpoint("https://x.example", "m", "", find_profile(name, "")), PROMPT).body
        )
        return found

    assert body("gemini")["max_tokens"] == 16_384
    assert body("gemini")["messages"][2]["tool_calls"][0]["extra_content"] == {
        "google": {"thought_signature": "skip_thought_signature_validator"}
    }
    assert "stream_options" not in body("glm")
    assert body("glm")["tool_stream"] is True
    assert "max_completion_tokens" in body("openai")
    thought = Prompt("", [Message("assistant", (ReasoningPart("r", {"field": True}), CALL)), Message("tool", (RESULT,))])
    sent = json.loads(openai.request(Endpoint("https://x.example", "m", "", find_profile("deepseek", "")), thought).body)
    assert sent["messages"][0]["reasoning_content"] == "r"


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("https://x.example/v1", "https://x.example/v1/chat/completions"),
        (" https://x.example/v1/ ", "https://x.example/v1/chat/completions"),
        ("https://x.example/v1/chat/completions", "https://x.example/v1/chat/completions"),
        ("https://x.example/d/chat/completions?api-version=1", "https://x.example/d/chat/completions?api-version=1"),
    ],
)
def test_addresses_are_joined(base: str, url: str) -> None:
    assert address(base, "/chat/completions") == url
