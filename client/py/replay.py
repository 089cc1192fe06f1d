"""Play again what an endpoint once sent: stream cases, event logs and receipts, on a clock that takes no time.

A stream case is one response; a log or receipt is a whole exchange with what its tools answered. The same turn and loop run as in
front of a reader; only transport, clock and tools are recordings.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .assembly import Answer
from .errors import BookError
from .parts import ErrorPart, Part, ReasoningPart, TextPart, ToolCallPart
from .ports import Request, TransportError
from .profiles import Profile, find_profile
from .providers.base import Endpoint, Prompt, ToolSchema
from .providers.wires import wire_of
from .stop import Stop
from .turn import Turn

CASE_TOOLS: Final = (
    "list_books", "book_toc", "book_retrieve", "book_chunk", "book_slice_search", "book_chapter_outline", "book_read_section",
)  # fmt: skip
"""Tools that a stream case knows where it names none."""


class VirtualClock:
    """A clock that only moves when somebody waits."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        self._now += max(0.0, seconds)


class RecordedResponse:
    """A response that is played from its chunks: text, base64, waits, faults of the transport, the stop button."""

    def __init__(self, http: Mapping[str, Any], chunks: Sequence[Any], clock: VirtualClock, stop: Stop) -> None:
        self.status = int(http.get("status", 200))
        self.headers = {str(name).lower(): str(value) for name, value in (http.get("headers") or {}).items()}
        self._chunks = list(chunks)
        self._clock = clock
        self._stop = stop

    async def read(self, *, timeout: float) -> bytes:
        silence = 0.0
        while self._chunks:
            chunk = self._chunks.pop(0)
            if isinstance(chunk, str) or "b64" in chunk:
                data = chunk.encode("utf-8", "surrogatepass") if isinstance(chunk, str) else base64.b64decode(chunk["b64"])
                if data:
                    return data
                continue
            silence += wait(chunk, self._stop)
            if silence >= timeout:
                await self._clock.sleep(timeout)
                raise TransportError("no byte came in time", timed_out=True)
            await self._clock.sleep(silence)
        return b""

    async def close(self) -> None:
        self._chunks.clear()


def wait(chunk: Mapping[str, Any], stop: Stop) -> float:
    """Do what a chunk without bytes says: wait so many seconds, break off, stop."""
    if "wait_ms" in chunk:
        return float(chunk["wait_ms"]) / 1000
    if chunk.get("abort") or chunk.get("error") == "AbortError":
        stop.press()
        return 0.0
    if "error" in chunk:
        raise TransportError(str(chunk.get("message") or chunk["error"]), timed_out="timeout" in str(chunk["error"]).lower())
    raise BookError(f"a chunk of a recording cannot be read: {chunk!r:.80}")


class RecordedTransport:
    """Answer each request with the next recorded response."""

    def __init__(self, responses: Sequence[Mapping[str, Any]], clock: VirtualClock, stop: Stop) -> None:
        self._responses = list(responses)
        self._clock = clock
        self._stop = stop

    async def send(self, request: Request) -> RecordedResponse:
        if not self._responses:
            raise TransportError("the recording holds no further response")
        recorded = self._responses.pop(0)
        if recorded.get("http") is not None:
            return RecordedResponse(recorded["http"], recorded["chunks"], self._clock, self._stop)
        for chunk in recorded["chunks"]:
            if isinstance(chunk, Mapping) and wait(chunk, self._stop):
                raise TransportError("no answer in time", timed_out=True)
        if self._stop.pressed:
            await self._stop.race(self._clock.sleep(0))
        raise TransportError("no response was recorded")


def as_expected(parts: Sequence[Part], finish: str, error: ErrorPart | None, profile: Profile) -> dict[str, Any]:
    """An answer in the form of `expect`, every key."""
    calls = [part for part in parts if isinstance(part, ToolCallPart)]
    return {
        "text": "".join(part.text for part in parts if isinstance(part, TextPart)).strip(),
        "reasoning": "".join(part.text for part in parts if isinstance(part, ReasoningPart)).strip(),
        "tool_calls": [
            {"id": call.id, "name": call.name, "arguments": None if call.raw else dict(call.arguments), "problem": call.problem}
            for call in calls
        ],
        "finish": finish,
        "error": None if error is None else error_json(error),
        "keep": wire_of(profile).keep(parts, profile),
    }


def error_json(error: ErrorPart) -> dict[str, Any]:
    """An error in the form of `expect`."""
    return {
        "kind": error.fault, "status": error.status, "retry": error.retry, "retry_after": error.retry_after,
        "message": error.message, "message_has": error.message,
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of a replay."""

    answer: dict[str, Any]
    expected: Mapping[str, Any] | None
    """What the recording says should come of it; None where it says nothing."""

    @property
    def differs(self) -> list[str]:
        """Names of the fields that differ from what was expected."""
        return differences(self.expected, self.answer) if self.expected is not None else []


async def replay_case(case: Mapping[str, Any]) -> Replayed:
    """Play one stream case."""
    profile = find_profile(str(case.get("provider") or ""), "")
    names = case["tools"] if case.get("tools") is not None else CASE_TOOLS
    tools = [ToolSchema(str(name), "", {"type": "object", "properties": {}, "required": []}) for name in names]
    stop, clock = Stop(), VirtualClock()
    recorded = {"http": case.get("http", {"status": 200}), "chunks": case["chunks"]}
    turn = Turn(
        Endpoint("http://recorded.invalid", "recorded", profile=profile),
        transport=RecordedTransport([recorded], clock, stop),
        clock=clock,
        stop=stop,
    )
    async for _ in turn.once(Prompt("", (), tools), [tool.name for tool in tools], 0, "call"):
        pass
    answer: Answer = turn.answer
    return Replayed(as_expected(answer.parts, answer.finish, answer.error, profile), case.get("expect"))


def differences(expected: Mapping[str, Any], answer: Mapping[str, Any]) -> list[str]:
    """Compare as the cases mean it: text without white space at its ends, any id for `*`, a part of the message."""
    return [name for name, value in expected.items() if not _agree(name, value, answer.get(name))]


def _agree(name: str, expected: Any, found: Any) -> bool:
    match name:
        case "text" | "reasoning":
            return bool(str(expected).strip() == str(found).strip())
        case "tool_calls":
            ids = [call["id"] for call in found]
            alike = len(expected) == len(found) and all(map(_call_agrees, expected, found))
            return alike and all(ids) and (len(set(ids)) == len(ids) or ids == [call["id"] for call in expected])
        case "error":
            if expected is None or found is None:
                return expected is found
            return all(
                value in found["message"] if key.startswith("message") else value == found.get(key)
                for key, value in expected.items()
            )
        case _:
            return bool(expected == found)


def _call_agrees(expected: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    return all(value == found.get(key) for key, value in expected.items() if not (key == "id" and value == "*"))
