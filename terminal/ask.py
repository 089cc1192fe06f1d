"""`askbook ask`: the exchange of the panel, in the terminal."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from askbook.core.errors import BookError
from askbook.core.estimate import estimate
from askbook.core.exchange import Ask, ask
from askbook.core.limits import ANSWER_TOKENS, LONG_JOB_REQUESTS, PASSAGES, PASSAGES_MAX, REQUESTS
from askbook.core.parts import (
    Citations,
    Event,
    ExchangeEnd,
    ExchangeStart,
    Notice,
    PartDelta,
    PartDemote,
    PartEnd,
    PartStart,
    SourceAdd,
    TextPart,
    ToolCallPart,
    ToolResult,
)  # fmt: skip
from askbook.core.probe import list_models
from askbook.core.profiles import BY_NAME, find_profile
from askbook.core.providers.base import Endpoint
from askbook.core.recording import Recording
from askbook.core.stop import Stop
from askbook.core.toolbox import Shelf
from askbook.core.wire import to_json

from .http import HttpTransport, SystemClock
from .shelf import read_shelf, site_root

KEY = "ASKBOOK_API_KEY"
FILE = click.Path(dir_okay=False, path_type=Path)


def _file(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Refuse a file that cannot be written before anything is asked."""
    if value is not None and not value.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {value.parent}")
    return value


