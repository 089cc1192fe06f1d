"""Fit a prompt into its budget: what is oldest and bulkiest goes first, calls and their results are never parted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from . import limits
from .canonical import dumps
from .parts import Message, Part, PlanPart, ReasoningPart, TextPart, ToolCallPart, ToolResultPart
from .thread import fold

HARD_CHARACTERS: Final = 400
"""What stays of a result when folding alone does not make room."""


def size(message: Message) -> int:
    """Characters of a message, roughly as the endpoint counts them."""
    return sum(_size(part) for part in message.parts) + 20


def _size(part: Part) -> int:
    match part:
        case TextPart(text) | PlanPart(text) | ReasoningPart(text):
            return len(text)
        case ToolCallPart():
            return len(part.name) + len(dumps(dict(part.arguments)))
        case ToolResultPart():
            return len(dumps(part.content))
        case _:
            return 0


def compact(messages: Sequence[Message], question: int, *, budget: int = limits.PROMPT_CHARACTERS) -> list[Message]:
    """Shorten a prompt to a budget of characters, 0 for none; `question` is the position of the question it is about.

    In this order: results of earlier turns are folded, earlier exchanges go as a whole, results of this exchange shrink to what
    they named, its oldest turns go. The question and the last turn stay as they are.
    """
    kept = list(messages)
    if not budget or total(kept) <= budget:
        return kept
    last = max((at for at, message in enumerate(kept) if message.role == "tool"), default=-1)
    for at, message in enumerate(kept):
        if message.role == "tool" and at != last:
            kept[at] = _folded(message)
            if total(kept) <= budget:
                return kept
    while question > 0 and total(kept) > budget:
        gone = _first_exchange(kept, question)
        del kept[:gone]
        question -= gone
    for at in range(question + 1, len(kept) - 1):
        if total(kept) <= budget:
            return kept
        if kept[at].role == "tool":
            kept[at] = _hard(kept[at])
    while total(kept) > budget and (gone := _first_turn(kept, question)):
        del kept[question + 1 : question + 1 + gone]
    return kept


def total(messages: Sequence[Message]) -> int:
    """Characters of a prompt."""
    return sum(map(size, messages))


def _folded(message: Message) -> Message:
    return replace(message, parts=tuple(fold(part) if isinstance(part, ToolResultPart) else part for part in message.parts))


def _hard(message: Message) -> Message:
    """Keep of each result only which cards it named."""
    return replace(message, parts=tuple(_named(part) if isinstance(part, ToolResultPart) else part for part in message.parts))


def _named(result: ToolResultPart) -> ToolResultPart:
    if len(dumps(result.content)) <= HARD_CHARACTERS:
        return result
    named = [
        {"n": entry["n"], "id": entry.get("id", "")}
        for value in result.content.values()
        if isinstance(value, list)
        for entry in value
        if isinstance(entry, dict) and "n" in entry
    ]
    return replace(result, content={"shortened": True, "named": named[:12]})


def _first_exchange(messages: Sequence[Message], question: int) -> int:
    """How many messages the oldest exchange before the question has."""
    following = [at for at in range(1, question) if messages[at].role == "user"]
    return following[0] if following else question


def _first_turn(messages: Sequence[Message], question: int) -> int:
    """How many messages the oldest turn behind the question has: its calls with all their results; 0 when one turn is left."""
    starts = [at for at in range(question + 1, len(messages)) if messages[at].role == "assistant"]
    return starts[1] - starts[0] if len(starts) > 1 and starts[0] == question + 1 else 0
