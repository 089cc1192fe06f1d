"""Think tags and call tags are found wherever the text is cut, and left alone in code."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askbook.core.tags import TagScanner

CASES = {
    "<think>a</think>b": [("reasoning", "a"), ("text", "b")],
    "plain": [("text", "plain")],
    "write `<think>` so": [("text", "write `<think>` so")],
    "``a ` <think> b`` c": [("text", "``a ` <think> b`` c")],
    "a ` b <think>c</think>d": [("text", "a ` b "), ("reasoning", "c"), ("text", "d")],
    "```py\n<think>\n```\n<think>x": [("text", "```py\n<think>\n```\n"), ("reasoning", "x")],
    "~~~\n</think>\n~~~": [("text", "~~~\n</think>\n~~~")],
    "```inline``` <think>x</think>y": [("text", "```inline``` "), ("reasoning", "x"), ("text", "y")],
    "- ```\n  <think>\n  ```\n<think>x": [("text", "- ```\n  <think>\n  ```\n"), ("reasoning", "x")],
    "早。</think>晚。": [("text", "早。"), ("retract", ""), ("text", "晚。")],
    "<think>a</think>b</think>c": [("reasoning", "a"), ("text", "b</think>c")],
    "<think>say `</think>` x</think>y": [("reasoning", "say `</think>` x"), ("text", "y")],
    "<think>```\nopen</think>y": [("reasoning", "```\nopen"), ("text", "y")],
    "<think>one ` tick</think>y": [("reasoning", "one ` tick"), ("text", "y")],
    "x<tool_call>{}</tool_call>y": [("text", "x"), ("call", "{}"), ("text", "y")],
    "<tool_call>{}": [("call", "{}")],
    "<tool_call>{'a': '</tool_call'": [("call", "{'a': '</tool_call'")],
    "a < b <thin": [("text", "a < b <thin")],
    "<think>still": [("reasoning", "still")],
}


def scan(pieces: list[str]) -> list[tuple[str, str]]:
    """What comes of a text in pieces, neighbours of one kind joined."""
    scanner, found = TagScanner(), list[tuple[str, str]]()
    for at, piece in enumerate([*pieces, ""]):
        for kind, text in scanner.feed(piece, last=at == len(pieces)):
            if found and found[-1][0] == kind and kind in ("text", "reasoning"):
                found[-1] = (kind, found[-1][1] + text)
            else:
                found.append((kind, text))
    return found


@pytest.mark.parametrize("text", CASES, ids=repr)
def test_tags_are_told_from_text(text: str) -> None:
    assert scan([text]) == CASES[text]


@pytest.mark.parametrize("text", CASES, ids=repr)
def test_cuts_do_not_matter(text: str) -> None:
    assert [scan([text[:cut], text[cut:]]) for cut in range(len(text) + 1)] == [CASES[text]] * (len(text) + 1)
    assert scan(list(text)) == CASES[text]


BITS = st.sampled_from(
    [
        "<think>",
        "</think>",
        "<tool_call>",
        "</tool_call>",
        "`",
        "``",
        "```",
        "~~~",
        "\n",
        "\n\n",
        " ",
        "a",
        "<",
        "<thi",
        "- ",
        "堆",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(BITS, max_size=14), st.data())
def test_any_text_cut_anywhere_gives_the_same_pieces(bits: list[str], data: st.DataObject) -> None:
    text = "".join(bits)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert scan(pieces) == scan([text])


def test_text_that_can_begin_nothing_is_handed_on_at_once() -> None:
    assert TagScanner().feed("no tag here") == [("text", "no tag here")]
