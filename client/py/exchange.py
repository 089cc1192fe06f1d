"""From question to final answer: retrieval, numbers, prompts, loop, citations; the book's own sentences without a model."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from . import limits
from .calls import Calls, ExtraTool
from .citations import check, grounding
from .extract import answer as extractive_answer
from .fences import fit
from .loop import Assignment, Loop, Protocol
from .parts import (
    Citations,
    ErrorPart,
    Event,
    ExchangeEnd,
    ExchangeStart,
    Message,
    Notice,
    PartDelta,
    PartEnd,
    PartStart,
    Retrieval,
    Source,
    SourceAdd,
    State,
    TextPart,
)  # fmt: skip
from .ports import Clock, Transport
from .prompts import BookFacts, Context, Mode, SearchNotes, language, messages, note, numbered_passages, say
from .providers.base import Endpoint
from .recording import Recording
from .search import Found
from .stop import Stop
from .stopping import wants_every_chapter
from .thread import Numbering, history
from .toolbox import Shelf, chapters
from .tools import ShelfTools
from .turn import Turn
from .wording import Lang

LAST_MARK: Final = re.compile(r" \[(\d+)\]$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Ask:
    """A question with everything its answer depends on."""

    question: str
    mode: Mode = "retrieve"
    endpoint: Endpoint | None = None
    """None answers with the book's own sentences."""
    history: tuple[Message, ...] = ()
    sources: tuple[Source, ...] = ()
    """Numbered so far in the thread."""
    context: Context = field(default_factory=Context)
    root: str = "/"
    """Path the site is published under, with slashes at both ends."""
    lang: str = ""
    """Of the panel or terminal; for questions whose own language cannot be told."""
    passages: int = limits.PASSAGES
    context_characters: int = limits.CONTEXT_CHARACTERS
    answer_tokens: int = limits.ANSWER_TOKENS
    temperature: float | None = limits.TEMPERATURE
    protocol: Protocol = "native"
    requests: int = limits.REQUESTS
    """More only for a long job the reader agreed to."""
    budget: int = limits.PROMPT_CHARACTERS
    chapter: str = ""
    """Address of the chapter the question is about; empty for the whole shelf."""
    continues: bool = False
    """Go on with the cut answer that ends `history`."""


async def ask(
    request: Ask,
    shelf: Shelf,
    *,
    transport: Transport,
    clock: Clock,
    stop: Stop | None = None,
    extra: Sequence[ExtraTool] = (),
    recording: Recording | None = None,
) -> AsyncIterator[Event]:
    """Answer a question; everything that happens comes as events, the last one is always an `ExchangeEnd`."""
    recording = recording or Recording()
    recording.shelf(shelf, request.sources)
    key = request.endpoint.key if request.endpoint is not None else ""
    exchange = _Exchange(request, shelf, recording.transport(transport, key), clock, stop or Stop(), extra, recording)
    async for event in exchange.run():
        recording.event(event)
        yield event


