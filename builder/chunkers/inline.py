"""Inline Markdown into the canonical text of a card: one pass, formulas and code first, emphasis marks last."""

from __future__ import annotations

import html
import re
from collections.abc import Container
from dataclasses import dataclass
from functools import cache

from .inline_tags import ATTRIBUTES, COMPONENT, TAG
from .typesetting import PLAIN, Smart, is_typed, typeset

_TOKENS = rf"""(?P<environment>
        \\begin\{{(?P<name>(?:(?P<alone>equation|align|gather|multline|eqnarray|alignat|flalign)|split|cases|array|[bpvBV]?matrix)\*?)\}}
        .{{1,20000}}?\\end\{{(?P=name)\}})
    |(?P<escape>\\[!-'*-/:-@^-`{{-~])
    |(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?P<code_text>.{{1,8000}}?)(?<!`)(?P=ticks)(?!`))
    |(?P<display>\$\$(?P<display_text>.{{1,20000}}?)\$\$)
    |(?P<bracket>\\\[(?P<bracket_text>[^$]{{1,8000}}?)\\\])
    |(?P<math>(?<![\\$])\$(?P<math_text>(?:[^\s$\\]|\\.)(?:(?:\\.|[^$\\]){{0,4000}}?(?:[^\s$\\]|\\.))?)\$(?![0-9]))
    |(?P<wide>(?<![\\$])\$[ ](?P<wide_text>[^$\n]{{0,4000}}?[\\_^=][^$\n]{{0,4000}}?)[ ]\$(?![0-9$]))
    |(?P<round>\\\((?P<round_text>.{{1,4000}}?)\\\))
    @TWICE@
    |(?P<bare>\\[()\[\]\\])
    |(?P<comment><!--.{{0,20000}}?-->|\{{/\*.{{0,20000}}?\*/\}})
    |(?P<auto><(?:[A-Za-z][A-Za-z0-9+.-]{{1,31}}:[^\s<>]*|[\w.!\#$%&'*+/=?^`{{|}}~-]+@[\w-]+(?:\.[\w-]+)+)>)
    |(?P<tag>{TAG})
    |(?P<component>{COMPONENT})
    |(?P<element><(?P<end>/?)(?P<element_name>[A-Z][\w.]*)\s*>)
    |(?P<role>\{{(?P<role_name>[A-Za-z][\w:.+-]*)\}}(?P<role_ticks>`+)(?P<role_text>.{{1,4000}}?)(?P=role_ticks))
    |(?P<note>\[\^(?P<note_label>[^\]\s]{{1,200}})\])
    |(?P<open>!?\[)
    |(?P<close>\])
    |(?P<run>\*+|_+@MARKS@)
    |(?P<entity>&(?:[A-Za-z][A-Za-z0-9]{{1,31}}|\#[0-9]{{1,7}}|\#[xX][0-9A-Fa-f]{{1,6}});)
    """
_TWICE = r"""|(?P<twice>\\{2,3}\((?P<twice_text>.{1,4000}?)\\{2,3}\))
    |(?P<shown>\\{2,3}\[(?P<shown_text>[^$]{1,8000}?)\\{2,3}\](?!\())"""
"""Formulas as they are written where a backslash makes every sign plain, itself too; not so in Python-Markdown."""
_SCRIPTS = (
    r"""(?P<script>(?<![~^\\])(?P<script_mark>[%s])(?P<script_text>(?:[^\s%s\\`$\[\]<>]|\\.){1,200})(?P=script_mark)(?![~^]))|"""
)
"""What stands below or above the line: `H~2~O`, `x^2^`."""
_ESCAPABLE = frozenset("\\`*_{}[]()>#+-.!|$\n")
"""What a backslash makes a plain sign in Python-Markdown."""
_SPECIAL = r"[\\`$<\[\]*_]|!(?=\[)|&(?=[A-Za-z#])|\{(?=[A-Za-z/])"
_TARGET = re.compile(
    r"""\(\s*(?:<[^>\n]*>|(?:[^\s()\\]|\\.|\((?:[^()\s]|\([^()\s]*\))*\))*)(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*\)"""
    r"""|\(\s*[^()\n]*\)""",
    re.DOTALL,
)
_REFERENCE, _SPACED_REFERENCE = (re.compile(rf"{space}\[([^\]\[]{{0,300}})\]") for space in ("", "[ \n]?"))
"""What a label in brackets follows on; only Python-Markdown has space between the two."""
_TEX = re.compile(r"\\[A-Za-z]|[_^=]")
_ROLE_TARGET = re.compile(r"\s*<([^<>]+)>$")
_REFERENCE_ROLES = frozenset(["ref", "numref", "eq", "doc", "any", "cite", "p", "t", "ps", "ts", "year", "author", "footcite"])
"""Roles that show what the page says of their target, not what stands in the source."""
_BACKTICKS = re.compile(r"`+")
_TAG_NAME = re.compile(r"</?([A-Za-z][\w-]*)")
_EMPHASIS_TAGS = frozenset(["b", "strong", "i", "em", "u", "dfn", "mark"])
_CODE_TAGS = frozenset(["code", "kbd", "samp", "tt"])
_BREAKING_TAGS = frozenset(["br", "p", "div", "li", "tr", "td", "th", "hr", "ul", "ol", "table"])


