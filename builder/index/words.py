"""Decide the Chinese words of a book with jieba, once, at build; what it decides travels with the index as words and costs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, partial
from math import log
from operator import add
from typing import Any

from askbook.core.folding import fold
from askbook.core.schema import Book

from .memory import Memory

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]{2,}")
_LONGEST = 8
_SHORT = 5
"""A run of so few letters is a word whatever jieba says of it."""
_SCALE = 2.0


@cache
def _tokenizer() -> Any:
    """Load jieba's dictionary when the first Chinese book comes, and keep it quiet."""
    import logging

    import jieba

    jieba.setLogLevel(logging.ERROR)
    tokenizer = jieba.Tokenizer()
    tokenizer.initialize()
    return tokenizer


def is_chinese(lang: str) -> bool:
    """Whether jieba has a say in this language."""
    return lang.lower().split("-")[0] in ("zh", "yue", "cmn")


def cut(run: str) -> list[str]:
    """Cut a run of Chinese into jieba's words."""
    return list(_tokenizer().lcut(run, HMM=False))


def decide(book: Book, texts: Sequence[str] | None = None, memory: Memory | None = None) -> dict[str, int]:
    """Words of titles, headings, emphasised terms and pairs, with the cost of each; empty for other languages."""
    if not is_chinese(book.lang):
        return {}
    known = memory or Memory()
    text = "\n".join(texts if texts is not None else (fold(card.text) for card in book.cards))
    phrases = dict.fromkeys(_phrases(book))
    words = {word for phrase in phrases for word in known.recall("phrases", phrase, partial(_words, phrase))}
    counts = occurrences(sorted(words), text)
    total = sum(counts.values()) or 1
    return {word: round(_SCALE * log(total / (count + 1))) for word, count in counts.items()}


def occurrences(words: Sequence[str], text: str) -> dict[str, int]:
    """How often each word stands in a text; words of two letters are counted together."""
    runs = "\n".join(_HAN.findall(text))
    pairs = {word for word in words if len(word) == 2}
    seen = Counter(filter(pairs.__contains__, map(add, runs, runs[1:])))
    openings = {word[:3] for word in words if len(word) > 2}
    begun = Counter(filter(openings.__contains__, map(add, map(add, runs, runs[1:]), runs[2:])))
    found = {}
    for word in words:
        if len(word) == 2:
            found[word] = seen[word]
        else:
            found[word] = begun[word] if len(word) == 3 else runs.count(word) if begun[word[:3]] else 0
    return found


def _phrases(book: Book) -> Iterable[str]:
    for card in book.cards:
        yield card.title
        yield from card.breadcrumb
        yield from (term for term in card.terms if len(term) <= _LONGEST)
    for pair in book.pairs:
        yield from pair


def _words(phrase: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for run in _HAN.findall(fold(phrase)):
        found.update((word, None) for word in _tokenizer().lcut(run, HMM=True) if 2 <= len(word) <= _LONGEST)
        if len(run) <= _SHORT:
            found[run] = None
    return tuple(found)
