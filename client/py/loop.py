"""The loop of an exchange: ask, run what was called, ask again, and end with an answer every time.

At most so many requests, the last one without tools; calls by budget; repeats, failures and early stops are dealt with here and
nowhere else, so the whole of what may happen to an exchange can be read on one page.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from . import limits
from .assembly import Answer
from .calls import Calls
from .compaction import compact
from .parts import (
    ErrorPart,
    Event,
    Incomplete,
    Message,
    Notice,
    Part,
    PartDemote,
    PartEnd,
    PartStart,
    PlanPart,
    ReasoningPart,
    SourceAdd,
    TextPart,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
    TurnEnd,
    TurnStart,
    Usage,
)  # fmt: skip
from .profiles import adapted
from .prompts import BookFacts, Context, Mode, note, react_prompt, say, system_prompt
from .providers.base import Endpoint, Prompt, ToolSchema
from .react import ReactScanner, bare_parameters, scratchpad
from .reply import fault_part
from .stop import Stop, StoppedError
from .stopping import Early, stopped_early
from .turn import Turn
from .wording import REACT_STOP, Lang

Protocol = Literal["native", "react", "gather"]
"""How a model calls tools: by itself, in running text, or not at all (what was gathered before is all it gets)."""
NO_TOOLS: Final = ("tool", "function call")
"""What a refusal of a request with tools speaks of."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What an exchange works on."""

    endpoint: Endpoint
    books: Sequence[BookFacts]
    context: Context
    mode: Mode
    lang: Lang
    messages: Sequence[Message]
    """History, then the question."""
    protocol: Protocol = "native"
    requests: int = limits.REQUESTS
    calls: int = limits.CALLS
    answer_tokens: int = limits.ANSWER_TOKENS
    temperature: float | None = limits.TEMPERATURE
    budget: int = limits.PROMPT_CHARACTERS
    planned: Sequence[tuple[str, str]] = ()
    """Chapters (number, title) the answer has to speak of."""
    exchange: int = 0
    """Ordinal in the thread: calls without an id of their own get one that is unique in the thread."""


