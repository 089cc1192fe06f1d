"""A scripted model endpoint on loopback: OpenAI's and Anthropic's wire, with faults, delays, CORS and a journal.

    with Endpoint([call("book_toc"), text("Chapter 1 defines it [1].")]) as server:
        ask(server.url, …)
        assert server.journal[0].body["tools"]

Each POST takes the next answer of the script; the last one stays. A function as script decides by the request. The file stands
alone on the standard library, so that browser tests may start it as a program: `python -m tests.fakes.endpoint --text "Hello"`.
"""

from __future__ import annotations

import argparse
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

ALLOWED_HEADERS = "authorization, content-type, x-api-key, anthropic-version, anthropic-dangerous-direct-browser-access"


@dataclass(frozen=True)
class Call:
    """A tool call the model makes."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    """As an object, or the argument text letter by letter."""
    id: str = ""


@dataclass(frozen=True)
class Answer:
    """What the endpoint answers to one request."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    finish: str = ""
    """Empty takes what fits: `stop`, or `tool_calls`."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    """Sent as it is instead of a stream."""
    delta: int = 8
    """Characters of a delta."""
    slice: int = 0
    """Bytes of one write; 0 writes event by event."""
    wait: float = 0.0
    """Seconds before the first byte."""
    delay: float = 0.0
    """Seconds between deltas."""
    events: int | None = None
    """Break the connection after so many events."""
    hang: float = 0.0
    """Seconds of silence where the connection would break."""
    usage: tuple[int, int] | None = (12, 34)


def text(words: str, **more: Any) -> Answer:
    """An answer in words."""
    return Answer(text=words, **more)


def call(name: str, arguments: Mapping[str, Any] | str | None = None, *, id: str = "", **more: Any) -> Answer:  # noqa: A002
    """An answer that is one call."""
    return Answer(calls=(Call(name, {} if arguments is None else arguments, id),), **more)


def fault(status: int, message: str, *, code: str = "", **headers: str) -> Answer:
    """An error in OpenAI's form; headers with underscores for hyphens."""
    body = json.dumps({"error": {"message": message, "type": code or "error", "code": code or None}})
    return Answer(status=status, body=body, headers={name.replace("_", "-"): value for name, value in headers.items()})


@dataclass(frozen=True)
class Entry:
    """One request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Any


Script = Sequence[Answer] | Callable[[Entry], Answer]


class Endpoint:
    """The server; a context manager. `url` is the base address, `journal` what was asked."""

    def __init__(self, script: Script, *, models: Sequence[str] = ("scripted",), cors: bool = True, port: int = 0) -> None:
        self._script = script
        self.models = tuple(models)
        self.cors = cors
        self.journal: list[Entry] = []
        self._taken = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        """Base address of both wires: `…/v1/chat/completions`, `…/v1/messages`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def posts(self) -> list[Entry]:
        """The requests for an answer."""
        return [entry for entry in self.journal if entry.method == "POST"]

    def take(self, entry: Entry) -> Answer:
        """Write a request down and take its answer from the script."""
        with self._lock:
            self.journal.append(entry)
            if entry.method != "POST":
                return Answer()
            if callable(self._script):
                return self._script(entry)
            answer = self._script[min(self._taken, len(self._script) - 1)]
            self._taken += 1
            return answer

    def __enter__(self) -> Endpoint:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()


def openai_events(answer: Answer) -> Iterator[str]:
    """The events of a chat completion, as text without the empty line."""

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> str:
        choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
        return "data: " + json.dumps(
            {"id": "c1", "object": "chat.completion.chunk", "model": "scripted", "choices": choices}, ensure_ascii=False
        )

    yield chunk({"role": "assistant", "content": ""})
    for piece in _pieces(answer.reasoning, answer.delta):
        yield chunk({"reasoning_content": piece})
    for piece in _pieces(answer.text, answer.delta):
        yield chunk({"content": piece})
    for index, made in enumerate(answer.calls):
        yield chunk(
            {
                "tool_calls": [
                    {
                        "index": index,
                        "id": made.id or f"call_{index}",
                        "type": "function",
                        "function": {"name": made.name, "arguments": ""},
                    }
                ]
            }
        )
        for piece in _pieces(_arguments(made), answer.delta):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, answer.finish or ("tool_calls" if answer.calls else "stop"))
    if answer.usage:
        usage = {"prompt_tokens": answer.usage[0], "completion_tokens": answer.usage[1]}
        yield "data: " + json.dumps({"id": "c1", "choices": [], "usage": usage})
    yield "data: [DONE]"


