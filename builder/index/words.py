"""Decide the Chinese words of a book with jieba, once, at build; what it decides travels with the index as words and costs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from functools import cache, partial
from itertools import chain
from math import log
from typing import Any

from askbook.core.folding import fold
from askbook.core.schema import Book, Card

from .kept import Kept
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


def decide(
    book: Book, texts: Sequence[str] | None = None, memory: Memory | None = None, kept: Kept | None = None
) -> dict[str, int]:
    """Words of titles, headings, emphasised terms and pairs, with the cost of each; empty for other languages."""
    if not is_chinese(book.lang):
        return {}
    known, cuts = kept or Kept(book), memory or Memory()
    folded = texts if texts is not None else [fold(card.text) for card in book.cards]
    own = known.each("decided", lambda ordinals: [_decided(_phrases(book.cards[place]), cuts) for place in ordinals])
    counts = _counts({*chain.from_iterable(own), *_decided(chain.from_iterable(book.pairs), cuts)}, folded, known)
    total = sum(counts.values()) or 1
    return {word: round(_SCALE * log(total / (count + 1))) for word, count in counts.items()}


def _decided(phrases: Iterable[str], memory: Memory) -> tuple[str, ...]:
    """Words of phrases, each once."""
    found = (memory.recall("phrases", phrase, partial(_words, phrase)) for phrase in dict.fromkeys(phrases))
    return tuple(dict.fromkeys(chain.from_iterable(found)))


def _counts(words: Set[str], texts: Sequence[str], kept: Kept) -> dict[str, int]:
    """How often each word stands in the texts; those of unchanged cards are not read again for words that were known."""
    from .seen import occurrences  # NumPy is loaded when there is something to count

    before: dict[str, int] = kept.value("counts") or {}
    counts = {word: before[word] for word in sorted(words) if word in before}
    known = [*counts]
    if known:
        for word, gone in occurrences(known, "\n".join(kept.gone("folded"))).items():
            counts[word] -= gone
        for word, come in occurrences(known, "\n".join([texts[place] for place in kept.wanted("folded")])).items():
            counts[word] += come
    if len(known) < len(words):
        counts |= occurrences(sorted(words - counts.keys()), "\n".join(texts))
    kept.keep("counts", counts)
    return counts


def _phrases(card: Card) -> Iterable[str]:
    yield card.title
    yield from card.breadcrumb
    yield from (term for term in card.terms if len(term) <= _LONGEST)


def _words(phrase: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for run in _HAN.findall(fold(phrase)):
        found.update((word, None) for word in _tokenizer().lcut(run, HMM=True) if 2 <= len(word) <= _LONGEST)
        if len(run) <= _SHORT:
            found[run] = None
    return tuple(found)
