"""Write an exchange down so that it can be played again: the event log, and the receipt of an answer.

What is written is chosen field by field; requests are kept as bodies alone, so that no header, key or address can get in, and
where an endpoint repeats the key in what it sends, it is taken out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from .calls import Calls
from .errors import BookError
from .loop import Assignment, Loop
from .nesting import parse
from .parts import (
    Citations,
    Event,
    ExchangeEnd,
    Message,
    Part,
    PartDelta,
    PartEnd,
    Retrieval,
    SourceAdd,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
    TurnStart,
)  # fmt: skip
from .ports import Clock, Request, Response, Transport, TransportError
from .profiles import find_profile
from .prompts import BookFacts, Context
from .providers.base import Endpoint, ToolSchema
from .replay import RecordedTransport, Replayed, VirtualClock, as_expected, replay_case
from .search import Found
from .sse import EventStream
from .stop import Stop
from .thread import Numbering
from .toolbox import Shelf
from .turn import Turn, redact
from .wire import read_messages, read_source, to_json

LOG: Final = "askbook-log/1"
RECEIPT: Final = "askbook-receipt/1"
WITHHELD: Final = "An endpoint repeated the key in its answer; what it sent was not written down."
HEADERS: Final = ("content-type", "retry-after", "retry-after-ms", "x-should-retry", "date")
"""Headers of a response that its reading depends on; no other is written down."""


class Recording:
    """Everything that happened in one exchange. Give it to `exchange.ask`; `log()` and `receipt()` are JSON values."""

    def __init__(self) -> None:
        self._key = ""
        self._responses: list[dict[str, Any]] = []
        self._events: list[Event] = []
        self._assignment: Assignment | None = None
        self._books: dict[str, str] = {}
        self._found: list[dict[str, Any]] = []
        self._sources: tuple[Any, ...] = ()

    # What is taken down

    def transport(self, transport: Transport, key: str) -> Transport:
        """Listen to what is sent and received."""
        self._key = key
        return _Listening(transport, self._responses)

    def shelf(self, shelf: Shelf, sources: Sequence[Any]) -> None:
        """Note which books were asked, and the sources the thread had already."""
        self._books = {index.name: index.hash for index in shelf.indexes}
        self._sources = tuple(sources)

    def found(self, found: Found) -> None:
        """Note what the search found."""
        self._found = [
            {"book": hit.index.name, "card": hit.card.id, "score": round(hit.score, 4), "matched": list(hit.matched)}
            for hit in found.hits
        ]

    def assignment(self, assignment: Assignment) -> None:
        """Note what the loop works on."""
        self._assignment = assignment

    def event(self, event: Event) -> None:
        """Note an event; deltas are left out, since the part's end holds their sum."""
        if not isinstance(event, PartDelta):
            self._events.append(event)

    # What is given out

    def log(self) -> dict[str, Any]:
        """The event log: enough to play the exchange again, without key, header or address."""
        return self._clean(self._common(LOG) | {"events": to_json(tuple(self._events))})

    def receipt(self) -> dict[str, Any]:
        """The receipt: what the answer rests on and that it does, to be played again as a test."""
        citations = next((event for event in reversed(self._events) if isinstance(event, Citations)), Citations((), None))
        retrieval = next((event for event in self._events if isinstance(event, Retrieval)), None)
        more = {
            "retrieval": {"status": to_json(retrieval.status) if retrieval else {}, "hits": self._found},
            "citations": to_json(citations.citations),
            "grounding": citations.grounding,
        }
        return self._clean(self._common(RECEIPT) | more)

    def _common(self, form: str) -> dict[str, Any]:
        start = self._events[0] if self._events else None
        sources = [*self._sources, *(event.source for event in self._events if isinstance(event, SourceAdd))]
        return {
            "format": form,
            "question": getattr(start, "question", ""),
            "mode": getattr(start, "mode", ""),
            "books": self._books,
            "sources": to_json(tuple(sources)),
            "assignment": None if self._assignment is None else _assignment_json(self._assignment),
            "tools": [list(event.tools) for event in self._events if isinstance(event, TurnStart)],
            "calls": _calls_json(self._events),
            "exchanges": self._responses,
            "answer": self._answer(),
        }

    def _answer(self) -> dict[str, Any] | None:
        end = self._events[-1] if self._events else None
        if not isinstance(end, ExchangeEnd) or end.message is None:
            return None
        profile = find_profile("" if self._assignment is None else self._assignment.endpoint.profile.name, "")
        return as_expected(end.message.parts, _finish(end), end.error, profile)

    def _clean(self, value: dict[str, Any]) -> dict[str, Any]:
        """Take the key out of everything that came from outside."""
        if len(self._key) < 4:
            return value
        cleaned: dict[str, Any] = json.loads(redact(json.dumps(value, ensure_ascii=False), self._key))
        for response in cleaned["exchanges"]:
            if any(self._key in said for said in _said(response["chunks"])):
                response["chunks"], cleaned["withheld"] = [], WITHHELD
        return cleaned


