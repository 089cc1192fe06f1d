"""The plugin, on sites that are really built."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from site_projects import PAGES, Build, Project, StoppedError

from askbook.builder.verify import FolderSite, page_ids, verify
from askbook.core.index import Index, load
from askbook.site_plugin.config import AskbookConfig, BookConfig, PolicyConfig
from askbook.site_plugin.policy import source_hash
from askbook.terminal.inject import command

ENTRY = '<script type="module" src="{root}assets/askbook/main.js"></script>'


def opened(project: Project, name: str = "books-topology") -> Index:
    folder = project.site / "ai-index"
    sides = {path.name: path.read_bytes() for path in folder.glob("*.json")}
    return load((folder / f"{name}.json").read_bytes(), sides)


def test_a_build_puts_index_client_and_one_script_into_the_site(build_site: Build) -> None:
    project = build_site()
    assert [(book["col"], book["book"], book["title"], book["lang"]) for book in project.books()] == [
        ("books", "topology", "Topology", "en")
    ]
    assert project.page().count(ENTRY.format(root="")) == 1
    assert project.page("proofs/index.html").count(ENTRY.format(root="../")) == 1
    assert (project.site / "assets/askbook/main.js").is_file()
    assert project.site_script()["root"] == "../../"
    hash_ = json.loads((project.site / "ai-index/books-topology.json").read_text(encoding="utf-8"))["hash"]
    index = "ai-index/books-topology.json"
    assert project.site_script()["books"] == [
        {"col": "books", "book": "topology", "title": "Topology", "lang": "en", "index": index, "hash": hash_}
    ]


def test_every_card_and_paragraph_has_an_address_that_exists(build_site: Build) -> None:
    project = build_site()
    index = opened(project)
    cards = [index.card(ordinal) for ordinal in range(len(index))]
    assert [(card.kind, card.title) for card in cards] == [
        ("section", "Compactness"),
        ("section", "Covers"),
        ("theorem", "Theorem 3.2 (Heine–Borel)"),
        ("section", "Proofs"),
    ]
    assert all(paragraph.anchor for card in cards for paragraph in card.paragraphs)
    assert verify(cards, FolderSite(project.site)) == ()


def test_ids_are_the_only_thing_that_changes_in_the_text(build_site: Build, tmp_path: Path) -> None:
    with_it = build_site().page("proofs/index.html")
    without = build_site(askbook=None).page("proofs/index.html")
    added = re.compile(r' id="ask-[0-9a-f]{8}(?:-\d+)?"')
    assert added.search(with_it)
    assert added.sub("", with_it).replace(ENTRY.format(root="../") + "\n", "") == without


def test_ids_stay_when_other_paragraphs_come_and_go(build_site: Build) -> None:
    before = page_ids(build_site().page())
    pages = PAGES | {"index.md": PAGES["index.md"].replace("A first look.", "A new one.\n\nA first look.")}
    assert before < page_ids(build_site(pages).page())


@pytest.mark.parametrize("off", [{"enabled": False}, None])
def test_off_means_not_one_byte(build_site: Build, tmp_path: Path, off: dict[str, object] | None) -> None:
    if off is None:
        (tmp_path / "features.toml").write_text("[assistant]\nenabled = false\n", encoding="utf-8")
    switched_off = build_site(askbook=off or {}).files()
    bare = build_site(askbook=None).files()
    assert switched_off == bare


def test_addresses_follow_the_settings_of_the_site(build_site: Build) -> None:
    project = build_site(
        {"index.md": "# 引言\n\n甲\n\n## 结论\n\n乙\n\n## 结论\n\n丙\n", "a/b.md": "# 深\n\n丁\n"},
        use_directory_urls=False,
        markdown_extensions=[{"toc": {"separator": "_"}}],
    )
    index = opened(project)
    assert [index.card(ordinal).url for ordinal in range(len(index))] == [
        "index.html#_1",
        "index.html#_2",
        "index.html#_3",
        "a/b.html#_1",
    ]
    assert project.page("a/b.html").count(ENTRY.format(root="../")) == 1
    assert project.books()[0]["lang"] == "zh-Hans"


def test_reading_order_is_natural_without_a_navigation_and_the_navigation_s_with_one(build_site: Build) -> None:
    pages = {"ch1.md": "# One\n\na\n", "ch2.md": "# Two\n\nb\n", "ch10.md": "# Ten\n\nc\n"}
    index = opened(build_site(pages))
    assert [index.card(ordinal).title for ordinal in range(len(index))] == ["One", "Two", "Ten"]
    index = opened(build_site(pages, nav=[{"Last first": "ch10.md"}, "ch1.md"]))
    assert [index.card(ordinal).title for ordinal in range(len(index))] == ["Ten", "One", "Two"]


def test_a_page_can_stay_out(build_site: Build) -> None:
    pages = PAGES | {"draft.md": "---\naskbook: false\n---\n# Draft\n\nNot yet.\n", "old/x.md": "# Old\n\nGone.\n"}
    project = build_site(pages, askbook={"exclude": ["old/*"]})
    index = opened(project)
    assert {index.card(ordinal).title for ordinal in range(len(index))}.isdisjoint({"Draft", "Old"})
    assert "askbook" not in project.page("draft/index.html")
    assert "assets/askbook/main.js" in project.page("old/x/index.html")


def test_the_page_for_wrong_addresses_has_absolute_ones(build_site: Build) -> None:
    project = build_site(site_url="https://example.org/books/x/")
    assert ENTRY.format(root="/books/x/") in project.page("404.html")


def test_a_second_build_gives_the_same_bytes_from_the_cache(build_site: Build, tmp_path: Path) -> None:
    first = build_site().made()
    assert (tmp_path / ".cache/askbook/index/books-topology.json").is_file()
    assert build_site().made() == first
    assert build_site(askbook={"cache": ""}).made() == first


def test_a_changed_page_changes_the_index(build_site: Build) -> None:
    before = build_site().index()["hash"]
    after = build_site(PAGES | {"proofs.md": "# Proofs\n\nNone.\n"}).index()["hash"]
    assert before != after
    assert build_site().index()["hash"] == before


def test_a_dirty_build_keeps_the_pages_it_does_not_build(build_site: Build, tmp_path: Path) -> None:
    build_site()
    (tmp_path / "docs/index.md").write_text("# Compactness\n\nChanged.\n", encoding="utf-8")
    project = build_site({}, dirty=True)
    index = opened(project)
    assert [index.card(ordinal).title for ordinal in range(len(index))] == ["Compactness", "Theorem 3.2 (Heine–Borel)", "Proofs"]


def test_a_misspelt_switch_stops_the_build_and_names_the_right_one(build_site: Build, tmp_path: Path) -> None:
    (tmp_path / "features.toml").write_text("[outputs]\nllm_txt = true\n", encoding="utf-8")
    with pytest.raises(StoppedError, match=r"features\.toml:2: no switch 'outputs\.llm_txt'; did you mean outputs\.llms_txt\?"):
        build_site()


def test_a_misspelt_option_is_named_and_fails_a_strict_build(build_site: Build) -> None:
    with pytest.raises(StoppedError):
        build_site(askbook={"runtimes": "vendored"}, strict=True)


@pytest.mark.parametrize(
    ("pages", "said"),
    [
        ({"index.md": "# A\n\ntext\n", "n.md": "---\ntitle: N\n---\n# N\n\na\0b\n"}, "n.md:6: holds null bytes"),
        ({"index.md": "![a](https://example.org/a.png)\n"}, "has text, so there is nothing to ask"),
    ],
)
def test_what_an_author_can_mend_fails_a_strict_build(build_site: Build, pages: dict[str, str], said: str) -> None:
    assert [message for message in build_site(pages).messages if said in message]
    with pytest.raises(StoppedError):
        build_site(pages, strict=True)


def test_a_strict_build_of_a_sound_project_passes(build_site: Build) -> None:
    vendored = [message for message in build_site(strict=False).messages if "runtime" not in message]
    assert vendored == []


def test_a_key_in_the_options_is_refused(build_site: Build) -> None:
    with pytest.raises(StoppedError, match="looks like a key"):
        build_site(askbook={"endpoint": "sk-0123456789abcdef0123456789"})


def test_outputs_stand_where_readers_look_for_them(build_site: Build, tmp_path: Path) -> None:
    (tmp_path / "features.toml").write_text(
        "[outputs]\nllms_txt = true\nllms_full_txt = true\nmcp_json = true\n", encoding="utf-8"
    )
    project = build_site(site_url="https://example.org/books/")
    files = project.files()
    assert b"- [Compactness](https://example.org/books/#compactness)" in files["llms.txt"]
    assert b"Source: https://example.org/books/#covers" in files["llms-full.txt"]
    assert {"ai-index/book.json", "ai-index/mcp.json"} <= files.keys()


def test_a_policy_allows_what_the_page_runs_and_nothing_else(build_site: Build) -> None:
    page = build_site(askbook={"policy": {"enabled": True, "connect": ["https://api.example.org"]}}).page()
    found = re.search(r'<meta http-equiv="Content-Security-Policy" data-askbook content="([^"]*)">', page)
    assert found
    policy = dict(part.split(" ", 1) for part in found[1].split("; "))
    assert policy["connect-src"] == "'self' https://api.example.org"
    assert policy["script-src"].startswith("'self' 'wasm-unsafe-eval' 'sha256-")
    assert policy["object-src"] == "'none'"


def test_several_books_in_one_project(build_site: Build) -> None:
    pages = {"index.md": "# Home\n\nHello.\n", "en/a.md": "# Word\n\nA word.\n", "zh/a.md": "# 词\n\n一个词。\n"}
    project = build_site(pages, askbook={"books": [{"folder": "en"}, {"folder": "zh", "lang": "zh-Hans"}]})
    assert [(book["book"], book["lang"], book["cards"]) for book in project.books()] == [("en", "en", 1), ("zh", "zh-Hans", 1)]
    assert [book["folder"] for book in project.site_script()["books"]] == ["en/", "zh/"]


def test_editions_in_one_project_pair_their_titles_in_every_build(build_site: Build) -> None:
    pages = {
        "zh/index.md": f"# 最短路径\n\n{'图有顶点和边，树是没有环的图。' * 9}\n",
        "en/index.md": f"# Shortest path\n\n{'A graph has nodes and edges, and a tree is a graph. ' * 9}\n",
    }
    first = build_site(pages, askbook={"books": [{"folder": "zh", "lang": "zh"}, {"folder": "en", "lang": "en"}]})
    written = first.made()
    for name in ("books-zh", "books-en"):
        assert first.index(name)["pairs"].split("\x7f")[:2] == ["最短路径", "shortest path"]
    again = build_site(pages, askbook={"books": [{"folder": "zh", "lang": "zh"}, {"folder": "en", "lang": "en"}]})
    assert again.made() == written


def test_every_option_of_the_plugin_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs/plugin.md").read_text(encoding="utf-8")
    names = [name for name, _ in AskbookConfig._schema]
    names += [f"policy.{name}" for name, _ in PolicyConfig._schema] + [f"books[].{name}" for name, _ in BookConfig._schema]
    assert [name for name in names if f"| `{name}` |" not in text] == []


def test_every_option_of_inject_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs/plugin.md").read_text(encoding="utf-8")
    options = [name for parameter in command.params for name in parameter.opts if name.startswith("--")]
    assert [name for name in options if f"| `{name}` |" not in text] == []


def test_under_instant_navigation_all_pages_share_one_policy(build_site: Build) -> None:
    pages = PAGES | {"more.md": "# More\n\n<script>var more = 1</script>\n\nText.\n"}
    theme = {"name": "material", "features": ["navigation.instant"], "font": False}
    project = build_site(pages, askbook={"policy": {"enabled": True}}, theme=theme)
    policy = re.compile(r'<meta http-equiv="Content-Security-Policy" data-askbook content="([^"]*)">')
    names = ("index.html", "more/index.html", "proofs/index.html")
    (shared,) = {found for name in names for found in policy.findall(project.page(name))}
    assert source_hash("var more = 1") in shared
