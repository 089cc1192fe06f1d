"""The part of an open block that stays while its end grows: list items, table rows and sentences that are over.

A list or a paragraph may be as long as the answer; drawn whole with every delta it would cost more with each of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol

from markdown_it.token import Token

from .document import Block, draw_inline, draw_tokens
from .markdown import Page
from .tail import settled_before

_ITEM_WITH_A_LETTER = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+[^\W\d_]")


class Growing(Protocol):
    """What is over of an open block, and how the rest is joined to it."""

    source: str
    """Of the part that is over."""
    head: str
    """What a parser needs in front of the rest."""

    def html(self, tokens: Sequence[Token], page: Page) -> str:
        """Draw the whole block from what stays and the tokens of the rest."""
        ...

    def take(self, block: Block, rest: str, page: Page, references: dict[str, Any]) -> str:
        """Keep what has come to its end; return what is still open of `rest`, the source without `head`."""
        ...


def growing(block: Block) -> Growing | None:
    """Return what can keep a block of this kind, if it can grow long."""
    match block.tokens[0].type:
        case "bullet_list_open" | "ordered_list_open":
            return GrowingList()
        case "table_open":
            return GrowingTable()
        case "paragraph_open" if block.shape == "prose":
            return GrowingParagraph()
        case _:
            return None


class GrowingList:
    """Items of a list that another item follows."""

    def __init__(self) -> None:
        self.source = ""
        self.head = ""
        self._open: Token | None = None
        self._items: list[Token] = []
        self._html = ""
        self._loose = False

    def html(self, tokens: Sequence[Token], page: Page) -> str:
        """Draw the list; one item with room around it gives room to all."""
        if not self._loose and _is_loose(tokens):
            self._loosen(page)
        if self._loose:
            _loosen(tokens)
        return self._around(tokens, self._html + draw_tokens(tokens[1:-1], page), page)

    def _around(self, tokens: Sequence[Token], items: str, page: Page) -> str:
        return draw_tokens([self._open or tokens[0]], page) + items + draw_tokens([tokens[-1]], page)

    def take(self, block: Block, rest: str, page: Page, references: dict[str, Any]) -> str:
        """Keep the items before the last that has begun for sure."""
        lines = rest.split("\n")
        starts = [at for at, token in enumerate(block.tokens) if token.type == "list_item_open" and token.level == 1]
        begun = [
            at for at in starts if (line := _line(block.tokens[at])) < len(lines) - 1 or _ITEM_WITH_A_LETTER.match(lines[line])
        ]
        if len(begun) < 2:
            return rest
        line = _line(block.tokens[begun[-1]])
        self._open = self._open or block.tokens[0]
        over = block.tokens[1 : begun[-1]]
        if not self._loose and (not lines[line - 1].strip() or _is_loose(block.tokens)):
            self._loosen(page)
        if self._loose:
            _loosen(over)
        self._items += over
        self._html += draw_tokens(over, page)
        self.source += "\n".join(lines[:line]) + "\n"
        return "\n".join(lines[line:])

    def _loosen(self, page: Page) -> None:
        self._loose = True
        _loosen(self._items)
        self._html = draw_tokens(self._items, page)


class GrowingTable:
    """Rows of a table whose line is over."""

    def __init__(self) -> None:
        self.source = ""
        self.head = ""
        self._rows = ""

    def html(self, tokens: Sequence[Token], page: Page) -> str:
        """Draw the table."""
        body = next((at for at, token in enumerate(tokens) if token.type == "tbody_open"), len(tokens) - 1)
        rows = self._rows + (draw_tokens(tokens[body + 1 : -2], page) if body < len(tokens) - 1 else "")
        around = f"<tbody>\n{rows}</tbody>\n" if rows else ""
        return draw_tokens(tokens[:body], page) + around + draw_tokens(tokens[-1:], page)

    def take(self, block: Block, rest: str, page: Page, references: dict[str, Any]) -> str:
        """Keep the rows whose line is whole, and the header for the parser."""
        lines = (self.head + rest).split("\n")
        rows = [at for at, token in enumerate(block.tokens) if token.type == "tr_open" and _line(token) > block.first]
        over = [at for at in rows if _line(block.tokens[at]) < len(lines) - 1]
        if not over:
            return rest
        if not self.head:
            self.source = self.head = "\n".join(lines[block.first : block.first + 2]) + "\n"
        after = rows[len(over)] if len(over) < len(rows) else len(block.tokens) - 2
        self._rows += draw_tokens(block.tokens[over[0] : after], page)
        first, end = _line(block.tokens[over[0]]), _line(block.tokens[over[-1]]) + 1
        self.source += "\n".join(lines[first:end]) + "\n"
        return "\n".join(lines[end:])


class GrowingParagraph:
    """Sentences of a paragraph that nothing is open in."""

    def __init__(self) -> None:
        self.source = ""
        self.head = ""
        self._html = ""

    def html(self, tokens: Sequence[Token], page: Page) -> str:
        """Draw the paragraph; an underline may have made it a heading."""
        html = draw_tokens(tokens, page)
        start = html.index(">") + 1
        return html[:start] + self._html + html[start:]

    def take(self, block: Block, rest: str, page: Page, references: dict[str, Any]) -> str:
        """Keep the sentences before the last."""
        if block.tokens[0].type != "paragraph_open" or "|" in rest or block.first:
            return rest
        end = settled_before(rest)
        if end:
            self.source += rest[:end]
            self._html += draw_inline(rest[:end], page, references)
        return rest[end:]


def _line(token: Token) -> int:
    """Return the line a token begins at."""
    return (token.map or [0])[0]


def _is_loose(tokens: Sequence[Token]) -> bool:
    """Tell whether the paragraphs of a list's items have room around them."""
    return any(token.type == "paragraph_open" and token.level == 2 and not token.hidden for token in tokens)


def _loosen(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.type in {"paragraph_open", "paragraph_close"} and token.level == 2:
            token.hidden = False
