"""Tool calls that a model wrote into its text, and arguments as models write them: read strictly, never guessed.

A call in the text counts only between `<tool_call>` tags outside code, or when the whole answer is one object that names a known
tool. Arguments are one JSON object, possibly encoded twice; several complete objects in a row are several calls, equal ones one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from .nesting import refuse_depth
from .parts import Problem

FENCED: Final = re.compile(r"```[\w+-]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
CALL_KEYS: Final = ("name", "arguments", "parameters", "function", "type", "id", "tool", "tool_name")
BEGINNING: Final = re.compile(r'\s*(?:```[\w+-]*[ \t]*\n\s*)?\{\s*"(?:' + "|".join(CALL_KEYS) + r')"')
"""How an answer begins that may be nothing but a call."""
BEGINNING_OF_BEGINNING: Final = re.compile(
    r'\s*(?:`{0,2}|```[\w+-]{0,12}[ \t]*|```[\w+-]{0,12}[ \t]*\n\s*(?:\{\s*(?:"\w{0,12})?)?|\{\s*(?:"\w{0,12})?)'
)
FUNCTION: Final = re.compile(r"<function=([\w.-]+)>(.*?)(?:</function>|$)", re.DOTALL)
PARAMETER: Final = re.compile(r"<parameter=([\w.-]+)>(.*?)</parameter>", re.DOTALL)
GLM_NAME: Final = re.compile(r"([\w.-]+)\s*(?=<arg_key>)")
GLM_ARGUMENT: Final = re.compile(r"<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
NAME: Final = re.compile(r'"name"\s*:\s*"([^"\\]+)"')
DECODER: Final = json.JSONDecoder(parse_constant=lambda word: _refuse(word))


DEPTH: Final = 40
"""Deepest nesting that is taken from an endpoint: no tool needs more, and what walks through values must not get lost."""


def shallow(value: Any, limit: int = DEPTH) -> bool:
    """Whether a JSON value is nested no deeper than the limit."""
    level = [value]
    for _ in range(limit):
        level = [entry for inner in level for entry in _entries(inner)]
        if not level:
            return True
    return False


def _entries(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


@dataclass(frozen=True, slots=True)
class Arguments:
    """What the argument text of one call says; `value` is None where it says nothing readable."""

    value: Mapping[str, Any] | None
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call found in the text."""

    name: str
    arguments: Arguments
    raw: str


def read_json(text: str) -> Any:
    """Parse strict JSON; raise ValueError for anything else, too deep nesting included."""
    refuse_depth(text)
    value, end = DECODER.raw_decode(text, len(text) - len(text.lstrip()))
    if text[end:].strip():
        raise ValueError("more than one value")
    return value


def read_arguments(text: str) -> list[Arguments]:
    """Return what the argument text means: one entry, or several where several objects stand in a row."""
    if not text.strip():
        return [Arguments({})]
    try:
        values = _values(text)
    except ValueError:
        return [Arguments(None, "bad_json")]
    if not shallow(values):
        return [Arguments(None, "bad_json")]
    different: list[Any] = []
    for value in map(_unwrap, values):
        if value not in different:
            different.append(value)
    return [_arguments(value) for value in different]


def _values(text: str) -> list[Any]:
    """Read JSON values one behind the other; raise ValueError when anything else is between or behind them."""
    values, position = [], 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        refuse_depth(text, position)
        value, position = DECODER.raw_decode(text, position)
        values.append(value)
    return values


def _unwrap(value: Any) -> Any:
    """Decode arguments that were encoded twice."""
    if not isinstance(value, str):
        return value
    try:
        return read_json(value) if value.strip() else {}
    except ValueError:
        return value


def _arguments(value: Any) -> Arguments:
    if not shallow(value):
        return Arguments(None, "bad_json")
    if value is None:
        return Arguments({})
    if not isinstance(value, dict):
        return Arguments(None, "not_object")
    return Arguments(value)


def whole_answer_call(text: str, tools: Collection[str]) -> WrittenCall | None:
    """Read an answer that is nothing but one object, fenced or not, naming a known tool."""
    text = text.strip()
    fenced = FENCED.fullmatch(text)
    try:
        value = read_json(fenced[1] if fenced else text)
    except ValueError:
        return None
    call = _call(value, text)
    return call if call is not None and call.name in tools else None


def tagged_calls(body: str) -> list[WrittenCall]:
    """Read what stands between `<tool_call>` tags: JSON, or the tags some model families use; empty where no tool is named."""
    text = body.strip()
    fenced = FENCED.fullmatch(text)
    text = fenced[1].strip() if fenced else text
    try:
        value = read_json(text)
    except ValueError:
        return _tagged(text) or [WrittenCall(name[1], Arguments(None, "bad_json"), text) for name in [NAME.search(text)] if name]
    return [call for entry in (value if isinstance(value, list) else [value]) if (call := _call(entry, text)) is not None]


def _tagged(text: str) -> list[WrittenCall]:
    """Read calls in the forms of Qwen's coders (`<function=name><parameter=key>`) and of GLM (`name<arg_key>…`)."""
    found = [
        WrittenCall(one[1], Arguments({key: _bare_value(value) for key, value in PARAMETER.findall(one[2])}), text)
        for one in FUNCTION.finditer(text)
    ]
    plain = GLM_NAME.match(text)
    if not found and plain and "<arg_key>" in text:
        found = [WrittenCall(plain[1], Arguments({key: _bare_value(value) for key, value in GLM_ARGUMENT.findall(text)}), text)]
    return found


def _bare_value(text: str) -> Any:
    """A value that is written without quotes: JSON where it is JSON, else text."""
    try:
        return read_json(text)
    except ValueError:
        return text.strip()


def _call(value: Any, raw: str) -> WrittenCall | None:
    """Take name and arguments out of the object, in the shapes models write."""
    if not isinstance(value, dict):
        return None
    inner = value.get("function")
    if isinstance(inner, dict):
        value = inner
    name = next((value[key] for key in ("name", "tool_name", "tool", "function") if isinstance(value.get(key), str)), "")
    if not name:
        return None
    arguments: Any = next((value[key] for key in ("arguments", "parameters", "args") if key in value), {})
    return WrittenCall(name, _arguments(_unwrap(arguments)), raw)


def may_be_call(text: str) -> bool | None:
    """Say whether an answer that begins like this may be nothing but a call; None while that cannot be told."""
    if BEGINNING.match(text):
        return True
    return None if BEGINNING_OF_BEGINNING.fullmatch(text) else False
