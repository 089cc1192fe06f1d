"""A turn waits as long as it should, stops at once, and closes what it opened."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from askbook.core import limits
from askbook.core.exchange import Ask, ask
from askbook.core.parts import Event, Notice, PartDelta
from askbook.core.ports import Request, TransportError
from askbook.core.replay import VirtualClock
from askbook.core.stop import Stop
from askbook.core.turn import backoff
from tests.fakes.endpoint import call, text
from tests.fakes.memory import KEY, ScriptedTransport, end, endpoint, run, said, shelf

QUESTION = Ask("What does a heap keep on top?", endpoint=endpoint())


class Hanging:
    """A response that never says anything, and its transport."""

    status = 200
    headers: Mapping[str, str] = {"content-type": "text/event-stream"}

    def __init__(self, *, first: bytes = b"", answers: bool = True) -> None:
        self._first = first
        self._answers = answers
        self.timeouts: list[float] = []
        self.closed = False

    async def send(self, request: Request) -> Hanging:
        if not self._answers:
            await asyncio.Event().wait()
        return self

    async def read(self, *, timeout: float) -> bytes:
        self.timeouts.append(timeout)
        first, self._first = self._first, b""
        if not first:
            await asyncio.Event().wait()
        return first

    async def close(self) -> None:
        self.closed = True


FIRST = b'data: {"choices":[{"index":0,"delta":{"content":"Half"},"finish_reason":null}]}\n\n'


@pytest.mark.parametrize("answers", [True, False])
def test_stop_ends_the_request_at_once_and_keeps_what_had_arrived(answers: bool) -> None:
    hanging = Hanging(first=FIRST, answers=answers)

    async def press_when_half() -> list[Event]:
        stop, events = Stop(), list[Event]()
        asyncio.get_running_loop().call_later(0.6, stop.press)
        async for event in ask(QUESTION, shelf(), transport=hanging, clock=VirtualClock(), stop=stop):
            events.append(event)
        return events

    events = asyncio.run(asyncio.wait_for(press_when_half(), 2))
    error = end(events).error
    assert error is not None
    assert (end(events).state, error.fault, hanging.closed) == ("aborted", "aborted", answers)
    assert said(events) == ("Half" if answers else "")


class YieldingClock(VirtualClock):
    """A clock with which others get their turn while one sleeps, as in a page."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)


def test_stop_is_heard_while_much_that_came_at_once_is_read() -> None:
    flood = Hanging(first=FIRST * 5_000)

    async def press_at_once() -> list[Event]:
        stop, events = Stop(), list[Event]()
        async for event in ask(QUESTION, shelf(), transport=flood, clock=YieldingClock(), stop=stop):
            if isinstance(event, PartDelta) and not stop.pressed:
                asyncio.get_running_loop().call_soon(stop.press)
            events.append(event)
        return events

    events = asyncio.run(asyncio.wait_for(press_at_once(), 20))
    assert (end(events).state, flood.closed) == ("aborted", True)
    assert 0 < len(said(events)) < 5_000


def test_stop_during_a_tool_ends_the_exchange_and_keeps_calls_with_results_only() -> None:
    from askbook.core.calls import ExtraTool
    from askbook.core.parts import ToolCallPart
    from askbook.core.providers.base import ToolSchema

    stop = Stop()

    async def endless(arguments: Mapping[str, object]) -> Mapping[str, object]:
        stop.press()
        await asyncio.Event().wait()
        return {}

    tool = ExtraTool(ToolSchema("endless", "", {"type": "object", "properties": {}, "required": []}), endless, 1e9)

    class Patient(VirtualClock):
        async def sleep(self, seconds: float) -> None:
            await asyncio.Event().wait()

    async def collect() -> list[Event]:
        transport = ScriptedTransport([call("endless")])
        return [event async for event in ask(QUESTION, shelf(), transport=transport, clock=Patient(), stop=stop, extra=[tool])]

    message = end(asyncio.run(asyncio.wait_for(collect(), 2))).message
    assert message is not None
    assert message.state == "aborted"
    assert not any(isinstance(part, ToolCallPart) for part in message.parts)


def test_a_tool_that_never_ends_is_a_result() -> None:
    from askbook.core.calls import ExtraTool
    from askbook.core.parts import ToolResult
    from askbook.core.providers.base import ToolSchema

    async def endless(arguments: Mapping[str, object]) -> Mapping[str, object]:
        await asyncio.Event().wait()
        return {}

    async def broken(arguments: Mapping[str, object]) -> Mapping[str, object]:
        raise RuntimeError("the sandbox is gone")

    form = {"type": "object", "properties": {}, "required": []}
    extra = [ExtraTool(ToolSchema("endless", "", form), endless), ExtraTool(ToolSchema("broken", "", form), broken)]
    events = run(QUESTION, ScriptedTransport([call("endless"), call("broken"), text("So [1].")]), extra=extra)
    said_by_tools = [event.result.content["error"] for event in events if isinstance(event, ToolResult)]
    assert said_by_tools == ["the tool did not end within 15 seconds", "the tool failed: RuntimeError: the sandbox is gone"]
    assert said(events) == "So [1]."


def test_silence_is_waited_for_a_minute_and_shortly_once_the_answer_is_whole() -> None:
    whole = b'data: {"choices":[{"index":0,"delta":{"content":"Whole"},"finish_reason":"stop"}]}\n\n'

    class Quiet(Hanging):
        async def read(self, *, timeout: float) -> bytes:
            self.timeouts.append(timeout)
            if len(self.timeouts) == 1:
                return whole
            raise TransportError("no byte came", timed_out=True)

    quiet = Quiet()
    events = asyncio.run(_collect(quiet))
    assert quiet.timeouts == [limits.STALL_SECONDS, limits.AFTER_FINISH_SECONDS]
    assert (end(events).state, said(events)) == ("completed", "Whole")


async def _collect(transport: Hanging) -> list[Event]:
    return [event async for event in ask(QUESTION, shelf(), transport=transport, clock=VirtualClock())]


def test_no_connection_is_tried_again_and_then_said() -> None:
    class Down:
        async def send(self, request: Request) -> Hanging:
            raise TransportError(f"Failed to fetch with {KEY}")

    clock = VirtualClock()

    async def collect() -> list[Event]:
        return [event async for event in ask(QUESTION, shelf(), transport=Down(), clock=clock)]

    events = asyncio.run(collect())
    error = end(events).error
    assert error is not None
    assert (error.fault, error.retry, error.message) == (
        "network",
        True,
        "No connection to the endpoint: Failed to fetch with [key]",
    )
    assert [event.code for event in events if isinstance(event, Notice)] == ["retrying", "retrying"]
    assert clock.now() == 1.5


def test_a_response_is_closed_when_nobody_listens_any_more() -> None:
    hanging = Hanging(first=FIRST)

    async def leave_early() -> None:
        events = ask(QUESTION, shelf(), transport=hanging, clock=VirtualClock())
        async for event in events:
            if isinstance(event, PartDelta):
                break
        await events.aclose()  # type: ignore[attr-defined]

    asyncio.run(leave_early())
    assert hanging.closed


def test_waits_double_up_to_their_limit_and_longer_ones_are_not_taken() -> None:
    assert [backoff(attempt, None) for attempt in range(6)] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]
    assert (backoff(0, 3.0), backoff(0, 8.1)) == (3.0, None)