class Loop:
    """Run one exchange; what came of it stands in the attributes when `run` is over."""

    def __init__(self, assignment: Assignment, calls: Calls, turn: Turn, stop: Stop) -> None:
        self._assignment = assignment
        self._calls = calls
        self._turn = turn
        self._stop = stop
        self._messages = list(assignment.messages)
        self._question = len(self._messages) - 1
        self._steps: list[Part] = []
        """Of the text protocol."""
        self._protocol: Protocol = assignment.protocol
        self._budget = assignment.budget
        self._used = 0
        self._ended = False
        """No more tools in this exchange."""
        self._nudged = False
        self._told = False
        self._misread = False
        """The last output of the text protocol had none of its labels."""
        self._ordinal = 0
        self.parts: list[Part] = []
        self.error: ErrorPart | None = None
        self.incomplete: Incomplete = ""
        self.usage: Usage | None = None

    @property
    def text(self) -> str:
        """The answer alone."""
        return "\n\n".join(part.text for part in self.parts if isinstance(part, TextPart))

    def next_part(self) -> int:
        """The next free part number."""
        self._ordinal += 1
        return self._ordinal - 1

    async def run(self) -> AsyncIterator[Event]:
        """Yield everything that happens until there is an answer or an error."""
        while self._used < self._assignment.requests:
            self._used += 1
            tools = self._tools()
            yield TurnStart(self._used, tuple(tool.name for tool in tools))
            async for event in self._request(tools):
                yield event
            answer = self._turn.answer
            self._count(answer)
            yield TurnEnd(self._used, answer.finish, answer.usage)
            if answer.error is not None:
                if self._mend(answer, tools):
                    yield Notice("mended", {"fault": answer.error.fault, "protocol": self._protocol})
                    continue
                self._keep(answer)
                self.error = answer.error
                return
            if answer.calls and tools:
                async for event in self._call(answer):
                    yield event
                if self.error is not None:
                    return
                continue
            early = self._judge(answer, tools)
            if early is None:
                return
            yield Notice("nudged", {"reason": early.reason, "missing": list(early.missing)})
        if not self.text.strip() and not self.incomplete:
            self.incomplete = "empty"

    # One turn

    def _tools(self) -> tuple[ToolSchema, ...]:
        """The tools of the next turn: none in the last one, so that an answer always comes."""
        last = self._used >= self._assignment.requests
        if self._protocol == "gather" or self._ended or last or self._calls.over:
            return ()
        return self._calls.offered()

    async def _request(self, tools: Sequence[ToolSchema]) -> AsyncIterator[Event]:
        assignment = self._assignment
        react = self._protocol == "react" and bool(tools)
        scanners: list[ReactScanner] = []

        def scanner() -> ReactScanner:
            scanners.append(ReactScanner(bare_parameters(tools)))
            return scanners[-1]

        prompt = self._prompt(tools, react=react)
        spoken: list[int] = []
        events = self._turn.run(
            prompt,
            first_part=self._ordinal,
            prefix=f"c{assignment.exchange % 1000:03d}",
            **({"scanner": scanner} if react else {}),
        )
        async for event in events:
            match event:
                case PartStart(part, kind):
                    self._ordinal = max(self._ordinal, part + 1)
                    if kind == "text":
                        spoken.append(part)
                    elif kind == "tool-call" and tools:
                        for text in spoken:
                            yield PartDemote(text)
                        spoken.clear()
                case PartEnd(part, "aborted", None):
                    spoken = [text for text in spoken if text != part]
                case _:
                    pass
            yield event
        self._misread = react and bool(scanners) and not scanners[-1].labelled
        if self._misread:
            before, self._turn.answer = self._turn.answer, _unlabelled(self._turn.answer)
            for ordinal, was, value in zip(before.ordinals, before.parts, self._turn.answer.parts, strict=True):
                if was is not value:
                    yield PartEnd(ordinal, "completed", value)

    def _prompt(self, tools: Sequence[ToolSchema], *, react: bool) -> Prompt:
        assignment = self._assignment
        system = system_prompt(
            assignment.books, tools, assignment.mode, assignment.context, calls=self._calls.budget, requests=assignment.requests
        )
        messages = list(self._messages)
        if self._used > 1 and not tools:
            messages.append(note(say(assignment.lang, "last")))
        messages = compact(messages, self._question, budget=self._budget)
        stop: tuple[str, ...] = ()
        if react:
            at = next(at for at, message in enumerate(messages) if message is self._messages[self._question])
            asked = "".join(part.text for part in messages[at].parts if isinstance(part, TextPart))
            filled = react_prompt(tools, asked, scratchpad(self._steps, assignment.lang), assignment.lang)
            messages, stop = [*messages[:at], note(filled), *messages[at + 1 :]], REACT_STOP[assignment.lang]
        elif self._steps:
            at = next(at for at, message in enumerate(messages) if message is self._messages[self._question])
            messages = [*messages[: at + 1], *_as_text(self._steps, assignment.lang), *messages[at + 1 :]]
        return Prompt(
            system, messages, () if react else tools, assignment.answer_tokens, assignment.temperature, stop,
        )  # fmt: skip

    def _count(self, answer: Answer) -> None:
        """Add up what the endpoint says it counted."""
        if answer.usage is not None:
            before = self.usage or Usage()
            self.usage = Usage(_plus(before.input, answer.usage.input), _plus(before.output, answer.usage.output))

    def _keep(self, answer: Answer) -> None:
        """Take the parts of a turn that ends the exchange; calls that never ran go with it."""
        self.parts += [part for part in answer.parts if not isinstance(part, ToolCallPart)]

    # When something is wrong

    def _mend(self, answer: Answer, tools: Sequence[ToolSchema]) -> bool:
        """Change what made a request fail, if that can be: no tools for a model without them, a shorter prompt."""
        error = answer.error
        if error is None or answer.text or self._used >= self._assignment.requests:
            return False
        toolless = error.fault == "tool_use_failed" or (
            error.fault in ("bad_request", "not_found") and any(word in error.message.lower() for word in NO_TOOLS)
        )
        profile = adapted(self._turn.profile, error.message) if error.fault == "bad_request" else None
        if profile is not None:
            self._turn.adapt(profile)
            return True
        if toolless and tools and self._protocol == "native":
            self._protocol = "react"
            return True
        if error.fault in ("context_length", "too_large") and self._budget != 1:
            size = sum(len(part.text) for message in self._messages for part in message.parts if isinstance(part, TextPart))
            self._budget = 1 if self._budget and self._budget <= size // 2 else max(2, min(self._budget or size, size) // 2)
            return True
        return False

    # Calls

    async def _call(self, answer: Answer) -> AsyncIterator[Event]:
        """Answer every call of a turn by its id, in order."""
        said = tuple(PlanPart(part.text) if isinstance(part, TextPart) else part for part in answer.parts)
        self.parts += said
        results: list[ToolResultPart] = []
        for ordinal, call in zip(answer.ordinals, answer.parts, strict=True):
            if not isinstance(call, ToolCallPart):
                continue
            try:
                result, new, repeated = await self._stop.race(self._calls.answer(call))
            except StoppedError:
                self.error = fault_part("aborted")
                self._forget_unanswered(results)
                return
            for source in new:
                yield SourceAdd(source)
            if repeated:
                yield Notice("repeat", {"name": call.name})
            results.append(result)
            yield ToolResult(ordinal, result)
        remark = self._remark(answer)
        if remark and results:
            results[-1] = replace(results[-1], content={**results[-1].content, "note": remark})
            yield Notice("budget", {"requests": self._left, "calls": self._calls.left})
        self.parts += results
        if self._protocol == "react":
            self._steps += [*said, *results]
        else:
            self._messages += [Message("assistant", said), Message("tool", tuple(results))]

    @property
    def _left(self) -> int:
        return self._assignment.requests - self._used

    def _remark(self, answer: Answer) -> str:
        """What the model is told with its results: that it was cut off, that calls fail, what is left."""
        lang = self._assignment.lang
        if answer.finish == "length":
            return say(lang, "cut_calls")
        if self._calls.failures >= limits.FAILURES:
            return say(lang, "failures")
        used = max(self._used / self._assignment.requests, self._calls.made / self._calls.budget if self._calls.budget else 1.0)
        if used >= limits.TOLD_AT and not self._told and not self._calls.over:
            self._told = True
            return say(lang, "budget", requests=self._left, calls=self._calls.left)
        return ""

    def _forget_unanswered(self, results: Sequence[ToolResultPart]) -> None:
        """Keep of a stopped turn only the calls that were answered."""
        answered = {result.id for result in results}
        kept = [
            part for part in self.parts if not isinstance(part, ToolCallPart) or part.id in answered or self._has_result(part)
        ]
        self.parts = [*kept, *results]

    def _has_result(self, call: ToolCallPart) -> bool:
        return any(isinstance(part, ToolResultPart) and part.id == call.id for part in self.parts)

    # The end

    def _judge(self, answer: Answer, tools: Sequence[ToolSchema]) -> Early | None:
        """Take an answer without calls, or say why it is not one yet and what to do about it."""
        texts = [part for part in answer.parts if isinstance(part, TextPart)]
        if answer.finish == "length" and texts:
            self._keep(answer)
            self.incomplete = "length"
            return None
        if answer.finish == "content_filter":
            self._keep(answer)
            self.incomplete = "filtered"
            return None
        so_far = self.text + "\n\n" + answer.text
        early = Early("announcement") if self._misread and not self._nudged else stopped_early(answer.text)
        if early is None and self._assignment.planned:
            early = stopped_early(so_far, planned=self._assignment.planned)
        if early is None or self._nudged or self._used >= self._assignment.requests:
            self._keep(answer)
            self.incomplete = early.reason if early is not None else ""
            return None
        self._nudged = True
        self._nudge(answer, early, tools)
        return early

    def _nudge(self, answer: Answer, early: Early, tools: Sequence[ToolSchema]) -> None:
        """Say once what is missing; what was said before the nudge stays in the conversation."""
        lang = self._assignment.lang
        match early.reason:
            case "plan":
                self._keep(answer)
                said = say(lang, "nudge_plan", missing="、".join(early.missing) if lang == "zh" else ", ".join(early.missing))
            case "announcement" if self._misread:
                said = say(lang, "react_wrong", names=", ".join(tool.name for tool in tools))
            case "announcement":
                self.parts += [PlanPart(part.text) if isinstance(part, TextPart) else part for part in answer.parts]
                said = say(lang, "nudge_announcement" if tools and self._left > 1 else "nudge_announcement_last")
            case _:
                self.parts += [part for part in answer.parts if isinstance(part, ReasoningPart)]
                said = say(lang, "nudge_empty")
        if answer.text.strip():
            self._messages.append(
                Message("assistant", tuple(part for part in answer.parts if not isinstance(part, ToolCallPart)))
            )
        self._messages.append(note(said))


def _plus(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else one + other


def _unlabelled(answer: Answer) -> Answer:
    """An output of the text protocol without any label is plain text: the answer itself."""
    if answer.error is not None or answer.calls:
        return answer
    parts = tuple(
        TextPart(part.text) if isinstance(part, ReasoningPart) and not part.provider_data else part for part in answer.parts
    )
    return replace(answer, parts=parts)


def _as_text(steps: Sequence[Part], lang: Lang) -> list[Message]:
    """The steps of the text protocol as messages, for a turn without tools."""
    return (
        [Message("assistant", (TextPart(scratchpad(steps, lang).rsplit("\n", 1)[0]),)), note(say(lang, "last"))] if steps else []
    )
