"""A growing answer: finished blocks are drawn once and stay, only the open end is drawn again."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from markdown_it.common.utils import escapeHtml

from .document import FAULTS, PREFIX, Block, draw, draw_inline, draw_tokens, page_for, parse
from .effort import Effort
from .openblock import End, Kept, keep, weave
from .over import count_finished, sure_lines
from .parts import Support
from .patches import Patch, Place, change
from .sourcelist import Shape, cut
from .tail import RULER, open_fence, settle

_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HARMLESS = re.compile(r"(?![^_¹²³⁰⁴-⁹]*[_¹²³⁰⁴-⁹])[\w ,;.:?'\"“”‘’。，、；：！？（）《》「」…—%()=+-]+")
"""Characters that go on with the letters they follow, whatever those stand in."""
_CLOSING = re.compile(r"\n*</(\w+)>\n*$")
_ATOMS = frozenset({"a", "span"})
"""Elements that no later letter goes into."""
_MUCH_CODE, _LONG_CODE = 96, 1_000
"""Characters of code that are worth a change of the page, and that need not be read once more to see whether the code ends."""
_AGAIN = 5
"""Tokens of an element that is opened again."""
_OWN_WORD = re.compile(r"\[[^\]\d][^\]]*\]")
_MAY_MARK = re.compile(r"\[\d|【|[¹²³⁴-⁹]")
_LATIN_OR_HAN = re.compile(r"[^\W\d_]")
_GOES_ON = frozenset({"paragraph_open", "heading_open", "bullet_list_open", "ordered_list_open", "blockquote_open"})

Links = dict[str, tuple[str, str]]


@dataclass(slots=True)
class _Finished:
    """A block that stays as it is, unless a link it mentions is defined later."""

    source: str
    html: str
    shape: Shape


@dataclass(slots=True)
class _Appendable:
    """The last block on the page while letters are added to it."""

    letters: re.Pattern[str]
    """What may be added as it comes."""
    stem: str
    """HTML of the block up to where letters are added …"""
    closing: str
    """… and after that."""
    added: list[str] = field(default_factory=list)
    blank: str = ""
    """White space that is shown once something follows it."""
    column: int | None = None
    """In code, where its lines begin."""


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
        self._links: Links = {}
        self._text = ""
        self._held = ""
        self._start = self._cut = self._drawn = 0
        self._kept = Kept()
        self._prose = False
        self._settled: str | None = None
        self._kind = ""
        self._open: _Appendable | None = None
        self._effort = Effort()
        self._shown: list[str] = []
        self._place, self._placed = Place(), -1

    @property
    def behind(self) -> bool:
        """Tell whether something came that was not worth a drawing yet; `feed("")` draws it."""
        return self._drawn < len(self._text)

    def shown(self) -> Sequence[str]:
        """Return what stands on the page, block by block."""
        self._join_letters()
        return self._shown

    def feed(self, text: str) -> list[Patch]:
        """Take the next piece of the answer; return what changes on the page.

        A page calls this at most every `DRAW_MILLISECONDS`, with all that came since, and with nothing when nothing came for
        a while.
        """
        self._take(text)
        more = self._text[self._drawn :]
        if more and self._open is not None:
            if text and self._open.column is not None and len(more) < _MUCH_CODE:
                return []
            if self._open.letters.fullmatch(more):
                patches = self._append(self._open, more)
                return patches + self._shorten_code() if len(self._text) - self._cut > _LONG_CODE else patches
        length = len(self._text) - self._cut + len(self._kept.lead)
        if text and not self._effort.is_worth(len(self._text), length, self._weight()):
            return []
        try:
            return self._draw_end()
        except FAULTS:
            return self.finish()

    def finish(self) -> list[Patch]:
        """Draw the whole answer once more, with what was held back; return what that changes, seldom more than the end."""
        self._text += self._held
        self._held = ""
        self._join_letters()
        self._page.drawn.clear()
        references: dict[str, Any] = {}
        blocks = parse(self._text, self._page, references)
        if _links(references) != self._links:
            self._page.kept, references = {}, {}
            blocks = parse(self._text, self._page, references)
        lines = self._text.split("\n")
        self._finished = [
            _Finished("\n".join(lines[block.first : block.last]), draw(block, self._page), block.shape) for block in blocks
        ]
        self._references, self._links = references, _links(references)
        self._kept, self._start, self._cut, self._drawn = Kept(), len(self._text), len(self._text), len(self._text)
        return self._show([block.shape for block in self._finished], [])

    def add_sources(self, sources: int | Collection[int]) -> None:
        """Let marks of these numbers become citations from here on; a tool result brought them."""
        self._page.sources = range(1, sources + 1) if isinstance(sources, int) else frozenset(sources)
        self._page.kept = {}
        self._regrow()
        for block in self._finished:
            if _MAY_MARK.search(block.source):
                block.html = self._again(block)

    def _weight(self) -> int:
        """Return how long the open block is as drawn."""
        return len(self._shown[-1]) if len(self._shown) > len(self._finished) else 0

    def _take(self, text: str) -> None:
        """Add a piece to the open end: line ends as LF, letters whole that were cut in two."""
        text = self._held + text
        held = 1 if text[-1:] == "\r" or "\ud800" <= text[-1:] <= "\udbff" else 0
        self._held = text[len(text) - held :]
        whole = text[: len(text) - held] if held else text
        whole = whole if whole.isascii() else _SURROGATE_PAIR.sub(_join, whole)
        self._text += whole.replace("\r\n", "\n").replace("\r", "\n") if "\r" in whole else whole

    def _draw_end(self) -> list[Patch]:
        """Draw the open end, and let go of what of it is over."""
        if self._may_be_table():
            self._regrow()
        self._join_letters()
        raw = self._kept.lead + self._text[self._cut :]
        settled = settle(raw)
        self._drawn = len(self._text)
        if settled == self._settled:
            self._open = self._appendable(raw, settled)
            return []
        references = dict(self._references)
        blocks = self._read(settled, raw, references)
        if blocks is None:
            self._regrow()
            return self._draw_end()
        if (links := _links(references)) != self._links:
            self._define(links, references)
            return self._draw_end()
        return self._draw(blocks, settled, raw, references)

    def _read(self, settled: str, raw: str, references: dict[str, Any]) -> list[Block] | None:
        """Return the blocks of the open end; None if what was kept of the first does not fit any more."""
        self._page.drawn.clear()
        blocks = parse(settled, self._page, references, arriving=True)
        tokens = sum(1 + len(token.children or ()) for block in blocks for token in block.tokens)
        self._effort.note(tokens, tokens - _AGAIN * len(self._kept.levels), len(settled), self._weight())
        if blocks and not settled.endswith("\n") and open_fence(raw):
            fence = next((token for token in reversed(blocks[-1].tokens) if token.type == "fence"), None)
            if fence is not None:
                fence.content = fence.content.removesuffix("\n")
        if not self._kept.levels:
            return blocks
        woven = weave(self._kept, blocks[0].tokens) if blocks else None
        if woven is None:
            return None
        return [replace(blocks[0], tokens=woven, shape="prose" if self._prose else blocks[0].shape), *blocks[1:]]

    def _draw(self, blocks: list[Block], settled: str, raw: str, references: dict[str, Any]) -> list[Patch]:
        whole = sure_lines(settled, raw)
        finished = count_finished(blocks, raw, whole)
        kept = None
        if not finished and len(blocks) == 1 and not blocks[0].first:
            blocks, kept = self._keep(blocks[0], raw, whole, references)
        drawn = [draw(block, self._page) for block in blocks]
        patches = self._show([*(block.shape for block in self._finished), *(block.shape for block in blocks)], drawn)
        self._kind = blocks[-1].tokens[0].type if len(blocks) > finished else ""
        self._settled = settled
        if finished:
            self._close(blocks[:finished], drawn, raw, references)
        elif kept is not None:
            self._prose = blocks[0].shape == "prose"
            position = self._cut - len(self._kept.lead) + kept[1]
            self._kept = kept[0]
            self._let_go(position, raw.count("\n", 0, kept[1]), references)
        self._open = self._appendable(raw, settled)
        return patches

    def _appendable(self, raw: str, settled: str) -> _Appendable | None:
        """Return how letters may be added as they come: nothing is held back, and they cannot change what is there."""
        hidden = len(self._finished) + 1 > len(self._shown)
        if not self._kind or hidden or self._page.words:
            return None
        fence = open_fence(raw)
        if fence is not None:
            return self._appendable_code(fence, raw, settled) if raw.startswith(settled) else None
        solid = raw.rstrip(" ")
        if self._kind not in _GOES_ON or not settled.startswith(solid) or not _HARMLESS.fullmatch(solid[-1:]):
            return None
        stem, closing = self._shown[-1], ""
        while (found := _CLOSING.search(stem, max(0, len(stem) - 24))) is not None:
            if found[1] in _ATOMS:
                return None
            stem, closing = stem[: found.start()], stem[found.start() :] + closing
        if stem.endswith(">"):
            return None
        letters = _LATIN_OR_HAN.search(raw, raw.rfind("\n") + 1)
        return _Appendable(_HARMLESS, stem, closing, blank=raw[len(solid) :]) if letters else None

    def _appendable_code(self, fence: str, raw: str, settled: str) -> _Appendable | None:
        """Return how code may be added as it comes: line by line, without the margin of the list it stands in."""
        stem, tag, rest = self._shown[-1].rpartition("</code>")
        column = min(at for at in (fence.find("`"), fence.find("~")) if at >= 0)
        if stem.rstrip().endswith(">") or ">" in fence[:column] or "\t" in fence[:column]:
            return None
        self._drawn -= len(raw) - len(settled)
        return _Appendable(_code(column, settled[settled.rfind("\n") + 1 :]), stem, tag + rest, column=column)

    def _append(self, end: _Appendable, more: str) -> list[Patch]:
        """Add letters at the end of what is shown."""
        text = more
        if end.column is None:
            text, end.blank = end.blank + more, ""
        else:
            text = self._without_margin(more, end.column) if end.column else more
            end.letters = _code(end.column, self._text[self._text.rfind("\n") + 1 :])
        end.added.append(text)
        self._drawn, self._settled = len(self._text), None
        return [Patch(len(self._shown) - 1, "", text)] if text else []

    def _shorten_code(self) -> list[Patch]:
        """Let go of the lines of an open fence that were added to the page."""
        if self._open is None or self._open.column is None:
            return []
        leaf = self._kept.levels[-1] if self._kept.levels else None
        if leaf is None or leaf.opening.type != "fence":
            return self._draw_end()
        end = self._text.rindex("\n", 0, self._drawn) + 1
        lines = self._text[self._cut : end].split("\n")
        leaf.done += escapeHtml("\n".join(line[self._open.column :] for line in lines))
        self._effort.let_go(end - self._cut, len(self._text) - self._cut)
        self._cut = end
        return []

    def _without_margin(self, code: str, column: int) -> str:
        """Take the margin of a list away from lines of code."""
        begun = self._drawn - self._text.rfind("\n", 0, self._drawn) - 1
        first, *lines = code.split("\n")
        return "\n".join([first[max(0, column - begun) :], *(line[column:] for line in lines)])

    def _join_letters(self) -> None:
        """Make the letters that were added part of the last block."""
        if self._open is not None and self._open.added:
            self._shown[-1] = self._open.stem + escapeHtml("".join(self._open.added)) + self._open.closing
        self._open = None

    def _may_be_table(self) -> bool:
        """Tell whether a line turns out to be the header of a table whose beginning was let go of."""
        levels = self._kept.levels
        if not levels or levels[-1].opening.type != "paragraph_open":
            return False
        return any(RULER.match(line) for line in self._text[self._cut :].split("\n", 2)[1:2])

    def _show(self, shapes: Sequence[Shape], drawn: Sequence[str]) -> list[Patch]:
        """Return what is new on the page; a list of sources at the end is not shown."""
        now = [*(block.html for block in self._finished), *drawn][: cut(shapes)]
        before, self._shown = self._shown, now
        patches = []
        for at, html in enumerate(now):
            if at >= len(before):
                patches.append(Patch(at, html))
            elif before[at] != html:
                if self._placed != at:
                    self._place, self._placed = Place(), at
                end, place = change(before[at], html, self._place)
                patches.append(Patch(at, end, at=place))
        return patches + [Patch(at, "") for at in range(len(now), len(before))]

    def _close(self, blocks: Sequence[Block], drawn: Sequence[str], raw: str, references: dict[str, Any]) -> None:
        """Put finished blocks behind the open end, which begins after them."""
        lines = raw.split("\n")
        for at, (block, html) in enumerate(zip(blocks, drawn, strict=False)):
            source = "\n".join(lines[block.first : block.last])
            if at == 0 and self._kept.levels:
                source = self._text[self._start : self._position(lines, block.last)]
            self._finished.append(_Finished(source, html, block.shape))
        self._let_go(self._position(lines, blocks[-1].last), blocks[-1].last, references)
        self._kept, self._start, self._prose = Kept(), self._cut, False

    def _position(self, lines: Sequence[str], line: int) -> int:
        """Return where in the answer a line of the open end begins."""
        return self._cut - len(self._kept.lead) + sum(len(line) + 1 for line in lines[:line])

    def _keep(
        self, block: Block, raw: str, whole: int, references: dict[str, Any]
    ) -> tuple[list[Block], tuple[Kept, int] | None]:
        """Return the open block with what of it is over as drawn, and that."""
        if block.tokens[0].type == "paragraph_open" and block.shape != "prose":
            return [block], None
        end = End(
            list(block.tokens),
            raw.split("\n"),
            whole,
            open_fence(raw) is not None,
            lambda tokens: draw_tokens(tokens, self._page),
            lambda text: draw_inline(text, self._page, references),
        )
        kept = keep(end, self._kept)
        return [replace(block, tokens=end.tokens)], kept

    def _let_go(self, position: int, line: int, references: dict[str, Any]) -> None:
        """Begin the open end at a later place."""
        self._effort.let_go(position - self._cut, len(self._text) - self._cut)
        self._references |= {label: link for label, link in references.items() if link["map"][1] <= line}
        self._cut, self._settled = position, None

    def _define(self, links: Links, references: dict[str, Any]) -> None:
        """Draw the finished blocks again that mention a link which is defined only now."""
        self._links = links
        self._page.kept = {}
        for block in self._finished:
            if _OWN_WORD.search(block.source):
                block.html = self._again(block, references)
        self._regrow()

    def _again(self, block: _Finished, references: dict[str, Any] | None = None) -> str:
        known = dict(self._references if references is None else references)
        return "".join(draw(part, self._page) for part in parse(block.source, self._page, known))

    def _regrow(self) -> None:
        """Take back what was let go of the open block."""
        self._join_letters()
        self._kept, self._cut, self._prose, self._settled = Kept(), self._start, False, None


def _code(column: int, begun: str) -> re.Pattern[str]:
    """Match code that goes on, and cannot end it, behind what has come of its last line; lines begin at a column."""
    return _code_behind(column, None if begun.strip() else max(0, column - len(begun)))


@cache
def _code_behind(column: int, margin: int | None) -> re.Pattern[str]:
    line = r" {%d}[ \t]*(?:[^\s`~][^\n]*)?"
    first = r"[^\n]*" if margin is None else f"(?:{line % margin})?"
    return re.compile(rf"{first}(?:\n(?:{line % column})?)*")


def _links(references: dict[str, Any]) -> Links:
    return {label: (link["href"], link["title"]) for label, link in references.items()}


def _join(pair: re.Match[str]) -> str:
    """Make one letter of two surrogates."""
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16")
