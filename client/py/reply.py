"""One response of an endpoint, read piece by piece: status and bytes in, events out, an `Answer` at the end.

It never owns the connection. What the endpoint sends instead of a stream (JSON, one object a line, an HTML page, an error) is
understood as far as it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from .assembly import Answer, Assembly, Scanner
from .deltas import EndMark
from .errors import Fault
from .faults import RETRYABLE, http_fault
from .nesting import parse
from .parts import ErrorPart, Event
from .profiles import Profile
from .providers.wires import wire_of
from .sse import EventStream, ServerEvent
from .tags import TagScanner

BODY_BYTES: Final = 64_000
"""How much of an error's body is read."""
MESSAGES: Final[Mapping[Fault, str]] = {
    "network": "No connection to the endpoint: {reason}",
    "timeout": "The endpoint did not answer in time.",
    "stall": "The endpoint fell silent in the middle of the answer.",
    "cut": "The connection ended before the answer was complete.",
    "aborted": "Stopped.",
    "bad_response": "What the endpoint sent is not an answer of a model; is the address right? It begins with {reason}",
}

BROKE_OFF: Final = "The connection to the endpoint broke off: {reason}"
"""What `network` means once an answer has begun."""


def fault_part(fault: Fault, *, reason: str = "", status: int | None = None) -> ErrorPart:
    """Say in words what broke a response off."""
    words = BROKE_OFF if fault == "network" and status is not None else MESSAGES[fault]
    return ErrorPart(fault, words.format(reason=reason or "no reason given"), status, fault in RETRYABLE)


class Reply:
    """Read one response."""

    def __init__(
        self,
        profile: Profile,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        tools: Collection[str] = (),
        first_part: int = 0,
        prefix: str = "call",
        scanner: Callable[[], Scanner] = TagScanner,
    ) -> None:
        self.status = status
        self._headers = headers or {}
        self._adapter = wire_of(profile).adapter()
        self._stream = EventStream()
        self._assembly = Assembly(tools, first=first_part, prefix=prefix, scanner=scanner)
        self._body: list[bytes] = []
        self._understood = 0
        self._seen = 0

    @property
    def failed(self) -> bool:
        """Whether the status alone says that there is no answer."""
        return not 200 <= self.status < 300

    @property
    def complete(self) -> bool:
        """Whether a finish reason or the end mark was seen."""
        return self._assembly.complete

    @property
    def over(self) -> bool:
        """Whether nothing more is worth reading."""
        return self._assembly.ended or self._assembly.error is not None

    @property
    def spoken(self) -> bool:
        """Whether text or a call was shown already."""
        return self._assembly.spoken

    def feed(self, data: bytes, *, last: bool = False) -> list[Event]:
        """Take the next bytes of the body."""
        if self.failed:
            if sum(map(len, self._body)) < BODY_BYTES:
                self._body.append(data)
            return []
        events: list[Event] = []
        for event in self._stream.feed(data, last=last):
            if self.over:
                break
            events += self._read(event)
        return events

    def end(self, error: ErrorPart | None = None) -> tuple[list[Event], Answer]:
        """Close the response: `error` when it broke off, None when the connection ended by itself."""
        if self.failed:
            body = b"".join(self._body).decode("utf-8", "replace")
            return self._assembly.end(http_fault(self.status, self._headers, body))
        events = self.feed(b"", last=True)
        if not self._understood and not self.over:
            events += self._read_stray()
        closing, answer = self._assembly.end(error or self._silence())
        if answer.error is not None and answer.error.status is None:
            answer = replace(answer, error=replace(answer.error, status=self.status))
        return events + closing, answer

    def _read(self, event: ServerEvent) -> list[Event]:
        """Read one event; one that is not JSON is passed over, unless it says by its name that it is an error."""
        data = event.data.strip()
        self._seen += 1
        if data == "[DONE]":
            self._understood += 1
            return self._assembly.add(EndMark())
        if not data:
            return []
        try:
            chunk = parse(data)
        except ValueError:
            if event.name != "error":
                return []
            chunk = {"error": {"message": data}}
        if isinstance(chunk, str) and event.name == "error":
            chunk = {"error": {"message": chunk}}
        return self._take(event.name, chunk)

    def _take(self, name: str, chunk: Any) -> list[Event]:
        if not isinstance(chunk, dict):
            return []
        self._understood += 1
        return [event for delta in self._adapter.deltas(name, chunk) for event in self._assembly.add(delta)]

    def _read_stray(self) -> list[Event]:
        """Try the whole body as one JSON value."""
        try:
            value = parse(self._stream.stray)
        except ValueError:
            return []
        if isinstance(value, list):  # Gemini wraps its errors in an array
            return [event for entry in value for event in self._take("", entry)]
        return self._take("", value)

    def _silence(self) -> ErrorPart:
        """Say what an answer that just ended without a finish means."""
        stray = self._stream.stray.strip()
        if stray and not self._stream.fields and not self._assembly.begun and (stray[0] not in "{[" or _is_json(stray)):
            return fault_part("bad_response", reason=repr(stray[:80]), status=self.status)
        return fault_part("cut", status=self.status)


def _is_json(text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True
