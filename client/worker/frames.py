"""News for the page, gathered into frames: events as JSON, and what they change in the drawing of the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import inf
from typing import Any

from askbook.core import limits, wire
from askbook.core.parts import Event, ExchangeEnd, PartDelta, PartEnd, PartStart, Source, SourceAdd, TextPart
from askbook.core.ports import Clock
from askbook.core.render import AnswerView, Patch

Later = Callable[[float, Callable[[], None]], Callable[[], None]]
"""Calls a function after some seconds; returns what calls it off."""

FRAME_SECONDS = 0.004
"""How long an event waits for those read with it: one message to the page is cheaper than ten."""
DRAW_SECONDS = limits.DRAW_MILLISECONDS / 1000
QUIET_SECONDS = 0.5
"""Longest time the page does not hear of words that change nothing in the drawing yet."""
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

    @property
    def due(self) -> float:
        """When it is to be drawn again; never, where nothing is left to draw."""
        return self.drawn + DRAW_SECONDS if self.held else self.drawn + REST_SECONDS if self.view.behind else inf


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
        begun: str = "",
    ) -> None:
        """`begun` stands on the page, drawn to its end; the first text goes on with it."""
        self._post = post
        self._view = view
        self._clock = clock
        self._later = later
        self._events: list[Any] = []
        self._patches: list[dict[str, Any]] = []
        self._texts: dict[int, _Text] = {}
        self._begun = begun
        self._resumed: int | None = None
        self._numbers = {source.n for source in sources}
        self._cancel: Callable[[], None] | None = None
        self._at = 0.0
        self._posted = clock.now()

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
                if self._begun and self._resumed in (None, part):
                    self._resume(part)
            case PartDelta(part, piece) if part in self._texts:
                self._texts[part].held += piece
                self._texts[part].said += piece
            case PartEnd(part, "aborted", None) if part == self._resumed:
                self._draw_anew(part, "")
            case PartEnd(part, "aborted", None):
                self._texts.pop(part, None)
                self._patches = [patch for patch in self._patches if patch["part"] != part]
            case PartEnd(part, _, TextPart(said)) if part not in self._texts or self._texts[part].said.rstrip() != said.rstrip():
                self._draw_anew(part, said)
            case PartEnd(part) if part in self._texts:
                self._draw(part, last=True)
        self._keep(event)
        if isinstance(event, ExchangeEnd):
            self.flush()
        elif isinstance(event, PartDelta) and event.part in self._texts:
            self._wait(self._texts[event.part].drawn + DRAW_SECONDS)
        else:
            self._wait(0)

    def _wait(self, until: float) -> None:
        """Look for what is due at a time, or soon where that is over."""
        now = self._clock.now()
        at = max(until, now + FRAME_SECONDS)
        if self._cancel is not None:
            if self._at <= at:
                return
            self._cancel()
        self._cancel, self._at = self._later(at - now, self._due), at

    def _keep(self, event: Event) -> None:
        """Join deltas of one part: the page only adds them up."""
        last = self._events[-1] if self._events else None
        if isinstance(event, PartDelta) and last and last["type"] == "part-delta" and last["part"] == event.part:
            last["text"] += event.text
        else:
            self._events.append(wire.to_json(event))

    def _draw(self, part: int, *, last: bool = False) -> None:
        text = self._texts[part]
        text.drawn = self._clock.now()
        patches: list[Patch] = text.view.feed(text.held) if text.held or not last else []
        text.held = ""
        if last:
            patches = patches + text.view.finish()
        self._take(part, patches)

    def _resume(self, part: int) -> None:
        """Take over a text from the page; what of it was at its end is open again."""
        self._resumed = part
        view, ended = self._texts[part].view, self._view()
        ended.add_sources(self._numbers)
        for one in (view, ended):
            one.feed(self._begun)
        view.feed("")
        ended.finish()
        now, before = view.shown(), ended.shown()
        last = len(now) - 1  # whose code the page has coloured, and whose formulas it has set
        changed = [Patch(at, html) for at, html in enumerate(now) if at == last or at >= len(before) or html != before[at]]
        self._take(part, [*changed, *(Patch(at, "") for at in range(len(now), len(before)))])
        self._texts[part].blocks = len(now)

    def _draw_anew(self, part: int, said: str) -> None:
        """A part turned out to say something else, or to be text at all."""
        before = self._texts.pop(part, None)
        self._patches = [patch for patch in self._patches if patch["part"] != part]
        text = self._texts[part] = _Text(self._view(), self._clock.now())
        text.view.add_sources(self._numbers)
        text.said = said
        whole = self._begun + said if part == self._resumed else said
        self._take(part, [*text.view.feed(whole), *text.view.finish()])
        left = range(text.blocks, before.blocks if before else 0)
        self._patches += [{"part": part, "block": block, "html": ""} for block in left]

    def _take(self, part: int, patches: list[Patch]) -> None:
        text = self._texts[part]
        text.blocks = max([text.blocks, *(patch.block + 1 for patch in patches)])
        self._patches += [{"part": part} | patch.to_json() for patch in patches]

    def _due(self) -> None:
        self._cancel = None
        now = self._clock.now() + FRAME_SECONDS / 2  # a clock may be a little early
        for part, text in self._texts.items():
            if now >= text.due:
                self._draw(part)
        due = min((text.due for text in self._texts.values()), default=inf)
        if self._shows() or now >= self._posted + QUIET_SECONDS:
            self.flush()
        elif self._events:
            due = min(due, self._posted + QUIET_SECONDS)
        if due < inf:
            self._wait(due)

    def _shows(self) -> bool:
        """Tell whether anything gathered is to be seen: of a text that is drawn here only its drawing is."""
        drawn = [event["type"] == "part-delta" and event["part"] in self._texts for event in self._events]
        return bool(self._patches) or not all(drawn)

    def flush(self) -> None:
        """Post what has gathered."""
        if self._cancel is not None:
            self._cancel()
            self._cancel = None
        self._posted = self._clock.now()
        if self._events or self._patches:
            self._post(json.dumps({"events": self._events, "patches": self._patches}, ensure_ascii=False))
            self._events, self._patches = [], []
