"""Which generator a folder of Markdown is written for, by the files it keeps beside it; the Markdown and addresses each has."""

from __future__ import annotations

import os
import posixpath
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from askbook.core.errors import ContentError

from . import docusaurus
from .blocks import Problem
from .chunkers.typesetting import ALL, PLAIN
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
_SOURCE_FOLDER: Final = re.compile(r"""\bsrcDir\s*:\s*["']([^"'\n]+)["']""")
_COMMENT: Final = re.compile(r"(?<![:\w\"'])//[^\n]*|/\*.*?\*/", re.DOTALL)
_MDBOOK_SOURCE: Final = re.compile(r"\bsrc\s*=")
_SPHINX: Final = re.compile(r"^\s*(?:extensions|html_theme|myst_\w+)\b", re.MULTILINE)
"""What makes a `conf.py` one of Sphinx; other programs have files of that name."""
_NAMED: Final = 3
"""So many of the pages that are left out are named."""
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
        book = table(self.settings, "book")
        authors = book.get("authors")
        named = tuple(str(author) for author in authors) if isinstance(authors, list) else ()
        return Told(str(book.get("title") or ""), str(book.get("language") or ""), named)


def generator_around(root: Path, format_: str = "") -> Generator | None:
    """The generator whose project a folder is, of one format if it is named; raise ContentError where its pages cannot be."""
    for name, sign in _SIGNS:
        file = root / name
        if not file.exists() or format_ not in ("", sign) or (name == "conf.py" and not _SPHINX.search(_read(file))):
            continue
        if sign not in ("mdbook", "vitepress"):
            return Generator(sign, root, below="docs/" if sign == "docusaurus" else "")
        if found := _mdbook(root) if sign == "mdbook" else _vitepress(root, root):
            return found
    return _vitepress(root, root / "docs") if (root / "docs/.vitepress").is_dir() and format_ in ("", "vitepress") else None


def _mdbook(root: Path) -> Generator | None:
    """A book of mdBook; a file of that name without a folder of pages is another's."""
    file = root / "book.toml"
    text = _read(file)
    try:
        settings = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        place = re.search(r"line (\d+)", str(wrong))
        raise ContentError(f"is not TOML: {wrong}", file=str(file), line=int(place[1]) if place else 1) from None
    named = table(settings, "book").get("src")
    said = _MDBOOK_SOURCE.search(text)
    line = text.count("\n", 0, said.start()) + 1 if said else 1
    folder = _inside(root, root, str(named or "src"), file, line if named else 0)
    return Generator("mdbook", folder, settings) if folder else None


def _vitepress(root: Path, base: Path) -> Generator | None:
    """A VitePress project, whose configuration may keep its pages in another folder."""
    for file in sorted((base / ".vitepress").glob("config.*")):
        text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), _read(file) if file.is_file() else "")
        if said := _SOURCE_FOLDER.search(text):
            folder = _inside(root, base, said[1], file, text.count("\n", 0, said.start()) + 1)
            return Generator("vitepress", folder) if folder else None
    return Generator("vitepress", base)


def _inside(root: Path, base: Path, named: str, file: Path, line: int) -> Path | None:
    """The folder of pages that a line names; without a line None, where there is none inside the project."""
    folder = base / named
    if not os.path.isabs(named) and folder.is_dir() and folder.resolve().is_relative_to(root.resolve()):
        return folder
    if line:
        raise ContentError(f"{named!r} is no folder of the project", file=str(file), line=line)
    return None


def warn_of_generator_above(root: Path) -> Iterator[Problem]:
    """Say that a folder read as plain Markdown holds the pages of another generator, whose addresses differ."""
    above = root.resolve().parent
    for name, format_ in (("book.toml", "mdbook"), (".vitepress", "vitepress")):
        try:
            found = generator_around(above, format_) if (above / name).exists() else None
        except ContentError:
            continue
        if found and found.folder.resolve() == root.resolve():
            said = f"holds the pages of {name} above it, and gets the addresses of MkDocs: say --format {format_} or mkdocs"
            yield Problem(".", 1, said)


def warn_of_left_out(paths: Sequence[str], folder: str) -> Iterator[Problem]:
    """Name pages of a project beside the folder that is read; parts of other pages and what is read on the way there are none."""
    left = [path for path in paths if not re.search(r"(?:^|/)_|(?:^|/)readme\.[a-z]+$", path, re.IGNORECASE)]
    if left:
        more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
        yield Problem(".", 1, f"pages outside {folder} are not read: {', '.join(left[:_NAMED])}{more}")


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def table(settings: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """A table of a file of TOML; empty where it is none."""
    for name in names:
        found = settings.get(name)
        settings = found if isinstance(found, dict) else {}
    return settings


def dialect_named(format_: str, settings: Mapping[str, Any] | None = None) -> Dialect:
    """What a format that is named, or shows, makes of Markdown."""
    strict = {"loose_headings": False, "slugify": github_slug, "dashed": True, "note_ids": False}
    match format_:
        case "mdx" | "docusaurus":
            return replace(AUTO, name=format_, esm=True, indented_code=False, abbreviations=False, **strict)  # type: ignore[arg-type]
        case "mkdocs":
            return usual_dialect()
        case "mdbook":
            html = table(settings or {}, "output", "html")
            typeset = html.get("smart-punctuation", html.get("curly-quotes", settings is not None))
            return replace(AUTO, name=format_, smart=ALL if typeset else PLAIN, **strict)  # type: ignore[arg-type]
        case "vitepress":
            return replace(AUTO, name=format_, **{**strict, "slugify": vitepress_slug})  # type: ignore[arg-type]
        case "myst" | "quarto":
            scripts = "~^" if format_ == "quarto" else ""
            return replace(AUTO, name=format_, labels=True, smart=ALL, scripts=scripts, **strict)  # type: ignore[arg-type]
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
    if format_ == "mdbook" and posixpath.basename(stem).lower() == "readme":
        stem = posixpath.join(posixpath.dirname(stem), "index")
    return quote(f"{stem}.html")


def site_url(path: str) -> str:
    """The address of a file of a built site."""
    folder, name = posixpath.split(path)
    return quote((f"{folder}/" if folder else "") if name == "index.html" else path)
