"""python_exec in Pyodide under Node, where there are no namespaces: a process without files and without network."""

from __future__ import annotations

import threading

from askbook.core.pytool import Outcome

from .sandbox import SandboxError


class NodeSandbox:
    """Runs code in WebAssembly."""

    name = "Pyodide under Node"
    packages = ()

    def __init__(self) -> None:
        raise SandboxError(f"{self.name}: not here")

    def run(self, code: str, given: object, *, stop: threading.Event | None = None) -> Outcome:
        """As `Sandbox.run`."""
        raise NotImplementedError
