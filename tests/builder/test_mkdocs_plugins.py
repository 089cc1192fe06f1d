"""Addresses of translated sites and of blogs are those of the sites that the plugins themselves build."""

from __future__ import annotations

from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from askbook.builder.blocks import NavEntry
from askbook.builder.books import open_source
from askbook.builder.sites import is_page

LANGUAGES = [
    {"locale": "zh", "default": True, "name": "中文"},
    {"locale": "en", "name": "English", "nav_translations": {"开始": "Start"}},
    {"locale": "fr", "name": "Français", "build": False},
]
NAV = [{"开始": "index.md"}, {"章": ["a/one.md", {"二": "a/b.two.md"}]}]


def project(folder: Path, settings: dict[str, object], pages: dict[str, str]) -> Path:
    for name, text in pages.items():
        file = folder / "docs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    import yaml

    (folder / "mkdocs.yml").write_text(yaml.safe_dump({"site_name": "X", "theme": "material", **settings}), encoding="utf-8")
    return folder


def addresses(folder: Path) -> tuple[dict[str, str], set[str]]:
    """Those of the source, and those of the site that MkDocs builds of it."""
    build(load_config(str(folder / "mkdocs.yml")))
    site = folder / "site"
    paths = (path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    built = {path.removesuffix("index.html") for path in paths if is_page(path)}
    return {page.path: page.url for page in open_source(folder).files}, built


@pytest.mark.parametrize("directory_urls", [True, False])
def test_pages_whose_names_end_in_a_language_have_the_address_of_their_translation(tmp_path: Path, directory_urls: bool) -> None:
    names = ["index.zh.md", "index.en.md", "a/one.md", "a/one.en.md", "a/b.two.md", "a/one.fr.md", "x.js.md"]
    settings = {
        "plugins": [{"i18n": {"languages": LANGUAGES, "fallback_to_default": False}}],
        "nav": NAV,
        "use_directory_urls": directory_urls,
    }
    found, built = addresses(project(tmp_path, settings, dict.fromkeys(names, "# T\n")))
    end = "/" if directory_urls else ".html"
    home = "" if directory_urls else "index.html"
    assert found == {
        "index.zh.md": home, "index.en.md": f"en/{home}", "a/one.md": f"a/one{end}", "a/one.en.md": f"en/a/one{end}",
        "a/b.two.md": f"a/b.two{end}",
    }  # fmt: skip
    assert {url.removesuffix("index.html") for url in found.values()} <= built
    assert open_source(tmp_path).nav == (
        NavEntry("开始", home),
        NavEntry("章", "", (NavEntry("", f"a/one{end}"), NavEntry("二", f"a/b.two{end}"))),
        NavEntry("English", "", (NavEntry("Start", f"en/{home}"), NavEntry("章", "", (NavEntry("", f"en/a/one{end}"),)))),
    )
    assert open_source(tmp_path).problems == ()


def test_folders_of_languages_have_the_addresses_of_their_translations(tmp_path: Path) -> None:
    names = ["zh/index.md", "en/index.md", "zh/a/one.md", "en/a/one.md", "fr/a/one.md"]
    settings = {
        "plugins": [{"i18n": {"languages": LANGUAGES, "docs_structure": "folder"}}],
        "nav": [{"开始": "index.md"}, "a/one.md"],
    }
    found, built = addresses(project(tmp_path, settings, dict.fromkeys(names, "# T\n")))
    assert found == {"zh/index.md": "", "en/index.md": "en/", "zh/a/one.md": "a/one/", "en/a/one.md": "en/a/one/"}
    assert set(found.values()) <= built
    assert open_source(tmp_path).nav[2] == NavEntry("English", "", (NavEntry("Start", "en/"), NavEntry("", "en/a/one/")))


@pytest.mark.parametrize(
    ("told", "form"),
    [
        ({}, "blog/2024/01/31/{}/"),
        ({"blog_dir": "news", "post_dir": "{blog}/p", "post_url_date_format": "d.M.yy"}, "news/31.1.24/{}/"),
        ({"post_url_date_format": "yyyyMMdd"}, "blog/20240131/{}/"),
        ({"post_url_format": "{categories}/{file}-{slug}"}, "blog/big-things/{}/"),
    ],
)
def test_posts_of_a_blog_have_addresses_of_their_date_and_title(tmp_path: Path, told: dict[str, object], form: str) -> None:
    folder = str(told.get("post_dir", "{blog}/posts")).replace("{blog}", str(told.get("blog_dir", "blog")))
    head = "---\ndate: 2024-01-31\ncategories: [Big Things, B]\n"
    pages = {
        "index.md": "# Home\n",
        f"{told.get('blog_dir', 'blog')}/index.md": "# Blog\n",
        f"{folder}/first.md": f"{head}---\n\n# A *first* Post\n\nText.\n",
        f"{folder}/second.md": f"{head}slug: own\n---\n\nText.\n",
        f"{folder}/third.md": "---\ndate:\n  created: 2024-01-31\ncategories: [Big Things]\n---\n\nText.\n",
        f"{folder}/draft.md": f"{head}draft: true\n---\n\n# D\n",
    }
    found, built = addresses(project(tmp_path, {"plugins": [{"blog": told}]}, pages))
    stems = {"first": "a-first-post", "second": "own", "third": "third"}
    files = "{file}" in str(told.get("post_url_format", ""))
    assert {path: url for path, url in found.items() if path.startswith(folder)} == {
        f"{folder}/{name}.md": form.format(f"{name}-{slug}" if files else slug) for name, slug in stems.items()
    }
    assert set(found.values()) <= built


@pytest.mark.parametrize(
    ("told", "slug"),
    [
        ({"post_url_format": "{slug.x}"}, "a"),
        ({"post_url_format": "{slug:>99999999999}"}, "a"),
        ({"post_url_format": "{slug}{"}, "a"),
        ({"post_url_date_format": "MMMM/yyyy"}, "a"),
        ({"post_url_date_format": "yyyy 'at' M"}, "a"),
        ({}, "../../../../evil"),
        ({}, "../../../.."),
    ],
)
def test_a_post_keeps_its_own_address_where_that_of_the_site_cannot_be_told(tmp_path: Path, told: object, slug: str) -> None:
    post = f"---\ndate: 2024-01-31\nslug: {slug}\n---\n\n# A\n"
    folder = project(tmp_path, {"plugins": [{"blog": told}]}, {"index.md": "# T\n", "blog/posts/a.md": post})
    assert {page.path: page.url for page in open_source(folder).files} == {"index.md": "", "blog/posts/a.md": "blog/posts/a/"}


@pytest.mark.parametrize("odd", [5, "x", None, [5], [{"locale": 5}], {"a": 1}])
def test_plugins_told_odd_things_change_no_address(tmp_path: Path, odd: object) -> None:
    settings = {"plugins": [{"i18n": {"languages": odd}}, {"blog": {"post_url_format": odd, "blog_dir": odd}}, odd]}
    folder = project(tmp_path, settings, {"index.md": "# T\n", "a.en.md": "# T\n"})
    assert {page.path: page.url for page in open_source(folder).files} == {"index.md": "", "a.en.md": "a.en/"}


@pytest.mark.parametrize(
    "entry", ["'!include ./other/mkdocs.yml'", "'*include ./all/*/mkdocs.yml'", "!include ./other/mkdocs.yml"]
)
def test_a_project_that_mkdocs_monorepo_takes_in_is_named(tmp_path: Path, entry: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# A\n", encoding="utf-8")
    settings = f"site_name: X\nnav:\n  - index.md\n  - Other: {entry}\n  - {entry}\n"
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    problems = open_source(tmp_path).problems
    assert [(problem.line, problem.fatal) for problem in problems] == [(4, False), (4, False)]
    assert "mkdocs.yml' takes in another project, whose pages are not read" in problems[0].message
