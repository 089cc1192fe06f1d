"""What the build writes beside the indexes: `llms.txt`, `llms-full.txt`, `book.json` and `mcp.json`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urljoin

import orjson

from askbook.core.schema import Book, Card, Section

from .features import Outputs

MANIFEST_FORMAT = "askbook-book/1"


@dataclass(frozen=True, slots=True)
class Part:
    """What one book gives to the outputs; small enough to be remembered between builds."""

    short: str
    """Its part of `llms.txt`."""
    full: str
    """Its part of `llms-full.txt`; empty when nobody wants it."""
    entry: Mapping[str, Any]
    """Its entry in `book.json`."""


def part(book: Book, *, base: str, hash_: str = "", full: bool = True) -> Part:
    """Make one book's part; `base` is the address of the site, with or without a host."""
    return Part(_short(book, base), _full(book, base) if full else "", _entry(book, hash_))


def address(url: str, base: str) -> str:
    """The address of a card or a page under the site's own, percent-encoded."""
    return urljoin(base if base.endswith("/") else f"{base}/", quote(url, safe="/#:?=&,;~%+!$'()*@-._")) if base else url


def _short(book: Book, base: str) -> str:
    lines = [f"## {_line(book.title)}", ""]
    for section in _listed(book):
        indent = "  " * section.level
        lines.append(f"{indent}- [{_label(section.title)}]({address(section.url, base)})")
    return "\n".join(lines) + "\n"


def _listed(book: Book) -> list[Section]:
    """Chapters and the sections right under them."""
    return [section for section in book.sections if section.level <= 1]


def _full(book: Book, base: str) -> str:
    pieces = [f"# {_line(book.title)}\n"]
    starts: dict[int, list[Section]] = defaultdict(list)
    for section in book.sections:
        starts[section.first].append(section)
    for ordinal, card in enumerate(book.cards):
        for section in starts.get(ordinal, ()):
            if section.url != card.url:
                pieces.append(f"{_marks(section.level)} {_line(section.title)}\n\nSource: {address(section.url, base)}\n")
        pieces.append(_card(card, base))
    return "\n".join(pieces)


def _card(card: Card, base: str) -> str:
    text = card.text[card.overlap :].strip()
    if card.overlap and card.parent:
        return f"{text}\n"
    heading = f"{_marks(len(card.breadcrumb))} {_line(card.title)}\n\nSource: {address(card.url, base)}\n"
    return f"{heading}\n{text}\n" if text else heading


def _marks(level: int) -> str:
    return "#" * min(6, level + 2)


def _line(text: str) -> str:
    return " ".join(text.split())


def _label(text: str) -> str:
    return _line(text).replace("[", "\\[").replace("]", "\\]")


def _entry(book: Book, hash_: str) -> dict[str, Any]:
    return {
        "col": book.col,
        "book": book.book,
        "title": book.title,
        "lang": book.lang,
        "authors": list(book.authors),
        "index": f"{book.name}.json",
        "hash": hash_,
        "cards": len(book.cards),
        "chapters": [
            {"title": section.title, "number": section.number, "url": section.url, "cards": section.last - section.first}
            for section in book.sections
            if section.level == 0
        ],
    }


def llms_txt(parts: Sequence[Part], *, title: str, summary: str = "") -> bytes:
    """The list of what the site holds, with an address on every entry."""
    head = f"# {_line(title)}\n" + (f"\n> {_line(summary)}\n" if summary else "")
    return "\n".join([head, *(each.short for each in parts)]).encode()


def llms_full_txt(parts: Sequence[Part]) -> bytes:
    """The whole text, with an address on every section."""
    return "\n".join(each.full for each in parts).encode()


def book_json(parts: Sequence[Part]) -> bytes:
    """The manifest: collections, their books, chapters in order, hashes."""
    collections: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for each in parts:
        collections[each.entry["col"]].append(each.entry)
    listed: list[dict[str, Any]] = [{"col": col, "books": sorted(books, key=_slug)} for col, books in sorted(collections.items())]
    return orjson.dumps({"format": MANIFEST_FORMAT, "collections": listed}, option=orjson.OPT_INDENT_2) + b"\n"


def _slug(entry: Mapping[str, Any]) -> str:
    return str(entry["book"])


def mcp_json(name: str, *, base: str) -> bytes:
    """How an agent starts the MCP server of the published book."""
    server = {"command": "askbook", "args": ["mcp", base or "."]}
    return orjson.dumps({"mcpServers": {name: server}}, option=orjson.OPT_INDENT_2) + b"\n"


def server_card(name: str, title: str, *, base: str) -> bytes:
    """What the MCP server of the published book is, for who looks for one."""
    card: dict[str, Any] = {
        "name": name,
        "title": title,
        "description": f"Search, read and cite {title}.",
        "websiteUrl": base or None,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": "askbook",
                "runtimeHint": "askbook",
                "packageArguments": [{"type": "positional", "value": value} for value in ("mcp", base or ".")],
                "transport": {"type": "stdio"},
            }
        ],
        "capabilities": {"tools": {}, "resources": {}, "prompts": {}, "completions": {}},
    }
    return orjson.dumps({key: value for key, value in card.items() if value is not None}, option=orjson.OPT_INDENT_2) + b"\n"


def outputs(
    parts: Sequence[Part], switches: Outputs, *, title: str, base: str = "", summary: str = "", name: str = "book"
) -> dict[str, bytes]:
    """Every output that is switched on, file name to bytes."""
    made: dict[str, bytes] = {}
    if switches.llms_txt:
        made["llms.txt"] = llms_txt(parts, title=title, summary=summary)
    if switches.llms_full_txt:
        made["llms-full.txt"] = llms_full_txt(parts)
    if switches.book_json:
        made["book.json"] = book_json(parts)
    if switches.mcp_json:
        made["mcp.json"] = mcp_json(name, base=base)
        made["server-card.json"] = server_card(name, title, base=base)
    return made
