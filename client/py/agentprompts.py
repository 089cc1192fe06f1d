"""What an agent is told that comes to the books from outside, over MCP; `prompts.py` does the same for our own exchange."""

from __future__ import annotations

from typing import Final

from .fences import line
from .prompts import language
from .wording import AGENT_INSTRUCTIONS, AGENT_TEXTS

QUESTIONS: Final = 5
"""Of a quiz, where nobody said how many."""


def agent_instructions(books: str) -> str:
    """What the server says of itself when a client connects."""
    return AGENT_INSTRUCTIONS.format(books=line(books), cite=AGENT_TEXTS["en"]["cite"])


def agent_ask(book: str, lang: str, question: str) -> str:
    """Ask with citations."""
    words = AGENT_TEXTS[language(question, lang)]
    return words["ask"].format(book=line(book), question=question, cite=words["cite"])


def agent_summary(book: str, lang: str, chapter: str) -> str:
    """Summarise a chapter."""
    words = AGENT_TEXTS[language("", lang)]
    return words["summary"].format(book=line(book), chapter=line(chapter), cite=words["cite"])


def agent_quiz(book: str, lang: str, chapter: str, questions: str = str(QUESTIONS)) -> str:
    """Quiz the reader."""
    words = AGENT_TEXTS[language("", lang)]
    return words["quiz"].format(book=line(book), chapter=line(chapter), questions=line(questions), cite=words["cite"])
