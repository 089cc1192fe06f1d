"""python_exec in a page: the worker says what is to run, the page runs it in the opaque frame and says how it ended."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from askbook.core import limits, pytool
from askbook.core.calls import ExtraTool
from askbook.core.errors import ToolError

CONSENT_SECONDS = 600.0
"""A reader may think before a first program runs; the frame itself keeps to the limit of a run."""

Run = Callable[[str, str], Awaitable[str]]


def python_tool(packages: Sequence[str], run: Run) -> ExtraTool:
    """The tool as an exchange takes it."""

    async def call(given: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            code, value = pytool.arguments(given)
        except ToolError as wrong:
            return {"error": str(wrong), **wrong.would_be_right}
        ended = json.loads(await run(code, json.dumps(value)))
        return pytool.outcome(ended["stdout"], limit=ended["limit"], error=ended["error"], figures=ended["figures"]).to_json()

    return ExtraTool(pytool.schema(packages), call, CONSENT_SECONDS, 2 * limits.PYTHON_CHARACTERS + pytool.ERROR_CHARACTERS)
