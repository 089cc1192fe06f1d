"""The shell of the core in a reader's browser: ports over `js`, JSON text in, JSON text out; the only module that knows `js`."""

from __future__ import annotations

import asyncio
import gc
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any
from urllib.parse import urlsplit

import js
from pyodide.ffi import JsException, to_js

from askbook.core import wire
from askbook.core.canonical import dumps
from askbook.core.continuing import Continued
from askbook.core.estimate import Estimate, estimate
from askbook.core.exchange import Ask
from askbook.core.exchange import ask as run_exchange
from askbook.core.index import Index, load
from askbook.core.parts import ExchangeEnd, Notice, Retrieval, ToolCallPart
from askbook.core.ports import Request, TransportError
from askbook.core.probe import Probe, list_models
from askbook.core.profiles import find_profile
from askbook.core.prompts import Context
from askbook.core.providers.base import Endpoint
from askbook.core.recording import Recording
from askbook.core.render import AnswerView, page_for, render_blocks
from askbook.core.search import search as run_search
from askbook.core.stop import Stop
from askbook.core.toolbox import Shelf
from askbook.core.tools import run as run_tool

from .frames import Frames
from .pythontool import python_tool


class BrowserClock:
    """Time of this page."""

    def now(self) -> float:
        return float(js.performance.now()) / 1000

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class FetchResponse:
    """An answer that is read piece by piece."""

    def __init__(self, response: Any, controller: Any, pump: Any) -> None:
        self._controller = controller
        self.status = int(response.status)
        self.headers = {str(name).lower(): str(value) for name, value in response.headers}
        streams = "json" not in self.headers.get("content-type", "")
        self._body = pump(response.body, streams) if response.body else None

    async def read(self, *, timeout: float) -> bytes:
        if self._body is None:
            return b""
        try:
            piece = await self._body.read(timeout * 1000)
        except JsException as wrong:
            raise TransportError(str(wrong)) from None
        if piece is None:
            raise TransportError("no byte came", timed_out=True)
        return bytes(piece.to_bytes())

    async def close(self) -> None:
        if self._body is not None:
            self._body.close()
        self._controller.abort()


class FetchTransport:
    """Sends a request with nothing but what the endpoint needs: no cookies, no referrer, no cache."""

    def __init__(self) -> None:
        self.fetch = js.fetch
        self.pump: Any = None

    async def send(self, request: Request) -> FetchResponse:
        controller = js.AbortController.new()
        options = {
            "method": request.method,
            "headers": dict(request.headers),
            "signal": controller.signal,
            "credentials": "omit",
            "referrerPolicy": "no-referrer",
            "cache": "no-store",
        }
        if request.method == "POST":
            options["body"] = request.body
        space = address_space(request.url)
        if space and js.location.protocol == "https:":
            options["targetAddressSpace"] = space
        try:
            response = await _resolved(self.fetch(request.url, to_js(options, dict_converter=js.Object.fromEntries)))
        except JsException as wrong:
            raise TransportError(await why_refused(request.url, str(wrong))) from None
        except asyncio.CancelledError:
            controller.abort()
            raise
        return FetchResponse(response, controller, self.pump)


async def _resolved(promise: Any) -> Any:
    """Await a promise; a task of ours around it can be cancelled."""
    return await promise