def anthropic_events(answer: Answer) -> Iterator[str]:
    """The events of a message, as text without the empty line."""

    def event(name: str, **data: Any) -> str:
        return f"event: {name}\ndata: " + json.dumps({"type": name, **data}, ensure_ascii=False)

    yield event(
        "message_start",
        message={"id": "msg_1", "role": "assistant", "content": [], "usage": {"input_tokens": (answer.usage or (0, 0))[0]}},
    )
    blocks: list[tuple[dict[str, Any], str, str, str]] = []
    if answer.reasoning:
        blocks.append(({"type": "thinking", "thinking": ""}, "thinking_delta", "thinking", answer.reasoning))
    if answer.text:
        blocks.append(({"type": "text", "text": ""}, "text_delta", "text", answer.text))
    for at, made in enumerate(answer.calls):
        start = {"type": "tool_use", "id": made.id or f"toolu_{at}", "name": made.name, "input": {}}
        blocks.append((start, "input_json_delta", "partial_json", _arguments(made)))
    for index, (block, kind, name, content) in enumerate(blocks):
        yield event("content_block_start", index=index, content_block=block)
        for piece in _pieces(content, answer.delta):
            yield event("content_block_delta", index=index, delta={"type": kind, name: piece})
        if kind == "thinking_delta":
            yield event("content_block_delta", index=index, delta={"type": "signature_delta", "signature": f"signed:{content}"})
        yield event("content_block_stop", index=index)
    reason = {"length": "max_tokens", "": "tool_use" if answer.calls else "end_turn"}.get(answer.finish, answer.finish)
    yield event("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": (answer.usage or (0, 0))[1]})
    yield event("message_stop")


def _arguments(made: Call) -> str:
    return made.arguments if isinstance(made.arguments, str) else json.dumps(made.arguments, ensure_ascii=False)


def _pieces(content: str, length: int) -> Iterator[str]:
    for at in range(0, len(content), length):
        yield content[at : at + length]


def _handler(endpoint: Endpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

        def do_OPTIONS(self) -> None:
            endpoint.take(self._entry(None))
            self.send_response(204)
            self._cors()
            if endpoint.cors:
                self.send_header("access-control-allow-headers", ALLOWED_HEADERS)
                self.send_header("access-control-allow-methods", "GET, POST, OPTIONS")
                self.send_header("access-control-allow-private-network", "true")
            self.end_headers()

        def do_GET(self) -> None:
            endpoint.take(self._entry(None))
            found = self.path.rstrip("/").endswith("/models")
            body = json.dumps(
                {"object": "list", "data": [{"id": name, "object": "model"} for name in endpoint.models]} if found else {}
            )
            self._whole(200 if found else 404, {"content-type": "application/json"}, body)

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("content-length") or 0))
            try:
                body = json.loads(data)
            except ValueError:
                body = data.decode("utf-8", "replace")
            answer = endpoint.take(self._entry(body))
            time.sleep(answer.wait)
            try:
                if answer.body is not None or answer.status != 200:
                    self._whole(answer.status, {"content-type": "application/json", **answer.headers}, answer.body or "")
                else:
                    self._stream(answer)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def _entry(self, body: Any) -> Entry:
            return Entry(self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body)

        def _cors(self) -> None:
            if endpoint.cors and self.headers.get("origin"):
                self.send_header("access-control-allow-origin", self.headers["origin"])

        def _whole(self, status: int, headers: Mapping[str, str], body: str) -> None:
            data = body.encode()
            self.send_response(status)
            self._cors()
            for name, value in {**headers, "content-length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, answer: Answer) -> None:
            self.send_response(200)
            self._cors()
            for name, value in {
                "content-type": "text/event-stream; charset=utf-8",
                "connection": "close",
                **answer.headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.close_connection = True
            events = anthropic_events(answer) if self.path.endswith("/messages") else openai_events(answer)
            for at, event in enumerate(events):
                if answer.events is not None and at >= answer.events:
                    time.sleep(answer.hang)
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self._write(f"{event}\n\n".encode(), answer.slice)
                time.sleep(answer.delay)

        def _write(self, data: bytes, length: int) -> None:
            for at in range(0, len(data), length or len(data)):
                self.wfile.write(data[at : at + (length or len(data))])
                self.wfile.flush()

    return Handler


def main() -> None:
    """Serve a small script until the process ends; print the address first."""
    options = argparse.ArgumentParser(description="A scripted model endpoint on loopback.")
    options.add_argument("--text", default="It keeps the smallest element on top [1].")
    options.add_argument("--call", metavar="NAME", help="Call this tool first.")
    options.add_argument("--arguments", default="{}", metavar="JSON")
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--delay", type=float, default=0.0)
    given = options.parse_args()
    answer = text(given.text, delay=given.delay)

    def script(entry: Entry) -> Answer:
        last = entry.body["messages"][-1]["role"] if isinstance(entry.body, dict) else ""
        return replace(answer, text="", calls=(Call(given.call, given.arguments),)) if given.call and last == "user" else answer

    with Endpoint(script, port=given.port) as server:
        print(server.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
