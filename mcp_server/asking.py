"""Prompts a person can start with in an MCP client, and the endings of what is typed there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import mcp_types as types

from askbook.core.agentprompts import agent_ask, agent_quiz, agent_summary
from askbook.core.errors import ToolError
from askbook.core.toolbox import Shelf, chapters, find_chapter

COMPLETIONS: Final = 100


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with its arguments; the words are the core's."""

    name: str
    title: str
    about: str
    arguments: Mapping[str, tuple[str, bool]]
    """Name to meaning and whether it has to be given."""
    words: Callable[..., str]


PROMPTS: Final = {
    prompt.name: prompt
    for prompt in (
        Prompt(
            "ask",
            "Ask with citations",
            "Answer a question from the book and cite the passages",
            {"question": ("What you want to know", True), "book": ("Book, as list_books gives it", False)},
            agent_ask,
        ),
        Prompt(
            "summarise_chapter",
            "Summarise a chapter",
            "Summarise a chapter and cite its passages",
            {"chapter": ("Number of the chapter or a word of its title", True), "book": ("Book, as list_books gives it", False)},
            agent_summary,
        ),
        Prompt(
            "quiz",
            "Quiz me",
            "Ask questions on a chapter one after the other and judge the answers by the book",
            {
                "chapter": ("Number of the chapter or a word of its title", True),
                "questions": ("How many questions; 5 if left out", False),
                "book": ("Book, as list_books gives it", False),
            },
            agent_quiz,
        ),
    )
}


def listed(prompt: Prompt) -> types.Prompt:
    """A prompt as it is listed."""
    arguments = [
        types.PromptArgument(name=name, description=about, required=required)
        for name, (about, required) in prompt.arguments.items()
    ]
    return types.Prompt(name=prompt.name, title=prompt.title, description=prompt.about, arguments=arguments)


def filled(name: str, given: Mapping[str, str], shelf: Shelf) -> types.GetPromptResult:
    """A prompt with its arguments in place; ToolError says what is wrong with them."""
    prompt = PROMPTS.get(name)
    if prompt is None:
        raise ToolError(f"Unknown prompt: {name}", prompts=list(PROMPTS))
    missing = [key for key, (_, required) in prompt.arguments.items() if required and not given.get(key, "").strip()]
    unknown = [key for key in given if key not in prompt.arguments]
    if missing or unknown:
        wrong = f"{missing[0]!r} is missing" if missing else f"there is no {unknown[0]!r}"
        raise ToolError(f"wrong arguments for {name}: {wrong}", arguments=list(prompt.arguments))
    index = shelf.one(book=given.get("book", ""))
    values = {key: value.strip() for key, value in given.items() if value.strip() and key != "book"}
    if "chapter" in values:
        found = find_chapter(shelf, index, values["chapter"])
        values["chapter"] = f"{found.number}: {found.section.title}"
    text = prompt.words(f"{index.title} ({index.col}/{index.book})", index.lang, **values)
    message = types.PromptMessage(role="user", content=types.TextContent(text=text))
    return types.GetPromptResult(description=prompt.about, messages=[message])


def completions(argument: str, typed: str, shelf: Shelf) -> list[str]:
    """What an argument may be, beginning with what was typed."""
    match argument:
        case "col":
            known = [index.col for index in shelf.indexes]
        case "book":
            known = [index.book for index in shelf.indexes]
        case "chapter":
            known = [chapter.section.title for index in shelf.indexes for chapter in chapters(index)]
        case _:
            known = []
    begun = typed.casefold()
    return [name for name in dict.fromkeys(known) if name.casefold().startswith(begun)]
