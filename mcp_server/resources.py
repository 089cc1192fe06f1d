"""The books as MCP resources: every card, the outline and an `llms.txt` of each book, found by name and never by path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

from askbook.core.errors import ToolError
from askbook.core.index import Index
from askbook.core.schema import Card
from askbook.core.toolbox import Shelf

SCHEME: Final = "askbook://"
PAGE: Final = 200
"""Resources on one page of the listing, at the least."""
PAGES: Final = 50
"""Pages of the listing at the most: the official npm client reads no more than 64."""
TEMPLATES: Final = (
    ("card", SCHEME + "{col}/{book}/card/{+id}", "One passage of a book by its id, as Markdown", "text/markdown"),
    ("outline", SCHEME + "{col}/{book}/outline", "Chapters and sections of a book, as Markdown", "text/markdown"),
    ("llms.txt", SCHEME + "{col}/{book}/llms.txt", "What a book is and where its pages are, for language models", "text/plain"),
)
"""Name, address template, description, type."""
_ADDRESS = re.compile(r"askbook://(?P<col>[^/?#]+)/(?P<book>[^/?#]+)/(?:(?P<whole>outline|llms\.txt)|card/(?P<id>[^?#]+))")


@dataclass(frozen=True, slots=True)
class Entry:
    """A resource as it is listed."""

    uri: str
    name: str
    title: str
    type: str


@dataclass(frozen=True, slots=True)
class Content:
    """A resource as it is read."""

    uri: str
    type: str
    text: str


def base(index: Index) -> str:
    """What the addresses of a book begin with."""
    return f"{SCHEME}{quote(index.col)}/{quote(index.book)}/"


def card_uri(index: Index, card: Card) -> str:
    """The address of a card."""
    return f"{base(index)}card/{quote(card.id, safe='/')}"


def count(shelf: Shelf) -> int:
    """How many resources there are."""
    return sum(2 + len(index) for index in shelf.indexes)


def page_size(shelf: Shelf) -> int:
    """How many resources stand on one page of the listing."""
    return max(PAGE, -(-count(shelf) // PAGES))


def listed(shelf: Shelf, start: int, stop: int) -> Iterator[Entry]:
    """A stretch of the listing: first what there is of each book as a whole, then all cards in reading order."""
    wholes = 2 * len(shelf.indexes)
    for place in range(start, min(stop, wholes)):
        index = shelf.indexes[place // 2]
        if place % 2:
            yield Entry(f"{base(index)}llms.txt", "llms.txt", f"{index.title}: llms.txt", "text/plain")
        else:
            yield Entry(f"{base(index)}outline", "outline", f"{index.title}: outline", "text/markdown")
    offset = wholes
    for index in shelf.indexes:
        for ordinal in range(max(start - offset, 0), min(stop - offset, len(index))):
            card = index.card(ordinal)
            yield Entry(card_uri(index, card), card.id, card.title, "text/markdown")
        offset += len(index)


def read(shelf: Shelf, uri: str) -> Content:
    """Return the resource at an address; ToolError says what is wrong with it."""
    match = _ADDRESS.fullmatch(uri)
    if not match:
        raise ToolError(f"no resource {uri!r}", templates=[template for _, template, _, _ in TEMPLATES])
    index = shelf.one(unquote(match["col"]), unquote(match["book"]))
    if match["whole"] == "outline":
        return Content(uri, "text/markdown", outline(index))
    if match["whole"]:
        return Content(uri, "text/plain", llms_txt(index))
    id_ = unquote(match["id"])
    ordinal = index.find(id_)
    if ordinal is None:
        raise ToolError(f"no card {id_!r} in {index.name!r}", advice="ids come from the tools and from resources/list")
    return Content(uri, "text/markdown", card_text(index.card(ordinal)))


def card_text(card: Card) -> str:
    """A card as Markdown, with the way to it and its address."""
    way = " › ".join(card.breadcrumb)
    return "\n\n".join(filter(None, (f"# {card.title}", way, card.text, f"Source: {card.url}"))) + "\n"


def outline(index: Index) -> str:
    """Chapters and sections as nested lists."""
    lines = [f"{'  ' * section.level}- [{section.title}]({section.url})" for section in index.sections]
    return f"# {index.title}\n\n" + "\n".join(lines) + "\n"


def llms_txt(index: Index) -> str:
    """The book in the form of an `llms.txt`: title, summary, the chapters with their addresses."""
    by = f" by {', '.join(index.authors)}" if index.authors else ""
    chapters = [f"- [{section.title}]({section.url})" for section in index.sections if section.level == 0]
    summary = f"> A book{by} in {index.lang}: {len(index)} passages on {len(index.pages)} pages."
    return f"# {index.title}\n\n{summary}\n\n## Chapters\n\n" + "\n".join(chapters) + "\n"
