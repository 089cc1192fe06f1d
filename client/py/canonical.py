"""JSON as text in one canonical form, so that a tool's answer is the same bytes in page, terminal and over MCP."""

from __future__ import annotations

import json
from typing import Any


def dumps(value: Any) -> str:
    """Write a JSON value: keys in the order given, no spaces, no escapes but the needed ones, no NaN."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
