"""Events, messages and threads as JSON and back: what crosses the worker's border, lies in storage and stands in event logs.

Every value is an object with a `type`, the class in lower case with hyphens; fields keep their names. Unknown fields are passed
over when reading, so that a newer page can read an older thread and the other way round.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

from . import parts
from .errors import BookError
from .parts import Event, Message, Part, Source

PARTS: Final[Mapping[str, type]] = {
    "text": parts.TextPart, "reasoning": parts.ReasoningPart, "plan": parts.PlanPart, "tool-call": parts.ToolCallPart,
    "tool-result": parts.ToolResultPart, "error": parts.ErrorPart,
}  # fmt: skip
EVENTS: Final[Mapping[str, type]] = {
    "exchange-start": parts.ExchangeStart, "retrieval": parts.Retrieval, "source-add": parts.SourceAdd,
    "turn-start": parts.TurnStart, "part-start": parts.PartStart, "part-delta": parts.PartDelta, "part-end": parts.PartEnd,
    "part-demote": parts.PartDemote, "tool-result": parts.ToolResult, "turn-end": parts.TurnEnd, "notice": parts.Notice,
    "citations": parts.Citations, "exchange-end": parts.ExchangeEnd,
}  # fmt: skip
_PART_TYPE: Final = {kind: name for name, kind in PARTS.items()}
_EVENT_TYPE: Final = {kind: name for name, kind in EVENTS.items()}


def to_json(value: Any) -> Any:
    """Write an event, message, part, source or citation as a JSON value."""
    kind = type(value)
    if dataclasses.is_dataclass(value):
        fields = {field.name: to_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
        name = _EVENT_TYPE.get(kind) or _PART_TYPE.get(kind)
        return {"type": name, **fields} if name else fields
    if isinstance(value, Mapping):
        return {name: to_json(entry) for name, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(entry) for entry in value]
    return value


def read_event(value: Mapping[str, Any]) -> Event:
    """Read an event; raise BookError for what is none."""
    kind = EVENTS.get(str(value.get("type")))
    if kind is None:
        raise BookError(f"{value.get('type')!r} is no event")
    event: Event = _read(kind, value)
    return event


def read_part(value: Mapping[str, Any]) -> Part:
    """Read a part; raise BookError for what is none."""
    kind = PARTS.get(str(value.get("type")))
    if kind is None:
        raise BookError(f"{value.get('type')!r} is no part of a message")
    part: Part = _read(kind, value)
    return part


def read_message(value: Mapping[str, Any]) -> Message:
    """Read a message of a thread."""
    message: Message = _read(Message, value)
    return message


def read_source(value: Mapping[str, Any]) -> Source:
    """Read a numbered source."""
    source: Source = _read(Source, value)
    return source


def read_messages(values: Sequence[Any]) -> tuple[Message, ...]:
    """Read a thread; what is no message is left out, so that one broken entry does not lose the rest."""
    return tuple(message for value in values if (message := _try_message(value)) is not None)


def _try_message(value: Any) -> Message | None:
    try:
        return read_message(value)
    except (BookError, TypeError, AttributeError):
        return None


NESTED: Final[Mapping[str, Any]] = {
    "parts": lambda values: tuple(read_part(value) for value in values),
    "matched": tuple, "tools": tuple,
    "citations": lambda values: tuple(_read(parts.Citation, value) for value in values),
    "value": lambda value: None if value is None else read_part(value),
    "source": lambda value: read_source(value),
    "result": lambda value: read_part(value),
    "error": lambda value: _read(parts.ErrorPart, value) if isinstance(value, Mapping) else value,
    "usage": lambda value: None if value is None else _read(parts.Usage, value),
    "message": lambda value: read_message(value) if isinstance(value, Mapping) else value,
}  # fmt: skip
"""How fields that hold more than plain JSON are read, by name; the same name means the same everywhere."""


def _read(kind: type, value: Mapping[str, Any]) -> Any:
    """Make a value of a class from JSON; missing fields without a default are an error."""
    if not isinstance(value, Mapping):
        raise BookError(f"{kind.__name__} cannot be read from {type(value).__name__}")
    known = {field.name for field in dataclasses.fields(kind)}
    given = {name: NESTED.get(name, _same)(entry) for name, entry in value.items() if name in known}
    try:
        return kind(**given)
    except TypeError as wrong:
        raise BookError(f"{kind.__name__} cannot be read: {wrong}") from None


def _same(value: Any) -> Any:
    return value
