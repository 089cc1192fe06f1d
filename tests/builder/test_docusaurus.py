"""Addresses that Docusaurus gives to pages, as its own build of them did."""

from __future__ import annotations

from pathlib import Path

import pytest

from askbook.builder.docusaurus import page_url, place_in_name
from askbook.builder.files import head_of


@pytest.mark.parametrize(
    ("path", "head", "url"),
    [
        ("intro.mdx", "---\nslug: /\ntitle: x\n---\n", ""),
        ("2-two.md", "---\nsidebar_position: 2\n---\n# Two\n", "two/"),
        ("02-第二章/theorem.md", "# 定理章\n", "%E7%AC%AC%E4%BA%8C%E7%AB%A0/theorem/"),
        ("10-ten/ten.md", "", "ten/ten/"),
        ("guide/index.md", "", "guide/"),
        ("guide/README.mdx", "", "guide/"),
        ("guide/guide.md", "", "guide/"),
        ("guide/a.md", "---\nid: other\n---\n", "guide/other/"),
        ("guide/a.md", '---\nslug: "deep/own"  # here\n---\n', "guide/deep/own/"),
        ("guide/a.md", "---\nslug: ../up\n---\n", "up/"),
        ("2024-01-note.md", "", "2024-01-note/"),
        ("7.0-notes.md", "", "7.0-notes/"),
        ("a.md", "text\n---\nslug: no\n---\n", "a/"),
    ],
)
def test_a_page_has_the_address_its_site_gives_it(path: str, head: str, url: str) -> None:
    assert page_url(path, head) == url


def test_the_figure_before_a_name_is_its_place() -> None:
    assert [place_in_name(path) for path in ("a/02-x.md", "10. y.mdx", "x.md", "2024-01-x.md")] == [2.0, 10.0, None, None]


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("words", [10, 1_000, 100_000])
def test_what_a_page_says_of_its_address_may_stand_below_much_else(tmp_path: Path, words: int, mark: str) -> None:
    page = tmp_path / "a.md"
    page.write_text(f"{mark}---\ndescription: {'word ' * words}\nslug: /own\n---\n\n# A\n", encoding="utf-8")
    assert page_url("a.md", head_of(page)) == "own/"


def test_of_a_page_without_front_matter_only_the_start_is_read(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("word " * 10_000, encoding="utf-8")
    assert len(head_of(page)) < 5_000
