"""News for the page, gathered into frames: events as JSON, and what they change in the drawing of the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from askbook.core import limits, wire
from askbook.core.parts import Event, ExchangeEnd, PartDelta, PartEnd, PartStart, Source, SourceAdd, TextPart
from askbook.core.ports import Clock
from askbook.core.render import AnswerView, Patch

Later = Callable[[float, Callable[[], None]], Callable[[], None]]
"""Calls a function after some seconds; returns what calls it off."""

FRAME_SECONDS = 0.033
"""Longest time an event waits for company: one message to the page is cheaper than ten."""
DRAW_SECONDS = limits.DRAW_MILLISECONDS / 1000
REST_SECONDS = 0.4
"""After so long without a word, what was not worth a drawing yet is drawn."""


class _Text:
    """A text part that is being drawn."""

    def __init__(self, view: AnswerView, at: float) -> None:
        self.view = view
        self.held = ""
        self.said = ""
        self.blocks = 0
        self.drawn = at


class Frames:
    """Gathers events and drawings of one exchange, and posts them together."""

    def __init__(
        self,
        post: Callable[[str], None],
        view: Callable[[], AnswerView],
        *,
        sources: tuple[Source, ...],
        clock: Clock,
        later: Later,
    ) -> None:
        self._post = post
        self._view = view
        self._clock = clock
        self._later = later
        self._events: list[Any] = []
        self._patches: list[dict[str, Any]] = []
        self._texts: dict[int, _Text] = {}
        self._numbers = {source.n for source in sources}
        self._cancel: Callable[[], None] | None = None
        self._resting = False

    def add(self, event: Event) -> None:
        """Take an event and draw what it brings."""
        match event:
            case SourceAdd(source):
                self._numbers.add(source.n)
                for text in self._texts.values():
                    text.view.add_sources(self._numbers)
            case PartStart(part, "text"):
                self._texts[part] = _Text(self._view(), self._clock.now() - DRAW_SECONDS)
                self._texts[part].view.add_sources(self._numbers)
            case PartDelta(part, piece) if part in self._texts:
                self._texts[part].held += piece
                self._texts[part].said += piece
                self._draw(part)
            case PartEnd(part, "aborted", None):
                self._texts.pop(part, None)
                self._patches = [patch for patch in self._patches if patch["part"] != part]
            case PartEnd(part, _, TextPart(said)) if part not in self._texts or self._texts[part].said.strip() != said.strip():
                self._draw_anew(part, said)
            case PartEnd(part) if part in self._texts:
                self._draw(part, last=True)
        self._keep(event)
        if isinstance(event, ExchangeEnd):
            self.flush()
        elif self._cancel is None or self._resting:
            self._wait(FRAME_SECONDS)

    def _wait(self, seconds: float) -> None:
        """Look again after a while for what is due."""
        if self._cancel is not None:
            self._cancel()
        self._cancel = self._later(seconds, self._due)
        self._resting = seconds == REST_SECONDS

    def _keep(self, event: Event) -> None:
        """Join deltas of one part: the page only adds them up."""
        last = self._events[-1] if self._events else None
        if isinstance(event, PartDelta) and last and last["type"] == "part-delta" and last["part"] == event.part:
            last["text"] += event.text
        else:
            self._events.append(wire.to_json(event))

    def _draw(self, part: int, *, last: bool = False) -> None:
        text = self._texts[part]
        now = self._clock.now()
        if not last and now - text.drawn < DRAW_SECONDS:
            return
        text.drawn = now
        patches: list[Patch] = text.view.feed(text.held) if text.held or not last else []
        text.held = ""
        if last:
            patches = patches + text.view.finish()
        self._take(part, patches)

    def _draw_anew(self, part: int, said: str) -> None:
        """A part turned out to say something else, or to be text at all."""
        before = self._texts.pop(part, None)
        self._patches = [patch for patch in self._patches if patch["part"] != part]
        text = self._texts[part] = _Text(self._view(), self._clock.now())
        text.view.add_sources(self._numbers)
        text.said = said
        self._take(part, [*text.view.feed(said), *text.view.finish()])
        left = range(text.blocks, before.blocks if before else 0)
        self._patches += [{"part": part, "block": block, "html": ""} for block in left]

    def _take(self, part: int, patches: list[Patch]) -> None:
        text = self._texts[part]
        text.blocks = max([text.blocks, *(patch.block + 1 for patch in patches)])
        self._patches += [{"part": part} | patch.to_json() for patch in patches]

    def _due(self) -> None:
        self._cancel = None
        rested = self._clock.now() - REST_SECONDS
        for part, text in self._texts.items():
            if text.held or (text.view.behind and text.drawn <= rested):
                self._draw(part)
        self.flush()
        if any(text.held for text in self._texts.values()):
            self._wait(DRAW_SECONDS)
        elif any(text.view.behind for text in self._texts.values()):
            self._wait(REST_SECONDS)

    def flush(self) -> None:
        """Post what has gathered."""
        if self._cancel is not None:
            self._cancel()
            self._cancel = None
        if self._events or self._patches:
            self._post(json.dumps({"events": self._events, "patches": self._patches}, ensure_ascii=False))
            self._events, self._patches = [], []