@click.command(name="ask")
@click.argument("where", metavar="INDEX... QUESTION", nargs=-1, required=True)
@click.option("--endpoint", metavar="URL", help="Base address of the model's endpoint; the provider's own when left out.")
@click.option("--model", metavar="M", help="Model to ask.")
@click.option(
    "--provider",
    metavar="P",
    type=click.Choice(sorted(BY_NAME)),
    help="Whose endpoint it is; told from the address when left out.",
)
@click.option(
    "--mode",
    type=click.Choice(["retrieve", "discussion"]),
    default="retrieve",
    show_default=True,
    help="Passages first, or free.",
)
@click.option(
    "--protocol",
    type=click.Choice(["native", "react", "gather"]),
    default="native",
    show_default=True,
    help="How the model calls tools.",
)
@click.option(
    "--passages", type=click.IntRange(1, PASSAGES_MAX), default=PASSAGES, show_default=True, help="Passages to start from."
)
@click.option(
    "--answer-tokens", metavar="N", type=click.IntRange(1), default=ANSWER_TOKENS, show_default=True, help="Longest answer."
)
@click.option(
    "--requests", metavar="N", type=click.IntRange(1, LONG_JOB_REQUESTS), default=REQUESTS, show_default=True,
    help="Most requests; more for a job over every chapter.",
)  # fmt: skip
@click.option("--log", metavar="FILE", type=FILE, callback=_file, help="Write the event log, for `replay`.")
@click.option("--receipt", metavar="FILE", type=FILE, callback=_file, help="Write the answer's receipt.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of streaming.")
def command(
    where: tuple[str, ...], *, endpoint: str | None, model: str | None, provider: str | None, mode: str, protocol: str,
    passages: int, answer_tokens: int, requests: int, log: Path | None, receipt: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Ask the books at INDEX (files, folders of indexes, sites' addresses) a QUESTION.

    The key is taken from ASKBOOK_API_KEY. Without an endpoint or key the book answers with its own sentences.
    """
    *places, question = where
    if not places:
        raise click.UsageError("give at least one INDEX and the QUESTION")
    if not question.strip():
        raise click.UsageError("the QUESTION is empty")
    chosen = _endpoint(endpoint, model, provider)
    try:
        indexes = tuple({index.name: index for place in places for index in read_shelf(place)}.values())
    except BookError as wrong:
        raise click.ClickException(str(wrong)) from None
    request = Ask(
        question, mode="discussion" if mode == "discussion" else "retrieve", endpoint=chosen, root=site_root(places[0]),
        protocol=protocol,  # type: ignore[arg-type]
        passages=passages, answer_tokens=answer_tokens, requests=requests,
    )  # fmt: skip
    shelf = Shelf(indexes)
    _warn(request, shelf)
    printer = Printer(quiet=as_json)
    recording = Recording()
    asyncio.run(_run(request, shelf, printer, recording))
    for file, value in ((log, recording.log()), (receipt, recording.receipt())):
        if file is not None:
            file.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if as_json:
        click.echo(json.dumps(printer.result(), ensure_ascii=False))
    if printer.end is None or printer.end.state != "completed":
        sys.exit(1)


def _endpoint(url: str | None, model: str | None, provider: str | None) -> Endpoint | None:
    """Where to ask; None for the book itself."""
    key = os.environ.get(KEY, "").strip()
    profile = find_profile(provider or "", url or "")
    if not url and not provider:
        if key and not model:
            return None
        profile = find_profile("openai", "")
        if not key:
            return None
    if url and not _is_http(url):
        raise click.UsageError(f"--endpoint {url!r} is no http or https address")
    base = url or profile.base
    if not base:
        raise click.UsageError(f"{profile.title} has no address of its own: give --endpoint")
    if profile.needs_key and not key and profile.base and base.startswith(profile.base):
        return None
    if key and not (key.isascii() and key.isprintable() and " " not in key):
        raise click.UsageError(f"{KEY} holds characters that no key has: copy it again")
    if not model:
        model = asyncio.run(_first_model(Endpoint(base, "", key, profile)))
    if not model:
        raise click.UsageError(f"say which --model of {base} to ask")
    return Endpoint(base, model, key, profile)


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


async def _first_model(endpoint: Endpoint) -> str:
    """The first model an endpoint lists; empty where it lists none."""
    transport = HttpTransport()
    try:
        return next(iter(await list_models(endpoint, transport)), "")
    finally:
        await transport.close()


def _warn(request: Ask, shelf: Shelf) -> None:
    """Say what a long job would cost where it was not agreed to."""
    cost = estimate(request, shelf)
    if cost is not None and request.requests < cost.requests:
        click.echo(
            f"This question asks for every chapter: allow it --requests {cost.requests} "
            f"(at most {cost.input_tokens:,} tokens in, {cost.output_tokens:,} out); now it gets {request.requests}.",
            err=True,
        )


async def _run(request: Ask, shelf: Shelf, printer: Printer, recording: Recording) -> None:
    """Ask, and let Ctrl-C stop the answer instead of the program."""
    stop, transport = Stop(), HttpTransport()
    with suppress(NotImplementedError, RuntimeError, ValueError):  # not on Windows, nor beside the main thread
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop.press)
    try:
        async for event in ask(request, shelf, transport=transport, clock=SystemClock(), stop=stop, recording=recording):
            printer.take(event)
    finally:
        await transport.close()


class Printer:
    """Print an answer as it grows, and gather it for `--json`: text on standard output, everything else on standard error."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._kinds: dict[int, str] = {}
        self._open = False
        self._extractive = False
        self.sources: dict[int, Any] = {}
        self.citations: Sequence[Any] = ()
        self.grounding: float | None = None
        self.calls: dict[int, dict[str, Any]] = {}
        self.end: ExchangeEnd | None = None

    def take(self, event: Event) -> None:
        """Take one event."""
        match event:
            case ExchangeStart():
                self._extractive = event.mode == "extractive"
            case SourceAdd(source):
                self.sources[source.n] = source
            case PartStart(part, kind, _, name):
                self._kinds[part] = kind
                if kind == "tool-call":
                    self._aside(f"· {name}")
            case PartDelta(part, text):
                if self._kinds.get(part) == "text":
                    self._say(text)
            case PartDemote():
                self._break()
            case PartEnd(part, _, ToolCallPart() as made):
                self.calls[part] = {"id": made.id, "name": made.name, "arguments": dict(made.arguments), "problem": made.problem}
            case PartEnd(part, _, TextPart(text)) if self._kinds.get(part) == "reasoning":
                self._say(text)
            case ToolResult(part, result):
                self.calls.setdefault(part, {})["result"] = dict(result.content)
            case Notice(code, data):
                self._aside(f"({code}{''.join(f' {name}={value}' for name, value in data.items())})")
            case Citations(citations, grounding):
                self.citations, self.grounding = citations, grounding
            case ExchangeEnd():
                self.end = event
                self._finish(event)
            case _:
                pass

    def _say(self, text: str) -> None:
        if not self._quiet:
            click.echo(text, nl=False)
            self._open = not text.endswith("\n")

    def _break(self) -> None:
        if self._open and not self._quiet:
            click.echo()
        self._open = False

    def _aside(self, text: str) -> None:
        self._break()
        if not self._quiet:
            click.secho(text, err=True, dim=True)

    def _finish(self, end: ExchangeEnd) -> None:
        """Print what stands under an answer: sources, their support, an error."""
        self._break()
        if self._quiet:
            return
        cited = {citation.n for citation in self.citations}
        for n, source in self.sources.items():
            if n in cited:
                support = next(citation.support for citation in self.citations if citation.n == n)
                click.echo(f"  [{n}] {source.title}  {source.url}  ({support})")
        if self.grounding is not None:
            click.secho(f"grounding {self.grounding:.0%}", err=True, dim=True)
        if self._extractive:
            click.secho(f"The book's own sentences; for a model's answer give --model, and its key in {KEY}.", err=True, dim=True)
        if end.error is not None:
            click.secho(f"Error ({end.error.fault}): {end.error.message}", err=True, fg="red")

    def result(self) -> dict[str, Any]:
        """The whole exchange as one JSON value."""
        assert self.end is not None
        message = self.end.message
        parts = message.parts if message is not None else ()
        return {
            "answer": "\n\n".join(part.text for part in parts if isinstance(part, TextPart)),
            "parts": to_json(parts),
            "citations": to_json(self.citations),
            "grounding": self.grounding,
            "sources": to_json(tuple(self.sources.values())),
            "calls": list(self.calls.values()),
            "usage": to_json(self.end.usage),
            "state": self.end.state,
            "incomplete": message.incomplete if message is not None else "",
            "error": to_json(self.end.error),
        }
