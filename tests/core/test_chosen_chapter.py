"""A question about one chapter is answered from that chapter alone."""

from __future__ import annotations

from askbook.core.exchange import Ask
from askbook.core.parts import SourceAdd
from tests.fakes.endpoint import text
from tests.fakes.memory import CHINESE, ENGLISH, ScriptedTransport, endpoint, run, said, shelf


def cards(request: Ask, transport: ScriptedTransport | None = None) -> list[str]:
    """The cards an exchange starts from, in their order."""
    events = run(request, transport or ScriptedTransport([]), shelf(ENGLISH, CHINESE))
    return [event.source.card for event in events if isinstance(event, SourceAdd)]


def test_hits_come_from_the_chosen_chapter_alone() -> None:
    question = "theorem on lists and heaps"
    assert {card.partition("/")[0] for card in cards(Ask(question))} == {"heaps", "lists"}
    assert {card.partition("/")[0] for card in cards(Ask(question, chapter="lists/"))} == {"lists"}


def test_a_chapter_that_says_nothing_of_it_has_no_hits() -> None:
    assert cards(Ask("smallest element", chapter="lists/")) == []


def test_a_chapter_of_another_book_of_the_shelf_is_searched_in_that_book() -> None:
    assert cards(Ask("堆", chapter="zh/dui/")) == ["zh/dui/definition-1-1"]


def test_a_chapter_that_is_no_more_leaves_the_whole_shelf() -> None:
    assert cards(Ask("heap", chapter="gone/")) == cards(Ask("heap"))


def test_the_model_is_told_the_chapter() -> None:
    transport = ScriptedTransport([text("A list keeps order [1].")])
    events = run(Ask("What is a list?", endpoint=endpoint(), chapter="lists/"), transport)
    assert said(events) == "A list keeps order [1]."
    assert "The question is about the chapter “Lists” alone" in transport.bodies[0]["messages"][0]["content"]
