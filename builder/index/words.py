"""Decide the Chinese words of a book with jieba, once, at build; what it decides travels with the index as words and costs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from math import log
from typing import Any

from askbook.core.folding import fold
from askbook.core.schema import Book

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]{2,}")
_LONGEST = 8
_SEEN = 2
"""A word of the running text must occur this often; one of a title need not."""
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


def decide(book: Book) -> dict[str, int]:
    """Words of titles, headings, emphasised terms and pairs, with the cost of each; empty for other languages."""
    if not is_chinese(book.lang):
        return {}
    text = "\n".join(fold(card.text) for card in book.cards)
    words = {word for phrase in _phrases(book) for word in _words(phrase)}
    counts = {word: text.count(word) for word in sorted(words)}
    total = sum(counts.values()) or 1
    return {word: round(_SCALE * log(total / (count + 1))) for word, count in counts.items()}


def _phrases(book: Book) -> Iterable[str]:
    for card in book.cards:
        yield card.title
        yield from card.breadcrumb
        yield from (term for term in card.terms if len(term) <= _LONGEST)
    for pair in book.pairs:
        yield from pair


def _words(phrase: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for run in _HAN.findall(fold(phrase)):
        found.update(word for word in _tokenizer().lcut(run, HMM=True) if 2 <= len(word) <= _LONGEST)
        if len(run) <= 5:
            found[run] += 1
    return found
