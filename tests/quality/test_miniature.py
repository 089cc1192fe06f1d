"""Two small sets of our own, one in each language: search may get better, not worse."""

from __future__ import annotations

from pathlib import Path

import pytest

from askbook.terminal.baseline import run_baseline
from askbook.terminal.evaluate import run_ours
from askbook.terminal.scoring import RetrievalSet, read_set, score

HERE = Path(__file__).parent
FLOORS = {"mini-en": (0.82, 0.84), "mini-zh": (0.82, 0.86)}
"""Set to the least nDCG@10 and recall@5."""


@pytest.fixture(params=sorted(FLOORS))
def given(request: pytest.FixtureRequest) -> RetrievalSet:
    return read_set(HERE / request.param)


def test_search_stays_above_its_floor(given: RetrievalSet) -> None:
    figures = score(given, run_ours(given, 20))
    ndcg, recall = FLOORS[given.name]
    assert figures.questions == 24
    assert figures.ndcg >= ndcg
    assert figures.recall >= recall
    assert figures.without_hits == 0


def test_search_is_better_than_plain_bm25(given: RetrievalSet) -> None:
    assert score(given, run_ours(given, 20)).ndcg > score(given, run_baseline(given, 20)).ndcg


def test_a_number_finds_its_card_first(given: RetrievalSet) -> None:
    run = run_ours(given, 1)
    asked = [query for query, kind in given.kinds.items() if kind == "ident" and query.startswith("numbers")]
    assert {query: run[query][0][0] for query in asked} == {query: next(iter(given.relevant[query])) for query in asked}


def test_both_sets_ask_the_same() -> None:
    english, chinese = (read_set(HERE / name) for name in sorted(FLOORS))
    assert list(english.queries) == list(chinese.queries)
    assert [passage["id"] for passage in english.corpus if passage["id"].isascii()][:3] == ["1", "1-1/definition-1-1", "1-1"]
    assert len(english.corpus) == len(chinese.corpus)
