"""The core's ports in the terminal: HTTP by httpx, the machine's clock, and reading over HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping

import httpx

from askbook.core.ports import Request, TransportError

CONNECT_SECONDS = 15.0
ANSWER_SECONDS = 300.0
"""How long a model may take before its first byte; a local one loads for minutes."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class HttpResponse:
    """An answer of httpx, read piece by piece."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._pieces: AsyncIterator[bytes] = response.aiter_bytes()

    @property
    def status(self) -> int:
        return self._response.status_code

    @property
    def headers(self) -> Mapping[str, str]:
        return {name.lower(): value for name, value in self._response.headers.items()}

    async def read(self, *, timeout: float) -> bytes:
        try:
            return await asyncio.wait_for(anext(self._pieces, b""), timeout)
        except TimeoutError:
            raise TransportError("no byte came in time", timed_out=True) from None
        except httpx.HTTPError as wrong:
            raise TransportError(reason(wrong)) from None

    async def close(self) -> None:
        await self._response.aclose()


class HttpTransport:
    """Send requests by httpx; close it when the exchange is over."""

    def __init__(self, *, trust_env: bool = True) -> None:
        timeout = httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
        self._client = httpx.AsyncClient(timeout=timeout, trust_env=trust_env, follow_redirects=False)

    async def send(self, request: Request) -> HttpResponse:
        try:
            built = self._client.build_request(request.method, request.url, headers=dict(request.headers), content=request.body)
            return HttpResponse(await self._client.send(built, stream=True))
        except httpx.TimeoutException as wrong:
            raise TransportError(reason(wrong), timed_out=True) from None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as wrong:
            raise TransportError(reason(wrong)) from None

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()


def reason(wrong: Exception) -> str:
    """Say what failed without repeating what was sent: some messages quote headers."""
    match wrong:
        case httpx.ConnectTimeout() | httpx.ReadTimeout() | httpx.WriteTimeout() | httpx.PoolTimeout():
            return "no answer in time"
        case httpx.LocalProtocolError() | UnicodeError():
            return "the request holds characters that cannot be sent"
        case httpx.UnsupportedProtocol() | httpx.InvalidURL():
            return "the address of the endpoint is no http or https address"
        case _:
            return str(wrong) or type(wrong).__name__