@dataclass(slots=True)
class Inline:
    """What a run of inline Markdown says."""

    text: str
    terms: tuple[str, ...] = ()
    opening: str = ""
    """The emphasis the run begins with."""
    notes: tuple[str, ...] = ()
    """Labels of the footnotes it refers to."""
    told: int | None = None
    """How many letters from the start stand on the page as they are; None for all."""


def collapse(text: str) -> str:
    """Collapse white space as a browser shows it; a no-break space counts as a space."""
    return " ".join(text.split())


def code_span(text: str) -> str:
    """Wrap inline code in as many backticks as it needs."""
    text = collapse(text)
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0) if "`" in text else 0
    ticks = "`" * (longest + 1)
    return f"{ticks} {text} {ticks}" if longest else f"{ticks}{text}{ticks}"


def read_inline(
    source: str,
    references: Container[str] = (),
    *,
    strict: bool = False,
    python: bool = False,
    scripts: str = "",
    smart: Smart = PLAIN,
    escapes: str = "",
    marks: str = "~=",
    notes: Container[str] | None = None,
) -> Inline:
    """Read inline Markdown; `references` holds the labels of link definitions, upper case, `notes` those of footnotes.

    With `strict`, roles of MyST and comments of MDX are text, as they are to MkDocs; `python` has the rules of
    Python-Markdown; the others are those of a `Dialect`.
    """
    special, token = _patterns(scripts, marks, python)
    sign = special.search(source)
    if sign is None and not (smart and is_typed(source)):
        return Inline(" ".join(source.split()))
    return _Reader(source, references, strict, python, notes, escapes).read(sign, special, token, smart)


