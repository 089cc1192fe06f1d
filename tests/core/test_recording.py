"""An exchange that was written down comes to the same answer again, and holds no key."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from askbook.core.errors import BookError
from askbook.core.exchange import Ask
from askbook.core.recording import LOG, Recording, replay
from tests.fakes.endpoint import Answer, Call, call, fault, text
from tests.fakes.memory import KEY, ScriptedTransport, endpoint, run

TWO = (Call("book_ref", {"name": "Theorem 2.2"}), Call("list_books"))
EXCHANGES: dict[str, tuple[str, Sequence[Answer]]] = {
    "answer": ("generic", [text("The smallest [1].")]),
    "calls": ("deepseek", [Answer(reasoning="Look.", calls=TWO), call("list_books"), text("So [1].")]),
    "signed": ("anthropic", [Answer(reasoning="Look.", calls=(Call("book_toc"),)), text("So [1].")]),
    "retries": ("generic", [fault(503, "busy"), text("So [1].")]),
    "refused": ("generic", [fault(401, f"Incorrect API key provided: {KEY}")]),
    "cut": ("generic", [text("The smallest element", events=3)]),
    "stall": ("generic", [text("The smallest element", events=3, hang=1.0)]),
    "announcement": ("generic", [text("Let me look."), text("So [1].")]),
    "silence": ("generic", [text("")]),
    "echo": ("generic", [text(f"Your key is {KEY}, and KEY")]),
    "text protocol": ("generic", [fault(400, "no tools here"), text("Action: list_books"), text("Final Answer: So [1].")]),
}  # fmt: skip


def record(name: str) -> Recording:
    provider, script = EXCHANGES[name]
    recording = Recording()
    run(Ask("What does a heap keep on top?", endpoint=endpoint(provider)), ScriptedTransport(script), recording=recording)
    return recording


@pytest.mark.parametrize("name", EXCHANGES)
def test_a_log_comes_to_the_same_answer(name: str) -> None:
    log = json.loads(json.dumps(record(name).log()))
    played = asyncio.run(replay(log))
    assert (played.differs, played.answer) == ([], log["answer"])


@pytest.mark.parametrize("name", EXCHANGES)
def test_a_receipt_comes_to_the_same_answer(name: str) -> None:
    receipt = json.loads(json.dumps(record(name).receipt()))
    assert asyncio.run(replay(receipt)).differs == []
    assert receipt["books"].keys() == {"books-structures"}
    assert [hit["card"] for hit in receipt["retrieval"]["hits"]][:1] == ["heaps/definition-2-1"]


@pytest.mark.parametrize("name", EXCHANGES)
def test_no_key_header_or_address_is_written_down(name: str) -> None:
    recording = record(name)
    written = json.dumps([recording.log(), recording.receipt()]).lower()
    assert [word for word in (KEY.lower(), "bearer", "authorization", "x-api-key", "model.example") if word in written] == []


def test_the_books_own_answer_is_played_too() -> None:
    recording = Recording()
    run(Ask("What does a heap keep on top?"), ScriptedTransport([]), recording=recording)
    assert asyncio.run(replay(recording.log())).differs == []


def test_a_changed_log_differs() -> None:
    log = record("calls").log()
    log["exchanges"][-1]["chunks"] = [
        "data: " + json.dumps({"choices": [{"index": 0, "delta": {"content": "Other."}, "finish_reason": "stop"}]}) + "\n\n"
    ]
    assert asyncio.run(replay(log)).differs == ["text"]


@pytest.mark.parametrize("value", [[], {}, {"format": "askbook-log/9"}, 5, {"chunks": 5}])
def test_anything_else_is_refused(value: Any) -> None:
    with pytest.raises(BookError):
        asyncio.run(replay(value))


def test_events_stand_in_the_log_without_their_deltas() -> None:
    log = record("calls").log()
    assert log["format"] == LOG
    assert {event["type"] for event in log["events"]} >= {
        "exchange-start",
        "retrieval",
        "turn-start",
        "part-end",
        "tool-result",
        "exchange-end",
    }
    assert "part-delta" not in {event["type"] for event in log["events"]}
