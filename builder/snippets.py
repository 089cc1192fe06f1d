"""PyMdown's snippets: lines `--8<-- "file"`, and names between two lines of scissors."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from .includes import ADDED, GONE, Reader

_SCISSORS = re.compile(
    r"""^(?P<space>[ \t]*)(?P<escape>;*)(?:-+8<-+[ \t]+(?P<named>"(?:\\"|[^"\n])+?"|'(?:\\'|[^'\n])+?')|-+8<-+)$"""
)
_SECTION = re.compile(
    r"(?<![;-])(?P<escape>;*)-+8<-+[ \t]+\[[ \t]*(?P<end>start|end)[ \t]*:[ \t]*(?P<name>[a-z][\w-]*)[ \t]*\]", re.I
)
_TARGET = re.compile(r"(.*?)(?:((?::-?[0-9]*){1,2}(?:,-?[0-9]*(?::-?[0-9]*)?)*)|:([a-z][-\w]*))?$", re.I)
_LONGEST: Final = 1000
"""Of a name and what it takes of a file."""


def with_snippets(text: str, path: Path, reader: Reader) -> str:
    """A page with its snippets; a line that leaves nothing is noted at the end of the one above it."""
    out: list[str] = []
    for taken in _expanded(text.split("\n"), path, reader):
        if taken:
            out += [f"{line}{ADDED}" for line in taken[:-1]] + taken[-1:]
        elif out:
            out[-1] += GONE
    return "\n".join(out)


def _expanded(lines: Sequence[str], path: Path, reader: Reader, *, section: bool = False) -> Iterator[list[str]]:
    """What stands in place of each line."""
    block = False
    for line in lines:
        found = _SCISSORS.match(line) if "8<-" in line else None
        if found is not None and found["escape"]:
            yield [line.replace(";", "", 1)]
        elif found is not None and not found["named"]:
            block = not block
            yield []
        elif found is not None:
            yield [] if block else _file(found["named"][1:-1].strip(), found["space"], path, reader, line)
        elif block:
            name = line.strip()
            yield _file(name, line[: len(line) - len(line.lstrip())], path, reader, line) if name else [""]
        elif not section and (mark := _SECTION.search(line)):
            yield [line.replace(";", "", 1)] if mark["escape"] else []
        else:
            yield [line]


def _file(named: str, space: str, path: Path, reader: Reader, line: str) -> list[str]:
    """The lines of a file, or of a part of it, indented like the line that names it."""
    target = _TARGET.match(named[:_LONGEST])
    if named.startswith(";") or target is None or not target[1].strip():
        return []
    if (taken := reader.read(target[1].strip(), path)) is None:
        return [line]
    file, text = taken
    lines = text.split("\n") if text else []
    if target[2]:
        lines = [each for span in target[2][1:].split(",") for each in _span(lines, span)]
    elif target[3]:
        lines = list(_section(lines, target[3]))
    if reader.includes.dedent and (target[2] or target[3]):
        lines = textwrap.dedent("\n".join(lines)).split("\n")
    with reader.inside(file):
        return [space + each for taken in _expanded(lines, file, reader, section=bool(target[3])) for each in taken]


def _span(lines: list[str], span: str) -> list[str]:
    """Lines from one number to another; below zero they are counted from the end."""
    first, _, last = span.partition(":")
    start, end = (int(each) if each.lstrip("-") else None for each in (first, last))
    start = max(0, start - 1) if start is not None and start >= 0 else start
    return lines[start : max(0, len(lines) + 1 + end) if end is not None and end < 0 else end]


def _section(lines: Sequence[str], name: str) -> Iterator[str]:
    inside = False
    for line in lines:
        mark = _SECTION.search(line) if "8<-" in line else None
        if mark is not None and not mark["escape"]:
            if mark["name"] == name:
                if inside and mark["end"].lower() == "end":
                    return
                inside = inside or mark["end"].lower() == "start"
        elif inside:
            yield line.replace(";", "", 1) if mark is not None else line
