"""One turn: a request is sent, its answer read as it comes, and sent again where that may help."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import replace

from . import limits
from .assembly import Answer, Scanner
from .errors import Fault
from .parts import ErrorPart, Event, Notice, PartEnd, PartStart, ReasoningPart
from .ports import Clock, Response, Transport, TransportError
from .profiles import Profile
from .providers.base import Endpoint, Prompt
from .providers.wires import wire_of
from .reply import Reply, fault_part
from .stop import Stop, StoppedError
from .tags import TagScanner

KEY_SHOWN = "[key]"


def redact(text: str, key: str) -> str:
    """Take the key out of text that came from outside."""
    return text.replace(key, KEY_SHOWN) if len(key) >= 4 else text


def backoff(attempt: int, asked: float | None) -> float | None:
    """Seconds before the next attempt; None where the endpoint asks for a longer wait than we take by ourselves."""
    if asked is not None:
        return asked if asked <= limits.RETRY_LONGEST_SECONDS else None
    return min(limits.RETRY_FIRST_SECONDS * 2.0**attempt, limits.RETRY_LONGEST_SECONDS)


_AT_ONCE = 8_192
"""Bytes that are read before the stop button is looked at again, however many came together."""


class Turn:
    """Send one prompt; `answer` holds what came of it when `run` is over."""

    def __init__(self, endpoint: Endpoint, *, transport: Transport, clock: Clock, stop: Stop) -> None:
        self._endpoint = endpoint
        self._transport = transport
        self._clock = clock
        self._stop = stop
        self.answer = Answer((), (), "error")

    @property
    def profile(self) -> Profile:
        """What is known of the endpoint."""
        return self._endpoint.profile

    def adapt(self, profile: Profile) -> None:
        """Ask from now on as this profile says."""
        self._endpoint = replace(self._endpoint, profile=profile)

    async def run(
        self, prompt: Prompt, *, first_part: int, prefix: str, scanner: Callable[[], Scanner] = TagScanner
    ) -> AsyncIterator[Event]:
        """Yield the events of the answer; try again while nothing was said and trying again may help."""
        tools = [tool.name for tool in prompt.tools]
        for attempt in range(limits.RETRIES + 1):
            shown: list[int] = []
            async for event in self.once(prompt, tools, first_part, prefix, scanner):
                if isinstance(event, PartStart):
                    shown.append(event.part)
                yield event
            wait = self._wait(attempt)
            if wait is None:
                return
            for part in shown:
                yield PartEnd(part, "aborted")
            error = self.answer.error
            assert error is not None
            yield Notice("retrying", {"attempt": attempt + 1, "seconds": wait, "fault": error.fault, "message": error.message})
            try:
                await self._stop.race(self._clock.sleep(wait))
            except StoppedError:
                self.answer = Answer((), (), "error", fault_part("aborted"))
                return

    def _wait(self, attempt: int) -> float | None:
        """How long to wait before trying again; None for not at all."""
        error = self.answer.error
        if error is None or not error.retry or attempt >= limits.RETRIES:
            return None
        if any(not isinstance(part, ReasoningPart) for part in self.answer.parts):
            return None  # something was said already: it stays, and the reader decides
        if error.fault == "tool_use_failed" and attempt:
            return None
        return backoff(attempt, error.retry_after)

    async def once(
        self, prompt: Prompt, tools: Collection[str], first_part: int, prefix: str, scanner: Callable[[], Scanner] = TagScanner
    ) -> AsyncIterator[Event]:
        """Send the prompt a single time and read what comes."""
        request = wire_of(self.profile).request(self._endpoint, prompt)
        try:
            response = await self._stop.race(self._transport.send(request))
        except StoppedError:
            self.answer = Answer((), (), "error", fault_part("aborted"))
            return
        except TransportError as wrong:
            self.answer = Answer((), (), "error", self._broken("timeout" if wrong.timed_out else "network", str(wrong), None))
            return
        reply = Reply(
            self._endpoint.profile, status=response.status, headers=response.headers, tools=tools, first_part=first_part,
            prefix=prefix, scanner=scanner,
        )  # fmt: skip
        reading = _Reading()
        try:
            async for event in self._read(response, reply, reading):
                yield event
        finally:
            await response.close()
        error = None
        if reading.fault is not None:
            error = self._broken(reading.fault, reading.reason, response.status)
        events, answer = reply.end(error)
        self.answer = self._without_key(answer)
        for event in events:
            yield event

    async def _read(self, response: Response, reply: Reply, reading: _Reading) -> AsyncIterator[Event]:
        """Read until the answer is over, the connection ends, or something breaks it off."""
        while not reply.over:
            timeout = limits.AFTER_FINISH_SECONDS if reply.complete else limits.STALL_SECONDS
            try:
                data = await self._stop.race(response.read(timeout=timeout))
            except StoppedError:
                reading.fault = "aborted"
                return
            except TransportError as wrong:
                reading.fault, reading.reason = ("stall", "") if wrong.timed_out else ("network", str(wrong))
                return
            if not data:
                return
            for start in range(0, len(data), _AT_ONCE):
                if start:
                    await self._clock.sleep(0)
                    if self._stop.pressed:
                        reading.fault = "aborted"
                        return
                for event in reply.feed(data[start : start + _AT_ONCE]):
                    yield event

    def _broken(self, fault: Fault, reason: str, status: int | None) -> ErrorPart:
        return fault_part(fault, reason=redact(reason, self._endpoint.key), status=status)

    def _without_key(self, answer: Answer) -> Answer:
        """An endpoint may repeat the key it was given; we do not."""
        error, key = answer.error, self._endpoint.key
        if error is None or not key or key not in error.message:
            return answer
        said = ErrorPart(error.fault, redact(error.message, key), error.status, error.retry, error.retry_after)
        return Answer(answer.parts, answer.ordinals, answer.finish, said, answer.usage)


class _Reading:
    """What ended the reading, if it was not the connection."""

    def __init__(self) -> None:
        self.fault: Fault | None = None
        self.reason = ""
