"""Compile what was packed once more, with pyodide-build, where this Python is the runtime's own version; insist on equal bytes.

    python client/pack/with_pyodide_build.py

Elsewhere the bytecode would be of another version, and what Pyodide compiled under Node stands.
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
VENDOR = ROOT / "client/vendor"
FOLDERS = {"askbook/core/": ROOT / "client/py", "askbook/reader/": ROOT / "client/worker"}

Compile = Callable[[Path, int], None]
"""Compiles the `.py` files of a zip in place, with an optimization level."""


def with_pyodide_build(archive: Path, optimize: int) -> None:
    """Let pyodide-build compile an archive: constants in a fixed order, source hashes, lines without columns."""
    command = [sys.executable, "-" + "O" * optimize, "-m", "pyodide_cli", "py-compile", str(archive)]
    fixed = {"PYTHONHASHSEED": "0", "PYTHONNODEBUGRANGES": "1", "SOURCE_DATE_EPOCH": "1577836800"}
    environment = {**os.environ, **fixed}
    subprocess.run(command, env=environment, check=True, capture_output=True)


def compiled(sources: Mapping[str, bytes], compile_: Compile, *, documented: frozenset[str]) -> dict[str, bytes]:
    """Bytecode of each source by the name it has in an archive; `documented` modules keep their docstrings."""
    found: dict[str, bytes] = {}
    for optimize, names in ((1, documented & set(sources)), (2, set(sources) - documented)):
        with TemporaryDirectory() as folder:
            archive = Path(folder) / "modules.zip"
            with zipfile.ZipFile(archive, "w") as out:
                for name in sorted(names):
                    out.writestr(name, sources[name])
            if names:
                compile_(archive, optimize)
                found |= {name: unchecked(data) for name, data in members(archive.read_bytes()).items()}
    return found


def unchecked(pyc: bytes) -> bytes:
    """The same bytecode with a source hash that is not compared at import: readers have no sources."""
    return pyc[:4] + (1).to_bytes(4, "little") + pyc[8:]


def members(archive: bytes) -> dict[str, bytes]:
    """Name to content of the modules of a zip, also of one that is packed as a whole."""
    if archive.startswith(b"\x28\xb5\x2f\xfd"):
        from compression import zstd  # type: ignore[import-not-found]  # of the Python that compiles, 3.14

        archive = zstd.decompress(archive)
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        return {name: packed.read(name) for name in packed.namelist() if name.endswith((".py", ".pyc"))}


def source(name: str) -> bytes:
    """The source of a module of the application archive, by its path there."""
    for prefix, folder in FOLDERS.items():
        if name.startswith(prefix):
            return (folder / name.removeprefix(prefix)).read_bytes()
    package = importlib.util.find_spec(name.partition("/")[0])
    if package is None or package.origin is None:
        raise SystemExit(f"{name} is in the archive, and its package is not installed here")
    return (Path(package.origin).parent / name.partition("/")[2]).read_bytes()


def differences(vendor: Path, stdlib: Path, compile_: Compile, *, documented: frozenset[str]) -> list[str]:
    """Modules whose bytecode in the packed archives is not what `compile_` makes of their sources."""
    manifest = json.loads((vendor / "runtime.json").read_text(encoding="utf-8"))
    library = members(stdlib.read_bytes())
    wrong: list[str] = []
    for part, read in (("app", source), ("stdlib", library.__getitem__)):
        packed = members((vendor / manifest[part]["path"]).read_bytes())
        made = compiled({name[:-1]: read(name[:-1]) for name in packed}, compile_, documented=documented)
        wrong += [name for name in sorted(packed) if made.get(name) != packed[name]]
    return wrong


def main() -> None:
    """Compare, or say why not."""
    version = json.loads((VENDOR / "runtime.json").read_text(encoding="utf-8"))["pyodide"]["info"]["python"]
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    if version.rpartition(".")[0] != own or importlib.util.find_spec("pyodide_build") is None:
        print(f"Compiled by Pyodide itself ({version}); pyodide-build would need to run on that Python, this is {own}.")
        return
    sys.path.insert(0, str(ROOT / "client/pack"))
    from compile import DOCUMENTED  # type: ignore[import-not-found]  # beside this file, and no package

    wrong = differences(VENDOR, ROOT / "node_modules/pyodide/python_stdlib.zip", with_pyodide_build, documented=DOCUMENTED)
    if wrong:
        raise SystemExit(f"pyodide-build compiles {len(wrong)} modules otherwise than Pyodide, the first is {wrong[0]}")
    print("pyodide-build compiles every module to the same bytes.")


if __name__ == "__main__":
    main()
