"""Write the table of `docs/books.md`, what the build makes of the real books beside this checkout: python docs/generate_books.py.

Numbers only; the books' text stays where it is.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from askbook.builder.books import open_source
from askbook.builder.build import Named, build_book, read_data
from askbook.builder.cache import PageCache
from askbook.builder.features import Features
from askbook.builder.pagecut import CutOptions
from askbook.builder.report import BookReport
from askbook.builder.run import Order, run

PAGE = Path(__file__).with_name("books.md")
SHARED = Path(__file__).parents[2] / "shared" / "books"
BOOKS = {
    "hello-algo, zh": "hello-algo/docs",
    "hello-algo, en": "hello-algo/en/docs",
    "fastapi, en": "fastapi/docs/en/docs",
    "fastapi, zh": "fastapi/docs/zh/docs",
    "tudelft-linear-algebra": "tudelft-linear-algebra",
    "pumpkin-book": "pumpkin-book/docs",
    "rust-book": "rust-book/src",
    "react-learn": "react-learn/src/content/learn",
    "dl500": "dl500",
    "debian-handbook-zh": "debian-handbook-zh/html",
    "little-linear-algebra (EPUB)": "formats/epub/little-linear-algebra-v1.epub",
    "statistical learning (notebooks)": "formats/ipynb",
}
HEAD = """# Real books

What `build-ai-index` makes of twelve published books and translations, in Markdown of several dialects, HTML, EPUB and
notebooks. Made by `docs/generate_books.py`; the books are not part of this repository. Coverage is the share of the text of
the source that stands in the cards. For the last two columns MkDocs has built a site of the Markdown: how many addresses of
cards lead nowhere in it, and how many cards in a hundred have kind, number, title and address in common with those that are read
from the built pages. Books written for another generator look odd in MkDocs, and are read there as they look.

| book | pages | cards | coverage | kinds | index KB | gzip KB | dead | equal |
|---|---:|---:|---:|---|---:|---:|---:|---:|
"""
PROJECT = """site_name: X
docs_dir: {docs}
site_dir: site
theme: mkdocs
plugins: []
markdown_extensions: [admonition, attr_list, def_list, footnotes, md_in_html, tables, {{toc: {{permalink: true}}}},
  {{pymdownx.arithmatex: {{generic: true}}}}, pymdownx.details, pymdownx.superfences,
  {{pymdownx.tabbed: {{alternate_style: true}}}}, pymdownx.blocks.admonition, pymdownx.blocks.tab]
"""


def main() -> int:
    """Build every book and write the page."""
    if not SHARED.is_dir():
        print(f"no books at {SHARED}", file=sys.stderr)
        return 1
    rows = [row(title, report(SHARED / path), *compared(SHARED / path)) for title, path in BOOKS.items()]
    PAGE.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    return 0


def report(path: Path, verify: Path | None = None) -> BookReport:
    """What one build says."""
    with tempfile.TemporaryDirectory() as out:
        outcome = run(Order(path, "", Path(out), "books", "x", "", "auto", "", Features(), CutOptions(), verify=verify))
    if outcome.report is None or (outcome.failed and not outcome.report.dead):
        raise SystemExit(f"{path} cannot be built: {[problem.message for problem in outcome.problems if problem.fatal]}")
    return outcome.report


def compared(path: Path) -> tuple[str, str]:
    """Dead addresses against the built pages, and the share of cards that is equal to theirs."""
    if not any(path.rglob("*.md")):
        return ("" if path.name == "ipynb" else str(len(report(path, path).dead))), ""
    with tempfile.TemporaryDirectory() as place:
        project = Path(place)
        (project / "mkdocs.yml").write_text(PROJECT.format(docs=path.resolve()), encoding="utf-8")
        build = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(project / "mkdocs.yml")]
        subprocess.run(build, check=True, capture_output=True)
        one, other = cards(project, ""), cards(project / "site", "html")
        equal = (one & other).total() / max(one.total(), other.total())
        return str(len(report(project, project / "site").dead)), f"{equal:.1%}"


def cards(path: Path, format_: str) -> Counter[tuple[str, ...]]:
    """What a reader knows a card by."""
    source = open_source(path, format_=format_)
    data, _ = read_data(source)
    made = build_book(source, Named("books", "x"), CutOptions(), cache=PageCache(None, "", ""), data=data)
    return Counter((card.kind, card.number, card.title, card.url) for card in made.book.cards)


def row(title: str, made: BookReport, dead: str, equal: str) -> str:
    """One line of the table."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in made.kinds.items())
    size, packed = made.bytes // 1024, made.gzip_bytes // 1024
    return (
        f"| {title} | {made.pages} | {made.cards:,} | {made.coverage:.2%} | {kinds} | {size:,} | {packed:,} | {dead} | {equal} |"
    )


if __name__ == "__main__":
    sys.exit(main())
