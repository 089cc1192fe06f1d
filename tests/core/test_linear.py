"""The matcher agrees with Python's own on every pattern it takes, and its time grows with the text alone."""

from __future__ import annotations

import re
from time import perf_counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from askbook.core.errors import ToolError
from askbook.core.linear import LinearPattern

ATOMS = st.sampled_from(["a", "b", ".", "\\d", "\\w", "[ab]", "[^a]", "\\b", "^", "$", "(ab|b)", "(a)", "é", "\\s"])
PIECES = st.tuples(ATOMS, st.sampled_from(["", "", "", "+", "*", "?", "{2}", "{1,3}"])).map("".join)


@settings(max_examples=600, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=5).map("".join), st.text("ab1 éB_", max_size=10))
def test_a_match_is_where_python_finds_the_longest(pattern: str, line: str) -> None:
    try:
        found = LinearPattern(pattern).search(line)
    except ToolError:
        assume(False)
    expected = re.search(pattern, line, re.IGNORECASE)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert found[0] == expected.start()
        assert found[1] >= expected.end()


@pytest.mark.parametrize("pattern", ["a.*b.*c", "x?a+y", r"\d+\.\d+", ".*z"])
def test_time_grows_with_the_text_alone(pattern: str) -> None:
    compiled = LinearPattern(pattern)
    compiled.search("a1." * 100)
    began = perf_counter()
    compiled.search("a1." * 1_000)
    small = perf_counter() - began
    began = perf_counter()
    compiled.search("a1." * 8_000)
    assert perf_counter() - began < 40 * small + 0.05


def test_a_pattern_too_large_is_refused() -> None:
    with pytest.raises(ToolError):
        LinearPattern("(abcdefghij){60}" * 8)
