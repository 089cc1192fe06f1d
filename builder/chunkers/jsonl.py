"""`cards.jsonl`: cards that something else has cut, one JSON object a line."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from askbook.builder.blocks import Problem
from askbook.builder.ids import Ids, slug
from askbook.core.schema import Book, Card, Section


def read(source: str, *, col: str, book: str, title: str, lang: str, file: str) -> tuple[Book, tuple[Problem, ...]]:
    """Read a book of ready cards; every line that is none is a fatal problem."""
    problems: list[Problem] = []
    cards: list[Card] = []
    ids = Ids()
    for number, line in enumerate(source.split("\n"), 1):
        if not line.strip():
            continue
        try:
            card = _card(json.loads(line), number, file)
        except json.JSONDecodeError as wrong:
            problems.append(Problem(file, number, f"is no JSON: {wrong.msg} in column {wrong.colno}", fatal=True))
            continue
        except RecursionError:
            problems.append(Problem(file, number, "is nested too deeply", fatal=True))
            continue
        except ValueError as wrong:
            problems.append(Problem(file, number, str(wrong), fatal=True))
            continue
        given = ids(card.id)
        if given != card.id:
            problems.append(Problem(file, number, f"the id {card.id!r} is taken already", fatal=True))
        cards.append(card)
    sections = _sections(cards)
    placed = tuple(
        replace(card, chapter=chapter) for chapter, section in enumerate(sections) for card in cards[section.first : section.last]
    )
    return Book(col, book, title, lang, placed, sections, _pages(cards)), tuple(problems)


def _card(values: Any, line: int, file: str) -> Card:
    if not isinstance(values, dict):
        raise ValueError("is no JSON object")
    for name in ("id", "kind", "title", "url", "text", "number", "parent"):
        if not isinstance(values.get(name, ""), str):
            raise ValueError(f"{name!r} must be text, not {values[name]!r}")
    for name in ("breadcrumb", "terms"):
        if not isinstance(values.get(name, []), list) or not all(isinstance(word, str) for word in values.get(name, [])):
            raise ValueError(f"{name!r} must be a list of texts")
    text = values.get("text", "")
    title = " ".join(values.get("title", "").split()) or " ".join(text.split())[:60]
    if not title:
        raise ValueError("has neither title nor text")
    breadcrumb = tuple(values.get("breadcrumb", ()))
    identity = values.get("id") or slug(title) or f"card-{line}"
    url = values.get("url") or f"#{identity}"
    return Card(
        identity, values.get("kind") or "section", title, url.lstrip("/"), text, values.get("number", ""), breadcrumb,
        terms=tuple(values.get("terms", ())), parent=values.get("parent", ""), file=file, line=line,
    )  # fmt: skip


def _sections(cards: list[Card]) -> tuple[Section, ...]:
    """A chapter for each run of cards that begin with the same title."""
    found: list[Section] = []
    for place, card in enumerate(cards):
        title = card.breadcrumb[0] if card.breadcrumb else card.title
        if found and found[-1].title == title:
            last = found.pop()
            found.append(Section(title, last.url, 0, last.first, place + 1, last.number))
        else:
            found.append(Section(title, card.url, 0, place, place + 1))
    return tuple(found)


def _pages(cards: list[Card]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(card.url.partition("#")[0] for card in cards))
