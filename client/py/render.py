"""Answers to HTML: what a model writes is drawn as Markdown and can do no harm.

Raw HTML stays text, addresses go through the link policy, images come from the own site, marks become citations where a
source of that number exists, and a list of sources that the model wrote itself is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from html import escape

from .document import PREFIX, draw, page_for, parse
from .markdown import Page
from .parts import Support
from .patches import Patch
from .sourcelist import cut
from .view import AnswerView

__all__ = ["AnswerView", "Patch", "page_for", "render_answer", "render_blocks", "render_plain"]


def render_answer(
    markdown: str,
    *,
    site: str,
    page: str | None = None,
    sources: int | Collection[int] = 0,
    known: Container[str] | None = None,
    prefix: str = PREFIX,
    support: Sequence[Support] = (),
    words: Collection[str] = (),
) -> str:
    """Return the HTML of an answer.

    `site`, `page` and `known` are those of `safe_link`. `sources` says how many sources there are, or which numbers they
    have; `prefix` keeps the addresses of the marks of one answer apart from those of another; `support` says of each mark,
    in order, how well it is supported; `words` are set off in the text.
    """
    context = page_for(site=site, page=page, sources=sources, known=known, prefix=prefix, support=support, words=words)
    return "".join(render_blocks(markdown, context))


def render_blocks(markdown: str, context: Page) -> list[str]:
    """Return the same block by block, as a view that has come to its end put them into the page; `context` is by `page_for`."""
    blocks = parse(markdown, context, {})
    return [draw(block, context) for block in blocks[: cut([block.shape for block in blocks])]]


def render_plain(text: str) -> str:
    """Return the HTML of a text that is shown letter by letter, line breaks kept."""
    return f'<p class="plain">{escape(text)}</p>\n'
