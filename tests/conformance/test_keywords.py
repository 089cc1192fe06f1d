"""The keyword search of the browser reads an index as the core does, and finds nearly as much, where Python may not run."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from askbook.builder.cli import main as build
from askbook.builder.index.write import encode
from askbook.core.index import load
from askbook.core.search import search
from askbook.terminal.scoring import read_set, score, set_book
from tests.mcp_server.books import analysis, topology

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SHARE = 0.85
"""Of the core's nDCG@10 that keywords alone have to reach."""


def keywords(folder: Path, files: dict[str, bytes], questions: list[str]) -> dict[str, Any]:
    """What the browser's side reads and finds."""
    for name, data in zip(("index.json", "text.json"), files.values(), strict=False):
        (folder / name).write_bytes(data)
    (folder / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    paths = [folder / name for name in ("index.json", "text.json", "questions.json")]
    done = subprocess.run(["node", HERE / "keywords.mjs", *paths], capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def assert_same_cards(folder: Path, files: dict[str, bytes]) -> None:
    """Title, number, kind and address of every card are those the core reads."""
    index = load(next(iter(files.values())))
    cards = [index.card(ordinal) for ordinal in range(len(index))]
    expected = [{"title": one.title, "number": one.number, "kind": one.kind, "url": one.url} for one in cards]
    assert keywords(folder, files, [])["cards"] == expected


@pytest.mark.parametrize("book", [topology, analysis])
def test_cards_of_small_books_are_read_as_the_core_reads_them(book: Any, tmp_path: Path) -> None:
    assert_same_cards(tmp_path, encode(book()))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_cards_of_the_example_book_are_read_as_the_core_reads_them(lang: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(build, [str(ROOT / "examples/book/docs" / lang), "--book", lang, "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    first, side = tmp_path / f"books-{lang}.json", next(tmp_path.glob(f"books-{lang}.text.*"))
    assert_same_cards(tmp_path, {"index": first.read_bytes(), "text": side.read_bytes()})


@pytest.mark.parametrize("name", ["mini-en", "mini-zh"])
def test_keywords_find_nearly_what_the_core_finds(name: str, tmp_path: Path) -> None:
    given = read_set(ROOT / "tests/quality" / name)
    files = encode(set_book(given))
    first, *sides = files
    index = load(files[first], {side: files[side] for side in sides})
    hits = keywords(tmp_path, files, list(given.queries.values()))["hits"]
    ours = score(given, dict(zip(given.queries, hits, strict=True)))
    core = {
        query: [(hit.card.url, hit.score) for hit in search((index,), text, k=10).hits] for query, text in given.queries.items()
    }
    assert ours.ndcg >= SHARE * score(given, core).ndcg
    assert ours.without_hits <= 0.02
