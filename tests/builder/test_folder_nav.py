"""Files in the folders of a MkDocs project give the reading order, where one of the plugins that read them is on."""

from __future__ import annotations

from pathlib import Path

import pytest

from askbook.builder.blocks import NavEntry
from askbook.builder.books import open_source

PAGES = (
    "index.md",
    "z.md",
    "a10.md",
    "a9.md",
    "guides/index.md",
    "guides/two.md",
    "guides/one.md",
    "guides/deep/x.md",
    "end/y.md",
)

Shown = list[object]


def shown(entries: tuple[NavEntry, ...]) -> Shown:
    """Addresses, groups as a title and what is in them."""
    return [(entry.title, shown(entry.children)) if entry.children else entry.title or entry.page for entry in entries]


def order(folder: Path, plugin: str, files: dict[str, str]) -> Shown:
    texts = dict.fromkeys(PAGES, "# T\n") | files
    for name, text in texts.items():
        file = folder / "docs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (folder / "mkdocs.yml").write_text(f"site_name: X\nplugins:\n  - search\n  - {plugin}\n", encoding="utf-8")
    return shown(open_source(folder).nav)


GUIDES = ["guides/", "guides/one/", "guides/two/", ("Deep", ["guides/deep/x/"])]
REST = ["a9/", "a10/", "z/", ("End", ["end/y/"])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["", *REST[:3], ("End", ["end/y/"]), ("Guides", GUIDES)]),
        ("nav: [z.md, '*']", ["z/", "", "a9/", "a10/", ("End", ["end/y/"]), ("Guides", GUIDES)]),
        ("nav: [guides, {First: index.md}, {More: [a9.md, '*.md', {Out: 'https://a.b'}]}]", [
            ("Guides", GUIDES), "First", ("More", ["a9/", "a10/", "z/"]),
        ]),
        ("sort: {direction: desc}", [("Guides", GUIDES), ("End", ["end/y/"]), "z/", "a10/", "a9/", ""]),
        ("nav: ['*/', gone.md, 5, null]", [("End", ["end/y/"]), ("Guides", GUIDES)]),
        ("nav: 5", ["", *REST[:3], ("End", ["end/y/"]), ("Guides", GUIDES)]),
    ],
)  # fmt: skip
def test_settings_of_folders_are_followed(tmp_path: Path, text: str, expected: Shown) -> None:
    assert order(tmp_path, "awesome-nav", {".nav.yml": text}) == expected


def test_a_folder_is_called_as_it_says_and_may_be_hidden(tmp_path: Path) -> None:
    files = {
        ".pages": "nav:\n  - z.md\n  - ...\n  - end\n",
        "guides/.pages": "title: The Guides\norder: desc\n",
        "end/.pages": "hide: true\n",
    }
    guides = [("Deep", ["guides/deep/x/"]), "guides/two/", "guides/one/", "guides/"]
    assert order(tmp_path, "awesome-pages", files) == ["z/", "", "a9/", "a10/", ("The Guides", guides)]


ONE, TWO, HOME, DEEP = "guides/one/", "guides/two/", "guides/", "guides/deep/x/"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nav: [z.md, '... | a*.md', ...]", ["z/", "a9/", "a10/", "", ("End", ["end/y/"]), ("Guides", GUIDES)]),
        ("nav: ['... | regex=^a1|^z', '...|glob=*9.md']", ["a10/", "z/", "a9/"]),
        ("nav: ['... | flat | guides/**', '... | flat']", [HOME, ONE, TWO, DEEP, "", "a9/", "a10/", "z/", "end/y/"]),
        ("nav: ['... | flat | regex=e/|y']", ["end/y/"]),
        ("nav: ['... | flat | *.md', end]", ["", "a9/", "a10/", "z/", ("End", ["end/y/"])]),
        ("nav: [end, 'guides/t*.md', 'guides/*']", [("End", ["end/y/"]), TWO, HOME, ONE, ("Deep", [DEEP])]),
        ("nav: ['**/[!a-nz].md', {glob: 'a?.md', sort: {}}, {glob: index.md}]", ["end/y/", DEEP, "a9/", ""]),
        ("nav: ['**/x.md', '*/one.md', '[za]*.md']", [DEEP, ONE, "a9/", "a10/", "z/"]),
        ("nav: ['guides/*/', ./z*]", [("Deep", [DEEP]), "z/"]),
    ],
)
def test_patterns_take_what_they_find_in_the_folder_or_below_it(tmp_path: Path, text: str, expected: Shown) -> None:
    assert order(tmp_path, "awesome-pages", {".pages": text}) == expected
    assert open_source(tmp_path).problems == ()


@pytest.mark.parametrize("target", ["... | regex=(", "...x", "!(a).md*", "[z-a].md"])
def test_a_pattern_that_is_not_understood_is_named(tmp_path: Path, target: str) -> None:
    assert order(tmp_path, "awesome-nav", {"end/.nav.yml": f"nav: ['{target}', y.md]", ".nav.yml": "nav: [end]"}) == [
        ("End", ["end/y/"])
    ]
    (problem,) = open_source(tmp_path).problems
    assert (problem.file, problem.fatal, target in problem.message) == ("end/.nav.yml", False, True)


@pytest.mark.parametrize("target", [".", "..", "../guides", "../end"])
def test_a_folder_takes_no_folder_but_those_in_it(tmp_path: Path, target: str) -> None:
    files = {".nav.yml": "nav: [guides, z.md]", "guides/.nav.yml": f"nav: [{target}, two.md]", "end/.nav.yml": "nav: [../guides]"}
    assert order(tmp_path, "awesome-nav", files) == [("Guides", [TWO]), "z/"]
    (problem,) = open_source(tmp_path).problems
    assert (problem.file, problem.fatal, target in problem.message) == ("guides/.nav.yml", False, True)


def test_settings_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    order(tmp_path, "awesome-pages", {"guides/.pages": "nav: [\n"})
    (problem,) = open_source(tmp_path).problems
    assert (problem.file, problem.line, problem.fatal) == ("guides/.pages", 2, True)


def test_a_list_of_links_may_lead_to_folders_with_lists_of_their_own(tmp_path: Path) -> None:
    files = {
        "SUMMARY.md": "* [Start](index.md)\n* [Guides](guides/)\n* [The End](end/)\n* More\n    * [Z](z.md)\n",
        "guides/SUMMARY.md": "- [Two](two.md)\n- [Deep](deep/)\n- [One](one.md)\n- [Up](./)\n",
    }
    guides = ["Two", ("Deep", ["guides/deep/x/"]), "One"]
    assert order(tmp_path, "literate-nav", files) == ["Start", ("Guides", guides), ("The End", ["end/y/"]), ("More", ["Z"])]


def test_without_such_a_plugin_the_files_say_nothing(tmp_path: Path) -> None:
    assert order(tmp_path, "tags", {".pages": "nav: [z.md]", ".nav.yml": "nav: [z.md]", "SUMMARY.md": "* [Z](z.md)\n"}) == []
