"""Reading order of a Sphinx project written in MyST: the `{toctree}` directives of its pages, from the first page on."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

from askbook.core.errors import ContentError

from .blocks import NavEntry
from .files import read_text
from .outline import natural_key

_OPENS = re.compile(r"^\s*(`{3,}|~{3,}|:{3,})\{toctree\}")
_NAMED = re.compile(r"^(.*\S)\s*<([^<>]+)>$")
_SUFFIXES = ("", ".md", ".ipynb", ".markdown")
_DEEPEST: Final = 20
"""Pages that pages name one below the other; those named further down stand side by side, as no reader sees such levels."""


def read_toctree(file: Path, urls: Mapping[str, str]) -> tuple[list[NavEntry], str]:
    """The pages below the first one; nothing where it has no table of contents."""
    entries = _entries(file.parent, file.name, urls)
    return ([NavEntry("", urls[file.name]), *entries] if entries and file.name in urls else []), ""


@dataclass(slots=True)
class _Open:
    """A page some of whose pages are still to come."""

    title: str
    path: str
    names: Iterator[tuple[str, str]]
    below: list[NavEntry]


def _entries(root: Path, first: str, urls: Mapping[str, str]) -> list[NavEntry]:
    """What each page names, below it, or behind it where that is too deep; each page stands where it is named first."""
    top = _Open("", first, _listed(root, first, urls), [])
    seen, pages = {first}, [top]
    while pages:
        page = pages[-1]
        title, path = next(page.names, ("", ""))
        if path and path not in seen:
            seen.add(path)
            too_deep = len(pages) > _DEEPEST
            if too_deep:
                page.below.append(NavEntry(title, urls[path]))
            pages.append(_Open(title, path, _listed(root, path, urls), page.below if too_deep else []))
        elif not path:
            pages.pop()
            if 0 < len(pages) <= _DEEPEST:
                pages[-1].below.append(NavEntry(page.title, urls[page.path], tuple(page.below)))
    return top.below


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
