"""JSON from elsewhere: nothing that is sent can overrun the stack."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askbook.core.nesting import DEEPEST, parse
from askbook.core.textcalls import read_arguments, read_json

VALUES = st.recursive(
    st.none() | st.integers() | st.text('[]{}"\\a'), lambda inner: st.lists(inner) | st.dictionaries(st.text('[{"\\'), inner)
)


@given(VALUES)
def test_what_json_reads_is_read(value: object) -> None:
    assert parse(json.dumps(value)) == parse(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize("value", ["[" * 600, [["]]["]] * 600, ['"', "[" * 600, "\\"], {"[{": "{" * 600}])
def test_brackets_in_strings_and_in_a_row_are_not_depth(value: object) -> None:
    assert parse(json.dumps(value)) == value


@pytest.mark.parametrize("unit", ["[", '{"a":', '[{"a":', '[ "x", '])
@pytest.mark.parametrize("deep", [DEEPEST + 1, 10_000, 100_000])
def test_what_is_too_deep_is_refused_before_it_is_parsed(unit: str, deep: int) -> None:
    text = unit * deep
    for form in (text, text.encode(), f'"{text}'.replace('"', "", 1)):
        with pytest.raises(ValueError, match="deeper"):
            parse(form)
    with pytest.raises(ValueError, match="deeper"):
        read_json(text)
    assert read_arguments(text)[0].problem == read_arguments("{} " + text)[0].problem == "bad_json"


def test_as_deep_as_allowed_is_parsed() -> None:
    assert json.dumps(parse("[" * DEEPEST + "]" * DEEPEST)) == "[" * DEEPEST + "]" * DEEPEST
