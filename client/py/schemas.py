"""JSON Schema from a function's signature, and arguments checked against it: one place says what a tool takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

from .errors import ToolError
from .providers.base import ToolSchema

TYPES: Final = {str: "string", int: "integer", bool: "boolean", float: "number"}


@dataclass(frozen=True, slots=True)
class About:
    """What a parameter means, with its bounds where it is a number."""

    text: str
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool."""

    name: str
    type: type
    about: About
    choices: tuple[str, ...]
    default: Any
    """`inspect.Parameter.empty` where it has to be given."""

    @property
    def required(self) -> bool:
        """Whether a call has to give it."""
        return self.default is inspect.Parameter.empty

    def schema(self) -> dict[str, Any]:
        """The parameter as JSON Schema."""
        found: dict[str, Any] = {"type": TYPES[self.type], "description": self.about.text}
        if self.choices:
            found["enum"] = list(self.choices)
        if self.about.least is not None:
            found["minimum"] = self.about.least
        if self.about.most is not None:
            found["maximum"] = self.about.most
        if not self.required:
            found["default"] = self.default
        return found


@cache
def parameters(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Read the parameters of a tool; its first one, the shelf, is ours."""
    hints = get_type_hints(function, include_extras=True)
    found = []
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        hint, about = hints[name], About("")
        if get_origin(hint) is Annotated:
            hint, about = get_args(hint)[:2]
        choices = get_args(hint) if get_origin(hint) is Literal else ()
        found.append(Parameter(name, str if choices else hint, about, choices, parameter.default))
    return tuple(found)


def description(function: Callable[..., Any]) -> str:
    """The first paragraph of the docstring on one line: what the model is told."""
    return " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())


def tool_schema(function: Callable[..., Any]) -> ToolSchema:
    """A tool as a model sees it."""
    found = parameters(function)
    return ToolSchema(
        function.__name__,
        description(function),
        {
            "type": "object",
            "properties": {parameter.name: parameter.schema() for parameter in found},
            "required": [parameter.name for parameter in found if parameter.required],
            "additionalProperties": False,
        },
    )


def checked(function: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments as the function takes them; raise ToolError with the schema where that cannot be."""
    known = {parameter.name: parameter for parameter in parameters(function)}
    by_lower = {name.lower().replace("_", ""): name for name in known}
    given = {by_lower.get(name.lower().replace("_", ""), name): value for name, value in arguments.items()}
    wrong = [f"{name!r} is missing" for name, parameter in known.items() if parameter.required and given.get(name) is None]
    wrong += [f"there is no {name!r}" for name in given if name not in known]
    values: dict[str, Any] = {}
    for name, parameter in known.items():
        if given.get(name) is None:
            continue
        value = _coerced(parameter, given[name])
        if value is None:
            wrong.append(f"{name!r} has to be {_expected(parameter)}, not {given[name]!r:.60}")
        else:
            values[name] = value
    if wrong:
        raise ToolError(f"wrong arguments for {function.__name__}: " + "; ".join(wrong), schema=tool_schema(function).parameters)
    return values


def _coerced(parameter: Parameter, value: Any) -> Any:
    """Take a value as models write it: numbers as text, one word for a choice in capitals; bounds pull it in."""
    if parameter.type is str:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            value = str(int(value) if value == int(value) else value) if abs(value) < 1e15 else str(value)
        if not isinstance(value, str):
            return None
        if parameter.choices:
            return next((choice for choice in parameter.choices if choice == value.strip().lower()), None)
        return value
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or value != value
        or abs(value) > 1e15
        or value != int(value)
    ):
        return None
    value = int(value)
    if parameter.about.least is not None:
        value = max(value, parameter.about.least)
    if parameter.about.most is not None:
        value = min(value, parameter.about.most)
    return value


def _expected(parameter: Parameter) -> str:
    if parameter.choices:
        return "one of " + ", ".join(map(repr, parameter.choices))
    return {"string": "a text", "integer": "a whole number", "boolean": "true or false", "number": "a number"}[
        TYPES[parameter.type]
    ]
