"""The wire of Anthropic's Messages: messages to a request, events to deltas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from askbook.core.canonical import dumps
from askbook.core.deltas import (
    BlockEnd,
    CallDelta,
    Delta,
    EndMark,
    FaultDelta,
    FinishDelta,
    ReasoningDelta,
    Restart,
    TextDelta,
    UsageDelta,
)  # fmt: skip
from askbook.core.faults import stream_fault
from askbook.core.parts import Message, Part, PlanPart, ReasoningPart, TextPart, ToolCallPart, ToolResultPart, Usage
from askbook.core.ports import Request
from askbook.core.profiles import Profile
from askbook.core.textcalls import shallow

from .base import Endpoint, Prompt, address, count_of, finish_of, list_of, mapping_of, text_of

VERSION: Final = "2023-06-01"
THINKING: Final = ("thinking", "redacted_thinking")


def request(endpoint: Endpoint, prompt: Prompt) -> Request:
    """Make the request of one turn, with the three headers that let a browser in."""
    body: dict[str, Any] = {
        "model": endpoint.model, "messages": wire_messages(prompt.messages), "stream": True, "max_tokens": prompt.answer_tokens,
    }  # fmt: skip
    if prompt.system:
        body["system"] = prompt.system
    if prompt.temperature is not None and endpoint.profile.temperature:
        body["temperature"] = prompt.temperature
    if prompt.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)} for tool in prompt.tools
        ]
    elif used := _tools_used(prompt.messages):
        # Messages that hold calls are refused without the tools' definitions, so they are named and forbidden.
        body["tools"] = [{"name": name, "description": "", "input_schema": {"type": "object"}} for name in used]
        body["tool_choice"] = {"type": "none"}
    if prompt.stop:
        body["stop_sequences"] = list(prompt.stop)
    headers = {
        "content-type": "application/json", "anthropic-version": VERSION, "anthropic-dangerous-direct-browser-access": "true",
    }  # fmt: skip
    if endpoint.key:
        headers["x-api-key"] = endpoint.key
    return Request(address(endpoint.url, "/messages"), headers, json.dumps(body, ensure_ascii=False).encode())


def _tools_used(messages: Sequence[Message]) -> list[str]:
    """Names of the tools that were called in these messages, in order."""
    return list(dict.fromkeys(part.name for message in messages for part in message.parts if isinstance(part, ToolCallPart)))


def wire_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Write messages as the wire has them: results are blocks of a user message, and roles take turns."""
    entries: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        blocks = list(_blocks(message))
        if not blocks:
            continue
        if entries and entries[-1]["role"] == role:
            entries[-1]["content"].extend(blocks)
        else:
            entries.append({"role": role, "content": blocks})
    return entries


def _blocks(message: Message) -> Iterable[dict[str, Any]]:
    for part in message.parts:
        match part:
            case TextPart(text) | PlanPart(text):
                if text.strip():
                    yield {"type": "text", "text": text}
            case ReasoningPart():
                yield from thinking_blocks([part])
            case ToolCallPart():
                yield {"type": "tool_use", "id": part.id, "name": part.name, "input": dict(part.arguments)}
            case ToolResultPart():
                block = {"type": "tool_result", "tool_use_id": part.id, "content": dumps(part.content)}
                yield {**block, "is_error": True} if part.error else block
            case _:
                pass


def thinking_blocks(parts: Iterable[Part]) -> list[dict[str, Any]]:
    """Return the thinking blocks of an answer, unchanged, signatures included; others' reasoning is left out."""
    blocks = []
    for part in parts:
        if not isinstance(part, ReasoningPart):
            continue
        data = part.provider_data
        if data and data.get("type") in THINKING:
            block = dict(data)
            if block["type"] == "thinking":
                block["thinking"] = part.text
                block = {key: block[key] for key in ("type", "thinking", "signature") if key in block}
            blocks.append(block)
    return blocks


def keep(parts: Sequence[Part], _: Profile) -> dict[str, Any]:
    """Say what the next request has to carry along of this answer."""
    blocks = thinking_blocks(parts)
    return {"thinking_blocks": blocks} if blocks else {}


