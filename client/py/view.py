"""A growing answer: finished blocks are drawn once and stay, only the open end is drawn again."""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass
from typing import Any

from .document import PREFIX, draw, page_for, parse
from .parts import Support
from .sourcelist import cut


@dataclass(frozen=True, slots=True)
class Patch:
    """What a page has to do with one block of an answer."""

    block: int
    """Ordinal of the block, from 0."""
    html: str
    """What the block holds from now on; empty takes it away. Empty too where there is only text to add."""
    text: str = ""
    """Plain text to add at the end of what the block holds already."""

    def to_json(self) -> dict[str, Any]:
        """Return `{"block", "html"}` or `{"block", "text"}`."""
        return {"block": self.block, "text": self.text} if self.text else {"block": self.block, "html": self.html}


class AnswerView:
    """Draws an answer while it arrives; at the end the page shows what `render_answer` would have returned."""

    def __init__(
        self,
        *,
        site: str,
        page: str | None = None,
        sources: int | Collection[int] = 0,
        known: Container[str] | None = None,
        prefix: str = PREFIX,
        support: Sequence[Support] = (),
        words: Collection[str] = (),
    ) -> None:
        self._page = page_for(site=site, page=page, sources=sources, known=known, prefix=prefix, support=support, words=words)
        self._references: dict[str, Any] = {}
        self._text = ""
        self._shown: list[str] = []

    def feed(self, text: str) -> list[Patch]:
        """Take the next piece of the answer; return what changes on the page."""
        self._text += text
        return self._drawn()

    def finish(self) -> list[Patch]:
        """Draw what was held back as half-finished."""
        return self._drawn()

    def add_sources(self, sources: int | Collection[int]) -> None:
        """Let marks of these numbers become citations from here on; a tool result brought them."""
        self._page.sources = range(1, sources + 1) if isinstance(sources, int) else frozenset(sources)

    def _drawn(self) -> list[Patch]:
        blocks = parse(self._text, self._page, {})
        kept = blocks[: cut([block.shape for block in blocks])]
        now = [draw(block, self._page) for block in kept]
        before, self._shown = self._shown, now
        gone = [Patch(at, "") for at in range(len(now), len(before))]
        return [Patch(at, html) for at, html in enumerate(now) if before[at : at + 1] != [html]] + gone
