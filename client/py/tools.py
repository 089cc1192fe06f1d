"""The book tools: one function each over the shelf, the same bytes in page, terminal and over MCP.

A tool takes the shelf and plain arguments and returns a JSON value; what it cannot do it says by `ToolError`, which `run` turns
into a result for the model. Parameter names and docstrings are what a model is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal

from . import limits
from .arithmetic import calculate as compute
from .canonical import dumps
from .errors import NotFoundError, ToolError
from .folding import fold
from .index import Index
from .numerals import labels
from .parts import ToolCallPart, ToolResultPart
from .providers.base import ToolSchema
from .schema import Card, Section
from .schemas import About, checked, tool_schema
from .slices import Slice, context, regex_finder, substring_finder
from .toolbox import Place, Shelf, book_json, capped, card_json, find_card, find_chapter, find_start, match_json

Json = dict[str, Any]
Col = Annotated[str, About("Collection, as list_books gives it; leave out for the open book.")]
BookName = Annotated[str, About("Book, as list_books gives it; leave out for the open book.")]


def list_books(shelf: Shelf) -> Json:
    """List the books that can be searched and read, with collection and title."""
    return {"books": [book_json(index) for index in shelf.indexes]}


def book_toc(
    shelf: Shelf,
    start: Annotated[int, About("Entry to begin with, for the rest of a long table.", 0)] = 0,
    col: Col = "",
    book: BookName = "",
) -> Json:
    """Give the table of contents of a book: chapters and sections in reading order with their addresses."""
    index = shelf.one(col, book)
    known = [section for section in index.sections if shelf.within(index, section.first) or section.first == section.last]
    shown = known[start : start + limits.TOC_ENTRIES]
    toc = [{"title": section.title, "url": section.url, "number": section.number, "level": section.level} for section in shown]
    found: Json = {"title": index.title, "toc": toc, "total": len(known), "truncated": start + len(shown) < len(known)}
    return found | {"next": {"start": start + len(shown)}} if found["truncated"] else found


def book_retrieve(
    shelf: Shelf,
    question: Annotated[str, About("What is looked for: a question, terms, or a name such as “Theorem 3.2”.")],
    topK: Annotated[int, About("How many passages.", 1, limits.PASSAGES_MAX)] = limits.PASSAGES,  # noqa: N803
    col: Col = "",
    book: BookName = "",
) -> Json:
    """Search the book by content and return the best passages.

    Good for concepts, questions and names.
    """
    books = shelf.books(col, book)
    found = shelf.search(question, k=topK, books=books)
    results = [
        _with_book(card_json(hit.card), hit.index, books)
        | {"score": round(hit.score, 4), "matched": list(hit.matched)}
        | capped(hit.card.text, limits.RETRIEVE_CHARACTERS)
        for hit in found.hits
    ]
    return {"results": results, "status": found.status.to_json()}


def book_chunk(
    shelf: Shelf,
    id: Annotated[str, About("Id of a passage from an earlier result.")],  # noqa: A002
    start: Annotated[int, About("Character to begin with, for the rest of a long passage.", 0)] = 0,
    col: Col = "",
    book: BookName = "",
) -> Json:
    """Read one passage by its id; `next` holds the arguments for what follows it."""
    books = _books_for_reading(shelf, col, book)
    place = find_card(shelf, books, id)
    card = place.card
    found = {
        "found": True,
        **_with_book(card_json(card), place.index, books),
        **capped(card.text, limits.CHUNK_CHARACTERS, start),
    }
    return found | {"next": _next_chunk(shelf, place, start, books)}


def _next_chunk(shelf: Shelf, place: Place, start: int, books: tuple[Index, ...]) -> Json | None:
    """Arguments that go on reading: the rest of this card, else the card behind it."""
    if len(place.card.text) > start + limits.CHUNK_CHARACTERS:
        following, at = place, start + limits.CHUNK_CHARACTERS
    else:
        following, at = Place(place.index, place.ordinal + 1), 0
        if following.ordinal >= len(place.index) or not shelf.within(place.index, following.ordinal):
            return None
        at = following.card.overlap if following.card.overlap < len(following.card.text) else 0
    return _with_book({"id": following.card.id, "start": at}, place.index, books)


def book_slice_search(
    shelf: Shelf,
    pattern: Annotated[str, About("The very words, formula or code looked for, or a regular expression.")],
    mode: Annotated[Literal["substring", "regex"], About("How the pattern is meant.")] = "substring",
    limit: Annotated[int, About("How many hits.", 1, limits.SLICE_HITS_MAX)] = limits.SLICE_HITS,
    col: Col = "",
    book: BookName = "",
) -> Json:
    """Find the very words, formula or code in the text of the book, with what stands around them.

    LaTeX noise and case are ignored; a match of a regular expression stays within a line.
    """
    if not pattern.strip():
        raise ToolError("the pattern is empty", advice="give the words to look for")
    books = shelf.books(col, book)
    finder = regex_finder(pattern) if mode == "regex" else substring_finder(pattern)
    hits: list[Json] = []
    count = 0
    for index in books:
        for ordinal in range(shelf.visible[index.name]):
            card = index.card(ordinal)
            text = next((text for text in (card.text, card.title) if finder.holds(text)), None)
            if text is None:
                continue
            count += 1
            if len(hits) < limit and (found := finder.find(text)) is not None:
                hits.append(_with_book(card_json(card), index, books) | _slice(text, found))
    return {"hits": hits, "count": count}


def _slice(text: str, found: Slice) -> Json:
    """The words that matched, and what stands around them."""
    return {"text": text[found.start : found.end][: limits.SLICE_CONTEXT * 4], "context": context(text, found)}


def book_chapter_outline(
    shelf: Shelf,
    chapter: Annotated[str, About("Number of a chapter, or a word of its title.")],
    col: Col = "",
    book: BookName = "",
) -> Json:
    """Outline a chapter: its sections and the titles of the passages in them, to choose what to read."""
    index = shelf.one(col, book)
    found = find_chapter(shelf, index, chapter)
    first, last = found.section.first, min(found.section.last, shelf.visible[index.name])
    below = found.section.level + 1
    heads = [section for section in index.sections if section.level == below and first <= section.first < last]
    sections: list[Json] = []
    shown = 0
    for head, begin, end in _stretches(found.section, heads, first, last)[: limits.OUTLINE_SECTIONS]:
        cards = [index.card(ordinal) for ordinal in range(begin, min(end, begin + limits.OUTLINE_CARDS - shown))]
        shown += len(cards)
        sections.append(
            {"title": head.title, "number": head.number, "url": head.url, "cards": [_outline_card(card) for card in cards]}
        )
    return {
        "found": True,
        "chapter": {"number": found.number, "title": found.section.title, "url": found.section.url, "sections": sections},
        "cards": last - first,
        "truncated": shown < last - first,
    }


def _stretches(chapter: Section, heads: list[Section], first: int, last: int) -> list[tuple[Section, int, int]]:
    """Cut a chapter at its sections; what stands before the first one goes under the chapter itself."""
    starts = [(chapter, first), *((head, head.first) for head in heads)]
    ends = [start for _, start in starts[1:]] + [last]
    return [(head, start, min(end, last)) for (head, start), end in zip(starts, ends, strict=True) if start < min(end, last)]


def _outline_card(card: Card) -> Json:
    return {"number": card.number, "title": card.title, "url": card.url, "id": card.id, "type": card.kind}


def book_read_section(
    shelf: Shelf,
    start: Annotated[str, About("Where to begin: id, exact title or number of a passage or section.")],
    count: Annotated[int, About("How many passages.", 1, limits.READ_CARDS)] = limits.READ_CARDS,
    end: Annotated[str, About("Where to stop, included: id, title or number.")] = "",
    skip: Annotated[int, About("Characters of the first passage that were read already.", 0)] = 0,
    col: Col = "",
    book: BookName = "",
) -> Json:
    """Read a run of passages in the order of the book; `next` holds the arguments for the rest."""
    books = _books_for_reading(shelf, col, book)
    first = find_start(shelf, books, start)
    index, stop = first.index, shelf.visible[first.index.name]
    if end:
        last = find_card(shelf, (index,), end).ordinal
        if last < first.ordinal:
            raise ToolError(f"end {end!r} stands before start {start!r}", advice="change them over")
        stop = min(stop, last + 1)
    ordinals = range(first.ordinal, min(stop, first.ordinal + count))
    items: list[Json] = []
    for ordinal in ordinals:
        at = skip if ordinal == first.ordinal else _overlap(index, ordinal)
        items.append(_read_item(index, ordinal, at, books))
    found: Json = {"found": True, "items": items}
    if ordinals.stop < stop:
        following = index.card(ordinals.stop)
        onward = {"start": following.id, "count": count, "end": end, "skip": _overlap(index, ordinals.stop)}
        found["next"] = _with_book({name: value for name, value in onward.items() if value}, index, books)
    return found


def _overlap(index: Index, ordinal: int) -> int:
    """Characters of a split card that the part before it had already."""
    card = index.card(ordinal)
    return card.overlap if ordinal and card.overlap < len(card.text) else 0


def _read_item(index: Index, ordinal: int, at: int, books: tuple[Index, ...]) -> Json:
    card = index.card(ordinal)
    item = {"kind": card.kind, **_with_book(card_json(card), index, books), **capped(card.text, limits.READ_CHARACTERS, at)}
    if item["truncated"]:
        item["next"] = _with_book({"start": card.id, "count": 1, "skip": at + limits.READ_CHARACTERS}, index, books)
    return item


def book_ref(
    shelf: Shelf,
    name: Annotated[str, About("A numbered name such as “Theorem 3.2”, “图 5-1”, “式(3.5)”, “Chapter 3”.")],
    col: Col = "",
    book: BookName = "",
) -> Json:
    """Resolve a numbered name exactly: Theorem 3.2 is never 3.21."""
    books = shelf.books(col, book)
    named = [f"{kind} {number}" for kind, number, _ in labels(fold(name))]
    if not named:
        raise ToolError(f"{name!r} names no number", advice="name kind and number, as in “Theorem 3.2”")
    places = [
        Place(index, ordinal) for index in books for ordinal in index.carriers(named[0]) if shelf.within(index, ordinal)
    ]  # fmt: skip
    if not places:
        return {"found": False, "label": named[0], "matches": []}
    best = places[0]
    item = _read_item(best.index, best.ordinal, 0, books)
    others = [match_json(place, books) for place in places[1 : limits.PASSAGES_MAX]]
    return {"found": True, "label": named[0], **item, "matches": others}


def add_citation(
    shelf: Shelf,
    card: Annotated[str, About("Id of the passage that is quoted.")],
    quote: Annotated[str, About("Words of that passage, verbatim.")],
    col: Col = "",
    book: BookName = "",
) -> Json:
    """Check that a passage really holds these words, before they are quoted; a quote that is not there is refused."""
    from .citations import find_quote

    books = _books_for_reading(shelf, col, book)
    place = find_card(shelf, books, card)
    found = find_quote(quote, place.card)
    if found is None:
        raise ToolError("the passage does not hold these words", passage=capped(place.card.text, limits.CHUNK_CHARACTERS)["text"])
    return {"found": True, **_with_book(card_json(place.card), place.index, books), "quote": quote}


def calculate(
    shelf: Shelf, expression: Annotated[str, About("Numbers, + - * / // % **, brackets, sqrt, factorial, gcd, comb …")]
) -> Json:
    """Compute exactly, with fractions instead of rounding."""
    return compute(expression)


def _books_for_reading(shelf: Shelf, col: str, book: str) -> tuple[Index, ...]:
    """The books an id may belong to, the open one first."""
    return tuple(sorted(shelf.books(col, book), key=lambda index: index.name != shelf.current))


def _with_book(found: Json, index: Index, books: tuple[Index, ...]) -> Json:
    """Name the book where it is not plain which one is meant."""
    return found | {"col": index.col, "book": index.book} if len(books) > 1 else found


Tool = Callable[..., Json]
TOOLS: Final[Mapping[str, Tool]] = {
    tool.__name__: tool
    for tool in (
        list_books,
        book_toc,
        book_retrieve,
        book_chunk,
        book_slice_search,
        book_chapter_outline,
        book_read_section,
        book_ref,
        add_citation,
        calculate,
    )
}
OWN_CAP: Final = frozenset(TOOLS) - {"calculate"}
"""Tools whose own caps win over the general one."""


def available(shelf: Shelf) -> tuple[str, ...]:
    """Names of the tools that make sense now: without a book there are none to search and nothing to cite."""
    return tuple(TOOLS) if shelf else ("calculate",)


def schemas(shelf: Shelf, *, without: frozenset[str] = frozenset()) -> tuple[ToolSchema, ...]:
    """The tools of a turn as a model sees them."""
    return tuple(tool_schema(TOOLS[name]) for name in available(shelf) if name not in without)


class ShelfTools:
    """The book tools over one shelf, as the loop takes them."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf

    def schemas(self, without: frozenset[str] = frozenset()) -> tuple[ToolSchema, ...]:
        """The tools that make sense now."""
        return schemas(self.shelf, without=without)

    def run(self, call: ToolCallPart) -> ToolResultPart:
        """Run one call."""
        return run(call, self.shelf)


