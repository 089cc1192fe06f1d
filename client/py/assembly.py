"""Deltas become parts in one place: a part starts once, grows by deltas, ends once; calls are joined, split and judged here."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Protocol, assert_never

from . import limits
from .deltas import (
    BlockEnd,
    CallDelta,
    Delta,
    EndMark,
    FaultDelta,
    FinishDelta,
    ReasoningDelta,
    RefusalDelta,
    Restart,
    TextDelta,
    UsageDelta,
)  # fmt: skip
from .growing import Call, Said, find_call
from .parts import (
    ErrorPart,
    Event,
    Finish,
    Part,
    PartDelta,
    PartEnd,
    PartStart,
    ReasoningPart,
    State,
    TextPart,
    ToolCallPart,
    Usage,
)  # fmt: skip
from .surrogates import Halves, mend, mend_value
from .tags import CALL_CLOSE, CALL_OPEN, Piece, TagScanner
from .textcalls import Arguments, may_be_call, read_arguments, tagged_calls, whole_answer_call

WHITE_SPACE: Final = re.compile(r"\s{2,}")
FLOOD: Final = f"The endpoint sent over {limits.WHITE_SPACE_CHARACTERS:,} characters of nothing but white space and was stopped."


@dataclass(frozen=True, slots=True)
class Answer:
    """One response, assembled."""

    parts: tuple[Part, ...]
    """In order; reasoning, text and calls only."""
    ordinals: tuple[int, ...]
    """The part number of each, as the events gave it."""
    finish: Finish
    error: ErrorPart | None = None
    usage: Usage | None = None

    @property
    def text(self) -> str:
        """What was said, without thoughts."""
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def reasoning(self) -> str:
        """What was thought aloud."""
        return "".join(part.text for part in self.parts if isinstance(part, ReasoningPart))

    @property
    def calls(self) -> tuple[ToolCallPart, ...]:
        """The calls, in order."""
        return tuple(part for part in self.parts if isinstance(part, ToolCallPart))


class Scanner(Protocol):
    """Splits a growing text into what it is made of."""

    def feed(self, text: str, *, last: bool = False) -> list[Piece]:
        """Take more text; return what is decided."""
        ...


class Assembly:
    """Turn the deltas of one response into events and, at the end, into an `Answer`."""

    def __init__(
        self, tools: Collection[str] = (), *, first: int = 0, prefix: str = "call", scanner: Callable[[], Scanner] = TagScanner
    ) -> None:
        self._tools = tools
        self._next = first
        self._prefix = prefix
        self._ids: set[str] = set()
        self._parts: list[Said | Call] = []
        self._open: Said | None = None
        self._make_scanner = scanner
        self._scanner = scanner()
        self._text, self._reasoning = Halves(), Halves()
        self._leading = ""
        self._held: list[str] | None = []
        """Text that may turn out to be a call; None once it cannot."""
        self._holding = False
        self._refused = False
        self._blank = 0
        self._usage: Usage | None = None
        self._events: list[Event] = []
        self.finish: Finish | None = None
        self.error: ErrorPart | None = None
        self.ended = False
        """The end mark was seen."""

    @property
    def complete(self) -> bool:
        """Whether the provider said, in one way or another, that the answer is whole."""
        return self.finish is not None or self.ended

    @property
    def begun(self) -> bool:
        """Whether anything of an answer came."""
        return bool(self._parts)

    @property
    def spoken(self) -> bool:
        """Whether anything of this response was shown as text or as a call."""
        return any(isinstance(part, Call) or part.kind == "text" for part in self._parts)

    def add(self, delta: Delta) -> list[Event]:
        """Take one delta; return what a page should know."""
        match delta:
            case TextDelta(text):
                self._scan(self._text.feed(text))
            case ReasoningDelta(text, data):
                self._say("reasoning", self._reasoning.feed(text), data)
            case CallDelta():
                self._grow_call(delta)
            case RefusalDelta(text):
                self._refused = True
                self._scan(self._text.feed(text))
            case BlockEnd():
                self._close_open()
            case FinishDelta(finish):
                self.finish = finish
            case UsageDelta(usage):
                self._usage = _merge(self._usage, usage)
            case FaultDelta(error):
                if not self.complete:
                    self.error = error
            case EndMark():
                self.ended = True
            case Restart():
                self._restart()
            case _:
                assert_never(delta)
        events, self._events = self._events, []
        return events

    # Text and reasoning

    def _scan(self, text: str, *, last: bool = False) -> None:
        if text:
            self._count_blank(text)
        for kind, piece in self._scanner.feed(text, last=last):
            match kind:
                case "text":
                    self._hold(piece)
                case "reasoning":
                    self._say("reasoning", piece)
                case "retract":
                    self._retract()
                case "call":
                    self._written(piece)
                case _:
                    assert_never(kind)

    def _hold(self, piece: str) -> None:
        """Keep back text that may be nothing but a call; hand on all other text."""
        if self._held is None:
            self._say("text", piece)
            return
        self._held.append(piece)
        if self._holding:
            return
        so_far = "".join(self._held)
        may_be = bool(self._tools) and not any(isinstance(part, Said) and part.kind == "text" for part in self._parts)
        verdict = may_be_call(so_far) if may_be else False
        if verdict:
            self._holding = True
        elif verdict is False:
            self._held = None
            self._say("text", so_far)

    def _say(self, kind: Literal["text", "reasoning"], text: str, data: Mapping[str, Any] | None = None) -> None:
        """Let the open part of this kind grow; white space alone opens none."""
        part = self._open
        if part is None or part.kind != kind:
            self._leading += text
            if not self._leading.strip() and not data:
                return
            # Reasoning goes back letter by letter, signed in part; text may lose what stands before its first word.
            text, self._leading = self._leading.lstrip() if kind == "text" else self._leading, ""
            self._close_open()
            part = self._open = Said(kind, self._number())
            self._parts.append(part)
            self._events.append(PartStart(part.ordinal, kind))
        if data:
            for key, value in data.items():
                part.data[key] = part.data[key] + value if isinstance(value, (str, list)) and key in part.data else value
        if text:
            part.pieces.append(text)
            self._events.append(PartDelta(part.ordinal, text))

    def _close_open(self, state: State = "completed") -> None:
        if self._open is not None:
            self._open.ended = True
            if self._blank > limits.WHITE_SPACE_CHARACTERS:
                self._open.pieces = ["".join(self._open.pieces).rstrip()]
            self._events.append(PartEnd(self._open.ordinal, state, self._open.value()))
            self._open = None
        self._leading = ""

    def _retract(self) -> None:
        """All text so far was reasoning whose opening tag never came."""
        if self._held:
            held, self._held = "".join(self._held), None
            self._say("reasoning", held)
        self._holding, self._held = False, []
        for part in self._parts:
            if isinstance(part, Said) and part.kind == "text":
                part.kind = "reasoning"
                if part.ended:
                    self._events.append(PartEnd(part.ordinal, "completed", part.value()))
        self._close_open()

    def _count_blank(self, text: str) -> None:
        """Stop a stream that has gone blank."""
        stripped = text.rstrip()
        self._blank = len(text) - len(stripped) + (0 if stripped else self._blank)
        flooded = self._blank > limits.WHITE_SPACE_CHARACTERS
        if len(stripped) > limits.WHITE_SPACE_CHARACTERS and not flooded:
            flooded = any(len(run) > limits.WHITE_SPACE_CHARACTERS for run in WHITE_SPACE.findall(stripped))
        if flooded and self.error is None:
            self.error = ErrorPart("bad_response", FLOOD)

    # Calls

    def _grow_call(self, delta: CallDelta) -> None:
        call = find_call(self._parts, delta, self._tools)
        if call is None:
            call = Call(self._number(), delta.id, delta.index)
            self._parts.append(call)
        call.wire_id = call.wire_id or delta.id
        if delta.name and delta.name != call.name:
            call.name += delta.name
        if delta.data:
            call.data.update(delta.data)
        if delta.whole is not None:
            call.whole = delta.whole
        if delta.arguments:
            call.pieces.append(delta.arguments)
            self._count_blank(delta.arguments)
        self._start(call, delta.arguments)

    def _start(self, call: Call, arguments: str) -> None:
        """Show the call as soon as its name is known."""
        if not call.started and call.name and (call.name in self._tools or call.pieces or call.whole is not None):
            self._show(call)
        elif call.started and arguments:
            self._events.append(PartDelta(call.ordinal, mend(arguments)))

    def _show(self, call: Call) -> None:
        self._close_open()
        call.id = self._fresh(call.wire_id, call.ordinal)
        call.started = True
        self._events.append(PartStart(call.ordinal, "tool-call", call.id, call.name))
        if call.pieces:
            self._events.append(PartDelta(call.ordinal, mend("".join(call.pieces))))

    def _fresh(self, wanted: str, ordinal: int) -> str:
        """Give each call an id of its own, the provider's where it can be used."""
        while not wanted or wanted in self._ids:
            wanted = f"{self._prefix}{ordinal:05d}"
            ordinal += 10_000
        self._ids.add(wanted)
        return wanted

    def _written(self, body: str) -> None:
        """Make a call of what stood between the call tags, or text where it is none."""
        calls = tagged_calls(body)
        for call in calls:
            part = Call(self._number(), name=call.name, read=[call.arguments], raw=call.raw)
            self._parts.append(part)
            self._show(part)
        if not calls:
            self._hold(f"{CALL_OPEN}{body}{CALL_CLOSE}")

    # The end

    def end(self, error: ErrorPart | None = None) -> tuple[list[Event], Answer]:
        """Close everything; `error` says what broke the response off, if anything did."""
        self._scan(self._text.end(), last=True)
        if tail := self._reasoning.end():
            self._say("reasoning", tail)
        self._release()
        self.error = self.error or (None if self.complete else error)
        finish = self._finish()
        state: State = "completed"
        if self.error is not None:
            state = "aborted" if self.error.fault == "aborted" else "error"
        self._close_open(state)
        self._end_calls(finish)
        events, self._events = self._events, []
        return events, self._answer(finish)

    def _release(self) -> None:
        """Decide on text that was kept back."""
        held, self._held = "".join(self._held or ()), None
        if not held:
            return
        call = whole_answer_call(held, self._tools) if self._tools else None
        if call is None:
            self._say("text", held)
            return
        part = Call(self._number(), name=call.name, read=[call.arguments], raw=call.raw)
        self._parts.append(part)
        self._show(part)

    def _finish(self) -> Finish:
        if self.error is not None:
            return "error"
        if self._refused:
            return "content_filter"
        if self.finish in ("length", "content_filter", "error"):
            return self.finish
        return "tool_calls" if any(isinstance(part, Call) for part in self._parts) else "stop"

    def _end_calls(self, finish: Finish) -> None:
        """Read the arguments; more than one object under a call makes more calls."""
        whole = finish == "tool_calls"
        for call in [part for part in self._parts if isinstance(part, Call)]:
            if not call.started:
                self._show(call)
            first, *more = call.read if call.read is not None else self._read(call)
            self._end_call(call, first, whole)
            for arguments in more:
                another = Call(self._number(), name=call.name, read=[arguments], raw=call.raw)
                self._parts.append(another)
                self._show(another)
                self._end_call(another, arguments, whole)

    def _read(self, call: Call) -> list[Arguments]:
        call.raw = mend("".join(call.pieces))
        if not call.raw.strip() and call.whole is not None:
            return [Arguments(mend_value(call.whole))]
        return [replace(entry, value=mend_value(entry.value)) if entry.value else entry for entry in read_arguments(call.raw)]

    def _end_call(self, call: Call, arguments: Arguments, whole: bool) -> None:
        problem = arguments.problem
        if not whole:
            problem = "truncated"
        elif problem is None and call.name not in self._tools:
            problem = "unknown_tool"
        unread = "" if arguments.value is not None else call.raw
        part = ToolCallPart(call.id, call.name, arguments.value or {}, problem, unread, call.data or None)
        call.part = part
        self._events.append(PartEnd(call.ordinal, "error" if problem == "truncated" else "completed", part))

    def _answer(self, finish: Finish) -> Answer:
        parts = [(part.ordinal, part.part if isinstance(part, Call) else part.value()) for part in self._parts]
        kept = [(ordinal, value) for ordinal, value in parts if value is not None]
        return Answer(tuple(value for _, value in kept), tuple(ordinal for ordinal, _ in kept), finish, self.error, self._usage)

    def _number(self) -> int:
        self._next += 1
        return self._next - 1

    def _restart(self) -> None:
        """Take back what was shown: the provider begins the message again."""
        for part in self._parts:
            if isinstance(part, Said) or part.started:
                self._events.append(PartEnd(part.ordinal, "aborted"))
        self._parts, self._open, self._leading, self._held, self._holding = [], None, "", [], False
        self._scanner, self._text, self._reasoning, self._blank = self._make_scanner(), Halves(), Halves(), 0
        self.finish = None


def _merge(before: Usage | None, now: Usage) -> Usage:
    """Later reports win, field by field."""
    if before is None:
        return now
    return Usage(now.input if now.input is not None else before.input, now.output if now.output is not None else before.output)
