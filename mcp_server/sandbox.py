"""What runs a model's Python for the MCP server, and how it ended; where nothing safe exists, why."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from askbook.core import limits
from askbook.core.pytool import Limit, Outcome


class Sandbox(Protocol):
    """Runs code that may be hostile."""

    @property
    def name(self) -> str:
        """What keeps the code in, for people."""
        ...

    @property
    def packages(self) -> Sequence[str]:
        """What the code can import beside the standard library."""
        ...

    def run(self, code: str, given: object, *, stop: threading.Event | None = None) -> Outcome:
        """Run to the end, a limit, or until `stop` is set; blocks."""
        ...


class SandboxError(Exception):
    """No sandbox can be had here; says why."""


@dataclass(slots=True)
class Output:
    """What a run prints, up to the limit."""

    limit: int = limits.PYTHON_CHARACTERS
    pieces: bytearray = field(default_factory=bytearray)

    def feed(self, piece: bytes) -> bool:
        """Keep a piece; return whether the limit is passed."""
        self.pieces += piece[: self.limit * 4 + 4 - len(self.pieces)]
        return len(self.pieces) > self.limit and len(self.pieces.decode("utf-8", "replace")) > self.limit

    def text(self) -> str:
        """What was printed, one character past the limit if it was cut."""
        return self.pieces.decode("utf-8", "replace")[: self.limit + 1]


def killed(signal: int) -> Limit:
    """Which limit the system enforced by a signal."""
    return {9: "memory", 24: "memory", 25: "file"}.get(signal, "crash")  # type: ignore[return-value]


def find_sandbox(*makers: Callable[[], Sandbox]) -> Sandbox:
    """The first sandbox that works here, tried with a small program; SandboxError names what is wrong with each."""
    reasons = []
    for make in makers or _makers():
        try:
            sandbox = make()
            outcome = sandbox.run("print(6 * 7)", None)
        except SandboxError as wrong:
            reasons.append(str(wrong))
            continue
        if outcome.stdout == "42\n" and not outcome.error:
            return sandbox
        reasons.append(f"{sandbox.name}: {outcome.error or 'a first program gave a wrong result'}")
    raise SandboxError("; ".join(reasons))


def _makers() -> Sequence[Callable[[], Sandbox]]:
    from .namespace import NamespaceSandbox
    from .node import NodeSandbox

    return NamespaceSandbox, NodeSandbox
