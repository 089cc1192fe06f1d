"""Two compilers, one result: what pyodide-build makes of the client is what Pyodide made of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[import-not-found]
from importlib.util import module_from_spec, source_hash, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = {"first.py": b'"""Said."""\nx = {1, 2}\n', "second.py": b"def f():\n    'Kept?'\n    assert x\n"}
DOCUMENTED = frozenset({"askbook/core/tools.py"})

AS_PYODIDE_BUILD_DOES = """
import py_compile, sys, tempfile, zipfile
from pathlib import Path
archive = Path(sys.argv[1])
with zipfile.ZipFile(archive) as packed:
    sources = {name: packed.read(name) for name in packed.namelist()}
with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(archive, "w") as out:
    for name, text in sources.items():
        path = Path(folder, "module.py")
        path.write_bytes(text)
        py_compile.compile(str(path), cfile=str(path) + "c", dfile=name, doraise=True)
        out.writestr(name + "c", Path(str(path) + "c").read_bytes())
"""


@pytest.fixture(scope="module")
def comparison() -> ModuleType:
    """The script, which is no package."""
    spec = spec_from_file_location("with_pyodide_build", ROOT / "client/pack/with_pyodide_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_as_pyodide_build_does(archive: Path, optimize: int) -> None:
    """The very call pyodide-build makes, on this Python."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "1577836800"}
    subprocess.run([sys.executable, "-" + "O" * optimize, "-c", AS_PYODIDE_BUILD_DOES, archive], env=environment, check=True)


def bytecode(name: str, source: bytes) -> bytes:
    """As `client/pack/compile.py` compiles inside Pyodide."""
    name = name.encode().decode()  # a new string, as names from an archive are: one that is interned is written otherwise
    code = compile(source, name, "exec", dont_inherit=True, optimize=1 if name in DOCUMENTED else 2)
    return bytes(_code_to_hash_pyc(code, source_hash(source), False))


@pytest.fixture
def vendor(tmp_path: Path, comparison: ModuleType) -> Callable[..., Path]:
    """A vendor folder packed on this Python."""

    def pack(**changed: bytes) -> Path:
        names = ["askbook/core/tools.py", "askbook/core/limits.py", "mdurl/__init__.py"]
        packs = {"app": {name: comparison.source(name) for name in names}, "stdlib": LIBRARY}
        for part, sources in packs.items():
            with zipfile.ZipFile(tmp_path / f"{part}.zip", "w") as out:
                for name, source in sources.items():
                    out.writestr(name + "c", bytecode(name, changed.get(Path(name).stem, source)))
        with zipfile.ZipFile(tmp_path / "library.zip", "w") as out:
            for name, source in LIBRARY.items():
                out.writestr(name, source)
        manifest = {part: {"path": f"{part}.zip"} for part in packs}
        (tmp_path / "runtime.json").write_text(json.dumps(manifest), encoding="utf-8")
        return tmp_path

    return pack


def test_both_compile_to_the_same_bytes(vendor: Callable[..., Path], comparison: ModuleType) -> None:
    folder = vendor()
    found = comparison.differences(folder, folder / "library.zip", compile_as_pyodide_build_does, documented=DOCUMENTED)
    assert found == []


def test_a_module_that_differs_is_named(vendor: Callable[..., Path], comparison: ModuleType) -> None:
    folder = vendor(second=b"y = 1\n")
    found = comparison.differences(folder, folder / "library.zip", compile_as_pyodide_build_does, documented=DOCUMENTED)
    assert found == ["second.pyc"]


def test_another_python_leaves_it_to_pyodide() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "client/pack/with_pyodide_build.py"], capture_output=True, text=True, check=True
    )
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert (own in done.stdout and "Pyodide itself" in done.stdout) or "same bytes" in done.stdout
