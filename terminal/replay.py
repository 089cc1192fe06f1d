"""`askbook replay`: play again what an endpoint once sent."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import click

from askbook.core.errors import BookError
from askbook.core.recording import replay


@click.command(name="replay")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def command(file: Path) -> None:
    """Play FILE again: a stream case, an event log or a receipt, told apart by its form.

    Prints the assembled answer as JSON; exit code 1 when the answer of a log or receipt is not what it was. Waits take no time.
    """
    try:
        recording = json.loads(file.read_bytes())
        played = asyncio.run(replay(recording))
    except (ValueError, UnicodeDecodeError) as wrong:
        raise click.ClickException(f"{file} is not JSON: {wrong}") from None
    except (KeyError, TypeError, BookError) as wrong:
        raise click.ClickException(f"{file} is no stream case, event log or receipt: {_why(wrong)}") from None
    click.echo(json.dumps(played.answer, ensure_ascii=False, indent=2))
    for name in played.differs:
        said: Any = (played.expected or {}).get(name)
        click.echo(f"differs: {name} was {json.dumps(said, ensure_ascii=False)}", err=True)
    if played.differs and "chunks" not in recording:
        sys.exit(1)


def _why(wrong: Exception) -> str:
    return f"{wrong} is missing" if isinstance(wrong, KeyError) else str(wrong)
