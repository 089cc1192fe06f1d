"""Server-sent events as bytes arrive: slices in, whole events out, wherever the slices fall.

What may live here: the framing alone (HTML Living Standard, 9.2.6). No JSON is read and no vendor is known. Endpoints that
answer with plain JSON or one JSON object a line are met half-way: lines that are no field of the format are handed on.
"""

from __future__ import annotations

import codecs
from typing import Final, NamedTuple

STRAY_CHARACTERS: Final = 4_000_000
"""How much text outside the format is kept, in case the whole body is one JSON value."""


class ServerEvent(NamedTuple):
    """One event of a stream."""

    name: str
    """Of the `event:` field; empty for none."""
    data: str


class EventStream:
    """Turn slices of a stream into whole events, wherever the slices fall."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._started = False
        self._after_return = False
        self._line: list[str] = []
        self._name = ""
        self._data: list[str] = []
        self._stray: list[str] = []
        self._stray_length = 0
        self.fields = 0
        """How many lines were fields of the format."""

    @property
    def stray(self) -> str:
        """The lines that are no field of the format, joined: a JSON body, an HTML page."""
        return "\n".join(self._stray)

    def feed(self, slice_: bytes, *, last: bool = False) -> list[ServerEvent]:
        """Take the next bytes; return the events they complete. `last` also completes what has no line end yet."""
        text = self._decoder.decode(slice_, last)
        if text and not self._started:
            self._started = True
            text = text.removeprefix("\ufeff")
        events: list[ServerEvent] = []
        *lines, rest = self._split(text)
        for line in lines:
            if self._line:
                self._line.append(line)
                line = "".join(self._line)
                self._line.clear()
            self._take(line, events)
        if rest:
            self._line.append(rest)
        if last:
            self._take("".join(self._line), events)
            self._line.clear()
            self._take("", events)
        return events

    def _split(self, text: str) -> list[str]:
        """Cut at LF, CR LF and CR only; a CR ends its line at once, so an LF right behind it is dropped, even a slice later."""
        if self._after_return and text:
            text = text.removeprefix("\n")
            self._after_return = False
        if "\r" in text:
            self._after_return = text.endswith("\r")
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text.split("\n")

    def _take(self, line: str, events: list[ServerEvent]) -> None:
        """Read one line: the end of an event, a field, a comment, or something of another format."""
        if not line:
            if self._data:
                events.append(ServerEvent(self._name, "\n".join(self._data)))
                self._data.clear()
            self._name = ""
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self.fields += 1
            self._data.append(value)
        elif field == "event":
            self._name = value
        elif field not in ("", "id", "retry"):
            self._keep(line, events)

    def _keep(self, line: str, events: list[ServerEvent]) -> None:
        """Keep a line of another format; one that looks like a whole JSON object or the bare end mark is an event of its own."""
        if self._stray_length <= STRAY_CHARACTERS:
            self._stray.append(line)
            self._stray_length += len(line)
        if line[0] == "{" or line.strip() == "[DONE]":
            events.append(ServerEvent("", line))
