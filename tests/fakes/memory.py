"""An exchange in memory: a transport that plays answers, and a small shelf of two books."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from askbook.builder.index.write import encode
from askbook.core.exchange import Ask, ask
from askbook.core.index import Index, load
from askbook.core.parts import Event, ExchangeEnd, TextPart
from askbook.core.ports import Request, TransportError
from askbook.core.profiles import find_profile
from askbook.core.providers.base import Endpoint
from askbook.core.replay import VirtualClock
from askbook.core.schema import Book, Card, Section
from askbook.core.toolbox import Shelf

from .endpoint import Answer, Entry, anthropic_events, openai_events

KEY = "sk-a-very-secret-key"
Script = Sequence[Answer] | Callable[[Entry], Answer]


class ScriptedResponse:
    """One scripted answer as a response."""

    def __init__(self, answer: Answer, *, anthropic: bool) -> None:
        self.status = answer.status
        self.headers = {"content-type": "text/event-stream", **answer.headers}
        self.closed = False
        if answer.body is not None or answer.status != 200:
            self._pieces = [(answer.body or "").encode()]
        else:
            events = list(anthropic_events(answer) if anthropic else openai_events(answer))
            self._pieces = [f"{event}\n\n".encode() for event in events[: answer.events]]
        self._hang = bool(answer.hang)

    async def read(self, *, timeout: float) -> bytes:
        if self._pieces:
            return self._pieces.pop(0)
        if self._hang:
            raise TransportError("no byte came", timed_out=True)
        return b""

    async def close(self) -> None:
        self.closed = True


class ScriptedTransport:
    """Plays answers in order, the last one for ever, and keeps a journal."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.journal: list[Entry] = []
        self.responses: list[ScriptedResponse] = []

    async def send(self, request: Request) -> ScriptedResponse:
        entry = Entry(request.method, request.url, request.headers, json.loads(request.body) if request.body else None)
        self.journal.append(entry)
        script = self._script
        answer = script(entry) if callable(script) else script[min(len(self.journal), len(script)) - 1]
        self.responses.append(ScriptedResponse(answer, anthropic=request.url.endswith("/messages")))
        return self.responses[-1]

    @property
    def bodies(self) -> list[Any]:
        """What was asked."""
        return [entry.body for entry in self.journal]


def endpoint(provider: str = "generic") -> Endpoint:
    """An endpoint nobody answers at."""
    return Endpoint("https://model.example/v1", "scripted", KEY, find_profile(provider, ""))


def card(kind: str, title: str, page: str, text: str, *, chapter: int = 0) -> Card:
    """A card with everything that follows from its title: `Theorem 2.2 (Name)`, `定理 2.2（名）`."""
    number = re.findall(r"[\d.]+", title)[0]
    anchor = f"{kind}-{number.replace('.', '-')}"
    return Card(f"{page}/{anchor}", kind, title, f"{page}/#{anchor}", text, number=number, chapter=chapter)


HEAP = "A heap keeps the smallest element on top. Inserting takes $O(\\log n)$ steps."
ENGLISH = Book(
    "books",
    "structures",
    "Data Structures",
    "en",
    (
        card("definition", "Definition 1.1 (List)", "lists", "A list keeps order."),
        card("theorem", "Theorem 1.2", "lists", "Appending to a list is cheap."),
        card("definition", "Definition 2.1 (Heap)", "heaps", HEAP, chapter=1),
        card("theorem", "Theorem 2.2", "heaps", "A heap of n elements is built in $O(n)$.", chapter=1),
    ),
    (Section("Lists", "lists/", 0, 0, 2, number="1"), Section("Heaps", "heaps/", 0, 2, 4, number="2")),
    ("lists/", "heaps/"),
    ("A. Author",),
)
CHINESE = Book(
    "books",
    "shuju",
    "数据结构",
    "zh-Hans",
    (card("definition", "定义 1.1（堆）", "zh/dui", "堆是一种完全二叉树，堆顶保存最小的元素。"),),
    (Section("堆", "zh/dui/", 0, 0, 1, number="1"),),
    ("zh/dui/",),
)


@cache
def index(book: Book) -> Index:
    """A book as its index, built and read back."""
    files = encode(book)
    return load(files[f"{book.name}.json"], files)


def shelf(*books: Book, **more: Any) -> Shelf:
    """A shelf of books; the English one alone where none is named."""
    return Shelf(tuple(index(book) for book in books or (ENGLISH,)), **more)


def run(request: Ask, transport: ScriptedTransport, on: Shelf | None = None, **more: Any) -> list[Event]:
    """All events of an exchange, in virtual time."""

    async def collect() -> list[Event]:
        return [event async for event in ask(request, on or shelf(), transport=transport, clock=VirtualClock(), **more)]

    return asyncio.run(collect())


def end(events: Sequence[Event]) -> ExchangeEnd:
    """The last event."""
    last = events[-1]
    assert isinstance(last, ExchangeEnd)
    return last


def said(events: Sequence[Event]) -> str:
    """The answer of an exchange."""
    message = end(events).message
    return "\n\n".join(part.text for part in message.parts if isinstance(part, TextPart)) if message else ""
