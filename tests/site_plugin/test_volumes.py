"""Which books a project is: the whole of it, one a language pass, or one for each folder the author names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mkdocs.config.defaults import MkDocsConfig

from askbook.builder.blocks import NavEntry
from askbook.core.errors import BookError
from askbook.site_plugin.books import Volume
from askbook.site_plugin.config import AskbookConfig
from askbook.site_plugin.volumes import folder_of, volumes_of, within


def volumes(tmp_path: Path, language: str = "", **options: Any) -> dict[str, Volume]:
    """The books of a project with these options of the plugin."""
    (tmp_path / "docs").mkdir(exist_ok=True)
    site = MkDocsConfig(config_file_path=str(tmp_path / "mkdocs.yml"))
    site.load_dict({"site_name": "Two Words", "docs_dir": str(tmp_path / "docs"), "theme": "mkdocs", "site_author": "A. Author"})
    assert site.validate()[0] == []
    plugin: AskbookConfig = AskbookConfig()
    plugin.load_dict(options)
    assert plugin.validate()[0] == []
    return volumes_of(plugin, site, language)


def test_a_project_is_one_book(tmp_path: Path) -> None:
    assert volumes(tmp_path) == {"": Volume("books", "two-words", "Two Words", "en", ("A. Author",))}


def test_a_language_pass_has_a_book_of_its_own(tmp_path: Path) -> None:
    assert volumes(tmp_path, "zh", book="x", title="X") == {"": Volume("books", "x-zh", "X", "zh", ("A. Author",))}


def test_folders_are_books(tmp_path: Path) -> None:
    given = [{"folder": "en/", "book": "ranking-en", "title": "Ranking", "lang": "en"}, {"folder": "zh"}]
    assert volumes(tmp_path, col="shelf", books=given) == {
        "en": Volume("shelf", "ranking-en", "Ranking", "en", ("A. Author",), "en"),
        "zh": Volume("shelf", "zh", "Two Words", "", ("A. Author",), "zh"),
    }


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"col": "my-books"}, "'col'"),
        ({"book": "My Book"}, "'book'"),
        ({"books": [{"folder": "/"}]}, "'/'"),
        ({"books": [{"folder": "a"}, {"folder": "a/"}]}, "'a/'"),
        ({"books": [{"folder": "a", "book": "x"}, {"folder": "b", "book": "x"}]}, "same slug"),
        ({"books": [{"folder": "a", "book": "Ä"}]}, "'Ä'"),
    ],
)
def test_what_cannot_be_is_refused_by_name(tmp_path: Path, options: dict[str, Any], told: str) -> None:
    with pytest.raises(BookError, match=told):
        volumes(tmp_path, **options)


@pytest.mark.parametrize(
    ("path", "folder"),
    [("zh/1.md", "zh"), ("zh/appendix/1.md", "zh/appendix"), ("zhang/1.md", None), ("index.md", None)],
)
def test_a_page_belongs_to_the_deepest_folder(path: str, folder: str | None) -> None:
    volume = Volume("books", "x", "X", "")
    assert folder_of(path, {"zh": volume, "zh/appendix": volume}) == folder


def test_every_page_belongs_to_the_whole() -> None:
    assert folder_of("index.md", {"": Volume("books", "x", "X", "")}) == ""


def test_the_navigation_of_a_book_is_what_leads_to_its_pages() -> None:
    one, two, other = NavEntry("One", "en/1/"), NavEntry("Two", "en/2/"), NavEntry("其他", "zh/1/")
    entries = (NavEntry("Home", ""), NavEntry("English", children=(one, NavEntry("More", children=(two, other)))))
    assert within(entries, {"en/1/", "en/2/"}) == (one, NavEntry("More", children=(two,)))


def test_a_lone_group_around_a_book_is_no_chapter() -> None:
    chapters = (NavEntry("1", "zh/1/"), NavEntry("2", "zh/2/"))
    assert within((NavEntry("Books", children=(NavEntry("中文", children=chapters),)),), {"zh/1/", "zh/2/"}) == chapters
