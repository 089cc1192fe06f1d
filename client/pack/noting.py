"""Runs inside Pyodide while packing: note what importing the application computes from constants, so that no reader waits for it.

Two things take most of the time of an import: regular expressions, compiled by Python code, and the methods of dataclasses,
compiled from text. Both are made by the interpreter that will use them; `client/worker/noted.py` puts them in.
"""

import builtins
import dataclasses
import marshal
import re._compiler as regexes
import sys
from array import array


class _Machine:
    """Stands in for `_sre` in the compiler of regular expressions, and passes on what it is handed."""

    def __init__(self, notes: "Notes", real) -> None:
        self._notes, self._real = notes, real

    def __getattr__(self, name: str):
        return getattr(self._real, name)

    def compile(self, pattern, flags, code, groups, names, order):
        """Note one machine."""
        self._notes.machine = (int(flags), array("I", code).tobytes(), groups, dict(names), order)
        return self._real.compile(pattern, flags, code, groups, names, order)


class Notes:
    """Everything compiled while the context is open, by what it was compiled from."""

    def __init__(self) -> None:
        self.patterns: dict[tuple[str | bytes, int], tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]] = {}
        self.methods: dict[str, object] = {}
        self.machine = None
        self._compile, self._sre = regexes.compile, regexes._sre

    def __enter__(self) -> "Notes":
        regexes._sre = _Machine(self, self._sre)
        regexes.compile = self.pattern
        dataclasses.exec = self.method
        return self

    def __exit__(self, *ended: object) -> None:
        regexes._sre, regexes.compile = self._sre, self._compile
        del dataclasses.exec

    def pattern(self, source, flags=0):
        """Compile a pattern, and note its machine."""
        made = self._compile(source, flags)
        if isinstance(source, str | bytes):
            self.patterns[source, int(flags)] = self.machine
        return made

    def method(self, text: str, scope: dict, names: dict) -> None:
        """Run the text that defines the methods of a dataclass, and note its code."""
        code = compile(text, "<string>", "exec", dont_inherit=True, optimize=2)
        self.methods[text] = code
        builtins.exec(code, scope, names)

    def pack(self) -> bytes:
        """The notes, equal for equal sources, with the version they hold for."""
        patterns = dict(sorted(self.patterns.items(), key=lambda item: (isinstance(item[0][0], bytes), *item[0])))
        noted = (sys.version, patterns, dict(sorted(self.methods.items())))
        return marshal.dumps(noted, 2)  # without references, which depend on what has gone before
