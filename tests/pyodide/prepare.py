"""Write a small book's index files and what CPython's core says of it: `python prepare.py FOLDER`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import parity
from probe import probe

from askbook.builder.index.write import encode
from askbook.core.schema import Book, Card, Paragraph, Section

TEXTS = (
    ("definition", "Definition 1.1 (Inverted index)", "1.1",
     "An inverted index is a map from every term to its postings list. It turns them around."),
    ("theorem", "Theorem 2.2 (Rarity)", "2.2",
     "A rare term is worth more than a common one, since $\\log N/\\mathrm{df}$ falls."),
    ("section", "定义 1.1（倒排索引）", "1.1", "倒排索引是从每个词项到其倒排列表的映射。文档是词项的列表。"),
    ("section", "Programs in C++", "", "`C++` has `std::map`; C# has `Dictionary`."),
)  # fmt: skip


def book() -> Book:
    """Four cards in one chapter."""
    cards = tuple(
        Card(f"1/{kind}-{at}", kind, title, f"one/#{kind}-{at}", text, number, ("Chapter 1",), 0, (Paragraph(0, len(text)),))
        for at, (kind, title, number, text) in enumerate(TEXTS)
    )
    sections = (Section("Chapter 1", "one/", 0, 0, len(cards), "1"), Section("Postings", "one/#1.1", 1, 0, 2, "1.1"))
    return Book("books", "probe", "A small book", "en", cards, sections, ("one/",))


def main(folder: Path) -> None:
    """Write everything."""
    files = encode(book())
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "expected.txt").write_text(probe(files), encoding="utf-8")
    data = parity.index()
    (folder / "parity.index").write_bytes(data)
    (folder / "parity.txt").write_text(json.dumps([parity.by_core(data), parity.by_rank_bm25()]), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
