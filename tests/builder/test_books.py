"""What a SOURCE is, where its pages are, in which order, at which addresses."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from askbook.builder.blocks import NavEntry, Problem, Text
from askbook.builder.books import Source, open_like, open_source, read_page
from askbook.builder.build import Named, build_book, read_data
from askbook.builder.cache import PageCache
from askbook.builder.drafts import CutOptions, PageCut
from askbook.builder.mkdocs_config import dialect_of, page_url
from askbook.builder.outline import Group, Place, outline
from askbook.builder.slugs import markdown_slug, pymdown_slug
from askbook.core.errors import ContentError

CONFIG = """
site_name: !ENV [NO_SUCH_VARIABLE, Graphs]
site_author: Ann
theme:
  name: material
  language: zh
use_directory_urls: false
exclude_docs: drafts/
markdown_extensions:
  - admonition
  - toc:
      slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
nav:
  - Start: index.md
  - "第 1 章 &nbsp; 图":
    - ch1/index.md
    - 1.1 Trees: ch1/trees.md
  - Elsewhere: https://example.org
"""


def tree(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("# T\n", encoding="utf-8")


def urls(source: Source) -> dict[str, str]:
    return {page.path: page.url for page in source.files}


def test_a_mkdocs_project_is_read_without_mkdocs(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text(CONFIG, encoding="utf-8")
    tree(tmp_path / "docs", "index.md", "README.md", "ch1/index.md", "ch1/trees.md", "drafts/x.md", ".hidden/y.md")
    source = open_source(tmp_path)
    assert (source.format, source.title, source.lang, source.authors) == ("mkdocs", "Graphs", "zh", ("Ann",))
    assert urls(source) == {"ch1/index.md": "ch1/index.html", "ch1/trees.md": "ch1/trees.html", "index.md": "index.html"}
    assert source.nav == (
        NavEntry("Start", "index.html"),
        NavEntry("第 1 章 &nbsp; 图", "", (NavEntry("", "ch1/index.html"), NavEntry("1.1 Trees", "ch1/trees.html"))),
    )
    dialect = source.dialect
    assert (dialect.admonitions, dialect.details, dialect.footnotes, dialect.slugify("Ab 图", "-")) == (
        True,
        False,
        False,
        "ab-图",
    )


@pytest.mark.parametrize(
    ("path", "url"), [("index.md", ""), ("a/README.md", "a/"), ("a b/图.md", "a%20b/%E5%9B%BE/"), ("x.md", "x/")]
)
def test_addresses_are_those_mkdocs_gives(path: str, url: str) -> None:
    assert page_url(path) == url


def test_a_project_that_keeps_its_pages_elsewhere_lends_its_nav(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: G\ndocs_dir: build/docs\nnav: [b.md, a.md]\n", encoding="utf-8")
    tree(tmp_path / "docs", "a.md", "b.md")
    source = open_source(tmp_path / "docs")
    assert (source.title, [entry.page for entry in source.nav]) == ("G", ["b/", "a/"])


@pytest.mark.parametrize(
    ("name", "text", "nav"),
    [
        (
            "SUMMARY.md",
            "# Summary\n\n[Intro](a.md)\n\n- [B](b.md)\n  - [C](c/d.md)\n- [Draft]()\n",
            [NavEntry("Intro", "a/"), NavEntry("B", "b/", (NavEntry("C", "c/d/"),))],
        ),
        (
            "_sidebar.md",
            "- Part\n  - [A](a.md)\n  - [B](b.md)\n",
            [NavEntry("Part", "", (NavEntry("A", "a/"), NavEntry("B", "b/")))],
        ),
        (
            "_toc.yml",
            "root: a\nparts:\n- caption: X\n  chapters:\n  - file: b\n    sections:\n    - file: c/d.md\n",
            [NavEntry("", "a.html"), NavEntry("", "b.html", (NavEntry("", "c/d.html"),))],
        ),
        (
            "myst.yml",
            "project:\n  toc:\n  - file: a.md\n  - title: Part\n    children:\n    - file: b.md\n",
            [NavEntry("", "a/"), NavEntry("Part", "", (NavEntry("", "b/"),))],
        ),
        (
            "_quarto.yml",
            "book:\n  chapters:\n  - a.md\n  - part: Two\n    chapters: [b.md]\n",
            [NavEntry("", "a.html"), NavEntry("Two", "", (NavEntry("", "b.html"),))],
        ),
    ],
)
def test_other_generators_navigation_gives_the_order(name: str, text: str, nav: list[NavEntry], tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "b.md", "c/d.md")
    (tmp_path / name).write_text(text, encoding="utf-8")
    source = open_source(tmp_path)
    assert list(source.nav) == nav
    assert name not in urls(source)


@pytest.mark.parametrize("name", ["_toc.yml", "myst.yml", "_quarto.yml"])
@pytest.mark.parametrize("odd", [5, "x", [5], ["x"], [None], [{"chapters": 5}], {"a": None}])
def test_navigation_of_another_shape_is_none(name: str, odd: object, tmp_path: Path) -> None:
    """Whatever stands in these files where a list belongs, the pages are read."""
    tree(tmp_path, "a.md")
    keys = ("parts", "subtrees", "chapters", "entries", "toc", "appendices")
    text = yaml.safe_dump({**dict.fromkeys(keys, odd), "book": dict.fromkeys(keys, odd), "project": dict.fromkeys(keys, odd)})
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert (open_source(tmp_path).nav, list(urls(open_source(tmp_path)))) == ((), ["a.md"])


def cuts(*addresses: str) -> list[PageCut]:
    return [PageCut(url, url or "Home", (), ()) for url in addresses]


def shown(placed: list[Place | Group]) -> list[tuple[int, str]]:
    return [(each.level, each.cut.url if isinstance(each, Place) else f"[{each.title}]") for each in placed]


def test_without_navigation_pages_stand_in_natural_order_by_folder() -> None:
    placed = outline(cuts("ch10/", "ch2/b/", "ch2/", "", "ch2/a10/", "ch2/a9/"), ())
    assert shown(placed) == [(0, ""), (0, "ch2/"), (1, "ch2/a9/"), (1, "ch2/a10/"), (1, "ch2/b/"), (0, "ch10/")]


def test_a_groups_own_page_is_its_chapter_and_left_out_pages_come_last() -> None:
    nav = (
        NavEntry("Part", "", (NavEntry("", "p/"), NavEntry("One", "p/1/"))),
        NavEntry("Two", "", (NavEntry("X", "x/"),)),
        NavEntry("Home", ""),
    )
    assert shown(outline(cuts("x/", "p/1/", "z/", "p/", ""), nav)) == [
        (0, "p/"),
        (1, "p/1/"),
        (0, "[Two]"),
        (1, "x/"),
        (0, ""),
        (0, "z/"),
    ]


def test_one_group_around_everything_is_no_chapter() -> None:
    nav = (NavEntry("Book", "", (NavEntry("A", "a/"), NavEntry("B", "b/"))),)
    assert shown(outline(cuts("a/", "b/"), nav)) == [(0, "a/"), (0, "b/")]


def test_front_matter_gives_an_order(tmp_path: Path) -> None:
    pages = [PageCut("a/", "A", (), (), order=2.0), PageCut("b/", "B", (), (), order=1.0), PageCut("c/", "C", (), ())]
    assert shown(outline(pages, ())) == [(0, "b/"), (0, "a/"), (0, "c/")]


def test_the_default_dialect_of_mkdocs_has_only_what_it_names() -> None:
    dialect = dialect_of({})
    assert (dialect.admonitions, dialect.tabs, dialect.directives, dialect.slugify) == (False, False, False, markdown_slug)
    assert dialect_of({"markdown_extensions": ["extra"]}).footnotes
    assert pymdown_slug("A b") == "A-b"


def test_a_sphinx_book_is_read_in_the_order_of_its_toctrees(tmp_path: Path) -> None:
    pages = {
        "index.md": "# Book\n\n```{toctree}\n:numbered:\n\nzeta\nThe second <part/b>\n```\n\n:::{toctree}\n:glob:\nrest/*\n:::\n",
        "zeta.md": "# Zeta\n\ntext\n",
        "part/b.md": "# B\n\n```{toctree}\na\n/index\n```\n",
        "part/a.md": "# A\n\ntext\n",
        "rest/x10.md": "# X 10\n\ntext\n",
        "rest/x2.md": "# X 2\n\ntext\n",
        "left.md": "# Left out\n\ntext\n",
    }
    for path, text in pages.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    source = open_source(tmp_path, format_="myst")
    assert source.nav == (
        NavEntry("", "index.html"),
        NavEntry("", "zeta.html"),
        NavEntry("The second", "part/b.html", (NavEntry("", "part/a.html"),)),
        NavEntry("", "rest/x2.html"),
        NavEntry("", "rest/x10.html"),
    )


def test_a_long_chain_of_toctrees_is_read_to_its_end(tmp_path: Path) -> None:
    names = ["index", *(f"page{number}" for number in range(1500))]
    for name, following in zip(names, [*names[1:], "index"], strict=True):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\n```{{toctree}}\n{following}\n```\n", encoding="utf-8")
    nav = open_source(tmp_path, format_="myst").nav
    cuts = [PageCut(f"{name}.html", name, (), ()) for name in names]
    assert [url for _, url in shown(outline(cuts, nav))] == [f"{name}.html" for name in names]


@pytest.mark.parametrize(
    ("files", "where", "format_", "pages"),
    [
        (
            {"book.toml": '[book]\ntitle = "B"\nlanguage = "de"\nauthors = ["A"]\nsrc = "pages"\n',
             "pages/SUMMARY.md": "- [One](one.md)\n- [Two](two/README.md)\n", "pages/one.md": "", "pages/two/README.md": "",
             "pages/taken-in.md": ""},
            "", "mdbook", ["one.html", "two/index.html"],
        ),
        ({"book.toml": "[book]\n", "src/SUMMARY.md": "[A](a.md)\n", "src/a.md": "", "src/b.md": ""}, "", "mdbook", ["a.html"]),
        ({"_quarto.yml": "book:\n  chapters: [index.qmd]\n", "index.qmd": "", "draft.qmd": ""}, "", "quarto", ["index.html"]),
        ({"_quarto.yml": "project:\n  type: website\n", "a.qmd": "", "b.qmd": ""}, "", "quarto", ["a.html", "b.html"]),
        ({"conf.py": "html_theme = 'furo'\n", "index.md": "", "a/README.md": ""}, "", "myst", ["a/README.html", "index.html"]),
        ({"conf.py": "BLOG_TITLE = 'x'\n# extensions\n", "posts/a.md": ""}, "", "markdown", ["posts/a/"]),
        ({"mkdocs.yml": "site_name: X\n", "docs/conf.py": "extensions = []", "docs/a.md": ""}, "docs", "mkdocs", ["a/"]),
        ({"book.toml": "x = 1\n[y]\nsrc = 'z'\n", "a.md": ""}, "", "markdown", ["a/"]),
        ({"book.toml": "[book]\n", "a.md": "", "src/x.txt": "x"}, "", "markdown", ["a/"]),
        ({".vitepress/config.ts": "{ // srcDir: 'src'\n/* srcDir: 'b' */ }", "a.md": ""}, "", "vitepress", ["a.html"]),
        ({"docs/.vitepress/config.ts": "{ srcDir: '../pages' }", "pages/a.md": "", "docs/b.md": ""}, "", "vitepress", ["a.html"]),
        ({".vitepress/config.ts": "{ srcDir: './src' }", "src/index.md": "", "README.md": ""}, "", "vitepress", [""]),
        ({"docs/.vitepress/config.js": "", "docs/a.md": "", "README.md": ""}, "", "vitepress", ["a.html"]),
        ({"docusaurus.config.js": "", "docs/1-a.md": "", "README.md": ""}, "", "docusaurus", ["docs/a/"]),
    ],
)  # fmt: skip
def test_a_project_of_another_generator_is_known_by_its_files(
    files: dict[str, str], where: str, format_: str, pages: list[str], tmp_path: Path
) -> None:
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text or "# T\n", encoding="utf-8")
    source = open_source(tmp_path / where)
    assert (source.format, [page.url for page in source.files], source.guessed) == (format_, pages, format_ == "markdown")
    if "language" in files.get("book.toml", ""):
        assert (source.title, source.lang, source.authors, source.dialect.smart.signs) == ("B", "de", ("A",), '"-.')


@pytest.mark.parametrize(
    ("file", "text", "format_"),
    [("book.toml", '[book]\ntitle = "B"\n', "mdbook"), (".vitepress/config.ts", "{ srcDir: 'src' }", "vitepress")],
)
def test_pages_alone_are_plain_markdown_and_the_author_hears_of_the_generator_above(
    file: str, text: str, format_: str, tmp_path: Path
) -> None:
    for path, content in {"src/a.md": "# T\n", file: text}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    source = open_source(tmp_path / "src")
    name = file.partition("/")[0]
    said = f"holds the pages of {name} above it, and gets the addresses of MkDocs: say --format {format_} or mkdocs"
    assert ([page.url for page in source.files], source.problems) == (["a/"], (Problem(".", 1, said),))
    for named, url in {format_: "a.html", "mkdocs": "a/"}.items():
        source = open_source(tmp_path / "src", format_=named)
        assert ([page.url for page in source.files], source.problems) == ([url], ())


def put(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text or "# T\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "text", "line", "said"),
    [
        ("book.toml", '[book]\ntitle = "B"\nsrc = "/etc"\n', 3, "'/etc' is no folder of the project"),
        ("book.toml", 'book.src = "../out"\n', 1, "'../out' is no folder of the project"),
        ("book.toml", 'book = { src = "gone" }\n', 1, "'gone' is no folder of the project"),
        ("book.toml", "[x]\n[book\n", 2, "is not TOML"),
        (".vitepress/config.js", "{\n  srcDir: '/etc',\n}", 2, "'/etc' is no folder of the project"),
        (".vitepress/config.js", "// a\n{ srcDir: './gone' }", 2, "'./gone' is no folder of the project"),
    ],
)
def test_a_folder_of_pages_that_is_none_of_the_project_is_named_with_its_line(
    file: str, text: str, line: int, said: str, tmp_path: Path
) -> None:
    put(tmp_path, {f"book/{file}": text, "book/a.md": "", "book/src/b.md": "", "out/c.md": ""})
    with pytest.raises(ContentError, match=said) as wrong:
        open_source(tmp_path / "book")
    assert (wrong.value.file, wrong.value.line) == (str(tmp_path / "book" / file), line)
    assert [page.url for page in open_source(tmp_path / "book", format_="markdown").files] == ["a/", "src/b/"]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"docusaurus.config.js": "x", "docs/a.md": "", "docs/_part.md": "", "README.md": "", "blog/_x.md": "",
             **{f"blog/{name}.md": "" for name in "abcde"}},
            "pages outside docs/ are not read: blog/a.md, blog/b.md, blog/c.md and 2 more",
        ),
        ({"docusaurus.config.js": "x", "docs/a.md": "", "README.md": ""}, ""),
        ({"book.toml": "[book]\n", "src/SUMMARY.md": "- [A](a.md)\n", "src/a.md": "", "src/taken-in.md": ""}, ""),
        ({"_quarto.yml": "book:\n  chapters: [index.qmd]\n", "index.qmd": "", "README.md": "", "_part.qmd": ""}, ""),
    ],
)  # fmt: skip
def test_one_warning_names_the_pages_that_are_left_out_of_those_a_site_has(
    files: dict[str, str], said: str, tmp_path: Path
) -> None:
    put(tmp_path, files)
    assert open_source(tmp_path).problems == ((Problem(".", 1, said),) if said else ())


@pytest.mark.parametrize(
    ("files", "format_"),
    [
        ({"mkdocs.yml": "site_name: X\n", "docs/a.md": ""}, "mkdocs"),
        ({"book.toml": "[book]\n", "src/a.md": ""}, "mdbook"),
        ({"a.md": ""}, "docusaurus"),
    ],
)
def test_a_built_site_says_what_a_folder_is_only_where_no_file_of_it_does(
    files: dict[str, str], format_: str, tmp_path: Path
) -> None:
    put(tmp_path / "book", files)
    put(tmp_path / "site", {"index.html": '<html><head><meta name="generator" content="Docusaurus v3"></head></html>'})
    assert open_like(tmp_path / "book", site=tmp_path / "site").format == format_


def test_a_page_without_a_heading_is_called_what_the_navigation_calls_it(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: G\nnav: [{SSL: ssl.md}, {API: [{The API: api.md}]}, x-y.md]\n", encoding="utf-8"
    )
    (tmp_path / "docs").mkdir()
    for name, text in {"ssl.md": "Text.", "api.md": "# Own\n\nText.", "x-y.md": "---\ntitle: Meta\n---\n\nText."}.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    source = open_source(tmp_path)
    made = {page.path: read_page(source, page, source.read(page))[0].title for page in source.files}
    assert made == {"ssl.md": "SSL", "api.md": "Own", "x-y.md": "Meta"}


def test_what_snippets_append_to_every_page_says_where_links_lead(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: G\nmarkdown_extensions:\n- pymdownx.snippets: {auto_append: [inc/links.md, gone.md]}\n", encoding="utf-8"
    )
    for name, text in {"docs/a.md": "# A\n\nThe [site][home] and [none].\n", "inc/links.md": "[home]: https://a.b\n"}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    source = open_source(tmp_path)
    made, _ = read_page(source, source.files[0], source.read(source.files[0]))
    assert [block.text for block in made.blocks if isinstance(block, Text)] == ["The site and [none]."]


@pytest.mark.parametrize(
    ("files", "nav"),
    [
        (
            {"index.html": "<main><h1>Book</h1></main>", "toc.html": '<ol class="chapter"><li><a href="one.html">One</a></li>'
             '<li><ol class="section"><li><a href="two/x.html">X</a></li></ol></li></ol>'},
            (NavEntry("One", "one.html", (NavEntry("X", "two/x.html"),)),),
        ),
        (
            {"index.html": '<ul class="navbar-nav"><li><a href="one.html">One</a></li><li><a href="#">Menu</a><ul>'
             '<li><a href="two/x.html">X</a></li></ul></li></ul>'},
            (NavEntry("One", "one.html"), NavEntry("Menu", "", (NavEntry("X", "two/x.html"),))),
        ),
    ],
)  # fmt: skip
def test_a_built_site_is_read_in_its_own_order(files: dict[str, str], nav: tuple[NavEntry, ...], tmp_path: Path) -> None:
    moved = '<meta http-equiv="refresh" content="0; url=one.html"><p>Redirecting</p>'
    one = '<meta http-equiv="refresh" content="300"><p>A</p>'
    two = '<noscript><meta http-equiv="refresh" content="0; url=plain.html"></noscript><p>B</p>'
    late = '<meta content="9;url=one.html" http-equiv="Refresh"><main><p>C</p></main>'
    for path, text in {**files, "one.html": one, "two/x.html": two, "late.html": late, "moved.html": moved}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    source = open_source(tmp_path)
    assert sorted(page.url for page in source.files) == ["", "late.html", "one.html", "two/x.html"]
    assert source.nav == nav


def test_a_page_of_a_title_alone_is_found_by_it(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: G\nnav: [{Home: index.md}]\n", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# The book of graphs\n", encoding="utf-8")
    source = open_source(tmp_path)
    data, _ = read_data(source)
    book = build_book(source, Named("books", "g"), CutOptions(), cache=PageCache(None, "", ""), data=data).book
    assert ([section.title for section in book.sections], [card.title for card in book.cards]) == (
        ["Home"],
        ["The book of graphs"],
    )


@pytest.mark.parametrize(
    ("label", "titles"),
    [
        ("", ["Start", "1. A", "1.1. B", "2. C", "3. D", "End"]),
        ("[output.html]\nno-section-label = true", ["Start", "A", "B", "C", "D", "End"]),
        ("[output]\nhtml.no-section-label = true", ["Start", "A", "B", "C", "D", "End"]),
        ("[output.html]\n# no-section-label = true", ["Start", "1. A", "1.1. B", "2. C", "3. D", "End"]),
    ],
)
def test_chapters_of_an_mdbook_have_the_numbers_it_shows(label: str, titles: list[str], tmp_path: Path) -> None:
    (tmp_path / "book.toml").write_text(f"[book]\n{label}\n", encoding="utf-8")
    tree(tmp_path / "src", *(f"{name}.md" for name in "sabcde"))
    listed = (
        "[Start](s.md)\n\n# Part\n\n- [A](a.md)\n  - [B](b.md)\n\n* * *\n\n# Part two\n\n1. [C](c.md)\n2. [D](d.md)\n\n"
        "---\n\n[End](e.md)\n"
    )
    (tmp_path / "src/SUMMARY.md").write_text(listed, encoding="utf-8")
    nav = open_source(tmp_path).nav
    assert [entry.title for above in nav for entry in (above, *above.children)] == titles
