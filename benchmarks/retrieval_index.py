"""Write indexes of 5,000 and 20,000 cards with questions, for the speed measurement: python benchmarks/retrieval_index.py SETS OUT."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

from askbook.builder.index.write import encode
from askbook.core.schema import Book, Card
from askbook.terminal.scoring import read_set, set_book

SIZES = (5_000, 20_000)
QUESTIONS = 400
CARD_CHARACTERS = {"zh": 400, "en": 1200}
"""Where a longer passage is cut: about 300 model tokens, as the build cuts."""


def pieces(card: Card, size: int) -> list[Card]:
    """A passage cut to the size of cards."""
    starts = range(0, max(1, len(card.text)), size)
    return [
        replace(card, id=f"{card.id}-{start}", url=f"{card.id}-{start}", text=card.text[start : start + size]) for start in starts
    ]


def book_of(folders: list[Path], lang: str, size: int) -> tuple[Book, list[str]]:
    """One book of exactly `size` cards from all sets of a language, repeated with other letters if there are too few."""
    sets = [read_set(folder) for folder in folders]
    cards = [piece for one in sets for card in set_book(one).cards for piece in pieces(card, CARD_CHARACTERS[lang])]
    questions = [
        text for one in sets for text in list(one.queries.values())[:: max(1, len(one.queries) * len(sets) // QUESTIONS)]
    ]
    many = [replace(card, id=f"{place}", url=f"p{place}#a") for place, card in enumerate(islice(cycle(cards), size))]
    return Book(col="bench", book=f"{lang}-{size}", title=lang, lang=lang, cards=tuple(many)), questions[:QUESTIONS]


def main(sets: Path, out: Path) -> None:
    """Write one index a language and size, and the questions beside it."""
    out.mkdir(parents=True, exist_ok=True)
    for lang in ("zh", "en"):
        folders = sorted(path for path in sets.glob(f"{lang}-*") if (path / "corpus.jsonl").exists())
        for size in SIZES:
            book, questions = book_of(folders, lang, size)
            for place, data in enumerate(encode(book).values()):
                (out / f"{lang}-{size}.{'text' if place else 'index'}.json").write_bytes(data)
            (out / f"{lang}-{size}.questions.json").write_text(json.dumps(questions), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
