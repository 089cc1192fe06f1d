"""Compressed copies beside large files: written when asked, never stale, and with a clear word where they cannot be."""

from __future__ import annotations

import gzip
import importlib
import shutil
from pathlib import Path
from types import ModuleType

import brotli
import pytest
from click.testing import CliRunner
from site_projects import Build

from askbook.site_plugin.compression import FROM_BYTES, NO_BROTLI, write_compressed
from askbook.terminal.inject import command

TEXT = b"postings list " * 1000


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with files of every kind in the assistant's folders and beside them."""
    files = {
        "assets/askbook/main.js": TEXT,
        "assets/askbook/vendor/python-1.zip.zst": TEXT,
        "assets/askbook/vendor/font.woff2": TEXT,
        "assets/askbook/site.js": TEXT[: FROM_BYTES - 1],
        "ai-index/books-a.json": TEXT + b"{}",
        "index.html": TEXT,
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


def copies(site: Path) -> list[str]:
    """Names of the compressed copies."""
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.suffix in (".br", ".gz"))


def test_large_files_that_shrink_get_copies_of_the_kinds_asked_for(site: Path) -> None:
    assert write_compressed(site, ["br", "gz"]) == []
    assert copies(site) == [
        "ai-index/books-a.json.br", "ai-index/books-a.json.gz", "assets/askbook/main.js.br", "assets/askbook/main.js.gz",
    ]  # fmt: skip
    assert gzip.decompress((site / "ai-index/books-a.json.gz").read_bytes()) == TEXT + b"{}"
    assert brotli.decompress((site / "assets/askbook/main.js.br").read_bytes()) == TEXT


def test_the_same_files_give_the_same_copies(site: Path) -> None:
    write_compressed(site, ["br", "gz"])
    before = {name: (site / name).read_bytes() for name in copies(site)}
    write_compressed(site, ["br", "gz"])
    assert {name: (site / name).read_bytes() for name in copies(site)} == before


def test_copies_that_are_not_wanted_any_more_go_away(site: Path) -> None:
    write_compressed(site, ["br", "gz"])
    (site / "ai-index/books-a.json").unlink()
    (site / "downloads").mkdir()
    (site / "downloads/own.json.gz").write_bytes(b"the author's own")
    write_compressed(site, ["gz"])
    assert copies(site) == ["assets/askbook/main.js.gz", "downloads/own.json.gz"]
    write_compressed(site, [])
    assert copies(site) == ["downloads/own.json.gz"]


def without_brotli(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the package be missing."""
    real = importlib.import_module

    def find(name: str, package: str | None = None) -> ModuleType:
        if name == "brotli":
            raise ModuleNotFoundError(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", find)


def test_node_writes_brotli_where_the_package_is_missing(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_brotli(monkeypatch)
    assert write_compressed(site, ["br"]) == []
    assert brotli.decompress((site / "ai-index/books-a.json.br").read_bytes()) == TEXT + b"{}"


def test_without_either_gzip_is_written_and_one_sentence_says_why_brotli_is_not(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_brotli(monkeypatch)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert write_compressed(site, ["br", "gz"]) == [NO_BROTLI]
    assert copies(site) == ["ai-index/books-a.json.gz", "assets/askbook/main.js.gz"]


def test_the_plugin_writes_them_only_where_an_author_asks(build_site: Build) -> None:
    assert [name for name in copies(build_site().site) if name != "sitemap.xml.gz"] == []
    project = build_site(askbook={"compress": ["gz"]})
    page = project.site / "assets/askbook/main.js"
    assert gzip.decompress(page.with_name("main.js.gz").read_bytes()) == page.read_bytes()
    assert "assets/askbook/main.js.br" not in copies(project.site)


def test_inject_writes_them_and_takes_them_away_again(tmp_path: Path) -> None:
    site = tmp_path / "topology"
    site.mkdir()
    (site / "index.html").write_text(f"<html lang=en><body><main><h1>One</h1><p>{TEXT.decode()}</p></main></body></html>")
    assert CliRunner().invoke(command, [str(site), "--compress", "gz"]).exit_code == 0
    script = site / "assets/askbook/main.js"
    assert gzip.decompress(script.with_name("main.js.gz").read_bytes()) == script.read_bytes()
    assert CliRunner().invoke(command, [str(site)]).exit_code == 0
    assert copies(site) == []
