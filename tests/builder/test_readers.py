"""What was kept from a build with other packages is made anew."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest

from askbook.builder import cache, readers
from askbook.builder.cache import PageCache
from askbook.builder.chunkers.markdown import chunk
from askbook.builder.drafts import CutOptions
from askbook.builder.pagecut import cut_page
from askbook.core import schema
from askbook.site_plugin.stamp import code_stamp

NO_READERS = {"numpy", "orjson", "pathspec"}
"""They compute, write and find files: the same in every version."""


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Versions that can be set; asked for anew as by another process."""
    versions = dict.fromkeys(readers.READERS, "1.0")
    monkeypatch.setattr(readers, "version_of", lambda package: versions[package])
    for known in (readers.readers, cache.code_signature):
        known.cache_clear()
    yield versions
    for known in (readers.readers, cache.code_signature):
        known.cache_clear()


def restarted() -> None:
    """Forget what a process asks once."""
    readers.readers.cache_clear()
    cache.code_signature.cache_clear()


def test_versions_are_those_that_are_installed() -> None:
    assert [readers.version_of(package) for package in readers.READERS] == [*map(version, readers.READERS)]
    assert readers.version_of("no-such-package") == "0"


@pytest.mark.parametrize("package", readers.READERS)
def test_a_page_is_read_again_after_an_upgrade(package: str, installed: dict[str, str], tmp_path: Path) -> None:
    page, _ = chunk("# A\n\nText.", url="a/", file="a.md")
    first = PageCache(tmp_path, "x", "settings")
    first.put("a.md", "digest", (cut_page(page, CutOptions()), ()))
    first.save({})
    stamp = code_stamp()
    restarted()
    assert PageCache(tmp_path, "x", "settings").knows("a.md", "digest")
    assert code_stamp() == stamp
    installed[package] = "1.1"
    restarted()
    assert not PageCache(tmp_path, "x", "settings").knows("a.md", "digest")
    assert code_stamp() != stamp


def test_no_package_that_reads_is_forgotten() -> None:
    folders = [Path(readers.__file__).parent, Path(schema.__file__).parent]
    imported = {name for folder in folders for file in folder.rglob("*.py") for name in top_names(file)}
    given = packages_distributions()
    packages = {package.lower() for name in imported - sys.stdlib_module_names for package in given.get(name, ())}
    assert packages - {"askbook"} - NO_READERS - {"click"} == set(readers.READERS)


def top_names(file: Path) -> Iterator[str]:
    """Packages that a module imports."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
