"""Compressed copies beside the files of a site, `.gz` and `.br`, for hosts that send them as they lie there."""

from __future__ import annotations

import gzip
import importlib
import json
import os
import shutil
import subprocess
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from .assets import FOLDER
from .books import INDEX_FOLDER

KINDS: Final = ("br", "gz")
FROM_BYTES: Final = 2_048
"""Smaller files gain nothing on the line."""
_ENDINGS: Final = frozenset({".css", ".html", ".js", ".json", ".svg", ".txt"})
"""What shrinks; archives, fonts and pictures are packed already."""
NO_BROTLI: Final = (
    "no .br file was written: install 'askbook[brotli]', or Node, which can write them as well; .gz needs neither, and most "
    "hosts compress by themselves"
)
_BY_NODE: Final = """
const zlib = require("node:zlib"), fs = require("node:fs")
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT, BROTLI_PARAM_LGWIN } = zlib.constants
const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT, [BROTLI_PARAM_LGWIN]: 22 }
const packed = (path) => zlib.brotliCompressSync(fs.readFileSync(path), { params })
for (const path of JSON.parse(fs.readFileSync(0))) fs.writeFileSync(path + ".br", packed(path))
"""


def write_compressed(site: Path, kinds: Collection[str]) -> list[str]:
    """Write the copies that are wanted beside the assistant's large files, take away all others; return warnings."""
    files = list(_large(site))
    for path in _copies(site):
        path.unlink()
    if "gz" in kinds:
        for path in files:
            _beside(path, "gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    return [NO_BROTLI] if "br" in kinds and files and not _write_brotli(files) else []


def _folders(site: Path) -> Iterator[Path]:
    return (site / name for name in (FOLDER, INDEX_FOLDER) if (site / name).is_dir())


def _large(site: Path) -> Iterator[Path]:
    """The files worth it, in order."""
    for folder in _folders(site):
        for path in sorted(folder.rglob("*")):
            if path.suffix in _ENDINGS and path.is_file() and path.stat().st_size >= FROM_BYTES:
                yield path


def _copies(site: Path) -> list[Path]:
    """Copies of an earlier build, also of files that are gone; a stale one would be sent instead of its file."""
    return [
        path
        for folder in _folders(site)
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".br", ".gz") and Path(path.stem).suffix in _ENDINGS and path.is_file()
    ]


def _beside(path: Path, kind: str) -> Path:
    return path.with_name(f"{path.name}.{kind}")


def _write_brotli(files: Sequence[Path]) -> bool:
    """Write the `.br` copies with what there is; false where nothing can write them."""
    try:
        brotli = importlib.import_module("brotli")
    except ImportError:
        return _write_brotli_by_node(files)
    for path in files:
        content: bytes = brotli.compress(path.read_bytes(), mode=brotli.MODE_TEXT, quality=11, lgwin=22)
        _beside(path, "br").write_bytes(content)
    return True


def _write_brotli_by_node(files: Sequence[Path]) -> bool:
    node = shutil.which("node")
    if node is None:
        return False
    asked = json.dumps([os.fspath(path.resolve()) for path in files])
    return subprocess.run([node, "-e", _BY_NODE], input=asked, text=True, capture_output=True, check=False).returncode == 0
