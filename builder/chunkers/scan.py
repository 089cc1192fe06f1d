"""First pass over Markdown: what markdown-it must not look into (code, formulas, raw HTML) and what opens and closes units.

Each such place becomes one line with a mark on it, so that the block parser sees plain Markdown only; the pass is linear and
every line knows where it stood in the source. What opens units is in `directives.py`, `components.py` and `latex.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from askbook.builder.blocks import Problem
from askbook.builder.dialects import Dialect

from .scan_marks import MARK, Close, Indented, Mark, Math, Open
from .spans import Spans


@dataclass(slots=True)
class Frame:
    """Something that has opened and waits for its end."""

    kind: Literal["colon", "slash", "fence", "component", "element", "latex"]
    name: str
    line: int
    count: int = 0
    """Length of its fence."""
    unit: bool = True
    """Whether a `Close` is due."""
    indent: int = -1
    """What the lines of a component are indented by; -1 until its first line."""
    component: Frame | None = None
    """The innermost component around its content, itself included."""


_CROWDED: Final = 5_000_000
"""Letters that rests of one line may have in all: thousands of tags in a line cost no more than they are."""


@dataclass(slots=True)
class Scan:
    """The state of the pass; `todo` is a stack, its last entry the next line."""

    dialect: Dialect
    todo: list[tuple[str, int]]
    file: str = ""
    out: list[str] = field(default_factory=list)
    origin: list[int] = field(default_factory=list)
    marks: dict[int, Mark] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    elements: dict[str, list[int]] = field(default_factory=dict)
    """Of each name of an open component or element the places among the frames."""
    spans: dict[str, Spans] = field(default_factory=dict)
    """Of each name of raw HTML where its elements end."""
    notes: set[str] = field(default_factory=set)
    """Labels of the footnotes of the page."""
    problems: list[Problem] = field(default_factory=list)
    absent: set[str] = field(default_factory=set)
    """Ends that have been looked for and stand nowhere further on."""
    barren: dict[str, int] = field(default_factory=dict)
    """Ends that have been looked for in vain, to the line up to which they do not stand."""
    figures: dict[str, list[int]] = field(default_factory=dict)
    """Of each kind of numbered captions the last number."""
    list_start: int = 0
    """What the next list of Markdown begins with, where a block says so."""
    list_kinds: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Of each list that may go on, by how far in it stands, its markers and the sign that they are given."""
    again_line: int = 0
    again_size: int = 0
    """Of the line whose rests came again, how many letters they had in all."""
    found: dict[str, int] = field(default_factory=dict)
    """Ends that have been found, to their line."""

    def push(self, frame: Frame) -> None:
        """Note that something has opened."""
        frame.component = frame if frame.kind == "component" else self.frames[-1].component if self.frames else None
        if frame.kind in ("component", "element"):
            self.elements.setdefault(frame.name, []).append(len(self.frames))
        self.frames.append(frame)

    def margin(self) -> int:
        """What lines are indented by inside the innermost component."""
        frame = self.frames[-1].component if self.frames else None
        return max(0, frame.indent) if frame else 0

    def dedented(self, text: str, stripped: str) -> str:
        """Take away what the lines inside a component are indented by; its first line says how far that is."""
        frame = self.frames[-1].component
        if frame is None:
            return text
        width = len(text) - len(stripped)
        if frame.indent < 0:
            frame.indent = width
        return text[min(width, frame.indent) :]

    def put(self, text: str, line: int) -> None:
        """Let the block parser see a line."""
        self.out.append(text)
        self.origin.append(line)

    def again(self, text: str, line: int) -> None:
        """Let what is left of a line come next."""
        if line != self.again_line:
            self.again_line, self.again_size = line, 0
        self.again_size += len(text)
        self.todo.append((text, line))

    def is_crowded(self, line: int) -> bool:
        """Whether rests of a line have been looked at so often that the last one is to be taken whole."""
        return line == self.again_line and self.again_size > _CROWDED

    def mark(self, mark: Mark, line: int, prefix: str = "") -> None:
        """Let the block parser see a mark."""
        self.marks[len(self.out)] = mark
        self.put(prefix + MARK, line)

    def open(self, mark: Open | None, frame: Frame, prefix: str = "") -> None:
        """Open a unit, or something without a card of its own when `mark` is None."""
        frame.unit = mark is not None
        self.push(frame)
        if mark is not None:
            self.mark(mark, frame.line, prefix)
        else:
            self.put("", frame.line)

    def close(self, index: int, line: int, prefix: str = "") -> None:
        """Close the frame at `index` and, as never closed, those inside it."""
        for frame in reversed(self.frames[index + 1 :]):
            self._unclosed(frame)
            if frame.unit:
                self.mark(Close(), line, prefix)
        if self.frames[index].unit:
            self.mark(Close(), line, prefix)
        else:
            self.put("", line)
        for frame in self.frames[index:]:
            if frame.kind in ("component", "element"):
                self.elements[frame.name].pop()
        del self.frames[index:]

    def _unclosed(self, frame: Frame) -> None:
        shown = {"component": f"<{frame.name}>", "element": f"<{frame.name}>", "latex": f"\\begin{{{frame.name}}}"}.get(
            frame.kind
        )
        shown = (
            shown
            or (":" * frame.count if frame.kind == "colon" else "/" * frame.count if frame.kind == "slash" else "```")
            + f" {frame.name.lstrip('`~')}"
        )
        self.problem(frame.line, f"{shown} is never closed", fatal=frame.kind == "component")

    def problem(self, line: int, message: str, *, fatal: bool = False) -> None:
        """Note something the author can mend."""
        self.problems.append(Problem(self.file, line, message, fatal))

    def renumber(self, numbers: Sequence[int], first: int) -> None:
        """Give lines the numbers they have in the page's own file, where other files stand in its text."""

        def own(line: int) -> int:
            return first + numbers[min(max(line - first, 0), len(numbers) - 1)]

        self.origin = [own(line) for line in self.origin]
        self.problems = [replace(problem, line=own(problem.line)) for problem in self.problems]

    def finish(self) -> None:
        """Close what is still open at the end of the page."""
        if self.frames:
            last = self.origin[-1] if self.origin else 1
            outer = self.frames[0]
            self._unclosed(outer)
            self.close(0, last)


