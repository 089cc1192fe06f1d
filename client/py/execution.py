"""Run a model's Python inside a sandbox: what it prints, what it draws, and what went wrong, as values.

Nothing here keeps code in: the caller is already inside a sandbox (a Linux namespace, or an opaque frame of the page). The
module stands alone, on the standard library, so that its text can be handed into either.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import traceback
from collections.abc import Callable, Mapping
from typing import Any, Final

FIGURES: Final = 4
FIGURE_BYTES: Final = 400_000
ERROR_CHARACTERS: Final = 2_000

_PNG = b"\x89PNG\r\n\x1a\n"
_NAME = "<python_exec>"


class Printer(io.TextIOBase):
    """A `sys.stdout` that hands every piece on."""

    encoding = "utf-8"

    def __init__(self, hand_on: Callable[[str], object]) -> None:
        super().__init__()
        self._hand_on = hand_on

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._hand_on(str(text))
        return len(text)


def execute(
    code: str, given: object, hand_on: Callable[[str], object], *, extra: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Run `code` with `given` as `input`; print the value of a last expression, or keep it if it is a figure.

    Returns `{"error": str, "figures": [{"type", "data"}]}`, `error` empty when all went well, `data` in base64.
    """
    out = Printer(hand_on)
    names: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__, **(extra or {})}
    if given is not None:
        names["input"] = given
    figures: list[dict[str, str]] = []

    def show(value: object) -> None:
        """Show a figure (SVG text, PNG bytes, or an object that can become one), or print a value."""
        figure = as_figure(value)
        if figure is None:
            print(value if isinstance(value, str) else repr(value))
        elif len(figures) < FIGURES:
            figures.append(figure)

    names["show"] = show
    error = ""
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            value = _run(code, names)
            if value is not None:
                show(value)
        except SystemExit as left:
            error = "" if left.code in (None, 0) else f"SystemExit: {left.code}"
        except BaseException as wrong:
            error = describe(wrong)
    return {"error": error, "figures": figures}


def _run(code: str, names: dict[str, Any]) -> object:
    """Run all statements; the value of a last one that is an expression comes back."""
    tree = ast.parse(code, _NAME)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, _NAME, "exec"), names)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), _NAME, "eval"), names)


def describe(wrong: BaseException) -> str:
    """A traceback with the frames of the code itself, neither ours nor the library's; its end if it is long."""
    frames = traceback.extract_tb(wrong.__traceback__)
    own = [frame for frame in frames if frame.filename == _NAME]
    head = ["Traceback (most recent call last):\n", *traceback.format_list(own)] if own else []
    text = "".join([*head, *traceback.format_exception_only(type(wrong), wrong)]).rstrip()
    return text if len(text) <= ERROR_CHARACTERS else f"…{text[-ERROR_CHARACTERS:]}"


def as_figure(value: object) -> dict[str, str] | None:
    """Recognise SVG and PNG; None for anything else, and for what is too large to show."""
    if isinstance(value, str) and value.lstrip()[:5].lower() in ("<svg ", "<svg>", "<?xml") and "<svg" in value:
        kind, data = "image/svg+xml", value.strip().encode()
    elif isinstance(value, bytes | bytearray) and value.startswith(_PNG):
        kind, data = "image/png", bytes(value)
    elif not isinstance(value, type) and (draw := getattr(value, "_repr_svg_", None) or getattr(value, "_repr_png_", None)):
        drawn = draw()
        return None if drawn is None or hasattr(drawn, "_repr_svg_") else as_figure(drawn)
    else:
        return None
    if len(data) > FIGURE_BYTES:
        return None
    return {"type": kind, "data": base64.b64encode(data).decode()}
