"""Write `docs/reference.md` from the code: commands, plugin options, switches, tools, numbers.

    python docs/generate_reference.py

The page cannot go stale: a test makes it again and compares.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from askbook.builder import cli, features
from askbook.core import limits, pytool, tools
from askbook.core.schemas import tool_schema
from askbook.site_plugin import config
from askbook.terminal.cli import main as askbook

PAGE = Path(__file__).with_name("reference.md")

HEAD = """# Reference

Every command, option, switch, tool and number. Made from the code by `docs/generate_reference.py`.
"""


def reference() -> str:
    """The whole page."""
    parts = [HEAD, *_commands(), *_plugin_options(), *_switches(), *_tools(), *_numbers()]
    return "\n".join(parts).rstrip() + "\n"


def _commands() -> Iterator[str]:
    yield "## Commands\n"
    yield from _command(cli.command if hasattr(cli, "command") else cli.main, "build-ai-index")
    context = click.Context(askbook, info_name="askbook")
    for name in askbook.list_commands(context):
        command = askbook.get_command(context, name)
        if command is not None:
            yield from _command(command, f"askbook {name}")


def _command(command: click.Command, name: str) -> Iterator[str]:
    context = click.Context(command, info_name=name)
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    yield f"### {name}\n"
    yield f"```sh\n{usage}\n```\n"
    if command.help:
        yield f"{inspect.cleandoc(command.help)}\n"
    rows = [_option(parameter, context) for parameter in command.params if isinstance(parameter, click.Option)]
    yield from _table(("option", "meaning"), rows)


def _option(option: click.Option, context: click.Context) -> tuple[str, str]:
    names = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    value = "" if option.is_flag or option.count else f" `{option.make_metavar(context)}`"
    shown = isinstance(option.default, (str, int, float)) and option.default not in (False, "")
    default = f" Default: `{option.default}`." if shown else ""
    return names + value, f"{option.help or ''}{default}"


def _plugin_options() -> Iterator[str]:
    yield "## Plugin options\n"
    yield "Under `plugins: - askbook:` in `mkdocs.yml`; each is optional.\n"
    for name, title in (
        ("AskbookConfig", ""),
        ("BookConfig", "Under `books`, for each book:"),
        ("PolicyConfig", "Under `policy`:"),
    ):
        if title:
            yield f"{title}\n"
        yield from _table(("option", "default", "meaning"), [(f"`{a}`", _default(v), d) for a, v, d in _documented(config, name)])


def _default(value: ast.expr) -> str:
    given = {word.arg: word.value for word in value.keywords} if isinstance(value, ast.Call) else {}
    text = ast.unparse(given["default"]) if "default" in given else ""
    return f"`{ {'True': 'true', 'False': 'false'}.get(text, text) }`" if text else ""


def _switches() -> Iterator[str]:
    yield "## Switches\n"
    yield "In `features.toml` beside `mkdocs.yml`, or in the file `--features` names. What is absent has its default.\n"
    for table, class_, meaning in _documented_fields(features, "Features"):
        rows = [(f"`{name}`", f"`{default}`", text) for name, default, text in _documented_fields(features, class_)]
        yield f"### [{table}]\n"
        yield f"{meaning or inspect.getdoc(getattr(features, class_))}\n"
        yield from _table(("switch", "default", "meaning"), rows)


def _documented_fields(module: ModuleType, class_: str) -> Iterator[tuple[str, str, str]]:
    """Fields of a dataclass: name, default (or the class of a table), docstring."""
    for name, value, text in _documented(module, class_):
        if isinstance(value, ast.Call):
            factory = next((word.value for word in value.keywords if word.arg == "default_factory"), value)
            yield name, {"dict": "{}", "tuple": "()"}.get(ast.unparse(factory), ast.unparse(factory)), text
        else:
            default = (
                getattr(limits, value.id) if isinstance(value, ast.Name) and hasattr(limits, value.id) else ast.unparse(value)
            )
            yield name, {"True": "true", "False": "false", "()": "[]"}.get(str(default), str(default)), text


def _tools() -> Iterator[str]:
    yield "## Tools\n"
    yield "The model in the page, an agent over MCP and `askbook tool` use the same ones and get the same bytes.\n"
    for schema in (*map(tool_schema, tools.TOOLS.values()), pytool.schema()):
        yield f"### {schema.name}\n"
        yield f"{schema.description}\n"
        required = schema.parameters["required"]
        rows = [
            (f"`{name}`", _type(about, name in required), about["description"])
            for name, about in schema.parameters["properties"].items()
        ]
        yield from _table(("argument", "value", "meaning"), rows)


def _type(about: dict[str, Any], required: bool) -> str:
    words = " or ".join(f"`{choice}`" for choice in about["enum"]) if "enum" in about else about["type"]
    bounds = (
        f", {about['minimum']} to {about['maximum']}"
        if "maximum" in about
        else f", from {about['minimum']}"
        if "minimum" in about
        else ""
    )
    rest = "" if required else f", default `{about['default']!r}`"
    return f"{words}{bounds}{rest}"


def _numbers() -> Iterator[str]:
    yield "## Numbers\n"
    yield "All of them stand in `client/py/limits.py`, and nowhere else.\n"
    rows = [(f"`{name}`", _number(getattr(limits, name)), text) for name, _, text in _documented(limits)]
    yield from _table(("name", "value", "meaning"), rows)


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _documented(module: ModuleType, class_: str = "") -> Iterator[tuple[str, ast.expr, str]]:
    """Assignments of a module or of a class in it, each with the string that follows."""
    tree = ast.parse(inspect.getsource(module))
    body = next((node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == class_), tree.body)
    for node, following in zip(body, [*body[1:], ast.Pass()], strict=True):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                match following:
                    case ast.Expr(value=ast.Constant(value=str(text))):
                        yield name, value, " ".join(text.split())
                    case _:
                        yield name, value, ""


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    """A table; a last column with nothing in it is left out."""
    if not rows:
        return
    if not any(row[-1] for row in rows):
        head, rows = head[:-1], [row[:-1] for row in rows]
    yield "| " + " | ".join(head) + " |\n" + "|" + "---|" * len(head)
    yield "\n".join("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
