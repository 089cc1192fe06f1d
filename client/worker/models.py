"""What can be learnt of an endpoint before it is asked: its models, and whether it answers at all."""

from __future__ import annotations

import json
from typing import Any

from askbook.core.parts import Message, TextPart
from askbook.core.ports import Clock, Request, Transport, TransportError
from askbook.core.providers import anthropic, openai
from askbook.core.providers.base import Endpoint, Prompt, address
from askbook.core.stop import Stop
from askbook.core.turn import Turn

SECONDS = 12.0
"""Longest silence of an endpoint that is only asked for its models."""
PROBE = Prompt(system="", messages=(Message("user", (TextPart("Say OK."),)),), answer_tokens=16)


def models_request(endpoint: Endpoint) -> Request:
    """Ask for the list of models, with the headers the endpoint's wire format wants."""
    wire = anthropic if endpoint.profile.wire == "anthropic" else openai
    headers = {name: value for name, value in wire.request(endpoint, PROBE).headers.items() if name.lower() != "content-type"}
    return Request(address(endpoint.url, "models"), headers, b"", "GET")


async def list_models(endpoint: Endpoint, transport: Transport) -> list[str]:
    """Return the names of the models an endpoint offers; none where it does not say."""
    try:
        response = await transport.send(models_request(endpoint))
        body = b""
        while piece := await response.read(timeout=SECONDS):
            body += piece
        await response.close()
    except TransportError:
        return []
    return names_in(body) if response.status == 200 else []


def names_in(body: bytes) -> list[str]:
    """Read the list, in the forms that OpenAI, Anthropic and Ollama write it in."""
    try:
        value = json.loads(body)
    except ValueError:
        return []
    entries = value.get("data") or value.get("models") or [] if isinstance(value, dict) else value
    names = [entry.get("id") or entry.get("name") or entry.get("model") for entry in entries if isinstance(entry, dict)]
    return sorted({str(name).removeprefix("models/") for name in names if name})


async def try_model(endpoint: Endpoint, transport: Transport, clock: Clock) -> dict[str, Any]:
    """Ask for one word; say what is wrong where none comes."""
    turn = Turn(endpoint, transport=transport, clock=clock, stop=Stop())
    async for _ in turn.run(PROBE, first_part=0, prefix="test"):
        pass
    error = turn.answer.error
    if error is None or (error.fault == "bad_response" and turn.answer.finish == "length"):
        return {"ok": True, "fault": "", "message": ""}
    return {"ok": False, "fault": error.fault, "message": error.message}
