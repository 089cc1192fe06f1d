"""The `build-ai-index` command."""

from __future__ import annotations

import gc
import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from askbook.core.errors import BookError, ContentError

from .blocks import Problem
from .books import FORMATS, name_of
from .console import speak_utf8
from .drafts import options_of
from .features import Features, load_features
from .ids import slug
from .report import diagnostics, table, workflow_commands
from .run import Order, Outcome, run, with_editions, write_outputs

_COL = re.compile(r"^[^\W_]+$")
_TAG = re.compile(r"^(?:auto|[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*)$")


def language_option(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Refuse what is no language tag."""
    if not _TAG.match(value):
        raise click.BadParameter(f"{value!r} is no language tag such as zh, zh-Hans or en")
    return value


def _folder(ctx: click.Context, param: click.Parameter, value: Path) -> Path:
    """Refuse a folder that cannot be made before anything is read."""
    above = next(path for path in (value.absolute(), *value.absolute().parents) if path.exists())
    if not above.is_dir():
        raise click.BadParameter(f"{value} cannot be made: {above} is no folder")
    if not os.access(above, os.W_OK):
        raise click.BadParameter(f"nothing can be written into {above}")
    return value


def _site(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    if value is not None and not value.is_dir() and value.suffix.lower() != ".epub":
        raise click.BadParameter(f"{value} is neither the folder of a built site nor an EPUB file")
    return value


def slug_option(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse a name that no file of an index could have."""
    if value is None:
        return None
    if param.name == "col":
        if not _COL.match(value) or value != value.casefold():
            raise click.BadParameter(f"{value!r} is no slug: small letters and digits only, without '-'")
    elif not value or slug(value) != value:
        raise click.BadParameter(f"{value!r} is no slug; {slug(value) or 'book'!r} would be one")
    return value


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--out", required=True, callback=_folder, type=click.Path(file_okay=False, path_type=Path),
    help="Folder the indexes are written to.",
)  # fmt: skip
@click.option("--col", default="books", show_default=True, callback=slug_option, help="Collection the books belong to.")
@click.option("--book", callback=slug_option, help="Name of the book in its file and addresses; with one SOURCE.")
@click.option("--title", help="Title of the book as readers see it; with one SOURCE.")
@click.option(
    "--lang", default="auto", show_default=True, callback=language_option, help="Language: zh, zh-Hans, en, …, or auto."
)
@click.option("--base-url", default="", metavar="/p/", help="Address of the site, for llms.txt and printed addresses.")
@click.option(
    "--features",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="Switches; default: features.toml of the SOURCE.",
)
@click.option("--format", "format_", type=click.Choice(FORMATS), help="What SOURCE is; default: found out.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1, 64), help="Processes that read pages.")
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for what unchanged pages gave; default: the user's cache.",
)
@click.option("--no-cache", is_flag=True, help="Read every page again.")
@click.option(
    "--verify", type=click.Path(exists=True, path_type=Path), callback=_site, metavar="SITE",
    help="Built site in which every address must exist.",
)  # fmt: skip
@click.option(
    "--golden",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Questions and the cards that must be found.",
)
@click.option("--strict", is_flag=True, help="Take warnings for errors.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
@click.option("-v", "--verbose", is_flag=True, help="Name every page.")
@click.pass_context
def main(
    ctx: click.Context, sources: tuple[Path, ...], out: Path, col: str, book: str | None, title: str | None, lang: str,
    base_url: str, features: Path | None, format_: str | None, jobs: int, cache: Path | None, no_cache: bool,
    verify: Path | None, golden: Path | None, strict: bool, as_json: bool, quiet: bool, verbose: bool,
) -> None:  # fmt: skip
    """Cut books into cards and write one index a book.

    SOURCE is a MkDocs project, a folder of Markdown or MDX, a built HTML site, an .epub, an .ipynb or a cards.jsonl.
    """
    speak_utf8()
    gc.set_threshold(200_000, 20, 50)  # many small values that live to the end
    if len(sources) > 1 and (book or title):
        raise click.UsageError("--book and --title go with one SOURCE")
    if cache and no_cache:
        raise click.UsageError("--cache and --no-cache exclude each other")
    names = _names(sources, book)
    outcomes: list[Outcome] = []
    orders: list[Order] = []
    try:
        for source, name in zip(sources, names, strict=True):
            switches = _switches(features or _features_of(source), outcomes)
            if switches is None:
                continue
            if not switches.assistant.enabled:
                click.echo(f"{source}: the assistant is switched off in features.toml; nothing to build", err=True)
                continue
            orders.append(Order(
                source, format_ or "", out, col, name, title or "", lang, base_url, switches, options_of(switches), jobs,
                None if no_cache else cache or _default_cache(), verify, golden, strict, as_json or not quiet,
            ))  # fmt: skip
        _build(orders, outcomes, quiet=quiet or as_json, say=_say(verbose))
    except BookError as wrong:
        raise click.ClickException(str(wrong)) from None
    except OSError as wrong:  # of writing: what cannot be read is a problem of its book
        raise click.ClickException(f"{wrong.filename or out} cannot be written: {wrong.strerror or wrong}") from None
    _print(outcomes, as_json=as_json, quiet=quiet)
    ctx.exit(1 if any(outcome.failed for outcome in outcomes) else 0)


def _build(orders: Sequence[Order], outcomes: list[Outcome], *, quiet: bool, say: Any) -> None:
    """Build book after book; several are first asked whether they are editions of each other."""
    shows = {order.source: _progress(order.source, quiet=quiet) for order in orders}
    with ExitStack() as stack:
        if len(orders) > 1:
            between = Path(stack.enter_context(TemporaryDirectory())) if orders[0].cache is None else orders[0].cache
            orders = with_editions([replace(order, cache=between) for order in orders], [*shows.values()])
        for order in orders:
            outcomes.append(run(order, shows[order.source], say))
            parts = [outcome.part for outcome in outcomes if outcome.part is not None]
            write_outputs(order.out, order.features, parts, base=order.base_url)


def _switches(file: Path | None, outcomes: list[Outcome]) -> Features | None:
    """The switches of a book; None where they cannot be read, which is that book's problem alone."""
    try:
        return load_features(file)
    except ContentError as wrong:
        outcomes.append(Outcome(None, (Problem(wrong.file, wrong.line, str(wrong), fatal=True),), failed=True))
        return None


def _names(sources: Sequence[Path], book: str | None) -> list[str]:
    if book:
        return [book]
    names = [name_of(path) for path in sources]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise click.UsageError(f"two SOURCEs would both be named {doubled[0]!r}: build them one by one with --book")
    return names


def _features_of(source: Path) -> Path | None:
    """The switches beside a book."""
    folders = [source, source.parent] if source.is_dir() else [source.parent]
    return next((folder / "features.toml" for folder in folders if (folder / "features.toml").is_file()), None)


def _default_cache() -> Path:
    from .cache import default_folder

    return default_folder()


def _progress(source: Path, *, quiet: bool) -> Any:
    """A bar on a terminal, nothing elsewhere."""
    if quiet or not sys.stderr.isatty() or os.environ.get("CI"):
        return None

    def show(done: int, total: int) -> None:
        width = 24 * done // max(total, 1)
        end = "\n" if done >= total else ""
        click.echo(f"\r{source.name}  [{'#' * width}{'.' * (24 - width)}] {done}/{total}{end}", nl=False, err=True)

    return show


def _say(verbose: bool) -> Any:
    return (lambda text: click.echo(text, err=True)) if verbose else None


def _print(outcomes: Sequence[Outcome], *, as_json: bool, quiet: bool) -> None:
    reports = [outcome.report for outcome in outcomes if outcome.report is not None]
    problems = [problem for outcome in outcomes for problem in outcome.problems]
    shown = [problem for problem in problems if problem.fatal or not quiet]
    for line in diagnostics([] if quiet else reports, shown):
        click.echo(line, err=True)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        lost = (where for each in reports for where in each.uncovered)
        extra = [Problem(file, line, f"not covered by any card: {text[:120]}") for file, line, text in lost]
        gone = ((card, url) for each in reports for card, url in each.dead)
        dead = [Problem("", 0, f"card {card!r} leads to {url!r}, which does not exist", fatal=True) for card, url in gone]
        for line in workflow_commands([*problems, *extra, *dead]):
            click.echo(line, err=True)
    if as_json:
        click.echo(json.dumps({"books": [report.to_json() for report in reports]}, ensure_ascii=False, indent=2))
    elif reports and not quiet:
        click.echo(table(reports))
