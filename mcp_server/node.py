"""python_exec in Pyodide under Node, where there are no namespaces: a process that may read the runtime and nothing else."""

from __future__ import annotations

import json
import os
import platform
import selectors
import shutil
import signal
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from askbook.core import limits
from askbook.core.pytool import Limit, Outcome, outcome

from .sandbox import SandboxError

SCRIPT: Final = Path(__file__).with_name("sandbox.mjs")
STARTING_SECONDS: Final = 60.0
LEAST_NODE: Final = 20
PERMISSION_SINCE: Final = (23, 5)
"""Version from which the permission model is no experiment."""
LINE_BYTES: Final = 4_000_000
RUNTIME_BYTES: Final = 256 * 2**20
"""What Node and the runtime may hold beside what the program asked for."""
LOOK_SECONDS: Final = 0.1
"""How often it is seen how much memory the process holds: files and JavaScript's own bytes are outside WebAssembly's."""


@dataclass(slots=True)
class _Story:
    """What the process has told so far."""

    stdout: str = ""
    begun: bool = False
    limit: Limit = ""
    error: str = ""
    figures: Any = ()
    over: bool = False
    rest: bytearray = field(default_factory=bytearray)

    def feed(self, piece: bytes) -> None:
        """Take bytes; whole lines are news."""
        self.rest += piece
        if len(self.rest) > LINE_BYTES:
            self.over, self.limit = True, "output"
        *lines, last = bytes(self.rest).split(b"\n")
        self.rest = bytearray(last)
        for line in lines:
            if not self.over:
                self._take(json.loads(line))

    def _take(self, news: dict[str, Any]) -> None:
        match news:
            case {"kind": "started"}:
                self.begun = True
            case {"kind": "out", "text": str(text)}:
                self.stdout += text
                if len(self.stdout) > limits.PYTHON_CHARACTERS:
                    self.over, self.limit = True, "output"
            case {"kind": "ended", "json": str(text)}:
                told = json.loads(text)
                self.over, self.error, self.figures = True, str(told["error"]), told["figures"]
            case {"kind": "broke", "detail": str(detail)}:
                self.over, self.limit, self.error = True, "crash" if self.begun else "", f"Python could not start: {detail}"


def resident(pid: int) -> int:
    """Bytes of memory a process holds; 0 where the system does not say."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        said = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout.strip()
        return int(said) * 1024 if said.isdigit() else 0


class NodeSandbox:
    """Runs code in WebAssembly, in a Node process stripped of files, processes, network and code from strings."""

    name = "Pyodide under Node"
    packages: tuple[str, ...] = ()

    def __init__(self, *, seconds: float = limits.PYTHON_SECONDS) -> None:
        self._seconds = seconds
        if os.name != "posix":
            raise SandboxError(f"{self.name}: this system is {platform.system()}, which has no process groups")
        found = shutil.which("node")
        if found is None:
            raise SandboxError(f"{self.name}: node is not installed")
        version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout.strip().lstrip("v")
        parts = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
        if parts < (LEAST_NODE,):
            raise SandboxError(f"{self.name}: node {version or '?'} is too old, {LEAST_NODE} is the least")
        self._vendor = Path(str(files("askbook.client"))) / "vendor"
        if not (self._vendor / "runtime.json").is_file():
            raise SandboxError(f"{self.name}: the runtime is not packed into this installation")
        self._manifest = json.loads((self._vendor / "runtime.json").read_text(encoding="utf-8"))
        self._files = self._runtime()
        permission = "--permission" if parts >= PERMISSION_SINCE else "--experimental-permission"
        self._command = [
            found, permission, *(f"--allow-fs-read={path}" for path in (*self._files.values(), SCRIPT.resolve())),
            "--disallow-code-generation-from-strings", "--no-warnings", "--max-old-space-size=256", str(SCRIPT.resolve()),
        ]  # fmt: skip

    def run(self, code: str, given: object, *, stop: threading.Event | None = None) -> Outcome:
        """As `Sandbox.run`."""
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"LC_ALL": "C.UTF-8"},
            cwd="/",
            start_new_session=True,
        )
        try:
            assert process.stdin is not None
            with suppress(BrokenPipeError), process.stdin as stdin:
                stdin.write(json.dumps(self._request(code, given)).encode())
            story = self._follow(process, stop or threading.Event())
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if process.stdout:
                process.stdout.close()
        return outcome(story.stdout, limit=story.limit, error=story.error, figures=story.figures)

    def _runtime(self) -> dict[str, str]:
        """Name the files the process may read, one by one: an editable installation links each from elsewhere."""
        folder, manifest = self._vendor / self._manifest["pyodide"]["folder"], self._manifest
        paths = {
            "loader": folder / "pyodide.js",
            "module": folder / "pyodide.asm.js",
            "wasm": self._vendor / manifest["pyodide"]["wasm"]["path"],
            "unpacker": self._vendor / "fzstd/fzstd.js",
            "stdlib": self._vendor / manifest["sandbox"]["path"],
            "app": self._vendor / manifest["app"]["path"],
        }
        return {name: str(path.resolve()) for name, path in paths.items()}

    def _request(self, code: str, given: object) -> dict[str, Any]:
        return {
            "files": self._files,
            "info": self._manifest["pyodide"]["info"],
            "code": code,
            "input": given,
            "limits": {"memory": limits.PYTHON_MEMORY_BYTES, "characters": limits.PYTHON_CHARACTERS},
        }

    def _follow(self, process: subprocess.Popen[bytes], stop: threading.Event) -> _Story:
        """Read news until the program has ended or a limit strikes; its time counts from its own start."""
        story, ends, looked = _Story(), time.monotonic() + STARTING_SECONDS, time.monotonic()
        assert process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while not story.over:
                now = time.monotonic()
                if now > ends:
                    story.limit = "time"
                elif stop.is_set():
                    story.limit = "stopped"
                elif now - looked > LOOK_SECONDS:
                    looked = now
                    if resident(process.pid) > limits.PYTHON_MEMORY_BYTES + RUNTIME_BYTES:
                        story.limit = "memory"
                if story.limit:
                    break
                if not selector.select(LOOK_SECONDS):
                    continue
                piece, begun = os.read(process.stdout.fileno(), 65_536), story.begun
                if not piece:
                    story.limit = "crash"
                    break
                story.feed(piece)
                if story.begun and not begun:
                    ends = time.monotonic() + self._seconds
        return story