_ADMONITION = re.compile(r'^!!! ?([\w-]+(?: +[\w-]+)*)(?: +"(.*?)")? *$')
_DETAILS = re.compile(r'^\?{3}\+? ?(?:([\w-]+(?: +[\w-]+)*?)?(?: +"(.*?)")|([\w-]+(?: +[\w-]+)*?)) *$')
_TAB = re.compile(r'^={3}(?:\+!|!\+|\+|!)? +"(.*?)" *$')
_NOTE = re.compile(r"^\[\^([^\]\s]+)\]:[ \t]?(.*)$")
_ABBREVIATION = re.compile(r"^\*\[[^\]]+\]:")
_TOC = re.compile(r"^\[TOC\]\s*$|^\[\[_?toc_?\]\]\s*$", re.I)
_TARGET = re.compile(r"^\([\w:.+/ -]+\)=\s*$")
_MYST_LINE = re.compile(r"%|\+\+\+(?:\s|$)|\{[#.][^{}]*\}\s*$")
"""Comments, breaks between blocks, and attributes of the block below."""
_HEADING = re.compile(r"^#{1,6}\s")
_CODE_SPANS = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_DOLLARS = re.compile(r"\\.|\$\$|\$(?:\\.|[^$\\])+?\$")
"""Display signs and inline formulas; `$a$$b$` is two of these."""
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+")
_EQUATION_LABEL = re.compile(r"^\s*(?:\([\w:.+/-]+\)|\{[^{}]*\})?\s*$")
_DEEPEST_NOTE: Final = 400
"""How far in a footnote may stand; each inside another stands four columns further."""
_LOOK_AHEAD: Final = 400
"""Lines a formula may span."""


def scan(source: str, dialect: Dialect, *, file: str = "", first_line: int = 1) -> Scan:
    """Run the first pass."""
    from . import components, directives, fancy_lists, latex, modules
    from .fences import take_fence

    lines = source.replace(MARK, "").split("\n")
    state = Scan(dialect, [*zip(lines, range(first_line, first_line + len(lines)), strict=True)][::-1], file)
    todo, out, origin = state.todo, state.out, state.origin
    while todo:
        text, line = todo.pop()
        stripped = text.lstrip(" \t")
        if not stripped or (dialect.name == "myst" and _MYST_LINE.match(stripped)):
            state.put("", line)
            continue
        if state.frames:
            text = state.dedented(text, stripped)
            if components.closes(state, text, stripped, line) or directives.closes(state, text, stripped, line):
                continue
        if ("```" in text or "~~~" in text) and take_fence(state, text, line):
            continue
        if dialect.fancy_lists:
            text = fancy_lists.with_figures(state, text, stripped)
        first = stripped[0]
        if first == "{" and dialect.components and components.expression(state, text, stripped, line):
            continue
        if first in _ITEM_FIRST and dialect.raw_html and _unit_in_item(state, text, line):
            continue
        if first in _PLAIN_FIRST:
            if "$$" not in text or not _formula(state, text, stripped, line):
                out.append(text)
                origin.append(line)
            continue
        if first == "<" and components.opens(state, text, stripped, line):
            continue
        if first == "\\":
            if latex.opens(state, text, stripped, line) or _bracket_formula(state, text, stripped, line):
                continue
        elif first in ":/":
            if directives.opens(state, text, stripped, line):
                continue
        elif (first in "!?=[*(" and _marked_line(state, text, stripped, line)) or (
            first in "ie" and modules.opens(state, stripped, line)
        ):
            continue
        if "$$" not in text or not _formula(state, text, stripped, line):
            state.put(text, line)
    state.finish()
    return state


_ITEM_FIRST = frozenset("-+*:0123456789")
_ITEM = re.compile(r"[ \t]*(?:(?:[-*+:]|\d+\.)[ \t]+)+")
_UNIT = re.compile(r"!!!|\?\?\?|===")
"""What may open a unit behind the marker of an item."""
_PLAIN_FIRST = frozenset("abcdfghjklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#-+>_|\"'&%.,;)]}{@^~")


