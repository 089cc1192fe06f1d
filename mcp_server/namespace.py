"""python_exec in Linux namespaces: starts `jail.py`, reads what it says, and ends it with all its children."""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import platform
import selectors
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from askbook.core import execution, limits, plotting
from askbook.core.pytool import Limit, Outcome, outcome

from .sandbox import Output, SandboxError, killed
from .seccomp import MACHINES, Machine, program

PACKAGES: Final = ("mpmath", "sympy")
"""Pure packages the code may import where the server's environment has them."""
REPORT_BYTES: Final = 4_000_000
JAIL: Final = Path(__file__).with_name("jail.py")


def standard_library() -> str:
    """The folder of the standard library."""
    return os.path.dirname(os.__file__)


def package_folders() -> list[str]:
    """Folders of the packages the code may use."""
    specs = (importlib.util.find_spec(name) for name in PACKAGES)
    return [str(Path(spec.origin).parent) for spec in specs if spec and spec.origin]


@dataclass(slots=True)
class _Run:
    """One process tree, its two pipes and what has come out of them."""

    process: subprocess.Popen[bytes]
    report: IO[bytes]
    output: Output
    story: bytearray

    def end(self) -> None:
        """Kill the tree: the group from outside, the namespace by the death of its first process."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdout, self.report):
            if pipe:
                pipe.close()


class NamespaceSandbox:
    """Runs code in namespaces of its own, with an empty root, no network and few system calls."""

    name = "Linux namespaces"

    @property
    def packages(self) -> list[str]:
        """Those of PACKAGES that are installed."""
        return [Path(folder).name for folder in package_folders()]

    def __init__(self, *, seconds: float = limits.PYTHON_SECONDS) -> None:
        self._seconds = seconds
        if sys.platform != "linux":
            raise SandboxError(f"{self.name}: this system is {platform.system()}, not Linux")
        machine = MACHINES.get(platform.machine())
        if machine is None:
            raise SandboxError(f"{self.name}: no list of system calls for {platform.machine()}")
        self._machine: Machine = machine

    def run(self, code: str, given: object, *, stop: threading.Event | None = None) -> Outcome:
        """As `Sandbox.run`."""
        run = self._start(code, given)
        try:
            limit = self._follow(run, stop or threading.Event())
        finally:
            run.end()
        stdout = run.output.text()
        return outcome(stdout, limit=limit) if limit else self._outcome(stdout, bytes(run.story))

    def _start(self, code: str, given: object) -> _Run:
        theirs, ours = _pipe()
        request = json.dumps(self._request(code, given)).encode()
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", str(JAIL), str(theirs), str(os.getpid())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs,),
                env={"LC_ALL": "C.UTF-8"},
                cwd="/",
                start_new_session=True,
            )
        except OSError as refused:
            ours.close()
            raise SandboxError(f"{self.name}: {refused}") from refused
        finally:
            os.close(theirs)
        assert process.stdin is not None
        with suppress(BrokenPipeError), process.stdin as stdin:
            stdin.write(request)
        return _Run(process, ours, Output(), bytearray())

    def _request(self, code: str, given: object) -> dict[str, Any]:
        library, packages = standard_library(), package_folders()
        return {
            "code": code,
            "input": given,
            "modules": {
                name: Path(str(module.__file__)).read_text(encoding="utf-8")
                for name, module in (("execution", execution), ("plotting", plotting))
            },
            "filter": base64.b64encode(program(self._machine)).decode(),
            "folders": [library, *packages],
            "path": [library, f"{library}/lib-dynload", *sorted({str(Path(folder).parent) for folder in packages})],
            "limits": {
                "memory_bytes": limits.PYTHON_MEMORY_BYTES,
                "file_bytes": limits.PYTHON_FILE_BYTES,
                "seconds": int(limits.PYTHON_SECONDS),
                "pivot_root": self._machine.pivot_root,
            },
        }

    def _follow(self, run: _Run, stop: threading.Event) -> Limit:
        """Read both pipes until they end; return which limit struck, if one did."""
        ends = time.monotonic() + self._seconds
        with selectors.DefaultSelector() as selector:
            selector.register(run.process.stdout, selectors.EVENT_READ, "output")  # type: ignore[arg-type]
            selector.register(run.report, selectors.EVENT_READ, "story")
            while selector.get_map():
                left = ends - time.monotonic()
                if left <= 0:
                    return "time"
                if stop.is_set():
                    return "stopped"
                for key, _ in selector.select(min(left, 0.1)):
                    piece = os.read(key.fd, 65_536)
                    if not piece:
                        selector.unregister(key.fileobj)
                    elif key.data == "output" and run.output.feed(piece):
                        return "output"
                    elif key.data == "story":
                        run.story += piece
                        if len(run.story) > REPORT_BYTES:
                            return "output"
        return ""

    def _outcome(self, stdout: str, story: bytes) -> Outcome:
        try:
            told = json.loads(story)
        except ValueError:
            told = None
        match told:
            case {"refused": str(reason)}:
                raise SandboxError(f"{self.name}: {reason}")
            case {"killed": int(number)}:
                return outcome(stdout, limit=killed(number))
            case {"error": str(error), "figures": figures}:
                return outcome(stdout, error=error, figures=figures)
            case _:
                return outcome(stdout, limit="crash")


def _pipe() -> tuple[int, IO[bytes]]:
    """A pipe: the end to write to as a descriptor, the end to read from as a file."""
    reading, writing = os.pipe()
    return writing, os.fdopen(reading, "rb", buffering=0)
