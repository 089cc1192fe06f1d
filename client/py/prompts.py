"""What we say to a model, as pure functions: system prompt, passages, messages, the text protocol; the words are `wording.py`'s.

What the book, a page or a reader's selection brings along is data: it stands in a fence that it cannot close, and the model is
told so. The question's language decides between Chinese and English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from . import wording
from .fences import escape, fence, fit, line, plain_address
from .limits import CALLS, CONTEXT_CHARACTERS, REQUESTS
from .parts import Message, Source, TextPart
from .providers.base import ToolSchema
from .wording import Lang

Mode = Literal["retrieve", "discussion"]
CHAPTERS_SHOWN: Final = 60
HAN: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
KANA: Final = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class BookFacts:
    """What a model has to know of a book."""

    title: str
    lang: str = ""
    authors: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    """With their numbers: `3 Compactness`."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the reader is looking at when asking."""

    page_title: str = ""
    page_url: str = ""
    selection: str = ""
    horizon: str = ""
    """Last chapter the reader has reached; empty for no limit."""
    lang: str = ""
    """Of the question."""
    chapter: str = ""
    """Title of the chapter the question is about; empty for the whole book."""


def language(question: str, fallback: str = "en") -> Lang:
    """Say which of our two languages a prompt should have for this question."""
    if HAN.search(question) and not KANA.search(question):
        return "zh"
    if KANA.search(question) or re.search(r"[A-Za-z]{2}", question):
        return "en"
    return "zh" if fallback.lower().startswith("zh") else "en"


# Passages


def numbered_passages(hits: Sequence[Source], limit: int = CONTEXT_CHARACTERS) -> str:
    """Write passages as a model reads them: `[n] 【kind｜title】`, address, text."""
    texts = fit([hit.text for hit in hits], limit)
    return "\n\n".join(
        f"[{hit.n}] 【{line(hit.kind)}｜{line(hit.title)}】\n{line(plain_address(hit.url))}\n{escape(text)}"
        for hit, text in zip(hits, texts, strict=True)
        if text or not hit.text
    )


# The system prompt


def say(lang: Lang, key: str, **values: object) -> str:
    """One of our sentences, filled in."""
    return wording.TEXTS[lang][key].format(**values)


def system_prompt(
    book: BookFacts | Sequence[BookFacts],
    tools: Sequence[ToolSchema],
    mode: Mode,
    context: Context,
    *,
    calls: int = CALLS,
    requests: int = REQUESTS,
) -> str:
    """Assemble the system prompt: role, book, what the reader sees, tools of this turn, conduct, language, spoiler rule."""
    lang = language("", context.lang)
    books = (book,) if isinstance(book, BookFacts) else tuple(book)
    sections = [say(lang, "role"), _books(lang, books), _looking_at(lang, context)]
    if tools:
        sections.append(say(lang, "tools", names=", ".join(tool.name for tool in tools), calls=calls, requests=requests))
    else:
        sections.append(say(lang, "no_tools"))
    sections.append(say(lang, mode) + (_gap(lang) + say(lang, "retrieve_tools") if tools and mode == "retrieve" else ""))
    sections.append(say(lang, "conduct") + ("\n" + say(lang, "conduct_tools") if tools else ""))
    sections.append(say(lang, "answer_language"))
    if context.horizon:
        sections.append(say(lang, "spoiler", horizon=line(context.horizon)))
    return "\n\n".join(section for section in sections if section)


def _gap(lang: Lang) -> str:
    return "" if lang == "zh" else " "


def _books(lang: Lang, books: Sequence[BookFacts]) -> str:
    if not books:
        return ""
    if len(books) == 1:
        return _book(lang, books[0], chapters=True)
    listed = [_book(lang, book, chapters=not at) for at, book in enumerate(books)]
    return "\n".join([say(lang, "books", count=len(books)), *(f"- {entry}" for entry in listed)])


