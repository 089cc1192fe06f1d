"""Which blocks of a growing answer no later text can change."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .document import Block

_LATIN_OR_HAN = re.compile(r"[^\W\d_]")
_ENDS_AT_BLANK = frozenset({"paragraph_open", "heading_open", "table_open", "formula_block", "hr"})


def sure_lines(settled: str, raw: str) -> int:
    """Return how many lines are whole and are drawn as they are."""
    if raw.startswith(settled):
        return settled.count("\n")
    pairs = zip(settled.split("\n"), raw.split("\n"), strict=False)
    return next((at for at, (drawn, written) in enumerate(pairs) if drawn != written), 0)


def count_finished(blocks: Sequence[Block], text: str, whole: int) -> int:
    """Return how many blocks no later text can change; of the text, so many lines are whole."""
    lines = text.split("\n")
    for at in range(len(blocks) - 1, -1, -1):
        if _is_finished(blocks[at], blocks[at + 1] if at + 1 < len(blocks) else None, lines, whole):
            return at + 1
    return 0


def _is_finished(block: Block, after: Block | None, lines: list[str], whole: int) -> bool:
    """Tell whether a block is over: a blank line ends it, or the next block has surely begun."""
    if block.last > whole:
        return False
    kind = block.tokens[0].type
    if kind in _ENDS_AT_BLANK and block.last < whole and not lines[block.last].strip():
        return True
    if after is None:
        return False
    if after.first + (2 if after.tokens[0].type == "table_open" else 1) <= whole:
        return True
    return after.tokens[0].type == "paragraph_open" and after.first > block.last and bool(_LATIN_OR_HAN.match(lines[after.first]))
