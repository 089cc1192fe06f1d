"""Results of the book tools as they stand on the wire; imports nothing of MCP, so that a search process starts at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from askbook.core.canonical import dumps
from askbook.core.parts import ToolCallPart, ToolResultPart
from askbook.core.toolbox import Shelf
from askbook.core.tools import run


def made(name: str, arguments: Mapping[str, Any], shelf: Shelf) -> bytes:
    """Run a book tool; return its result as a JSON object."""
    return wire(run(ToolCallPart("", name, arguments), shelf))


def wire(result: ToolResultPart) -> bytes:
    """A result of the core as the SDK writes it: the canonical text, and the same as a structure."""
    whole = {
        "content": [{"text": dumps(result.content), "type": "text"}],
        "isError": result.error,
        "resultType": "complete",
        "structuredContent": result.content,
    }
    return json.dumps(whole, separators=(",", ":")).encode()
