"""The part of an open block that stays while its end grows: items, rows, lines of code and sentences that are over, at any depth.

A block may be as long as the answer; read as a whole with every delta it would cost more with each of them. So only its end is
read, behind a few lines that put a parser into the elements the end stands in: a list item is opened again by its marker and an
empty heading, `- #`, in whose place its finished children are drawn; a table by its header; a fence by its first line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from .tail import settled_before

_LISTS = frozenset({"bullet_list_open", "ordered_list_open"})
_CONTAINERS = frozenset({"list_item_open", "blockquote_open"})
_TEXTS = frozenset({"paragraph_open", "heading_open"})
_FILLER = "#"
_FILLER_TOKENS = 3
_ITEM_WITH_A_LETTER = re.compile(r"[ >]*(?:[-*+]|\d{1,9}[.)])[ \t]+[^\W\d_]")
_TEXT_WITH_A_LETTER = re.compile(r"[ >]*[^\W\d_]")
_QUOTE = re.compile(r" *> ?")
_ITEM = re.compile(r" *(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?! )| |$)")
_MARKER = re.compile(r"[^>\s]")


@dataclass(slots=True)
class Level:
    """One of the elements the open end stands in."""

    opening: Token
    done: str = ""
    """HTML of its children that are over."""
    edges: tuple[bool, bool] = (False, False)
    """Whether the first and the last of them are paragraphs without tags."""
    filled: bool = False
    """Whether an empty heading stands for them."""


@dataclass(slots=True)
class Kept:
    """What is over of an open block."""

    lead: str = ""
    """What a parser needs in front of the rest."""
    levels: list[Level] = field(default_factory=list)
    """From the block itself inwards."""


@dataclass(slots=True)
class End:
    """An open block as its end was read."""

    tokens: list[Token]
    """What is over is in them as drawn."""
    lines: list[str]
    whole: int
    """Lines that are over and drawn as they are."""
    in_fence: bool
    draw: Callable[[Sequence[Token]], str]
    draw_inline: Callable[[str], str]


@dataclass(slots=True)
class _Cut:
    """Where the rest begins."""

    line: int
    column: int = 0
    inside: bool = False
    """Whether it is in the middle of a paragraph."""
    head: tuple[int, int] = (0, 0)
    """Lines that a parser needs again as they are."""
    woven: list[Token] = field(default_factory=list)
    """What is over, drawn, and the tags around it …"""
    token: int = 0
    """… instead of so many tokens."""


def weave(kept: Kept, tokens: Sequence[Token]) -> list[Token] | None:
    """Put what was drawn before into the tokens of the end; None where it does not fit any more."""
    woven: list[Token] = []
    at = 0
    for level in kept.levels:
        token = tokens[at]
        if token.type != level.opening.type and not (token.type in _TEXTS and level.opening.type in _TEXTS):
            return None
        at += 1
        if token.type in {"fence", "code_block"}:
            woven.append(token.copy(meta={"done": level.done}))
        elif token.type in _TEXTS:
            inline = tokens[at]
            woven += [token, inline.copy(children=[*_drawn(level, token.level + 1), *(inline.children or [])])]
            at += 1
        elif token.type == "table_open":
            at = _weave_rows(level, tokens, at, woven)
        elif token.type in _LISTS:
            if not _even(level.opening, tokens, at):
                return None
            woven += [level.opening.copy(map=token.map), *_drawn(level, token.level + 1)]
        else:
            if level.filled and tokens[at].type != "heading_open":
                return None
            at += _FILLER_TOKENS if level.filled else 0
            woven += [level.opening.copy(map=token.map), *_drawn(level, token.level + 1)]
    return [*woven, *tokens[at:]]


def keep(end: End, before: Kept) -> tuple[Kept, int] | None:
    """Return what is over by now and where in the text the rest begins; None if that is nothing more.

    What is over is drawn in the tokens of the end from then on.
    """
    levels, cut = _descend(end)
    if not cut.inside:
        levels = [level for level in levels if _line(level.opening) < cut.line]
    position = sum(len(line) + 1 for line in end.lines[: cut.line]) + cut.column
    lead = _lead(levels, cut, end.lines) if levels and position > len(before.lead) else None
    if lead is None:
        return None
    end.tokens[: cut.token] = cut.woven
    return Kept(lead, levels), position


def _drawn(level: Level, depth: int) -> list[Token]:
    """Return what stands for the finished children of an element: two tokens, as white space depends on first and last."""
    if not level.done:
        return []
    first, last = level.edges
    return [
        Token("drawn", "", 0, content=level.done, level=depth, hidden=first),
        Token("drawn", "", 0, level=depth, hidden=last),
    ]


def _weave_rows(level: Level, tokens: Sequence[Token], at: int, woven: list[Token]) -> int:
    """Put finished rows in front of those of the end; return where to go on."""
    depth = level.opening.level + 1
    body = next(at for at in range(at, len(tokens)) if tokens[at].type in {"tbody_open", "table_close"})
    woven += tokens[at - 1 : body]
    rows = _drawn(level, depth + 1)
    if tokens[body].type == "tbody_open":
        woven += [tokens[body], *rows]
        return body + 1
    woven += [Token("tbody_open", "tbody", 1, level=depth, block=True), *rows]
    woven.append(Token("tbody_close", "tbody", -1, level=depth, block=True))
    return body


def _even(opening: Token, tokens: Sequence[Token], at: int) -> bool:
    """Give the items of the end the room those before had; tell whether those before have the room of the end."""
    paragraphs = _paragraphs(tokens, at, opening.level + 2)
    if opening.meta.get("loose"):
        for token in paragraphs:
            token.hidden = False
    return not opening.meta.get("tight") or all(token.hidden for token in paragraphs)


def _paragraphs(tokens: Sequence[Token], at: int, level: int) -> list[Token]:
    """Return the tags of the paragraphs that stand directly in the items of a list."""
    found = []
    for token in tokens[at:]:
        if token.level == level - 2 and token.nesting == -1:
            break
        if token.level == level and token.type in {"paragraph_open", "paragraph_close"}:
            found.append(token)
    return found


def _descend(end: End) -> tuple[list[Level], _Cut]:
    """Go down along the last children as long as they are open, and keep what is in front of them."""
    tokens, levels, woven, at = end.tokens, list[Level](), list[Token](), 0
    while True:
        opening = tokens[at]
        if opening.type not in _LISTS and opening.type not in _CONTAINERS:
            leaf = _LEAVES.get(opening.type)
            found = leaf(end, at) if leaf else None
            if found is None:
                return levels, _Cut(_line(opening), woven=woven, token=at)
            level, cut = found
            return [*levels, level], replace(cut, woven=[*woven, *cut.woven])
        children = _children(tokens, at)
        begun = [child for child in children if _has_begun(tokens, child, end)]
        if not begun:
            return levels, _Cut(_line(opening), woven=woven, token=at)
        if opening.type in _LISTS:
            _note_room(opening, tokens, at)
        level = _level(opening, tokens[at + 1 : begun[-1]], end)
        levels.append(level)
        woven += [opening, *_drawn(level, opening.level + 1)]
        at = begun[-1]
        if at != children[-1]:
            return levels, _Cut(_line(tokens[at]), woven=woven, token=at)


def _level(opening: Token, over: Sequence[Token], end: End) -> Level:
    return Level(opening, end.draw(over), (over[0].hidden, over[-1].hidden)) if over else Level(opening)


def _children(tokens: Sequence[Token], at: int) -> list[int]:
    """Return where the children of an element begin that are not drawn yet."""
    level, found = tokens[at].level, []
    for place in range(at + 1, len(tokens)):
        token = tokens[place]
        if token.level == level:
            break
        if token.level == level + 1 and token.nesting >= 0 and token.type != "drawn":
            found.append(place)
    return found


def _has_begun(tokens: Sequence[Token], at: int, end: End) -> bool:
    """Tell whether an element stays what it is, so that what is in front of it is over."""
    token, line = tokens[at], _line(tokens[at])
    if tokens[at - 1].level < token.level or line + (2 if token.type == "table_open" else 1) <= end.whole:
        return True
    if token.type in _LISTS or token.type == "list_item_open":
        return _ITEM_WITH_A_LETTER.match(end.lines[line]) is not None
    return (
        token.type == "paragraph_open"
        and not end.lines[line - 1].strip(" >")
        and _TEXT_WITH_A_LETTER.match(end.lines[line]) is not None
    )


def _note_room(opening: Token, tokens: Sequence[Token], at: int) -> None:
    """Remember whether the items of a list have room around them."""
    for token in _paragraphs(tokens, at + 1, opening.level + 2):
        opening.meta["tight" if token.hidden else "loose"] = True


def _rows_over(end: End, at: int) -> tuple[Level, _Cut] | None:
    """Keep the rows of a table whose line is over."""
    tokens, first = end.tokens, _line(end.tokens[at])
    body = next((place for place in range(at, len(tokens)) if tokens[place].type == "tbody_open"), None)
    if body is None:
        return None
    rows = [place for place in range(body, len(tokens)) if tokens[place].type == "tr_open"]
    over = [row for row in rows if _line(tokens[row]) < end.whole]
    if not over:
        return None
    after = rows[len(over)] if len(over) < len(rows) else _close(tokens, body)
    level = Level(tokens[at], end.draw(tokens[body + 1 : after]))
    woven = [*tokens[at : body + 1], *_drawn(level, tokens[at].level + 2)]
    return level, _Cut(_line(tokens[over[-1]]) + 1, head=(first, first + 2), woven=woven, token=after)


def _close(tokens: Sequence[Token], at: int) -> int:
    return next(place for place in range(at + 1, len(tokens)) if tokens[place].level == tokens[at].level)


def _lines_over(end: End, at: int) -> tuple[Level, _Cut] | None:
    """Keep the lines of a fence that are over."""
    token, first, last = end.tokens[at], _line(end.tokens[at]), len(end.lines) - 1
    code = token.content.split("\n")
    over = last - first - 1
    if not end.in_fence or over < 1 or over >= len(code) + 1:
        return None
    done = token.meta.get("done", "") + escapeHtml("".join(f"{line}\n" for line in code[:over]))
    rest = token.copy(content="\n".join(code[over:]), meta={"done": done})
    return Level(token, done), _Cut(last, head=(first, first + 1), woven=[rest], token=at + 1)


def _indented_over(end: End, at: int) -> tuple[Level, _Cut] | None:
    """Keep the lines of indented code in front of the last."""
    token, first = end.tokens[at], _line(end.tokens[at])
    code = token.content.rstrip("\n").split("\n")
    last = first + len(code) - 1
    if last <= first or last >= len(end.lines) or last > end.whole:
        return None
    done = token.meta.get("done", "") + escapeHtml("".join(f"{line}\n" for line in code[:-1]))
    rest = token.copy(content="\n".join(code[-1:]) + "\n", meta={"done": done})
    return Level(token, done), _Cut(last, woven=[rest], token=at + 1)


def _sentences_over(end: End, at: int) -> tuple[Level, _Cut] | None:
    """Keep the sentences of a paragraph that nothing is open in."""
    inline = end.tokens[at + 1]
    over = settled_before(inline.content)
    if not over:
        return None
    line = _line(inline) + inline.content.count("\n", 0, over)
    raw = end.lines[line]
    said = inline.content[inline.content.rfind("\n", 0, over) + 1 : over]
    start = raw.find(said) if said else len(raw) - len(raw.lstrip(" \t>"))
    if start < 0:
        return None
    children = inline.children or []
    before = children[0].content if children and children[0].type == "drawn" else ""
    level = Level(end.tokens[at], before + end.draw_inline(inline.content[:over]))
    return level, _Cut(line, start + len(said), inside=True, token=at)


_LEAVES = {
    "table_open": _rows_over,
    "fence": _lines_over,
    "code_block": _indented_over,
    "paragraph_open": _sentences_over,
}


def _lead(levels: Sequence[Level], cut: _Cut, lines: list[str]) -> str | None:
    """Return what opens the elements again that the rest stands in; None where their indentation is unusual."""
    opened: list[str] = []
    margin = ""
    begun = [level for level in levels if level.opening.type in _CONTAINERS]
    heads = lines[cut.head[0] : cut.head[1]]
    for at, level in enumerate(begun):
        first = _line(level.opening)
        level.filled = at + 1 == len(begun) or _line(begun[at + 1].opening) > first
        if not level.filled:
            continue
        prefix = _prefix([other.opening for other in begun[: at + 1]], first, lines[first])
        if prefix is None:
            return None
        margin = _MARKER.sub(" ", prefix)
        if heads and first == cut.head[0]:
            level.filled = False
        else:
            opened.append(prefix + _FILLER)
    opened += heads
    return "".join(f"{line}\n" for line in opened) + (margin if cut.inside else "")


def _prefix(openings: Sequence[Token], first: int, line: str) -> str | None:
    """Return what of a line stands in front of the content of the innermost element that begins there."""
    at = 0
    for opening in openings:
        here = _line(opening) == first
        if not here and opening.type == "list_item_open":
            continue
        found = (_QUOTE if opening.type == "blockquote_open" else _ITEM).match(line, at)
        if found is None:
            return None
        at = found.end()
    prefix = line[:at]
    return None if "\t" in prefix else prefix if prefix.endswith((" ", ">")) else f"{prefix} "


def _line(token: Token) -> int:
    """Return the line a token begins at."""
    return (token.map or [0])[0]
