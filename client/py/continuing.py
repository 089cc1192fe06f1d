"""A cut answer and what goes on with it, as one text: joined where the sentence was cut, and checked as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from .citations import check, grounding
from .parts import Citations, Event, ExchangeEnd, PartDelta, PartDemote, PartEnd, PartStart, Source, SourceAdd, TextPart
from .tail import open_fence, open_span
from .thread import Numbering
from .toolbox import Shelf

JOINED: Final = -1
"""Number of the part that goes on with the answer; all others keep theirs."""
_LONGEST_LINE: Final = 80
"""Of the beginning that is looked at."""
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_LETTER: Final = rf"(?:[^\W_{_UNSPACED}]|[\u0300-\u036f\u0900-\u0dff])"
"""Of a script that has spaces between its words, or a digit; with the signs that are written on letters."""
_FENCE, _FENCE_MARKS = re.compile(r" {0,3}(`{3,}|~{3,})"), re.compile(r"`{3,}|~{3,}")
_BLOCK: Final = re.compile(r" {0,3}(?:#{1,6}\s|[-*+]\s|>|\||`{3}|~{3}|\$\$|\\\[)")
_NUMBER: Final = re.compile(r"[ \t>]*(\d{1,9})[.)]\s")
_ITEM: Final = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])\s|>)")
_MARKERS: Final = re.compile(r"[-*+#>.)\d|:$\\\s]*")
"""What may still become the sign of a block."""
_SIGN_ALONE: Final = re.compile(r"[ \t>]*(?:[-*+]|#{1,6}|\d{1,9}[.)])")
_ROW: Final = re.compile(r"[ >]*\|")
_SHOWN: Final = re.compile(r"(?:\$\$|\\\])$")
_OVER: Final = re.compile(r"[.!?…。！？।][”’」』）)\"'*_]*(?:\s*\[[\d, ]+\])*$")
_INSIDE: Final = re.compile(r"[(\[（「『“][^)\]）」』”]*$")
_TITLES: Final = "Dr|Mr|Mrs|Ms|Mx|Prof|Rev|Gen|Capt|Lt|St|Mt|Mme|vs|cf|vgl|viz|resp|bzw|approx|ca|al"
_NUMBERED: Final = "Secs?|Sects?|Chs?|Chap|Nos?|Tab|Thm|Def|Lem|Cor|Prop|Ex|App|Abb|Kap|(?i:figs?|eqs?|vols?|pp?|nr|art)"
_SHORTENED: Final = re.compile(rf"(?<![\w.])(?:{_TITLES}|[A-ZÀ-ÞА-Я]|(?:[A-Za-z]\.)+[A-Za-z])\.$")
_SHORTENED_NUMBER: Final = re.compile(rf"(?<![\w.])(?:{_NUMBERED})\.$")
"""A word or a name that was shortened ends no sentence; some of them only where a number follows."""
_LINK: Final = re.compile(r"(?:\]\(|<?https?://|\bwww\.)[^\s)>]*$")
_GOES_ON: Final = re.compile(r"[)\]}.,;:!?”»…。，、；：！？）」』]|\[\d")
"""What a sentence that seems to be over goes on with: its closing signs, and its marks."""
_CUT: Final = "\0"
_CUT_NUMBER: Final = re.compile(rf"\d\.?{_CUT}\d|\d,{_CUT}\d{{3}}(?!\d)")
_POSSESSIVE: Final = re.compile(rf"['’]{_LETTER}{{1,2}}(?![\w'’])")
_APOSTROPHE: Final = re.compile(rf"(?<!['‘’\w])(?!\w*s['’]$){_LETTER}+['’]$|(?<!['‘’\w]){_LETTER}['’]$")
_WORD_END, _WORD_START = re.compile(rf"{_LETTER}+$"), re.compile(rf"{_LETTER}+")
_BEGUN: Final = re.compile(rf"[*_`$\"'’(\[]*{_LETTER}*")
_CLOSED: Final = re.compile(rf"(?:{_LETTER}|[,;:)\]}}%])$|[.!?…][”’)\"'*_]*$|[^\s*_`$\"'][*_`$\"']+$")
_OPENS: Final = re.compile(rf"[*_`$\"'(\[]*{_LETTER}")
"""What words end with and begin with, and what encloses them."""


class Continued:
    """Makes one answer of two halves: what an exchange says is taken as what follows on `texts`, the answer so far."""

    def __init__(self, texts: Sequence[str], sources: Sequence[Source], shelf: Shelf, *, root: str) -> None:
        self._texts = list(texts)
        self._numbering = Numbering(sources, root=root)
        self._shelf = shelf
        self._part: int | None = None
        """The text of the exchange that goes on with the answer."""
        self._held = ""
        """Of its beginning, until it is known how it is joined …"""
        self._between: str | None = None
        """… by this."""
        self._said: dict[int, str] = {}

    def take(self, event: Event) -> Iterator[Event]:
        """Yield what the page is to know of an event."""
        match event:
            case SourceAdd(source):
                self._numbering.sources[source.n] = source
                yield event
            case PartStart(part, "text") if self._part is None:
                yield self._start(part)
            case PartDelta(part, text) if part == self._part:
                yield from self._grow(text)
            case PartEnd(part, _, TextPart(text)):
                yield from self._end(event, text)
            case PartEnd(part):
                yield from self._other(event)
            case PartDemote(part):
                yield from self._demote(event)
            case Citations():
                return
            case ExchangeEnd():
                yield from self._checked()
                yield event
            case _:
                yield event

    def _start(self, part: int) -> Event:
        """The first text goes on with the answer."""
        self._part, self._held, self._between = part, "", None
        return PartStart(JOINED, "text")

    def _grow(self, text: str) -> Iterator[Event]:
        if self._between is not None:
            yield PartDelta(JOINED, text)
            return
        self._held += text
        if _decided(self._texts[-1], self._held):
            yield self._join(self._held)

    def _join(self, begun: str) -> Event:
        """Settle once how the text is joined, whatever is known later."""
        known = " ".join(source.text for source in self._numbering.sources.values())
        self._between = joint(self._texts[-1], begun, known)
        return PartDelta(JOINED, self._between + begun)

    def _end(self, event: PartEnd, text: str) -> Iterator[Event]:
        if self._part is None:  # it was taken for a thought
            yield PartEnd(event.part, "aborted")
            yield self._start(event.part)
        self._said[event.part] = text
        if event.part != self._part:
            yield event
            return
        if self._between is None:
            yield self._join(text)
        yield replace(event, part=JOINED, value=TextPart(f"{self._between}{text}"))

    def _other(self, event: PartEnd) -> Iterator[Event]:
        """Of a text nothing is left, or it turned out to be thoughts: these are a part of their own."""
        self._said.pop(event.part, None)
        if event.part == self._part:
            yield self._take_back()
            if event.value is None:
                return
            yield PartStart(event.part, "reasoning")
        yield event

    def _demote(self, event: PartDemote) -> Iterator[Event]:
        """An announcement is a plan of its own, and the next text goes on with the answer."""
        said = self._said.pop(event.part, "")
        if event.part == self._part:
            yield self._take_back()
            yield PartStart(event.part, "text")
            yield PartEnd(event.part, "completed", TextPart(said))
        yield event

    def _take_back(self) -> Event:
        """The answer ends as it did."""
        self._part = None
        return PartEnd(JOINED, "aborted")

    def _checked(self) -> Iterator[Event]:
        """Yield the citations of all of the answer."""
        first = "" if self._part is None else f"{self._between or ''}{self._said.get(self._part, '')}"
        others = [text for part, text in sorted(self._said.items()) if part != self._part]
        text = "\n\n".join([*self._texts[:-1], self._texts[-1] + first, *others])
        citations = check(text, self._numbering.cards(self._shelf), root=self._numbering.root)
        yield Citations(citations, grounding(citations))


def _decided(before: str, text: str) -> bool:
    """Whether enough of a beginning has come to see how it is joined: its first word, or the line that opens a block."""
    if len(text) > _LONGEST_LINE:
        return True
    if not text.strip(" `~") or _FENCE.match(text):
        return "\n" in text.lstrip("\n")
    line = _last_line(before)
    if _ROW.match(line) and line.rstrip().endswith("|") and "|" not in text:
        return "\n" in text
    begun = _BEGUN.match(text)
    return _MARKERS.fullmatch(text) is None and (begun is None or begun.end() < len(text))


def joint(before: str, after: str, known: str = "") -> str:
    """Return what belongs between the two halves of a text that was cut; `known` has words that may have been cut in two."""
    if not before or not after or before[-1].isspace() or after[0].isspace():
        return ""
    fence = open_fence(before)
    if fence is not None:
        return _in_code(after, fence)
    line = _last_line(before)
    if open_span(before) or _LINK.search(line):
        return ""
    if _ROW.match(line):
        return _in_table(before, after, known)
    if _SIGN_ALONE.fullmatch(line):
        return " " if re.match(_LETTER, after) and not after[0].isdigit() else ""
    if _opens_block(before, after):
        return "\n" if _ITEM.match(line) and _ITEM.match(after) else "\n\n"
    return "\n\n" if _is_over(line, after) else _in_sentence(before, after, known)


def _last_line(text: str) -> str:
    return text.rpartition("\n")[2]


def _opens_block(before: str, after: str) -> bool:
    """A number opens a list only as its first, or as the next after one there is: others end a sentence."""
    number = _NUMBER.match(after)
    if number is None:
        return _BLOCK.match(after) is not None
    if int(number[1]) == 1:
        return not before[-1].isdigit()
    return re.search(rf"^[ \t>]*{int(number[1]) - 1}[.)]\s", before, re.MULTILINE) is not None


def _is_over(line: str, after: str) -> bool:
    """Whether a new paragraph begins: not inside of brackets, nor with what only goes on with a sentence."""
    if _SHOWN.search(line):
        return True
    if not _OVER.search(line) or _INSIDE.search(line) or _GOES_ON.match(after):
        return False
    if _SHORTENED.search(line) or (_SHORTENED_NUMBER.search(line) and (after[0].isdigit() or after[0] in "($\\")):
        return False
    return not (line[-2:-1].isdigit() and after[0].isdigit()) and not after.lstrip("*_`\"'“‘")[:1].islower()


def _in_sentence(before: str, after: str, known: str) -> str:
    """Words have a space between them, unless it was a word or a number that was cut."""
    line = _last_line(before)
    if _CUT_NUMBER.search(f"{line}{_CUT}{after}") or _APOSTROPHE.search(line) or _POSSESSIVE.match(after):
        return ""
    left, right = _WORD_END.search(line), _WORD_START.match(after)
    if left and right:
        whole = re.compile(rf"\b{re.escape(left[0] + right[0])}", re.IGNORECASE)
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


def _in_table(before: str, after: str, known: str) -> str:
    """Rows follow on rows that are whole; a row that was cut goes on."""
    line = _last_line(before)
    if not line.rstrip().endswith("|") or line.strip() == "|":
        return _in_sentence(before, after, known)
    return "\n" if _ROW.match(after) else "" if "|" in after.partition("\n")[0] else "\n\n"
