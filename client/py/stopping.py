"""Tell without a model that an answer stopped too early: empty, a mere announcement, or a plan with chapters left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .folding import fold
from .parts import Incomplete

ANNOUNCEMENT_CHARACTERS: Final = 240
"""A longer text is an answer, whatever it announces."""
VERB: Final = (
    r"(?:search|look|check|find|read|consult|retrieve|fetch|see|query|browse|explore|review|gather|open|examine|use the tools?|"
    r"start|begin)"
)
ANNOUNCEMENT: Final = re.compile(
    r"\b(?:let me|let's|let us|i(?:'ll| will|'m going to| am going to| need to| want to)|allow me to)\b(?! (?:know|not)\b)"
    rf"[^.!?\n]{{0,40}}\b{VERB}\b|"
    r"(?:^|[.!?\n]\s*)(?:now )?(?:searching|checking|looking (?:it |this )?up|one moment|please wait|hold on)\b|"
    r"(?:我(?!们)|让我们?)(?:先|来|会|将|要|需要|现在|想|去|再|马上|这就|帮你|为你|为您)+[^。！？\n，,]{0,10}?"
    r"(?:查|找|搜|检索|翻|看看|看一下|读一下|阅读|了解一下|获取|浏览)|"
    r"(?:^|[。！？\n，,])\s*(?:首先|接下来|先|现在)(?:来|需要|去|让我)*(?:在书中|到书中)?(?:查一|查阅|查找一|找一|搜索一|检索|看看|看一下)|"
    r"请稍等|稍等片刻|正在(?:检索|查找|搜索|查询|查阅)",
    re.IGNORECASE,
)
MARK: Final = re.compile(r"\[\d+\]|【\d+】")
EVERY_CHAPTER: Final = re.compile(
    r"chapter[ -]by[ -]chapter|(?:each|every|all(?: the)?) chapters?|逐章|每一?章|各章|所有章|一章一章|按章", re.IGNORECASE
)
SENTENCE: Final = re.compile(r"[。！？.!?…:：]+\s*")


@dataclass(frozen=True, slots=True)
class Early:
    """Why an answer is not one yet."""

    reason: Incomplete
    missing: tuple[str, ...] = ()
    """Chapters of the plan that the answer leaves out."""


def stopped_early(text: str, *, planned: Sequence[tuple[str, str]] = ()) -> Early | None:
    """Say why this text is not a whole answer; `planned` are the chapters (number, title) it has to speak of."""
    text = text.strip()
    if not text:
        return Early("empty")
    if is_announcement(text):
        return Early("announcement")
    missing = tuple(
        title if number in title else f"{number} {title}" for number, title in planned if not speaks_of(text, number, title)
    )
    return Early("plan", missing) if missing else None


def is_announcement(text: str) -> bool:
    """Whether a short text without any mark does nothing but say what will be done next."""
    if len(text) > ANNOUNCEMENT_CHARACTERS or MARK.search(text):
        return False
    sentences = [sentence for sentence in SENTENCE.split(text) if sentence.strip()]
    return bool(sentences) and len(sentences) <= 3 and bool(ANNOUNCEMENT.search(sentences[-1]))


def wants_every_chapter(question: str) -> bool:
    """Whether a question asks for something about each chapter."""
    return bool(EVERY_CHAPTER.search(question))


def speaks_of(text: str, number: str, title: str) -> bool:
    """Whether an answer names a chapter by its title or number."""
    folded = fold(text).casefold()
    if title and fold(title).casefold().strip() in folded:
        return True
    escaped = re.escape(number.casefold())
    return bool(number) and bool(
        re.search(rf"(?:chapter|chap\.|第)\s*{escaped}(?!\d|[.\-]\d)|^[#*\s]*{escaped}[.、:： ]", folded, re.MULTILINE)
    )
