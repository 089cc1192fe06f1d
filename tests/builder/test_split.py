"""Long cards are cut between paragraphs and sentences, and nothing is lost or said twice but the overlap."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askbook.builder.blocks import Text
from askbook.builder.split import estimate, size_of, split

SENTENCES = [
    "A graph has nodes.",
    "图由节点和边组成。",
    "Let $x = 1.5$ be given.",
    "Use `a.b. c` here!",
    "Is it so?",
    "归并排序是稳定的！",
]
CODE = "```python\nx = 1.\n\n# y. z\n```"

blocks = st.lists(
    st.one_of(
        st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=12).map(lambda parts: Text(" ".join(parts))),
        st.just(Text(CODE, atomic=True)),
        st.just(Text("$$a. b$$", atomic=True)),
        st.just(Text("Label", keep=True)),
    ),
    min_size=1,
    max_size=12,
)


def bare(text: str) -> str:
    return "".join(text.split())


@given(blocks, st.integers(20, 120), st.sampled_from([0.0, 0.2, 0.5]))
def test_parts_without_their_overlap_are_the_blocks(given_blocks: list[Text], tokens: int, overlap: float) -> None:
    parts = split(given_blocks, tokens=tokens, overlap=overlap)
    assert bare("".join(part.text[part.overlap :] for part in parts)) == bare("".join(block.text for block in given_blocks))


@given(blocks, st.integers(20, 120))
def test_an_overlap_is_the_end_of_the_part_before_in_whole_sentences(given_blocks: list[Text], tokens: int) -> None:
    parts = split(given_blocks, tokens=tokens, overlap=0.2)
    for before, part in itertools.pairwise(parts):
        repeated = part.text[: part.overlap].rstrip()
        assert before.text.endswith(repeated)
        assert not repeated or before.text[: len(before.text) - len(repeated)].rstrip()[-1:] in tuple(".。！!?`$l")
        assert estimate(repeated) <= tokens * 0.2


@given(blocks, st.integers(40, 120))
def test_code_and_formulas_stay_whole_and_parts_keep_the_budget(given_blocks: list[Text], tokens: int) -> None:
    parts = split(given_blocks, tokens=tokens, overlap=0.2)
    assert sum(part.text[part.overlap :].count(CODE) for part in parts) == sum(block.text == CODE for block in given_blocks)
    for part in parts:
        assert estimate(part.text[: part.overlap]) + sum(size_of(block) for block in part.blocks) <= tokens


def test_a_paragraph_leaves_room_for_the_label_that_stays_with_it() -> None:
    given_blocks = [Text("Label", keep=True), Text(" ".join(["A graph has nodes."] * 3 + ["图由节点和边组成。"] * 4))]
    parts = split(given_blocks, tokens=41, overlap=0.2)
    assert [sum(map(size_of, part.blocks)) <= 41 for part in parts] == [True, True]
    assert parts[0].text.startswith("Label\n\nA graph has nodes.")


@given(blocks, st.integers(20, 120))
def test_paragraphs_cover_a_part_but_for_the_blank_lines(given_blocks: list[Text], tokens: int) -> None:
    for part in split(given_blocks, tokens=tokens, overlap=0.2):
        shown = "".join(part.text[paragraph.start : paragraph.end] for paragraph in part.paragraphs)
        assert bare(shown) == bare(part.text)
        assert all(before.end < after.start for before, after in zip(part.paragraphs, part.paragraphs[1:], strict=False))


@pytest.mark.parametrize(("text", "tokens"), [("word " * 4, 5.0), ("图论", 1.4), ("αβγδε", 2.0), ("", 0.0), ("图 graph", 2.2)])
def test_tokens_are_estimated_by_script(text: str, tokens: float) -> None:
    assert estimate(text) == pytest.approx(tokens)


def test_a_label_is_never_parted_from_what_it_labels() -> None:
    filler = [Text(" ".join(["A graph has nodes."] * 10)) for _ in range(6)]
    parts = split([*filler[:2], Text("Python", keep=True), Text(CODE, atomic=True), *filler[2:]], tokens=60, overlap=0.2)
    (holding,) = [part for part in parts if "Python" in part.text[part.overlap :]]
    assert f"Python\n\n{CODE}" in holding.text
