"""`askbook demo`: a book with its assistant, built and served on this machine, or asked in the terminal."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import jieba

from askbook.core.errors import BookError
from askbook.core.index import Index
from askbook.core.schema import Card

from .serve import site_server
from .shelf import read_shelf

PORT = 8000
QUESTIONS = 3
HAN = re.compile(r"[\u3400-\u9fff]")


@click.command("demo")
@click.argument("book", required=False, type=click.Path(path_type=Path))
@click.option("--ask", "question", metavar="QUESTION", help="Answer in the terminal and exit.")
@click.option("--endpoint", metavar="URL", help="Endpoint the panel proposes, or the one that answers --ask.")
@click.option("--model", metavar="M", help="Model of that endpoint.")
@click.option("--port", type=click.IntRange(0, 65535), help=f"Port to serve on; {PORT}, or a free one where that is taken.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Keep the built site in this folder.")
@click.option("--no-serve", is_flag=True, help="Build only.")
@click.pass_context
def command(
    ctx: click.Context,
    book: Path | None,
    *,
    question: str | None,
    endpoint: str | None,
    model: str | None,
    port: int | None,
    out: Path | None,
    no_serve: bool,
) -> None:
    """Build BOOK with the assistant in it and serve it; without BOOK, the example book.

    BOOK is an MkDocs project, its configuration file, or a folder of Markdown. Works without a key and without a network.
    """
    source = book or example_book()
    with _folder(out) as site, _server(site, source, port) as server:
        address = f"http://127.0.0.1:{server.server_port}{_base(source)}"
        questions = _build(source, site=site, address=address, endpoint=endpoint, model=model)
        if question is not None:
            _ask(ctx, site, question, endpoint, model)
        elif no_serve:
            click.echo(f"{source} is built into {site}")
        else:
            _serve(server, address, questions)


def example_book() -> Path:
    """The example book that travels with the package."""
    return Path(str(files("askbook.examples"))) / "book"


def _build(source: Path, *, site: Path, address: str, endpoint: str | None, model: str | None) -> list[str]:
    """Build the project; the questions to try."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    jieba.setLogLevel(logging.WARNING)
    from askbook.site_plugin.project import build_project, config_file

    options = {name: value for name, value in (("endpoint", endpoint), ("model", model)) if value}
    click.echo(f"Building {source} …", err=True)
    try:
        if find_spec("material") is None and (source == example_book() or config_file(source) is None):
            raise click.ClickException("this needs Material for MkDocs: pip install 'askbook[demo]'")
        built = build_project(source, site=site, address=address, options={"cache": "", **options})
        proposed = [*built.questions, *first_questions(read_shelf(str(site / "ai-index")))]
        return list(dict.fromkeys(proposed))[:QUESTIONS]
    except BookError as wrong:
        raise click.ClickException(str(wrong)) from wrong


def first_questions(shelf: Sequence[Index]) -> list[str]:
    """Questions the books can answer: about numbered units, taken from all over them, each book in its language."""
    found: list[str] = []
    for turn in range(QUESTIONS if shelf else 0):
        index = shelf[turn % len(shelf)]
        cards = [index.card(ordinal) for ordinal in range(len(index))]
        worth = [card for card in cards if card.number and card.kind != "section"] or cards
        if worth:
            found.append(_about(worth[(turn + 1) * len(worth) // (QUESTIONS + 1)], index.lang))
    return list(dict.fromkeys(found))


def _about(card: Card, lang: str) -> str:
    return f"“{card.title}”讲的是什么？" if lang.startswith("zh") else f"What does “{card.title}” say?"


def _ask(ctx: click.Context, site: Path, question: str, endpoint: str | None, model: str | None) -> None:
    from .ask import command as ask

    arguments = [*books_for(question, site / "ai-index"), question]
    for name, value in (("--endpoint", endpoint), ("--model", model)):
        arguments += [name, value] if value else []
    with ask.make_context("ask", arguments, parent=ctx) as context:
        ask.invoke(context)


def books_for(question: str, indexes: Path) -> list[str]:
    """The index files of the books in the question's language; all of them where there is none."""
    chinese = HAN.search(question) is not None
    found = [index for index in read_shelf(str(indexes)) if index.lang.startswith("zh") == chinese]
    return [str(indexes / f"{index.name}.json") for index in found] or [str(indexes)]


def _serve(server: ThreadingHTTPServer, address: str, questions: Sequence[str]) -> None:
    click.echo(f"The book is at {address} (Ctrl+C stops it)")
    click.echo("Questions to try:")
    for question in questions:
        click.echo(f"  {question}")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)


def _base(source: Path) -> str:
    """The path a book is served under: never the root, as on most hosts of static sites."""
    place = source.resolve()
    name = re.sub(r"[^a-z0-9]+", "-", (place.parent if place.is_file() else place).name.lower()).strip("-")
    return f"/books/{name or 'book'}/"


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        yield out.resolve()
        return
    with TemporaryDirectory(prefix="askbook-", ignore_cleanup_errors=True) as folder:
        yield Path(folder) / "site"


@contextmanager
def _server(site: Path, source: Path, port: int | None) -> Iterator[ThreadingHTTPServer]:
    try:
        server = site_server(site, base=_base(source), port=PORT if port is None else port)
    except OSError as taken:
        if port is not None:
            raise click.ClickException(f"port {port} cannot be used: {taken.strerror}") from taken
        server = site_server(site, base=_base(source), port=0)
    with server:
        yield server
