"""The shell of the core in a reader's browser: ports over `js`, JSON text in, JSON text out; the only module here that knows `js`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import js

from askbook.core import wire
from askbook.core.extract import answer
from askbook.core.index import Index, load
from askbook.core.parts import ExchangeEnd, ExchangeStart, PartDelta, PartEnd, PartStart, Retrieval, Source, SourceAdd, TextPart
from askbook.core.render import AnswerView, render_answer
from askbook.core.search import search

Post = Callable[[str], None]

FRAME_SECONDS = 0.033
"""Longest time news waits for company: one message to the page is cheaper than ten."""


class State:
    """What the worker holds: the shelf, the keys by origin, the exchanges that run."""

    def __init__(self) -> None:
        self.site = "http://localhost/"
        self.shelf: dict[str, Index] = {}
        self.keys: dict[str, str] = {}
        self.running: dict[str, asyncio.Task[None]] = {}


state = State()


def begin(site: str) -> None:
    """Take the address of the site's root."""
    state.site = site


def open_book(name: str, data: Any) -> str:
    """Read an index; return what the page needs to know of it."""
    index = load(data.to_bytes())
    state.shelf[name] = index
    return json.dumps(
        {
            "name": index.name, "col": index.col, "book": index.book, "title": index.title, "lang": index.lang, "hash": index.hash,
            "cards": len(index), "sides": index.sides,
        }
    )  # fmt: skip


def attach(name: str, side: str, data: Any) -> None:
    """Add a side file to a book."""
    state.shelf[name].attach(side, data.to_bytes())


def set_key(origin: str, key: str) -> None:
    """Keep a key for one origin, or forget it."""
    if key:
        state.keys[origin] = key
    else:
        state.keys.pop(origin, None)


class Frames:
    """Gathers events and drawings, and posts them together."""

    def __init__(self, post: Post, view: Callable[[], AnswerView]) -> None:
        self._post = post
        self._make = view
        self._events: list[Any] = []
        self._patches: list[dict[str, Any]] = []
        self._views: dict[int, AnswerView] = {}
        self._sources = 0
        self._timer: asyncio.TimerHandle | None = None

    def add(self, event: Any) -> None:
        """Take an event; draw what it brings."""
        match event:
            case SourceAdd(source):
                self._sources = max(self._sources, source.n)
                for view in self._views.values():
                    view.add_sources(self._sources)
            case PartStart(part, "text"):
                self._views[part] = self._make()
                self._views[part].add_sources(self._sources)
            case PartDelta(part, text) if part in self._views:
                self._draw(part, self._views[part].feed(text))
            case PartEnd(part) if part in self._views:
                self._draw(part, self._views[part].finish())
        self._events.append(wire.to_json(event))
        self._soon(event)

    def _draw(self, part: int, patches: list[Any]) -> None:
        self._patches += [{"part": part} | patch.to_json() for patch in patches]

    def _soon(self, event: Any) -> None:
        if isinstance(event, ExchangeEnd):
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_event_loop().call_later(FRAME_SECONDS, self.flush)

    def flush(self) -> None:
        """Post what has gathered."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._events or self._patches:
            self._post(json.dumps({"events": self._events, "patches": self._patches}, ensure_ascii=False))
            self._events, self._patches = [], []


async def ask(id: str, question: str, post: Post) -> None:
    """Answer a question; frames are posted until the exchange has ended."""
    asked = json.loads(question)
    frames = Frames(post, lambda: AnswerView(site=state.site, page=asked["page"]["url"], prefix=asked["prefix"]))
    shelf = [state.shelf[name] for name in asked["books"] if name in state.shelf]
    found = search(shelf, asked["question"], k=asked["passages"])
    frames.add(ExchangeStart(asked["question"], "extractive"))
    frames.add(Retrieval(len(found.hits), found.status.to_json()))
    for n, hit in enumerate(found.hits, 1):
        card = hit.card
        root = js.URL.new(state.site).pathname
        frames.add(SourceAdd(Source(n, hit.index.name, card.id, card.kind, card.number, card.title, root + card.url, card.text, hit.matched)))
    text = answer(asked["question"], found, lang=asked["lang"])
    frames.add(PartStart(0, "text"))
    frames.add(PartDelta(0, text))
    frames.add(PartEnd(0, "completed", TextPart(text)))
    frames.add(ExchangeEnd("completed"))


def stop(id: str) -> None:
    """Stop an exchange at once."""
    task = state.running.get(id)
    if task is not None:
        task.cancel()


def draw(argument: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Draw stored text anew."""
    numbers = [source["n"] for source in argument["answer"]["sources"]]
    support = [citation["support"] for citation in argument["answer"]["citations"]]
    return [
        {
            "part": part["part"],
            "html": render_answer(
                part["text"], site=state.site, page=argument["page"], sources=numbers, prefix=argument["prefix"], support=support
            ),
        }
        for part in argument["parts"]
    ]


def outline(argument: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the chapters of the open books."""
    return [
        {"title": section.title, "url": section.url, "number": section.number, "book": index.name}
        for index in state.shelf.values()
        for section in index.sections
        if section.level == 0
    ]


CALLS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {"draw": draw, "outline": outline}


async def call(name: str, argument: str) -> str:
    """Run one of the functions the page may call."""
    result = CALLS[name](json.loads(argument))
    if isinstance(result, Awaitable):
        result = await result
    return json.dumps(result, ensure_ascii=False)
