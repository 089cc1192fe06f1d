"""What building costs, as ratios to reading and parsing the same files with markdown-it-py; the growth, and the rebuild.

    python -m benchmarks.build [FOLDER]

FOLDER is a folder of Markdown; without it the real books beside this checkout, or the example book.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from askbook.builder.books import open_source
from askbook.builder.build import Built, Named, build_book, read_data
from askbook.builder.cache import PageCache
from askbook.builder.cards import CutOptions
from askbook.builder.coverage_source import check_sources
from askbook.builder.features import Features
from askbook.builder.index import words
from askbook.builder.index.write import encode
from askbook.builder.run import Order, run

ROOT = Path(__file__).parents[1]
BOOKS = ("hello-algo/docs", "hello-algo/en/docs", "fastapi/docs/en/docs", "rust-book/src")


def main(arguments: list[str]) -> None:
    """Print one line a measurement."""
    shared = ROOT.parent / "shared" / "books"
    real = [shared / name for name in BOOKS if (shared / name).is_dir()]
    folders = [Path(arguments[0])] if arguments else real or [ROOT / "examples" / "book" / "docs"]
    for folder in folders:
        measure(folder)
    growth(folders[0])
    rebuild(folders[0])


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of this process, the least of three runs."""
    best, result = float("inf"), None
    for _ in range(3):
        started = time.process_time()
        result = work()
        best = min(best, time.process_time() - started)
    return best, result


def parse(folder: Path) -> None:
    """Read and parse, and nothing else."""
    parser = MarkdownIt()
    for file in sorted(folder.rglob("*.md")):
        parser.parse(file.read_text(encoding="utf-8"))


def cut(folder: Path) -> tuple[Built, list[Any]]:
    """Read a book and cut it into cards, without a cache."""
    source = open_source(folder)
    data, problems = read_data(source)
    built = build_book(source, Named("bench", "x"), CutOptions(), cache=PageCache(None, "", ""), data=data, problems=problems)
    return built, [(page.url, page.path, content.decode()) for page, content in data]


def measure(folder: Path) -> None:
    """The parts of one build."""
    base, _ = cpu(lambda: parse(folder))
    cutting, (built, pages) = cpu(lambda: cut(folder))
    covering, _ = cpu(lambda: check_sources(pages, built.book))
    deciding, _ = cpu(lambda: words.decide(built.book)) if words.is_chinese(built.book.lang) else (0.0, None)
    encoding, _ = cpu(lambda: encode(built.book))
    rest = cutting + covering + max(encoding - deciding, 0)
    print(
        f"{'/'.join(folder.parts[-3:]):<28} parse {base:.2f} s | cut {cutting / base:.2f} | coverage {covering / base:.2f} | "
        f"index {(encoding - deciding) / base:.2f} | all but jieba {rest / base:.2f} | jieba {deciding / base:.2f}"
    )


def growth(folder: Path) -> None:
    """Sixteen times the text: how many times the time."""
    files = sorted(folder.rglob("*.md"))
    with tempfile.TemporaryDirectory() as place:
        times = []
        for size in (1, 4, 16):
            root = Path(place) / str(size)
            for copy in range(size):
                for file in files:
                    target = root / f"part{copy}" / file.relative_to(folder)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(file.read_bytes())
            times.append(cpu(lambda root=root: cut(root))[0])  # type: ignore[misc]
    print(f"growth of cutting: 4 times the text {times[1] / times[0]:.1f} times the time, 16 times {times[2] / times[0]:.1f}")


def rebuild(folder: Path) -> None:
    """A build after one page has changed, and one after nothing has, as shares of the first."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "book"
        for file in sorted(folder.rglob("*.md")):
            target = root / file.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
        order = Order(
            root, "", Path(place) / "out", "bench", "x", "", "auto", "", Features(), CutOptions(), cache=Path(place) / "cache"
        )
        times = []
        for change in ("first", "one page", "nothing"):
            if change == "one page":
                page = next(iter(sorted(root.rglob("*.md"))))
                page.write_text(page.read_text(encoding="utf-8") + "\n\nOne more sentence.\n", encoding="utf-8")
            started = time.process_time()
            run(order)
            times.append(time.process_time() - started)
    print(f"rebuild: one page changed {times[1] / times[0]:.1%} of the first build, nothing changed {times[2] / times[0]:.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
