"""A growing answer: finished blocks are drawn once and stay, only the open end is drawn again."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass
from typing import Any

from markdown_it.common.utils import escapeHtml

from .document import FAULTS, PREFIX, Block, draw, page_for, parse
from .openblock import Growing, GrowingParagraph, growing
from .parts import Support
from .sourcelist import Shape, cut
from .tail import in_fence, settle

_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HARMLESS = re.compile(r"(?:[^\W_¹²³⁰⁴-⁹]|[ ,;.:?'\"“”‘’。，、；：！？（）《》「」…—%()=+-])+")
"""Characters that go on with the letters they follow, whatever those stand in."""
_CODE = re.compile(r"[^`~\r]+")
_OWN_WORD = re.compile(r"\[[^\]\d][^\]]*\]")
_MAY_MARK = re.compile(r"\[\d|【|[¹²³⁴-⁹]")
_LATIN_OR_HAN = re.compile(r"[^\W\d_]")
_LONG_TAIL = 4_000
"""Characters of an open end that is drawn again only when it has grown by one part in `_SHARE`: no block costs a square."""
_SHARE = 12
_GOES_ON = frozenset({"paragraph_open", "heading_open", "bullet_list_open", "ordered_list_open", "blockquote_open"})
_ENDS_AT_BLANK = frozenset({"paragraph_open", "heading_open", "table_open", "formula_block", "hr"})


@dataclass(frozen=True, slots=True)
class Patch:
    """What a page has to do with one block of an answer."""

    block: int
    """Ordinal of the block, from 0."""
    html: str
    """What the block holds from now on; empty takes it away, or leaves it where there is text to add."""
    text: str = ""
    """Plain text to add where the last text of the block ends."""

    def to_json(self) -> dict[str, Any]:
        """Return `{"block", "html"}` or `{"block", "text"}`."""
        return {"block": self.block, "text": self.text} if self.text else {"block": self.block, "html": self.html}


@dataclass(slots=True)
class _Finished:
    """A block that stays as it is, unless a link it mentions is defined later."""

    source: str
    html: str
    shape: Shape


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
        self._page.kept = {}
        self._finished: list[_Finished] = []
        self._references: dict[str, Any] = {}
        self._text = ""
        self._tail = ""
        self._held = ""
        self._shown: list[str] = []
        self._growing: Growing | None = None
        self._defined: dict[str, Any] = {}
        self._settled: str | None = None
        self._drawn = 0
        self._goes_on: re.Pattern[str] | None = None
        self._blank = ""
        self._kind = ""

    def feed(self, text: str) -> list[Patch]:
        """Take the next piece of the answer; return what changes on the page.

        A page calls this at most every `DRAW_MILLISECONDS`, with all that came since.
        """
        self._take(text)
        more = self._tail[self._drawn :]
        if self._goes_on and self._goes_on.fullmatch(more):
            return self._append(more)
        if self._drawn > _LONG_TAIL and len(more) * _SHARE < self._drawn:
            return []
        try:
            return self._draw_end()
        except FAULTS:
            return self.finish()

    def finish(self) -> list[Patch]:
        """Draw the whole answer once more, with what was held back; return what that changes, seldom more than the end."""
        self._text += self._held
        self._held = ""
        self._finished, self._references, self._growing = [], {}, None
        self._tail = self._text
        return self._draw(self._tail, last=True)

    def _draw_end(self) -> list[Patch]:
        """Draw the open end, and let go of what of it is over."""
        if isinstance(self._growing, GrowingParagraph) and "|" in self._tail.partition("\n")[0]:
            self._regrow("")
        head, tail = self._head(), self._tail
        settled = settle(head + tail)[len(head) :]
        patches = self._draw(settled, last=False) if settled != self._settled else []
        let_go = len(tail) - len(self._tail)
        self._settled = None if let_go else settled
        self._drawn = len(self._tail)
        self._goes_on = self._what_goes_on(settled[let_go:])
        return patches

    def add_sources(self, sources: int | Collection[int]) -> None:
        """Let marks of these numbers become citations from here on; a tool result brought them."""
        self._page.sources = range(1, sources + 1) if isinstance(sources, int) else frozenset(sources)
        self._page.kept = {}
        self._regrow("")
        self._settled, self._goes_on = None, None
        for block in self._finished:
            if _MAY_MARK.search(block.source):
                block.html = self._again(block, self._defined)

    def _take(self, text: str) -> None:
        """Add a piece to the open end: line ends as LF, letters whole that were cut in two."""
        text = self._held + text
        held = 1 if text[-1:] == "\r" or "\ud800" <= text[-1:] <= "\udbff" else 0
        self._held = text[len(text) - held :]
        whole = _SURROGATE_PAIR.sub(_join, text[: len(text) - held])
        piece = whole.replace("\r\n", "\n").replace("\r", "\n")
        self._text += piece
        self._tail += piece

    def _draw(self, text: str, *, last: bool) -> list[Patch]:
        self._page.drawn.clear()
        references = dict(self._references)
        blocks = self._parse(text, references, arriving=not last)
        if references != self._defined:
            self._defined = dict(references)
            self._page.kept = {}
            self._draw_again(references)
            text = self._regrow(text)
            blocks = self._parse(text, references, arriving=not last)
        if not last and blocks and not text.endswith("\n") and blocks[-1].tokens[0].type == "fence":
            blocks[-1].tokens[0].content = blocks[-1].tokens[0].content.removesuffix("\n")
        drawn = [draw(block, self._page) for block in blocks]
        if self._growing is not None and blocks:
            drawn[0] = self._growing.html(blocks[0].tokens, self._page)
        finished = (
            len(blocks)
            if last
            else _count_finished(blocks, self._head() + text, _sure(self._head() + text, self._head() + self._tail))
        )
        patches = self._show([*(block.shape for block in self._finished), *(block.shape for block in blocks)], drawn)
        self._kind = blocks[-1].tokens[0].type if len(blocks) > finished else ""
        if finished:
            self._close(blocks[:finished], drawn, references)
        elif len(blocks) == 1:
            self._grow(blocks[0], text, references)
        return patches

    def _what_goes_on(self, settled: str) -> re.Pattern[str] | None:
        """Return what text may be added to the page as it comes: nothing is held back, and it cannot change what is there."""
        tail = self._tail
        hidden = len(self._finished) + 1 > len(self._shown)
        if not self._kind or hidden or self._page.words:
            return None
        if self._kind == "fence":
            return _CODE if settled == tail and tail[:1] in {"`", "~"} and "\n" in tail and in_fence(tail) else None
        solid = tail.rstrip(" ")
        if self._kind not in _GOES_ON or not settled.startswith(solid) or not _HARMLESS.fullmatch(solid[-1:]):
            return None
        self._blank = tail[len(solid) :]
        return _HARMLESS if _LATIN_OR_HAN.search(tail, tail.rfind("\n") + 1) else None

    def _append(self, more: str) -> list[Patch]:
        """Add text at the end of what is shown."""
        text, self._blank = self._blank + more, ""
        html = self._shown[-1]
        end = html.rstrip()
        while end.endswith(">") and (tag := end.rfind("</")) >= 0:
            end = end[:tag].rstrip("\n") if self._kind != "fence" else end[:tag]
        self._shown[-1] = end + escapeHtml(text) + html[len(end) :]
        self._drawn, self._settled = len(self._tail), None
        return [Patch(len(self._shown) - 1, "", text)]

    def _head(self) -> str:
        return self._growing.head if self._growing else ""

    def _parse(self, text: str, references: dict[str, Any], *, arriving: bool) -> list[Block]:
        return parse(self._head() + text, self._page, references, arriving=arriving)

    def _show(self, shapes: Sequence[Shape], drawn: Sequence[str]) -> list[Patch]:
        """Return what is new on the page; a list of sources at the end is not shown."""
        now = [*(block.html for block in self._finished), *drawn][: cut(shapes)]
        before, self._shown = self._shown, now
        gone = [Patch(at, "") for at in range(len(now), len(before))]
        return [Patch(at, html) for at, html in enumerate(now) if at >= len(before) or before[at] != html] + gone

    def _close(self, blocks: Sequence[Block], drawn: Sequence[str], references: dict[str, Any]) -> None:
        """Put finished blocks behind the open end, which begins after them."""
        head = self._head()
        lines = (head + self._tail).split("\n")
        for at, (block, html) in enumerate(zip(blocks, drawn, strict=False)):
            source = "\n".join(lines[block.first : block.last])
            if at == 0 and self._growing is not None:
                source = self._growing.source + "\n".join(lines[head.count("\n") : block.last])
            self._finished.append(_Finished(source, html, block.shape))
        end = blocks[-1].last
        self._tail = "\n".join(lines[end:])
        self._growing = None
        self._references |= {label: link for label, link in references.items() if link["map"][1] <= end}

    def _grow(self, block: Block, text: str, references: dict[str, Any]) -> None:
        """Let go of the part of the open block that is over."""
        kept = self._growing or growing(block)
        if kept is None or block.first:
            return
        rest = kept.take(block, text, self._page, references)
        if rest != text:
            self._growing = kept
            self._tail = self._tail[len(text) - len(rest) :]

    def _draw_again(self, references: dict[str, Any]) -> None:
        """Draw the finished blocks again that mention a link which is defined only now."""
        for block in self._finished:
            if _OWN_WORD.search(block.source):
                block.html = self._again(block, references)

    def _again(self, block: _Finished, references: dict[str, Any]) -> str:
        return "".join(draw(part, self._page) for part in parse(block.source, self._page, dict(references)))

    def _regrow(self, text: str) -> str:
        """Take back what was let go of the open block; return all of it."""
        if self._growing is None:
            return text
        source = self._growing.source
        self._growing = None
        self._tail = source + self._tail
        return source + text


def _sure(settled: str, tail: str) -> int:
    """Return how many lines are whole and are drawn as they are."""
    if tail.startswith(settled):
        return settled.count("\n")
    pairs = zip(settled.split("\n"), tail.split("\n"), strict=False)
    return next((at for at, (drawn, written) in enumerate(pairs) if drawn != written), 0)


def _count_finished(blocks: Sequence[Block], text: str, whole: int) -> int:
    """Return how many blocks no later text can change; of the text, so many lines are whole."""
    lines = text.split("\n")
    for at in range(len(blocks) - 1, -1, -1):
        if _is_finished(blocks[at], blocks[at + 1] if at + 1 < len(blocks) else None, lines, whole):
            return at + 1
    return 0


def _is_finished(block: Block, after: Block | None, lines: list[str], whole: int) -> bool:
    """Tell whether a block is over: a blank line ends it, or the next block has surely begun."""
    if block.last > whole:
        return False
    kind = block.tokens[0].type
    if kind in _ENDS_AT_BLANK and block.last < whole and not lines[block.last].strip():
        return True
    if after is None:
        return False
    if after.first + (2 if after.tokens[0].type == "table_open" else 1) <= whole:
        return True
    return after.tokens[0].type == "paragraph_open" and after.first > block.last and bool(_LATIN_OR_HAN.match(lines[after.first]))


def _join(pair: re.Match[str]) -> str:
    """Make one letter of two surrogates."""
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16")