class _Exchange:
    """One exchange."""

    def __init__(
        self,
        request: Ask,
        shelf: Shelf,
        transport: Transport,
        clock: Clock,
        stop: Stop,
        extra: Sequence[ExtraTool],
        recording: Recording,
    ) -> None:
        self._request = request
        self._shelf = shelf
        self._transport = transport
        self._clock = clock
        self._stop = stop
        self._extra = extra
        self._recording = recording
        self._numbering = Numbering(request.sources, root=request.root)
        self._lang: Lang = language(request.question, request.lang or (shelf.indexes[0].lang if shelf else ""))

    async def run(self) -> AsyncIterator[Event]:
        """Retrieve where that is wanted, then let a model or the book itself answer."""
        request = self._request
        extractive = request.endpoint is None
        yield ExchangeStart(request.question, "extractive" if extractive else request.mode)
        found: Found | None = None
        passages: list[Source] = []
        if extractive or (request.mode == "retrieve" and not request.continues):
            found = self._search()
            self._recording.found(found)
            yield Retrieval(len(found.hits), found.status.to_json())
            passages, new = self._passages(found, whole=extractive)
            for source in new:
                yield SourceAdd(source)
        if extractive:
            assert found is not None
            events = self._extract(found, passages)
        else:
            assert request.endpoint is not None
            events = self._ask_model(request.endpoint, found, passages)
        async for event in events:
            yield event

    # Retrieval

    def _search(self) -> Found:
        """Search the chapter the reader chose, or all."""
        request = self._request
        if (chosen := self._shelf.chapter_at(request.chapter)) is None:
            return self._shelf.search(request.question, k=request.passages)
        return self._shelf.search_chapter(*chosen, request.question, k=request.passages)

    def _passages(self, found: Found, *, whole: bool) -> tuple[list[Source], list[Source]]:
        """Number the hits that fit; return all of them with the text that is shown, and those that are new to the thread."""
        texts = fit([hit.card.text for hit in found.hits], 0 if whole else self._request.context_characters)
        passages, new = [], []
        for hit, text in zip(found.hits, texts, strict=True):
            if not text and hit.card.text:
                continue
            source, is_new = self._numbering.add(hit.index, hit.card, text=text, matched=hit.matched)
            passages.append(replace(source, text=text))
            if is_new:
                new.append(source)
        return passages, new

    # The book's own sentences

    async def _extract(self, found: Found, passages: Sequence[Source]) -> AsyncIterator[Event]:
        text = self._own_words(found, passages)
        yield PartStart(0, "text")
        yield PartDelta(0, text)
        yield PartEnd(0, "completed", TextPart(text))
        yield self._citations(text)
        yield ExchangeEnd("completed", message=Message("assistant", (TextPart(text),)))

    def _own_words(self, found: Found, passages: Sequence[Source]) -> str:
        """The best sentences of the hits, with the numbers of the thread."""
        text = extractive_answer(self._request.question, found, lang=self._lang, chapter=self._chapter()).strip()
        return LAST_MARK.sub(lambda mark: f" [{passages[int(mark[1]) - 1].n}]", text)

    # A model

    async def _ask_model(self, endpoint: Endpoint, found: Found | None, passages: Sequence[Source]) -> AsyncIterator[Event]:
        calls = Calls(
            ShelfTools(self._shelf), self._numbering, clock=self._clock, budget=self._calls(), lang=self._lang, extra=self._extra
        )  # fmt: skip
        turn = Turn(endpoint, transport=self._transport, clock=self._clock, stop=self._stop)
        assignment = self._assignment(endpoint, found, passages)
        self._recording.assignment(assignment)
        loop = Loop(assignment, calls, turn, self._stop)
        async for event in loop.run():
            yield event
        if loop.incomplete:
            yield Notice("incomplete", {"reason": loop.incomplete})
        if not loop.text.strip() and loop.error is None:
            async for event in self._fall_back(loop, found):
                yield event
        if loop.text.strip():
            yield self._citations(loop.text)
        yield self._end(loop)

    def _chapter(self) -> str:
        """Title of the chapter the reader chose."""
        chosen = self._shelf.chapter_at(self._request.chapter)
        return chosen[1].title if chosen else ""

    def _calls(self) -> int:
        """Calls go with requests, so that a long job may make more of both."""
        return max(limits.CALLS, limits.CALLS * self._request.requests // limits.REQUESTS)

    async def _fall_back(self, loop: Loop, found: Found | None) -> AsyncIterator[Event]:
        """A model that said nothing leaves the word to the book, or to a plain sentence."""
        if found is None or not found.hits:
            loop.error = ErrorPart("bad_response", "The model ended without an answer.", retry=True)
            return
        passages, new = self._passages(found, whole=True)
        text = self._own_words(found, passages)
        part = loop.next_part()
        yield Notice("extractive", {})
        for source in new:
            yield SourceAdd(source)
        yield PartStart(part, "text")
        yield PartDelta(part, text)
        yield PartEnd(part, "completed", TextPart(text))
        loop.parts.append(TextPart(text))

    def _end(self, loop: Loop) -> ExchangeEnd:
        state: State = "completed"
        parts = tuple(loop.parts)
        if loop.error is not None:
            state = "aborted" if loop.error.fault == "aborted" else "error"
            parts = (*parts, loop.error)
        return ExchangeEnd(state, loop.error, loop.usage, Message("assistant", parts, state, loop.incomplete))

    def _citations(self, text: str) -> Citations:
        """Check the marks of an answer against the cards they name."""
        citations = check(text, self._numbering.cards(self._shelf), root=self._request.root)
        return Citations(citations, grounding(citations))

    def _assignment(self, endpoint: Endpoint, found: Found | None, passages: Sequence[Source]) -> Assignment:
        request = self._request
        before = history(request.history)
        if request.continues:
            asked = [*before, *_cut(request.history), note(say(self._lang, "continue"))]
        else:
            written = numbered_passages(passages, 0)
            asked = messages(request.question, written, before, request.mode, _notes(found), lang=self._lang)
        return Assignment(
            endpoint=endpoint,
            books=[facts(self._shelf, at) for at in range(len(self._shelf.indexes))],
            context=replace(request.context, lang=self._lang, horizon=_horizon(self._shelf), chapter=self._chapter()),
            mode=request.mode,
            lang=self._lang,
            messages=asked,
            protocol=request.protocol,
            requests=min(request.requests, limits.LONG_JOB_REQUESTS),
            calls=self._calls(),
            answer_tokens=request.answer_tokens,
            temperature=request.temperature,
            budget=request.budget,
            planned=planned_chapters(self._shelf, request.question),
            exchange=sum(message.role == "user" for message in request.history),
        )


def _cut(messages: Sequence[Message]) -> list[Message]:
    """The question and the beginning of the answer that is gone on with, where the history does not count it."""
    last = messages[-2:]
    if len(last) == 2 and last[1].role == "assistant" and last[1].state != "completed":
        text = "".join(part.text for part in last[1].parts if isinstance(part, TextPart))
        return [last[0], Message("assistant", (TextPart(text),))] if text else [last[0]]
    return []


def _notes(found: Found | None) -> SearchNotes:
    if found is None:
        return SearchNotes()
    nearest = tuple(dict.fromkeys(word for words in found.status.nearest.values() for word in words))
    return SearchNotes(tuple(found.status.unknown), nearest, found.status.confidence < limits.WEAK_PASSAGES)


def facts(shelf: Shelf, at: int) -> BookFacts:
    """What a model has to know of a book; chapters behind the horizon are not told."""
    index = shelf.indexes[at]
    seen = [chapter for chapter in chapters(index) if shelf.within(index, chapter.section.first)]
    return BookFacts(index.title, index.lang, index.authors, tuple(chapter.label for chapter in seen))


def _horizon(shelf: Shelf) -> str:
    """Title of the last chapter the reader has reached."""
    if shelf.horizon is None or not shelf:
        return ""
    known = chapters(shelf.one())
    return known[min(shelf.horizon, len(known) - 1)].section.title if known else ""


def planned_chapters(shelf: Shelf, question: str) -> tuple[tuple[str, str], ...]:
    """The chapters an answer has to speak of, where the question asks for each."""
    if not shelf or not wants_every_chapter(question):
        return ()
    books = [index for index in shelf.indexes if index.name == shelf.current] or list(shelf.indexes[:1])
    seen = [chapter for chapter in chapters(books[0]) if shelf.within(books[0], chapter.section.first)]
    return tuple((chapter.number, chapter.section.title) for chapter in seen if chapter.number)