def address_space(url: str) -> str:
    """Where a browser that asks before local calls has to look: this machine, the local network, or nothing special."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost") or host.startswith("127.") or host == "::1":
        return "loopback"
    if (
        host.startswith(("10.", "192.168."))
        or host.endswith(".local")
        or (host.startswith("172.") and host.split(".")[1] in PRIVATE_172)
    ):
        return "local"
    return ""


PRIVATE_172 = frozenset(str(part) for part in range(16, 32))


async def why_refused(url: str, said: str) -> str:
    """Tell a server that is down from one that does not let this page read its answer."""
    parts = urlsplit(url)
    options = to_js(
        {"mode": "no-cors", "credentials": "omit", "referrerPolicy": "no-referrer"}, dict_converter=js.Object.fromEntries
    )
    try:
        await asyncio.wait_for(_resolved(js.fetch(f"{parts.scheme}://{parts.netloc}/", options)), 4)
    except (JsException, TimeoutError):
        return f"{parts.netloc} does not answer: {said}"
    return f"{parts.netloc} answers, but does not let this page read it (CORS)"


RECORDINGS = 20
"""Exchanges that can be written to a file, of those since the page was opened."""


MARK = '<a class="cite-ref"'
"""What a mark begins with in a drawing; text of the answer is escaped there."""

OWN_TITLES = 12
"""Cards that are searched for by their own titles where a question finds nothing."""


class State:
    """What the worker holds: where it is, the shelf, the keys by origin, what can be stopped."""

    def __init__(self) -> None:
        self.site = "http://localhost/"
        self.shelf: dict[str, Index] = {}
        self.keys: dict[str, str] = {}
        self.stops: dict[str, Stop] = {}
        self.recordings: dict[str, Recording] = {}

    def pages(self) -> frozenset[str] | None:
        """The pages of the open books: an answer may link to no other address of the site."""
        return frozenset(page for index in self.shelf.values() for page in index.pages) or None

    def record(self, exchange: str) -> Recording:
        """A recording for an exchange; the oldest of many is let go."""
        self.recordings.pop(exchange, None)
        while len(self.recordings) >= RECORDINGS:
            del self.recordings[next(iter(self.recordings))]
        return self.recordings.setdefault(exchange, Recording())

    def endpoint(self, model: Mapping[str, Any]) -> Endpoint:
        """The endpoint a saved model means; its key is the one of its own origin."""
        url = str(model["endpoint"])
        parts = urlsplit(url)
        key = self.keys.get(f"{parts.scheme}://{parts.netloc}".lower(), "")
        provider = str(model.get("provider") or "")
        return Endpoint(url, str(model["model"]), key, find_profile("" if provider == "generic" else provider, url))


state = State()
clock = BrowserClock()
transport = FetchTransport()


def begin(site: str, fetch: Any, pump: Any) -> None:
    """Take the address of the site's root, what stands in for `fetch`, and what reads the body of an answer.

    What importing has made stays, so that the search for garbage need not go through it.
    """
    gc.freeze()
    gc.enable()
    state.site = site
    transport.fetch, transport.pump = fetch, pump


def open_book(name: str, data: Any) -> str:
    """Read an index; return what the page needs to know of it."""
    index = load(data.to_bytes())
    state.shelf[name] = index
    known = ("name", "col", "book", "title", "lang", "hash", "sides")
    return json.dumps({name: getattr(index, name) for name in known} | {"cards": len(index)})


def attach(name: str, side: str, data: Any) -> None:
    """Add a side file to a book; what it holds stays, as what importing has made."""
    state.shelf[name].attach(side, data.to_bytes())
    gc.freeze()


def set_key(origin: str, key: str) -> None:
    """Keep a key for one origin, or forget it."""
    if key:
        state.keys[origin] = key
    else:
        state.keys.pop(origin, None)


def later(seconds: float, act: Callable[[], None]) -> Callable[[], None]:
    """Call a function after some seconds."""
    return asyncio.get_event_loop().call_later(seconds, act).cancel


def request_of(asked: Mapping[str, Any]) -> Ask:
    """What the page asks, as the core wants it."""
    model = asked["model"]
    page = asked["page"]
    return Ask(
        question=asked["question"],
        mode=asked["mode"],
        endpoint=None if model is None else state.endpoint(model),
        history=wire.read_messages(asked["history"]),
        sources=tuple(wire.read_source(source) for source in asked["sources"]),
        context=Context(page_title=page["title"], page_url=page["url"], selection=asked.get("selection") or ""),
        root=urlsplit(state.site).path,
        lang=asked["lang"],
        passages=asked["passages"],
        context_characters=asked["contextLimit"],
        answer_tokens=asked["answerLimit"],
        temperature=asked["temperature"],
        protocol="native" if model is None else model.get("protocol") or "native",
        chapter=asked.get("chapter") or "",
        continues=bool(asked.get("continues")),
    )


def shelf_of(names: list[str]) -> Shelf:
    """The open books with these names, in this order."""
    return Shelf(tuple(state.shelf[name] for name in names if name in state.shelf))


async def ask(exchange: str, question: str, post: Any, python: Any) -> None:
    """Answer a question; frames are posted until the exchange has ended. An attempt at it is named after a slash."""
    asked = json.loads(question)
    request = request_of(asked)
    shelf = shelf_of(asked["books"])
    job = estimate(request, shelf)
    if job is not None and not asked.get("long"):
        post(json.dumps({"events": unasked(job), "patches": []}))
        return
    if job is not None and asked["long"] == "yes":
        request = replace(request, requests=job.requests)
    recording = state.record(exchange.rpartition("/")[0] or exchange)
    stop = state.stops[exchange] = Stop()
    begun: list[str] = asked.get("begun") or []
    both = Continued(begun, request.sources, shelf, root=request.root) if begun else None
    frames = Frames(
        post,
        lambda: AnswerView(site=state.site, page=asked["page"]["url"], known=state.pages(), prefix=asked["prefix"]),
        sources=request.sources,
        clock=clock,
        later=later,
        begun=begun[-1] if begun else "",
    )
    try:
        extra = () if asked.get("python") is None else (python_tool(asked["python"], python),)
        events = run_exchange(request, shelf, transport=transport, clock=clock, stop=stop, extra=extra, recording=recording)
        async for event in events:
            for told in both.take(event) if both else (event,):
                frames.add(told)
            if isinstance(event, Retrieval) and not event.hits and any(is_stale(index) for index in shelf.indexes):
                frames.add(Notice("stale"))
    finally:
        if state.stops.get(exchange) is stop:
            del state.stops[exchange]
        frames.flush()


def is_stale(index: Index) -> bool:
    """Whether no card is found by its own title: the index was written by other rules of words than ours."""
    cards = [index.card(ordinal) for ordinal in range(min(len(index), OWN_TITLES))]
    titles = [card.title for card in cards if card.title and not card.number]
    return bool(titles) and not any(run_search((index,), title, k=1).hits for title in titles)


def unasked(job: Estimate) -> list[dict[str, Any]]:
    """What the page hears instead of an answer that has a price: the price, and that nothing was sent."""
    told = {"type": "estimate", "requests": job.requests, "input": job.input_tokens, "output": job.output_tokens}
    return [told, wire.to_json(ExchangeEnd("aborted"))]


def stop(exchange: str) -> None:
    """Stop an exchange at once."""
    if exchange in state.stops:
        state.stops[exchange].press()


def draw(argument: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Draw stored text anew, block by block."""
    answer = argument["answer"]
    texts = {part["part"] for part in answer["parts"] if part["kind"] == "text"}
    counted = not any("from" in citation for citation in answer["citations"])  # an earlier version counted each half anew
    support = [citation["support"] for citation in answer["citations"] if counted]
    drawn = []
    for part in argument["parts"]:
        is_text = part["part"] in texts
        context = page_for(
            site=state.site,
            page=argument["page"],
            sources=[source["n"] for source in answer["sources"]],
            known=state.pages(),
            prefix=argument["prefix"],
            support=tuple(support) if is_text else (),
        )
        blocks = render_blocks(part["text"], context)
        if is_text:
            del support[: sum(html.count(MARK) for html in blocks)]
        drawn.append({"part": part["part"], "blocks": blocks})
    return drawn


