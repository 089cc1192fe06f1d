"""Read a retrieval set and score a ranking against it, by the definitions in the set's README."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import Any, TypeVar

from askbook.core.errors import BookError
from askbook.core.schema import Book, Card

_HAN_SHARE = 0.1
"""Of the letters of a set, from which on it counts as Chinese."""
DEPTH = 10


T = TypeVar("T")


class SetError(BookError):
    """A folder is no retrieval set; the message names file and line."""


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
    """Read the files of a set; raise SetError where it is none."""
    queries = list(_rows(folder / "queries.jsonl", _entry))
    corpus = list(_rows(folder / "corpus.jsonl", _entry))
    if not corpus:
        raise SetError(f"{folder / 'corpus.jsonl'} holds no passage")
    relevant: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for query, document, grade in _rows(folder / "qrels.tsv", _judgement):
        if grade > 0:
            relevant[query][document] = grade
    excluded: defaultdict[str, set[str]] = defaultdict(set)
    if (folder / "excluded.tsv").exists():
        for query, document in _rows(folder / "excluded.tsv", _exclusion):
            excluded[query].add(document)
    return RetrievalSet(
        name=folder.name,
        corpus=corpus,
        queries={query["id"]: query["text"] for query in queries},
        kinds={query["id"]: query["kind"] for query in queries if "kind" in query},
        relevant=dict(relevant),
        excluded={query: frozenset(documents) for query, documents in excluded.items()},
    )


def _rows(path: Path, read: Callable[[str], T]) -> Iterator[T]:
    """What `read` makes of each line that is not blank; a line that it refuses is named."""
    number = 0
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):  # noqa: B007
                if line.strip():
                    yield read(line.rstrip("\n"))
    except OSError as wrong:
        raise SetError(f"{path}: {wrong.strerror}") from None
    except UnicodeDecodeError as wrong:
        raise SetError(f"{path}:{number + 1}: not UTF-8: byte {wrong.object[wrong.start]:#04x}") from None
    except (ValueError, RecursionError) as wrong:
        raise SetError(f"{path}:{number}: {wrong}") from None


def _entry(line: str) -> Mapping[str, str]:
    """A passage or a question: an object of texts with at least `id` and `text`."""
    value = json.loads(line)
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    entry = {name: text for name, text in value.items() if isinstance(text, str)}
    if lost := [name for name in ("id", "text") if name not in entry]:
        raise ValueError(f"{lost[0]!r} is missing or no text")
    return entry


def _judgement(line: str) -> tuple[str, str, int]:
    query, document, grade = line.split("\t")
    return query, document, int(grade)


def _exclusion(line: str) -> tuple[str, str]:
    query, document = line.split("\t")
    return query, document


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
