"""The `askbook` command: one file a sub-command, imported only when it is called."""

from __future__ import annotations

from errno import EPIPE
from importlib import import_module
from importlib.metadata import version
from typing import Any

import click

from askbook.builder.console import speak_utf8
from askbook.core.errors import BookError

COMMANDS = {
    "ask": "ask", "demo": "demo", "doctor": "doctor", "eval": "evaluate", "inject": "inject", "mcp": "mcp",
    "render": "render", "replay": "replay", "search": "search", "tool": "tool",
}  # fmt: skip
"""Sub-command to the module that holds it as `command`."""


class LazyGroup(click.Group):
    """Imports a sub-command when it is needed: `askbook search` must not pay for the MCP SDK."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"askbook.terminal.{COMMANDS[cmd_name]}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a sub-command; what it raises on purpose, or a file that cannot be read or written, is one sentence."""
        speak_utf8()
        try:
            return super().invoke(ctx)
        except BookError as wrong:
            raise click.ClickException(str(wrong)) from None
        except OSError as wrong:
            if wrong.errno == EPIPE:
                raise
            raise click.ClickException(f"{wrong.filename}: {wrong.strerror}" if wrong.filename else str(wrong)) from None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("askbook"), prog_name="askbook")
def main() -> None:
    """Ask a published book, and tend the assistant it carries."""
