"""Which generator a folder of Markdown is written for, by the files it keeps beside it; the Markdown and addresses each has."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from . import docusaurus
from .blocks import Problem
from .chunkers.typesetting import ALL_SIGNS
from .dialects import AUTO, Dialect
from .files import head_of
from .mkdocs_config import page_url, usual_dialect
from .slugs import github_slug, vitepress_slug

_SIGNS: Final = (
    ("book.toml", "mdbook"),
    ("_quarto.yml", "quarto"),
    ("_toc.yml", "myst"),
    ("conf.py", "myst"),
    (".vitepress", "vitepress"),
    *((f"docusaurus.config.{suffix}", "docusaurus") for suffix in ("js", "ts", "mjs", "cjs")),
)
"""Files by which a generator knows its project."""
_SOURCE_FOLDER: Final = re.compile(r"""\bsrcDir\s*:\s*["']([\w./-]+)["']""")
LISTED_ONLY: Final = frozenset(("mdbook", "quarto"))
"""Generators that make no page of what their list of chapters leaves out."""


@dataclass(frozen=True, slots=True)
class Told:
    """What an author says of a book."""

    title: str = ""
    lang: str = ""
    authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Generator:
    """A project of a site generator other than MkDocs."""

    format: str
    folder: Path
    """Where its pages are."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Of an mdBook, what its `book.toml` says."""
    below: str = ""
    """What the paths of its pages begin with."""

    def told(self) -> Told:
        """What the project says of its book."""
        book = _table(self.settings, "book")
        authors = book.get("authors")
        named = tuple(str(author) for author in authors) if isinstance(authors, list) else ()
        return Told(str(book.get("title") or ""), str(book.get("language") or ""), named)


def generator_around(root: Path) -> Generator | None:
    """The generator whose project a folder is."""
    for name, format_ in _SIGNS:
        if not (root / name).exists():
            continue
        if format_ == "mdbook":
            settings = _mdbook(root / name)
            return Generator(format_, root / _source(settings), settings)
        if format_ == "vitepress":
            return Generator(format_, root / _vitepress_source(root / name))
        return Generator(format_, root, below="docs/" if format_ == "docusaurus" else "")
    if (root / "docs/.vitepress").is_dir():
        return Generator("vitepress", root / "docs" / _vitepress_source(root / "docs/.vitepress"))
    return None


def warn_of_generator_above(root: Path) -> Iterator[Problem]:
    """Say that a folder read as plain Markdown holds the pages of another generator, whose addresses differ."""
    above = root.resolve().parent
    mdbook = _mdbook(above / "book.toml")
    for name, format_, folder in (
        ("book.toml", "mdbook", mdbook and _source(mdbook)),
        (".vitepress", "vitepress", (above / ".vitepress").is_dir() and _vitepress_source(above / ".vitepress")),
    ):
        if folder and (above / folder).resolve() == root.resolve():
            said = f"holds the pages of {name} above it, and gets the addresses of MkDocs: say --format {format_} or mkdocs"
            yield Problem(str(root), 0, said)


def _vitepress_source(folder: Path) -> str:
    """Where the pages of a VitePress project are, as its configuration says."""
    for file in sorted(folder.glob("config.*")):
        if file.is_file() and (found := _SOURCE_FOLDER.search(_read(file))):
            return found[1]
    return "."


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _mdbook(file: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(_read(file))
    except tomllib.TOMLDecodeError:
        return {}


def _table(settings: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        found = settings.get(name)
        settings = found if isinstance(found, dict) else {}
    return settings


def _source(settings: Mapping[str, Any]) -> str:
    return str(_table(settings, "book").get("src") or "src")


def dialect_named(format_: str, settings: Mapping[str, Any] | None = None) -> Dialect:
    """What a format that is named, or shows, makes of Markdown."""
    strict = {"loose_headings": False, "slugify": github_slug, "dashed": True, "note_ids": False}
    match format_:
        case "mdx" | "docusaurus":
            return replace(AUTO, name=format_, esm=True, indented_code=False, abbreviations=False, **strict)  # type: ignore[arg-type]
        case "mkdocs":
            return usual_dialect()
        case "mdbook":
            html = _table(settings or {}, "output", "html")
            typeset = html.get("smart-punctuation", html.get("curly-quotes", settings is not None))
            return replace(AUTO, name=format_, smart=ALL_SIGNS if typeset else "", **strict)  # type: ignore[arg-type]
        case "vitepress":
            return replace(AUTO, name=format_, **{**strict, "slugify": vitepress_slug})  # type: ignore[arg-type]
        case "myst" | "quarto":
            scripts = "~^" if format_ == "quarto" else ""
            return replace(AUTO, name=format_, labels=True, smart=ALL_SIGNS, scripts=scripts, **strict)  # type: ignore[arg-type]
        case _:
            return AUTO


def address(root: Path, path: str, format_: str) -> str:
    """The address of a page of a folder, as its generator gives it."""
    if format_ == "docusaurus" and not path.endswith(".ipynb"):
        return docusaurus.page_url(path, head_of(root / path))
    stem, suffix = posixpath.splitext(path)
    if suffix.lower() == ".ipynb" and format_ not in ("myst", "quarto"):
        return quote(path)
    if format_ not in ("vitepress", "myst", "quarto", "mdbook"):
        return page_url(path)
    if format_ == "vitepress":
        return site_url(f"{stem}.html")
    if posixpath.basename(stem).lower() == "readme":
        stem = posixpath.join(posixpath.dirname(stem), "index")
    return quote(f"{stem}.html")


def site_url(path: str) -> str:
    """The address of a file of a built site."""
    folder, name = posixpath.split(path)
    return quote((f"{folder}/" if folder else "") if name == "index.html" else path)
