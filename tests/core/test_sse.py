"""Server-sent events come out whole wherever the bytes are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askbook.core.sse import EventStream, ServerEvent

STREAM = '\ufeffevent: a\r\ndata: {"x": "漢"}\r\n\r\n: note\ndata:one\ndata: two\n\nid: 7\rdata: three\r\rdata: last'.encode()
EVENTS = [ServerEvent("a", '{"x": "漢"}'), ServerEvent("", "one\ntwo"), ServerEvent("", "three"), ServerEvent("", "last")]


@pytest.mark.parametrize("cut", range(len(STREAM) + 1))
def test_an_event_survives_any_cut(cut: int) -> None:
    stream = EventStream()
    assert stream.feed(STREAM[:cut]) + stream.feed(STREAM[cut:], last=True) == EVENTS


def test_a_lone_return_ends_its_line_at_once() -> None:
    assert EventStream().feed(b"data: a\r\r") == [ServerEvent("", "a")]


def test_other_line_ends_of_unicode_are_text() -> None:
    assert EventStream().feed("data: a\u0085b\u2028c\fd\n\n".encode()) == [ServerEvent("", "a\u0085b\u2028c\fd")]


def test_what_is_no_event_is_kept_apart() -> None:
    stream = EventStream()
    assert stream.feed(b'{\n "error": 1\n}\n', last=True) == [ServerEvent("", "{")]
    assert stream.stray == '{\n "error": 1\n}'


@given(st.lists(st.binary(max_size=12), max_size=8))
def test_any_bytes_are_read_and_slices_do_not_matter(slices: list[bytes]) -> None:
    whole, cut = EventStream(), EventStream()
    events = [event for slice_ in slices for event in cut.feed(slice_)] + cut.feed(b"", last=True)
    assert events == whole.feed(b"".join(slices), last=True)
