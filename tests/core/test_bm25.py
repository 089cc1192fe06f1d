"""The arithmetic agrees with the paper and with rank-bm25 on plain words."""

from __future__ import annotations

import pytest

from askbook.core.bm25 import accumulate, idf, norms, saturation
from tests.pyodide import parity

DOCUMENTS = [line.split() for line in ("a b b c", "a c c c d", "b d", "a a a a e f g", "c d e")]


def test_a_word_in_every_card_still_counts_a_little() -> None:
    assert 0 < idf(4, 4) < idf(2, 4) < idf(1, 4)


def test_repeats_count_with_falling_returns_and_less_in_long_cards() -> None:
    steps = [saturation(times, 10, 10) for times in (1, 2, 3)]
    assert steps[1] - steps[0] > steps[2] - steps[1] > 0
    assert saturation(1, 5, 10) > saturation(1, 10, 10) > saturation(1, 20, 10)


@pytest.mark.parametrize("question", ["a", "b c", "d e f", "a b c d e f g", "z"])
def test_scores_agree_with_rank_bm25(question: str) -> None:
    okapi = pytest.importorskip("rank_bm25", reason="rank-bm25 is the oracle").BM25Okapi(DOCUMENTS, k1=1.5, b=0.75)
    average = sum(map(len, DOCUMENTS)) / len(DOCUMENTS)
    own = norms(list(map(len, DOCUMENTS)), average, k1=1.5, b=0.75)
    scores: dict[int, float] = {}
    for word in question.split():
        cards = [place for place, document in enumerate(DOCUMENTS) if word in document]
        frequencies = [DOCUMENTS[place].count(word) for place in cards]
        accumulate(scores, cards, frequencies, weight=okapi.idf.get(word, 0.0), norms=own, k1=1.5)
    assert [scores.get(place, 0.0) for place in range(len(DOCUMENTS))] == pytest.approx(
        list(okapi.get_scores(question.split())), abs=1e-6
    )


def test_one_term_accumulates_to_its_saturation() -> None:
    scores = {1: 1.0}
    accumulate(scores, [1], [3], weight=2.0, norms=norms([4, 12], 8))
    assert scores == pytest.approx({1: 1.0 + 2.0 * saturation(3, 12, 8)})


def test_scores_of_a_written_index_agree_with_rank_bm25() -> None:
    pytest.importorskip("rank_bm25", reason="rank-bm25 is the oracle")
    found = parity.by_core(parity.index())
    assert found == [pytest.approx(row, abs=1e-6) for row in parity.by_rank_bm25()]
    assert sum(score > 0 for row in found for score in row) > 100
