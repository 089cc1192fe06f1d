"""A prompt fits its budget, and calls keep their results."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from askbook.core.compaction import compact, total
from askbook.core.estimate import estimate
from askbook.core.exchange import Ask
from askbook.core.parts import Message, Notice, Part, TextPart, ToolCallPart, ToolResultPart
from askbook.core.schema import Book, Section
from askbook.core.toolbox import Shelf
from tests.fakes.endpoint import Answer, Entry, call, text
from tests.fakes.memory import ScriptedTransport, card, end, endpoint, index, run, said


def turn(ordinal: int, size: int, calls: int = 1) -> list[Message]:
    made: list[Part] = [ToolCallPart(f"{ordinal}-{at}", "book_chunk", {"id": str(at)}) for at in range(calls)]
    results: list[Part] = [ToolResultPart(f"{ordinal}-{at}", "book_chunk", {"n": at, "text": "t" * size}) for at in range(calls)]
    return [Message("assistant", tuple(made)), Message("tool", tuple(results))]


def user(words: str) -> Message:
    return Message("user", (TextPart(words),))


def ids(messages: list[Message], kind: type) -> list[str]:
    return [part.id for message in messages for part in message.parts if isinstance(part, kind)]  # type: ignore[attr-defined]


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3_000), st.integers(1, 3)), max_size=6),
    st.lists(st.tuples(st.integers(0, 3_000), st.integers(1, 3)), max_size=6),
    st.integers(0, 20_000),
)
def test_calls_and_results_are_never_parted(before: list[tuple[int, int]], after: list[tuple[int, int]], budget: int) -> None:
    messages: list[Message] = []
    for at, (size, calls) in enumerate(before):
        messages += [user(f"question {at}"), *turn(at, size, calls), Message("assistant", (TextPart("answer"),))]
    question = len(messages)
    messages.append(user("the question"))
    for at, (size, calls) in enumerate(after, 100):
        messages += turn(at, size, calls)
    kept = compact(messages, question, budget=budget)
    assert ids(kept, ToolCallPart) == ids(kept, ToolResultPart)
    assert messages[question] in kept
    assert not after or kept[-1] == messages[-1]
    assert not budget or total(kept) <= max(budget, total([messages[question], *messages[-2:]])) or not after
    if not budget or total(messages) <= budget:
        assert kept == messages


def chapters(count: int) -> Shelf:
    cards = tuple(
        card("theorem", f"Theorem {c}.1", f"c{c}", f"Chapter {c} proves something. " * 60, chapter=c - 1)
        for c in range(1, count + 1)
    )
    sections = tuple(Section(f"Matter {c}", f"c{c}/", 0, c - 1, c, number=str(c)) for c in range(1, count + 1))
    return Shelf((index(Book("books", "thirty", "Thirty", "en", cards, sections, tuple(f"c{c}/" for c in range(1, count + 1)))),))


def test_a_job_of_thirty_chapters_runs_to_its_end_within_its_budget() -> None:
    transport = ScriptedTransport([text("unused")])

    def script(entry: Entry) -> Answer:
        done = len(transport.journal)
        if done <= 30:
            return call("book_read_section", {"start": f"Theorem {done}.1", "count": 1})
        return text("\n".join(f"Chapter {c}: Matter {c} [1]." for c in range(1, 31)))

    transport._script = script
    events = run(
        Ask("Summarise the book chapter by chapter", endpoint=endpoint(), requests=60, budget=9_000), transport, chapters(30)
    )
    assert (end(events).state, len(transport.journal)) == ("completed", 31)
    assert said(events).count("Matter") == 30
    assert max(sum(len(str(message)) for message in body["messages"][1:]) for body in transport.bodies) < 20_000
    assert [event.code for event in events if isinstance(event, Notice) and event.code != "budget"] == []


def test_a_long_job_is_estimated_before_it_is_agreed_to() -> None:
    ask = Ask("Summarise the book chapter by chapter", endpoint=endpoint())
    cost = estimate(ask, chapters(30))
    assert cost is not None
    assert (cost.requests, cost.output_tokens) == (34, 11_040)
    assert 100_000 < cost.input_tokens < 600_000
    assert estimate(Ask("What is a heap?", endpoint=endpoint()), chapters(30)) is None
    assert estimate(Ask("Summarise the book chapter by chapter"), chapters(30)) is None
    assert estimate(ask, chapters(3)) is None
    longest = estimate(ask, chapters(400))
    assert longest is not None
    assert longest.requests == 200
