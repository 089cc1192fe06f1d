"""Runs a model's Python inside the opaque frame: the same execution as in every other sandbox, JSON text in and out."""

from __future__ import annotations

import json
from collections.abc import Callable

from askbook.core.execution import execute
from askbook.core.plotting import plot


def run(code: str, given: str, hand_on: Callable[[str], object]) -> str:
    """Run code with the JSON value `given` as `input`; what it prints goes to `hand_on`."""
    return json.dumps(execute(code, json.loads(given), hand_on, extra={"plot": plot}))
