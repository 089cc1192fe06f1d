"""The probe says what an endpoint can do, what is wrong, and what to do about it."""

from __future__ import annotations

import asyncio

import pytest

from askbook.core.ports import Request, TransportError
from askbook.core.probe import Capabilities, Probe, Step, cost, model_names
from askbook.core.replay import VirtualClock
from tests.fakes.endpoint import Answer, Call, Entry, fault, text
from tests.fakes.memory import KEY, ScriptedResponse, ScriptedTransport, endpoint

BOTH = Answer(calls=(Call("lookup", {"word": "apple"}), Call("lookup", {"word": "pear"})))
MODELS = Answer(body='{"data": [{"id": "scripted"}]}', headers={"content-type": "application/json"})
ALLOWED = {"access-control-allow-origin": "*", "access-control-allow-headers": "authorization, content-type"}


def probe(answers: list[Answer], *, provider: str = "ollama", origin: str = "", cors: bool = True) -> tuple[Probe, list[Step]]:
    posts = list(answers)

    def script(entry: Entry) -> Answer:
        if entry.method == "OPTIONS":
            return Answer(status=204, headers=ALLOWED if cors else {})
        return MODELS if entry.method == "GET" else posts.pop(0) if len(posts) > 1 else posts[0]

    made = Probe(endpoint(provider), transport=ScriptedTransport(script), clock=VirtualClock(), origin=origin)

    async def collect() -> list[Step]:
        return [step async for step in made.run()]

    return made, asyncio.run(collect())


def test_a_model_with_tools_is_asked_with_them() -> None:
    made, steps = probe([text("OK", reasoning="hm"), BOTH])
    assert made.capabilities == Capabilities(True, True, True, True, True, True, "native", ("scripted",))
    assert {step.verdict for step in steps} == {"ok"}


@pytest.mark.parametrize(
    ("last", "protocol"), [(text(" hm\nAction: lookup\nAction Input: apple"), "react"), (text("Apples are red."), "gather")]
)  # fmt: skip
def test_a_model_without_tools_is_asked_as_it_can_be(last: Answer, protocol: str) -> None:
    made, _ = probe([text("OK"), text("Apples."), last])
    assert (made.capabilities.tools, made.capabilities.protocol) == (False, protocol)


def test_a_refused_origin_is_answered_with_the_exact_remedy() -> None:
    _, steps = probe([text("OK"), BOTH], origin="https://a.example", cors=False)
    assert steps[0] == Step(
        "access", "wrong", "a browser is refused: it does not allow https://a.example",
        "Start Ollama with OLLAMA_ORIGINS=https://a.example in its environment.",
    )  # fmt: skip


def test_a_header_that_is_not_allowed_is_named() -> None:
    _, steps = probe([text("OK"), BOTH], provider="anthropic", origin="https://a.example")
    assert steps[0].text == "a browser is refused: it does not allow the header anthropic-dangerous-direct-browser-access"


def test_a_wrong_key_ends_the_probe_and_is_not_repeated() -> None:
    made, steps = probe([fault(401, f"Incorrect API key provided: {KEY}")])
    assert (steps[-1].name, steps[-1].verdict, KEY in repr(steps)) == ("key", "wrong", False)
    assert made.capabilities.reached is False


def test_no_connection_names_the_remedy_of_the_server() -> None:
    class Down:
        async def send(self, request: Request) -> ScriptedResponse:
            raise TransportError("refused")

    made = Probe(endpoint("lmstudio"), transport=Down(), clock=VirtualClock())

    async def collect() -> list[Step]:
        return [step async for step in made.run()]

    assert "Enable CORS" in asyncio.run(collect())[-1].remedy


def test_the_cost_is_known_before() -> None:
    assert cost() == "3 requests, together at most 450 tokens in and 768 out"


@pytest.mark.parametrize(
    "body", [b'{"data":[{"id":"b"},{"id":"a"}]}', b'{"models":[{"name":"models/a"},{"name":"b"}]}', b'[{"id":"a"},{"id":"b"}]']
)
def test_lists_of_models_are_read_in_every_form(body: bytes) -> None:
    assert model_names(body) == ("a", "b")
