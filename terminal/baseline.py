"""The baseline: rank-bm25's BM25Okapi over words and Chinese bigrams, untuned."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rank_bm25 import BM25Okapi

from .scoring import RetrievalSet

_RUN = re.compile(r"[a-z0-9]+|[\u3400-\u4dbf\u4e00-\u9fff]+")


def run_baseline(given: RetrievalSet, k: int) -> Mapping[str, Sequence[tuple[str, float]]]:
    """Ranking of every question by plain BM25 over title and text."""
    engine = BM25Okapi([_tokens(f"{passage.get('title', '')}\n{passage['text']}") for passage in given.corpus])
    ids = [passage["id"] for passage in given.corpus]
    run = {}
    for query, text in given.queries.items():
        scores = engine.get_scores(_tokens(text))
        best = sorted(range(len(ids)), key=lambda place: (-scores[place], place))[: k + len(given.excluded.get(query, ()))]
        run[query] = [(ids[place], float(scores[place])) for place in best if scores[place] > 0]
    return run


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    for run in _RUN.findall(text.lower()):
        if run[0].isascii() or len(run) == 1:
            found.append(run)
        else:
            found += (run[place : place + 2] for place in range(len(run) - 1))
    return found
