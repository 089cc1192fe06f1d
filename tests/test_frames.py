"""The worker's messages to the page: what is read together is told together, and what shows nothing waits for company."""

from __future__ import annotations

import json
from typing import Any

import pytest
from core.screen import Screen

from askbook.core import limits
from askbook.core.parts import ExchangeEnd, PartDelta, PartEnd, PartStart, TextPart
from askbook.core.render import AnswerView, Patch, render_answer
from benchmarks.drawing import Clock, messages, worker_frames

SITE = "https://example.org/"
EVERY = limits.DRAW_MILLISECONDS / 1000


class Told:
    """Frames whose messages are kept, with the time they were posted."""

    def __init__(self, begun: str = "") -> None:
        self.clock = Clock()
        self.posts: list[tuple[int, dict[str, Any]]] = []
        self.frames = worker_frames().Frames(
            lambda told: self.posts.append((round(self.clock.time * 1000), json.loads(told))),
            lambda: AnswerView(site=SITE),
            sources=(),
            clock=self.clock,
            later=self.clock.later,
            begun=begun,
        )

    def kinds(self) -> list[tuple[int, list[str], int]]:
        return [(at, [event["type"] for event in told["events"]], len(told["patches"])) for at, told in self.posts]


def test_what_is_read_together_is_one_message_with_its_drawing() -> None:
    told = Told()
    told.frames.add(PartStart(0, "text"))
    for word in ("Some ", "words ", "here."):
        told.frames.add(PartDelta(0, word))
    told.clock.advance(1)
    assert told.kinds() == [(4, ["part-start", "part-delta"], 1)]
    assert told.posts[0][1]["patches"][0]["html"] == "<p>Some words here.</p>\n"


def test_a_text_is_drawn_no_more_often_than_promised_and_its_end_at_once() -> None:
    told = Told()
    told.frames.add(PartStart(0, "text"))
    for at in range(1, 31):
        told.frames.add(PartDelta(0, "word "))
        told.clock.advance(at / 100)
    said = "word " * 30
    told.frames.add(PartEnd(0, "completed", TextPart(said)))
    told.frames.add(ExchangeEnd("completed"))
    assert [at for at, _, _ in told.kinds()] == [4, 104, 204, 300]
    assert told.kinds()[-1][1] == ["part-delta", "part-end", "exchange-end"]


def test_words_that_show_nothing_yet_are_told_twice_a_second() -> None:
    told = Told()
    told.frames.add(PartStart(0, "text"))
    told.frames.add(PartDelta(0, "```python\n"))
    for at in range(1, 21):
        told.clock.advance(at * EVERY)
        told.frames.add(PartDelta(0, "#"))
    told.clock.advance(2.6)
    quiet = [at for at, _, patches in told.kinds() if not patches]
    assert quiet == [604, 1104, 1604, 2104]


def test_reasoning_is_told_as_it_comes() -> None:
    told = Told()
    told.frames.add(PartStart(0, "reasoning"))
    for at in range(1, 4):
        told.frames.add(PartDelta(0, "hm "))
        told.clock.advance(at / 10)
    assert [kinds for _, kinds, _ in told.kinds()] == [["part-start", "part-delta"], ["part-delta"], ["part-delta"]]


def test_nothing_that_was_said_is_lost() -> None:
    text = "A paragraph with $x_1$ and **words**.\n\n" * 20
    events = [event for _, told in messages(text, SITE, deltas=300) for event in json.loads(told)["events"]]
    assert "".join(event["text"] for event in events if event["type"] == "part-delta") == text


def read_patch(told: dict[str, Any]) -> Patch:
    """A patch as a message has it."""
    return Patch(told["block"], told.get("html", ""), told.get("text", ""), tuple(told.get("at", ())))


@pytest.mark.parametrize(
    "begun", ["One.\n\nAn index maps **the", "- one\n- two", "```python\nx = 1", "| a |\n|---|\n| 1 |\n", "It says $x"]
)
@pytest.mark.parametrize("more", [" terms** to lists.", "\n- three", "2\n```\n", "| 2 |\n"])
def test_what_goes_on_with_a_text_on_the_page_ends_as_if_it_had_come_at_once(begun: str, more: str) -> None:
    told = Told(begun)
    ended = AnswerView(site=SITE)
    ended.feed(begun)
    ended.finish()
    screen = Screen()
    screen.blocks = list(ended.shown())
    told.frames.add(PartStart(0, "text"))
    for letter in more:
        told.frames.add(PartDelta(0, letter))
        told.clock.advance(told.clock.time + EVERY)
    told.frames.add(PartEnd(0, "completed", TextPart(more)))
    told.frames.add(ExchangeEnd("completed"))
    screen.apply(read_patch(patch) for _, post in told.posts for patch in post["patches"])
    assert screen.html == render_answer(begun + more, site=SITE)


@pytest.mark.parametrize("seconds", [0, 1])
def test_what_was_taken_back_leaves_the_text_on_the_page_and_the_next_goes_on_with_it(seconds: int) -> None:
    told, begun, screen = Told("One.\n\nAn index maps **the"), "One.\n\nAn index maps **the", Screen()
    ended = AnswerView(site=SITE)
    ended.feed(begun)
    ended.finish()
    screen.blocks = list(ended.shown())
    for event in (PartStart(-1, "text"), PartDelta(-1, " words** and\n\n- more\n"), PartEnd(-1, "aborted")):
        told.frames.add(event)
        told.clock.advance(told.clock.time + seconds)
    told.frames.flush()
    screen.apply(read_patch(patch) for _, post in told.posts for patch in post["patches"])
    assert screen.html == render_answer(begun, site=SITE)
    told.posts.clear()
    for event in (PartStart(-1, "text"), PartDelta(-1, " terms**."), PartEnd(-1, "completed", TextPart(" terms**."))):
        told.frames.add(event)
    told.frames.flush()
    screen.apply(read_patch(patch) for _, post in told.posts for patch in post["patches"])
    assert screen.html == render_answer(begun + " terms**.", site=SITE)