def outline(argument: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the chapters of the open books."""
    return [
        {"title": section.title, "url": section.url, "number": section.number, "book": index.name}
        for index in state.shelf.values()
        for section in index.sections
        if section.level == 0
    ]


def search(argument: Mapping[str, Any]) -> dict[str, Any]:
    """Search the open books."""
    return run_search(tuple(state.shelf.values()), argument["question"], k=argument.get("k", 8)).to_json()


def tool(argument: Mapping[str, Any]) -> dict[str, Any]:
    """Run a book tool."""
    call = ToolCallPart("page", argument["name"], argument.get("arguments") or {})
    return dict(run_tool(call, Shelf(tuple(state.shelf.values()))).content)


def recording(argument: Mapping[str, Any]) -> dict[str, Any]:
    """Return the receipt or the event log of an exchange."""
    held = state.recordings[argument["id"]]
    return held.log() if argument["form"] == "log" else held.receipt()


async def models(argument: Mapping[str, Any]) -> list[str]:
    """List the models an endpoint offers."""
    return list(await list_models(state.endpoint(argument), transport))


async def test(argument: Mapping[str, Any]) -> dict[str, Any]:
    """Try a model: whether it answers, and what it can do."""
    probe = Probe(state.endpoint(argument), transport=transport, clock=clock)
    steps = [asdict(step) async for step in probe.run()]
    error = probe.error
    return {
        "ok": error is None,
        "fault": "" if error is None else error.fault,
        "message": "" if error is None else error.message,
        "capabilities": probe.to_json(),
        "steps": steps,
    }


CALLS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "draw": draw, "outline": outline, "search": search, "tool": tool, "models": models, "test": test,
    "recording": recording,
}  # fmt: skip


async def call(name: str, argument: str) -> str:
    """Run one of the functions the page may call."""
    result = CALLS[name](json.loads(argument))
    if inspect.isawaitable(result):
        result = await result
    return dumps(result)
