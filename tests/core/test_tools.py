"""The book tools: their shapes, their caps, and what they say where they cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest

from askbook.core import limits
from askbook.core.canonical import dumps
from askbook.core.parts import ToolCallPart
from askbook.core.schema import Book, Card, Section
from askbook.core.toolbox import Shelf
from askbook.core.tools import TOOLS, available, run, schemas
from tests.fakes.memory import CHINESE, ENGLISH, index, shelf

LONG = " ".join(f"Sentence {at} speaks of order." for at in range(200))


def big() -> Shelf:
    """Twelve chapters; chapter 10 has one card longer than every cap and a second part that repeats its end."""
    cards = [
        Card(f"{c}/theorem-{c}-1", "theorem", f"Theorem {c}.1", f"c{c}/#t", f"Chapter {c} text $x^{{{c}}}$.", f"{c}.1", (), c - 1)
        for c in range(1, 13)
    ]  # fmt: skip
    cards.insert(10, Card("10/long", "section", "A long section", "c10/#long", LONG, chapter=9))
    cards.insert(
        11,
        Card(
            "10/long-2",
            "section",
            "A long section",
            "c10/#long",
            LONG[-30:] + " And more.",
            chapter=9,
            overlap=30,
            parent="10/long",
        ),
    )
    firsts = [*range(10), 12, 13]
    lasts = [*firsts[1:], 14]
    sections = tuple(
        Section(f"Chapter on {c}", f"c{c}/", 0, first, last, number=str(c))
        for c, (first, last) in enumerate(zip(firsts, lasts, strict=True), 1)
    )
    return Shelf((index(Book("books", "big", "Big", "en", tuple(cards), sections, tuple(f"c{c}/" for c in range(1, 13)))),))


def use(name: str, on: Shelf | None = None, /, **arguments: Any) -> dict[str, Any]:
    return dict(run(ToolCallPart("1", name, arguments), shelf() if on is None else on).content)


def test_the_shapes_are_the_promised_ones() -> None:
    hit = {"id", "type", "title", "url", "text", "truncated"}
    assert use("list_books") == {"books": [{"col": "books", "book": "structures", "title": "Data Structures"}]}
    assert use("book_toc")["toc"][0] == {"title": "Lists", "url": "lists/", "number": "1", "level": 0}
    assert set(use("book_retrieve", question="heap")["results"][0]) == hit | {"score", "matched"}
    assert set(use("book_chunk", id="heaps/theorem-2-2")) == hit | {"found", "next"}
    found = use("book_slice_search", pattern="smallest element")
    assert (set(found["hits"][0]), found["count"]) == ({"id", "type", "title", "url", "text", "context"}, 1)
    chapter = use("book_chapter_outline", chapter="2")["chapter"]
    assert (chapter["number"], chapter["title"]) == ("2", "Heaps")
    assert {"number", "title", "url"} <= set(chapter["sections"][0]["cards"][0])
    assert set(use("book_read_section", start="2.1", count=1)["items"][0]) == hit | {"kind"}


def test_a_chunk_is_capped_and_next_leads_through_all_of_the_book() -> None:
    on, arguments, read = big(), {"id": "10/long"}, ""
    while arguments and arguments["id"].startswith("10/long"):
        found = use("book_chunk", on, **arguments)
        assert len(found["text"]) <= limits.CHUNK_CHARACTERS
        read, arguments = read + found["text"], found["next"]
    assert read == LONG + " And more."


def test_no_text_is_unreachable_when_a_section_is_read() -> None:
    on = big()
    found = use("book_read_section", on, start="10/long", count=2)
    read = found["items"][0]["text"]
    onward = found["items"][0]["next"]
    while onward:
        item = use("book_read_section", on, **onward)["items"][0]
        assert len(item["text"]) <= limits.READ_CHARACTERS
        read, onward = read + item["text"], item.get("next")
    assert read == LONG
    assert found["items"][1]["text"] == " And more."


def test_end_lies_inside_the_cap_and_the_rest_can_be_gone_on_with() -> None:
    on = big()
    first = use("book_read_section", on, start="1.1", end="Theorem 12.1", count=5)
    assert [item["id"] for item in first["items"]] == [f"{c}/theorem-{c}-1" for c in range(1, 6)]
    assert first["next"] == {"start": "6/theorem-6-1", "count": 5, "end": "Theorem 12.1"}
    assert "next" not in use("book_read_section", on, start="1.1", end="3.1")


def test_one_is_never_ten() -> None:
    assert use("book_chapter_outline", big(), chapter="1")["chapter"]["title"] == "Chapter on 1"
    assert use("book_chapter_outline", big(), chapter="第十章")["chapter"]["title"] == "Chapter on 10"
    assert use("book_ref", big(), name="Theorem 1.1")["id"] == "1/theorem-1-1"
    assert use("book_ref", big(), name="Theorem 1.10") == {"found": False, "label": "theorem 1.10", "matches": []}


def test_several_matches_are_listed_not_guessed() -> None:
    found = use("book_chapter_outline", big(), chapter="Chapter on")
    assert (found["found"], len(found["matches"])) == (False, 12)
    both = Shelf((index(ENGLISH), index(CHINESE)))
    assert {"col", "book"} <= set(use("book_read_section", both, start="Theorem 1.2")["items"][0])
    assert use("book_toc", both)["error"].startswith("several books")
    assert use("book_toc", Shelf(both.indexes, current="books-shuju"))["title"] == "数据结构"


@pytest.mark.parametrize("start", ["heaps/theorem-2-2", "Theorem 2.2", "theorem 2.2", "2.2", "定理 2.2", "ｔｈｅｏｒｅｍ ２.２"])
def test_a_card_is_found_by_id_title_or_number(start: str) -> None:
    assert use("book_read_section", start=start, count=1)["items"][0]["id"] == "heaps/theorem-2-2"


def test_what_is_not_there_is_an_answer() -> None:
    result = run(ToolCallPart("1", "book_chunk", {"id": "nowhere"}), shelf())
    assert (result.error, result.content["found"]) == (False, False)


def test_numbers_are_pulled_into_their_bounds() -> None:
    on = big()
    assert len(use("book_retrieve", on, question="chapter text", topK=99)["results"]) == limits.PASSAGES_MAX
    assert len(use("book_retrieve", on, question="chapter text", topK="2")["results"]) == 2
    assert len(use("book_slice_search", on, pattern="chapter", limit=0)["hits"]) == 1


@pytest.mark.parametrize("pattern", ["x^10", "x ^ {10}", "X^{10}", r"\left. x^{10} \right."])
def test_the_noise_of_formulas_is_ignored(pattern: str) -> None:
    pattern = pattern.replace(r"\left. ", "").replace(r" \right.", "")
    assert [hit["id"] for hit in use("book_slice_search", big(), pattern=pattern)["hits"]] == ["10/theorem-10-1"]


def test_the_context_of_a_slice_is_capped() -> None:
    hit = use("book_slice_search", big(), pattern="Sentence 100 speaks")["hits"][0]
    assert len(hit["context"]) <= 2 * limits.SLICE_CONTEXT + len(hit["text"]) + 2


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a|a)*b",
        r"(\w+)*$",
        ".*.*x",
        "(.*)*x",
        "a*a*b",
        "(x+x+)+y",
        r"([a-z]+\s?)*!",
        "(a?){30}a{30}",
        r"(a)\1+",
        "(?=a+)b",
    ],
)
def test_a_pattern_that_can_run_away_is_refused(pattern: str) -> None:
    found = use("book_slice_search", big(), pattern=pattern, mode="regex")
    assert {"error", "advice"} <= set(found)


@pytest.mark.parametrize(
    ("pattern", "match"),
    [(r"Theorem|Sentence 1\d\b", "Sentence 10"), (r"chapter \d+ text", "Chapter 1 text"), (r"order\.$", "order.")],
)
def test_a_plain_pattern_is_searched(pattern: str, match: str) -> None:
    assert match in [hit["text"] for hit in use("book_slice_search", big(), pattern=pattern, mode="regex", limit=20)["hits"]]


def test_nothing_past_the_horizon_is_told() -> None:
    near = Shelf((index(ENGLISH),), horizon=0)
    assert use("book_retrieve", near, question="heap")["results"] == []
    assert use("book_slice_search", near, pattern="A heap")["hits"] == []
    assert [entry["title"] for entry in use("book_toc", near)["toc"]] == ["Lists"]
    assert use("book_read_section", near, start="Theorem 2.2")["found"] is False
    assert use("book_ref", near, name="Theorem 2.2")["found"] is False
    assert use("book_chunk", near, id="lists/theorem-1-2")["next"] is None


def test_a_quote_that_is_not_there_is_refused() -> None:
    assert use("add_citation", card="heaps/definition-2-1", quote="keeps the smallest element")["found"] is True
    assert "passage" in use("add_citation", card="heaps/definition-2-1", quote="keeps the largest element of all")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1/3 + 1/6", "1/2"),
        ("2^10", "1024"),
        ("0.1+0.2", "3/10"),
        ("comb(5,2)×3", "30"),
        ("sqrt(2.25)", "3/2"),
        ("−7 // 2", "-4"),
    ],
)
def test_arithmetic_is_exact(expression: str, value: str) -> None:
    assert use("calculate", expression=expression)["value"] == value


@pytest.mark.parametrize(
    "expression",
    [
        "9**9**9",
        "factorial(10**6)",
        "__import__('os')",
        "().__class__",
        "1/0",
        "(" * 90 + "1" + ")" * 90,
        "x",
        "",
        "2**0.5j",
        "10**500**3",
    ],
)
def test_arithmetic_that_is_none_is_refused(expression: str) -> None:
    found = use("calculate", expression=expression)
    assert "error" in found or ("value" in found and expression.startswith("(("))


def test_without_books_there_is_nothing_to_search() -> None:
    empty = Shelf(())
    assert available(empty) == ("calculate",)
    assert use("list_books", empty)["tools"] == ["calculate"]


def test_schemas_are_made_from_the_signatures() -> None:
    by_name = {schema.name: schema for schema in schemas(shelf())}
    assert list(by_name) == list(TOOLS)
    assert by_name["book_retrieve"].parameters["required"] == ["question"]
    assert by_name["book_retrieve"].parameters["properties"]["topK"] == {
        "type": "integer", "description": "How many passages.", "minimum": 1, "maximum": 12, "default": 8,
    }  # fmt: skip
    assert all(
        {"col", "book"} <= set(schema.parameters["properties"]) for name, schema in by_name.items() if name.startswith("book_")
    )


def test_the_bytes_are_canonical() -> None:
    result = dumps(use("book_chunk", shelf(CHINESE), id="zh/dui/definition-1-1"))
    assert result.startswith('{"found":true,"id":"zh/dui/definition-1-1","type":"definition","title":"定义 1.1（堆）"')
    assert json.loads(result)["next"] is None


def test_a_tool_that_is_not_there_is_named_with_those_that_are() -> None:
    assert use("book_search") == {"error": "no tool 'book_search'", "tools": list(TOOLS)}


def test_a_foreword_beside_numbered_chapters_has_no_number() -> None:
    sections = (Section("Foreword", "f/", 0, 0, 1), Section("Chapter 1 Lists", "l/", 0, 1, 2, number="1"))
    cards = (Card("f", "section", "Foreword", "f/", "Dear reader."), Card("l", "section", "Lists", "l/", "A list.", chapter=1))
    on = Shelf((index(Book("books", "fore", "Fore", "en", cards, sections, ("f/", "l/"))),))
    assert use("book_chapter_outline", on, chapter="1")["chapter"]["title"] == "Chapter 1 Lists"
    assert use("book_chapter_outline", on, chapter="foreword")["chapter"]["number"] == ""
    assert use("book_chapter_outline", on, chapter="9")["chapters"] == [
        {"number": "", "title": "Foreword"}, {"number": "1", "title": "Chapter 1 Lists"},
    ]  # fmt: skip


def parts() -> Shelf:
    """A book of two languages, each with chapters of the same numbers; a definition has the number of its section."""
    names = ["English", "Chapter 1: Lists", "1.1 Order", "中文", "第 1 章 表", "1.2 次序"]
    cards = [Card(name, "section", name, f"{at}/", f"Text {at}.", chapter=at // 3) for at, name in enumerate(names)]
    cards.insert(3, Card("d", "definition", "Definition 1.1", "2/#d", "Order is.", "1.1"))
    places = [(0, 0, 4), (1, 1, 4), (2, 2, 4), (0, 4, 7), (1, 5, 7), (2, 6, 7)]
    numbers = ["", "1", "1.1", "", "1", "1.2"]
    sections = [
        Section(name, f"{at}/", *places[at], number=number) for at, (name, number) in enumerate(zip(names, numbers, strict=True))
    ]
    pages = tuple(f"{at}/" for at in range(6))
    return Shelf((index(Book("books", "parts", "Parts", "en", tuple(cards), tuple(sections), pages)),))


@pytest.mark.parametrize(
    ("chapter", "title"),
    [
        ("Chapter 1", "Chapter 1: Lists"),
        ("第 1 章", "第 1 章 表"),
        ("Chapter 1: Lists", "Chapter 1: Lists"),
        ("English", "English"),
    ],
)
def test_a_chapter_inside_a_part_is_found_by_its_own_number(chapter: str, title: str) -> None:
    found = use("book_chapter_outline", parts(), chapter=chapter)["chapter"]
    assert (found["title"], found["sections"][0]["title"]) == (title, title)


def test_chapters_of_one_number_are_listed() -> None:
    found = use("book_chapter_outline", parts(), chapter="1")
    assert (found["found"], [match["title"] for match in found["matches"]]) == (False, ["Chapter 1: Lists", "第 1 章 表"])
    assert "give the title" in found["error"]


def test_a_bare_number_begins_reading_at_the_section_that_has_it() -> None:
    assert [item["id"] for item in use("book_read_section", parts(), start="1.1", count=2)["items"]] == ["1.1 Order", "d"]
    assert use("book_read_section", parts(), start="Definition 1.1", count=1)["items"][0]["id"] == "d"
