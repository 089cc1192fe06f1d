"""Reading order of a Sphinx project written in MyST: the `{toctree}` directives of its pages, from the first page on."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path

from askbook.core.errors import ContentError

from .blocks import NavEntry
from .files import read_text
from .outline import natural_key

_OPENS = re.compile(r"^\s*(`{3,}|~{3,}|:{3,})\{toctree\}")
_NAMED = re.compile(r"^(.*\S)\s*<([^<>]+)>$")
_SUFFIXES = ("", ".md", ".ipynb", ".markdown")


def read_toctree(file: Path, urls: Mapping[str, str]) -> tuple[list[NavEntry], str]:
    """The pages below the first one; nothing where it has no table of contents."""
    entries = list(_entries(file.parent, file.name, urls, {file.name}))
    return ([NavEntry("", urls[file.name]), *entries] if entries and file.name in urls else []), ""


def _entries(root: Path, page: str, urls: Mapping[str, str], seen: set[str]) -> Iterator[NavEntry]:
    for title, path in _listed(root, page, urls):
        if path not in seen:
            seen.add(path)
            yield NavEntry(title, urls[path], tuple(_entries(root, path, urls, seen)))


def _listed(root: Path, page: str, urls: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Title and path of each page that a page names."""
    try:
        lines = read_text(root / page, page).split("\n") if not page.endswith(".ipynb") else []
    except ContentError:
        return
    end = ""
    for line in lines:
        bare = line.strip()
        if end and bare.startswith(end) and not bare.strip(end[0]):
            end = ""
        elif found := _OPENS.match(line) if not end else None:
            end = found[1]
        elif end and bare and bare[0] not in ":-#":
            named = _NAMED.match(bare)
            title, target = (named[1], named[2]) if named else ("", bare)
            place = target[1:] if target.startswith("/") else posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
            yield from ((title, path) for path in _found(place, urls))


def _found(place: str, urls: Mapping[str, str]) -> list[str]:
    if "*" in place:
        return sorted((path for path in urls if fnmatch(posixpath.splitext(path)[0], place)), key=natural_key)
    return next(([place + suffix] for suffix in _SUFFIXES if place + suffix in urls), [])