def _said(chunks: Sequence[Any]) -> list[str]:
    """What the strings of a stream say when they are joined, field by field: a key may come in pieces."""
    fields: dict[str, list[str]] = {}
    events = EventStream().feed("".join(chunk for chunk in chunks if isinstance(chunk, str)).encode(), last=True)

    def gather(name: str, value: Any) -> None:
        if isinstance(value, str):
            fields.setdefault(name, []).append(value)
        elif isinstance(value, list):
            for entry in value:
                gather(name, entry)
        elif isinstance(value, dict):
            for key, entry in value.items():
                gather(key, entry)

    for event in events:
        with suppress(ValueError):
            gather("", parse(event.data))
    return ["".join(texts) for texts in fields.values()]


def _finish(end: ExchangeEnd) -> str:
    if end.error is not None:
        return "error"
    return {"length": "length", "filtered": "content_filter"}.get(end.message.incomplete if end.message else "", "stop")


def _calls_json(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Every call with its result, in order."""
    results = {event.part: event.result for event in events if isinstance(event, ToolResult)}
    made = [(event.part, event.value) for event in events if isinstance(event, PartEnd) and isinstance(event.value, ToolCallPart)]
    return [
        {"id": call.id, "name": call.name, "arguments": to_json(call.arguments), "result": to_json(results[part].content),
         "error": results[part].error}
        for part, call in made
        if part in results
    ]  # fmt: skip


def _assignment_json(assignment: Assignment) -> dict[str, Any]:
    endpoint = assignment.endpoint
    return {
        "provider": endpoint.profile.name, "model": endpoint.model, "books": to_json(tuple(assignment.books)),
        "context": to_json(assignment.context), "mode": assignment.mode, "lang": assignment.lang,
        "messages": to_json(tuple(assignment.messages)), "protocol": assignment.protocol, "requests": assignment.requests,
        "calls": assignment.calls,
        "answer_tokens": assignment.answer_tokens, "temperature": assignment.temperature, "budget": assignment.budget,
        "planned": to_json(tuple(assignment.planned)), "exchange": assignment.exchange,
    }  # fmt: skip


def _read_assignment(value: Mapping[str, Any]) -> Assignment:
    return Assignment(
        endpoint=Endpoint("http://recorded.invalid", value["model"], profile=find_profile(value["provider"], "")),
        books=[
            BookFacts(book["title"], book["lang"], tuple(book["authors"]), tuple(book["chapters"])) for book in value["books"]
        ],
        context=Context(**value["context"]),
        mode=value["mode"],
        lang=value["lang"],
        messages=read_messages(value["messages"]),
        protocol=value["protocol"],
        requests=value["requests"],
        calls=value["calls"],
        answer_tokens=value["answer_tokens"],
        temperature=value["temperature"],
        budget=value["budget"],
        planned=[(number, title) for number, title in value["planned"]],
        exchange=value["exchange"],
    )


class _Listening:
    """A transport that writes down what passes."""

    def __init__(self, transport: Transport, responses: list[dict[str, Any]]) -> None:
        self._transport = transport
        self._responses = responses

    async def send(self, request: Request) -> Response:
        entry: dict[str, Any] = {"request": json.loads(request.body), "http": None, "chunks": []}
        self._responses.append(entry)
        try:
            response = await self._transport.send(request)
        except TransportError as wrong:
            entry["chunks"].append(_fault(wrong))
            raise
        headers = {name: response.headers[name] for name in HEADERS if name in response.headers}
        entry["http"] = {"status": response.status, "headers": headers}
        return _ListeningResponse(response, entry["chunks"])


class _ListeningResponse:
    """A response that is written down while it is read."""

    def __init__(self, response: Response, chunks: list[Any]) -> None:
        self._response = response
        self._chunks = chunks
        self._bytes = bytearray()
        self._ended = False

    @property
    def status(self) -> int:
        return self._response.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self._response.headers

    async def read(self, *, timeout: float) -> bytes:
        try:
            data = await self._response.read(timeout=timeout)
        except TransportError as wrong:
            self._flush()
            self._chunks.append({"wait_ms": round(timeout * 1000)} if wrong.timed_out else _fault(wrong))
            self._ended = True
            raise
        self._bytes += data
        if not data:
            self._ended = True
        return data

    async def close(self) -> None:
        self._flush()
        await self._response.close()

    def _flush(self) -> None:
        """Write down what was read as one piece: the answer does not depend on how it was cut."""
        if self._bytes:
            self._chunks.append(self._bytes.decode("utf-8", "replace"))
            self._bytes.clear()


def _fault(wrong: TransportError) -> dict[str, Any]:
    return {"error": "TimeoutError" if wrong.timed_out else "TransportError", "message": str(wrong)}


# Playing it again


class RecordedTools:
    """The tools of a recording: they answer what they answered then."""

    def __init__(self, offered: Sequence[Sequence[str]], calls: Sequence[Mapping[str, Any]]) -> None:
        self.shelf = Shelf(())
        self._names = list(dict.fromkeys(name for turn in offered for name in turn))
        self._results: dict[str, list[Mapping[str, Any]]] = {}
        for call in calls:  # some providers use an id again in a later turn
            self._results.setdefault(call["id"], []).append(call)

    def schemas(self, without: frozenset[str] = frozenset()) -> tuple[ToolSchema, ...]:
        """The tools that were offered then."""
        form = {"type": "object", "properties": {}, "required": []}
        return tuple(ToolSchema(name, "", form) for name in self._names if name not in without)

    def run(self, call: ToolCallPart) -> ToolResultPart:
        """Answer as then."""
        if not self._results.get(call.id):
            return ToolResultPart(call.id, call.name, {"error": "the recording holds no result of this call"}, error=True)
        recorded = self._results[call.id].pop(0)
        content = {name: value for name, value in recorded["result"].items() if name != "note"}
        return ToolResultPart(call.id, call.name, content, recorded["error"])


async def replay(recording: Any) -> Replayed:
    """Play a stream case, an event log or a receipt, told apart by its form; raise BookError for anything else."""
    if not isinstance(recording, Mapping):
        raise BookError("it is not a JSON object")
    form = str(recording.get("format", ""))
    if form in (LOG, RECEIPT):
        return await _replay_exchange(recording)
    if form.startswith(("askbook-log/", "askbook-receipt/")):
        raise BookError(f"its format is {form}, this program reads {LOG} and {RECEIPT}: update askbook")
    if isinstance(recording.get("chunks"), list):
        return await replay_case(recording)
    raise BookError("it has neither chunks nor a format we know")


async def _replay_exchange(recording: Mapping[str, Any]) -> Replayed:
    """Play a whole exchange; without a model, or where its words were withheld, there is nothing to play but what was said."""
    if recording["assignment"] is None or recording.get("withheld"):
        expected = recording["answer"] or {}
        events = None if recording.get("withheld") else recording.get("events")
        parts = read_messages([events[-1]["message"]])[0].parts if events else ()
        return Replayed(as_expected(parts, "stop", None, find_profile("generic", "")) if events else dict(expected), expected)
    assignment, stop, clock = _read_assignment(recording["assignment"]), Stop(), VirtualClock()
    tools = RecordedTools(recording["tools"], recording["calls"])
    numbering = Numbering([read_source(source) for source in recording["sources"]])
    transport = RecordedTransport(recording["exchanges"], clock, stop)
    loop = _loop(assignment, tools, numbering, transport, clock, stop)
    async for _ in loop.run():
        pass
    played: tuple[Part, ...] = tuple(loop.parts) if loop.error is None else (*loop.parts, loop.error)
    message = Message("assistant", played, incomplete=loop.incomplete)
    finish = _finish(ExchangeEnd("completed", loop.error, message=message))
    answer = as_expected(played, finish, loop.error, assignment.endpoint.profile)
    if not answer["text"] and loop.error is None:  # the book had the last word
        answer["text"] = (recording["answer"] or {}).get("text", "")
    return Replayed(answer, recording["answer"])


def _loop(
    assignment: Assignment, tools: RecordedTools, numbering: Numbering, transport: Transport, clock: Clock, stop: Stop
) -> Loop:
    calls = Calls(tools, numbering, clock=clock, budget=assignment.calls, lang=assignment.lang)
    return Loop(assignment, calls, Turn(assignment.endpoint, transport=transport, clock=clock, stop=stop), stop)
