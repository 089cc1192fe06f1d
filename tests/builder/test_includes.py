"""What pages take in stands in their cards, each line at the place in the page's own file where it is taken in."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown import Markdown

from askbook.builder.blocks import Text
from askbook.builder.books import open_source, read_page
from askbook.builder.build import read_data
from askbook.builder.coverage_source import check_sources
from askbook.builder.includes import Includes, own_lines, take_in
from askbook.core.schema import Book

CODE = "fn one() {}\n// ANCHOR: two\nfn two() {\n// ANCHOR: in\n    2\n// ANCHOR_END: in\n}\n// ANCHOR_END: two\nfn three() {}\n"
PART = "---\ntitle: Part\n---\n\nFirst of it.\n\nSecond of it.\n"


def book(root: Path, files: dict[str, str]) -> tuple[list[tuple[str, int]], list[str]]:
    """The texts of the first page with their lines, and what is wrong."""
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    source = open_source(root)
    data, problems = read_data(source)
    page, own = read_page(source, *data[0])
    share, missing = check_sources([("", data[0][0].path, data[0][1].decode())], Book("c", "b", "B", "en", ()))
    assert share < 1
    assert all(line <= files[f"{source.shown}{data[0][0].path}"].count("\n") + 1 for _, line, _ in missing)
    return [(block.text, block.line) for block in page.blocks if isinstance(block, Text)], [
        problem.message for problem in (*problems, *own)
    ]


@pytest.mark.parametrize(
    ("part", "lines"),
    [
        ("", CODE.rstrip()),
        (":1", "fn one() {}"),
        (":9:", "fn three() {}"),
        ("::1", "fn one() {}"),
        (":1:2", "fn one() {}\n// ANCHOR: two"),
        (":two", "fn two() {\n    2\n}"),
    ],
)
def test_mdbook_takes_in_files_lines_and_what_stands_between_anchors(tmp_path: Path, part: str, lines: str) -> None:
    page = f"# A\n\n```rust\n{{{{#rustdoc_include ../code/a.rs{part}}}}}\n```\n\nAfter.\n"
    files = {"book.toml": "", "src/SUMMARY.md": "- [A](a.md)\n", "src/a.md": page, "code/a.rs": CODE}
    assert book(tmp_path, files) == ([(f"```rust\n{lines}\n```", 3), ("After.", 7)], [])


def test_mdbook_takes_in_pages_and_programs(tmp_path: Path) -> None:
    page = "# A\n\n{{#title Another}}\n\n{{#include b.txt}}\n\n{{#playground ../p.rs editable}}\n\n\\{{#include b.txt}}\n"
    files = {
        "book.toml": "", "src/SUMMARY.md": "- [A](a.md)\n", "src/a.md": page, "src/b.txt": "One.\n\n{{#include c.txt}}\n",
        "src/c.txt": "Two.", "p.rs": "fn main() {}\n",
    }  # fmt: skip
    texts = [("One.", 5), ("Two.", 5), ("```rust\nfn main() {}\n```", 7), ("{{#include b.txt}}", 9)]
    assert book(tmp_path, files) == (texts, [])


@pytest.mark.parametrize("name", ["gone.md", "../../secret.md", "/etc/hostname", "src/a.md"])
def test_what_is_no_other_file_of_the_project_stays_and_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    page = f"{{{{#include {name}}}}}\n\nAfter. {{{{#include {name}}}}}\n"
    files = {"book.toml": "", "src/SUMMARY.md": "- [A](a.md)\n", "src/a.md": page}
    texts, problems = book(tmp_path / "book", files)
    assert [text for text, _ in texts] == [f"{{{{#include {name}}}}}", f"After. {{{{#include {name}}}}}"]
    assert problems == [f"takes in {name!r}, which is no file of the project, and so in 1 more places"]


def test_quarto_takes_in_pieces(tmp_path: Path) -> None:
    page = "# A\n\n{{< include _part.qmd >}}\n\n{{{< include _part.qmd >}}}\n\nAfter.\n"
    files = {"_quarto.yml": "project: {type: website}", "index.qmd": page, "_part.qmd": PART}
    texts = [("First of it.", 3), ("Second of it.", 3), ("{{{< include _part.qmd >}}}", 5), ("After.", 7)]
    assert book(tmp_path, files) == (texts, [])


def test_vitepress_takes_in_pages_and_code(tmp_path: Path) -> None:
    page = "# A\n\n<!--@include: ./parts/p.md{2,4}-->\n\n<<< @/code/a.js#one{1 ts} [a.js]\n\n<<< ./code/a.js\n"
    code = "let a\n// #region one\nlet b\n// #endregion one\n"
    files = {".vitepress/config.js": "", "index.md": page, "parts/p.md": PART, "code/a.js": code}
    texts = [("First of it.", 3), ("Second of it.", 3), ('```ts title="a.js"\nlet b\n```', 5), (f"```js\n{code}```", 7)]
    assert book(tmp_path, files) == (texts, [])


def test_myst_takes_in_pages_and_code(tmp_path: Path) -> None:
    page = (
        "# A\n\n```{include} part.txt\n:start-after: '---'\n:start-line: 4\n```\n\n"
        ":::{literalinclude} /a.py\n:language: python\n:lines: 1,3-\n:::\n\nAfter.\n"
    )
    files = {"_toc.yml": "root: a", "a.md": page, "part.txt": PART, "a.py": "a\nb\nc\nd\n"}
    texts = [("First of it.", 3), ("Second of it.", 3), ("```python\na\nc\nd\n```", 8), ("After.", 13)]
    assert book(tmp_path, {**files, "a.md": page.replace(":start-after: '---'\n", "")}) == (
        [(text, line - (line > 3)) for text, line in texts],
        [],
    )


SNIPPETS = {
    "whole": '--8<-- "a.txt"',
    "indented": '!!! note\n    --8<-- "a.txt"',
    "lines": '--8<-- "a.txt:2:3"',
    "several": '--8<-- "a.txt:1:1,-2:"',
    "section": '--8<-- "a.txt:part"',
    "block": "--8<--\na.txt:1:1\n\nb.txt\n; a.txt\n--8<--",
    "escaped": ';--8<-- "a.txt"',
    "missing": 'One\n--8<-- "a.txt:1:1"\nTwo',
    "not one": '-8- "a.txt"\n--8<-- "a.txt" more',
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_snippets_are_taken_in_as_pymdown_does(tmp_path: Path, name: str) -> None:
    one = "One\n# --8<-- [start:part]\nTwo\n;--8<-- [end:other]\n# --8<-- [end:part]\nThree\nFour\n"
    (tmp_path / "a.txt").write_text(one, encoding="utf-8")
    (tmp_path / "b.txt").write_text('B\n--8<-- "a.txt:1:1"\n--8<-- "b.txt"\n', encoding="utf-8")
    page = f"# Head\n\n{SNIPPETS[name]}\n\nAfter"
    md = Markdown(extensions=["pymdownx.snippets"], extension_configs={"pymdownx.snippets": {"base_path": [str(tmp_path)]}})
    wanted = md.preprocessors["snippet"].run(page.split("\n"))
    made, _ = take_in(page.encode(), "p.md", Includes("snippets", tmp_path, tmp_path, (tmp_path,)))
    text, numbers = own_lines(made.decode())
    assert text.split("\n") == wanted
    assert not numbers or numbers[-1] == page.count("\n")


def test_a_page_that_takes_in_more_than_a_page_may_hold_is_read(tmp_path: Path) -> None:
    """Each of twenty files takes in the next one ten times."""
    for number in range(20):
        (tmp_path / f"{number}.txt").write_text(f"{{{{#include {number + 1}.txt}}}}\n" * 10 + "x" * 999_999, encoding="utf-8")
    made, lost = take_in(b"{{#include 0.txt}}", "p.md", Includes("mdbook", tmp_path, tmp_path))
    assert len(made) < 25_000_000
    assert lost


def test_what_lies_in_the_network_is_neither_asked_for_nor_a_mistake(tmp_path: Path) -> None:
    page = b'--8<-- "https://example.org/a.md"\n'
    assert take_in(page, "a.md", Includes("snippets", tmp_path, tmp_path)) == (page, ())


def test_files_that_take_each_other_in_twice_come_to_an_end(tmp_path: Path) -> None:
    for depth in range(19):
        (tmp_path / f"{depth}.md").write_text(f'--8<-- "{depth + 1}.md"\n' * 8)
    (tmp_path / "19.md").write_text("end\n")
    taken, lost = take_in(b'--8<-- "0.md"\n', "a.md", Includes("snippets", tmp_path, tmp_path, (tmp_path,)))
    assert len(taken) < 60_000_000
    assert lost
