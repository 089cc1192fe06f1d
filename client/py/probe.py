"""Try an endpoint with few tiny requests: can it be reached, does it know key and model, does it stream, call tools, think aloud?

What it can do decides how it is asked: with tools of its own, by the text protocol, or with what was gathered beforehand.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

from .assembly import Answer
from .errors import Fault
from .loop import Protocol
from .nesting import parse
from .parts import ErrorPart
from .ports import Clock, Request, Response, Transport, TransportError
from .prompts import PROBE_TOOL, note, react_prompt
from .providers.base import Endpoint, Prompt, address
from .providers.wires import wire_of
from .react import ReactScanner, bare_parameters
from .stop import Stop, StoppedError
from .turn import Turn
from .wording import PROBE_TOOLS, PROBE_WORD, REACT_STOP

Verdict = Literal["ok", "note", "wrong"]
REQUESTS: Final = 3
ANSWER_TOKENS: Final = 256
"""Enough for a model that thinks before it says OK."""
PROMPT_TOKENS: Final = 150
SECONDS: Final = 12.0
"""Longest silence of a request that no model has to think about."""
ASKED_HEADERS: Final = {
    "openai": "authorization,content-type",
    "anthropic": "anthropic-dangerous-direct-browser-access,anthropic-version,content-type,x-api-key",
}
"""What a browser announces for each wire, in the order it has to."""
REMEDIES: Final[dict[Fault, str]] = {
    "auth": "Copy the key again; it has to belong to this endpoint.",
    "forbidden": "The key may not use this model, or the region is blocked: look at the provider's console.",
    "not_found": "Address or model is wrong: the base address usually ends in /v1, and the model has to be listed there.",
    "quota": "The account has no credit left: top it up at the provider.",
    "rate_limit": "Wait a little, or use a key with a higher limit.",
    "bad_response": "This is not the address of a model: the base address usually ends in /v1.",
    "network": "Check the address and that the server runs; a browser says the same of a server that does not allow the site.",
    "timeout": "Check that the server runs and has loaded its model, then try again.",
    "server": "The fault is the endpoint's: try again later.",
    "overloaded": "The endpoint is overloaded: try again later.",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One finding of the probe."""

    name: Literal["access", "models", "key", "model", "streaming", "usage", "reasoning", "tools", "parallel", "protocol"]
    verdict: Verdict
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an endpoint with this model can do; kept with the saved model."""

    reached: bool = False
    streaming: bool = False
    usage: bool = False
    reasoning: bool = False
    tools: bool = False
    parallel: bool = False
    protocol: Protocol = "gather"
    models: tuple[str, ...] = ()


def cost() -> str:
    """What a probe costs at most, to be shown before it runs."""
    return f"{REQUESTS} requests, together at most {REQUESTS * PROMPT_TOKENS} tokens in and {REQUESTS * ANSWER_TOKENS} out"


async def list_models(endpoint: Endpoint, transport: Transport) -> tuple[str, ...]:
    """The models an endpoint says it has; none where it does not say or does not answer."""
    try:
        response = await transport.send(models_request(endpoint))
        body = await read_all(response)
    except TransportError:
        return ()
    return model_names(body) if response.status == 200 else ()


def models_request(endpoint: Endpoint) -> Request:
    """Ask for the list of models, with the headers the wire wants."""
    headers = dict(wire_of(endpoint.profile).request(endpoint, Prompt("", ())).headers)
    del headers["content-type"]
    return Request(address(endpoint.url, "/models"), headers, b"", "GET")


async def read_all(response: Response) -> bytes:
    """The whole body of a response that no model has to think about."""
    body = b""
    try:
        while piece := await response.read(timeout=SECONDS):
            body += piece
    finally:
        await response.close()
    return body


class Probe:
    """Try one endpoint. `run` yields findings; `capabilities` holds what came of them."""

    def __init__(
        self, endpoint: Endpoint, *, transport: Transport, clock: Clock, origin: str = "", stop: Stop | None = None
    ) -> None:
        self._endpoint = endpoint
        self._transport = transport
        self._clock = clock
        self._origin = origin
        """Of the site, where cross-origin access is to be tried for it; a browser tries that by itself."""
        self._stop = stop or Stop()
        self.capabilities = Capabilities()
        self.error: ErrorPart | None = None

    async def run(self) -> AsyncIterator[Step]:
        """Yield one finding after the other; end at the first that makes the rest pointless."""
        try:
            if self._origin:
                yield await self._access()
            yield await self._models()
            async for step in self._word():
                yield step
            if self.error is None:
                async for step in self._tools():
                    yield step
        except StoppedError:
            yield Step("access", "note", "Stopped.")

    def to_json(self) -> dict[str, Any]:
        """The capabilities as JSON."""
        return asdict(self.capabilities) | {"models": list(self.capabilities.models)}

    # Access and models

    @property
    def _remedy(self) -> str:
        return self._endpoint.profile.remedy.replace("{origin}", self._origin or "the site's address")

    async def _access(self) -> Step:
        """Ask as a browser would before its first request."""
        wire = self._endpoint.profile.wire
        path = "/messages" if wire == "anthropic" else "/chat/completions"
        headers = {
            "origin": self._origin,
            "access-control-request-method": "POST",
            "access-control-request-headers": ASKED_HEADERS[wire],
        }
        answered = await self._fetch(Request(address(self._endpoint.url, path), headers, b"", "OPTIONS"))
        if isinstance(answered, str):
            return Step("access", "wrong", f"no connection: {answered}", REMEDIES["network"])
        allowed = answered.headers.get("access-control-allow-origin", "")
        names = {name.strip().lower() for name in answered.headers.get("access-control-allow-headers", "").split(",")}
        missing = [name for name in ASKED_HEADERS[wire].split(",") if name not in names and "*" not in names]
        if allowed in ("*", self._origin) and not missing:
            return Step("access", "ok", f"a page of {self._origin} may ask it")
        problem = (
            f"it does not allow the header {missing[0]}"
            if allowed in ("*", self._origin)
            else f"it does not allow {self._origin}"
        )
        return Step("access", "wrong", f"a browser is refused: {problem}", self._remedy)

    async def _models(self) -> Step:
        """Read the list of models, where there is one."""
        answered = await self._fetch(models_request(self._endpoint))
        if isinstance(answered, str):
            return Step("models", "note", f"no list of models: {answered}")
        names = model_names(answered.body)
        if answered.status != 200 or not names:
            return Step("models", "note", f"no list of models (status {answered.status})")
        self.capabilities = replace(self.capabilities, models=names)
        if self._endpoint.model and self._endpoint.model not in names:
            unknown = f"{len(names)} models; {self._endpoint.model!r} is not among them"
            return Step("models", "note", unknown, f"Known are: {', '.join(names[:8])}")
        return Step("models", "ok", f"{len(names)} models")

    async def _fetch(self, request: Request) -> _Answered | str:
        """Send a request that no model answers; a text says why there is no answer."""
        try:
            response = await self._stop.race(self._transport.send(request))
            body = await self._stop.race(read_all(response))
        except TransportError as wrong:
            return str(wrong)
        return _Answered(response.status, dict(response.headers), body)

    # The model

    async def _word(self) -> AsyncIterator[Step]:
        """Ask for one word."""
        answer, streams = await self._ask(Prompt("", [note(PROBE_WORD)], answer_tokens=ANSWER_TOKENS))
        if answer.error is not None:
            self.error = answer.error
            name: Literal["key", "model", "access"] = "key" if answer.error.fault in ("auth", "forbidden", "quota") else "model"
            if answer.error.status is None:
                name = "access"
            remedy = self._remedy if name == "access" and self._endpoint.profile.cors == "asks" else ""
            yield Step(name, "wrong", answer.error.message, remedy or REMEDIES.get(answer.error.fault, ""))
            return
        self.capabilities = replace(
            self.capabilities,
            reached=True,
            streaming=streams,
            usage=answer.usage is not None and answer.usage.output is not None,
            reasoning=bool(answer.reasoning),
        )
        yield Step("model", "ok", f"{self._endpoint.model} answers")
        yield Step("streaming", "ok" if streams else "note", "streams" if streams else "answers in one piece")
        usage = self.capabilities.usage
        yield Step("usage", "ok" if usage else "note", "reports tokens" if usage else "reports no tokens")
        yield Step("reasoning", "ok", "thinks aloud" if answer.reasoning else "does not think aloud")

    async def _tools(self) -> AsyncIterator[Step]:
        """Ask for two calls at once; where none comes, try the text protocol."""
        tool = PROBE_TOOL
        answer, _ = await self._ask(Prompt("", [note(PROBE_TOOLS)], [tool], answer_tokens=ANSWER_TOKENS))
        made = [call for call in answer.calls if call.name == tool.name and call.problem is None]
        if made:
            self.capabilities = replace(self.capabilities, tools=True, parallel=len(made) > 1, protocol="native")
            yield Step("tools", "ok", "calls tools")
            yield Step("parallel", "ok" if len(made) > 1 else "note", "several at once" if len(made) > 1 else "one at a time")
            yield Step("protocol", "ok", "is asked with tools of its own")
            return
        yield Step("tools", "note", answer.error.message if answer.error else "does not call tools")
        protocol = await self._text_protocol()
        self.capabilities = replace(self.capabilities, protocol=protocol)
        said = "is asked by the text protocol" if protocol == "react" else "gets its passages beforehand and calls nothing"
        yield Step("protocol", "ok", said)

    async def _text_protocol(self) -> Protocol:
        tool = PROBE_TOOL
        filled = react_prompt([tool], PROBE_TOOLS, "Thought:", "en")
        scanner = ReactScanner(bare_parameters([tool]))
        turn = self._turn()
        prompt = Prompt("", [note(filled)], answer_tokens=ANSWER_TOKENS, stop=REACT_STOP["en"])
        async for _ in turn.once(prompt, [tool.name], 0, "test", lambda: scanner):
            pass
        return "react" if any(call.name == tool.name and call.problem is None for call in turn.answer.calls) else "gather"

    def _turn(self) -> Turn:
        return Turn(self._endpoint, transport=self._transport, clock=self._clock, stop=self._stop)

    async def _ask(self, prompt: Prompt) -> tuple[Answer, bool]:
        """Return the answer and whether it came as a stream."""
        streams: list[bool] = []
        listening = _Listening(self._transport, streams)
        turn = Turn(self._endpoint, transport=listening, clock=self._clock, stop=self._stop)
        async for _ in turn.once(prompt, [tool.name for tool in prompt.tools], 0, "test"):
            pass
        if turn.answer.error is not None and turn.answer.error.fault == "aborted":
            raise StoppedError
        return turn.answer, bool(streams) and streams[-1]


@dataclass(frozen=True, slots=True)
class _Answered:
    status: int
    headers: dict[str, str]
    body: bytes


class _Listening:
    """A transport that notes whether a response is a stream."""

    def __init__(self, transport: Transport, streams: list[bool]) -> None:
        self._transport = transport
        self._streams = streams

    async def send(self, request: Request) -> Response:
        response = await self._transport.send(request)
        self._streams.append("event-stream" in response.headers.get("content-type", ""))
        return response


def model_names(body: bytes) -> tuple[str, ...]:
    """Read a list of models in the forms of OpenAI, Anthropic, Gemini and Ollama."""
    try:
        value = parse(body)
    except ValueError:
        return ()
    entries = (
        value if isinstance(value, list) else (value.get("data") or value.get("models") or []) if isinstance(value, dict) else []
    )
    names = [entry.get("id") or entry.get("name") or entry.get("model") for entry in entries if isinstance(entry, dict)]
    return tuple(sorted({name.removeprefix("models/") for name in names if isinstance(name, str)}))
