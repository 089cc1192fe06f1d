"""Navigation other generators keep in files: `_toc.yml`, `myst.yml`, `_quarto.yml`, `SUMMARY.md`, `_sidebar.md`, toctrees."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from askbook.core.errors import ContentError

from .blocks import NavEntry, Problem
from .files import read_text
from .generators import table
from .toctree import read_toctree
from .yaml_files import read_yaml

_LINK = re.compile(r"^(\s*)(?:[-*+]\s+|\d+[.)]\s+)?\[((?:[^\[\]]|\[[^\]]*\])*)\]\(<?([^)>]*?)>?(?:\s+\"[^\"]*\")?\)\s*$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
_DRAFT = re.compile(r"^(\s*)(?:[-*+]|\d+[.)])\s+(?!\[|[-*_\s]+$)(.+?)\s*$")
_PART = re.compile(r"^#{1,6}\s+(.+?)\s*$")

LISTS = ("SUMMARY.md", "_sidebar.md")
"""Pages that are nothing but navigation."""


def find_nav(root: Path, urls: Mapping[str, str], problems: list[Problem]) -> tuple[tuple[NavEntry, ...], str]:
    """The navigation of a folder of pages, given the address of each path; also the book's title where the file has it.

    A file of it in the folder itself that cannot be read is a problem: the order would be another one without it.
    """
    for folder in (root, root.parent):
        for name, read in _READERS:
            file = folder / name
            if not file.is_file() or (folder != root and name == "index.md"):
                continue
            try:
                entries, title = read(file, urls)
            except ContentError as wrong:
                if folder == root:
                    problems.append(Problem(name, wrong.line, str(wrong), fatal=True))
                continue
            if entries:
                return tuple(entries), title
    return (), ""


def _toc(file: Path, urls: Mapping[str, str]) -> tuple[list[NavEntry], str]:
    values = read_yaml(file)
    entries = [_jb_leaf({"file": values["root"]}, urls)] if isinstance(values.get("root"), str) else []
    for part in _tables(values.get("parts")):
        entries.extend(_jb_entries(part.get("chapters"), urls))
    entries.extend(_jb_entries(values.get("chapters"), urls))
    for tree in _tables(values.get("subtrees")):
        entries.extend(_jb_entries(tree.get("entries"), urls))
    entries.extend(_jb_entries(values.get("entries"), urls))
    title = _title_beside(file.with_name("_config.yml"))
    return [entry for entry in entries if entry is not None], title


def _title_beside(file: Path) -> str:
    try:
        return str(read_yaml(file).get("title") or "") if file.is_file() else ""
    except ContentError:
        return ""


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _tables(value: Any) -> Iterator[Mapping[str, Any]]:
    return (item for item in _listed(value) if isinstance(item, dict))


def _jb_entries(listed: Any, urls: Mapping[str, str]) -> Iterator[NavEntry]:
    for item in _tables(listed):
        if entry := _jb_leaf(item, urls):
            yield entry


def _jb_leaf(item: Mapping[str, Any], urls: Mapping[str, str]) -> NavEntry | None:
    below = item.get("sections") or item.get("children") or item.get("entries") or item.get("chapters")
    children = tuple(_jb_entries(below, urls))
    url = _found(str(item.get("file") or item.get("href") or ""), urls)
    title = str(item.get("title") or item.get("text") or item.get("part") or "")
    return NavEntry(title, url, children) if url or children else None


def _found(path: str, urls: Mapping[str, str]) -> str:
    """The address of a page named with or without its suffix."""
    path = unquote(path.partition("#")[0]).removeprefix("./").lstrip("/")
    for suffix in ("", ".md", ".qmd", ".mdx", ".ipynb", ".markdown"):
        if path and path + suffix in urls:
            return urls[path + suffix]
    return ""


def _myst(file: Path, urls: Mapping[str, str]) -> tuple[list[NavEntry], str]:
    project = read_yaml(file).get("project")
    if not isinstance(project, dict):
        return [], ""
    return list(_jb_entries(project.get("toc"), urls)), str(project.get("title") or "")


def _quarto(file: Path, urls: Mapping[str, str]) -> tuple[list[NavEntry], str]:
    book = read_yaml(file).get("book")
    if not isinstance(book, dict):
        return [], ""
    listed = [*_listed(book.get("chapters")), *_listed(book.get("appendices"))]
    return list(_quarto_entries(listed, urls)), str(book.get("title") or "")


def _quarto_entries(listed: list[Any], urls: Mapping[str, str]) -> Iterator[NavEntry]:
    for item in listed:
        if isinstance(item, str):
            if url := _found(item, urls):
                yield NavEntry("", url)
        elif isinstance(item, dict):
            url = _found(str(item.get("file") or item.get("part") or ""), urls)
            children = tuple(_quarto_entries(_listed(item.get("chapters")), urls))
            if url or children:
                yield NavEntry(str(item.get("text") or ("" if url else item.get("part") or "")), url, children)


def read_list(file: Path, urls: Mapping[str, str]) -> tuple[list[NavEntry], str]:
    """A nested list of links; parts between headings stay flat, as mdBook numbers through them."""
    title, rows = "", list[_Row]()
    for line in read_text(file, file.name).split("\n"):
        if found := _LINK.match(line):
            url = _found(found[3], urls)
            if url or not found[3].strip():
                rows.append((len(found[1].expandtabs(4)), " ".join(found[2].split()), url, _ITEM.match(line) is not None))
        elif found := _DRAFT.match(line):
            rows.append((len(found[1].expandtabs(4)), found[2].strip("*_ "), "", True))
        elif (part := _PART.match(line)) and not rows:
            title = part[1]
    if any(_numbers_chapters(folder / "book.toml") for folder in (file.parent, file.parent.parent)):
        rows = list(_numbered(rows))
    return _nested(rows), "" if title.casefold() in ("summary", "table of contents", "contents", "目录") else title


_Row = tuple[int, str, str, bool]
"""How far a line is indented, its title, its page, and whether it is an item of a list."""


def _numbers_chapters(settings: Path) -> bool:
    """Whether an mdBook shows the numbers of its chapters, as it does unless it is told not to."""
    if not settings.is_file():
        return False
    try:
        said = tomllib.loads(settings.read_text("utf-8", "replace"))
    except tomllib.TOMLDecodeError:
        return True
    return table(said, "output", "html").get("no-section-label") is not True


def _numbered(rows: list[_Row]) -> Iterator[_Row]:
    """Chapters with the numbers that mdBook gives them; what stands outside the list has none."""
    counts: list[list[int]] = []
    for indent, title, url, listed in rows:
        while counts and counts[-1][0] > indent:
            counts.pop()
        if not counts or counts[-1][0] < indent:
            counts.append([indent, 0])
        counts[-1][1] += listed
        number = ".".join(str(count) for _, count in counts)
        yield indent, f"{number}. {title}" if listed else title, url, listed


def _nested(rows: list[_Row]) -> list[NavEntry]:
    entries: list[NavEntry] = []
    place = 0
    while place < len(rows):
        indent, title, url, _ = rows[place]
        end = place + 1
        while end < len(rows) and rows[end][0] > indent:
            end += 1
        children = tuple(_nested(rows[place + 1 : end]))
        if url or children:
            entries.append(NavEntry(title, url, children))
        place = end
    return entries


_READERS = (
    ("_toc.yml", _toc),
    ("myst.yml", _myst),
    ("_quarto.yml", _quarto),
    ("SUMMARY.md", read_list),
    ("_sidebar.md", read_list),
    ("index.md", read_toctree),
)
