"""What each mark claims, where its card says so, and how well: right quotes, loose ones, lies."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import pytest

from askbook.core.alignment import Place, nearest
from askbook.core.citations import check, find_quote, grounding, judge
from askbook.core.parts import Citation
from askbook.core.quotes import bare, find_basis, paragraph_at
from askbook.core.schema import Card, Paragraph
from askbook.core.sentences import sentences


def card(text: str, *, url: str = "a/#t") -> Card:
    """A card with an anchor for each of its paragraphs: p1, p2, …"""
    paragraphs, start = [], 0
    for number, part in enumerate(text.split("\n\n"), 1):
        paragraphs.append(Paragraph(start, start + len(part), f"p{number}"))
        start += len(part) + 2
    return Card("t", "theorem", "T", url, text, paragraphs=tuple(paragraphs))


COMPACT = card(
    "A set is compact if every open cover has a finite subcover.\n\n"
    "Every closed subset of a compact space $X$ is compact. The proof takes 12 lines and does not use the axiom of choice."
)
UNIFORM = card(
    "若对任意 $\\varepsilon>0$，存在 $N$，使得 $|f_n(x)-f(x)|<\\varepsilon$ 对所有 $x\\in E$ 成立，则称函数列一致收敛。\n\n"
    "一致收敛的连续函数列，其极限函数也连续。逐点收敛不能保证这一点。",
    url="zh/#u",
)
SOURCES = {1: COMPACT, 2: UNIFORM}


def verdicts(markdown: str) -> list[tuple[int, str, str]]:
    """Number, support and paragraph of each mark."""
    return [(one.n, one.support, one.url.rpartition("#")[2]) for one in check(markdown, SOURCES)]


def test_a_citation_names_the_sentence_its_quote_and_the_paragraph() -> None:
    assert check("So: closed subsets of a compact space are compact [1].", SOURCES, root="/books/") == (
        Citation(
            0,
            1,
            "So: closed subsets of a compact space are compact",
            "quoted",
            "Every closed subset of a compact space $X$ is compact.",
            "/books/a/#p2",
            1.0,
        ),
    )


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("A set is compact if every open cover has a finite subcover [1].", [(1, "quoted", "p1")]),
        ("A set is COMPACT, if every open cover has a finite sub-cover.[1]", [(1, "quoted", "p1")]),
        (
            "Every closed subset of a compact space is compact[1] and the moon is made of cheese and honey [1].",
            [(1, "quoted", "p2"), (1, "missing", "t")],
        ),
        ("The proof takes 13 lines and does not use the axiom of choice [1].", [(1, "loose", "p2")]),
        ("The proof takes 12 lines and does use the axiom of choice [1].", [(1, "loose", "p2")]),
        ("Every Hausdorff manifold admits a partition of unity [1].", [(1, "missing", "t")]),
        ("According to [1], every closed subset of a compact space is compact.", [(1, "quoted", "p2")]),
        ("一致收敛的连续函数列，其极限函数也连续[2]。", [(2, "quoted", "p2")]),
        ("一致收敛的连续函数列, 其极限函数也连续。¹", [(1, "unchecked", "t")]),
        ("逐点收敛不能保证极限连续【2】。", [(2, "loose", "p2")]),
        ("逐点收敛能保证这一点[2]。", [(2, "loose", "p2")]),
        ("每个有限群都同构于某个置换群的子群[2]。", [(2, "missing", "u")]),
        ("若 $\\left|f_n(x)-f(x)\\right|<\\varepsilon$ 对所有 $x \\in E$ 成立，则称函数列一致收敛 [2]。", [(2, "quoted", "p1")]),
        (
            "若 $\\boldsymbol{\\varepsilon}>\\mathrm{zero}$，则 $\\displaystyle f_n$ 收敛于 $\\mathbf{limit}$ 且有限[2]。",
            [(2, "missing", "u")],
        ),
        ("[1]", [(1, "unchecked", "t")]),
        ("See [1].", [(1, "missing", "t")]),
        ("No marks, `[1]`, $[1]$ and [7].", []),
        (
            "- A set is compact if every open cover has a finite subcover [1]\n- 一致收敛的连续函数列，其极限函数也连续 [2]",
            [(1, "quoted", "p1"), (2, "quoted", "p2")],
        ),
        ("| claim |\n|---|\n| Every closed subset of a compact space is compact [1] |", [(1, "quoted", "p2")]),
        ("Compact means finite subcovers [1].\n\n## Sources\n\n1. [1] A book", [(1, "quoted", "p1")]),
    ],
)
def test_a_mark_is_as_good_as_what_its_card_says(answer: str, expected: list[tuple[int, str, str]]) -> None:
    assert verdicts(answer) == expected


def test_swapped_numbers_are_found_out() -> None:
    other = card("A graph is bipartite if its vertices fall into two independent sets.\n\nTrees are bipartite graphs.")
    sources = {1: COMPACT, 2: other}
    right = "Trees are bipartite graphs [2]. A set is compact if every open cover has a finite subcover [1]."
    swapped = right.replace("[2]", "[x]").replace("[1]", "[2]").replace("[x]", "[1]")
    assert [[one.support for one in check(text, sources)] for text in (right, swapped)] == [["quoted"] * 2, ["missing"] * 2]


def test_grounding_counts_a_loose_support_half_and_the_unchecked_not_at_all() -> None:
    supports = ["quoted", "loose", "missing", "unchecked"]
    citations = [Citation(at, 1, "", support) for at, support in enumerate(supports)]
    assert (grounding(citations), grounding([]), grounding(citations[3:])) == (0.5, None, None)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("every closed SUBSET of a compact space x is  compact", "Every closed subset of a compact space $X$ is compact"),
        ("Every closed subset of a compact spice X is compact", "Every closed subset of a compact space $X$ is compact"),
        ("Every open subset of a Hausdorff space is a manifold", None),
        ("", None),
        ("。，！", None),
    ],
)
def test_a_quote_is_found_as_the_book_has_it_or_not_at_all(quote: str, found: str | None) -> None:
    quoted = find_quote(quote, COMPACT)
    assert (quoted.text if quoted else None) == found


def test_the_nearest_stretch_is_that_of_the_whole_distance_table() -> None:
    rng = random.Random(1)
    for _ in range(300):
        pattern, text = ("".join(rng.choice("abc漢") for _ in range(rng.randint(low, 12))) for low in (1, 0))
        assert nearest(pattern, text).distance == _slow_distance(pattern, text)
    assert nearest("bcd", "abxcde") == Place(1, 5, 1)


def _slow_distance(pattern: str, text: str) -> int:
    """The smallest edit distance between a pattern and any stretch of a text, by the textbook."""
    column = list(range(len(pattern) + 1))
    best = column[-1]
    for char in text:
        fresh = [0]
        for row, letter in enumerate(pattern, 1):
            fresh.append(min(column[row - 1] + (letter != char), column[row] + 1, fresh[row - 1] + 1))
        column = fresh
        best = min(best, column[-1])
    return best


BOOKS = {"pumpkin-book": "docs", "hello-algo": "docs", "tudelft-linear-algebra": ".", "rust-book": "src"}
"""Formula-heavy and plain, Chinese and English."""
SAMPLE = 250


@pytest.fixture(scope="module")
def library(shared: Path) -> dict[str, tuple[Card, ...]]:
    """Cards of some of the real books, paragraphs as anchors."""
    return {name: _cards(shared / "books" / name / folder) for name, folder in BOOKS.items()}


def _cards(folder: Path) -> tuple[Card, ...]:
    """Cut Markdown at headings, which is enough to ask where a sentence stands."""
    texts = [part for path in sorted(folder.rglob("*.md")) for part in path.read_text("utf-8").split("\n#")]
    return tuple(card("\n\n".join(text.split("\n\n")[1:12])) for text in texts if text.count("\n\n") > 2)


def _sample(cards: Sequence[Card], seed: int) -> list[tuple[Card, str, int]]:
    """Draw sentences that say something, with their card and place."""
    rng, found = random.Random(seed), []
    while len(found) < SAMPLE:
        chosen = rng.choice(cards)
        said = [
            one
            for one in sentences(chosen.text)
            if one.form in {"prose", "item"} and 24 <= len(bare(chosen.text[one.start : one.end]).letters) <= 400
        ]
        said = [
            one for one in said if ":::" not in chosen.text[one.start : one.end] and "\n:" not in chosen.text[one.start : one.end]
        ]
        if said:
            one = rng.choice(said)
            found.append((chosen, chosen.text[one.start : one.end], (one.start + one.end) // 2))
    return found


def _edited(sentence: str, rng: random.Random) -> str:
    """Change punctuation, white space or one word."""
    match rng.randrange(3):
        case 0:
            return sentence.translate(str.maketrans("，。,.", " ;、 "))
        case 1:
            return "  ".join(sentence.split())
        case _:
            words = sentence.split(" ")
            words[rng.randrange(len(words))] = "something" if sentence.isascii() else sentence[:2]
            return " ".join(words) if len(words) > 4 else sentence[:4] + "某个" + sentence[6:]


@pytest.mark.shared
@pytest.mark.parametrize("name", BOOKS)
def test_lightly_edited_sentences_are_found_in_their_paragraph(name: str, library: dict[str, tuple[Card, ...]]) -> None:
    rng, right = random.Random(2), 0
    for chosen, sentence, place in _sample(library[name], 1):
        basis = find_basis(_edited(sentence, rng), chosen)
        paragraph = next(one for one in chosen.paragraphs if one.anchor == basis.anchor)
        same = bare(sentence).letters in bare(chosen.text[paragraph.start : paragraph.end]).letters
        right += judge(basis) != "missing" and (same or paragraph == paragraph_at(chosen, place))
    assert right / SAMPLE >= 0.99


@pytest.mark.shared
@pytest.mark.parametrize(
    ("book", "foreign"),
    [
        ("pumpkin-book", "hello-algo"),
        ("hello-algo", "pumpkin-book"),
        ("rust-book", "tudelft-linear-algebra"),
        ("tudelft-linear-algebra", "rust-book"),
    ],
)
def test_sentences_of_another_book_are_not_found(book: str, foreign: str, library: dict[str, tuple[Card, ...]]) -> None:
    pairs = zip(_sample(library[foreign], 1), _sample(library[book], 5), strict=True)
    missing = sum(judge(find_basis(sentence, chosen)) == "missing" for (_, sentence, _), (chosen, _, _) in pairs)
    assert missing / SAMPLE >= 0.95


def test_thousands_of_marks_are_checked_in_time_in_proportion_to_their_number() -> None:
    def seconds(times: int) -> float:
        text = "".join(f"{COMPACT.text[:59]}, as said {at} [1]. " for at in range(times))
        begun = process_time()
        assert len(check(text, {1: COMPACT})) == times
        return process_time() - begun

    assert seconds(960) < 8 * max(seconds(240), seconds(240))
