"""Jupyter notebooks into blocks: Markdown cells as Markdown, code cells and their text outputs as code, at `#cell-N`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from askbook.builder.blocks import CELL, Block, Heading, Page, Text, UnitStart
from askbook.builder.dialects import AUTO, Dialect
from askbook.builder.frontmatter import FrontMatter, read_front_matter
from askbook.core.errors import ContentError

from .fences import fenced
from .html import read_blocks as read_html
from .markdown import read_blocks

_OUTPUT_CHARACTERS = 20_000
"""Longer outputs are cut at a line end; they are logs and tables of numbers."""
_MARKUP = re.compile(r"<!--|</?[A-Za-z][\w-]*(?:\s[^<>]*)?/?>")
_FORMULA = r"\$\$(?:[^$\\]|\\.)+\$\$|\$(?:[^$\\]|\\.)+\$"
_ONE_FORMULA = re.compile(_FORMULA, re.DOTALL)
_TEX = re.compile(rf"(?:{_FORMULA}|[^$\\]|\\.)+", re.DOTALL)
"""Formulas, and words between them."""
_DISPLAY = "\\displaystyle"


def chunk(source: str, *, url: str, file: str = "", dialect: Dialect = AUTO) -> Page:
    """Read a notebook; raise ContentError when it is none."""
    notebook = _parsed(source, file)
    blocks: list[Block] = []
    language, front = _language(notebook), FrontMatter("")
    for number, cell in enumerate(_cells(notebook, file), 1):
        anchor = f"{CELL}{number}"
        if cell["cell_type"] == "markdown":
            blocks.extend(_addressed(read_blocks(_joined(cell.get("source")), dialect), anchor))
        elif cell["cell_type"] == "heading":  # of nbformat 3
            title = " ".join(_joined(cell.get("source")).split())
            blocks.extend(_addressed(read_blocks(f"{'#' * _level(cell)} {title}", dialect), anchor))
        elif cell["cell_type"] == "code":
            blocks.extend(_code(cell, anchor, language))
        else:
            text = _joined(cell.get("source"))
            if number == 1:
                front = read_front_matter(text, file=file)
                text = front.body
            blocks.extend(_addressed(_raw(text, cell, dialect), anchor))
    title = front.title or next((block.text for block in blocks if isinstance(block, Heading)), "")
    return Page(
        url, title, tuple(blocks), file=file, terms=front.terms, authors=front.authors, lang=front.lang, order=front.order
    )


def _level(cell: Mapping[str, Any]) -> int:
    level = cell.get("level")
    return min(max(level, 1), 6) if isinstance(level, int) else 1


def is_shown(cell: Mapping[str, Any]) -> bool:
    """Whether a raw cell is for a page, as it is when it does not say for what else."""
    return any(name in (_form(cell) or "html") for name in ("html", "markdown", "rst", "restructuredtext"))


def _form(cell: Mapping[str, Any]) -> str:
    """What a raw cell says it is written in; empty where it does not."""
    metadata = cell.get("metadata")
    said = metadata if isinstance(metadata, dict) else {}
    return str(said.get("raw_mimetype") or said.get("format") or "")


def _raw(text: str, cell: Mapping[str, Any], dialect: Dialect) -> tuple[Block, ...]:
    """What a page shows of a raw cell."""
    form = _form(cell)
    if not text.strip() or not is_shown(cell):
        return ()
    if "markdown" in form:
        return read_blocks(text, dialect)
    if "html" in form or (not form and _MARKUP.search(text)):
        body = LexborHTMLParser(text).body
        return read_html(body) if body is not None else ()
    return (Text(" ".join(text.split())),)


def _parsed(source: str, file: str) -> Mapping[str, Any]:
    try:
        parsed = json.loads(source)
    except json.JSONDecodeError as wrong:
        raise ContentError(f"is no notebook: {wrong.msg} in column {wrong.colno}", file=file, line=wrong.lineno) from None
    except RecursionError:
        raise ContentError("is no notebook: nested too deeply", file=file, line=1) from None
    if not isinstance(parsed, dict):
        raise ContentError("is no notebook: the JSON is no object", file=file, line=1)
    return parsed


def _cells(notebook: Mapping[str, Any], file: str) -> list[Mapping[str, Any]]:
    cells = notebook.get("cells")
    if cells is None and isinstance(sheets := notebook.get("worksheets"), list):
        cells = [cell for sheet in sheets if isinstance(sheet, dict) for cell in _listed(sheet.get("cells"))]
    if not isinstance(cells, list):
        raise ContentError("is no notebook: it has no list of cells", file=file, line=1)
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
            raise ContentError(f"is no notebook: cell {number} has no type", file=file, line=1)
        if not isinstance(cell.get("source", ""), (str, list)):
            raise ContentError(f"is no notebook: the source of cell {number} is no text", file=file, line=1)
        if not isinstance(cell.get("outputs") or [], list):
            raise ContentError(f"is no notebook: the outputs of cell {number} are no list", file=file, line=1)
    return cells


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _language(notebook: Mapping[str, Any]) -> str:
    metadata = notebook.get("metadata")
    info = metadata.get("language_info") if isinstance(metadata, dict) else None
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) else "python"


def _joined(source: Any) -> str:
    if isinstance(source, list):
        return "".join(piece for piece in source if isinstance(piece, str))
    return source if isinstance(source, str) else ""


def _addressed(blocks: tuple[Block, ...], anchor: str) -> Iterator[Block]:
    """Every block of a cell has the cell's address."""
    for block in blocks:
        yield replace(block, anchor=anchor) if isinstance(block, (Heading, Text, UnitStart)) else block


def _code(cell: Mapping[str, Any], anchor: str, language: str) -> Iterator[Text]:
    source = _joined(cell.get("source") or cell.get("input"))
    if source.strip():
        yield Text(fenced(source.split("\n"), language), anchor, atomic=True)
    for output in cell.get("outputs") or []:
        if isinstance(output, dict) and (tex := _formula(output)):
            yield Text(tex, anchor, atomic=True)
        elif isinstance(output, dict) and (text := _output(output).strip()):
            yield Text(fenced(text.split("\n"), "text"), anchor, atomic=True)


def _formula(output: Mapping[str, Any]) -> str:
    """The formula an output shows, or words with formulas; the text beside it says the same to terminals."""
    data = output.get("data")
    tex = _joined(data.get("text/latex")).strip() if isinstance(data, dict) else ""
    if not tex.startswith("$") or "\n\n" in tex or not _TEX.fullmatch(tex):
        return ""
    if _ONE_FORMULA.fullmatch(tex):
        return f"$${tex.strip('$').strip().removeprefix(_DISPLAY).strip()}$$"
    return " ".join(tex.replace(f"${_DISPLAY} ", "$").split())


def _output(output: Mapping[str, Any]) -> str:
    """What a reader sees of an output: text; pictures and markup leave nothing."""
    data = output.get("data")
    text = _joined(data.get("text/plain")) if isinstance(data, dict) else _joined(output.get("text"))
    if output.get("output_type") == "error":
        text = f"{output.get('ename', '')}: {output.get('evalue', '')}"
    if isinstance(data, dict) and any(str(name).startswith("image/") for name in data) and text.startswith("<"):
        return ""
    return text if len(text) <= _OUTPUT_CHARACTERS else text[:_OUTPUT_CHARACTERS].rpartition("\n")[0]
