"""Runs inside Pyodide while packing: find the modules a reader needs, compile them, write deterministic archives.

The bytecode is made by the very interpreter that will run it, so its magic number fits by construction.
"""

import _imp
import ast
import importlib
import importlib.util
import io
import json
import sys
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

from compression import zstd
from noting import Notes

STDLIB = "/lib/python314.zip"
STAMP = (2020, 1, 1, 0, 0, 0)
WINDOW = 22
"""Logarithm of the bytes an unpacker must look back."""
NOTES = "askbook/reader/notes.bin"
"""What importing the application computes, so that a reader's browser need not: see `noting.py`."""
DOCUMENTED = frozenset({"askbook/core/tools.py", "askbook/core/pytool.py"})
"""Modules whose docstrings are read by the model, so that they stay."""

LATE = (
    "_colorize", "_strptime", "_weakrefset", "asyncio", "base64", "bisect", "calendar", "difflib", "encodings.ascii",
    "encodings.cp437", "encodings.idna", "encodings.latin_1", "encodings.punycode", "encodings.utf_8", "encodings.utf_8_sig",
    "encodings.utf_16", "encodings.utf_16_le", "html", "html.parser", "inspect", "json", "linecache", "stringprep", "tokenize",
    "traceback", "unicodedata", "urllib.parse", "zipimport",
)  # fmt: skip
"""Imported by the standard library or by Pyodide only when a function runs, so that importing the core does not show them."""


def imports(source: str, package: str) -> set[str]:
    """Return every module that a source names in an import, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = (
                importlib.util.resolve_name("." * node.level + (node.module or ""), package) if node.level else node.module or ""
            )
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return found


def load(names: set[str]) -> None:
    """Import what can be imported; a name may be an attribute, or a module of another platform."""
    for name in sorted(names):
        try:
            importlib.import_module(name)
        except (ImportError, AttributeError, ValueError):
            continue


def discover(sources: dict[str, str]) -> tuple[set[str], set[str]]:
    """Import all of the application; return its module names and those of the standard library that it took along.

    What is frozen into the interpreter itself, as `os` is, is left out: no file of it is read.
    """
    named: set[str] = set(LATE)
    for path, source in sorted(sources.items()):
        if path.startswith("askbook/"):
            module = path.removesuffix(".py").replace("/", ".")
            is_package = module.endswith(".__init__")
            module = module.removesuffix(".__init__")
            named |= imports(source, module if is_package else module.rpartition(".")[0]) | {module}
    load(named)
    app, standard = set(), set()
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None) or ""
        if origin.startswith(STDLIB) and not _imp.is_frozen(name):
            standard.add(name)
        elif origin.startswith("/src/"):
            app.add(name)
    return app, standard


def compiled(source: bytes, shown: str) -> bytes:
    """Compile one module: no asserts, docstrings only where they are data, and a hash that is not checked at import."""
    code = compile(source, shown, "exec", dont_inherit=True, optimize=1 if shown in DOCUMENTED else 2)
    return bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), False))


def squeeze(content: bytes, level: int = 22) -> bytes:
    """Pack as Zstandard, which is a fifth smaller than gzip and unpacked as fast; the window is small for readers' memory."""
    chosen = {zstd.CompressionParameter.compression_level: level, zstd.CompressionParameter.window_log: WINDOW}
    return zstd.compress(bytes(content), options=chosen)


def archive(modules: dict[str, bytes], data: dict[str, bytes] | None = None) -> bytes:
    """Write modules (path with `.py` to source) and data as a zip in one Zstandard frame, equal for equal input.

    What modules have in common is packed once, the browser unpacks all at once, and Python only has to look modules up.
    """
    members = {path + "c": compiled(source, path) for path, source in modules.items()} | (data or {})
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for path in sorted(members):
            info = zipfile.ZipInfo(path, STAMP)
            info.external_attr = 0o644 << 16
            packed.writestr(info, members[path])
    return squeeze(out.getvalue())


def path_of(name: str, root: str) -> str:
    """Return a module's path below its root."""
    return (sys.modules[name].__file__ or "").removeprefix(root).lstrip("/")


def pack_app(sources: dict[str, str]) -> tuple[bytes, bytes]:
    """Return the application archive and, as lines, the names of the standard modules it needs."""
    sys.path.insert(0, "/src")
    with Notes() as notes:
        app, standard = discover(sources)
    present = {path_of(name, "/src") for name in app}
    for path in sorted(sources):
        if path.startswith("askbook/") and path not in present:
            importlib.import_module(path.removesuffix(".py").replace("/", "."))  # says why it cannot be imported
    packed = archive({path: sources[path].encode() for path in {path_of(name, "/src") for name in app}}, {NOTES: notes.pack()})
    return packed, "\n".join(sorted(standard)).encode()


def pack_stdlib(names: list[str]) -> bytes:
    """Return the archive of the standard modules named."""
    with zipfile.ZipFile(STDLIB) as whole:
        present = set(whole.namelist())
        paths = {
            path
            for name in names
            for path in (name.replace(".", "/") + ".py", name.replace(".", "/") + "/__init__.py")
            if path in present
        }
        return archive({path: whole.read(path) for path in paths})


def tool_schemas() -> str:
    """Return the book tools as JSON: name, description, parameters."""
    schemas, tools = importlib.import_module("askbook.core.schemas"), importlib.import_module("askbook.core.tools")
    found = [schemas.tool_schema(tool) for tool in tools.TOOLS.values()]
    known = [{"name": one.name, "description": one.description, "parameters": one.parameters} for one in found]
    return json.dumps(known, ensure_ascii=False)


USELESS = frozenset({
    "_pyrepl", "__phello__", "ensurepip", "idlelib", "lib2to3", "multiprocessing", "pydoc_data", "site-packages", "test",
    "tkinter", "turtledemo", "venv", "wsgiref", "xmlrpc",
})  # fmt: skip
"""Packages of the standard library that a program in a browser has no use for."""


def pack_whole_stdlib() -> bytes:
    """Return the archive of the standard library for programs nobody has seen yet."""
    with zipfile.ZipFile(STDLIB) as whole:
        paths = [path for path in whole.namelist() if path.endswith(".py") and path.partition("/")[0] not in USELESS]
        return archive({path: whole.read(path) for path in paths})
