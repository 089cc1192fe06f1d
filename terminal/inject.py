"""`askbook inject`: the assistant into a site that any generator built."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click

from askbook.builder.cli import language_option, slug_option
from askbook.builder.features import load_features, placed
from askbook.core.errors import BookError, ContentError
from askbook.site_plugin.assets import VENDORED
from askbook.site_plugin.compression import KINDS, write_compressed
from askbook.site_plugin.injection import Injected, Injection, inject


@click.command(name="inject")
@click.argument("site", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--col", default="books", show_default=True, callback=slug_option, help="Collection the book belongs to.")
@click.option("--book", callback=slug_option, help="Slug of the book; else from the folder's name.")
@click.option("--title", default="", help="Title of the book; else from its first page.")
@click.option("--lang", default="auto", show_default=True, callback=language_option, help="Language of the book as BCP 47.")
@click.option("--base-url", default="", help="Path the site is published under: `/books/x/`.")
@click.option(
    "--features",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File of switches; else features.toml beside SITE.",
)
@click.option("--runtime", default=VENDORED, show_default=True, help="`vendored`, or the address of the Python runtime.")
@click.option("--question", "questions", multiple=True, help="A first question offered to readers; may be given again.")
@click.option("--shortcut", default="Control+I Meta+I", show_default=True, help="Keys that open the panel; empty for none.")
@click.option("--policy", is_flag=True, help="Write a Content-Security-Policy into each page.")
@click.option("--connect", multiple=True, help="Endpoint the policy allows; else own origin, loopback and https.")
@click.option(
    "--compress", multiple=True, type=click.Choice(KINDS), help="Compressed copies beside the large files; may be given again."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
def command(
    site: Path, col: str, book: str | None, title: str, lang: str, base_url: str, features: Path | None, runtime: str,
    questions: tuple[str, ...], shortcut: str, policy: bool, connect: tuple[str, ...], compress: tuple[str, ...],
    as_json: bool,
) -> None:  # fmt: skip
    """Put index, panel and runtime into SITE, a folder with a built site (mdBook, Sphinx, Docusaurus, VitePress, Zensical …)."""
    try:
        switches = load_features(features or site.resolve().parent / "features.toml")
        if not switches.assistant.enabled:
            click.echo(f"{site}: the assistant is switched off in features.toml; nothing was written", err=True)
            return
        options = {"shortcut": shortcut, "questions": list(questions)}
        asked = Injection(
            site,
            col,
            book or "",
            title,
            lang,
            base_url,
            switches,
            options=options,
            runtime=runtime,
            policy=policy,
            connect=connect,
        )
        done = inject(asked)
        done = replace(done, warnings=(*done.warnings, *write_compressed(site, compress)))
    except ContentError as wrong:
        raise click.ClickException(placed(wrong)) from None
    except BookError as wrong:
        raise click.ClickException(str(wrong)) from None
    for problem in done.problems:
        click.echo(f"warning: {problem.file}{f':{problem.line}' if problem.line else ''}: {problem.message}", err=True)
    for warning in done.warnings:
        click.echo(f"warning: {warning}", err=True)
    click.echo(json.dumps(_report(done), ensure_ascii=False) if as_json else _line(done))
    if done.dead:
        raise click.exceptions.Exit(1)


def _report(done: Injected) -> dict[str, object]:
    return {
        "book": done.book.name,
        "title": done.book.title,
        "lang": done.book.lang,
        "pages": done.pages,
        "cards": len(done.book.cards),
        "coverage": done.coverage.share,
        "uncovered": [{"file": gap.file, "line": gap.line, "text": gap.text} for gap in done.coverage.uncovered],
        "dead": [{"card": each.card, "url": each.url} for each in done.dead],
        "warnings": [*(f"{each.file}: {each.message}" for each in done.problems), *done.warnings],
    }


def _line(done: Injected) -> str:
    return (
        f"{done.book.name}: {len(done.book.cards)} cards, {done.coverage.share:.2%} of the text, "
        f"{len(done.dead)} dead addresses; the assistant is on {done.pages} pages"
    )