@cache
def _patterns(scripts: str, marks: str, python: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What finds a sign that may mean something, and the token there, with these marks for what is not on the line or set off."""
    signs = re.escape(scripts)
    special = "|".join((_SPECIAL, *(f"{mark}(?={mark})" for mark in marks), *([f"[{signs}]"] if scripts else ())))
    tokens = _TOKENS.replace("@MARKS@", "".join(f"|{mark}{mark}" for mark in marks)).replace("@TWICE@", "" if python else _TWICE)
    return re.compile(special), re.compile((_SCRIPTS % (signs, signs) if scripts else "") + tokens, re.VERBOSE | re.DOTALL)


class _Run:
    """A run of emphasis marks that may open or close."""

    __slots__ = ("closes", "count", "mark", "opens", "piece")

    def __init__(self, piece: int, mark: str, count: int, *, opens: bool, closes: bool) -> None:
        self.piece, self.mark, self.count, self.opens, self.closes = piece, mark, count, opens, closes


class _Reader:
    """Reads one run of inline Markdown."""

    __slots__ = (
        "absent", "brackets", "escapes", "known", "notes", "pieces", "python", "references", "runs", "source", "spans", "strict",
        "tags", "terms", "told",
    )  # fmt: skip

    def __init__(
        self, source: str, references: Container[str], strict: bool, python: bool, known: Container[str] | None, escapes: str
    ) -> None:
        self.source, self.references, self.known, self.escapes = source, references, known, escapes
        self.strict, self.python = strict, python
        self.pieces: list[str] = []
        self.runs: list[_Run] = []
        self.brackets: list[tuple[int, int, bool]] = []
        """Piece, position in the source and whether it is an image's."""
        self.spans: list[tuple[int, int]] = []
        """Pieces between the marks of an emphasis."""
        self.tags: list[tuple[str, int]] = []
        self.terms: list[str] = []
        self.notes: list[str] = []
        self.absent: set[str] = set()
        self.told: int | None = None

    def read(self, sign: re.Match[str] | None, special: re.Pattern[str], token: re.Pattern[str], smart: Smart) -> Inline:
        """Read from the first sign that may mean something."""
        source, position, pieces = self.source, 0, self.pieces
        search, match, take = special.search, token.match, self._take
        while sign:
            start = sign.start()
            if start > position:
                pieces.append(typeset(source, position, start, smart) if smart else source[position:start])
            found = match(source, start)
            if found is None:
                pieces.append(source[start])
                position = start + 1
            else:
                position = take(found)
            sign = search(source, position)
        pieces.append(typeset(source, position, len(source), smart) if smart else source[position:])
        if self.runs:
            self._pair()
        return self._result()

    def _take(self, found: re.Match[str]) -> int:
        """Take one token; return where to go on."""
        kind, end, pieces = found.lastgroup, found.end(), self.pieces
        if self.strict and (literal := self._literal(found)):
            pieces.append(literal)
            return found.start() + len(literal)
        match kind:
            case "code":
                return self._code(found["code_text"], end)
            case "run":
                self._run(found)
                return _after_attributes(self.source, end)
            case "open":
                self.brackets.append((len(pieces), end, found[0] == "!["))
                pieces.append(found[0])
            case "close":
                return self._close(end)
            case "math" | "wide" | "round" | "twice":
                self._formula(f"${collapse(found[f'{kind}_text'])}$")
            case "environment":
                pieces.append(f"$${found[0]}$$" if found["alone"] else found[0])
            case "display":
                self._formula(f"$${found['display_text'].strip()}$$")
            case "shown":
                self._formula(f"$${found['shown_text'].strip()}$$")
            case "bracket":
                text = found["bracket_text"]
                if not _TEX.search(text) or "](" in text:
                    pieces.append("[")
                    return found.start() + 2
                self._formula(f"$${text.strip()}$$")
            case "escape" | "bare":
                pieces.append(found[0][1:] if found[0][1] != "\n" else " ")
            case "comment" | "component":
                pass
            case "element":
                self._element(found)
            case "auto":
                pieces.append(found[0][1:-1].removeprefix("mailto:"))
            case "tag":
                self._tag(found[0])
            case "role":
                self._role(found["role_name"], found["role_text"])
            case "note":
                self._note(found)
            case "script":
                pieces.append(found["script_text"].replace("\\ ", " "))
            case _:
                pieces.append(html.unescape(found[0]))
        return end

    def _formula(self, text: str) -> None:
        """A backslash right before a formula stays one that says so itself."""
        if self.pieces and self.pieces[-1] == "\\":
            self.pieces[-1] = "\\\\"
        self.pieces.append(text)

    def _literal(self, found: re.Match[str]) -> str:
        """What a token of another generator's syntax shows in MkDocs."""
        match found.lastgroup:
            case "escape" if found[0][1] not in _ESCAPABLE and found[0][1] not in self.escapes:
                return "\\"
            case "role":
                return f"{{{found['role_name']}}}"
            case "comment" if found[0][0] == "{":
                return "{"
            case "wide":
                return found[0]
            case "environment":
                return "\\"
            case _:
                return ""

    def _element(self, found: re.Match[str]) -> None:
        """A component around text leaves the text; `Vec<T>` is text."""
        name = found["element_name"]
        other = f"<{name}" if found["end"] else f"</{name}>"
        if other in self.absent or other not in self.source:
            self.absent.add(other)
            self.pieces.append(found[0])

    def _note(self, found: re.Match[str]) -> None:
        """A footnote mark; without a footnote it is text."""
        if self.known is None or found["note_label"] in self.known:
            self.notes.append(found["note_label"])
        else:
            self.pieces.append(found[0])

    def _code(self, text: str, end: int) -> int:
        text = " ".join(text.split())
        self.pieces.append(f"`{text}`" if "`" not in text else code_span(text))
        if text:
            self.terms.append(text)
        return _after_attributes(self.source, end)

    def _role(self, name: str, text: str) -> None:
        if name == "math":
            self.pieces.append(f"${collapse(text)}$")
            return
        target = _ROLE_TARGET.search(text)
        if not target and name.rpartition(":")[2] in _REFERENCE_ROLES and self.told is None:
            self.told = len(collapse("".join(self.pieces)))
        shown = text[: target.start()].replace("%s", target[1]) if target and target.start() else text.strip("<>!~")
        self.pieces.append(collapse(shown))
        if name in ("term", "dfn", "keyterm", "abbr"):
            self.terms.append(collapse(shown))

    def _close(self, end: int) -> int:
        """A bracket closes: a link, an image, or just a bracket."""
        if not self.brackets:
            self.pieces.append("]")
            return end
        piece, start, image = self.brackets.pop()
        after = self._after_link(self.source[start : end - 1], end)
        if after is None and not self.strict and not image and self.source.startswith("{", end):
            after = end if ATTRIBUTES.match(self.source, end) else None  # a span of pandoc
        if after is None:
            self.pieces.append("]")
            return end
        if image:
            self._drop(piece)
        else:
            self.pieces[piece] = ""
        return _after_attributes(self.source, after)

    def _after_link(self, label: str, end: int) -> int | None:
        """Return where a link ends whose text ended at `end`, None when it is no link."""
        source = self.source
        if source.startswith("(", end) and (target := _TARGET.match(source, end)):
            return target.end()
        if (reference := (_SPACED_REFERENCE if self.python else _REFERENCE).match(source, end)) and (
            collapse(reference[1]) or collapse(label)
        ).upper() in self.references:
            return reference.end()
        return end if collapse(label).upper() in self.references else None

    def _tag(self, tag: str) -> None:
        """An element of HTML: emphasis and code keep their meaning, the rest leaves its text."""
        named = _TAG_NAME.match(tag)
        name = named[1].lower() if named else ""
        if name in _BREAKING_TAGS:
            self.pieces.append(" ")
        elif name not in _EMPHASIS_TAGS and name not in _CODE_TAGS:
            return
        elif not tag.startswith("</"):
            self.tags.append((name, len(self.pieces)))
            self.pieces.append("")
        elif self.tags and self.tags[-1][0] == name:
            _, piece = self.tags.pop()
            if name in _CODE_TAGS:
                self._code_element(piece)
            else:
                self.spans.append((piece, len(self.pieces)))
                self.pieces.append("")

    def _code_element(self, piece: int) -> None:
        """Write an element of code as code; what is set off inside it has no place of its own any more."""
        text = "".join(self.pieces[piece:])
        inner = [collapse("".join(self.pieces[first:last])) for first, last in self.spans if first >= piece]
        self._drop(piece)
        if text.strip():
            self.pieces.append(code_span(text))
            self.terms += (term for term in (collapse(text), *inner) if term)

    def _drop(self, piece: int) -> None:
        """Take pieces away, with all that is known of them."""
        del self.pieces[piece:]
        self.runs = [run for run in self.runs if run.piece < piece]
        self.spans = [span for span in self.spans if span[0] < piece]
        self.tags = [tag for tag in self.tags if tag[1] < piece]
        self.brackets = [bracket for bracket in self.brackets if bracket[0] < piece]

    def _run(self, found: re.Match[str]) -> None:
        source, marks, (start, end) = self.source, found[0], found.span()
        before = source[start - 1] if start else " "
        after = source[end] if end < len(source) else " "
        opens, closes = not after.isspace(), not before.isspace()
        if marks[0] == "_":
            opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
        self.runs.append(_Run(len(self.pieces), marks[0], len(marks), opens=opens, closes=closes))
        self.pieces.append(marks)

    def _pair(self) -> None:
        """Match marks that close with those that open; what stays unmatched is text."""
        waiting: dict[str, list[_Run]] = {}
        for run in self.runs:
            stack = waiting.setdefault(run.mark, [])
            while run.closes and run.count and stack:
                opener = stack[-1]
                used = min(opener.count, run.count, 2)
                if run.mark in "~=" and used < 2:
                    break
                opener.count -= used
                run.count -= used
                self.spans.append((opener.piece, run.piece))
                self.pieces[opener.piece] = opener.mark * opener.count
                self.pieces[run.piece] = run.mark * run.count
                if not opener.count:
                    stack.pop()
            if run.opens and run.count:
                stack.append(run)

    def _result(self) -> Inline:
        text = collapse("".join(self.pieces))
        opening, terms = "", self.terms
        for first, last in sorted(self.spans) if self.spans else ():
            term = collapse("".join(self.pieces[first + 1 : last]))
            if not term:
                continue
            if not opening and text.startswith(term) and not "".join(self.pieces[: first + 1]).strip():
                opening = term
            terms.append(term)
        return Inline(text, tuple(dict.fromkeys(terms)) if terms else (), opening, tuple(self.notes), self.told)


def _after_attributes(source: str, end: int) -> int:
    """Skip an attribute list that follows an inline element."""
    if source.startswith("{", end) and (found := ATTRIBUTES.match(source, end)):
        return found.end()
    return end
