"""Which folders are built sites, and which are shown by a script that reads their Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from askbook.builder.books import open_source

PAGES = {"README.md": "# Read\n\nText.\n", "a.md": "# A\n\nText.\n", "index.html": "<div id=app></div>", "404.html": "Gone"}


def opened(root: Path, files: dict[str, str]) -> list[str]:
    """The pages of a folder with these files."""
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return [page.path for page in open_source(root).files]


@pytest.mark.parametrize("name", ["SUMMARY.md", "_sidebar.md"])
def test_a_folder_whose_script_shows_markdown_is_no_built_site(tmp_path: Path, name: str) -> None:
    assert opened(tmp_path, {**PAGES, name: "- [A](a.md)\n"}) == ["README.md", "a.md"]


@pytest.mark.parametrize("mark", ["hashmap.json", "sitemap.xml", "404.html"])
def test_a_site_beside_copies_of_its_sources_is_read(tmp_path: Path, mark: str) -> None:
    assert opened(tmp_path, {**PAGES, mark: "{}"}) == ["index.html"]


def test_what_a_package_manager_brought_is_no_page(tmp_path: Path) -> None:
    assert opened(tmp_path, {"a.md": "# A", "app/bower_components/marked/b.md": "# B", "node_modules/c.md": "# C"}) == ["a.md"]


def test_pieces_that_other_pages_of_quarto_take_in_are_no_pages(tmp_path: Path) -> None:
    assert opened(tmp_path, {"_quarto.yml": "project: {type: website}", "a.qmd": "# A", "_b.qmd": "# B"}) == ["a.qmd"]
