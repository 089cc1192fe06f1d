"""The wire as somebody else understands it: aimock answers in OpenAI's and Anthropic's form, and misbehaves on request."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from askbook.core.exchange import Ask, ask
from askbook.core.parts import Event, ReasoningPart, TextPart, ToolCallPart
from askbook.core.profiles import find_profile
from askbook.core.providers.base import Endpoint
from askbook.core.replay import VirtualClock
from askbook.terminal.http import HttpTransport
from tests.fakes.memory import end, said, shelf

PROGRAM = Path(__file__).parents[2] / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"
ANSWER = "The smallest element [1]."
TWO = [{"name": "book_ref", "arguments": {"name": "Theorem 2.2"}}, {"name": "list_books", "arguments": {}}]


def fixture(word: str, response: dict[str, Any], **match: Any) -> dict[str, Any]:
    return {"match": {"userMessage": word, **match}, "response": response}


FIXTURES = [
    fixture("plainly", {"content": ANSWER}),
    fixture("with thought", {"content": ANSWER, "reasoning": "A heap keeps it."}),
    fixture("with calls", {"toolCalls": TWO}, hasToolResult=False),
    fixture("with calls", {"content": ANSWER}, hasToolResult=True),
    fixture("too often", {"error": {"message": "Slow down", "type": "rate_limit_error"}, "status": 429}),
    fixture("malformed", {"content": ANSWER}) | {"chaos": {"malformedRate": 1.0}},
    fixture("disconnected", {"content": ANSWER * 20}) | {"chaos": {"disconnectRate": 1.0}},
    fixture("dropped", {"content": ANSWER}) | {"chaos": {"dropRate": 1.0}},
]


@pytest.fixture(scope="module")
def aimock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a running aimock."""
    node = shutil.which("node")
    if node is None or not PROGRAM.is_file():
        pytest.fail("aimock is not installed: run 'npm ci'")
    file = tmp_path_factory.mktemp("aimock") / "fixtures.json"
    file.write_text(json.dumps({"fixtures": FIXTURES}), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [node, str(PROGRAM), "-p", str(port), "-f", str(file), "-c", "7", "--log-level", "silent"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/v1/models")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait(10)


def wait_for(url: str) -> None:
    """Wait until a server answers."""
    for _ in range(100):
        try:
            httpx.get(url)
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"{url} does not answer")


def exchange(url: str, question: str, provider: str) -> list[Event]:
    async def collect() -> list[Event]:
        transport = HttpTransport(trust_env=False)
        where = Endpoint(url, "gpt-5" if provider == "generic" else "claude-sonnet-4", "sk-test", find_profile(provider, ""))
        events = ask(
            Ask(f"Say what a heap keeps, {question}", endpoint=where), shelf(), transport=transport, clock=VirtualClock()
        )
        try:
            return [event async for event in events]
        finally:
            await transport.close()

    return asyncio.run(collect())


both = pytest.mark.parametrize("provider", ["generic", "anthropic"])


@both
def test_an_answer_streams(aimock: str, provider: str) -> None:
    events = exchange(aimock, "plainly", provider)
    assert (end(events).state, said(events)) == ("completed", ANSWER)


@both
def test_reasoning_is_kept_apart(aimock: str, provider: str) -> None:
    message = end(exchange(aimock, "with thought", provider)).message
    assert message is not None
    assert [(type(part), part.text) for part in message.parts if isinstance(part, (ReasoningPart, TextPart))] == [
        (ReasoningPart, "A heap keeps it."), (TextPart, ANSWER),
    ]  # fmt: skip


@both
def test_calls_of_one_answer_are_run_and_answered(aimock: str, provider: str) -> None:
    message = end(exchange(aimock, "with calls", provider)).message
    assert message is not None
    assert [(part.name, part.problem) for part in message.parts if isinstance(part, ToolCallPart)] == [
        ("book_ref", None),
        ("list_books", None),
    ]
    assert isinstance(message.parts[-1], TextPart)
    assert message.parts[-1].text == ANSWER


@both
@pytest.mark.parametrize(
    ("question", "faults"),
    [
        ("too often", {"rate_limit"}),
        ("malformed", {"bad_response", "cut", "server"}),
        ("disconnected", {"network", "cut"}),
        ("dropped", {"server"}),
    ],
)
def test_every_misbehaviour_ends_with_a_clear_error(aimock: str, provider: str, question: str, faults: set[str]) -> None:
    error = end(exchange(aimock, question, provider)).error
    assert error is not None
    assert (error.fault in faults, bool(error.message)) == (True, True), error
