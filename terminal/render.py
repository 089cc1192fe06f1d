"""`askbook render`: draw an answer as the page would."""

from __future__ import annotations

from typing import TextIO

import click

from askbook.core.render import render_answer


@click.command("render")
@click.option("--site", default="https://example.org/", show_default=True, help="Address the book is published at.")
@click.option("--page", help="Address of the page that is open; anchors alone belong to it.")
@click.option(
    "--sources",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="How many sources the answer has; marks up to it become citations.",
)
@click.argument("file", type=click.File(encoding="utf-8"), default="-")
def command(site: str, page: str | None, sources: int, file: TextIO) -> None:
    """Draw the Markdown of FILE (standard input without one) as safe HTML."""
    try:
        markdown = file.read()
    except UnicodeDecodeError as wrong:
        raise click.ClickException(f"{file.name} is not UTF-8: byte {wrong.object[wrong.start]:#04x} at {wrong.start}") from None
    try:
        html = render_answer(markdown, site=site, page=page, sources=sources)
    except ValueError as wrong:
        raise click.BadParameter(str(wrong), param_hint="--site") from wrong
    click.echo(html, nl=False)
