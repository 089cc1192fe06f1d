"""`askbook eval`: score the search on a set of questions with known answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from askbook.builder.index.write import encode
from askbook.core.index import Index, load
from askbook.core.search import search

from .scoring import Figures, RetrievalSet, SetError, read_set, score, set_book

Run = Mapping[str, Sequence[tuple[str, float]]]


@click.command(name="eval")
@click.argument("setdir", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("-k", default=20, show_default=True, type=click.IntRange(1), help="Hits a question, excluded ones not counted.")
@click.option("--run", "run_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the ranking here (TSV).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--baseline", type=click.Choice(["rank-bm25"]), help="Print this beside our figures.")
def command(setdir: Path, k: int, run_file: Path | None, as_json: bool, baseline: str | None) -> None:
    """Index the set in SETDIR, search it with every question, and print nDCG@10, MRR@10, recall@5 and the share without hits."""
    try:
        given = read_set(setdir)
    except SetError as wrong:
        raise click.ClickException(f"{setdir} is not a set: {wrong}") from wrong
    run = run_ours(given, k)
    if run_file is not None:
        _write(run, run_file)
    figures = {"askbook": score(given, run)}
    if baseline is not None:
        figures[baseline] = score(given, _rank_bm25()(given, k))
    if as_json:
        click.echo(json.dumps({"set": setdir.name, **figures["askbook"].to_json(), **_beside(figures)}))
    else:
        _print(setdir.name, figures)


def index_of(given: RetrievalSet) -> Index:
    """Build the index of a set and read it back, as a browser would."""
    files = encode(set_book(given))
    first, *sides = files
    return load(files[first], {name: files[name] for name in sides})


def run_ours(given: RetrievalSet, k: int) -> Run:
    """Ranking of every question by the core alone."""
    index = index_of(given)
    run = {}
    for query, text in given.queries.items():
        out = given.excluded.get(query, frozenset())
        hits = search([index], text, k=k + len(out)).hits
        run[query] = [(hit.card.id, hit.score) for hit in hits]
    return run


def _rank_bm25() -> Callable[[RetrievalSet, int], Run]:
    try:
        from .baseline import run_baseline
    except ImportError as wrong:
        raise click.ClickException("the baseline needs rank-bm25: pip install 'askbook[eval]'") from wrong
    return run_baseline


def _beside(figures: Mapping[str, Figures]) -> dict[str, object]:
    others = {name: one.to_json() for name, one in figures.items() if name != "askbook"}
    return {"baselines": others} if others else {}


def _write(run: Run, file: Path) -> None:
    lines = [
        f"{query}\t{document}\t{rank}\t{value:.6f}\n"
        for query, ranked in run.items()
        for rank, (document, value) in enumerate(ranked, 1)
    ]
    file.write_text("".join(lines), encoding="utf-8")


def _print(name: str, figures: Mapping[str, Figures]) -> None:
    click.echo(f"{name:24s} {'nDCG@10':>8s} {'MRR@10':>8s} {'recall@5':>8s} {'no hits':>8s} {'asked':>6s}")
    for who, one in figures.items():
        click.echo(f"{who:24s} {one.ndcg:8.4f} {one.mrr:8.4f} {one.recall:8.4f} {one.without_hits:8.4f} {one.questions:6d}")
