"""Which elements of a built page open a unit (an admonition, a theorem, a component), under which name and caption."""

from __future__ import annotations

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from .html_inline import classes, read_inline
from .html_words import words

_MARKERS = words(
    """
    admonition theme-admonition alert custom-block callout proof directive markdown-alert markdown-callout admonitionblock
    mdbook-alerts
    """
)
"""Classes that say that an element is a unit; another class of it says which."""

_PREFIXES = (
    "theme-admonition-", "alert--", "callout-", "markdown-alert-", "blockquote-tag-", "theorem-", "ltx_theorem_", "directive-",
    "mdbook-alerts-", "admonish-",
)  # fmt: skip
"""Class prefixes before the name of the unit."""

_NAMES = words(
    """
    theorem lemma corollary proposition definition axiom conjecture claim remark example exercise problem solution proof
    algorithm property observation criterion assumption hypothesis conclusion note tip warning caution important hint
    seealso todo danger error attention info question quote abstract summary bug success failure sidebar variant knowledge
    method
    """
)
"""Class names that make a unit of a division by themselves, as DocBook, Quarto, bookdown and PreTeXt write them."""

_NOT_NAMES = words("inline end details collapsible collapsed open default simple titled empty left right none style")

_TITLES = (
    "admonition-title", "custom-block-title", "callout-title", "callout-header", "markdown-alert-title", "alert-title",
    "blockquote-tag-title", "topic-title", "ltx_title_theorem", "theorem-title", "sidebar-title", "titlepage", "title", "heading",
    "mdbook-alerts-title",
)  # fmt: skip
"""Classes of the element that holds a unit's caption."""

_HEADING_CLASS = re.compile(r"admonition-?heading", re.I)


@dataclass(frozen=True, slots=True)
class Unit:
    """An element that opens a unit."""

    name: str
    title: str = ""
    heading: LexborNode | None = None
    """The element that holds the caption, not to be read again."""


def unit_of(node: LexborNode, attributes: dict[str, str | None]) -> Unit | None:
    """Say whether an element opens a unit, and which."""
    tag = node.tag or ""
    if tag == "details":
        return _details(node)
    named = attributes.get("class")
    if not named:
        return None
    if tag == "figure" and "listing" in named.split():
        caption = node.css_first("figcaption")
        return Unit("listing", _caption(caption), caption)
    name = _name(named.split(), tag)
    if name is None:
        return None
    heading = _heading(node)
    return Unit(name, _caption(heading), heading=heading)


_TABS = {
    "tabbed-alternate": ("tabbed-labels", "tabbed-content"),
    "vp-code-group": ("tabs", "blocks"),
    "tabs-container": ("tabs", "margin-top--md"),
}
"""Of content tabs, the class of the whole to those of the labels and of the panels: PyMdown, VitePress, Docusaurus."""


def tabs_of(attributes: dict[str, str | None]) -> tuple[str, str] | None:
    """Say whether an element holds content tabs, and what its two parts are called."""
    named = attributes.get("class") or ""
    return next((parts for name, parts in _TABS.items() if name in named), None)


def _details(node: LexborNode) -> Unit:
    summary = next((child for child in node.iter() if child.tag == "summary"), None)
    kinds = [name for name in classes(node) if name.lower() not in _NOT_NAMES and (name not in _MARKERS or name in _NAMES)]
    known = [name for name in kinds if _stripped(name).lower() in _NAMES]
    return Unit(_stripped((known or kinds)[0]) if kinds else "details", _caption(summary), heading=summary)


def _name(named: list[str], tag: str) -> str | None:
    """The unit's name among an element's classes."""
    marked = [name for name in named if name.lower() in _MARKERS]
    for name in named:
        if (stripped := _stripped(name)) != name and stripped.lower() in _NAMES:
            return stripped
    if marked:
        others = [name for name in named if name not in marked and name.lower() not in _NOT_NAMES]
        if "admonition" in marked and all(name.startswith("admonition-") for name in others):
            return "admonition"  # Sphinx writes the caption of a general one into its class
        known = [name for name in others if name.lower() in _NAMES]
        return (known or [name for name in marked if name.lower() in _NAMES] or others or marked)[0]
    if tag in ("div", "section", "article", "aside", "blockquote"):
        return next((name for name in named if name.lower() in _NAMES), None)
    return None


def _stripped(name: str) -> str:
    return next((name.removeprefix(prefix) for prefix in _PREFIXES if name.startswith(prefix)), name)


def _heading(node: LexborNode) -> LexborNode | None:
    """The caption's element: first child element, by class, or inside the first child."""
    first = next((child for child in node.iter()), None)
    for _ in range(3):
        if first is None:
            return None
        named = classes(first)
        if any(name in _TITLES or _HEADING_CLASS.search(name) for name in named):
            return first
        if first.tag == "a" and not first.text().strip():
            first = _next_element(first)
            continue
        first = next((child for child in first.iter()), None) if first.tag in ("div", "p", "span") else None
    return None


def _next_element(node: LexborNode) -> LexborNode | None:
    following = node.next
    while following is not None and not following.is_element_node:
        following = following.next
    return following


def _caption(node: LexborNode | None) -> str:
    return read_inline(node.iter(include_text=True)).text if node is not None else ""
