"""Regular expressions that cannot run away: parsed by Python's own parser, run by a matcher whose time grows with the text alone.

A page cannot interrupt a search, so a pattern that a backtracking matcher could get lost in is refused before it runs, and what
is left runs as a lazily built automaton. Both are the same in every place this runs. Not supported, since they need backtracking:
references to groups, look-around, conditions, atomic groups.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from .errors import ToolError

_parser: Any = re._parser  # type: ignore[attr-defined]
PATTERN_CHARACTERS: Final = 300
STATES: Final = 2_000
REPEATS_IN_A_ROW: Final = 3
"""How many repeats of a changing length may stand side by side without anything fixed between them."""
ANY_NUMBER: Final = 64
"""Repeats with a higher upper bound count as open."""
ADVICE: Final = "use mode substring, or a simpler pattern without repeats inside repeats"

Test = Callable[[str], bool]


def refuse(pattern: str, why: str) -> ToolError:
    """Say why a pattern is not run, and what would be."""
    return ToolError(f"the pattern {pattern!r:.80} {why}", advice=ADVICE)


class LinearPattern:
    """A compiled pattern; matches ignore case and do not cross lines."""

    def __init__(self, pattern: str) -> None:
        if len(pattern) > PATTERN_CHARACTERS:
            raise refuse(pattern, f"is longer than {PATTERN_CHARACTERS} characters")
        try:
            parsed = _parser.parse(pattern, re.IGNORECASE)
        except (re.error, OverflowError, RecursionError) as wrong:
            raise refuse(pattern, f"is no regular expression: {wrong}") from None
        check(pattern, parsed)
        self.literal = _literal(parsed)
        """Letters that every match holds, in lower case; empty where none can be told."""
        self._program = _Program(pattern)
        self._program.fragment(parsed)
        self._program.add("match")
        self._forward = _Automaton(self._program, anchored=False)
        self._anchored = _Automaton(self._program, anchored=True)

    def search(self, line: str) -> tuple[int, int] | None:
        """Return the first match on a line, as long as it can be."""
        if self._forward.run(line, 0, shortest=True) is None:
            return None
        for start in range(len(line) + 1):
            end = self._anchored.run(line, start, shortest=False)
            if end is not None:
                return start, end
        return None


def _literal(parsed: Any) -> str:
    """The longest run of plain letters that has to be there."""
    runs = [""]
    for operation, argument in parsed:
        letter = chr(argument) if str(operation) == "LITERAL" else ""
        if letter.isascii() and letter:
            runs[-1] += letter.lower()
        else:
            runs.append("")
    return max(runs, key=len)


# What is refused


def check(pattern: str, parsed: Any) -> None:
    """Raise ToolError for a pattern that a backtracking matcher could get lost in, or that needs one."""
    _check(pattern, list(parsed), inside=False)


def _check(pattern: str, items: list[Any], *, inside: bool) -> None:
    row, before = 0, None
    for operation, argument in items:
        name = str(operation)
        match name:
            case "GROUPREF" | "GROUPREF_EXISTS" | "ASSERT" | "ASSERT_NOT" | "ATOMIC_GROUP":
                raise refuse(pattern, "needs references, look-around or conditions, which are not supported")
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, body = argument
                changing, open_ = least != most, int(most) > ANY_NUMBER
                if changing and inside:
                    raise refuse(pattern, "repeats what itself repeats: it can backtrack without bound")
                _check(pattern, list(body), inside=inside or int(most) > 1)
                if open_ and _branches(list(body)):
                    raise refuse(pattern, "repeats alternatives that may begin alike: it can backtrack without bound")
                if changing:
                    row += 1
                    if row > REPEATS_IN_A_ROW or (open_ and before is not None and _overlap(before, list(body))):
                        raise refuse(pattern, "has repeats side by side that fit the same text: it can backtrack without bound")
                    before = list(body) if open_ else before
                    continue
            case "SUBPATTERN":
                _check(pattern, list(argument[-1]), inside=inside)
            case "BRANCH":
                for branch in argument[1]:
                    _check(pattern, list(branch), inside=inside)
            case _:
                pass
        if name != "AT":
            row, before = 0, None


def _branches(items: list[Any]) -> bool:
    """Whether alternatives inside may begin with the same letter."""
    for operation, argument in items:
        name = str(operation)
        if name == "SUBPATTERN" and _branches(list(argument[-1])):
            return True
        if name == "BRANCH":
            firsts = [next(iter(branch), None) for branch in argument[1]]
            letters = [first[1] if first is not None and str(first[0]) == "LITERAL" else None for first in firsts]
            if None in letters or len(set(letters)) < len(letters):
                return True
    return False


PROBES: Final = [chr(code) for code in range(32, 127)] + list("éΩя中あ가１，。 ")


def _overlap(one: list[Any], other: list[Any]) -> bool:
    """Whether two repeated bodies may begin with the same letter; judged by samples of every script."""
    tests = [[_test(*item) for item in body[:1] if str(item[0]) in SINGLE] for body in (one, other)]
    if not tests[0] or not tests[1]:
        return True
    return any(tests[0][0](probe) and tests[1][0](probe) for probe in PROBES)


# The program


SINGLE: Final = ("LITERAL", "NOT_LITERAL", "ANY", "IN", "RANGE", "CATEGORY", "ANY_ALL")
CATEGORIES: Final[dict[str, Test]] = {
    "CATEGORY_DIGIT": str.isdecimal,
    "CATEGORY_NOT_DIGIT": lambda letter: not letter.isdecimal(),
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_NOT_SPACE": lambda letter: not letter.isspace(),
    "CATEGORY_WORD": lambda letter: letter.isalnum() or letter == "_",
    "CATEGORY_NOT_WORD": lambda letter: not (letter.isalnum() or letter == "_"),
}


def _clothes(letter: str) -> tuple[str, ...]:
    return letter, letter.lower(), letter.upper(), letter.casefold()


def _test(operation: Any, argument: Any) -> Test:
    """Make a test of one letter of one node of the parse tree, case aside."""
    match str(operation):
        case "LITERAL":
            wanted = set(_clothes(chr(argument)))
            return lambda letter: letter in wanted or letter.lower() in wanted
        case "NOT_LITERAL":
            unwanted = set(_clothes(chr(argument)))
            return lambda letter: letter not in unwanted and letter.lower() not in unwanted
        case "RANGE":
            first, last = argument
            return lambda letter: any(first <= ord(form) <= last for form in _clothes(letter) if len(form) == 1)
        case "CATEGORY":
            return CATEGORIES.get(str(argument), lambda letter: False)
        case "IN":
            negated = bool(argument) and str(argument[0][0]) == "NEGATE"
            tests = [_test(*entry) for entry in argument[negated:]]
            return lambda letter: any(test(letter) for test in tests) != negated
        case _:
            return lambda letter: True


@dataclass(slots=True)
class _Program:
    """Instructions of a Thompson automaton: `letter` tests and steps, `split` and `jump` go on, `at` asks where it stands."""

    pattern: str
    kinds: list[str] = field(default_factory=list)
    tests: list[Test | None] = field(default_factory=list)
    targets: list[list[int]] = field(default_factory=list)
    places: list[str] = field(default_factory=list)

    def add(self, kind: str, test: Test | None = None, place: str = "") -> int:
        if len(self.kinds) >= STATES:
            raise refuse(self.pattern, "is too large when written out")
        self.kinds.append(kind)
        self.tests.append(test)
        self.targets.append([])
        self.places.append(place)
        return len(self.kinds) - 1

    def fragment(self, items: Iterable[Any]) -> None:
        """Add the instructions of a sequence; each falls through to what is added next."""
        for operation, argument in items:
            match str(operation):
                case "SUBPATTERN":
                    self.fragment(argument[-1])
                case "BRANCH":
                    self._branch(argument[1])
                case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                    self._repeat(*argument)
                case "AT":
                    self.add("at", place=str(argument))
                case _:
                    self.add("letter", _test(operation, argument))

    def _branch(self, branches: Iterable[Any]) -> None:
        split = self.add("split")
        ends = []
        for branch in branches:
            self.targets[split].append(len(self.kinds))
            self.fragment(branch)
            ends.append(self.add("jump"))
        for end in ends:
            self.targets[end].append(len(self.kinds))

    def _repeat(self, least: int, most: int, body: Any) -> None:
        for _ in range(int(least)):
            self.fragment(body)
        if int(most) > ANY_NUMBER * 4:
            split = self.add("split")
            self.targets[split].append(len(self.kinds))
            self.fragment(body)
            self.targets[self.add("jump")].append(split)
            self.targets[split].append(len(self.kinds))
            return
        splits = []
        for _ in range(int(most) - int(least)):
            splits.append(self.add("split"))
            self.targets[splits[-1]].append(len(self.kinds))
            self.fragment(body)
        for split in splits:
            self.targets[split].append(len(self.kinds))


# The automaton


@dataclass(slots=True)
class _State:
    """A set of places in the program, before the next letter is known."""

    places: frozenset[int]
    before: str
    """What stands before: `start`, `word` or `other`; empty where the pattern does not ask."""
    steps: dict[str, tuple[bool, _State | None]] = field(default_factory=dict)
    """For the next letter (empty for the end): whether a match ends before it, and where it leads."""


class _Automaton:
    """A lazily built automaton over one program."""

    def __init__(self, program: _Program, *, anchored: bool) -> None:
        self._program = program
        self._anchored = anchored
        self._placed = "at" in program.kinds
        self._states: dict[tuple[frozenset[int], str], _State] = {}
        self._dull = ""
        """Letters with which no match can begin."""

    def run(self, line: str, start: int, *, shortest: bool) -> int | None:
        """Return where a match ends that begins at `start` (or, when not anchored, anywhere behind it)."""
        state: _State | None = self._begin(line, start)
        if not self._anchored and self._dull:
            start = len(line) - len(line[start:].lstrip(self._dull))
        end = None
        for place in range(start, len(line)):
            assert state is not None
            letter = line[place]
            accepts, state = state.steps.get(letter) or self._learn(state, letter)
            if accepts:
                end = place
                if shortest:
                    return end
            if state is None:
                return end
        if state is not None and (state.steps.get("") or self._learn(state, ""))[0]:
            return len(line)
        return end

    def _begin(self, line: str, start: int) -> _State:
        before = "start" if start == 0 else _side(line[start - 1])
        return self._state(frozenset({0}), before)

    def _state(self, places: frozenset[int], before: str) -> _State:
        if len(self._states) > STATES:
            self._states.clear()
        key = places, before if self._placed else ""
        return self._states.setdefault(key, _State(*key))

    def _learn(self, state: _State, letter: str) -> tuple[bool, _State | None]:
        """Work out a step once."""
        program, side = self._program, _side(letter)
        closure = self._closure(state, side)
        accepts = any(program.kinds[place] == "match" for place in closure)
        reached = {
            place + 1
            for place in closure
            if letter and program.kinds[place] == "letter" and (test := program.tests[place]) is not None and test(letter)
        }
        if not self._anchored:
            reached.add(0)
        following = self._state(frozenset(reached), side) if reached else None
        state.steps[letter] = accepts, following
        if following is state and not accepts and letter and state.places == {0} and not self._placed:
            self._dull += letter
        return accepts, following

    def _closure(self, state: _State, after: str) -> set[int]:
        """Follow everything that takes no letter; what asks for a place knows both sides."""
        program, seen, open_ = self._program, set[int](), list(state.places)
        while open_:
            place = open_.pop()
            if place in seen:
                continue
            seen.add(place)
            match program.kinds[place]:
                case "split" | "jump":
                    open_ += program.targets[place]
                case "at":
                    if _stands(program.places[place], state.before, after):
                        open_.append(place + 1)
        return seen


def _side(letter: str) -> str:
    if not letter:
        return "end"
    return "word" if letter.isalnum() or letter == "_" else "other"


def _stands(place: str, before: str, after: str) -> bool:
    boundary = (before == "word") != (after == "word")
    match place:
        case "AT_BEGINNING" | "AT_BEGINNING_STRING" | "AT_BEGINNING_LINE":
            return before == "start"
        case "AT_END" | "AT_END_STRING" | "AT_END_LINE":
            return after == "end"
        case "AT_BOUNDARY":
            return boundary
        case _:
            return not boundary