class MessagesAdapter:
    """Read the named events of one message, streamed or whole."""

    def __init__(self) -> None:
        self._kinds: dict[int, str] = {}
        self._begun = 0
        self._offset = 0
        """Added to block indices, so that blocks of a message that begins again are new ones."""
        self._used: set[int] = set()

    def deltas(self, event: str, chunk: Mapping[str, Any]) -> list[Delta]:
        """Read one event; unknown ones are passed over."""
        match chunk.get("type") or event:
            case "message_start":
                return self._message_start(mapping_of(chunk.get("message")))
            case "content_block_start":
                return self._block_start(chunk)
            case "content_block_delta":
                return self._block_delta(chunk)
            case "content_block_stop":
                return [BlockEnd()]
            case "message_delta":
                finish = finish_of(mapping_of(chunk.get("delta")).get("stop_reason"))
                return [*_usage(chunk.get("usage")), *([FinishDelta(finish)] if finish else [])]
            case "message_stop":
                return [EndMark()]
            case "message":
                return self._whole(chunk)
            case "error":
                return [FaultDelta(stream_fault(chunk.get("error") or chunk))]
            case _:
                failed = chunk.get("error") or (chunk if event == "error" else None)
                return [FaultDelta(stream_fault(failed))] if failed else []

    def _message_start(self, message: Mapping[str, Any]) -> list[Delta]:
        self._begun += 1
        return _usage(message.get("usage"))

    def _block_start(self, chunk: Mapping[str, Any]) -> list[Delta]:
        found: list[Delta] = [BlockEnd()]
        index = _index(chunk)
        if self._begun > 1 and index in self._used:
            found = [Restart()]
            self._begun, self._used = 1, set()
        if index in self._used:
            self._offset += 1_000
        self._used.add(index)
        block = mapping_of(chunk.get("content_block"))
        kind = self._kinds[index] = text_of(block.get("type"))
        return found + self._block(kind, block, index)

    def _block(self, kind: str, block: Mapping[str, Any], index: int) -> list[Delta]:
        """Read what a block brings at its start, or all of it where the message came whole."""
        if kind in ("tool_use", "server_tool_use"):
            given = block.get("input")
            whole = given if isinstance(given, dict) and shallow(given) else None
            return [CallDelta(index + self._offset, text_of(block.get("id")), text_of(block.get("name")), whole=whole)]
        if kind == "redacted_thinking":
            return [ReasoningDelta("", {"type": kind, "data": text_of(block.get("data"))}), BlockEnd()]
        if kind == "thinking":
            data = {"type": "thinking"}
            if text_of(block.get("signature")):
                data["signature"] = text_of(block["signature"])
            return [ReasoningDelta(text_of(block.get("thinking")), data)]
        text = text_of(block.get("text"))
        return [TextDelta(text)] if text else []

    def _block_delta(self, chunk: Mapping[str, Any]) -> list[Delta]:
        delta, index = mapping_of(chunk.get("delta")), _index(chunk)
        match delta.get("type"):
            case "text_delta":
                text = text_of(delta.get("text"))
                return [ReasoningDelta(text)] if self._kinds.get(index) == "thinking" else [TextDelta(text)]
            case "thinking_delta":
                thought = next((delta[key] for key in ("thinking", "text", "content") if isinstance(delta.get(key), str)), "")
                return [ReasoningDelta(thought, {"type": "thinking"} if self._kinds.get(index) != "thinking" else None)]
            case "signature_delta":
                return [ReasoningDelta("", {"signature": text_of(delta.get("signature"))})]
            case "input_json_delta":
                partial = delta.get("partial_json")
                return [CallDelta(index + self._offset, arguments=text_of(partial))]
            case _:
                return []

    def _whole(self, message: Mapping[str, Any]) -> list[Delta]:
        """Read a message that came in one piece."""
        found = _usage(message.get("usage"))
        for index, block in enumerate(list_of(message.get("content"))):
            entry = mapping_of(block)
            found += [BlockEnd(), *self._block(text_of(entry.get("type")), entry, index)]
        return [*found, FinishDelta(finish_of(message.get("stop_reason")) or "stop")]


def _index(chunk: Mapping[str, Any]) -> int:
    index = chunk.get("index")
    return index if isinstance(index, int) else 0


def _usage(value: object) -> list[Delta]:
    usage = mapping_of(value)
    if not usage:
        return []
    return [UsageDelta(Usage(count_of(usage.get("input_tokens")), count_of(usage.get("output_tokens"))))]


def adapter() -> MessagesAdapter:
    """Return a reader for one response."""
    return MessagesAdapter()
