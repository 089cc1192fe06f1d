"""Without a model the book answers in its own sentences."""

from __future__ import annotations

import pytest

from askbook.core.extract import answer, extract
from askbook.core.search import search
from tests.shelves import book, card, shelf

HEAPS = shelf(
    book(
        card(
            "Heaps",
            "Trees are everywhere. A heap keeps its largest element at the root. Removing it takes logarithmic time.",
            name="a",
        ),
        card("Queues", "A queue serves in order. It has no heap inside.", name="b"),
        card("Code", "```py\nheap = []\n```", name="c"),
        *(card(f"Other {place}", f"Gardens number {place} have flowers and rivers near them.") for place in range(8)),
    )
)
ZH = shelf(
    book(
        card("堆", "树无处不在。堆是一种完全二叉树，最大的元素在根上。", name="a"),
        card("队列", "队列先进先出。", name="b"),
        lang="zh-Hans",
    )
)


def test_the_sentence_that_answers_comes_first() -> None:
    question = "Which element is at the root of a heap?"
    [best, *_] = extract(question, search(HEAPS, question).hits)
    assert (best.hit, best.text) == (0, "A heap keeps its largest element at the root. Removing it takes logarithmic time.")
    assert HEAPS[0].card(best.ordinal).text[best.start : best.end] == best.text


def test_each_hit_gives_one_passage() -> None:
    hits = search(HEAPS, "heap").hits
    found = extract("heap", hits)
    assert len({one.hit for one in found}) == len(found) > 1


def test_a_card_that_is_all_code_does_not_trail_behind_sentences() -> None:
    cards = (
        card("Heap", "A heap is a tree."),
        card("Heap code", "```py\nheap = []\n```"),
        card("Heaps again", "A heap is fast."),
    )
    found = search(shelf(book(*cards)), "heap")
    assert len(found.hits) == 3
    assert "See" not in answer("heap", found, lang="en")


def test_the_answer_carries_marks_and_sets_words_off() -> None:
    question = "堆的根是什么？"
    assert answer(question, search(ZH, question), lang="zh") == "**堆**是一种完全二叉树，最大的元素在**根**上。 [1]\n"


def test_a_card_without_sentences_is_named() -> None:
    [index] = shelf(book(card("Heap code", "```py\nheap = []\n```")))
    assert answer("heap", search([index], "heap"), lang="en") == "See “**Heap** code”. [1]\n".replace("**", "")


@pytest.mark.parametrize(
    ("question", "lang", "expected"),
    [
        ("zzzz qqqq", "en", "The book does not have “zzzz”, “qqqq”.\n\nNothing in the book answers this question.\n"),
        ("", "en", "Nothing in the book answers this question.\n"),
        ("", "zh-Hans", "书中没有找到与这个问题有关的内容。\n"),
    ],
)
def test_nothing_found_is_said_plainly(question: str, lang: str, expected: str) -> None:
    assert answer(question, search(HEAPS, question), lang=lang) == expected


def test_a_mended_spelling_is_told_first() -> None:
    lines = answer("heap elemnt", search(HEAPS, "heap elemnt"), lang="en").split("\n\n")
    assert lines[0] == "The book does not have “elemnt”; the nearest it has, “element”, was searched instead."


def test_without_the_text_titles_stand_in() -> None:
    from askbook.builder.index.write import encode
    from askbook.core.index import load

    files = encode(book(card("Heaps", "A heap is a tree.")))
    index = load(files["books-book.json"])
    assert answer("heap", search([index], "heap"), lang="en") == "See “Heaps”. [1]\n"


def test_a_long_unknown_word_is_shortened() -> None:
    long = "z" * 5_000
    assert answer(long, search(HEAPS, long), lang="en").split("\n\n")[0] == f"The book does not have “{'z' * 60}…”."


FORMULA = "In a collection of $N$ documents, the weight of a term is\n\n$$w = \\ln N$$\n\nIt is never negative."
PARTS = shelf(
    book(
        card("Definition 2.1 (Weight)", FORMULA, kind="definition", number="2.1", name="a"),
        card("Why is sorting fast?", "It is fast for the following reasons.\n\n- Caches help.\n- Few swaps are made.", name="b"),
        card("Proofs", "Proof of the weight of a term\n\nThe weight of a term is a logarithm.", name="c"),
        card("Trees", "A tree is cut twice. We call this a double cut.", name="d"),
        *(card(f"Other {place}", f"Gardens number {place} have flowers and rivers near them.") for place in range(8)),
    )
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What does Definition 2.1 say?", FORMULA),
        ("Why is sorting fast?", "It is fast for the following reasons.\n\n- Caches help.\n- Few swaps are made."),
        ("What is a double cut?", "A tree is cut twice. We call this a double cut."),
    ],
    ids=["a statement whole", "what leads on with its list", "what leans with the one before"],
)
def test_a_passage_is_whole(question: str, first: str) -> None:
    assert extract(question, search(PARTS, question).hits)[0].text == first


def test_a_caption_is_no_sentence() -> None:
    question = "proof of the weight of a term"
    texts = [one.text for one in extract(question, search(PARTS, question).hits)]
    assert "The weight of a term is a logarithm." in texts


def test_formulas_and_lists_stand_in_their_places() -> None:
    question = "What does Definition 2.1 say?"
    assert answer(question, search(PARTS, question), lang="en").startswith(
        "In a collection of $N$ documents, the weight of a term is [1]\n\n$$w = \\ln N$$\n\nIt is never negative.\n"
    )
    question = "Why is sorting fast?"
    assert answer(question, search(PARTS, question), lang="en") == (
        "It is **fast** for the following reasons. [1]\n\n- Caches help.\n- Few swaps are made.\n"
    )
