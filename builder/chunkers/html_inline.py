"""Inline HTML into the canonical text of a card: formulas as `$…$`, code in backticks, no other markup."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from selectolax.lexbor import LexborNode

from .html_math import formula
from .html_notes import is_mark, is_note_mark, is_way_back, note_target
from .html_words import words

DROPPED = words(
    """
    script style template noscript iframe video audio canvas object embed img picture input map nav title desc defs meta link base
    """
)
"""Elements whose content is not text of the book."""

BLOCKS = words(
    """
    address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4
    h5 h6 header hgroup hr li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul caption
    """
)
"""Elements that end a line."""

OFF_TEXT = words("visually-hidden sr-only screen-reader-text lang linenos lineno line-number linenumber")
"""Classes of inline elements that say nothing: a code block's language, line numbers, words for screen readers."""

EMPHASIS = words("b strong i em u dfn mark")
"""Elements by which an author sets words off."""

BOLD_OR_ITALIC = words("b strong i em")
"""Emphasis that may open a numbered unit."""

SELF_LINK = words(
    """
    headerlink hash-link header-anchor anchorjs-link anchor-link md-content__button footnote-backref fn-backref backlink
    """
)
"""Classes of links that lead to where they stand or back from a footnote; their sign is no text of the book."""

_TEX_SPAN = re.compile(r"(?<!\\)(?:\\\((.+?)(?<!\\)\\\)|\\\[(.+?)(?<!\\)\\\])", re.S)
_BLANK_LINES = re.compile(r"\n\s*\n")
_BACKTICKS = re.compile(r"`+")


class Inline:
    """What a run of inline nodes says."""

    __slots__ = ("in_note", "known", "notes", "opening", "pieces", "terms")

    def __init__(self, *, known: Container[str] = (), in_note: bool = False) -> None:
        self.pieces: list[str] = []
        self.terms: list[str] = []
        self.opening = ""
        """The emphasis the run begins with."""
        self.notes: list[str] = []
        """Ids of the footnotes it refers to."""
        self.known, self.in_note = known, in_note
        """Ids of all footnotes of the page, and whether this is one."""

    @property
    def text(self) -> str:
        """The canonical text, white space collapsed but in a formula that stands alone, where it may end a comment."""
        text = "".join(self.pieces)
        if "$$" in text and (alone := text.strip()).startswith("$$") and alone.find("$$", 2) == len(alone) - 2:
            return _BLANK_LINES.sub("\n", alone)
        return collapse(text)


def collapse(text: str) -> str:
    """Collapse white space as a browser shows it; a no-break space counts as a space."""
    return " ".join(text.split())


def code_span(text: str) -> str:
    """Wrap inline code in as many backticks as it needs."""
    text = collapse(text)
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0) if "`" in text else 0
    ticks = "`" * (longest + 1)
    return f"{ticks} {text} {ticks}" if longest else f"{ticks}{text}{ticks}"


def classes(node: LexborNode) -> tuple[str, ...]:
    """The class names of an element, in order."""
    return tuple((node.attributes.get("class") or "").split())


def is_self_link(node: LexborNode) -> bool:
    """Say whether this link is the permanent-link sign of a heading or the way back from a footnote."""
    named = classes(node)
    return any(name in SELF_LINK for name in named) or node.attributes.get("role") in ("doc-backlink",)


def is_copy_button(node: LexborNode) -> bool:
    """Say whether a button only serves the code beside it."""
    named = node.attributes.get("class") or ""
    return "copy" in named or "clip" in named or "toggle" in named


def hidden(node: LexborNode) -> bool:
    """Say whether an element is there for machines only."""
    attributes = node.attributes
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    return not OFF_TEXT.isdisjoint((attributes.get("class") or "").split())


def read_inline(nodes: Iterable[LexborNode], known: Container[str] = (), *, in_note: bool = False) -> Inline:
    """Read sibling nodes as one run of text; `known` are the ids of the page's footnotes."""
    run = Inline(known=known, in_note=in_note)
    for node in nodes:
        _read(node, run)
    return run


def _read(node: LexborNode, run: Inline) -> None:
    if node.is_text_node:
        run.pieces.append(plain_math(node.text_content or ""))
        return
    tag = node.tag or ""
    if tag in DROPPED or not node.is_element_node:
        tex = formula(node) if tag == "script" else None
        if tex:
            run.pieces.append(tex)
        return
    if tag == "br" or tag == "wbr":
        run.pieces.append("\n" if tag == "br" else "")
    elif tag in ("code", "kbd", "samp", "tt"):
        _read_code(node, run)
    elif tag in EMPHASIS:
        _read_emphasis(node, run)
    elif tag == "a":
        _read_link(node, run)
    elif tag == "button" and is_copy_button(node):
        return
    elif tag in BLOCKS:
        run.pieces.append(" ")
        if tag == "pre":
            _read_code(node, run)
        elif not (node.attributes and hidden(node)):
            _read_children(node, run)
        run.pieces.append(" ")
    elif node.attributes and (tex := formula(node)) is not None:
        run.pieces.append(tex)
    elif not (node.attributes and (hidden(node) or (run.in_note and "label" in classes(node)))):
        _read_children(node, run)


def _read_link(node: LexborNode, run: Inline) -> None:
    """A link leaves its text, one to a footnote too when it is in words; the mark of a footnote leaves nothing."""
    if is_self_link(node):
        return
    target = note_target(node)
    noted = bool(target) and target in run.known
    if noted:
        run.notes.append(target)
    if noted or is_note_mark(node):
        if is_mark(node.text()):
            return
    elif run.in_note and target and is_way_back(node.text()):
        return
    _read_children(node, run)


def _read_children(node: LexborNode, run: Inline) -> None:
    child = node.child
    while child is not None:
        _read(child, run)
        child = child.next


def _read_code(node: LexborNode, run: Inline) -> None:
    text = collapse(node.text())
    if not text:
        return
    run.pieces.append(code_span(text))
    run.terms.append(text)


def _read_emphasis(node: LexborNode, run: Inline) -> None:
    first = not collapse("".join(run.pieces))
    inner = Inline(known=run.known, in_note=run.in_note)
    _read_children(node, inner)
    run.notes += inner.notes
    text = inner.text
    lead = "".join(inner.pieces)
    run.pieces.append(lead)
    if not text:
        return
    run.terms.append(text)
    run.terms.extend(term for term in inner.terms if term != text)
    if first and not run.opening and node.tag in BOLD_OR_ITALIC:
        run.opening = text


def plain_math(text: str) -> str:
    r"""Write formulas that stand in running text as `\(…\)` or `\[…\]` the canonical way."""
    if "\\(" not in text and "\\[" not in text:
        return text
    return _TEX_SPAN.sub(lambda found: f"${found[1].strip()}$" if found[1] else f"$${found[2].strip()}$$", text)
