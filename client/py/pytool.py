"""python_exec as a tool: what a model is told of it, what it may send, and what it gets back; a shell runs the code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from . import limits
from .errors import ToolError
from .providers.base import ToolSchema

NAME: Final = "python_exec"
FIGURE_TYPES: Final = ("image/svg+xml", "image/png")
FIGURES: Final = 4
ERROR_CHARACTERS: Final = 4_000

Limit = Literal["", "time", "output", "memory", "file", "crash", "stopped", "refused"]
"""What ended a run before its end; empty when it ended by itself. `refused` means that the reader did not allow it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended."""

    stdout: str
    error: str = ""
    """Empty when all went well: a traceback, or which limit struck."""
    truncated: bool = False
    """Whether output was cut at the limit."""
    figures: tuple[Mapping[str, str], ...] = ()
    """`{"type": one of FIGURE_TYPES, "data": base64}`; for people, beside the result."""

    def to_json(self) -> dict[str, Any]:
        """The tool's result: figures are only named in it, since a model has no use for their bytes."""
        found: dict[str, Any] = {
            "stdout": self.stdout,
            "truncated": self.truncated,
            "figures": [{"type": figure["type"], "bytes": size(figure["data"])} for figure in self.figures],
        }
        return found | {"error": self.error} if self.error else found


def schema(packages: Sequence[str] = ()) -> ToolSchema:
    """The tool as a model sees it; `packages` are what it can import beside the standard library."""
    beside = f" and {', '.join(packages)}" if packages else ""
    text = (
        f"Run Python to compute, check or plot: standard library{beside}, no network, no files, nothing stays between calls; "
        f"{limits.PYTHON_SECONDS:g} seconds and {limits.PYTHON_CHARACTERS} characters of output. The value of a last expression "
        "is printed; a figure (SVG text or PNG bytes) is shown to the reader, by show(figure) too. "
        "plot(xs, ys, title='…') makes an SVG line chart."
    )
    properties = {
        "code": {"type": "string", "description": "Python source; print what you want to know."},
        "input": {"type": "string", "description": "Data for the code, which finds it as the variable `input`.", "default": ""},
    }
    parameters = {"type": "object", "properties": properties, "required": ["code"], "additionalProperties": False}
    return ToolSchema(NAME, text, parameters)


def arguments(given: Mapping[str, Any]) -> tuple[str, object]:
    """Return code and input of a call; a ToolError says what would be right."""
    code, unknown = given.get("code"), [name for name in given if name not in ("code", "input")]
    if unknown or not isinstance(code, str) or not code.strip():
        wrong = f"there is no {unknown[0]!r}" if unknown else "'code' has to be Python source"
        raise ToolError(f"wrong arguments for {NAME}: {wrong}", schema=schema().parameters)
    if len(code) > limits.PYTHON_CODE_CHARACTERS:
        most = limits.PYTHON_CODE_CHARACTERS
        raise ToolError(f"the code has {len(code):,} characters, {most:,} are the most", advice="pass data as input")
    return code, given.get("input")


def outcome(stdout: str, *, limit: Limit = "", error: str = "", figures: object = ()) -> Outcome:
    """Make an outcome of what a shell saw, none of which is to be trusted."""
    truncated = len(stdout) > limits.PYTHON_CHARACTERS
    text = explain(limit) if limit else _whole(error[:ERROR_CHARACTERS])
    return Outcome(_whole(stdout[: limits.PYTHON_CHARACTERS]), text, truncated or limit == "output", checked_figures(figures))


def _whole(text: str) -> str:
    """Text that can be written as UTF-8: half a surrogate pair becomes a question mark, as on a Linux pipe."""
    return text.encode("utf-8", "replace").decode("utf-8")


def explain(limit: Limit) -> str:
    """What a model reads when a limit struck."""
    match limit:
        case "time":
            return f"stopped after {limits.PYTHON_SECONDS:g} seconds; what was printed until then is in stdout"
        case "output":
            return f"stopped after {limits.PYTHON_CHARACTERS:,} characters of output; print less"
        case "memory":
            most = limits.PYTHON_MEMORY_BYTES // 2**20
            return f"stopped by the system: too much memory (the most is {most} MB) or processor time"
        case "file":
            return f"stopped by the system: a file grew over {limits.PYTHON_FILE_BYTES // 2**20} MB"
        case "crash":
            return "the interpreter crashed"
        case "stopped":
            return "stopped: nobody waits for the result"
        case "refused":
            return "the reader did not allow Python to run; answer without it"
        case _:
            return ""


def checked_figures(value: object) -> tuple[Mapping[str, str], ...]:
    """Return the figures of the known types, a few of them, and nothing else of what a sandbox reports."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return ()
    good = [
        {"type": figure["type"], "data": figure["data"]}
        for figure in value
        if isinstance(figure, Mapping) and figure.get("type") in FIGURE_TYPES and isinstance(figure.get("data"), str)
    ]
    return tuple(good[:FIGURES])


def size(data: str) -> int:
    """Bytes in base64 text."""
    return len(data) * 3 // 4 - data.count("=", -2)
