"""What an adapter offers, and the few readings that every wire format shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from askbook.core.deltas import Delta
from askbook.core.parts import Finish, Message, Part
from askbook.core.ports import Request
from askbook.core.profiles import GENERIC, Profile


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a request goes; the key is kept out of every `repr`."""

    url: str
    """Base address, as `https://api.example.com/v1`."""
    model: str
    key: str = ""
    profile: Profile = GENERIC

    def __repr__(self) -> str:
        return f"Endpoint({self.profile.name!r}, model={self.model!r})"


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as a model sees it."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON Schema of an object."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One turn in neutral form; an adapter makes a request body of it."""

    system: str
    messages: Sequence[Message]
    tools: Sequence[ToolSchema] = ()
    answer_tokens: int = 4096
    temperature: float | None = None
    stop: tuple[str, ...] = ()


class Adapter(Protocol):
    """One wire format; holds what it must remember between two chunks of one response, so there is one adapter a response."""

    def deltas(self, event: str, chunk: Mapping[str, Any]) -> list[Delta]:
        """Read one wire chunk."""
        ...


class Wire(Protocol):
    """What a provider module offers."""

    def request(self, endpoint: Endpoint, prompt: Prompt) -> Request:
        """Write a turn in the wire's own form."""
        ...

    def adapter(self) -> Adapter:
        """Make a reader of one response."""
        ...

    def keep(self, parts: Sequence[Part], profile: Profile, /) -> Mapping[str, Any]:
        """Say what the next request has to carry along of an answer."""
        ...


FINISHES: Final[Mapping[str, Finish]] = {
    "stop": "stop", "end_turn": "stop", "stop_sequence": "stop", "eos": "stop", "pause_turn": "stop",
    "length": "length", "max_tokens": "length", "model_length": "length", "model_context_window_exceeded": "length",
    "max_output_tokens": "length",
    "tool_calls": "tool_calls", "tool_use": "tool_calls", "function_call": "tool_calls", "tool_call": "tool_calls",
    "content_filter": "content_filter", "sensitive": "content_filter", "refusal": "content_filter", "safety": "content_filter",
    "recitation": "content_filter", "blocklist": "content_filter", "prohibited_content": "content_filter",
    "spii": "content_filter", "content_filtered": "content_filter",
    "error": "error", "network_error": "error", "insufficient_system_resource": "error", "abort": "error",
}  # fmt: skip
"""Finish words of all wires, in lower case; an unknown word is an ordinary end."""


def finish_of(word: object) -> Finish | None:
    """Translate a finish word; None for none."""
    if not isinstance(word, str) or not word:
        return None
    return FINISHES.get(word.lower(), "stop")


def text_of(value: object) -> str:
    """Return a string as it is and anything else as nothing."""
    return value if isinstance(value, str) else ""


def mapping_of(value: object) -> Mapping[str, Any]:
    """Return an object as it is and anything else as an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> list[Any]:
    """Return an array as it is and anything else as an empty one."""
    return value if isinstance(value, list) else []


def count_of(value: object) -> int | None:
    """Return a count of model tokens; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def address(base: str, path: str) -> str:
    """Join a base address and a path; a base that already ends in the path is left alone, a query stays behind it."""
    base, question, query = base.strip().partition("?")
    base = base.rstrip("/")
    joined = base if base.endswith(path) else base + path
    return joined + question + query
