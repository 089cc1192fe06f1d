"""Load and search indexes of 5,000 and 20,000 cards inside Pyodide, made of all passages of the retrieval sets."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from askbook.builder.index.write import encode
from askbook.core.schema import Book, Card
from askbook.terminal.scoring import RetrievalSet, set_book

from .retrieval_sets import ROOT, retrieval_sets

SIZES = (5_000, 20_000)
QUESTIONS = 400
CARD_CHARACTERS = {"zh": 400, "en": 1200}
"""Where a longer passage is cut: about 300 model tokens, as the build cuts."""


def pieces(card: Card, size: int) -> list[Card]:
    """A passage cut to the size of cards."""
    return [replace(card, text=card.text[start : start + size]) for start in range(0, max(1, len(card.text)), size)]


def book_of(sets: list[RetrievalSet], lang: str, size: int) -> tuple[Book, list[str]]:
    """One book of exactly `size` cards from all sets of a language, repeated if there are too few, and questions of all sets."""
    cards = [piece for one in sets for card in set_book(one).cards for piece in pieces(card, CARD_CHARACTERS[lang])]
    each = QUESTIONS // len(sets) + 1
    questions = [text for one in sets for text in list(one.queries.values())[:: max(1, len(one.queries) // each)]]
    many = [replace(card, id=f"{place}", url=f"p{place}#a") for place, card in enumerate(islice(cycle(cards), size))]
    return Book(col="bench", book=f"{lang}-{size}", title=lang, lang=lang, cards=tuple(many)), questions[:QUESTIONS]


def write_indexes(out: Path) -> None:
    """One index a language and size, with its text and its questions beside it."""
    for lang in CARD_CHARACTERS:
        sets = [one for one in retrieval_sets() if one.name.startswith((lang, f"mini-{lang}"))]
        for size in SIZES:
            book, questions = book_of(sets, lang, size)
            for place, data in enumerate(encode(book).values()):
                (out / f"{lang}-{size:05d}.{'text' if place else 'index'}.json").write_bytes(data)
            (out / f"{lang}-{size:05d}.questions.json").write_text(json.dumps(questions), encoding="utf-8")


def pack(out: Path) -> str:
    """The core as a zip, as Pyodide unpacks it."""
    core = out / "zip" / "core"
    shutil.copytree(ROOT / "client" / "py", core / "askbook" / "core", ignore=shutil.ignore_patterns("__pycache__"))
    return shutil.make_archive(str(core), "zip", core)


def main() -> int:
    """Print a table in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        write_indexes(out)
        script = Path(__file__).with_name("retrieval_speed.mjs")
        done = subprocess.run(["node", script, out, pack(out)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr.strip()[-500:], file=sys.stderr)
        return 1
    print("| index | bytes | JSON.parse | load | median | 95th | median again | 95th again |\n|---|---|---|---|---|---|---|---|")
    for row in json.loads(done.stdout.strip().splitlines()[-1]):
        times = " | ".join(f"{row[key]:.1f}" for key in ("parse", "load", "median", "p95", "warm", "warm95"))
        print(f"| {row['name']} | {row['bytes']:,} | {times} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
