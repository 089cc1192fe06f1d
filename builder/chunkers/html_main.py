"""Where a built page keeps its content, generator by generator, and what stands there without belonging to the book."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from .html_words import words

MAIN = (
    "article.md-content__inner",  # Material for MkDocs
    ".theme-doc-markdown",  # Docusaurus
    ".vp-doc",  # VitePress
    "[itemprop=articleBody]",  # Sphinx and MkDocs, Read the Docs theme
    "article.bd-article",  # Sphinx, PyData theme and Jupyter Book
    "article#furo-main-content",  # Sphinx, Furo
    "#content > main",  # mdBook
    "main#quarto-document-content",  # Quarto
    "div.body[role=main]",  # Sphinx, classic themes
    "div[role=main]",  # MkDocs' own theme
    "[role=main]",
    "main article",
    "article",
    "main",
    "div.book, div.part, div.preface, div.chapter, div.appendix, div.section, div.glossary, div.index, div.colophon",  # DocBook
)
"""Selectors of the main content, the first that matches counts; the body where none does."""

NOISE_TAGS = words("nav header footer aside form dialog")
"""Elements that are furniture where the whole body had to be taken, or inside a page's main part."""

NOISE_CLASSES = words(
    """
    md-content__button md-source-file md-tags md-feedback md-source-date md-nav md-footer linenos linenodiv lineno theme-
    doc-breadcrumbs theme-doc-toc-mobile theme-doc-footer pagination-nav theme-doc-version-badge tableOfContents
    VPDocFooter VPBadge toc toctree-wrapper docnav navheader navfooter sphinxsidebar related rst-breadcrumbs-buttons
    copybtn prev-next-footer prev-next-area edit-this-page nav-chapters buttons mobile-nav-chapters line-numbers-wrapper
    gutter rouge-gutter askbook-furniture md-annotation headerbtn sr-only visually-hidden screen-reader-text quarto-title-meta
    """
)
"""Classes of furniture inside the main part: edit links, line numbers, copy buttons, the way to the next page."""

NOISE_ROLES = words("navigation search contentinfo banner toolbar")


def main_content(page: LexborHTMLParser) -> LexborNode | None:
    """Return the element that holds the page's content; None for a page without a body."""
    for selector in MAIN:
        found = page.css(selector)
        if found:
            inside = {node.mem_id for node in found[0].css(selector)}
            alone = all(node.mem_id in inside for node in found[1:])
            return found[0] if alone or selector != MAIN[-1] else found[0].parent
    return page.body


def spilled(html: str, main: LexborNode) -> str | None:
    """The main part as it stands in the source, where stray end tags let it spill out of its element; None where it does not."""
    tag, named = main.tag or "", main.attributes.get("class") or main.attributes.get("role") or ""
    if tag in ("body", "html") or not named:
        return None
    start = re.search(rf"<{tag}\b[^>]*{re.escape(named)}[^>]*>", html)
    if start is None:
        return None
    depth, end = 1, len(html)
    for found in re.compile(rf"<(/?){tag}\b").finditer(html, start.end()):
        depth += -1 if found[1] else 1
        if depth == 0:
            end = found.start()
            break
    source = html[start.end() : end]
    return source if len(_DIV_END.findall(source)) > len(_DIV.findall(source)) else None


_DIV = re.compile(r"<div\b", re.I)
_DIV_END = re.compile(r"</div\b", re.I)


def is_noise(node: LexborNode, attributes: dict[str, str | None]) -> bool:
    """Say whether an element of the main part is furniture."""
    if node.tag in NOISE_TAGS:
        return not _is_content_header(node, attributes)
    named = attributes.get("class")
    if named and not NOISE_CLASSES.isdisjoint(named.split()):
        return True
    role = attributes.get("role")
    if attributes.get("aria-hidden") == "true" or "hidden" in attributes:
        return role != "tabpanel"
    return role in NOISE_ROLES


def _is_content_header(node: LexborNode, attributes: dict[str, str | None]) -> bool:
    """A header that holds a heading, an aside that is a note or a footnote: text of the book."""
    if node.tag == "header":
        return node.css_first("h1, h2, h3, h4, h5, h6") is not None
    if node.tag == "aside":
        named = attributes.get("class") or ""
        return (
            any(word in named for word in ("footnote", "admonition", "sidebar", "topic", "note", "callout"))
            or "epub:type" in attributes
        )
    return False


def page_title(page: LexborHTMLParser) -> str:
    """The title element, without the site's name where that is set off by a known sign."""
    found = page.css_first("title")
    if found is None:
        return ""
    title = " ".join(found.text().split())
    for sign in (" - ", " — ", " | ", " · "):
        head, _, _tail = title.rpartition(sign)
        if head:
            return head
    return title


def page_language(page: LexborHTMLParser) -> str:
    """What `<html lang>` says."""
    root = page.root
    return (root.attributes.get("lang") or "").strip() if root is not None else ""
