"""Write the table of `docs/books.md`, what the build makes of the real books beside this checkout: python docs/generate_books.py.

Numbers only; the books' text stays where it is.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

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
the source that stands in the cards.

| book | pages | cards | coverage | kinds | index KB | gzip KB |
|---|---:|---:|---:|---|---:|---:|
"""


def main() -> int:
    """Build every book and write the page."""
    if not SHARED.is_dir():
        print(f"no books at {SHARED}", file=sys.stderr)
        return 1
    rows = [row(title, report(SHARED / path)) for title, path in BOOKS.items()]
    PAGE.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    return 0


def report(path: Path) -> BookReport:
    """What one build says."""
    with tempfile.TemporaryDirectory() as out:
        outcome = run(Order(path, "", Path(out), "books", "x", "", "auto", "", Features(), CutOptions()))
    if outcome.report is None or outcome.failed:
        raise SystemExit(f"{path} cannot be built: {[problem.message for problem in outcome.problems if problem.fatal]}")
    return outcome.report


def row(title: str, made: BookReport) -> str:
    """One line of the table."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in made.kinds.items())
    size, packed = made.bytes // 1024, made.gzip_bytes // 1024
    return f"| {title} | {made.pages} | {made.cards:,} | {made.coverage:.2%} | {kinds} | {size:,} | {packed:,} |"


if __name__ == "__main__":
    sys.exit(main())