def run(call: ToolCallPart, shelf: Shelf) -> ToolResultPart:
    """Run one call; a wrong name or argument is an observation, not an exception."""
    names = available(shelf)
    if call.name not in names:
        return ToolResultPart(call.id, call.name, {"error": f"no tool {call.name!r}", "tools": list(names)}, error=True)
    if call.problem is not None:
        return ToolResultPart(call.id, call.name, problem_result(call), error=True)
    try:
        content = TOOLS[call.name](shelf, **checked(TOOLS[call.name], call.arguments))
    except NotFoundError as missing:
        return ToolResultPart(call.id, call.name, {"found": False, "error": str(missing), **missing.would_be_right})
    except ToolError as wrong:
        return ToolResultPart(call.id, call.name, {"error": str(wrong), **wrong.would_be_right}, error=True)
    return ToolResultPart(call.id, call.name, content if call.name in OWN_CAP else within_cap(content))


def problem_result(call: ToolCallPart) -> Json:
    """Tell the model why a call did not run, and what would."""
    schema = tool_schema(TOOLS[call.name]).parameters if call.name in TOOLS else {}
    match call.problem:
        case "truncated":
            return {
                "error": "the answer was cut off inside this call, so it was not run",
                "advice": "make the call again, shorter",
            }
        case "not_object":
            return {"error": "the arguments are not a JSON object", "arguments": call.raw[:200], "schema": schema}
        case _:
            return {"error": "the arguments are not valid JSON", "arguments": call.raw[:200], "schema": schema}


def within_cap(content: Json, limit: int = limits.RESULT_CHARACTERS) -> Json:
    """Cut a result without a cap of its own."""
    text = dumps(content)
    return content if len(text) <= limit else {"text": text[:limit], "truncated": True}
