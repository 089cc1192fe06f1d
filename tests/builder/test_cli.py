"""`build-ai-index` from the outside: what it writes, says and exits with, also on bad input."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askbook.builder.cli import main
from askbook.builder.files import PAGE_BYTES
from askbook.core.index import load

PAGE = "# Graphs\n\nA graph has nodes and edges.\n\n## Trees\n\nA tree is a graph without cycles.\n"


def build(*arguments: object, environment: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], env={"GITHUB_ACTIONS": "", **(environment or {})})


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "graphs"
    folder.mkdir()
    (folder / "index.md").write_text(PAGE, encoding="utf-8")
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def cards(index: Path) -> list[tuple[str, str]]:
    """Id and address of each card of an index file."""
    found = load(index.read_bytes())
    return [(found.card(place).id, found.card(place).url) for place in range(len(found))]


def test_a_folder_becomes_an_index_and_a_report(book: Path, out: Path) -> None:
    result = build(book, "--out", out, "--no-cache", "--json")
    (report,) = json.loads(result.stdout)["books"]
    assert result.exit_code == 0
    assert report.pop("seconds") >= 0
    assert report.pop("bytes") > report.pop("gzip_bytes") > 0
    assert report == {
        "col": "books", "book": "graphs", "title": "Graphs", "file": str(out / "books-graphs.json"), "pages": 1, "cards": 2,
        "kinds": {"section": 2}, "coverage": 1.0, "uncovered": [], "dead": [], "cached_pages": 0, "warnings": [],
    }  # fmt: skip
    assert (out / "books-graphs.json").is_file()
    assert (out / "books.json").is_file()


def test_the_same_input_gives_the_same_bytes_whatever_jobs_cache_and_locale(tmp_path: Path, out: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(12):
        (folder / f"ch{number}.md").write_text(PAGE.replace("Graphs", f"第 {number} 章 图"), encoding="utf-8")
    written = []
    for name, extra in {"plain": ["--no-cache"], "jobs": ["--no-cache", "--jobs", "3"], "cold": [], "warm": []}.items():
        arguments = extra or ["--cache", tmp_path / "cache"]
        assert build(folder, "--out", out / name, *arguments, environment={"LC_ALL": "C", "TZ": name}).exit_code == 0
        written.append({path.name: path.read_bytes() for path in (out / name).iterdir()})
    assert written[1:] == written[:1] * 3


def test_unchanged_pages_come_from_the_cache(book: Path, out: Path, tmp_path: Path) -> None:
    (book / "more.md").write_text("# More\n\nText.\n", encoding="utf-8")
    arguments = (book, "--out", out, "--cache", tmp_path / "cache", "--json")
    build(*arguments)
    (book / "more.md").write_text("# More\n\nOther text.\n", encoding="utf-8")
    (report,) = json.loads(build(*arguments).stdout)["books"]
    assert report["cached_pages"] == 1


def test_chapter_10_comes_after_chapter_2(tmp_path: Path, out: Path) -> None:
    folder = tmp_path / "order"
    folder.mkdir()
    for number in (1, 2, 10):
        (folder / f"ch{number}.md").write_text(f"# Chapter {number}\n\nText {number}.\n", encoding="utf-8")
    build(folder, "--out", out, "--no-cache")
    index = json.loads((out / "books-order.json").read_text(encoding="utf-8"))
    assert index["pages"] == ["ch1/", "ch2/", "ch10/"]


def write_epub(path: Path, *, flags: int = 0, extra: dict[str, bytes] | None = None) -> None:
    """Write a small EPUB file."""
    members = {
        "META-INF/container.xml": b'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        b'<rootfile full-path="OPS/book.opf"/></rootfiles></container>',
        "OPS/book.opf": b'<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        b"<dc:title>Small</dc:title><dc:language>en</dc:language></metadata><manifest>"
        b'<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
        b'<spine><itemref idref="a"/></spine></package>',
        "OPS/a.xhtml": b'<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>'
        b'<body><h1 id="one">One</h1><p>Text.</p></body></html>',
        **(extra or {}),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    if flags:
        raw = path.read_bytes()
        for sign in (b"PK\x03\x04", b"PK\x01\x02"):
            offset = 6 if sign == b"PK\x03\x04" else 8
            place = raw.find(sign)
            while place >= 0:
                raw = raw[: place + offset] + bytes([raw[place + offset] | flags]) + raw[place + offset + 1 :]
                place = raw.find(sign, place + 4)
        path.write_bytes(raw)


def test_an_epub_has_addresses_of_its_own_files(tmp_path: Path, out: Path) -> None:
    write_epub(tmp_path / "small.epub")
    result = build(tmp_path / "small.epub", "--out", out, "--no-cache", "--json", "--verify", tmp_path / "small.epub")
    (report,) = json.loads(result.stdout)["books"]
    assert (result.exit_code, report["title"], report["dead"]) == (0, "Small", [])
    assert cards(out / "books-small.json") == [("one", "OPS/a.xhtml#one")]


Break = Callable[[Path], None]

BROKEN: dict[str, tuple[Break, str]] = {
    "invalid UTF-8": (lambda book: _write(book / "bad.md", b"# A\n\n\xff\xfe\n"), "bad.md:3: error: is not UTF-8: byte 0xff"),
    "null bytes": (lambda book: _write(book / "bad.md", b"# A\n\x00\n"), "bad.md:2: error: holds null bytes"),
    "front matter": (
        lambda book: _write(book / "bad.md", b"---\na: [1\nb: }\n---\n# A\n"),
        "bad.md:3: error: front matter cannot be read",
    ),
    "open front matter": (
        lambda book: _write(book / "bad.md", b"---\ntitle: x\n\n# A\n"),
        "bad.md:1: error: front matter --- is never closed",
    ),
    "unclosed component": (
        lambda book: _write(book / "bad.mdx", b"# A\n\n<Example title='x'>\n\ntext\n"),
        "bad.mdx:3: error: <Example> is never closed",
    ),
    "notebook": (lambda book: _write(book / "bad.ipynb", b'{"cells": [\n {]}'), "bad.ipynb:2: error: is no notebook"),
    "too large": (
        lambda book: _write(book / "bad.md", b"a" * (PAGE_BYTES + 1)),
        "graphs/bad.md:1: error: is 20,000,001 bytes long",
    ),
    "link outside": (
        lambda book: os.symlink("/etc/hostname", book / "bad.md"),
        "bad.md:1: error: is a symbolic link to a path outside the book",
    ),
    "link loop": (
        lambda book: os.symlink("bad.md", book / "bad.md"),
        "bad.md:1: error: is a symbolic link that runs in a circle",
    ),
    "folder loop": (lambda book: os.symlink(".", book / "bad"), "bad:1: error: is a symbolic link to a folder of the same book"),
}


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


@pytest.mark.parametrize("name", BROKEN)
def test_a_bad_file_is_named_and_the_earlier_index_stays(name: str, book: Path, out: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("# Other\n\nText.\n", encoding="utf-8")
    build(book, "--out", out, "--no-cache")
    before = (out / "books-graphs.json").read_bytes()
    spoil, message = BROKEN[name]
    spoil(book)
    result = build(book, other, "--out", out, "--no-cache")
    assert result.exit_code == 1
    assert message in result.stderr
    assert (out / "books-graphs.json").read_bytes() == before
    assert (out / "books-other.json").is_file()
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


def test_notes_of_an_epub_stand_where_they_are_referred_to_and_names_may_hold_spaces(tmp_path: Path, out: Path) -> None:
    page = (
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><h1>One</h1>'
        '<p>Text<a epub:type="noteref" href="#f1">1</a>, more<a epub:type="noteref" href="notes.xhtml#n2">2</a>.</p>'
        '<p>After.</p><aside id="f1" epub:type="footnote"><p>The note.</p></aside></body></html>'
    )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a%20b.xhtml" '
        'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
    )
    file = tmp_path / "noted.epub"
    write_epub(file, extra={"OPS/book.opf": package.encode(), "OPS/a b.xhtml": page.encode()})
    result = build(file, "--out", out, "--no-cache", "--json", "--verify", file)
    (report,) = json.loads(result.stdout)["books"]
    assert (result.exit_code, report["coverage"], report["dead"]) == (0, 1.0, [])
    index = out / "books-noted.json"
    found = load(index.read_bytes())
    for side in found.sides:
        found.attach(side, (out / side).read_bytes())
    assert [(found.card(place).url, found.card(place).text) for place in range(len(found))] == [
        ("OPS/a%20b.xhtml", "Text, more.\n\nThe note.\n\nAfter.")
    ]


BAD_EPUBS: dict[str, tuple[int, dict[str, bytes], str]] = {
    "encrypted": (1, {}, "is encrypted"),
    "rights": (
        0,
        {
            "META-INF/encryption.xml": b'<e xmlns:x="x"><x:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/></e>'
        },
        "is encrypted (DRM)",
    ),
    "bomb": (0, {"OPS/bomb.xhtml": b"0" * 9_000_000}, "a zip bomb"),
    "outside": (0, {"../evil.xhtml": b"x"}, "a path outside the book"),
    "listed outside": (
        0,
        {
            "META-INF/container.xml": b'<c xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            b'<rootfile full-path="p.opf"/></c>',
            "p.opf": b'<package xmlns="http://www.idpf.org/2007/opf"><item id="a" href="../../etc/passwd" '
            b'media-type="application/xhtml+xml"/><itemref idref="a"/></package>',
        },
        "lists '../../etc/passwd', a path outside the book",
    ),
}


@pytest.mark.parametrize("name", BAD_EPUBS)
def test_a_bad_epub_is_named(name: str, tmp_path: Path, out: Path) -> None:
    flags, extra, message = BAD_EPUBS[name]
    write_epub(tmp_path / "bad.epub", flags=flags, extra=extra)
    result = build(tmp_path / "bad.epub", "--out", out, "--no-cache")
    assert (result.exit_code, message in result.stderr, out.exists()) == (1, True, False)


def test_no_zip_file_is_no_epub(tmp_path: Path, out: Path) -> None:
    (tmp_path / "bad.epub").write_bytes(b"not a zip")
    result = build(tmp_path / "bad.epub", "--out", out, "--no-cache")
    assert (result.exit_code, "is no EPUB file" in result.stderr) == (1, True)


def test_an_empty_folder_is_named(tmp_path: Path, out: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = build(tmp_path / "empty", "--out", out)
    assert (result.exit_code, "holds no page" in result.stderr) == (1, True)


def test_a_folder_that_is_not_there_is_a_usage_error(tmp_path: Path, out: Path) -> None:
    result = build(tmp_path / "nowhere", "--out", out)
    assert (result.exit_code, "nowhere" in result.stderr) == (2, True)


def test_a_book_of_pictures_is_an_empty_book_with_a_warning(tmp_path: Path, out: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "a.md").write_text("![one](1.png)\n\n![two](2.png)\n", encoding="utf-8")
    result = build(folder, "--out", out, "--no-cache")
    assert (result.exit_code, "holds no text" in result.stderr) == (0, True)
    assert build(folder, "--out", out, "--no-cache", "--strict").exit_code == 1


def test_a_project_without_its_docs_dir_is_named_as_such(tmp_path: Path, out: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: X\ndocs_dir: build/docs\n", encoding="utf-8")
    result = build(tmp_path, "--out", out, "--no-cache")
    assert (result.exit_code, "docs_dir 'build/docs' is missing" in result.stderr) == (1, True)


def test_a_nav_that_leaves_the_book_is_named_with_its_line(tmp_path: Path, out: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(PAGE, encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text("site_name: X\nnav:\n- index.md\n- ../secret.md\n- lost.md\n", encoding="utf-8")
    result = build(tmp_path, "--book", "x", "--out", out, "--no-cache")
    assert result.exit_code == 1
    assert "mkdocs.yml:4: error: nav entry '../secret.md' leads outside the book" in result.stderr
    assert "mkdocs.yml:5: warning: nav entry 'lost.md' leads to no page" in result.stderr


def test_ten_thousand_headings_are_cut_and_named(tmp_path: Path, out: Path) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    (folder / "a.md").write_text("".join(f"## Same\n\nText {number}.\n\n" for number in range(10_000)), encoding="utf-8")
    result = build(folder, "--out", out, "--no-cache", "--json")
    (report,) = json.loads(result.stdout)["books"]
    assert (result.exit_code, report["cards"], report["coverage"]) == (0, 10_000, 1.0)
    assert "10,000 headings on one page" in result.stderr


def test_each_bad_line_of_ready_cards_is_named(tmp_path: Path, out: Path) -> None:
    lines = ['{"id": "a", "title": "A", "text": "One.", "url": "a/#x"}', "{", '{"title": 3}', '{"id": "a", "text": "Two."}', "{}"]
    (tmp_path / "cards.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = build(tmp_path / "cards.jsonl", "--out", out, "--no-cache")
    named = [line.partition("cards.jsonl:")[2] for line in result.stderr.splitlines() if "error" in line]
    assert result.exit_code == 1
    assert named == [
        "2: error: is no JSON: Expecting property name enclosed in double quotes in column 2",
        "3: error: 'title' must be text, not 3",
        "4: error: the id 'a' is taken already",
        "5: error: has neither title nor text",
    ]


def test_ready_cards_keep_their_addresses(tmp_path: Path, out: Path) -> None:
    (tmp_path / "cards.jsonl").write_text('{"id": "a", "title": "A", "text": "One.", "url": "a/#x"}\n', encoding="utf-8")
    assert build(tmp_path / "cards.jsonl", "--out", out, "--no-cache").exit_code == 0
    assert cards(out / "books-cards.json") == [("a", "a/#x")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--col", "a-b"], "is no slug"),
        (["--book", "Not A Slug"], "'not-a-slug' would be one"),
        (["--jobs", "0"], "not in the range"),
        (["--format", "pdf"], "is not one of"),
        (["--cache", "x", "--no-cache"], "exclude each other"),
    ],
)
def test_wrong_use_exits_with_2(arguments: list[str], message: str, book: Path, out: Path) -> None:
    result = build(book, "--out", out, *arguments)
    assert (result.exit_code, message in result.stderr) == (2, True)


def test_two_sources_of_one_name_are_a_usage_error(book: Path, out: Path) -> None:
    result = build(book, book, "--out", out)
    assert (result.exit_code, "two SOURCEs would both be named 'graphs'" in result.stderr) == (2, True)


def test_problems_are_annotations_in_a_github_action(book: Path, out: Path) -> None:
    (book / "bad.md").write_bytes(b"# A\n\n\xff\n")
    result = build(book, "--out", out, "--no-cache", "-q", environment={"GITHUB_ACTIONS": "true"})
    assert f"::error file={book}/bad.md,line=3::is not UTF-8: byte 0xff at offset 5" in result.stderr


def test_a_page_that_cannot_be_read_is_not_called_uncovered_too(book: Path, out: Path) -> None:
    (book / "bad.md").write_bytes("# 标题\n\n文字".encode("gbk"))
    (report,) = json.loads(build(book, "--out", out, "--no-cache", "--json").stdout)["books"]
    assert (report["uncovered"], report["coverage"], len(report["warnings"])) == ([], 1.0, 1)


def test_dead_addresses_are_found_in_the_built_site(book: Path, out: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text('<h1 id="graphs">Graphs</h1><p>A graph has nodes and edges.</p>', encoding="utf-8")
    result = build(book, "--out", out, "--no-cache", "--json", "--verify", site)
    (report,) = json.loads(result.stdout)["books"]
    assert (result.exit_code, report["dead"], report["file"]) == (1, [{"card": "graphs/trees", "url": "#trees"}], None)


def test_quiet_says_nothing_when_all_is_well(book: Path, out: Path) -> None:
    result = build(book, "--out", out, "--no-cache", "-q")
    assert (result.stdout, result.stderr) == ("", "")


def test_a_format_that_is_off_is_passed_over(book: Path, out: Path) -> None:
    (book / "features.toml").write_text("[formats]\nmdx = false\n", encoding="utf-8")
    (book / "extra.mdx").write_text("# Extra\n\nText.\n", encoding="utf-8")
    assert build(book, "--out", out, "--no-cache").exit_code == 0
    assert [url for _, url in cards(out / "books-graphs.json")] == ["#graphs", "#trees"]
    (book / "features.toml").write_text("[formats]\nmarkdown = false\nmdx = false\n", encoding="utf-8")
    result = build(book, "--out", out / "none", "--no-cache")
    assert (result.exit_code, "is passed over" in result.stderr, (out / "none").exists()) == (0, True, False)


def test_authors_name_kinds_and_switch_them_off(book: Path, out: Path) -> None:
    (book / "features.toml").write_text(
        '[kinds]\nnames = { Recipe = "method", "思路" = "method" }\noff = ["tip"]\n', encoding="utf-8"
    )
    (book / "index.md").write_text(
        "# A\n\n<Recipe title='Bread'>\n\nFlour.\n\n</Recipe>\n\n!!! tip\n\n    x\n\n思路 1：看看。\n", encoding="utf-8"
    )
    (report,) = json.loads(build(book, "--out", out, "--no-cache", "--json").stdout)["books"]
    assert report["kinds"] == {"method": 2, "section": 1}


def test_golden_questions_must_find_their_cards(book: Path, out: Path, tmp_path: Path) -> None:
    golden = tmp_path / "golden.jsonl"
    golden.write_text(
        '{"question": "What is a tree?", "id": "graphs/trees"}\n{"question": "nodes", "url": "nowhere/"}\nx\n', encoding="utf-8"
    )
    result = build(book, "--out", out, "--no-cache", "--golden", golden)
    assert result.exit_code == 1
    assert [line.partition("golden.jsonl:")[2] for line in result.stderr.splitlines()] == [
        "2: error: 'nowhere/' is not among the first 8 for 'nodes'",
        '3: error: is no golden question: {"question": …, "id": …} or {"question": …, "url": …}',
    ]


def test_nothing_changed_means_nothing_done(book: Path, out: Path, tmp_path: Path) -> None:
    arguments = (book, "--out", out, "--cache", tmp_path / "cache", "--json")
    first = json.loads(build(*arguments).stdout)["books"][0]
    again = json.loads(build(*arguments).stdout)["books"][0]
    assert again.pop("cached_pages") == 1
    assert {**first, "seconds": 0} == {**again, "cached_pages": 0, "seconds": 0}


def test_the_manifest_keeps_books_of_earlier_runs(book: Path, out: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("# Other\n\nText.\n", encoding="utf-8")
    build(book, "--out", out, "--no-cache")
    build(other, "--out", out, "--no-cache")
    listed = json.loads((out / "book.json").read_text(encoding="utf-8"))["collections"]
    assert [entry["book"] for collection in listed for entry in collection["books"]] == ["graphs", "other"]


def test_books_built_together_learn_their_titles_from_each_other(tmp_path: Path, out: Path) -> None:
    for lang, title in (("zh", "最短路径"), ("en", "Shortest path")):
        text = "图有顶点和边，树是没有环的图。" if lang == "zh" else "A graph has nodes and edges, and a tree is a graph."
        (tmp_path / lang).mkdir()
        (tmp_path / lang / "index.md").write_text(f"# {title}\n\n{text * 9}\n", encoding="utf-8")
    runs = {"plain": ["--no-cache"], "cold": ["--cache", tmp_path / "cache"], "warm": ["--cache", tmp_path / "cache"]}
    written = []
    for name, extra in runs.items():
        assert build(tmp_path / "zh", tmp_path / "en", "--out", out / name, *extra).exit_code == 0
        written.append({path.name: path.read_bytes() for path in sorted((out / name).iterdir())})
    assert written[0] == written[1] == written[2]
    for name in ("books-zh.json", "books-en.json"):
        assert load(written[0][name]).pairs == (("最短路径", "shortest path"),)


@pytest.mark.parametrize(
    ("head", "page", "address"),
    [
        ('<meta name="generator" content="mkdocs-1.6.1">', "two/index.html", "two/#one-first"),
        ('<meta name="generator" content="Docusaurus v3.9">', "two/index.html", "two/#first"),
        ("<!-- Book generated using mdBook -->", "two.html", "two.html#one-first"),
        ('<meta name="generator" content="VitePress v1.6.4">', "two.html", "two.html#one-first"),
        ('<script src="_static/documentation_options.js?v=1"></script>', "two.html", "two.html#one-first"),
    ],
)
def test_the_site_that_is_verified_says_how_addresses_are_made(
    head: str, page: str, address: str, tmp_path: Path, out: Path
) -> None:
    book, site = tmp_path / "book", tmp_path / "site"
    book.mkdir()
    (site / page).parent.mkdir(parents=True)
    title = "One {/*first*/}" if "ocusaurus" in head else "One first"
    (book / "two.md").write_text(f"# Two\n\n## {title}\n\nSome text.\n", encoding="utf-8")
    (site / "index.html").write_text(head, encoding="utf-8")
    anchor = address.partition("#")[2]
    (site / page).write_text(f'{head}<h1 id="two">Two</h1><h2 id="{anchor}">One</h2><p>Some text.</p>', encoding="utf-8")
    made = build(book, "--out", out, "--no-cache", "--json", "--verify", site)
    (found,) = json.loads(made.stdout)["books"]
    assert (made.exit_code, found["dead"]) == (0, [])
    assert address in [url for _, url in cards(out / "books-book.json")]


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    change=st.sampled_from(["One more sentence.", "# New heading\n\nMore.", "```\ncode\n```", "Alice met Bob. Alice left.", ""])
)
def test_a_rebuild_after_a_change_writes_what_a_fresh_build_does(tmp_path_factory: pytest.TempPathFactory, change: str) -> None:
    place = tmp_path_factory.mktemp("rebuild")
    book = place / "book"
    book.mkdir()
    for name in "abc":
        text = f"# {name}\n\nA graph of {name} has nodes.\n\n## Trees of {name}\n\n图（graph）是离散结构。\n"
        (book / f"{name}.md").write_text(text, encoding="utf-8")
    build(book, "--out", place / "warm", "--cache", place / "cache", "-q")
    (book / "b.md").write_text((book / "b.md").read_text(encoding="utf-8") + f"\n{change}\n", encoding="utf-8")
    build(book, "--out", place / "warm", "--cache", place / "cache", "-q")
    build(book, "--out", place / "fresh", "--no-cache", "-q")
    warm, fresh = ({path.name: path.read_bytes() for path in sorted((place / name).iterdir())} for name in ("warm", "fresh"))
    assert warm == fresh


def test_a_folder_of_another_markup_is_named_as_such(tmp_path: Path, out: Path) -> None:
    (tmp_path / "docs/_templates").mkdir(parents=True)
    for name, text in {"conf.py": "", "index.rst": "Title\n=====\n", "_templates/layout.html": "<p>{{ title }}</p>"}.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    result = build(tmp_path / "docs", "--out", out, "--no-cache")
    assert result.exit_code == 1
    assert "no Markdown, MDX, notebook or HTML file; build the site of its .rst files, and give its folder" in result.stderr
