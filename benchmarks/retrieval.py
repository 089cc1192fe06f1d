"""Quality of the search on every retrieval set: baseline, ours, each ingredient, bytes; --write fills docs/retrieval.md."""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from unittest.mock import patch

from askbook.builder.index.write import encode
from askbook.core import expansion, question, ranking
from askbook.core.extract import extract
from askbook.core.index import Index, load
from askbook.core.search import search
from askbook.terminal.baseline import run_baseline
from askbook.terminal.scoring import RetrievalSet, rows_of, score, set_book

from .retrieval_sets import ROOT, retrieval_sets

DOC = ROOT / "docs" / "retrieval.md"
START, END = "<!-- figures: python -m benchmarks.retrieval --write -->", "<!-- end of figures -->"
SAMPLE = 100
"""Questions of a set that the ablation asks; the other figures ask all of them."""
FEW = 150
"""A set with fewer questions is held against the baseline by a paired bootstrap …"""
DRAWS = 5_000
"""… of so many draws."""


@dataclass(frozen=True)
class Prepared:
    """A set with its index and the sizes of its files."""

    given: RetrievalSet
    index: Index
    postings: float
    everything: float


def prepare(given: RetrievalSet) -> Prepared:
    """Build the index of a set, read it back, and weigh it against its text."""
    files = encode(set_book(given))
    main, *sides = files
    text = "\n".join(f"{passage.get('title', '')}\n{passage['text']}" for passage in given.corpus)
    whole = _packed(text.encode())

    terms = json.dumps(json.loads(files[main])["terms"], ensure_ascii=False).encode()
    index = load(files[main], {side: files[side] for side in sides})
    return Prepared(given, index, _packed(terms) / whole, sum(map(_packed, files.values())) / whole)


def _packed(data: bytes) -> int:
    return len(gzip.compress(data, 9, mtime=0))


def sampled(given: RetrievalSet) -> RetrievalSet:
    """The set with at most SAMPLE of its questions, drawn with a fixed seed."""
    kept = sorted(random.Random(3).sample(sorted(given.queries), min(SAMPLE, len(given.queries))))
    return RetrievalSet(
        given.name, given.corpus, {q: given.queries[q] for q in kept}, given.kinds, given.relevant, given.excluded
    )


Run = Mapping[str, Sequence[tuple[str, float]]]
"""Ranking of every question."""


def run(given: RetrievalSet, index: Index) -> dict[str, list[tuple[str, float]]]:
    """Ranking of every question."""
    return {
        query: [(hit.card.id, hit.score) for hit in search([index], text, k=20 + len(given.excluded.get(query, ()))).hits]
        for query, text in given.queries.items()
    }


def right_passages(given: RetrievalSet, index: Index) -> float:
    """Share of questions with a sentence of a right card among the first three passages of the answer without a model."""
    asked = right = 0
    for query, text in given.queries.items():
        out = given.excluded.get(query, frozenset())
        wanted = set(given.relevant.get(query, {})) - out
        if wanted:
            hits = [hit for hit in search([index], text, k=8 + len(out)).hits if hit.card.id not in out][:8]
            asked += 1
            right += any(hits[one.hit].card.id in wanted for one in extract(text, hits)[:3])
    return right / max(1, asked)


@contextmanager
def changed(*changes: tuple[object, str, object]) -> Iterator[None]:
    """Put other values in place for a while."""
    with ExitStack() as stack:
        for where, name, value in changes:
            stack.enter_context(patch.object(where, name, value))
        yield


def _shapes(**weights: float) -> tuple[object, str, object]:
    return question, "SHAPE_WEIGHT", {**question.SHAPE_WEIGHT, **weights}


def _classes(power: float) -> tuple[object, str, object]:
    raised = {"name": 4.0**power, "number": 3.0**power, "concept": 1.8**power}
    return question, "CLASS_WEIGHT", {**question.CLASS_WEIGHT, **raised}