def _book(lang: Lang, book: BookFacts, *, chapters: bool) -> str:
    authors = (
        say(lang, "by", authors=line("、".join(book.authors) if lang == "zh" else ", ".join(book.authors)))
        if book.authors
        else ""
    )
    told = say(
        lang, "book", title=line(book.title), authors=authors, tongue=say(lang, "lang", name=line(book.lang)) if book.lang else ""
    )
    if not chapters or not book.chapters:
        return told
    shown = [line(chapter) for chapter in book.chapters[:CHAPTERS_SHOWN]]
    if len(book.chapters) > CHAPTERS_SHOWN:
        shown.append(say(lang, "more", count=len(book.chapters) - CHAPTERS_SHOWN))
    return told + _gap(lang) + say(lang, "chapters", chapters="；".join(shown) if lang == "zh" else "; ".join(shown))


def _looking_at(lang: Lang, context: Context) -> str:
    found = []
    if context.page_title or context.page_url:
        found.append(say(lang, "page") + "\n" + fence("page", f"{line(context.page_title)}\n{line(context.page_url)}"))
    if context.chapter:
        found.append(say(lang, "chapter", title=line(context.chapter)))
    if context.selection.strip():
        found.append(say(lang, "selection") + "\n" + fence("selection", escape(context.selection)))
    return "\n\n".join(found)


# Messages


@dataclass(frozen=True, slots=True)
class SearchNotes:
    """What the model is told of a search that was weak."""

    unknown: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()
    weak: bool = False


def messages(
    question: str,
    passages: str,
    history: Sequence[Message],
    mode: Mode,
    notes: SearchNotes = SearchNotes(),
    *,
    lang: Lang | None = None,
) -> list[Message]:
    """Make the messages of an exchange's first request: what was said before, then the question with its passages."""
    lang = lang or language(question)
    asked = say(lang, "question", question=question.strip())
    if mode == "discussion":
        return [*history, Message("user", (TextPart(question.strip()),))]
    told = [say(lang, "passages") + "\n" + fence("passages", passages) if passages else say(lang, "no_passages")]
    told += _notes(lang, notes, found=bool(passages))
    return [*history, Message("user", (TextPart("\n\n".join([*told, asked])),))]


def _notes(lang: Lang, notes: SearchNotes, *, found: bool) -> list[str]:
    told = []
    if notes.unknown:
        told.append(say(lang, "unknown", terms=line(", ".join(notes.unknown))))
    if notes.nearest:
        told.append(say(lang, "nearest", terms=line(", ".join(notes.nearest))))
    if notes.weak and found:
        told.append(say(lang, "weak"))
    return told


def note(text: str) -> Message:
    """A word of ours to the model inside an exchange."""
    return Message("user", (TextPart(text),))


# Trying an endpoint

PROBE_TOOL: Final = ToolSchema(
    "lookup",
    wording.PROBE_TOOL,
    {"type": "object", "properties": {"word": {"type": "string", "description": "The word."}}, "required": ["word"]},
)

# The text protocol

PLACE: Final = re.compile(r"\{(tools|tool_names|input|scratchpad)\}")


def react_prompt(tools: Sequence[ToolSchema], question: str, scratchpad: str, lang: Lang) -> str:
    """Fill the template of the text protocol; the scratchpad ends where the model goes on."""
    values = {
        "tools": "\n".join(_react_tool(tool) for tool in tools),
        "tool_names": ", ".join(tool.name for tool in tools),
        "input": question,
        "scratchpad": scratchpad,
    }
    return PLACE.sub(lambda found: values[found[1]], wording.REACT[lang])


def _react_tool(tool: ToolSchema) -> str:
    """One line a tool: name, arguments with their kinds, what it does."""
    properties = tool.parameters["properties"]
    required = tool.parameters["required"]
    arguments = ", ".join(f"{name}{'' if name in required else '?'}: {about['type']}" for name, about in properties.items())
    return f"{tool.name}({arguments}): {tool.description}"
