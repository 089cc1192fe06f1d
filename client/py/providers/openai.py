"""The wire of OpenAI's chat completions, as dozens of servers speak it: messages to a request, chunks to deltas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from askbook.core.canonical import dumps
from askbook.core.deltas import (
    CallDelta,
    Delta,
    FaultDelta,
    FinishDelta,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    UsageDelta,
)  # fmt: skip
from askbook.core.errors import Fault
from askbook.core.faults import stream_fault
from askbook.core.parts import ErrorPart, Message, Part, PlanPart, ReasoningPart, TextPart, ToolCallPart, ToolResultPart, Usage
from askbook.core.ports import Request
from askbook.core.profiles import Profile
from askbook.core.textcalls import shallow

from .base import Endpoint, Prompt, ToolSchema, address, count_of, finish_of, list_of, mapping_of, text_of

REASONING_FIELDS: Final = ("reasoning_content", "reasoning", "reasoning_text", "thinking")
PLACEHOLDER: Final = {"google": {"thought_signature": "skip_thought_signature_validator"}}
"""What Gemini accepts for a call whose signature was made elsewhere."""


def request(endpoint: Endpoint, prompt: Prompt) -> Request:
    """Make the request of one turn; only two headers leave, since one more breaks several providers in a browser."""
    profile = endpoint.profile
    body: dict[str, Any] = {"model": endpoint.model, "messages": wire_messages(prompt, profile), "stream": True}
    if profile.usage_option:
        body["stream_options"] = {"include_usage": True}
    body[profile.limit_field] = max(prompt.answer_tokens, profile.least_answer_tokens)
    if prompt.temperature is not None and profile.temperature:
        body["temperature"] = prompt.temperature
    if prompt.tools:
        body["tools"] = [wire_tool(tool) for tool in prompt.tools]
        if profile.tool_stream:
            body["tool_stream"] = True
    if prompt.stop:
        body["stop"] = list(prompt.stop[: profile.stop_limit])
    headers = {"content-type": "application/json"}
    if endpoint.key:
        headers["authorization"] = f"Bearer {endpoint.key}"
    return Request(address(endpoint.url, "/chat/completions"), headers, json.dumps(body, ensure_ascii=False).encode())


def wire_tool(tool: ToolSchema) -> dict[str, Any]:
    """Write a tool as the wire has it."""
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
    }


def wire_messages(prompt: Prompt, profile: Profile) -> list[dict[str, Any]]:
    """Write the whole prompt as the wire has it; every call is followed by its result."""
    system = [{"role": "system", "content": prompt.system}] if prompt.system else []
    return system + [entry for message in prompt.messages for entry in _wire_message(message, profile)]


def _wire_message(message: Message, profile: Profile) -> Iterable[dict[str, Any]]:
    if message.role == "user":
        yield {"role": "user", "content": _text(message.parts)}
    elif message.role == "assistant":
        yield _assistant(message, profile)
    else:
        for part in message.parts:
            if isinstance(part, ToolResultPart):
                yield {"role": "tool", "tool_call_id": part.id, "name": part.name, "content": dumps(part.content)}


def _text(parts: Sequence[Part]) -> str:
    return "".join(part.text for part in parts if isinstance(part, (TextPart, PlanPart)))


def _assistant(message: Message, profile: Profile) -> dict[str, Any]:
    calls = [part for part in message.parts if isinstance(part, ToolCallPart)]
    entry: dict[str, Any] = {"role": "assistant", "content": _text(message.parts)}
    if calls:
        entry["content"] = entry["content"] or None
        entry["tool_calls"] = [_wire_call(call, profile, first=not at) for at, call in enumerate(calls)]
    reasoning = [part for part in message.parts if isinstance(part, ReasoningPart)]
    if profile.reasoning_back == "always" or (profile.reasoning_back == "calls" and calls):
        entry["reasoning_content"] = "".join(part.text for part in reasoning if (part.provider_data or {}).get("field"))
    if profile.reasoning_details_back:
        details = [detail for part in reasoning for detail in (part.provider_data or {}).get("reasoning_details", ())]
        if details:
            entry["reasoning_details"] = details
    return entry


def _wire_call(call: ToolCallPart, profile: Profile, *, first: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": call.id, "type": "function",
        "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments), ensure_ascii=False)},
    }  # fmt: skip
    if profile.extra_content_back:
        extra = (call.provider_data or {}).get("extra_content")
        if extra or first:  # only the first call of a message has to have one
            entry["extra_content"] = extra or PLACEHOLDER
    return entry


def keep(parts: Sequence[Part], profile: Profile) -> dict[str, Any]:
    """Say what the next request has to carry along of this answer."""
    entry = _assistant(Message("assistant", tuple(parts)), profile)
    calls = [part for part in parts if isinstance(part, ToolCallPart)]
    kept: dict[str, Any] = {}
    if entry.get("reasoning_content"):
        kept["reasoning_content"] = entry["reasoning_content"]
    if entry.get("reasoning_details"):
        kept["reasoning_details"] = entry["reasoning_details"]
    found = {str(at): (call.provider_data or {}).get("extra_content") for at, call in enumerate(calls)}
    extra = {at: content for at, content in found.items() if content}
    if extra and profile.extra_content_back:
        kept["extra_content"] = extra
    return kept


class ChatAdapter:
    """Read chunks of a chat completion, streamed or whole."""

    def deltas(self, event: str, chunk: Mapping[str, Any]) -> list[Delta]:
        """Read one chunk; whatever is not as it should be is passed over."""
        found: list[Delta] = []
        error = chunk.get("error")
        if error or event == "error" or chunk.get("object") == "error":
            found.append(FaultDelta(stream_fault(error or chunk)))
        for choice in list_of(chunk.get("choices")):
            if isinstance(choice, dict) and choice.get("index") in (0, None):
                self._choice(choice, found)
        if isinstance(chunk.get("message"), dict) and "choices" not in chunk:
            self._native(chunk, found)
        for usage in (chunk.get("usage"), mapping_of(chunk.get("x_groq")).get("usage")):
            _usage(usage, found)
        return found

    def _choice(self, choice: Mapping[str, Any], found: list[Delta]) -> None:
        if choice.get("error"):
            found.append(FaultDelta(stream_fault(choice["error"])))
        message = mapping_of(choice.get("message"))
        self._delta(mapping_of(choice.get("delta")) or message, found)
        text = choice.get("text")
        if isinstance(text, str) and text and "delta" not in choice:
            found.append(TextDelta(text))
        _usage(choice.get("usage"), found)
        self._finish(choice.get("finish_reason") or ("stop" if message and "delta" not in choice else None), found)

    def _finish(self, word: object, found: list[Delta]) -> None:
        finish = finish_of(word)
        if finish == "error":
            if not any(isinstance(delta, FaultDelta) for delta in found):
                fault: Fault = "overloaded" if word == "insufficient_system_resource" else "server"
                found.append(FaultDelta(ErrorPart(fault, f"The endpoint ended the answer with {word!r}.", 200, True)))
        elif finish is not None:
            found.append(FinishDelta(finish))

    def _delta(self, delta: Mapping[str, Any], found: list[Delta]) -> None:
        for field in REASONING_FIELDS:
            thought = delta.get(field)
            if isinstance(thought, str) and thought:
                found.append(ReasoningDelta(thought, {"field": True} if field == "reasoning_content" else None))
                break
        details = [detail for detail in list_of(delta.get("reasoning_details")) if isinstance(detail, dict) and shallow(detail)]
        if details:
            found.append(ReasoningDelta("", {"reasoning_details": details}))
        content = delta.get("content")
        if isinstance(content, str):
            if content:
                found.append(TextDelta(content))
        else:
            for part in list_of(content):
                _content_part(part, found)
        refusal = delta.get("refusal")
        if isinstance(refusal, str) and refusal:
            found.append(RefusalDelta(refusal))
        calls = delta.get("tool_calls")
        for call in [calls] if isinstance(calls, dict) else list_of(calls):
            made = _call(call) if isinstance(call, dict) else CallDelta()
            if made != CallDelta(made.index):
                found.append(made)
        old = delta.get("function_call")
        if isinstance(old, dict):
            found.append(_call({"function": old}))

    def _native(self, chunk: Mapping[str, Any], found: list[Delta]) -> None:
        """Read a line of Ollama's own format, which some gateways pass on."""
        message = mapping_of(chunk["message"])
        self._delta({**message, "reasoning_content": message.get("thinking")}, found)
        if chunk.get("done") is True:
            found.append(UsageDelta(Usage(count_of(chunk.get("prompt_eval_count")), count_of(chunk.get("eval_count")))))
            self._finish(chunk.get("done_reason") or "stop", found)


