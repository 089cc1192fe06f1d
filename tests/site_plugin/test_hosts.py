"""The other hosts of the plugin: ProperDocs, a translation plugin, a server that rebuilds."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from mkdocs.config import load_config
from site_projects import PAGES, Build, Project, made_here, write_project

from askbook.site_plugin.plugin import AskbookPlugin


def run(*arguments: str, folder: Path) -> str:
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "1700000000"}
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.skipif(find_spec("properdocs") is None, reason="properdocs is not installed")
def test_properdocs_gives_the_same_index_and_client(tmp_path: Path) -> None:
    write_project(tmp_path, PAGES, {"cache": ""}, {"theme": "material"})
    run("mkdocs", "build", "-q", "-d", "mk", folder=tmp_path)
    run("properdocs", "build", "-q", "-f", "mkdocs.yml", "-d", "pd", folder=tmp_path)
    ours, theirs = (
        {name: data for name, data in made_here(tmp_path / site).items() if name.startswith(("ai-index/", "assets/askbook/"))}
        for site in ("mk", "pd")
    )
    assert {"ai-index/books-topology.json", "assets/askbook/site.js"} <= ours.keys()
    assert theirs == ours
    assert (tmp_path / "pd/assets/askbook/main.js").is_file()


@pytest.mark.skipif(find_spec("mkdocs_static_i18n") is None, reason="mkdocs-static-i18n is not installed")
def test_every_language_of_a_translated_site_has_its_book(build_site: Build) -> None:
    languages = [
        {"locale": "en", "default": True, "name": "English", "build": True},
        {"locale": "zh", "name": "中文", "build": True, "site_name": "拓扑"},
    ]
    pages = {"en/index.md": "# Words\n\nSome words.\n", "zh/index.md": "# 词\n\n一些词。\n", "zh/b.md": "# 二\n\n第二。\n"}
    plugins = ["search", {"i18n": {"docs_structure": "folder", "languages": languages}}]
    for _ in ("made", "from the cache"):
        project = build_site(pages, plugins=plugins, theme="material")
        assert sorted((book["book"], book["title"], book["lang"]) for book in project.books()) == [
            ("topology", "Topology", "en"),
            ("topology-zh", "拓扑", "zh-Hans"),
        ]
        assert project.page("zh/b/index.html").count('src="../../assets/askbook/main.js"') == 1


def test_a_server_makes_anew_only_what_changed(tmp_path: Path) -> None:
    write_project(tmp_path, PAGES, {}, {})
    config = load_config(str(tmp_path / "mkdocs.yml"))
    plugin = config.plugins["askbook"]
    assert isinstance(plugin, AskbookPlugin)
    project = Project(tmp_path, [])

    def rebuild() -> dict[str, object]:
        from mkdocs.commands.build import build

        build(config)
        assert plugin._build is not None
        return {file: id(work._cut) for pages, _ in plugin._build._passes.values() for file, work in pages.works.items()}

    config.plugins.on_startup(command="serve", dirty=False)
    first = rebuild()
    (tmp_path / "docs/index.md").write_text("# Compactness\n\nAnother look.\n", encoding="utf-8")
    second = rebuild()
    assert {file for file in first if first[file] != second[file]} == {"index.md"}
    assert project.books()[0]["cards"] == 3
    (tmp_path / "docs/index.md").write_text("---\nauthor: A. Author\n---\n# Compactness\n\nAnother look.\n", encoding="utf-8")
    third = rebuild()
    assert {file for file in first if second[file] != third[file]} == {"index.md"}
    assert project.index()["authors"] == ["A. Author"]
