"""Parts while they grow, and which call a delta belongs to: providers name calls by id, by index, by both or by neither."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .deltas import CallDelta
from .parts import ReasoningPart, TextPart, ToolCallPart
from .textcalls import Arguments


@dataclass(slots=True)
class Said:
    """A growing text or reasoning part."""

    kind: Literal["text", "reasoning"]
    ordinal: int
    pieces: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    ended: bool = False

    def value(self) -> TextPart | ReasoningPart:
        """The part as it stands."""
        text = "".join(self.pieces)
        return TextPart(text) if self.kind == "text" else ReasoningPart(text, dict(self.data) or None)


@dataclass(slots=True)
class Call:
    """A growing tool call; `wire_id` and `index` are what the provider calls it."""

    ordinal: int
    wire_id: str = ""
    index: int | None = None
    name: str = ""
    id: str = ""
    pieces: list[str] = field(default_factory=list)
    whole: Mapping[str, Any] | None = None
    data: dict[str, Any] = field(default_factory=dict)
    started: bool = False
    read: list[Arguments] | None = None
    """Arguments of a call that was written as text."""
    raw: str = ""
    part: ToolCallPart | None = None
    """The finished call."""


def find_call(parts: Sequence[Said | Call], delta: CallDelta, tools: Collection[str]) -> Call | None:
    """Find the call this delta continues: by id, then by index, then the latest; None begins a new one."""
    near = [
        part for part in reversed(parts)
        if isinstance(part, Call) and part.read is None and (None in (delta.index, part.index) or part.index == delta.index)
    ]  # fmt: skip
    if delta.id:
        same = next((call for call in near if call.wire_id == delta.id), None)
        near = [same] if same is not None else near[:1] if near and not near[0].wire_id else []
    return near[0] if near and _continues(near[0], delta.name, tools) else None


def _continues(call: Call, name: str, tools: Collection[str]) -> bool:
    """Say whether a delta with this name can belong to the call: no name, the same, or the rest of a known one."""
    if not name or not call.name or name == call.name:
        return True
    return not call.pieces and call.name not in tools and call.name + name in tools
