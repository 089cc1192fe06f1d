"""The text of a built page as a reader sees it, line by line, read by regular expressions and not by the chunkers' parser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape

_TOKEN = re.compile(
    r"""<!--.*?-->|<![^>]*>|<\?[^>]*>
    |<(?P<raw>script|style|template|noscript|iframe|video|audio|object|canvas)\b(?:"[^"]*"|'[^']*'|[^"'>])*(?:/>|>.*?</(?P=raw)\s*>)
    |<pre\b(?P<pre_rest>(?:"[^"]*"|'[^']*'|[^"'>])*)>(?P<pre>.*?)</pre\s*>
    |<(?P<close>/?)(?P<tag>[a-zA-Z][^\s/>]*)(?P<rest>(?:"[^"]*"|'[^']*'|[^"'>])*)>
    |(?P<text>[^<]+|<)""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_INNER_TAG = re.compile(r"""</?[a-zA-Z](?:"[^"]*"|'[^']*'|[^"'>])*>|<!--.*?-->""", re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LINE_NUMBER = re.compile(
    r"""<span[^>]*class=["'](?:normal )?(?:linenos?|line-number|linenumber)(?:\s[^"']*)?["'][^>]*>[^<]*</span>"""
    r"""|<button\b.*?</button>""",
    re.DOTALL,
)
_REFERENCE = re.compile(r"#(?:user-content-)?fn|#ftn|#footnote|#fr-|#id\d")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VOID = _words("area base br col embed hr img input link meta param source track wbr")
_INLINE = _words(
    """
    a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark math nobr q rp rt ruby s samp small
    span strike strong sub sup time tt u var wbr br
    """
)
_NOT_TEXT = _words("nav footer form head title dialog annotation annotation-xml desc defs")
_NEVER_SHOWN = re.compile(
    r"""<!--.*?-->|<a\b[^<>]*\bclass="headerlink"[^<>]*>[^<]*</a>
    |<(script|style|template|noscript|iframe|video|audio|object|canvas)\b.*?</\1\s*>""",
    re.VERBOSE | re.DOTALL,
)
_IN_LINE = re.compile(rf"</?(?:{'|'.join(sorted(_INLINE))})(?:\s[^<>]*)?/?>")
_ANY_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_FURNITURE = _words(
    """
    headerlink header-anchor hash-link anchorjs-link anchor-link footnote-backref fn-backref md-content__button md-source-
    file md-source-date md-tags md-feedback linenos linenodiv lineno gutter docnav navheader navfooter toc toctree-wrapper
    sr-only visually-hidden screen-reader-text katex-html theme-doc-footer theme-doc-breadcrumbs pagination-nav
    VPDocFooter prev-next-area prev-next-footer copybtn nav-chapters buttons md-annotation tableOfContents theme-doc-toc-
    mobile theme-doc-version-badge rst-breadcrumbs-buttons
    """
)
_SPAN_FURNITURE = _words("lang fn-bracket")
_NOTE_LINK = _words("footnote-ref footnote-reference fn-ref noteref")
_NOTE_MARK = re.compile(r"[\W\d_]*+(?:[^\W\d_]|[ivxlc]+|n[bo]?|fn|note|注释|註釋|脚注|腳註|尾注)?[\W\d_]*", re.IGNORECASE)
"""What the mark of a note may be; in other words a link to a note is text."""


@dataclass(frozen=True, slots=True)
class Run:
    """Text between two line ends of a page, as a reader sees it."""

    text: str
    line: int
    formula: bool = False
    """Signs of a formula that are written another way in a card."""


class _Element:
    __slots__ = ("hidden", "math", "noted", "tag")

    def __init__(self, tag: str, *, hidden: bool, math: bool, noted: int | None = None) -> None:
        self.tag, self.hidden, self.math, self.noted = tag, hidden, math, noted
        """`noted` is where the text of a link to a note begins."""


_MAIN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"<article\b[^>]*\bclass=[\"'][^\"']*\bmd-content__inner\b[^>]*>",
        r"<\w+\b[^>]*\bclass=[\"'][^\"']*\btheme-doc-markdown\b[^>]*>",
        r"<\w+\b[^>]*\bclass=[\"'][^\"']*\bvp-doc\b[^>]*>",
        r"<\w+\b[^>]*\bitemprop=[\"']?articleBody\b[^>]*>",
        r"<article\b[^>]*\bclass=[\"'][^\"']*\bbd-article\b[^>]*>",
        r"<\w+\b[^>]*\bid=[\"']?(?:furo-main-content|quarto-document-content)\b[^>]*>",
        r"<\w+\b[^>]*\brole=[\"']?main\b[^>]*>",
        r"<main\b[^>]*>",
        r"<article\b[^>]*>",
        r"<div\b[^>]*\bclass=[\"'](?:book|part|preface|chapter|appendix|section|glossary|index|colophon)\b[^>]*>",
        r"<body\b[^>]*>",
    )
)
_OPEN_TAG = re.compile(r"<([a-zA-Z][\w-]*)")


def main_part(page: str) -> tuple[int, int]:
    """Where the main content of a page begins and ends in its source."""
    for pattern in _MAIN:
        found = pattern.search(page)
        if found:
            tag = _OPEN_TAG.match(found[0])
            return found.end(), _end_of(page, tag[1] if tag else "body", found.end())
    return 0, len(page)


def _end_of(page: str, tag: str, start: int) -> int:
    depth = 1
    for found in re.compile(rf"<!--.*?-->|<(/?){re.escape(tag)}(?=[\s>/])[^>]*>", re.IGNORECASE | re.DOTALL).finditer(
        page, start
    ):
        if found[0].startswith("<!--"):
            continue
        depth += -1 if found[1] else 1
        if depth == 0:
            return found.start()
    return len(page)


def stretches(page: str, *, whole: bool = True) -> str:
    """The same text at a glance, a null between stretches without a line end; what a page hides may be among them."""
    start, end = main_part(page) if whole else (0, len(page))
    shown = _IN_LINE.sub("", _NEVER_SHOWN.sub("", page[start:end]))
    return unescape(_ANY_TAG.sub("\0", shown))


def page_runs(page: str, *, whole: bool = True) -> list[Run]:
    """The text of a page's main content, line by line; with `whole` false, all of `page` is main content."""
    start, end = main_part(page) if whole else (0, len(page))
    return list(_Reader(page, start, end).read())


class _Reader:
    """Takes a piece of HTML apart."""

    def __init__(self, page: str, start: int, end: int) -> None:
        self._page, self._start, self._end = page, start, end
        self._stack: list[_Element] = []
        self._pieces: list[str] = []
        self._line = 1
        self._run_line = 1
        self._counted = 0

    def read(self) -> Iterator[Run]:
        """Yield each run of text."""
        for found in _TOKEN.finditer(self._page, self._start, self._end):
            kind = found.lastgroup
            if kind == "text":
                self._text(found[0], found.start())
            elif kind == "rest":
                yield from self._tag(found["tag"].lower(), bool(found["close"]), found["rest"])
            elif kind == "pre":
                yield from self._flush()
                if not self._hidden():
                    yield from self._code(found["pre"], found)
        yield from self._flush()

    def _line_at(self, position: int) -> int:
        self._line += self._page.count("\n", self._counted, position)
        self._counted = position
        return self._line

    def _hidden(self) -> bool:
        return bool(self._stack) and self._stack[-1].hidden

    def _text(self, text: str, position: int) -> None:
        if self._hidden() or text.isspace():
            return
        if not self._pieces:
            self._run_line = self._line_at(position)
        self._pieces.append(text)

    def _code(self, code: str, found: re.Match[str]) -> Iterator[Run]:
        if "<" in code:
            if "line" in code or "<button" in code:
                code = _LINE_NUMBER.sub("", code)
            code = _INNER_TAG.sub("", _BREAK.sub("\n", code))
        text = unescape(code)
        if text.strip() and not _is_furniture(_attributes(found["pre_rest"])):
            yield Run(text, self._line_at(found.start()))

    def _flush(self) -> Iterator[Run]:
        if not self._pieces:
            return
        text = unescape("".join(self._pieces))
        self._pieces = []
        if text.strip():
            yield Run(text, self._run_line, self._stack[-1].math if self._stack else False)

    def _tag(self, tag: str, close: bool, rest: str) -> Iterator[Run]:
        math = bool(self._stack) and self._stack[-1].math
        if math or tag == "math" or tag not in _INLINE:
            yield from self._flush()
        if close:
            self._close(tag)
        elif tag not in _VOID and not rest.rstrip().endswith("/"):
            self._open(tag, rest)

    def _open(self, tag: str, rest: str) -> None:
        self._close_implied(tag)
        parent = self._stack[-1] if self._stack else None
        hidden = parent is not None and parent.hidden
        attributes = _attributes(rest) if rest and not hidden else {}
        hidden = hidden or tag in _NOT_TEXT or _is_furniture(attributes)
        hidden = hidden or (tag == "span" and not _SPAN_FURNITURE.isdisjoint(attributes.get("class", "").split()))
        math = tag == "math" or (parent is not None and parent.math)
        noted = len(self._pieces) if _leads_to_note(tag, attributes) else None
        self._stack.append(_Element(tag, hidden=hidden, math=math, noted=noted))

    def _close_implied(self, tag: str) -> None:
        """End what HTML lets an author leave open."""
        ends = _ENDED_BY.get(tag)
        if ends and self._stack and self._stack[-1].tag in ends:
            self._stack.pop()

    def _close(self, tag: str) -> None:
        for position in range(len(self._stack) - 1, -1, -1):
            if self._stack[position].tag == tag:
                noted = self._stack[position].noted
                if noted is not None and _NOTE_MARK.fullmatch(unescape("".join(self._pieces[noted:]))):
                    del self._pieces[noted:]
                del self._stack[position:]
                return


_ENDED_BY: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        _words("p div ul ol dl table pre h1 h2 h3 h4 h5 h6 section article blockquote figure details hr"), frozenset({"p"})
    ),
    "li": frozenset({"li", "p"}),
    "dt": frozenset({"dt", "dd", "p"}),
    "dd": frozenset({"dt", "dd", "p"}),
    "td": frozenset({"td", "th", "p"}),
    "th": frozenset({"td", "th", "p"}),
    "tr": frozenset({"td", "th", "tr"}),
}


def _attributes(rest: str) -> dict[str, str]:
    return {found[1].lower(): unescape(found[2] or found[3] or found[4] or "") for found in _ATTRIBUTE.finditer(rest)}


def _is_furniture(attributes: Mapping[str, str]) -> bool:
    if not attributes:
        return False
    if not _FURNITURE.isdisjoint(attributes.get("class", "").split()):
        return True
    if attributes.get("role") in ("navigation", "search", "contentinfo", "banner", "toolbar", "doc-backlink"):
        return True
    return (attributes.get("aria-hidden") == "true" or "hidden" in attributes) and attributes.get("role") != "tabpanel"


def _leads_to_note(tag: str, attributes: Mapping[str, str]) -> bool:
    """A link to a footnote; its number is not a word of the book."""
    if tag != "a":
        return False
    return (
        not _NOTE_LINK.isdisjoint(attributes.get("class", "").split())
        or attributes.get("role") == "doc-noteref"
        or "noteref" in attributes.get("epub:type", "")
        or _REFERENCE.match(attributes.get("href", "")) is not None
    )
