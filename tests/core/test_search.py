"""The right card comes first for a number, a name, a concept and a plain question, and the status says what is missing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askbook.core.index import Index
from askbook.core.search import search
from tests.shelves import book, card, shelf

FILLER = [card(f"Filler {place}", f"Some other text number {place} about gardens, rivers and hills.") for place in range(12)]
MATHS = book(
    card(
        "Theorem 3.2 (Heine–Borel)",
        "A subset of the line is compact if and only if it is closed and bounded.",
        kind="theorem",
        number="3.2",
    ),
    card("Theorem 3.21", "Every bounded sequence has a convergent subsequence.", kind="theorem", number="3.21"),
    card("Theorem 13.2", "Theorem 3.2 and Theorem 3.2 again: see Theorem 3.2.", kind="theorem", number="13.2"),
    card("Proof", "By Theorem 3.2 the set is compact. The proof of compactness uses covers.", kind="proof"),
    card(
        "Definition 2.4 (Compact set)",
        "A set is compact if every open cover has a finite subcover.",
        kind="definition",
        number="2.4",
    ),
    card("例 2.1", "一个紧集的例子。", kind="example", number="2.1"),
    card("例 12.1", "例 2.1 的推广。", kind="example", number="12.1"),
    *FILLER,
)
ZH = book(
    card("时间复杂度", "时间复杂度描述算法运行时间随数据量增长的趋势。", kind="definition"),
    card("空间复杂度", "空间复杂度描述算法占用内存的增长趋势。", kind="definition"),
    card("哈希表", "哈希表（hash table）通过建立键与值的映射实现高效查询。负载因子（load factor）衡量冲突程度。"),
    card("图书馆", "每個月都去圖書館借書。"),
    card("物联网", "物联网把设备接入网络。"),
    card("宠物", "我的猫怕雨。"),
    card("标号", '罐身上的"SAP No. 1293164"已经模糊。'),
    card("第10章 语言", "Ｃ＋＋ 很快。"),
    lang="zh-Hans",
    name="zh",
)


def first(index: Index, question: str) -> str:
    hits = search([index], question).hits
    return hits[0].card.title if hits else ""


@pytest.fixture(scope="module")
def maths() -> Index:
    return shelf(MATHS)[0]


@pytest.fixture(scope="module")
def zh() -> Index:
    return shelf(ZH)[0]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Theorem 3.2", "Theorem 3.2 (Heine–Borel)"),
        ("定理3.2", "Theorem 3.2 (Heine–Borel)"),
        ("What does theorem 3.21 say?", "Theorem 3.21"),
        ("Theorem 13.2", "Theorem 13.2"),
        ("heine borel", "Theorem 3.2 (Heine–Borel)"),
        ("例 2.1", "例 2.1"),
        ("Example 12.1", "例 12.1"),
        ("definition of compact", "Definition 2.4 (Compact set)"),
    ],
)
def test_the_right_card_is_first(maths: Index, question: str, title: str) -> None:
    assert first(maths, question) == title


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("每個月都", "图书馆"),
        ("图书馆", "图书馆"),
        ("圖書館", "图书馆"),
        ("物联网", "物联网"),
        ("猫", "宠物"),
        ("雨", "宠物"),
        ("SAP", "标号"),
        ("1293164", "标号"),
        ("第10章", "第10章 语言"),
        ("第十章", "第10章 语言"),
        ("C++", "第10章 语言"),
        ("什么是时间复杂度？", "时间复杂度"),
        ("hash table", "哈希表"),
        ("what is a load factor?", "哈希表"),
    ],
)
def test_chinese_is_found_in_every_form(zh: Index, question: str, title: str) -> None:
    assert first(zh, question) == title


def test_c_and_its_sisters_have_different_first_hits() -> None:
    languages = book(card("a", "写 C++ 程序。"), card("b", "写 C# 程序。"), card("c", "写 C 程序。"), lang="zh-Hans")
    [index] = shelf(languages)
    assert [first(index, question) for question in ("C++", "C#", "C")] == ["a", "b", "c"]


@pytest.mark.parametrize("question", ["setTimeout", "settimeout", "app:setTimeout", "app:setTimeout(cb)", "set timeout"])
def test_an_identifier_is_found_whole_and_in_parts(question: str) -> None:
    [index] = shelf(book(card("app:setTimeout(cb)", "Calls back later."), card("timer", "A clock."), *FILLER))
    assert first(index, question) == "app:setTimeout(cb)"


def test_a_word_in_half_of_the_cards_is_found() -> None:
    [index] = shelf(book(card("a", "apple pear"), card("b", "apple plum"), card("c", "fig"), card("d", "nut")))
    assert {hit.card.title for hit in search([index], "apple").hits} == {"a", "b"}


@pytest.mark.parametrize("question", ["title:", "a~", "^b", "-c", '"', "+x", "(", "[a-", "\\", "' OR 1=1 --", "%", "*"])
def test_operators_are_text(maths: Index, question: str) -> None:
    assert isinstance(search([maths], question).to_json(), dict)


@pytest.mark.parametrize(
    "question", ["", " ", "\ud800", "\x00", "😀", "?" * 10, "the " * 30_000, "紧" * 100_000, "$" * 100_000, "a" * 100_000]
)
def test_any_string_is_a_question(maths: Index, zh: Index, question: str) -> None:
    found = search([maths, zh], question)
    assert 0 <= found.status.confidence <= 1


@given(st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_random_text_never_raises(question: str) -> None:
    search(RANDOM, question)


RANDOM = shelf(MATHS, ZH)


def test_a_book_of_pictures_gives_nothing() -> None:
    assert search(shelf(book(card("", ""), card("", "")), book()), "anything").hits == ()
    assert search([], "anything").hits == ()


def test_function_words_weigh_nothing(maths: Index) -> None:
    plain, framed = search([maths], "compact"), search([maths], "what is the compact")
    assert [(hit.card.id, hit.matched) for hit in plain.hits] == [(hit.card.id, hit.matched) for hit in framed.hits]
    assert search([maths], "what is the").status.confidence == 0


def test_a_wrong_spelling_is_mended_and_told(maths: Index) -> None:
    found = search([maths], "convrgent subsequense")
    assert found.hits[0].card.title == "Theorem 3.21"
    assert (found.status.unknown, found.status.nearest) == (
        ("convrgent", "subsequense"),
        {"convrgent": ("convergent",), "subsequense": ("subsequence",)},
    )
    assert found.status.confidence < search([maths], "convergent subsequence").status.confidence


def test_what_the_book_does_not_know_is_told(zh: Index) -> None:
    status = search([zh], "量子纠缠的时间复杂度").status
    assert (status.unknown, status.nearest) == (("量子纠缠",), {})
    assert 0 < status.confidence < search([zh], "时间复杂度").status.confidence


def test_a_question_crosses_to_the_language_of_the_book(zh: Index) -> None:
    status = search([zh], "hash tables").status
    assert status.expanded == {"hash tables": ("哈希表",)}


def test_matched_words_are_as_asked(zh: Index) -> None:
    assert search([zh], "算法的时间复杂度是什么").hits[0].matched == ("算法", "时间复杂度")


def test_near_duplicates_come_last() -> None:
    text = "A heap is a complete binary tree that keeps its order. The root is the largest element. Children are smaller."
    [index] = shelf(
        book(
            card("a", text),
            card("b", text),
            card("c", "A tree is no heap, and this card has many other words about trees, leaves, roots and forests to say."),
            *FILLER,
        )
    )
    assert [hit.card.title for hit in search([index], "the largest element of a heap").hits][:3] == ["a", "c", "b"]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("prove that limits are unique", "proof"),
        ("极限唯一性的证明 limits", "proof"),
        ("define limits", "definition"),
        ("how to compute limits", "method"),
        ("an example of limits", "example"),
    ],
)
def test_the_kind_asked_for_is_preferred(question: str, kind: str) -> None:
    kinds = ("section", "proof", "definition", "method", "example")
    cards = [card(f"Limits {place}", f"Limits are unique, case {place} of many.", kind=name) for place, name in enumerate(kinds)]
    [index] = shelf(book(*cards))
    assert search([index], question).hits[0].card.kind == kind


def test_books_are_searched_together_with_comparable_scores(maths: Index, zh: Index) -> None:
    assert search([maths, zh], "哈希表").hits[0].index is zh
    assert search([zh, maths], "heine borel").hits[0].index is maths
    scores = [hit.score for hit in search([maths, zh], "复杂度 compact").hits]
    assert scores == sorted(scores, reverse=True)


def test_a_page_vouches_for_its_cards() -> None:
    cards = [card("queue", "A queue of jobs.", name="x", url="p/#x"), card("note", "Jobs wait.", name="y", url="p/#y")]
    cards += [card("other", "Jobs wait.", name="z", url="q/#z")]
    [index] = shelf(book(*cards, *FILLER))
    assert [hit.card.id for hit in search([index], "queue of jobs").hits] == ["x", "y", "z"]


def test_hits_as_json_have_the_keys_of_the_command(maths: Index) -> None:
    [hit, *_] = search([maths], "Theorem 3.21", k=1).to_json()["hits"]
    assert {key: hit[key] for key in ("id", "kind", "number", "title", "url", "matched")} == {
        "id": "Theorem 3.21", "kind": "theorem", "number": "3.21", "title": "Theorem 3.21", "url": "Theorem 3.21/#top",
        "matched": ["theorem 3.21", "theorem", "3.21"],
    }  # fmt: skip
    assert hit["text"] == "Every bounded sequence has a convergent subsequence."


def test_what_parts_two_things_that_are_compared_is_not_searched_for() -> None:
    texts = {"Depends vs annotation": "A type annotation vs Depends.", "Path": "A path and a query.", "VS Code": "VS Code runs."}
    [index] = shelf(book(*(card(title, text) for title, text in texts.items())))
    asked = ("Query vs Path", "query versus path", "vs code", "use VS Code")
    assert [search([index], question).hits[0].card.title for question in asked] == ["Path", "Path", "VS Code", "VS Code"]
