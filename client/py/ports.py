"""What the core needs from the world; shells implement it (`client/worker/worker.py`, `terminal/`), tests fake it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request; the key is in `headers` and nowhere else, so `repr` leaves them out."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    method: Literal["GET", "POST", "OPTIONS"] = "POST"

    def __repr__(self) -> str:
        return f"Request({self.method} {self.url!r}, {len(self.body)} bytes)"


class TransportError(Exception):
    """No answer, or it broke off; `timed_out` means that no byte came in the time given."""

    def __init__(self, reason: str, *, timed_out: bool = False) -> None:
        super().__init__(reason)
        self.timed_out = timed_out


class Response(Protocol):
    """An answer whose body is read piece by piece."""

    @property
    def status(self) -> int:
        """Of HTTP."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """Names in lower case."""
        ...

    async def read(self, *, timeout: float) -> bytes:
        """Return the next piece, empty at the end; raise TransportError when it breaks or `timeout` seconds pass in silence."""
        ...

    async def close(self) -> None:
        """Stop the request at once; harmless when it is over."""
        ...


class Transport(Protocol):
    """Sends a request to the reader's endpoint."""

    async def send(self, request: Request) -> Response:
        """Return once status and headers are there; raise TransportError when no answer comes."""
        ...


class Clock(Protocol):
    """Time, so that tests and replays can have their own."""

    def now(self) -> float:
        """Seconds from any fixed start, never going back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return when so much time has passed."""
        ...
