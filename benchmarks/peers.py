"""Loading and searching beside the search libraries for JavaScript at 1, 4 and 16 times the text, and the memory it takes.

All read the same cards: passages of the retrieval sets, cut to the size of cards, repeated where there are too few; Chinese goes
to the libraries as pairs of characters, and those that know no Chinese letters find nothing of it. Ours runs in Pyodide under
Node, they run in Node; times are processor time. Memory is the WebAssembly heap of the reader's runtime with one book.
`ASKBOOK_SMOKE=1` takes a small book, and judges nothing.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from askbook.builder.index.write import encode
from askbook.core.schema import Book, Card

from .retrieval_sets import ROOT, retrieval_sets
from .retrieval_speed import book_of, pack

HERE = Path(__file__).parent
SMOKE = bool(os.environ.get("ASKBOOK_SMOKE"))
SIZES = (50, 200) if SMOKE else (1_250, 5_000, 20_000)
SYNTHETIC_CARDS, SYNTHETIC_TERMS = (50, 120) if SMOKE else (5_000, 120)
HAN = re.compile("[\u3400-\u9fff]+")
MEGABYTE = 1 << 20
SEARCH_GOAL, LOAD_GOAL, HEAP_GOAL, LARGE_HEAP_GOAL = 1.5, 1.5, 64, 150
"""Times MiniSearch, times `JSON.parse`, MB in all with the synthetic book, MB above the bare runtime with 20,000 cards."""


@dataclass(frozen=True, slots=True)
class Written:
    """A book's files."""

    index: Path
    text: Path
    cards: Path
    questions: Path


def pairs(text: str) -> str:
    """Chinese as pairs of characters, parted by spaces."""

    def split(found: re.Match[str]) -> str:
        run = found[0]
        return f" {' '.join(run[at : at + 2] for at in range(max(1, len(run) - 1)))} "

    return HAN.sub(split, text)


def write(out: Path, book: Book, questions: list[str]) -> Written:
    """Write one book for ours and for the others."""
    written = Written(*(out / f"{book.book}.{part}.json" for part in ("index", "text", "cards", "questions")))
    written.index.parent.mkdir(parents=True, exist_ok=True)
    for file, data in zip((written.index, written.text), encode(book).values(), strict=False):
        file.write_bytes(data)
    cards = [{"id": card.id, "title": pairs(card.title), "text": pairs(card.text)} for card in book.cards]
    written.cards.write_text(json.dumps(cards), encoding="utf-8")
    written.questions.write_text(json.dumps(questions), encoding="utf-8")
    (out / f"{book.book}.paired.json").write_text(json.dumps([pairs(one) for one in questions]), encoding="utf-8")
    return written


def synthetic() -> tuple[Book, list[str]]:
    """A book of words drawn as words of a language are, with a fixed number of terms a card."""
    draw = random.Random(9)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(3, 10))) for _ in range(30_000)]
    weights = [1 / (place + 3) for place in range(len(words))]
    cards = []
    for place in range(SYNTHETIC_CARDS):
        text = " ".join(draw.choices(words, weights, k=SYNTHETIC_TERMS))
        cards.append(Card(id=f"{place}", kind="section", url=f"p{place}#a", title=words[place], text=text))
    return Book(col="bench", book="synthetic", title="Synthetic", lang="en", cards=tuple(cards)), words[:40]


def node(script: str, *arguments: object) -> dict[str, dict[str, float]]:
    """Run a script of this folder; return what it prints last."""
    command = ["node", str(HERE / script), *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{script}: {done.stderr.strip()[-600:]}")
    found: dict[str, dict[str, float]] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def ours(out: Path) -> Iterable[dict[str, float]]:
    """Load and search of every index in a folder, in Pyodide."""
    return node("retrieval_speed.mjs", out, pack(out))  # type: ignore[return-value]


def speed(out: Path) -> Iterator[str]:
    """Table of all books and libraries."""
    books = {}
    for lang in ("en", "zh"):
        sets = [one for one in retrieval_sets() if one.name.startswith((lang, f"mini-{lang}"))]
        for size in SIZES:
            book, questions = book_of(sets, lang, size)
            books[book.book] = write(out, book, questions[:200])
    mine = {str(row["name"]): row for row in ours(out)}
    yield (
        "| book | library | index, MB | load, ms | load ÷ JSON.parse of ours | median search, ms | 95th | search ÷ MiniSearch | "
        "questions with hits |"
    )
    yield "|---|---|---:|---:|---:|---:|---:|---:|---:|"
    for name in books:
        row = mine[name]
        others = node("peers.mjs", out / f"{name}.cards.json", out / f"{name}.paired.json")
        base = others["minisearch"].get("median", 0.0)
        parse = max(row["parse"], 0.01)
        yield line(name, "askbook", {**row, "median": row["warm"], "p95": row["warm95"]}, parse, base)
        for library, them in others.items():
            if "skipped" in them:
                yield f"| {name} | {library} | skipped: {them['skipped']} | | | | | | |"
            else:
                yield line(name, library, them, parse, base)


def line(book: str, library: str, figures: Mapping[str, float], parse: float, base: float) -> str:
    """One row."""
    size, load, median, late, found = (figures[name] for name in ("bytes", "load", "median", "p95", "found"))
    against = f"{median / base:.2f}" if base else ""
    times = f"{load:.1f} | {load / parse:.2f} | {median:.2f} | {late:.2f} | {against}"
    return f"| {book} | {library} | {size / MEGABYTE:.2f} | {times} | {found:.0%} |"


def memory(out: Path) -> Iterator[str]:
    """Table of the heap with each book."""
    yield "| book | heap of the bare runtime, MB | index loaded | text attached, questions asked |"
    yield "|---|---:|---:|---:|"
    sets = [one for one in retrieval_sets() if one.name.startswith(("en", "mini-en"))]
    for book, questions in (synthetic(), book_of(sets, "en", SIZES[-1])):
        written = write(out / "memory", book, questions[:40])
        found = node("memory.mjs", ROOT / "client/vendor", written.index, written.text, written.questions)
        figures = " | ".join(f"{found[step]['heap'] / MEGABYTE:.1f}" for step in ("bare", "loaded", "asked"))
        yield f"| {book.book}, {len(book.cards):,} cards | {figures} |"
    free = found["core"]["heap"] - found["core"]["used"]
    free = (found["core"]["heap"] - found["core"]["used"]) / MEGABYTE
    yield f"\nWith the core imported {free:.1f} MB of the first heap are free; a memory snapshot needs that it has not grown."


def main() -> int:
    """Print both tables."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        for row in speed(out):
            print(row, flush=True)
        print()
        for row in memory(out):
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
