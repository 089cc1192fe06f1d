"""Messages, the parts they are made of, and the events that tell a page how they grow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .errors import Fault

State = Literal["pending", "running", "completed", "error", "aborted"]
Role = Literal["user", "assistant", "tool"]
Finish = Literal["stop", "tool_calls", "length", "content_filter", "error"]
Incomplete = Literal["", "length", "announcement", "plan", "empty", "filtered"]
Problem = Literal["truncated", "bad_json", "not_object", "unknown_tool"]


@dataclass(frozen=True, slots=True)
class TextPart:
    """What is said: Markdown from a model, plain text from a reader."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPart:
    """What a model thought aloud; `provider_data` goes back unread where the provider wants it."""

    text: str
    provider_data: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class PlanPart:
    """Text of a turn that turned out to be planning, since a call followed it."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallPart:
    """A call a model made; `problem` says why it must not run."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    problem: Problem | None = None
    raw: str = ""
    """The argument text as it came, kept where it could not be read."""
    provider_data: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ToolResultPart:
    """The answer to one call, paired by id; `content` is a JSON value."""

    id: str
    name: str
    content: Mapping[str, Any]
    error: bool = False


@dataclass(frozen=True, slots=True)
class ErrorPart:
    """What ended an answer early, as a reader should see it."""

    fault: Fault
    message: str
    status: int | None = None
    retry: bool = False
    retry_after: float | None = None


Part = TextPart | ReasoningPart | PlanPart | ToolCallPart | ToolResultPart | ErrorPart


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of a thread."""

    role: Role
    parts: tuple[Part, ...]
    state: State = "completed"
    incomplete: Incomplete = ""
    """Why a completed answer is not all of it: cut by the token limit, nothing but an announcement, parts of a plan left out."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Model tokens as the endpoint reported them; None where it did not."""

    input: int | None = None
    output: int | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A card under its citation number; numbers are given by us and stay for the whole thread."""

    n: int
    name: str
    """Of the book: `<col>-<book>`."""
    card: str
    """Card id."""
    kind: str
    number: str
    title: str
    url: str
    """Site-absolute path with anchor."""
    text: str
    """What the model was given of the card."""
    matched: tuple[str, ...] = ()


Support = Literal["quoted", "loose", "missing", "unchecked"]


@dataclass(frozen=True, slots=True)
class Citation:
    """One mark of an answer and the place in its card that it rests on."""

    mark: int
    """Ordinal of the mark in the answer, from 0."""
    n: int
    """Number of the source."""
    sentence: str
    """The sentence of the answer that carries the mark."""
    support: Support
    quote: str = ""
    """The sentence of the card it rests on, verbatim."""
    url: str = ""
    """Site-absolute path of that paragraph."""
    score: float = 0.0
    """0 to 1: how much of the sentence the card supports."""


# Events: noun-verb, one frozen value each; `wire.py` turns them into JSON for the page and the event log.


@dataclass(frozen=True, slots=True)
class ExchangeStart:
    """A question was asked; always the first event."""

    question: str
    mode: Literal["retrieve", "discussion", "extractive"]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What the search said of the question: terms, unknown ones, nearest ones, confidence (`search.Status` as JSON)."""

    hits: int
    status: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SourceAdd:
    """A card got its number in the thread."""

    source: Source


@dataclass(frozen=True, slots=True)
class TurnStart:
    """A request goes out, with these tools."""

    turn: int
    """From 1."""
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PartStart:
    """A part of the answer begins."""

    part: int
    """Ordinal in the answer, from 0, over all turns."""
    kind: Literal["text", "reasoning", "tool-call"]
    id: str = ""
    """Of a tool call."""
    name: str = ""
    """Of a tool call."""


@dataclass(frozen=True, slots=True)
class PartDelta:
    """A part grows by this text."""

    part: int
    text: str


@dataclass(frozen=True, slots=True)
class PartEnd:
    """A part is over, or taken back."""

    part: int
    state: State
    value: Part | None = None
    """The finished part."""


@dataclass(frozen=True, slots=True)
class PartDemote:
    """A text part turned out to be a plan."""

    part: int


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of the call that is part `part`."""

    part: int
    result: ToolResultPart


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The answer to a request is read to its end."""

    turn: int
    finish: Finish
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a reader should know, by code; the page has the words.

    `retrying` (attempt, seconds, fault, message): the request is sent again. `mended` (fault, protocol): it is sent in another
    form. `nudged` (reason, missing): the answer stopped too early and the model was told. `repeat` (name): a call repeats an
    earlier one. `budget` (requests, calls): the model was told what is left. `incomplete` (reason, as `Message.incomplete`): the
    answer is not all of it. `extractive`: the model said nothing, so the book's own sentences follow. `stale`: nothing was found
    because the index is of another version (said by the page's worker).
    """

    code: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Citations:
    """What the marks of the answer rest on; after its text is whole."""

    citations: tuple[Citation, ...]
    grounding: float | None
    """Share of the checked marks that are supported; None without marks."""


@dataclass(frozen=True, slots=True)
class ExchangeEnd:
    """The exchange is over; always the last event."""

    state: State
    error: ErrorPart | None = None
    usage: Usage | None = None
    message: Message | None = None
    """The answer as it goes into the thread."""


Event = (
    ExchangeStart | Retrieval | SourceAdd | TurnStart | PartStart | PartDelta | PartEnd | PartDemote | ToolResult | TurnEnd
    | Notice | Citations | ExchangeEnd
)  # fmt: skip
