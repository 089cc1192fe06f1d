"""Cards that cannot become one of the best are not looked at more closely, and nobody sees a difference."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from askbook.core import ranking
from askbook.core.cues import kinds_asked
from askbook.core.index import Index
from askbook.core.schema import Card
from askbook.core.search import search
from tests.shelves import book, card, shelf

WORDS = (
    "heap", "queue", "树", "stack", "二叉树", "theorem", "sort", "排序", "graph", "图", "proof", "of", "the", "时间复杂度",
    "search", "查找", "node", "节点", "list",
)  # fmt: skip
KINDS = ("section", "theorem", "definition", "proof", "example")


def text(draw: random.Random, most: int) -> str:
    """Words of both languages, some of them as titles and questions have them."""
    return " ".join(draw.choices(WORDS, k=draw.randint(1, most)))


def random_shelf(draw: random.Random) -> list[Index]:
    cards: list[Card] = []
    for place in range(120):
        kind, number = draw.choice(KINDS), f"{place // 9}.{place % 9}" if draw.random() < 0.3 else ""
        title = f"{kind.title()} {number} {text(draw, 2)}" if number else text(draw, 3)
        words = cards[-1].text if cards and draw.random() < 0.2 else text(draw, 40)
        cards.append(card(title, words, kind=kind, number=number))
    return shelf(book(*cards))


def hits(index: Sequence[Index], question: str, k: int) -> list[tuple[int, float]]:
    return [(hit.ordinal, hit.score) for hit in search(index, question, k=k).hits]


@pytest.mark.parametrize("seed", range(6))
def test_leaving_out_hopeless_cards_changes_no_hit(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(seed)
    books = random_shelf(draw)
    asked = [(text(draw, 5), draw.choice((1, 3, 8))) for _ in range(60)]
    asked += [(f"proof of theorem {draw.randint(0, 13)}.{draw.randint(0, 8)}", 8) for _ in range(20)]
    pruned = [hits(books, question, k) for question, k in asked]
    left_out: list[int] = []

    def all_of_them(shelf: Sequence[Index], found: ranking.Ranked, *rest: object) -> ranking.Ranked:
        left_out.append(len(found) - len(hopeful(shelf, found, *rest)))  # type: ignore[arg-type]
        return found

    hopeful = ranking._hopeful
    monkeypatch.setattr(ranking, "_hopeful", all_of_them)
    assert [hits(books, question, k) for question, k in asked] == pruned
    assert sum(left_out) > 100
    monkeypatch.setattr(ranking, "_surely", lambda *_: 0.0)  # so that every candidate is held against the question's phrases
    assert [hits(books, question, k) for question, k in asked] == pruned


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Prove the second lemma", "proof theorem lemma proposition corollary derivation"),
        ("What is a binary tree?", "definition"),
        ("How does a heap grow", "method algorithm procedure guide howto step recipe"),
        ("answers to chapter 2", "solution answer"),
        ("a show of hands", ""),
        ("什么是二叉树", "definition"),
        ("堆的定义", "definition term glossary"),
        ("improved", ""),  # a word that only holds another
    ],
)
def test_words_of_a_question_tell_the_kind_of_card(question: str, kinds: str) -> None:
    asked = kinds_asked(question)
    assert frozenset(kinds.split()) <= asked
    assert bool(asked) == bool(kinds)
