"""A cache gives back what was put in, and nothing when anything is different."""

from __future__ import annotations

from pathlib import Path

import pytest

from askbook.builder.blocks import Problem
from askbook.builder.cache import Entry, PageCache
from askbook.builder.chunkers.markdown import chunk
from askbook.builder.drafts import CutOptions
from askbook.builder.pagecut import cut_page

SOURCE = '# 图\n\n文字。\n\n!!! note "T"\n\n    ' + "一句话。" * 300


@pytest.fixture
def entry() -> Entry:
    page, _ = chunk(SOURCE, url="a/", file="a.md")
    return cut_page(page, CutOptions()), (Problem("a.md", 3, "odd"),)


def test_an_entry_comes_back_as_it_was(entry: Entry, tmp_path: Path) -> None:
    first = PageCache(tmp_path, "x", "settings")
    first.put("a.md", "digest", entry)
    first.save({"key": 1})
    second = PageCache(tmp_path, "x", "settings")
    assert (second.get("a.md", "digest"), second.notes) == (entry, {"key": 1})
    assert second.get("a.md", "other") is None
    assert PageCache(tmp_path, "x", "other settings").get("a.md", "digest") is None


@pytest.mark.parametrize("damage", [b"", b"garbage", b"askbook-pages/1\n" + b"x" * 64])
def test_a_damaged_cache_is_none(entry: Entry, damage: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.pages").write_bytes(damage)
    assert PageCache(tmp_path, "x", "settings").get("a.md", "digest") is None


def test_a_cut_off_cache_is_none(entry: Entry, tmp_path: Path) -> None:
    first = PageCache(tmp_path, "x", "settings")
    first.put("a.md", "digest", entry)
    first.save({})
    (tmp_path / "x.pages").write_bytes((tmp_path / "x.pages").read_bytes()[:-3])
    assert PageCache(tmp_path, "x", "settings").get("a.md", "digest") is None


def test_a_folder_that_cannot_be_written_to_is_no_error(entry: Entry, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = PageCache(tmp_path / "file", "x", "settings")
    cache.put("a.md", "digest", entry)
    cache.save({})
    assert not (tmp_path / "file").is_dir()