def _usage(value: object, found: list[Delta]) -> None:
    usage = mapping_of(value)
    if usage:
        found.append(UsageDelta(Usage(count_of(usage.get("prompt_tokens")), count_of(usage.get("completion_tokens")))))


def _content_part(part: object, found: list[Delta]) -> None:
    """Read one entry of a content list; thinking may sit in `thinking`, `text` or `content`, as text or as a list of texts."""
    if isinstance(part, str):
        found.append(TextDelta(part))
        return
    entry = mapping_of(part)
    thinking = "think" in text_of(entry.get("type")) or "reasoning" in text_of(entry.get("type"))
    fields = ("thinking", "text", "content", "reasoning") if thinking else ("text", "content")
    text = next((joined for field in fields if (joined := _joined(entry.get(field)))), "")
    if text:
        found.append(ReasoningDelta(text) if thinking else TextDelta(text))


def _joined(value: object) -> str:
    if not isinstance(value, list):
        return text_of(value)
    return "".join(text_of(mapping_of(entry).get("text")) or text_of(entry) for entry in value)


def _call(call: Mapping[str, Any]) -> CallDelta:
    function = mapping_of(call.get("function")) or call
    index, identifier, extra = call.get("index"), call.get("id"), call.get("extra_content")
    arguments = function.get("arguments", function.get("parameters"))
    return CallDelta(
        int(index) if isinstance(index, int) or (isinstance(index, str) and index.isdecimal()) else None,
        str(identifier) if isinstance(identifier, (str, int)) and not isinstance(identifier, bool) else "",
        text_of(function.get("name")).strip(),
        _argument_text(arguments),
        {"extra_content": extra} if isinstance(extra, dict) and extra and shallow(extra) else None,
        arguments if isinstance(arguments, dict) and shallow(arguments) else None,
    )


def _argument_text(arguments: object) -> str:
    """Arguments as text; an object is taken as it is, and what can be no arguments is written so that it is refused."""
    if isinstance(arguments, str):
        return arguments
    return "[]" if isinstance(arguments, list) or (isinstance(arguments, dict) and not shallow(arguments)) else ""


def adapter() -> ChatAdapter:
    """Return a reader for one response."""
    return ChatAdapter()
