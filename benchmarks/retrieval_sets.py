"""Where the retrieval sets are: ../shared/eval beside the checkout, and the two small ones of our own that are always there."""

from __future__ import annotations

from pathlib import Path

from askbook.terminal.scoring import RetrievalSet, read_set

ROOT = Path(__file__).parents[1]


def retrieval_sets() -> list[RetrievalSet]:
    """Every set there is, ours last."""
    folders = [*sorted((ROOT.parent / "shared" / "eval").glob("*-*")), *sorted((ROOT / "tests" / "quality").glob("mini-*"))]
    return [read_set(folder) for folder in folders if (folder / "corpus.jsonl").exists()]
