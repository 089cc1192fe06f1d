"""What building costs, as ratios to reading and parsing the same files with markdown-it-py; the growth, and the rebuild.

    python -m benchmarks.build [FOLDER]

FOLDER is a folder of Markdown; without it the real books beside this checkout, or the example book.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from importlib import import_module
from multiprocessing import get_context
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
    """CPU seconds of this process."""
    started = time.process_time()
    result = work()
    return time.process_time() - started, result


def least(work: Callable[[], Any]) -> float:
    """The least of three runs."""
    return min(cpu(work)[0] for _ in range(3))


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


@dataclass(frozen=True, slots=True)
class Costs:
    """CPU seconds of the parts of one build, imports excluded."""

    parse: float
    cut: float
    coverage: float
    index: float
    jieba: float

    def shown(self) -> str:
        """As ratios to parsing."""
        base = self.parse
        rest = self.cut + self.coverage + self.index
        return (
            f"parse {base:.2f} s | cut {self.cut / base:.2f} | coverage {self.coverage / base:.2f} | "
            f"index {self.index / base:.2f} | all but jieba {rest / base:.2f} | jieba {self.jieba / base:.2f}"
        )


def costs(folder: Path, *, warm: bool) -> Costs:
    """Parse a folder and build a book of it; with `warm`, what is measured has been done once before."""
    for name in ("components", "directives", "fences", "html", "latex", "markdown", "raw_html"):
        import_module(f"askbook.builder.chunkers.{name}")
    import_module("askbook.builder.index.layout")  # NumPy with it
    if warm:
        costs(folder, warm=False)
    base, _ = cpu(lambda: parse(folder))
    cutting, (built, pages) = cpu(lambda: cut(folder))
    covering, _ = cpu(lambda: check_sources(pages, built.book))
    deciding, _ = cpu(lambda: words.decide(built.book)) if words.is_chinese(built.book.lang) else (0.0, None)
    encoding, _ = cpu(lambda: encode(built.book))
    if deciding:  # the index asks again; its dictionary is there by then
        encoding = max(encoding - cpu(lambda: words.decide(built.book))[0], 0.0)
    return Costs(base, cutting, covering, encoding, deciding)


def measure(folder: Path) -> None:
    """The parts of one build, each the least of three processes: in its first build, as by command, and in its second."""
    for name, warm in (("first", False), ("again", True)):
        runs = []
        for _ in range(3):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                runs.append(process.submit(costs, folder, warm=warm).result())
        best = Costs(*(min(getattr(run, part.name) for run in runs) for part in fields(Costs)))
        print(f"{'/'.join(folder.parts[-3:]):<28} {name} | {best.shown()}")


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
            times.append(least(lambda root=root: cut(root)))  # type: ignore[misc]
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
