"""`askbook tool`: one book tool, called as a model would call it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import click

from askbook.core import pytool
from askbook.core.canonical import dumps
from askbook.core.errors import BookError, ToolError
from askbook.core.parts import ToolCallPart, ToolResultPart
from askbook.core.toolbox import Shelf
from askbook.core.tools import TOOLS, run

from .shelf import read_shelf


@click.command(name="tool")
@click.argument("index")
@click.argument("name", metavar="NAME")
@click.argument("arguments", metavar="[JSON]", default="{}")
def command(index: str, name: str, arguments: str) -> None:
    """Call the book tool NAME on INDEX (a file, a folder of indexes or a site's address) with the arguments JSON.

    Prints the tool's JSON, byte-equal to what the page and MCP give; exit code 1 when the tool refused. `python_exec` runs its
    code in the sandbox of the MCP server.
    """
    if name not in (*TOOLS, pytool.NAME):
        raise click.UsageError(f"no tool {name!r}; there are {', '.join((*TOOLS, pytool.NAME))}")
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError) as wrong:
        raise click.UsageError(f"the arguments are not JSON: {wrong}") from None
    if not isinstance(given, dict):
        raise click.UsageError("the arguments are not a JSON object")
    try:
        shelf = Shelf(tuple(read_shelf(index)))
    except BookError as wrong:
        raise click.ClickException(str(wrong)) from None
    result = run(ToolCallPart("call", name, given), shelf) if name in TOOLS else _run_python(given)
    click.echo(dumps(result.content))
    if result.error:
        sys.exit(1)


def _run_python(given: Mapping[str, Any]) -> ToolResultPart:
    """Run a program in the first sandbox that works here."""
    from askbook.mcp_server.sandbox import SandboxError, find_sandbox

    try:
        code, value = pytool.arguments(given)
        outcome = find_sandbox().run(code, value)
    except ToolError as wrong:
        return ToolResultPart("call", pytool.NAME, {"error": str(wrong), **wrong.would_be_right}, error=True)
    except SandboxError as wrong:
        raise click.ClickException(f"no sandbox works here: {wrong}") from None
    return ToolResultPart("call", pytool.NAME, outcome.to_json(), error=bool(outcome.error))
