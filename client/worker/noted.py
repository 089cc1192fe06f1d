"""Puts in what was computed while packing: regular expressions and the methods of dataclasses, most of the time of an import.

`client/pack/noting.py` notes them with the very interpreter that runs here; on any other the notes are left aside.
"""

from __future__ import annotations

import _sre
import builtins
import dataclasses
import gc
import inspect
import marshal
import re._compiler as regexes  # type: ignore[import-not-found]
import sys
from collections.abc import Callable
from typing import Any

compile_anew: Callable[..., Any] = regexes.compile


class Noted:
    """Compiled already, by what it would be compiled from; each is given away once."""

    def __init__(self, patterns: dict[Any, Any], methods: dict[str, Any]) -> None:
        self._patterns, self._methods = patterns, methods
        self.used = 0

    def pattern(self, source: Any, flags: int = 0) -> Any:
        """A compiled pattern, from the notes where it is there."""
        found = self._patterns.pop((source, int(flags)), None) if isinstance(source, (str, bytes)) else None
        if found is None:
            return compile_anew(source, flags)
        self.used += 1
        all_flags, code, groups, names, order = found
        return _sre.compile(source, all_flags, list(memoryview(code).cast("I")), groups, names, order)

    def method(self, text: str, scope: dict[str, Any], names: dict[str, Any]) -> None:
        """Define the methods of a dataclass."""
        code = self._methods.pop(text, None)
        self.used += code is not None
        builtins.exec(text if code is None else code, scope, names)


class Unsigned:
    """`inspect` as dataclasses see it: without signatures, which they write into docstrings that nobody reads here."""

    def signature(self, *_: object, **__: object) -> str:
        """Have none to show."""
        return ""

    def __getattr__(self, name: str) -> Any:
        return getattr(inspect, name)


def put_in(notes: bytes) -> Noted | None:
    """Use the notes from now on; None where they are of another interpreter."""
    version, patterns, methods = marshal.loads(notes)
    if version != sys.version:
        return None
    noted = Noted(patterns, methods)
    regexes.compile = noted.pattern
    dataclasses.exec = noted.method  # type: ignore[attr-defined]  # a name of the module goes before the built-in one
    dataclasses.inspect = Unsigned()  # type: ignore[attr-defined]
    return noted


def begin() -> int:
    """Use the notes that lie beside this module; how many there are. Garbage is looked for again when the worker begins."""
    gc.disable()
    loader = __spec__.loader
    noted = put_in(loader.get_data(f"{__file__.rpartition('/')[0]}/notes.bin"))  # type: ignore[union-attr]
    return 0 if noted is None else len(noted._patterns) + len(noted._methods)
