"""The text protocol is read whatever shape a model gives it."""

from __future__ import annotations

import json

import pytest

from askbook.core.parts import ReasoningPart, TextPart, ToolCallPart, ToolResultPart
from askbook.core.react import ReactScanner, scratchpad

PARAMETERS = {"book_retrieve": "question", "book_ref": "name"}
CALL = ("call", {"name": "book_retrieve", "arguments": {"question": "heap"}})
CASES = {
    " I look.\nAction: book_retrieve\nAction Input: {\"question\": \"heap\"}": [("reasoning", "I look."), CALL],
    "Thought: I look.\nAction: book_retrieve\nAction Input: heap": [("reasoning", "I look."), CALL],
    "思考：查一下。\n行动：book_retrieve\n行动输入：{\"question\": \"heap\"}\n观察：": [("reasoning", "查一下。"), CALL],
    "**Thought:** x\n**Action:** `book_retrieve`\n**Action Input:**\n```json\n{\"question\": \"heap\"}\n```": [
        ("reasoning", "x"), CALL,
    ],
    "Action 1: book_retrieve\nAction Input 1: \"heap\"": [CALL],
    "Action: book_retrieve(heap)": [CALL],
    "x\nAction: book_retrieve\nAction Input: {\"question\": \"heap\"}\nObservation: made up\nFinal Answer: made up": [
        ("reasoning", "x"), CALL,
    ],
    "Final Answer: It is\n\n- a heap: yes": [("text", "It is\n\n- a heap: yes")],
    "最终答案：是堆。": [("text", "是堆。")],
    "I know.\nFinal Answer: both\nAction: book_retrieve\nAction Input: heap": [("reasoning", "I know."), ("text", "both"), CALL],
    "<think>hm</think>\nFinal Answer: x": [("reasoning", "hm"), ("text", "x")],
    "nothing like it": [("reasoning", "nothing like it")],
    "Action: list_books\nAction Input: none": [("call", {"name": "list_books", "arguments": {}})],
}  # fmt: skip


def scan(pieces: list[str]) -> list[tuple[str, object]]:
    scanner, found = ReactScanner(PARAMETERS), list[tuple[str, str]]()
    for at, piece in enumerate([*pieces, ""]):
        for kind, text in scanner.feed(piece, last=at == len(pieces)):
            if found and found[-1][0] == kind:
                found[-1] = (kind, found[-1][1] + text)
            else:
                found.append((kind, text))
    stripped = [(kind, json.loads(text) if kind == "call" else text.strip()) for kind, text in found]
    return [entry for entry in stripped if entry[1]]


@pytest.mark.parametrize("text", CASES, ids=repr)
def test_steps_are_read(text: str) -> None:
    assert scan([text]) == CASES[text]


@pytest.mark.parametrize("text", CASES, ids=repr)
def test_cuts_do_not_matter(text: str) -> None:
    assert [scan([text[:cut], text[cut:]]) for cut in range(len(text))] == [CASES[text]] * len(text)
    assert scan(list(text)) == CASES[text]


def test_the_final_answer_streams() -> None:
    scanner = ReactScanner()
    scanner.feed("Final Answer: ")
    assert [scanner.feed(piece) for piece in ("It ", "is")] == [[("text", "It ")], [("text", "is")]]


def test_the_scratchpad_ends_where_the_model_goes_on() -> None:
    steps = (
        ReasoningPart("I look."),
        ToolCallPart("a", "book_ref", {"name": "定理 2"}),
        ToolResultPart("a", "book_ref", {"found": False}),
    )
    assert (
        scratchpad(steps, "en")
        == 'Thought: I look.\nAction: book_ref\nAction Input: {"name":"定理 2"}\nObservation: {"found":false}\nThought:'
    )
    assert scratchpad((*steps, TextPart("堆"))[3:], "zh") == "最终答案：堆\n思考："
