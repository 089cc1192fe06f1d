"""Read a retrieval set and score a ranking against it, by the definitions in the set's README."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import Any

from askbook.core.schema import Book, Card

_HAN_SHARE = 0.1
"""Of the letters of a set, from which on it counts as Chinese."""
DEPTH = 10


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """Passages, questions and what is right."""

    name: str
    corpus: Sequence[Mapping[str, str]]
    queries: Mapping[str, str]
    kinds: Mapping[str, str]
    """Question to its kind, where the set has kinds."""
    relevant: Mapping[str, Mapping[str, int]]
    """Question to passage to grade."""
    excluded: Mapping[str, frozenset[str]]
    """Question to the passages it was cut from."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over the questions that have an answer."""

    questions: int
    ndcg: float
    mrr: float
    recall: float
    without_hits: float
    """Share of all questions for which nothing was found."""

    def to_json(self) -> dict[str, Any]:
        """With the names the sets use."""
        return {
            "questions": self.questions,
            "nDCG@10": self.ndcg,
            "MRR@10": self.mrr,
            "recall@5": self.recall,
            "no_hits": self.without_hits,
        }


def read_set(folder: Path) -> RetrievalSet:
    """Read the files of a set; raise OSError, ValueError or KeyError where it is none."""
    queries = [json.loads(line) for line in _lines(folder / "queries.jsonl")]
    relevant: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for line in _lines(folder / "qrels.tsv"):
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            relevant[query][document] = int(grade)
    excluded: defaultdict[str, set[str]] = defaultdict(set)
    if (folder / "excluded.tsv").exists():
        for line in _lines(folder / "excluded.tsv"):
            query, document = line.split("\t")
            excluded[query].add(document)
    return RetrievalSet(
        name=folder.name,
        corpus=[json.loads(line) for line in _lines(folder / "corpus.jsonl")],
        queries={query["id"]: query["text"] for query in queries},
        kinds={query["id"]: query["kind"] for query in queries if "kind" in query},
        relevant=dict(relevant),
        excluded={query: frozenset(documents) for query, documents in excluded.items()},
    )


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        yield from (line.rstrip("\n") for line in file if line.strip())


def set_book(given: RetrievalSet) -> Book:
    """The set as a book: a title `A > B > C` is a trail with the card's own title at its end."""
    cards = []
    for passage in given.corpus:
        *trail, title = passage.get("title", "").split(" > ")
        cards.append(
            Card(id=passage["id"], kind="section", title=title, url=passage["id"], text=passage["text"], breadcrumb=tuple(trail))
        )
    return Book(col="eval", book="set", title=given.name, lang=_language(given), cards=tuple(cards))


def _language(given: RetrievalSet) -> str:
    sample = "".join(passage["text"][:200] for passage in given.corpus[:200])
    han = sum("\u4e00" <= letter <= "\u9fff" for letter in sample)
    return "zh-Hans" if han > _HAN_SHARE * max(1, len(sample)) else "en"


def score(given: RetrievalSet, run: Mapping[str, Sequence[tuple[str, float]]]) -> Figures:
    """Score a ranking; passages a question was cut from are taken out first, repeats count once."""
    rows = list(rows_of(given, run).values())
    asked, answered = max(1, len(given.queries)), max(1, len(rows))
    return Figures(
        questions=len(rows),
        ndcg=sum(row[0] for row in rows) / answered,
        mrr=sum(row[1] for row in rows) / answered,
        recall=sum(row[2] for row in rows) / answered,
        without_hits=sum(not run.get(query) for query in given.queries) / asked,
    )


def rows_of(given: RetrievalSet, run: Mapping[str, Sequence[tuple[str, float]]]) -> dict[str, tuple[float, float, float]]:
    """nDCG@10, MRR@10 and recall@5 of every question that has an answer."""
    rows = {}
    for query in given.queries:
        out = given.excluded.get(query, frozenset())
        right = {document: grade for document, grade in given.relevant.get(query, {}).items() if document not in out}
        if right:
            ranked = [document for document in dict.fromkeys(d for d, _ in run.get(query, ())) if document not in out][:DEPTH]
            rows[query] = _row(ranked, right)
    return rows


def _row(ranked: Sequence[str], right: Mapping[str, int]) -> tuple[float, float, float]:
    gain = sum(right.get(document, 0) / log2(place + 2) for place, document in enumerate(ranked))
    best = sum(grade / log2(place + 2) for place, grade in enumerate(sorted(right.values(), reverse=True)[:DEPTH]))
    first = next((1 / (place + 1) for place, document in enumerate(ranked) if document in right), 0.0)
    return gain / best, first, sum(document in right for document in ranked[:5]) / min(5, len(right))
