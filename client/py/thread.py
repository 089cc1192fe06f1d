"""The kept conversation: citation numbers that stay for the whole thread, and what of it goes into the next request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from . import limits
from .fences import plain_address
from .index import Index
from .parts import Message, Part, PlanPart, ReasoningPart, Source, TextPart, ToolCallPart, ToolResultPart
from .schema import Card
from .toolbox import Shelf

FOLDED_CHARACTERS: Final = 200
"""What stays of a tool result in later requests."""


class Numbering:
    """Give every card a citation number, once for the whole thread."""

    def __init__(self, sources: Iterable[Source] = (), *, root: str = "/") -> None:
        self.sources: dict[int, Source] = {source.n: source for source in sources}
        self.root = root
        self._by_card = {(source.name, source.card): source.n for source in self.sources.values()}

    def address(self, url: str) -> str:
        """The site-absolute path of a card's or section's address."""
        return url if url.startswith("/") else self.root + url

    def add(self, index: Index, card: Card, *, text: str, matched: Sequence[str] = ()) -> tuple[Source, bool]:
        """Return the source of a card and whether it is new to the thread."""
        known = self._by_card.get((index.name, card.id))
        if known is not None:
            return self.sources[known], False
        n = max(self.sources, default=0) + 1
        source = Source(n, index.name, card.id, card.kind, card.number, card.title, self.address(card.url), text, tuple(matched))
        self.sources[n] = source
        self._by_card[index.name, card.id] = n
        return source, True

    def number_result(self, shelf: Shelf, content: Mapping[str, Any]) -> tuple[dict[str, Any], list[Source]]:
        """Give a tool's result its numbers and site-absolute addresses; return the sources that are new."""
        new: list[Source] = []
        return self._number(shelf, dict(content), new), new

    def _number(self, shelf: Shelf, value: Any, new: list[Source]) -> Any:
        if isinstance(value, list):
            return [self._number(shelf, entry, new) for entry in value]
        if not isinstance(value, dict):
            return value
        found = {
            name: self._number(shelf, entry, new) for name, entry in value.items() if name not in ("status", "next", "schema")
        }
        found |= {name: value[name] for name in ("status", "next", "schema") if name in value}
        if isinstance(value.get("url"), str):
            found["url"] = self.address(plain_address(value["url"]))
        text = value.get("context") or value.get("text")
        if isinstance(value.get("id"), str) and isinstance(text, str):
            place = _place(shelf, value)
            if place is not None:
                index, ordinal = place
                source, is_new = self.add(index, index.card(ordinal), text=text, matched=value.get("matched") or ())
                if is_new:
                    new.append(source)
                return {"n": source.n} | found
        return found

    def cards(self, shelf: Shelf) -> dict[int, Card]:
        """The cards behind the numbers, where their books are on the shelf."""
        books = {index.name: index for index in shelf.indexes}
        found = {}
        for n, source in self.sources.items():
            index = books.get(source.name)
            ordinal = index.find(source.card) if index is not None else None
            if index is not None and ordinal is not None:
                found[n] = index.card(ordinal)
        return found


def _place(shelf: Shelf, value: Mapping[str, Any]) -> tuple[Index, int] | None:
    books = [
        index
        for index in shelf.indexes
        if value.get("book", index.book) == index.book and value.get("col", index.col) == index.col
    ]
    for index in books:
        ordinal = index.find(value["id"])
        if ordinal is not None:
            return index, ordinal
    return None


# What goes into the next request


def counts(message: Message) -> bool:
    """Whether a message of the thread says something: errored, aborted and empty ones do not."""
    if message.state != "completed" or message.role == "tool":
        return False
    return any(isinstance(part, TextPart) and part.text.strip() for part in message.parts)


def history(messages: Sequence[Message], *, most: int = limits.HISTORY_MESSAGES) -> list[Message]:
    """Return the last messages that count, questions with their answers, tool results folded."""
    pairs: list[Message] = []
    for question, answer in _exchanges(messages):
        if answer is not None and counts(answer):
            pairs += [question, answer]
    return [entry for message in pairs[-most:] for entry in turns(message)]


def _exchanges(messages: Sequence[Message]) -> list[tuple[Message, Message | None]]:
    """Pair each question with the answer behind it."""
    found: list[tuple[Message, Message | None]] = []
    for message in messages:
        if message.role == "user":
            found.append((message, None))
        elif message.role == "assistant" and found and found[-1][1] is None:
            found[-1] = (found[-1][0], message)
    return found


def turns(message: Message) -> list[Message]:
    """Split an answer of the thread into the messages of its turns: what was said and called, then the results."""
    if message.role != "assistant":
        return [message]
    found: list[Message] = []
    said: list[Part] = []
    results: list[Part] = []
    for part in message.parts:
        if isinstance(part, ToolResultPart):
            results.append(fold(part))
            continue
        if results:
            found += _turn(said, results)
            said, results = [], []
        if isinstance(part, (TextPart, PlanPart, ReasoningPart, ToolCallPart)):
            said.append(part)
    return found + _turn(said, results)


def _turn(said: list[Part], results: list[Part]) -> list[Message]:
    """One turn as messages; a call without a result, or a result without a call, goes."""
    answered = {part.id for part in results if isinstance(part, ToolResultPart)}
    called = {part.id for part in said if isinstance(part, ToolCallPart)}
    kept = [part for part in said if not isinstance(part, ToolCallPart) or part.id in answered]
    paired = [part for part in results if isinstance(part, ToolResultPart) and part.id in called]
    found = [Message("assistant", tuple(kept))] if kept else []
    return [*found, Message("tool", tuple(paired))] if paired else found


def fold(result: ToolResultPart) -> ToolResultPart:
    """Shorten a result that has done its work: which cards it named stays, their text goes."""
    return replace(result, content=_folded(result.content))


def _folded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            name: f"{entry[:FOLDED_CHARACTERS]}…"
            if name in ("text", "context") and isinstance(entry, str) and len(entry) > FOLDED_CHARACTERS
            else _folded(entry)
            for name, entry in value.items()
            if name not in ("status", "matched", "score")
        }
    if isinstance(value, list):
        return [_folded(entry) for entry in value]
    return value
