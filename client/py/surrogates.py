"""Characters that came in halves: surrogate pairs over two deltas, and lone ones that Python could not write."""

from __future__ import annotations

from typing import Any


def mend(text: str) -> str:
    """Join surrogate pairs and replace lone ones: Python could not write them."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


class Halves:
    """Hold the first half of a character whose second half comes with the next delta."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """Take more text; return what is whole."""
        if text.isascii() and not self._held:
            return text
        text = self._held + text
        self._held = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return mend(text.removesuffix(self._held) if self._held else text)

    def end(self) -> str:
        """Return what was still held, mended."""
        held, self._held = self._held, ""
        return mend(held)


def mend_value(value: Any) -> Any:
    """Mend every text inside a JSON value."""
    match value:
        case str():
            return mend(value)
        case dict():
            return {mend(str(key)): mend_value(entry) for key, entry in value.items()}
        case list():
            return [mend_value(entry) for entry in value]
        case _:
            return value
