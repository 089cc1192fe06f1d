"""An answer as a run of top-level blocks, and each block as HTML: what drawing it at once and drawing it bit by bit share."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

from markdown_it.token import Token

from .limits import ANSWER_CHARACTERS, ANSWER_LINES
from .links import read_site, safe_link, safe_source
from .markdown import Page, blocks, parser
from .parts import Support
from .sourcelist import Shape, shape

PREFIX = "askbook-source"
"""Of the ids of source cards, where the page gives none."""

FAULTS = (RecursionError, ValueError, LookupError, RuntimeError, AttributeError, TypeError)
"""What a parser may raise on text that nobody thought of."""

_LINKS_KEPT = 500
_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Block:
    """One top-level block of an answer."""

    tokens: Sequence[Token]
    shape: Shape
    first: int
    """Its first line in the text it was parsed from."""
    last: int
    """One past its last line."""


def page_for(
    *,
    site: str,
    page: str | None = None,
    sources: int | Collection[int] = 0,
    known: Container[str] | None = None,
    prefix: str = PREFIX,
    support: Sequence[Support] = (),
    words: Collection[str] = (),
) -> Page:
    """Fill in what the rules of the parser ask for; the arguments are those of `render_answer`."""
    place = re.escape(read_site(site).href)
    return Page(
        policy=lru_cache(_LINKS_KEPT)(lambda href: safe_link(href, site=site, page=page, known=known)),
        source=lambda src: safe_source(src, site=site, page=page),
        sources=range(1, sources + 1) if isinstance(sources, int) else frozenset(sources),
        prefix=prefix,
        support=support,
        bare=re.compile(rf"(?<![A-Za-z0-9_/.:@-])(?:{place}{'' if known is None else '|/'})[\w\-.~%#/]*"),
        words=_any_of(words),
    )


def _any_of(words: Collection[str]) -> re.Pattern[str] | None:
    """Return a pattern that finds any of the words; of a word with letters that are spelled, also its other endings."""
    spelled = sorted({word for word in words if word.strip()}, key=lambda word: (-len(word), word))
    parts = [rf"\b{re.escape(word)}\w*" if word.isascii() and word[0].isalnum() else re.escape(word) for word in spelled]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def parse(markdown: str, page: Page, references: dict[str, Any], *, arriving: bool = False) -> list[Block]:
    """Return the blocks of a text; link definitions are read from and added to `references`."""
    clean = _SURROGATE.sub("\ufffd", markdown)
    too_long = len(clean) > ANSWER_CHARACTERS or clean.count("\n") > ANSWER_LINES
    environment = {"page": page, "references": references, "arriving": arriving}
    try:
        tokens = [_plain(clean)] if too_long else parser().parse(clean, environment)
    except FAULTS:
        tokens = [_plain(clean)]
    return [_block(run, arriving=arriving) for run in blocks(tokens)]


def draw(block: Block, page: Page) -> str:
    """Return the HTML of a block."""
    try:
        return draw_tokens(block.tokens, page)
    except FAULTS:
        return f"<p>{escape(' '.join(token.content for token in block.tokens))}</p>\n"


def draw_tokens(tokens: Sequence[Token], page: Page) -> str:
    """Return the HTML of a run of tokens."""
    return str(parser().renderer.render(tokens, parser().options, {"page": page}))


def draw_inline(text: str, page: Page, references: dict[str, Any]) -> str:
    """Return the HTML of text inside a paragraph."""
    environment = {"page": page, "references": references}
    known = page.kept.get(text) if page.kept else None
    if known is not None:
        return str(parser().renderer.render([Token("inline", "", 0, children=known)], parser().options, environment))
    return str(parser().renderInline(text, environment))


def _block(tokens: Sequence[Token], *, arriving: bool) -> Block:
    first, last = tokens[0].map or (0, 0)
    return Block(tokens, shape(tokens, arriving=arriving), first, last)


def _plain(text: str) -> Token:
    """Return the one block of a text that could not be parsed."""
    return Token("plain_block", "", 0, content=text, block=True, map=[0, text.count("\n") + 1])
