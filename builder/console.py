"""Standard output and error that can take every letter: a book in Chinese has to pass through any machine's locale."""

from __future__ import annotations

import sys
from io import TextIOWrapper


def speak_utf8() -> None:
    """Write UTF-8 to files and pipes, whatever the locale; a terminal keeps its own and shows escapes for what it lacks."""
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, TextIOWrapper):
            continue
        if stream.isatty() or stream.encoding.lower().replace("-", "") == "utf8":
            stream.reconfigure(errors="backslashreplace")
        else:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
