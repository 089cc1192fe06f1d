"""New ids for blocks that have none: named after what they say, so they stay when others come and go."""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b

from selectolax.lexbor import LexborHTMLParser, LexborNode

from .html_inline import is_self_link
from .html_notes import note_target
from .html_words import words

PREFIX = "ask-"
"""Start of every id that the build adds to a page."""

TARGETS = words(
    """
    p li pre table dt dd div section article aside details figure figcaption caption label blockquote h1 h2 h3 h4 h5 h6
    summary td th center
    """
)
"""Elements that may get an id."""

_SELECTOR = ", ".join(sorted(TARGETS))
_SCAN = re.compile(
    r"""<(?:!--.*?(?:-->|\Z)
    |(?P<raw>(?i:script|style|textarea|title|xmp|iframe|noembed|noframes|noscript))\b.*?(?:</(?i:(?P=raw))\s*>|\Z)
    |(?!(?:a|code|em|img|input|span|strong)\b)(?P<name>[a-zA-Z][a-zA-Z0-9]*)(?=[\s/>]))""",
    re.DOTALL | re.VERBOSE,
)
_NO_LETTERS = re.compile(r"[\W_]+")
_NO_LETTER = bytes(code for code in range(128) if not chr(code).isalnum())
"""The same in ASCII."""
_ID = re.compile(r"""\sid\s*=\s*["']?(ask-[^\s"'>]+)""", re.I)


class Ids:
    """Gives ids on one page and writes them into its source."""

    def __init__(self, source: str) -> None:
        self._taken = set(_ID.findall(source)) if PREFIX in source else set()
        self._counts: dict[str, int] = {}
        self.given: dict[int, str] = {}
        """Element to its new id."""

    def give(self, node: LexborNode, text: str) -> str:
        """Name an element after its text; empty for an element that cannot have one."""
        if node.tag not in TARGETS:
            return ""
        known = self.given.get(node.mem_id)
        if known is not None:
            return known
        stem = PREFIX + fingerprint(text)
        count = self._counts.get(stem, 0) + 1
        while (name := stem if count == 1 else f"{stem}-{count}") in self._taken:
            count += 1
        self._counts[stem] = count
        self._taken.add(name)
        self.given[node.mem_id] = name
        return name

    def write(self, source: str, page: LexborHTMLParser) -> str | None:
        """Insert the ids into the source text; None when the source is not in the order of its tree."""
        if not self.given:
            return source
        elements = page.css(_SELECTOR)
        starts = [found for found in _SCAN.finditer(source) if (name := found["name"]) and name.lower() in TARGETS]
        if [node.tag for node in elements] != [found["name"].lower() for found in starts]:
            return None
        pieces, last = [], 0
        for node, found in zip(elements, starts, strict=True):
            name = self.given.get(node.mem_id)
            if name is not None:
                pieces += [source[last : found.end()], f' id="{name}"']
                last = found.end()
        return "".join([*pieces, source[last:]])


def fingerprint(text: str) -> str:
    """Eight letters that change only when the words do, not when spaces or quotation marks do."""
    if text.isascii():
        written = text.encode()
        letters = written.translate(None, _NO_LETTER)
    else:
        written = text.encode("utf-8", "surrogatepass")
        letters = _NO_LETTERS.sub("", unicodedata.normalize("NFKC", text)).encode("utf-8", "surrogatepass")
    return blake2b(letters or written, digest_size=4).hexdigest()


def own_id(node: LexborNode) -> str:
    """The id of an element, or the name of an old anchor."""
    attributes = node.attributes
    return attributes.get("id") or (attributes.get("name") or "" if node.tag == "a" else "")


def heading_id(node: LexborNode) -> str:
    """The first id inside a heading."""
    found = node.css_first("[id], a[name]")
    return own_id(found) if found is not None else ""


def inner_id(node: LexborNode) -> str:
    """The id of an empty anchor at the very start of a block."""
    child = node.child
    while child is not None and child.is_text_node and not (child.text_content or "").strip():
        child = child.next
    if child is None or child.tag not in ("a", "span") or child.text().strip():
        return ""
    return own_id(child)


def self_link(node: LexborNode) -> str:
    """Where the permanent-link sign of a heading leads; the id may stand on the section around it."""
    for link in node.css("a[href^='#']"):
        if is_self_link(link):
            return note_target(link)
    return ""
