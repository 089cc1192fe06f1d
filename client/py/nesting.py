"""JSON from elsewhere, parsed only where it is not nested too deeply.

The parser calls itself for every level. In the browser some thousand levels (4,000 pass, 8,000 do not) overrun the stack of the
WebAssembly engine, and that ends the reader's Python for good: no exception is raised that could be caught.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

DEEPEST: Final = 500
"""Levels that are parsed; what endpoints, tools and indexes send has a dozen."""

_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_OTHERS: Final = bytes(set(range(256)) - set(b'[]{}"\\'))


def parse(text: str | bytes) -> Any:
    """Return the value; raise ValueError for what is not JSON or too deep."""
    refuse_depth(text)
    return json.loads(text)


def refuse_depth(text: str | bytes, start: int = 0) -> None:
    """Raise ValueError where the JSON value that starts here goes deeper than `DEEPEST`, finished or not."""
    opening: tuple[Any, Any] = ("[", "{") if isinstance(text, str) else (b"[", b"{")
    if sum(text.count(mark, start) for mark in opening) <= DEEPEST:
        return
    data = text[start:].encode("utf-8", "surrogatepass") if isinstance(text, str) else text[start:]
    depth = 0
    for mark in _STRING.sub(b"", data.translate(None, _OTHERS)):
        depth += 1 if mark in b"[{" else -1
        if depth > DEEPEST:
            raise ValueError(f"nested deeper than {DEEPEST} levels")
        if depth <= 0:
            return
