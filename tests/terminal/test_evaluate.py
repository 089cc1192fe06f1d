"""`askbook eval` scores as the sets define, and needs no jieba to search."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from askbook.terminal.evaluate import command
from askbook.terminal.scoring import Figures, RetrievalSet, read_set, score

MINI = Path(__file__).parents[1] / "quality" / "mini-en"
SCORER = Path(__file__).parents[3] / "shared" / "eval" / "score.py"


def given(**more: object) -> RetrievalSet:
    fields = {"name": "s", "corpus": [], "queries": {"q": "?"}, "kinds": {}, "relevant": {"q": {"a": 2, "b": 1}}, "excluded": {}}
    return RetrievalSet(**(fields | more))  # type: ignore[arg-type]


def test_figures_follow_their_definitions() -> None:
    run = {"q": [("x", 3.0), ("a", 2.0), ("a", 1.5), ("b", 1.0)]}
    ndcg = (2 / 1.584962500721156 + 1 / 2) / (2 + 1 / 1.584962500721156)
    figures = score(given(), run)
    assert figures == Figures(questions=1, ndcg=pytest.approx(ndcg), mrr=0.5, recall=1.0, without_hits=0.0)


def test_passages_the_question_was_cut_from_are_left_out() -> None:
    figures = score(given(excluded={"q": frozenset({"a"})}), {"q": [("a", 2.0), ("b", 1.0)]})
    assert (figures.ndcg, figures.mrr, figures.recall) == (1.0, 1.0, 1.0)


def test_a_question_without_hits_is_counted() -> None:
    assert score(given(), {"q": []}) == Figures(questions=1, ndcg=0.0, mrr=0.0, recall=0.0, without_hits=1.0)


def test_the_command_prints_json_and_writes_its_run(tmp_path: Path) -> None:
    file = tmp_path / "run.tsv"
    done = CliRunner().invoke(command, [str(MINI), "--json", "--run", str(file), "--baseline", "rank-bm25"])
    found = json.loads(done.output)
    assert set(found) == {"set", "questions", "nDCG@10", "MRR@10", "recall@5", "no_hits", "baselines"}
    assert found["nDCG@10"] > found["baselines"]["rank-bm25"]["nDCG@10"]
    assert [len(line.split("\t")) for line in file.read_text().splitlines()[:3]] == [4, 4, 4]
    assert {line.split("\t")[0] for line in file.read_text().splitlines()} == set(read_set(MINI).queries)


@pytest.mark.shared
def test_figures_equal_those_of_the_sets_own_scorer(tmp_path: Path) -> None:
    if not SCORER.exists():
        pytest.skip("needs ../shared/eval/score.py")
    file = tmp_path / "run.tsv"
    ours = json.loads(CliRunner().invoke(command, [str(MINI), "--json", "--run", str(file)]).output)
    theirs = json.loads(subprocess.run([sys.executable, SCORER, MINI, file, "--json"], capture_output=True, check=True).stdout)[
        "all"
    ]
    assert [ours[key] for key in ("nDCG@10", "MRR@10", "recall@5")] == pytest.approx(
        [theirs[key] for key in ("nDCG@10", "MRR@10", "Recall@5")]
    )


def test_a_folder_that_is_no_set_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, [str(tmp_path)])
    assert done.exit_code == 1
    assert str(tmp_path) in done.output


def test_searching_imports_neither_jieba_nor_the_builder() -> None:
    names = "m for m in sys.modules if m.startswith(('jieba', 'orjson', 'askbook.builder'))"
    code = f"import sys, askbook.core.search; print(sorted({names}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
