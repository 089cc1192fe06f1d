"""What an adapter makes of one wire chunk: small steps that `assembly.py` turns into parts, the same for every provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .parts import ErrorPart, Finish, Usage


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class RefusalDelta:
    """More of a refusal; it is the answer, and the answer counts as filtered."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """More of what the model thinks aloud."""

    text: str
    data: Mapping[str, Any] | None = None
    """What the provider wants back with it; merged into the part's `provider_data`."""


@dataclass(frozen=True, slots=True)
class CallDelta:
    """More of a tool call; any field may be missing."""

    index: int | None = None
    id: str = ""
    name: str = ""
    arguments: str = ""
    data: Mapping[str, Any] | None = None
    whole: Mapping[str, Any] | None = None
    """Arguments that came as an object; used where no argument text follows."""


@dataclass(frozen=True, slots=True)
class BlockEnd:
    """The provider closes the reasoning or text block it is in; the next delta opens a part of its own."""


@dataclass(frozen=True, slots=True)
class Restart:
    """The provider begins the message again: what came before never was."""


@dataclass(frozen=True, slots=True)
class FinishDelta:
    """The provider says why the answer ends."""

    finish: Finish


@dataclass(frozen=True, slots=True)
class UsageDelta:
    """Model tokens so far."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class FaultDelta:
    """The provider reports an error inside the stream."""

    error: ErrorPart


@dataclass(frozen=True, slots=True)
class EndMark:
    """The provider says that nothing follows."""


Delta = (
    TextDelta | RefusalDelta | ReasoningDelta | CallDelta | BlockEnd | Restart | FinishDelta | UsageDelta | FaultDelta | EndMark
)
