"""Tags and attribute lists that stand in a line of Markdown."""

from __future__ import annotations

import re

TAG_NAMES = (
    "a", "abbr", "article", "aside", "b", "bdi", "bdo", "big", "blockquote", "br", "button", "center", "cite", "code", "col",
    "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "embed", "figcaption", "figure", "font", "footer", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hr", "i", "iframe", "img", "input", "ins", "kbd", "label", "li", "link", "main", "mark", "nav",
    "nobr", "object", "ol", "p", "picture", "pre", "q", "rp", "rt", "ruby", "s", "samp", "section", "small", "source", "span",
    "strike", "strong", "sub", "summary", "sup", "svg", "path", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr",
    "tt", "u", "ul", "var", "video", "wbr"
)  # fmt: skip
"""Elements of HTML; any other `<word>` in running text is text (`Vec<T>`)."""

_VALUE = r"""(?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^\s"'=<>`{}]+)"""
_FLAGS = (
    "markdown|hidden|open|controls|checked|disabled|reversed|loading|async|defer|autoplay|loop|muted|download|allowfullscreen"
)
_ATTRIBUTE = rf"(?:\s+(?:[A-Za-z_:@][\w:.@-]*\s*=\s*{_VALUE}|(?:{_FLAGS})(?=[\s/>])))"
TAG = rf"</?(?i:{'|'.join(sorted(TAG_NAMES, key=len, reverse=True))}){_ATTRIBUTE}*\s*/?>"
COMPONENT = rf"</?[A-Z][\w.]*{_ATTRIBUTE}+\s*/?>|<[A-Z][\w.]*\s*/>"
ATTRIBUTES = re.compile(
    rf"\{{:?\s*(?:[#.][\w:.-]+|[\w-]+={_VALUE}|markdown|unnumbered|-)(?:\s+(?:[#.][\w:.-]+|[\w-]+={_VALUE}|markdown|-))*\s*\}}"
)
"""An attribute list: `{#id .class key="value"}`, `{: … }`."""