def _length(b: float) -> tuple[object, str, object]:
    from askbook.core.bm25 import Norms, norms

    def own(self: Index, average: float) -> Norms:
        return norms(self.lengths, average, b=b)

    return Index, "norms", own


ABLATION: dict[str, Callable[[], tuple[tuple[object, str, object], ...]]] = {
    "as it is": tuple,
    "no stems (words alone)": lambda: (_shapes(stem=0.0, word=1.2), (question, "_ALONE", 1.0)),
    "no labels, no numbers": lambda: (_shapes(label=0.0, number=0.0), (ranking, "LABEL_SHARE", 0.0)),
    "no promotion of the label's own card": lambda: ((ranking, "LABEL_SHARE", 0.0),),
    "all classes weigh 1": lambda: (_classes(0.0),),
    "class weights at full power": lambda: (_classes(1.0),),
    "no words of jieba": lambda: (_shapes(han=0.0),),
    "pairs with function words in full": lambda: (_shapes(touched=1.0),),
    "b = 0.75": lambda: (_length(0.75),),
    "no page": lambda: ((ranking, "PAGE_SHARE", 0.0),),
    "no phrases": lambda: ((ranking, "PHRASE_SHARE", 0.0),),
    "no spelling, no bridge": lambda: ((expansion, "nearest_of", lambda *_: ()), (expansion, "crossings", lambda *_: ())),
}
"""What is taken away, and how."""


def not_better(given: RetrievalSet, ours: Run, plain: Run) -> float:
    """Share of paired bootstrap draws of the questions in which the baseline has at least our nDCG@10."""
    mine, theirs = rows_of(given, ours), rows_of(given, plain)
    gains = [mine[query][0] - theirs[query][0] for query in sorted(mine)]
    draw = random.Random(7)
    return sum(sum(draw.choices(gains, k=len(gains))) <= 0 for _ in range(DRAWS)) / DRAWS


def tables(prepared: list[Prepared]) -> str:
    """Both tables as Markdown."""
    return "\n".join([*_quality(prepared), "", *_ablation(prepared)])


def _quality(prepared: list[Prepared]) -> Iterator[str]:
    few: list[str] = []
    yield "| set | asked | rank-bm25 | nDCG@10 | MRR@10 | recall@5 | no hits | right passage | postings | all files |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for one in prepared:
        given = one.given
        mine, theirs = run(given, one.index), run_baseline(given, 20)
        ours, plain = score(given, mine), score(given, theirs)
        if ours.questions < FEW:
            few.append(f"{given.name} {not_better(given, mine, theirs):.3f}")
        yield (
            f"| {given.name} | {ours.questions} | {plain.ndcg:.3f} | **{ours.ndcg:.3f}** | {ours.mrr:.3f} | {ours.recall:.3f} | "
            f"{ours.without_hits:.3f} | {right_passages(given, one.index):.3f} | {one.postings:.2f} | {one.everything:.2f} |"
        )
    yield f"\nShare of bootstrap draws in which rank-bm25 is as good, sets under {FEW} questions: {', '.join(few)}."


def _ablation(prepared: list[Prepared]) -> Iterator[str]:
    shared = [one for one in prepared if not one.given.name.startswith("mini-")]
    yield "| nDCG@10 | " + " | ".join(one.given.name for one in shared) + " |"
    yield "|---|" + "---|" * len(shared)
    for name, change in ABLATION.items():
        with changed(*change()):
            values = [score(few := sampled(one.given), run(few, one.index)).ndcg for one in shared]
        yield f"| {name} | " + " | ".join(f"{value:.3f}" for value in values) + " |"


def main(arguments: list[str]) -> int:
    """Print the tables; with --write, put them between the marks of the page."""
    text = tables([prepare(given) for given in retrieval_sets()])
    print(text)
    if "--write" in arguments:
        before, _, rest = DOC.read_text(encoding="utf-8").partition(START)
        _, _, after = rest.partition(END)
        DOC.write_text(f"{before}{START}\n\n{text}\n\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
