"""`askbook tool`: one book tool, called as a model would call it."""

from __future__ import annotations

import json
import sys

import click

from askbook.core.canonical import dumps
from askbook.core.errors import BookError
from askbook.core.parts import ToolCallPart
from askbook.core.toolbox import Shelf
from askbook.core.tools import TOOLS, run

from .shelf import read_shelf


@click.command(name="tool")
@click.argument("index")
@click.argument("name", metavar="NAME")
@click.argument("arguments", metavar="[JSON]", default="{}")
def command(index: str, name: str, arguments: str) -> None:
    """Call the book tool NAME on INDEX (a file, a folder of indexes or a site's address) with the arguments JSON.

    Prints the tool's JSON, byte-equal to what the page and MCP give; exit code 1 when the tool refused.
    """
    if name not in TOOLS:
        raise click.UsageError(f"no tool {name!r}; there are {', '.join(TOOLS)}")
    try:
        given = json.loads(arguments)
    except ValueError as wrong:
        raise click.UsageError(f"the arguments are not JSON: {wrong}") from None
    if not isinstance(given, dict):
        raise click.UsageError("the arguments are not a JSON object")
    try:
        shelf = Shelf(tuple(read_shelf(index)))
    except BookError as wrong:
        raise click.ClickException(str(wrong)) from None
    result = run(ToolCallPart("call", name, given), shelf)
    click.echo(dumps(result.content))
    if result.error:
        sys.exit(1)
