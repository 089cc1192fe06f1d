"""A cut answer and what goes on with it, as one text: joined where the sentence was cut, and checked as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from .citations import check, grounding
from .parts import Citations, Event, ExchangeEnd, PartDelta, PartDemote, PartEnd, PartStart, Source, SourceAdd, TextPart
from .tail import open_fence
from .thread import Numbering
from .toolbox import Shelf

_LONGEST_LINE: Final = 80
"""Of the beginning that is looked at."""
_FENCE, _FENCE_MARKS = re.compile(r" {0,3}(`{3,}|~{3,})"), re.compile(r"`{3,}|~{3,}")
_BLOCK: Final = re.compile(r" {0,3}(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|>|\||`{3}|~{3}|\$\$|\\\[)")
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])\s")
_ROW: Final = re.compile(r"[ >]*\|")
_OVER: Final = re.compile(r"(?:[.!?…。！？]|\$\$|\\\])[”’」』）)\"'*_]*(?:\s*\[[\d, ]+\])*$")
_WORD_END, _WORD_START = re.compile(r"[A-Za-z0-9]+$"), re.compile(r"[A-Za-z0-9]+")
_BEGUN: Final = re.compile(r"[*_`$\"'(\[]*[A-Za-z0-9]*")
_CLOSED, _OPENS = re.compile(r"[A-Za-z0-9,;:)\]}%]$|[^\s*_`$\"'][*_`$\"']+$"), re.compile(r"[*_`$\"'(\[]*[A-Za-z0-9]")
"""What words end with and begin with, and what encloses them."""


class Continued:
    """Makes one answer of two halves: what an exchange says is taken as what follows on `texts`, the answer so far."""

    def __init__(self, texts: Sequence[str], sources: Sequence[Source], shelf: Shelf, *, root: str) -> None:
        self._texts = list(texts)
        self._numbering = Numbering(sources, root=root)
        self._shelf = shelf
        self._part: int | None = None
        self._held: str | None = ""
        """Of the beginning, until it is known how it is joined."""
        self._again: set[int] = set()
        """Further attempts at the same part."""
        self._said: dict[int, str] = {}

    def take(self, event: Event) -> Iterator[Event]:
        """Yield what the page is to know of an event."""
        match event:
            case SourceAdd(source):
                self._numbering.sources[source.n] = source
                yield event
            case PartStart(part, "text"):
                yield from self._start(event)
            case PartDelta(part, text) if part == self._part:
                yield from self._grow(part, text)
            case PartDelta(part) if part in self._again:
                return
            case PartEnd(part, "aborted", None) if part == self._part or part in self._again:
                return
            case PartEnd(part, _, TextPart(text)):
                yield from self._end(part, event, text)
            case PartDemote(part) if part == self._part or part in self._again:
                return
            case Citations():
                return
            case ExchangeEnd():
                yield from self._checked()
                yield event
            case _:
                yield event

    def _start(self, event: PartStart) -> Iterator[Event]:
        """The first text goes on with the answer."""
        if self._part is None:
            self._part = event.part
        elif self._part not in self._said:
            self._again.add(event.part)
            return
        yield event

    def _grow(self, part: int, text: str) -> Iterator[Event]:
        if self._held is None:
            yield PartDelta(part, text)
            return
        self._held += text
        if _decided(self._held):
            held, self._held = self._held, None
            yield PartDelta(part, self._joint(held) + held)

    def _end(self, part: int, event: PartEnd, text: str) -> Iterator[Event]:
        if part != self._part and part not in self._again:
            self._said[part] = text
            yield event
            return
        assert self._part is not None
        whole = self._joint(text) + text
        if self._held:
            yield PartDelta(self._part, whole)
        self._held, self._said[self._part] = None, whole
        yield replace(event, part=self._part, value=TextPart(whole))

    def _joint(self, after: str) -> str:
        return joint(self._texts[-1], after, " ".join(source.text for source in self._numbering.sources.values()))

    def _checked(self) -> Iterator[Event]:
        """Yield the citations of all of the answer."""
        first = self._said.get(self._part, "") if self._part is not None else ""
        others = [text for part, text in sorted(self._said.items()) if part != self._part]
        text = "\n\n".join([*self._texts[:-1], self._texts[-1] + first, *others])
        citations = check(text, self._numbering.cards(self._shelf), root=self._numbering.root)
        yield Citations(citations, grounding(citations))


def _decided(text: str) -> bool:
    """Whether enough of a beginning has come to see how it is joined: its first word, or the line that opens a fence."""
    if not text.strip(" `~") or _FENCE.match(text):
        return "\n" in text.lstrip("\n") or len(text) > _LONGEST_LINE
    begun = _BEGUN.match(text)
    return begun is None or begun.end() < len(text) or len(text) > _LONGEST_LINE


def joint(before: str, after: str, known: str = "") -> str:
    """Return what belongs between the two halves of a text that was cut; `known` has words that may have been cut in two."""
    if not before or not after or before[-1].isspace() or after[0].isspace():
        return ""
    fence = open_fence(before)
    if fence is not None:
        return _in_code(after, fence)
    line = before.rpartition("\n")[2]
    if _ROW.match(line):
        return _in_table(line, after)
    if _BLOCK.match(after):
        return "\n" if _ITEM.match(line) and _ITEM.match(after) else "\n\n"
    if _OVER.search(line) and not (line[-2:-1].isdigit() and after[0].isdigit()):
        return "\n\n"
    left, right = _WORD_END.search(line), _WORD_START.match(after)
    if left and right:
        whole = re.compile(rf"\b{left[0]}{right[0]}", re.IGNORECASE)
        return "" if whole.search(before) or whole.search(known) else " "
    return " " if _CLOSED.search(line) and _OPENS.match(after) else ""


def _in_code(after: str, fence: str) -> str:
    """Code goes on as it is; where it is opened once more, the first half of it is closed."""
    opened = _FENCE.match(after)
    if opened is None:
        return ""
    marks = _FENCE_MARKS.search(fence)
    closing = fence[: len(fence) - len(fence.lstrip(" "))] + (marks[0] if marks else opened[1])
    alone = not after[opened.end() :].partition("\n")[0].strip()
    return "\n" if alone else f"\n{closing}\n\n"


def _in_table(line: str, after: str) -> str:
    """Rows follow on rows that are whole; a row that was cut goes on."""
    if not line.rstrip().endswith("|") or line.strip() == "|":
        return " " if _CLOSED.search(line) and _OPENS.match(after) else ""
    return "\n" if _ROW.match(after) else "" if "|" in after.partition("\n")[0] else "\n\n"
