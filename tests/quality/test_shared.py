"""On the development sets search stays above the best baseline of each, identifiers are found, and every question has hits."""

from __future__ import annotations

from pathlib import Path

import pytest

from askbook.terminal.evaluate import run_ours
from askbook.terminal.scoring import read_set, score

SETS = Path(__file__).parents[3] / "shared" / "eval"
BASELINES = {
    "en-fastapi-relnotes": 0.479,
    "en-hello-algo-qa": 0.615,
    "en-pubmedqa": 0.975,
    "en-rust-ident": 0.980,
    "en-tudelft-refs": 0.357,
    "en-xquad": 0.969,
    "zh-cmrc2018": 0.987,
    "zh-dl500-qa": 0.634,
    "zh-hello-algo-qa": 0.642,
    "zh-pumpkin-ident": 0.981,
    "zh-xquad": 0.962,
}
"""Best nDCG@10 of plain BM25 in any of its forms, identifiers kept whole included."""
FLOORS = {
    "en-fastapi-relnotes": 0.55,
    "en-hello-algo-qa": 0.63,
    "en-pubmedqa": 0.975,
    "en-rust-ident": 0.99,
    "en-tudelft-refs": 0.44,
    "en-xquad": 0.97,
    "zh-cmrc2018": 0.988,
    "zh-dl500-qa": 0.68,
    "zh-hello-algo-qa": 0.66,
    "zh-pumpkin-ident": 0.99,
    "zh-xquad": 0.964,
}
IDENTIFIERS = 0.97
"""Least MRR@10 of the identifier sets."""


@pytest.mark.shared
@pytest.mark.parametrize("name", sorted(BASELINES))
def test_search_stays_above_baseline_and_floor(name: str) -> None:
    if not (SETS / name / "corpus.jsonl").exists():
        pytest.skip(f"needs ../shared/eval/{name}")
    given = read_set(SETS / name)
    figures = score(given, run_ours(given, 20))
    assert figures.ndcg >= max(BASELINES[name], FLOORS[name])
    assert figures.without_hits == 0
    if name.endswith("-ident"):
        assert figures.mrr >= IDENTIFIERS
