"""The calls of one exchange: run, counted, recognised when they repeat, and ended when they lead nowhere."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from . import limits
from .canonical import dumps
from .folding import fold
from .parts import Source, ToolCallPart, ToolResultPart
from .ports import Clock
from .prompts import say
from .providers.base import ToolSchema
from .thread import Numbering
from .toolbox import Shelf
from .tools import problem_result, within_cap
from .wording import Lang

NEARLY: Final = 0.85
"""Share of common letter pairs from which two questions count as the same."""
FREE_TEXT: Final = ("question",)
SEPARATORS: Final = re.compile(r"[\W_]+")
USELESS: Final = 2
"""Failures of one tool after which it leaves list and prompt."""


@dataclass(frozen=True, slots=True)
class ExtraTool:
    """A tool that only some surface has, such as python_exec in a page."""

    schema: ToolSchema
    run: Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]
    """Return the result; `{"error": …}` for a failure."""
    seconds: float = limits.PYTHON_SECONDS
    characters: int = limits.RESULT_CHARACTERS
    """Cap of its result."""


class Tools(Protocol):
    """What can be called: the book tools over a shelf, or what a recording knows of them."""

    @property
    def shelf(self) -> Shelf:
        """The books the calls are about."""
        ...

    def schemas(self, without: frozenset[str] = frozenset()) -> tuple[ToolSchema, ...]:
        """What can be called now, but for these."""
        ...

    def run(self, call: ToolCallPart) -> ToolResultPart:
        """Answer a call; what goes wrong is a result too."""
        ...


@dataclass(slots=True)
class _Known:
    """A call that was made before."""

    name: str
    arguments: dict[str, str]
    pairs: dict[str, frozenset[str]]
    result: ToolResultPart


class Calls:
    """Run the calls of one exchange within its budget."""

    def __init__(
        self, tools: Tools, numbering: Numbering, *, clock: Clock, budget: int, lang: Lang, extra: Sequence[ExtraTool] = ()
    ) -> None:
        self._tools = tools
        self._numbering = numbering
        self._clock = clock
        self._lang: Lang = lang
        self._extra = {tool.schema.name: tool for tool in extra}
        self._known: list[_Known] = []
        self._failed: dict[str, int] = {}
        self.budget = budget
        self.made = 0
        self.repeats = 0
        self.failures = 0
        """In a row."""

    @property
    def left(self) -> int:
        """Calls that may still be made."""
        return max(0, self.budget - self.made)

    @property
    def over(self) -> bool:
        """Whether no more calls are worth their request."""
        return not self.left or self.repeats > limits.REPEATS or self.failures >= limits.FAILURES

    def offered(self) -> tuple[ToolSchema, ...]:
        """The tools of the next turn: those that make sense now and have not proved useless."""
        useless = frozenset(name for name, count in self._failed.items() if count >= USELESS)
        extra = tuple(tool.schema for tool in self._extra.values() if tool.schema.name not in useless)
        return (*self._tools.schemas(useless), *extra)

    async def answer(self, call: ToolCallPart) -> tuple[ToolResultPart, list[Source], bool]:
        """Return the result of a call, the sources that are new with it, and whether it repeats an earlier one."""
        if not self.left:
            return self._refused(call), [], False
        self.made += 1
        before = self._find(call)
        if before is not None:
            self.repeats += 1
            again = {**before.result.content, "note": say(self._lang, "repeat")}
            return replace(before.result, id=call.id, content=again), [], True
        result = await self._run(call)
        content, new = self._numbering.number_result(self._tools.shelf, result.content)
        result = replace(result, content=content)
        self._count(call, result)
        return result, new, False

    def _refused(self, call: ToolCallPart) -> ToolResultPart:
        content = {"error": f"no calls are left: {self.budget} were made", "note": say(self._lang, "last")}
        return ToolResultPart(call.id, call.name, content, error=True)

    async def _run(self, call: ToolCallPart) -> ToolResultPart:
        """Run a call; whatever happens inside a tool, the exchange goes on with a result."""
        if call.name not in {schema.name for schema in self.offered()}:
            names = [schema.name for schema in self.offered()]
            return ToolResultPart(call.id, call.name, {"error": f"no tool {call.name!r}", "tools": names}, error=True)
        try:
            return await self._run_extra(call) if call.name in self._extra else self._tools.run(call)
        except Exception as wrong:  # a fault inside a tool must reach the model as a result, not end the reader's answer
            said = f"the tool failed: {type(wrong).__name__}: {wrong}"
            return ToolResultPart(
                call.id, call.name, {"error": said[:400], "advice": "answer without it, or use another tool"}, error=True
            )

    async def _run_extra(self, call: ToolCallPart) -> ToolResultPart:
        if call.problem is not None:
            return ToolResultPart(call.id, call.name, problem_result(call), error=True)
        tool = self._extra[call.name]
        work, limit = asyncio.ensure_future(tool.run(call.arguments)), asyncio.ensure_future(self._clock.sleep(tool.seconds))
        try:
            await asyncio.wait({work, limit}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                content: Mapping[str, Any] = {
                    "error": f"the tool did not end within {tool.seconds:g} seconds",
                    "advice": "do less at once",
                }
            else:
                content = work.result()
        finally:
            work.cancel()
            limit.cancel()
        return ToolResultPart(call.id, call.name, within_cap(dict(content), tool.characters), error="error" in content)

    def _count(self, call: ToolCallPart, result: ToolResultPart) -> None:
        if not result.error:
            self.failures = 0
            self._failed.pop(call.name, None)
            arguments = normal(call.arguments)
            self._known.append(_Known(call.name, arguments, _pairs(arguments), result))
            return
        self.failures += 1
        if call.problem is None:
            self._failed[call.name] = self._failed.get(call.name, 0) + 1

    def _find(self, call: ToolCallPart) -> _Known | None:
        """Find an earlier call with the same or nearly the same arguments."""
        if call.problem is not None:
            return None
        arguments = normal(call.arguments)
        pairs = _pairs(arguments)
        for known in self._known:
            if known.name == call.name and _nearly(known.arguments, arguments, known.pairs, pairs):
                return known
        return None


def normal(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Arguments as they are compared: how many results are wanted, case, width and punctuation aside."""
    return {
        name: SEPARATORS.sub(" ", fold(value).casefold()).strip()
        if isinstance(value, str) and name in FREE_TEXT
        else dumps(value)
        for name, value in sorted(arguments.items())
        if name not in ("topK", "limit") and value not in (None, "")
    }


def _pairs(arguments: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {name: letter_pairs(arguments[name]) for name in FREE_TEXT if name in arguments}


def letter_pairs(text: str) -> frozenset[str]:
    """The pairs of letters of every word."""
    return frozenset(word[at : at + 2] for word in text.split() for at in range(max(1, len(word) - 1)))


def _nearly(
    one: Mapping[str, str], other: Mapping[str, str], pairs: Mapping[str, frozenset[str]], others: Mapping[str, frozenset[str]]
) -> bool:
    if one == other:
        return True
    if {name: value for name, value in one.items() if name not in pairs} != {n: v for n, v in other.items() if n not in others}:
        return False
    if pairs.keys() != others.keys() or not pairs:
        return False
    digits = [re.findall(r"\d+", " ".join(values[name] for name in pairs)) for values in (one, other)]
    if digits[0] != digits[1]:
        return False  # Theorem 3.2 and Theorem 3.3 are two questions
    return all(len(pairs[name] & others[name]) >= NEARLY * len(pairs[name] | others[name]) for name in pairs)
