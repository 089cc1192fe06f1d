"""Runs a model's Python inside the opaque frame: the same execution as in every other sandbox, JSON text in and out."""

from __future__ import annotations

import importlib
import json
import os
import sys
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from askbook.core.execution import execute
from askbook.core.plotting import plot

PACKAGES = Path("/lib/packages")
BRIDGE = ("js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core")
STAMP = 1_577_836_800
"""Time of every unpacked file, so that bytecode kept from an earlier run fits."""


def unpack(archive: str) -> None:
    """Unpack an archive of packages, or of their bytecode."""
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(PACKAGES)
        for name in packed.namelist():
            os.utime(PACKAGES / name, (STAMP, STAMP))


def prepare(archives: str, names: str) -> bytes:
    """Unpack archives and import the packages named, before any program is seen; return the bytecode this made, as an archive."""
    for archive in json.loads(archives):
        unpack(archive)
    sys.path.append(str(PACKAGES))
    sys.dont_write_bytecode = False
    before = set(PACKAGES.rglob("*.pyc"))
    for name in json.loads(names):
        importlib.import_module(name)
    made = sorted(set(PACKAGES.rglob("*.pyc")) - before)
    return _pack([*sorted(before), *made]) if made else b""


def _pack(paths: list[Path]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for path in paths:
            packed.writestr(str(path.relative_to(PACKAGES)), path.read_bytes())
    return out.getvalue()


def leave_bridge() -> None:
    """Have imports of what leads to JavaScript fail in plain words; the runtime refuses whoever finds another way."""
    for name in [*sys.modules, *BRIDGE]:
        if name.partition(".")[0] in BRIDGE:
            sys.modules[name] = None  # type: ignore[assignment]


def run(code: str, given: str, hand_on: Callable[[str], object]) -> str:
    """Run code with the JSON value `given` as `input`; what it prints goes to `hand_on`."""
    return json.dumps(execute(code, json.loads(given), hand_on, extra={"plot": plot}))


def run_file(program: str) -> None:
    """Run the program a file holds with its `input`; print to standard output, and write how it ended where the file says."""
    code, given, outcome = json.loads(Path(program).read_text(encoding="utf-8"))
    out = os.dup(1)
    ended = run(code, given, lambda text: os.write(out, text.encode("utf-8", "replace")))
    with open(outcome, "wb", buffering=0) as file:
        file.write(ended.encode())