def _unit_in_item(state: Scan, text: str, line: int) -> bool:
    """A unit that opens right behind the marker of an item, or of a definition that has a term."""
    found = _ITEM.match(text)
    if found is None or not _UNIT.match(text, found.end()):
        return False
    if ":" in found[0] and not any(above.strip() for above in state.out[-2:]):
        return False
    return _marked_line(state, text, text[found.end() :], line)


def _formula(state: Scan, text: str, stripped: str, line: int) -> bool:
    """A `$$` formula that is a block of its own, or one that runs over several lines of a paragraph."""
    found = _QUOTED.match(text) if stripped[0] == ">" else None
    quote = found[0] if found else ""
    text = text[len(quote) :]
    if not stripped.startswith("|") and _odd(text):
        closing = _closing_line(state, blank_lines=text.lstrip().startswith("$$"), quoted=bool(quote))
        if closing is None:
            return False
        lines = [state.todo.pop()[0] for _ in range(closing)]
        text = "\n".join([text, *(_QUOTED.sub("", line) if quote else line for line in lines)])
    stripped = text.lstrip(" \t")
    tex = _alone(stripped)
    if tex is not None:
        state.mark(Math(tex), line, quote + text[: len(text) - len(stripped)])
    else:
        state.put(quote + " ".join(text.split("\n")), line)
    return True


def _odd(text: str) -> bool:
    if "`" in text:
        text = _CODE_SPANS.sub("", text)
    return _DOLLARS.findall(text).count("$$") % 2 == 1


def _closing_line(state: Scan, *, blank_lines: bool, quoted: bool) -> int | None:
    """How many lines on the formula ends that has just opened."""
    todo = state.todo
    for ahead in range(1, min(len(todo), _LOOK_AHEAD) + 1):
        text = todo[-ahead][0]
        if quoted and not text.lstrip().startswith(">"):
            return None
        if not text.strip(" \t>"):
            if not blank_lines:
                return None
        elif "```" in text or _HEADING.match(text):
            return None
        elif "$$" in text and _odd(text):
            return ahead
    return None


def _alone(stripped: str) -> str | None:
    """The formula, when the text is one display formula and nothing else."""
    if not stripped.startswith("$$"):
        return None
    tex, closing, after = stripped[2:].partition("$$")
    if not closing or not tex.strip() or not _EQUATION_LABEL.match(after):
        return None
    return tex


def _bracket_formula(state: Scan, text: str, stripped: str, line: int) -> bool:
    r"""A `\[ … \]` formula at the start of a line."""
    if not stripped.startswith("\\["):
        return False
    taken = [stripped[2:]]
    for ahead in range(min(len(state.todo), _LOOK_AHEAD) + 1):
        if ahead:
            taken.append(state.todo[-ahead][0])
        if "\\]" in taken[-1]:
            break
        if not taken[-1].strip() and ahead > 0:
            return False
    tex, closing, after = "\n".join(taken).partition("\\]")
    if not closing or after.strip() or "$" in tex:
        return False
    del state.todo[len(state.todo) - len(taken) + 1 :]
    state.mark(Math(tex), line, text[: len(text) - len(stripped)])
    return True


def _marked_line(state: Scan, text: str, stripped: str, line: int) -> bool:
    """Admonitions, details, tabs, footnotes and lines that leave nothing."""
    dialect, prefix = state.dialect, text[: len(text) - len(stripped)]
    if stripped.startswith("!!!") and dialect.admonitions and (found := _ADMONITION.match(stripped)):
        name = found[1].split()[0]
        title = name.capitalize() if found[2] is None else found[2]
        state.mark(Indented("unit", name.lower(), title), line, prefix)
    elif stripped.startswith("???") and dialect.details and (found := _DETAILS.match(stripped)):
        name = (found[1] or found[3] or "details").split()[0]
        title = name.capitalize() if found[2] is None else found[2]
        state.mark(Indented("unit", name.lower(), title), line, prefix)
    elif stripped.startswith("===") and dialect.tabs and (found := _TAB.match(stripped)):
        state.mark(Indented("tab", "", found[1]), line, prefix)
    elif stripped.startswith("[^") and dialect.footnotes and len(prefix) < _DEEPEST_NOTE and (found := _NOTE.match(stripped)):
        state.notes.add(found[1])
        if dialect.raw_html and not prefix.strip(" "):
            prefix = prefix[: len(prefix) // 4 * 4]  # what stands before it counts for nothing in Python-Markdown
        state.mark(Indented("note", found[1]), line, prefix)
        state.todo.append((f"{prefix}    {found[2]}", line))
    elif (
        (stripped.startswith("*[") and dialect.abbreviations and _ABBREVIATION.match(stripped))
        or _TOC.match(stripped)
        or (stripped.startswith("(") and dialect.directives and _TARGET.match(stripped))
    ):
        state.put("", line)
    else:
        return False
    return True
