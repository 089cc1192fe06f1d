"""Tokens of an answer to HTML: the only place where its text becomes markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

Tokens = Sequence[Token]

_OPENS = re.compile(r"[(\[（［【「『《〈“‘]*\Z")
_CLOSES = re.compile(r"[.,;:!?)\]%’”'\"…–—\-。，、；：！？）］】」』》〉]*")


class AnswerRenderer(RendererHTML):
    """The usual HTML of Markdown, and that of marks, formulas and task boxes.

    Each method draws the tokens of its name; every text is escaped where it is written.
    """

    def mark(self, tokens: Tokens, at: int, options: Any, env: Any) -> str:
        """Draw a citation mark, a link to its source card."""
        page, n = env["page"], tokens[at].meta["n"]
        ordinal = len(page.drawn)
        page.drawn.append(n)
        support = page.support[ordinal] if ordinal < len(page.support) else "unchecked"
        return (
            f'<a class="cite-ref" href="#{escape(page.prefix)}-{n}" data-n="{n}" data-support="{support}">'
            f"{escape(tokens[at].content)}</a>"
        )

    def text(self, tokens: Tokens, at: int, options: Any, env: Any) -> str:
        """Draw text without the signs that belong to a formula beside it."""
        return escapeHtml(_beside(tokens, at)[1])

    def formula(self, tokens: Tokens, at: int, options: Any, env: Any) -> str:
        """Draw a formula in a line as its source; the page typesets it. A browser would part it from the signs around it."""
        formula = _formula(tokens[at], "span", "inline")
        before = _beside(tokens, at - 1)[2] if at else ""
        after = _beside(tokens, at + 1)[0] if at + 1 < len(tokens) else ""
        return f'<span class="glued">{escapeHtml(before)}{formula}{escapeHtml(after)}</span>' if before or after else formula

    def formula_display(self, tokens: Tokens, at: int, options: Any, env: Any) -> str:
        """Draw a display formula inside a paragraph."""
        return _formula(tokens[at], "span", "display")

    def formula_block(self, tokens: Tokens, at: int, options: Any, env: Any) -> str:
        """Draw a display formula that is a block of its own."""
        return _formula(tokens[at], "div", "display") + "\n"

    def task(self, tokens: Tokens, at: int, options: Any, env: Any) -> str:
        """Draw the box of a task."""
        return f'<span class="box">{"☑" if tokens[at].meta["done"] else "☐"}</span> '

    def plain_block(self, tokens: Tokens, at: int, options: Any, env: Any) -> str:
        """Show a text that could not be parsed."""
        return f'<p class="plain">{escape(tokens[at].content)}</p>\n'

    def drawn(self, tokens: Tokens, at: int, options: Any, env: Any) -> str:
        """Repeat what was drawn before."""
        return tokens[at].content

    def fence(self, tokens: Tokens, at: int, options: Any, env: Any) -> str:
        """Draw code, behind the lines of it that were drawn before."""
        return _behind(tokens[at].meta.get("done", ""), super().fence(tokens, at, options, env))

    def code_block(self, tokens: Tokens, at: int, options: Any, env: Any) -> str:
        """Draw code that is set off by white space alone."""
        return _behind(tokens[at].meta.get("done", ""), super().code_block(tokens, at, options, env))

    def emphasised(self, tokens: Tokens, at: int, options: Any, env: Any) -> str:
        """Set off a word of the question."""
        return f"<mark>{escape(tokens[at].content)}</mark>"


def _beside(tokens: Tokens, at: int) -> tuple[str, str, str]:
    """Part a text into the signs that end what a formula in front of it says, the text, and those that open one behind it."""
    if tokens[at].type != "text":
        return "", "", ""
    text = tokens[at].content
    start, end = 0, len(text)
    if at and tokens[at - 1].type == "formula" and (closes := _CLOSES.match(text)):
        start = closes.end()
    if at + 1 < len(tokens) and tokens[at + 1].type == "formula" and (opens := _OPENS.search(text, start)):
        end = opens.start()
    return text[:start], text[start:end], text[end:]


def _formula(token: Token, tag: str, cls: str) -> str:
    return f'<{tag} class="math {cls}">{escape(token.content.strip(), quote=False)}</{tag}>'


def _behind(done: str, html: str) -> str:
    start = html.index(">", html.index("<code")) + 1
    return html[:start] + done + html[start:]
