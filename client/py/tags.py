"""Tags that models write into their text: `<think>` parts and `<tool_call>` calls, found while the text arrives.

Tags in code are text. Whether a backtick opens a code span shows only when its partner comes or the paragraph ends, so a tag
behind an open backtick waits for that; everything else is handed on at once. Any slicing of the text gives the same pieces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

THINK_OPEN: Final = "<think>"
THINK_CLOSE: Final = "</think>"
CALL_OPEN: Final = "<tool_call>"
CALL_CLOSE: Final = "</tool_call>"

POINT: Final = re.compile(r"[<`~\n]")
RUN: Final = re.compile(r"`+|~+")
BACKTICKS: Final = re.compile(r"`+")
PARAGRAPH_END: Final = re.compile(r"\n[ \t]*\n")
LINE_OPENING: Final = re.compile(r"[ \t>*+\-.)\d]*")
"""What may stand before a fence on its line: indentation, quote and list marks."""


class Piece(NamedTuple):
    """A stretch of the text and what it is; `retract` says that all text so far was reasoning."""

    kind: Literal["text", "reasoning", "call", "retract"]
    text: str = ""


@dataclass(slots=True)
class _Code:
    """An open code span or fence."""

    fence: bool
    mark: str
    length: int
    first_line: bool = True


class TagScanner:
    """Split a growing text into answer, reasoning and calls."""

    def __init__(self) -> None:
        self._buffer = ""
        self._mode: Literal["text", "think", "call"] = "text"
        self._code: _Code | None = None
        self._opening = True
        """Nothing but what may stand before a fence was seen on this line."""
        self._blank = True
        """Nothing but white space was seen on this line."""
        self._thought = False
        self._resume = 0
        self._pieces: list[Piece] = []

    def feed(self, text: str, *, last: bool = False) -> list[Piece]:
        """Take more text; return what is decided."""
        if not self._buffer and self._mode != "call" and not POINT.search(text):
            self._emit(text)  # the common case: nothing here can begin a tag or code
        else:
            self._buffer += text
            while self._buffer and self._step(last):
                pass
        pieces, self._pieces = self._pieces, []
        return pieces

    def _emit(self, text: str) -> None:
        """Hand on text that holds no line end, no tag and no fence."""
        if not text:
            return
        if self._blank and text.strip(" \t"):
            self._blank = False
        if self._opening and LINE_OPENING.fullmatch(text) is None:
            self._opening = False
        kind: Literal["text", "reasoning"] = "reasoning" if self._mode == "think" else "text"
        self._pieces.append(Piece(kind, text))

    def _consume(self, length: int) -> str:
        taken, self._buffer = self._buffer[:length], self._buffer[length:]
        return taken

    def _step(self, last: bool) -> bool:
        """Decide the next stretch of the buffer; False means that more text is needed."""
        if self._mode == "call":
            return self._body(last)
        point = POINT.search(self._buffer)
        if point is None:
            self._emit(self._consume(len(self._buffer)))
            return True
        if point.start():
            self._emit(self._consume(point.start()))
        match self._buffer[0]:
            case "\n":
                self._line_end()
                return True
            case "<":
                return self._tag(last)
            case _:
                return self._run(last)

    def _line_end(self) -> None:
        if self._code is not None:
            self._code.first_line = False
            if not self._code.fence and self._blank:
                self._code = None  # the paragraph is over: its backtick was only a backtick
        self._emit(self._consume(1))
        self._opening = self._blank = True

    def _run(self, last: bool) -> bool:
        """Take a run of backticks or tildes, which may open or close code."""
        run = RUN.match(self._buffer)
        assert run is not None
        if run.end() == len(self._buffer) and not last:
            return False
        mark, length, code = self._buffer[0], run.end(), self._code
        if code is not None and code.fence and code.first_line and mark == "`" == code.mark:
            code.fence = False  # a backtick on the opening line: a code span, not a fence
        if code is not None and code.fence:
            closes = (
                self._closes_fence(code, run.end(), last)
                if self._opening and mark == code.mark and length >= code.length
                else False
            )
            if closes is None:
                return False
            if closes:
                self._code = None
        elif self._opening and length >= 3 and (code is None or code.length != length or mark == "~"):
            self._code = _Code(True, mark, length)
        elif mark == "`":
            if code is None:
                self._code = _Code(False, mark, length)
            elif code.length == length:
                self._code = None
        self._emit(self._consume(run.end()))
        return True

    def _closes_fence(self, code: _Code, end: int, last: bool) -> bool | None:
        """Say whether nothing follows the run on its line; None while the line is not over."""
        line, ended, _ = self._buffer[end:].partition("\n")
        if line.strip(" \t"):
            return False
        return True if ended or last else None

    def _tag(self, last: bool) -> bool:
        tags = (THINK_CLOSE,) if self._mode == "think" else (THINK_OPEN, THINK_CLOSE, CALL_OPEN)
        tag = next((tag for tag in tags if self._buffer.startswith(tag)), None)
        if tag is None:
            if not last and any(tag.startswith(self._buffer) for tag in tags):
                return False
            self._emit(self._consume(1))
            return True
        inside = self._inside_code(last)
        if inside is None:
            return False
        self._resume = 0
        if inside or (tag == THINK_CLOSE and self._mode == "text" and self._thought):
            self._emit(self._consume(len(tag)))
            return True
        self._code = None
        self._consume(len(tag))
        self._turn(tag)
        return True

    def _turn(self, tag: str) -> None:
        """Go where the tag leads."""
        if tag == CALL_OPEN:
            self._mode = "call"
            return
        if tag == THINK_CLOSE and self._mode == "text":
            self._pieces.append(Piece("retract"))
        self._thought = True
        self._mode = "think" if tag == THINK_OPEN else "text"
        self._opening = self._blank = True

    def _inside_code(self, last: bool) -> bool | None:
        """Say whether the tag at the start of the buffer stands in code; None while that is open."""
        code = self._code
        if code is None:
            return False
        if code.fence:
            # An open fence runs to the end of the answer, but a thought that forgot its fence must not swallow the answer.
            return True if self._mode == "text" else self._fence_ahead(code, last)
        return self._span_ahead(code, last)

    def _fence_ahead(self, code: _Code, last: bool) -> bool | None:
        closing = re.compile(
            rf"^[ \t>]*{re.escape(code.mark)}{{{code.length},}}[ \t]*{'$' if last else chr(92) + 'n'}", re.MULTILINE
        )
        if closing.search(self._buffer, self._resume):
            return True
        self._resume = self._buffer.rfind("\n", 0, len(self._buffer)) + 1
        return False if last else None

    def _span_ahead(self, code: _Code, last: bool) -> bool | None:
        end = PARAGRAPH_END.search(self._buffer)
        limit = end.start() if end else len(self._buffer)
        for run in BACKTICKS.finditer(self._buffer, 0, limit):
            if run.end() == len(self._buffer) and not last:
                return None
            if run.end() - run.start() == code.length:
                return True
        return False if end or last else None

    def _body(self, last: bool) -> bool:
        """Collect what stands between the call tags; at the end of the text an open one counts as closed."""
        end = self._buffer.find(CALL_CLOSE, self._resume)
        if end < 0 and not last:
            self._resume = max(0, len(self._buffer) - len(CALL_CLOSE))
            return False
        self._resume = 0
        if end < 0:
            self._pieces.append(Piece("call", self._consume(len(self._buffer))))
        else:
            self._pieces.append(Piece("call", self._consume(end)))
            self._consume(len(CALL_CLOSE))
        self._mode = "text"
        return True
