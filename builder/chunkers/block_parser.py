"""The block parser of markdown-it, asking of each line only the rules that its first sign may open; tokens are made cheaply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from markdown_it.utils import EnvType

from .scan_marks import MARK

Rule = Callable[[StateBlock, int, int, bool], bool]

_SIGNS: Final = {
    "askbook_mark": MARK,
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*-+0123456789",
    "reference": "[",
    "heading": "#",
}
"""What a line begins with that a rule may open; rules not named here look at any line."""
_SILENT_SIGNS: Final = {**_SIGNS, "deflist": ":~"}
"""The same where a rule is only asked whether it would end a paragraph."""
SPECIAL: Final = frozenset("".join(_SILENT_SIGNS.values()))
"""A line that begins with another sign opens no block that one line can show to be one."""


class LightToken(Token):
    """A token whose fields are taken as they are given."""

    __slots__ = ()

    def __init__(self, type: str, tag: str, nesting: Literal[-1, 0, 1], level: int = 0) -> None:  # noqa: A002
        self.type, self.tag, self.nesting, self.level = type, tag, nesting, level
        self.attrs, self.meta = {}, {}
        self.map = self.children = None
        self.content = self.markup = self.info = ""
        self.block, self.hidden = True, False


class State(StateBlock):
    """A page as the rules see it, made of its lines."""

    def __init__(self, lines: Sequence[str], md: MarkdownIt, env: EnvType, tokens: list[Token]) -> None:
        self.src, self.md, self.env, self.tokens = "\n".join(lines), md, env, tokens
        self._take(lines)
        self.blkIndent = self.line = self.level = 0
        self.tight, self.result, self.parentType = False, "", "root"
        self.ddIndent = self.listIndent = -1
        self._code_enabled = "code" in md.block.ruler.get_active_rules()
        self._by_fours = getattr(md.block, "by_fours", False)

    def _take(self, lines: Sequence[str]) -> None:
        """Note where each line begins and ends, and how far it is indented."""
        starts: list[int] = []
        ends: list[int] = []
        shifts: list[int] = []
        indents: list[int] = []
        place = 0
        for line in lines:
            starts.append(place)
            place += len(line)
            ends.append(place)
            place += 1
            if line[:1] in (" ", "\t"):
                lead = line[: len(line) - len(line.lstrip(" \t"))]
                shifts.append(len(lead))
                indents.append(len(lead.expandtabs(4)) if "\t" in lead else len(lead))
            else:
                shifts.append(0)
                indents.append(0)
        if lines and shifts[-1] == len(lines[-1]):  # a last line without a word has no place among the lines
            for column in (starts, ends, shifts, indents):
                column.pop()
        length = len(self.src)
        self.lineMax = len(starts)
        self.bMarks, self.eMarks = [*starts, length], [*ends, length]
        self.tShift, self.sCount, self.bsCount = [*shifts, 0], [*indents, 0], [0] * (self.lineMax + 1)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Push a token."""
        if nesting < 0:
            self.level -= 1
        token = LightToken(ttype, tag, nesting, self.level)
        if nesting > 0:
            self.level += 1
        self.tokens.append(token)
        return token

    def is_code_block(self, line: int) -> bool:
        """Whether a line is indented as code is; in Python-Markdown what an item holds is indented by fours."""
        indent = self.blkIndent
        if self._by_fours:
            indent += -indent % 4
        return self._code_enabled and self.sCount[line] - indent >= 4

    def isEmpty(self, line: int) -> bool:  # noqa: N802
        """Whether a line holds nothing but white space."""
        return self.bMarks[line] + self.tShift[line] >= self.eMarks[line]


class _Chains(Ruler[Rule]):
    """Rules that end a block, asked by the first sign of a line."""

    def __init__(self) -> None:
        super().__init__()
        self._asked: dict[str, list[Rule]] = {}

    def getRules(self, chainName: str = "") -> list[Rule]:  # noqa: N802, N803
        """The rules of a chain; all but the main one are a single rule that asks the others."""
        if not chainName:
            return super().getRules()
        if chainName not in self._asked:
            self._asked[chainName] = [_asking(self.by_sign(chainName))]
        return self._asked[chainName]

    def by_sign(self, chain: str) -> dict[str, tuple[Rule, ...]]:
        """The rules of a chain by the first sign of a line; under the empty sign those for every other."""
        signs = _SILENT_SIGNS if chain else _SIGNS
        rules = [rule for rule in self.__rules__ if rule.enabled and (not chain or chain in rule.alt)]
        return {
            sign: tuple(rule.fn for rule in rules if rule.name not in signs or (sign and sign in signs[rule.name]))
            for sign in ("", *SPECIAL)
        }


def _asking(rules: dict[str, tuple[Rule, ...]]) -> Rule:
    others = rules[""]

    def ask(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        place = state.bMarks[line] + state.tShift[line]
        for rule in rules.get(state.src[place : place + 1], others):  # noqa: SIM110
            if rule(state, line, end, silent):
                return True
        return False

    return ask


class Blocks(ParserBlock):
    """Markdown's blocks, line by line."""

    def __init__(self, md: MarkdownIt, *, by_fours: bool = False) -> None:
        super().__init__()
        self.by_fours = by_fours
        chains = _Chains()
        chains.__rules__[:] = md.block.ruler.__rules__
        self.ruler = chains
        self._rules = chains.by_sign("")
        self._deepest = md.options.maxNesting

    def tokens_of(self, lines: Sequence[str], md: MarkdownIt, env: EnvType) -> list[Token]:
        """The tokens of a page."""
        tokens: list[Token] = []
        state = State(lines, md, env, tokens)
        self.tokenize(state, 0, state.lineMax)
        return tokens

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803
        """Make tokens of a range of lines; whether a list is tight is not asked, nobody reads it."""
        rules, others = self._rules, self._rules[""]
        source, starts, ends, shifts, indents = state.src, state.bMarks, state.eMarks, state.tShift, state.sCount
        line, state.tight = startLine, False
        while line < endLine:
            place = starts[line] + shifts[line]
            if place >= ends[line]:
                line += 1
                continue
            if indents[line] < state.blkIndent:
                break
            if state.level >= self._deepest:
                line = endLine
                break
            state.line = line
            for rule in rules.get(source[place], others):
                if rule(state, line, endLine, False):
                    break
            state.tight = False
            line = state.line
        state.line = line
