"""Results of the book tools, each made once: the same call on the same books has the same answer."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types

from askbook.core.canonical import dumps
from askbook.core.parts import ToolCallPart, ToolResultPart
from askbook.core.toolbox import Shelf
from askbook.core.tools import run

KEPT: Final = 256
"""Results that are kept, the last ones asked for; a result is a few thousand characters."""
LONGEST_KEY: Final = 4_000


class Answers:
    """Runs tools and remembers what they returned, as long as the shelf is the same one."""

    def __init__(self) -> None:
        self._shelf: Shelf | None = None
        self._kept: OrderedDict[tuple[str, str], types.CallToolResult] = OrderedDict()

    def result(self, name: str, arguments: Mapping[str, Any], shelf: Shelf) -> types.CallToolResult:
        """Return what a tool returns, on the wire."""
        if shelf is not self._shelf:
            self._kept.clear()
            self._shelf = shelf
        key = (name, dumps(arguments))
        found = self._kept.get(key)
        if found is None:
            found = as_result(run(ToolCallPart("", name, arguments), shelf))
            if len(key[1]) <= LONGEST_KEY:
                self._kept[key] = found
        else:
            self._kept.move_to_end(key)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found


def as_result(result: ToolResultPart) -> types.CallToolResult:
    """A result of the core on the wire: the canonical text, and the same as a structure."""
    text = types.TextContent(text=dumps(result.content))
    return types.CallToolResult(content=[text], structured_content=dict(result.content), is_error=result.error)
