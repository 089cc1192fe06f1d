"""Events, messages and sources survive JSON; the golden file is what the page's tests read too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from askbook.core import wire
from askbook.core.canonical import dumps
from askbook.core.errors import BookError
from askbook.core.exchange import Ask
from askbook.core.parts import (
    Citation,
    Citations,
    ErrorPart,
    Event,
    ExchangeEnd,
    Message,
    PartEnd,
    PlanPart,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    TurnEnd,
    Usage,
)  # fmt: skip
from tests.fakes.endpoint import Answer, Call, text
from tests.fakes.memory import ScriptedTransport, endpoint, run

GOLDEN = Path(__file__).parents[1] / "golden" / "wire"
SCRIPT = [
    Answer(text="I will look.", reasoning="Which theorem?", calls=(Call("book_ref", {"name": "Theorem 2.2"}, "call_a"),)),
    text("A heap of n elements is built in $O(n)$ [1]."),
]
EVENTS = run(Ask("How fast is a heap built?", endpoint=endpoint("deepseek"), root="/books/"), ScriptedTransport(SCRIPT))


def test_an_exchange_is_the_recorded_one(update_golden: bool) -> None:
    file = GOLDEN / "exchange.json"
    lines = "[\n" + ",\n".join(dumps(wire.to_json(event)) for event in EVENTS) + "\n]\n"
    if update_golden:
        file.write_text(lines, encoding="utf-8")
    assert json.loads(lines) == json.loads(file.read_text(encoding="utf-8"))


MADE: list[Event] = [
    *EVENTS,
    PartEnd(1, "aborted"),
    TurnEnd(1, "length", Usage(3, None)),
    Citations((Citation(0, 1, "s", "loose", "q", "/x#a", 0.5),), 0.5),
    ExchangeEnd(
        "error",
        ErrorPart("quota", "no", 429, retry_after=2.0),
        None,
        Message("assistant", (PlanPart("p"), ErrorPart("cut", "x")), "error", "plan"),
    ),
]


@pytest.mark.parametrize("event", MADE, ids=lambda event: type(event).__name__)
def test_an_event_survives(event: Event) -> None:
    assert wire.read_event(json.loads(dumps(wire.to_json(event)))) == event


def test_a_thread_survives() -> None:
    parts = (
        ReasoningPart("r", {"type": "thinking", "signature": "s"}),
        PlanPart("p"),
        ToolCallPart("a", "t", {"x": [1]}, "bad_json", "{", {"extra_content": {}}),
        ToolResultPart("a", "t", {"y": {"z": None}}, True),
        TextPart("漢"),
    )
    thread = (Message("user", (TextPart("q"),)), Message("assistant", parts, "completed", "length"))
    assert wire.read_messages(json.loads(json.dumps(wire.to_json(thread)))) == thread


def test_a_broken_entry_does_not_lose_the_rest() -> None:
    good = wire.to_json(Message("user", (TextPart("q"),)))
    bad = [None, 5, {}, {"role": "user", "parts": [{"type": "picture"}]}, {"role": "user", "parts": 7}]
    assert wire.read_messages([*bad, good, {**good, "new_field": 1}]) == (Message("user", (TextPart("q"),)),) * 2


@pytest.mark.parametrize("value", [{}, {"type": "nonsense"}, {"type": "part-end"}])
def test_what_is_no_event_is_refused(value: dict[str, object]) -> None:
    with pytest.raises(BookError):
        wire.read_event(value)
