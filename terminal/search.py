"""`askbook search`: the search of the panel, in the terminal."""

from __future__ import annotations

import json

import click

from askbook.core.limits import PASSAGES
from askbook.core.search import Found, search

from .shelf import read_shelf


@click.command(name="search")
@click.argument("index")
@click.argument("query")
@click.option("-k", default=PASSAGES, show_default=True, type=click.IntRange(1), help="Most hits to show.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(index: str, query: str, k: int, as_json: bool) -> None:
    """Search INDEX (a file, a folder of indexes or a site's address) for QUERY."""
    found = search(read_shelf(index), query, k=k)
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False))
    else:
        _print(found)


def _print(found: Found) -> None:
    status = found.status
    for place, hit in enumerate(found.hits, 1):
        click.echo(f"{place:2d}. {hit.card.title}  ({hit.card.kind}, {hit.score:.2f})\n    {hit.card.url}")
        click.echo(f"    matched: {', '.join(hit.matched)}")
    if not found.hits:
        click.echo("no hits")
    for term, near in status.nearest.items():
        click.echo(f"not in the book: {term}; nearest: {', '.join(near) or 'none'}", err=True)
    click.echo(f"confidence {status.confidence:.2f}", err=True)
