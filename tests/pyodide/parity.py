"""BM25 of plain words by the core, from a written index; CPython, the packed runtime and rank-bm25 must agree."""

from __future__ import annotations

import json

from askbook.core.bm25 import idf
from askbook.core.index import load
from askbook.core.lexicon import EMPTY
from askbook.core.limits import K1, B
from askbook.core.question import groups, weigh
from askbook.core.ranking import scores

WORDS = ["map", "term", "list", "rank", "graph", "root", "leaf", "path", "word", "book", "card", "heap", "tree", "sort", "hash"]
TEXTS = [" ".join(WORDS[(row * step + step) % len(WORDS)] for step in range(3 + row * 7 % 40)) for row in range(60)]
"""Words that are their own stems, so that each counts once; in texts of many lengths, with repeats."""
QUESTIONS = ("map", "rank term", "graph heap sort path", "card hash book tree word list", "root leaf", "zzz")


def by_core(data: bytes) -> list[list[float]]:
    """Scores of every card for every question, the weight of a word taken out."""
    index = load(data)
    plans = [weigh(groups(question, EMPTY), index) for question in QUESTIONS]
    (weight,) = {value for plan in plans for one in plan for value in one.weights.values()}
    found = [scores([index], 0, plan, documents=len(index), average=index.average) for plan in plans]
    return [[row.get(ordinal, 0.0) / weight for ordinal in range(len(index))] for row in found]


def probe(data: bytes) -> str:
    """Scores as JSON, for the other runtime."""
    return json.dumps(by_core(data))


def index() -> bytes:
    """The texts as an index of untitled cards."""
    from askbook.builder.index.write import encode
    from askbook.core.schema import Book, Card

    cards = tuple(Card(f"{row}", "section", "", f"p/#{row}", text) for row, text in enumerate(TEXTS))
    return next(iter(encode(Book("books", "parity", "Parity", "en", cards)).values()))


def by_rank_bm25() -> list[list[float]]:
    """Scores of rank-bm25, given the idf that never falls below zero instead of its own."""
    from rank_bm25 import BM25Okapi

    okapi = BM25Okapi([text.split() for text in TEXTS], k1=K1, b=B)
    okapi.idf = {word: idf(sum(word in text.split() for text in TEXTS), len(TEXTS)) for word in WORDS}
    return [[float(score) for score in okapi.get_scores(question.split())] for question in QUESTIONS]
