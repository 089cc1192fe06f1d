"""Loading and searching beside the search libraries for JavaScript at 1, 4 and 16 times the text, and the memory it takes.

All read the same cards: passages of the retrieval sets, cut to the size of cards, repeated where there are too few; then real
books whole, each with questions about it. Chinese goes to the libraries as pairs of characters; those that know no Chinese
letters find nothing of it. Ours runs in Pyodide under Node, they run in Node; times are processor time, a median over
questions none of which was asked before, after as many others. MiniSearch is asked as its documentation does it, any word
finds, and, in the rows `minisearch-fuzzy`, as VitePress sets it up: beginnings of words and one slip in five letters count
too. lunr is given the words of the question. `JSON.parse` is that of the same index bytes. Memory is the WebAssembly heap of
the reader's runtime with one book. Goals, for every book: search at most 1.5 times MiniSearch's and load 1.5 times
`JSON.parse`; with 5,000 cards a median of 4 ms and 15 ms for 95 of 100, with 20,000 cards 10 and 40; the synthetic book
within 64 MB in all, 20,000 cards within 150 MB above the bare runtime; load and memory grow as the text does at most (memory
from 5,000 cards on: a smaller book finds room in what the runtime has free), search less. `ASKBOOK_SMOKE=1` takes a small
book, and judges nothing.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from askbook.builder.index.write import encode
from askbook.core.schema import Book, Card
from askbook.terminal.scoring import set_book

from .retrieval_sets import ROOT, retrieval_sets
from .retrieval_speed import book_of, pack

HERE = Path(__file__).parent
SMOKE = bool(os.environ.get("ASKBOOK_SMOKE"))
SIZES = (50, 200) if SMOKE else (1_250, 5_000, 20_000)
SYNTHETIC_CARDS, SYNTHETIC_TERMS = (50, 120) if SMOKE else (5_000, 120)
QUESTIONS = 20 if SMOKE else 200
REAL = ("en-hello-algo-qa", "en-rust-ident", "en-tudelft-refs", "zh-hello-algo-qa", "zh-dl500-qa", "zh-pumpkin-ident")
"""Sets whose texts are one book, whole."""
LARGE = 10_000
FEW = {"en": ("minisearch", "lunr", "flexsearch"), "zh": ("minisearch",)}
"""Libraries that are asked in large books; the others take minutes."""
SLACK = 1.25
PATIENCE_SECONDS = 240
HAN = re.compile("[\u3400-\u9fff]+")
MEGABYTE = 1 << 20
SEARCH_GOAL, LOAD_GOAL, HEAP_GOAL, LARGE_HEAP_GOAL = 1.5, 1.5, 64, 150
"""Times MiniSearch, times `JSON.parse`, MB in all with the synthetic book, MB above the bare runtime with 20,000 cards."""
TIME_GOALS = {5_000: (4, 15), 20_000: (10, 40)}
"""Cards to milliseconds of a search, the median and those that 95 of 100 keep to."""


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
    """Run a script of this folder; return what it prints last, nothing where it takes too long."""
    command = ["node", str(HERE / script), *map(str, arguments)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        return {}
    if done.returncode:
        raise SystemExit(f"{script}: {done.stderr.strip()[-600:]}")
    found: dict[str, dict[str, float]] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def ours(out: Path) -> Iterable[dict[str, float]]:
    """Load and search of every index in a folder, in Pyodide."""
    return node("retrieval_speed.mjs", out, pack(out))  # type: ignore[return-value]


def books(out: Path) -> Iterator[tuple[str, int]]:
    """Write every book that is searched; yields name and number of cards."""
    sets = retrieval_sets()
    for lang in ("en", "zh"):
        own = [one for one in sets if one.name.startswith((lang, f"mini-{lang}"))]
        for size in SIZES:
            book, questions = book_of(own, lang, size)
            write(out, book, questions[:QUESTIONS])
            yield book.book, size
    for one in sets:
        if one.name in REAL and not SMOKE:
            book = replace(set_book(one), book=one.name)
            questions = list(one.queries.values())
            write(out, book, questions[:: -(-len(questions) // QUESTIONS)])
            yield one.name, len(book.cards)


COLUMNS = (
    "| book | cards | library | index, MB | load, ms | load ÷ JSON.parse of ours "
    "| median search, ms | 95th | search ÷ MiniSearch | questions with hits |"
)


def speed(out: Path, missed: list[str]) -> Iterator[str]:
    """Tables of all books and libraries, and of what grows."""
    sizes = dict(books(out))
    mine = {str(row["name"]): row for row in ours(out)}
    yield COLUMNS
    yield "|---|---:|---|---:|---:|---:|---:|---:|---:|---:|"
    for name, cards in sizes.items():
        row = mine[name]
        few = FEW[name[:2]] if cards > LARGE else ()
        others = node("peers.mjs", out / f"{name}.cards.json", out / f"{name}.paired.json", *few)
        base = others.get("minisearch", {}).get("median", 0.0)
        parse = max(row["parse"], 0.01)
        for library, them in {"askbook": row, **others}.items():
            yield f"| {name} | {cards:,} | {library} | {line(them, parse, base)} |"
        missed += judged(name, row["load"] / parse, row["median"] / base if base else 0.0)
        missed += too_slow(name, cards, row)
    yield ""
    yield from growth([(cards, mine[name]) for name, cards in sizes.items() if name.startswith("en-") and cards in SIZES], missed)


def line(figures: Mapping[str, float], parse: float, base: float) -> str:
    """One row, but for its names."""
    if "skipped" in figures:
        return f"skipped: {figures['skipped']} | | | | | |"
    size, load, median, late, found = (figures[name] for name in ("bytes", "load", "median", "p95", "found"))
    against = f"{median / base:.2f}" if base else ""
    return f"{size / MEGABYTE:.2f} | {load:.1f} | {load / parse:.2f} | {median:.2f} | {late:.2f} | {against} | {found:.0%}"


def too_slow(name: str, cards: int, row: Mapping[str, float]) -> Iterator[str]:
    """Times that a book misses."""
    for key, goal in zip(("median", "p95"), TIME_GOALS.get(cards, ()), strict=False):
        if row[key] > goal:
            yield f"{name}: search {row[key]:.1f} ms ({key}), the goal is {goal}"


def judged(name: str, load: float, search: float) -> Iterator[str]:
    """Ratios that a book misses."""
    if load > LOAD_GOAL:
        yield f"{name}: load {load:.2f} times JSON.parse, the goal is {LOAD_GOAL}"
    if search > SEARCH_GOAL:
        yield f"{name}: search {search:.2f} times MiniSearch, the goal is {SEARCH_GOAL}"


def growth(rows: Sequence[tuple[int, Mapping[str, float]]], missed: list[str]) -> Iterator[str]:
    """How load and search grow beside the text, in English."""
    yield "| cards | text × | bytes × | load × | search × |"
    yield "|---:|---:|---:|---:|---:|"
    (least, first), (most, last) = rows[0], rows[-1]
    for cards, row in rows:
        times = " | ".join(f"{row[key] / max(first[key], 0.01):.1f}" for key in ("bytes", "load", "median"))
        yield f"| {cards:,} | {cards / least:.0f} | {times} |"
    if last["load"] / max(first["load"], 0.01) > SLACK * most / least:
        missed.append("load grows faster than the text")
    if last["median"] / max(first["median"], 0.01) > most / least:
        missed.append("search grows faster than the text")


def memory(out: Path, missed: list[str]) -> Iterator[str]:
    """Table of the heap with each book."""
    yield "| book | bare runtime, MB | core imported | index loaded | text attached, questions asked | of it the book's | goal |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    sets = [one for one in retrieval_sets() if one.name.startswith(("en", "mini-en"))]
    owns = []
    for book, questions in (synthetic(), *(book_of(sets, "en", size) for size in SIZES)):
        written = write(out / "memory", book, questions[:40])
        found = node("memory.mjs", ROOT / "client/vendor", written.index, written.text, written.questions)
        steps = [found[step]["heap"] / MEGABYTE for step in ("bare", "core", "loaded", "asked")]
        own = (found["asked"]["used"] - found["core"]["used"]) / MEGABYTE
        goal = HEAP_GOAL if book.book == "synthetic" else LARGE_HEAP_GOAL + steps[0] if len(book.cards) > LARGE else 0
        shown = " | ".join(f"{step:.1f}" for step in steps)
        yield f"| {book.book}, {len(book.cards):,} cards | {shown} | {own:.1f} | {f'{goal:.0f}' if goal else ''} |"
        owns.append(own)
        if goal and steps[-1] > goal:
            missed.append(f"{book.book}: {steps[-1]:.0f} MB, the goal is {goal:.0f}")
    if owns[-1] > owns[-2] * SLACK * SIZES[-1] / SIZES[-2]:
        missed.append("memory grows faster than the text")
    free = (found["core"]["heap"] - found["core"]["used"]) / MEGABYTE
    yield f"\nWith the core imported {free:.1f} MB of the first heap are free; a memory snapshot needs that it has not grown."


def main() -> int:
    """Print the tables; 1 when a goal is missed."""
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        for row in (*memory(out, missed), "", *speed(out, missed)):
            print(row, flush=True)
    if SMOKE:
        return 0
    print("\n" + ("Missed: " + "; ".join(missed) if missed else "All goals are reached") + ".")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
