"""Addresses Docusaurus gives to pages: figures before a name order and go, and a page may say its own."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import quote

_NUMBERED = re.compile(r"^(\d+)\s*[-_.]+\s*([^-_.\s].*)$")
_DATED = re.compile(r"^(?:(?:\d{2}|\d{4})[-_.]\d{2}(?:[-_.](?:\d{2}|\d{4}))?|\d+[-_.]\d+).*$")
_FRONT = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)\n---", re.DOTALL)
_SAYS = re.compile(r"""^(slug|id):[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^#\n]*?))[ \t]*(?:#.*)?$""", re.MULTILINE)


def place_in_name(path: str) -> float | None:
    """The figure before a page's name, its place among its neighbours."""
    found = _numbered(posixpath.basename(path))
    return float(found[1]) if found else None


def page_url(path: str, head: str) -> str:
    """The address of a page, given how its text begins."""
    said = _said(head)
    stem = posixpath.splitext(path)[0]
    names = [name for name in posixpath.dirname(stem).split("/") if name]
    folders = [_bare(name) for name in names]
    slug = said.get("slug", "")
    if slug.startswith("/"):
        return _written(posixpath.normpath(slug).strip("/."))
    name = posixpath.basename(stem)
    if not slug and name.lower() in ("index", "readme", *(folder.lower() for folder in names[-1:])):
        return _written("/".join(folders))
    return _written(posixpath.normpath(posixpath.join(*folders, slug or said.get("id") or _bare(name))).strip("/."))


def _said(head: str) -> dict[str, str]:
    front = _FRONT.match(head.replace("\r\n", "\n"))
    return {name: next(filter(None, values), "").strip() for name, *values in _SAYS.findall(front[1])} if front else {}


def _numbered(name: str) -> re.Match[str] | None:
    return None if _DATED.match(name) else _NUMBERED.match(name)


def _bare(name: str) -> str:
    found = _numbered(name)
    return found[2] if found else name


def _written(path: str) -> str:
    return quote(f"{path}/") if path else ""
