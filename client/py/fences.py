"""Text from outside on its way into a prompt: cut to a budget, on one line where it has to be, in a fence it cannot close."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .limits import CONTEXT_CHARACTERS

LEAST_PASSAGE: Final = 120
"""A passage of which less than this would fit is left out."""
FENCE: Final = re.compile(r"<(?=/?\s*(?:passages|selection|page|observation)\b)", re.IGNORECASE)
INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)


def escape(text: str) -> str:
    """Make text from outside unable to close its fence or to hide anything in it."""
    return FENCE.sub("&lt;", INVISIBLE.sub("", text))


def line(text: str) -> str:
    """Text from outside on one line of ours: a title, a name."""
    return " ".join(escape(text).split())


def plain_address(url: str) -> str:
    """An address without its text fragment, which only a jump needs."""
    return url.partition(":~:")[0].removesuffix("#")


def fence(name: str, text: str) -> str:
    """Put text from outside into a fence."""
    return f'<{name} trust="untrusted">\n{text.strip()}\n</{name}>'


def fit(texts: Sequence[str], limit: int = CONTEXT_CHARACTERS) -> list[str]:
    """Cut texts, best first, to a budget of characters; what does not fit any more is empty. 0 is no limit."""
    if not limit:
        return list(texts)
    fitted, left = [], limit
    for text in texts:
        room = min(left, max(limit // 2, LEAST_PASSAGE))
        if len(text) > room:
            text = text[: room - 1].rstrip() + "…" if room >= LEAST_PASSAGE else ""
        left -= len(text)
        fitted.append(text)
    return fitted
