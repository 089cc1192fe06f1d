"""A SOURCE of the command line as a book: a MkDocs project, a folder, a built site, an EPUB, a notebook or ready cards."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from askbook.core.errors import ContentError

from . import docusaurus
from .blocks import Heading, NavEntry, Page, Problem
from .dialects import AUTO, Dialect
from .files import decode, find_files, head_of, line_of, read_bytes
from .folder_nav import folder_nav
from .generators import (
    LISTED_ONLY,
    Generator,
    address,
    dialect_named,
    generator_around,
    site_url,
    warn_of_generator_above,
    warn_of_left_out,
)
from .ids import slug
from .includes import Includes
from .mkdocs_config import Project, find_config, nav_entries, page_url, project_around, read_project, what_is_lost
from .nav_files import LISTS, find_nav
from .outline import pages_of
from .sites import is_built, is_page, leads_on

MARKDOWN = (".md", ".markdown", ".mdown", ".mkd")
COMPONENTS = (".mdx",)
QUARTO = (".qmd", ".rmd")
NOTEBOOKS = (".ipynb",)
HTML = (".html", ".htm", ".xhtml")
PAGES = (*MARKDOWN, *COMPONENTS, *QUARTO, *NOTEBOOKS)

FORMATS: Final = (
    "mkdocs",
    "markdown",
    "mdx",
    "myst",
    "quarto",
    "mdbook",
    "docusaurus",
    "vitepress",
    "html",
    "epub",
    "ipynb",
    "jsonl",
)
"""What `--format` takes."""

SWITCHES: Final = {
    "mkdocs": "markdown", "markdown": "markdown", "mdbook": "markdown", "vitepress": "markdown", "docusaurus": "mdx",
    "mdx": "mdx", "myst": "myst",
    "quarto": "myst", "html": "html", "epub": "epub", "ipynb": "notebook", "jsonl": "jsonl",
}  # fmt: skip
"""The switch in `[formats]` that turns a format off."""

FOUND_OUT: Final = ("mdx", "docusaurus", "myst", "quarto")
"""Formats of whole folders that are found out; their plain Markdown counts as such, unless the author names the format."""


def suffix_switch(path: str) -> str:
    """The switch that holds for one page of a folder of several formats; empty where the folder's own does."""
    lowered = path.lower()
    return next((switch for suffixes, switch in _SUFFIX_SWITCHES if lowered.endswith(suffixes)), "")


_SUFFIX_SWITCHES = ((COMPONENTS, "mdx"), (QUARTO, "myst"), (NOTEBOOKS, "notebook"))
_OTHERS = (".rst", ".adoc", ".asciidoc", ".tex", ".org", ".docx", ".odt", ".pdf")
"""Sources that are not read, though a site may be built of some."""
_UNBOUND = frozenset(("docs", "doc", "src", "content", "book", "source", "site", "html", "build", "_build"))
"""Folder names that name no book."""


@dataclass(frozen=True, slots=True)
class PageFile:
    """A page that can be read."""

    path: str
    """Below the book's folder, or inside its package."""
    url: str
    title: str = ""
    """What the navigation calls it, where that counts for more than the name of its file."""


@dataclass(frozen=True, slots=True)
class Source:
    """A book that has been found but not read."""

    where: Path
    name: str
    """Slug it has when the author gives none."""
    format: str
    files: tuple[PageFile, ...]
    read: Callable[[PageFile], bytes]
    """The bytes of a page; raises ContentError."""
    title: str = ""
    lang: str = ""
    authors: tuple[str, ...] = ()
    nav: tuple[NavEntry, ...] = ()
    dialect: Dialect = AUTO
    problems: tuple[Problem, ...] = ()
    shown: str = ""
    """What stands before a page's path in reports."""
    guessed: bool = False
    """Nobody says what the Markdown is written for."""
    includes: Includes | None = None
    """How pages say which files they take in."""


def open_like(where: Path, *, format_: str = "", site: Path | None = None) -> Source:
    """Open a book; where nobody says what its Markdown is written for, the site that was built of it does."""
    source = open_source(where, format_=format_)
    if site is None or not source.guessed:
        return source
    from .verify import generator, open_site

    built_by = generator(open_site(site))
    return source if built_by in ("", source.format) else open_source(where, format_=built_by)


def open_source(where: Path, *, format_: str = "") -> Source:
    """Find out what a path is; raise ContentError when it is no book."""
    if where.is_dir():
        return _folder(where, format_)
    if not where.exists():
        raise ContentError("does not exist", file=str(where))
    suffix = where.suffix.lower()
    kind = format_ or {".epub": "epub", ".ipynb": "ipynb", ".jsonl": "jsonl", ".ndjson": "jsonl"}.get(suffix, "")
    if kind == "epub":
        return _epub(where)
    if kind in ("ipynb", "jsonl"):
        return _single(where, kind)
    if _is_config(where):
        return _project(where.parent, read_project(where))
    if suffix in MARKDOWN + COMPONENTS + QUARTO + HTML or format_:
        return _one_page(where, format_)
    raise ContentError("is none of a folder, .md, .mdx, .qmd, .html, .epub, .ipynb or .jsonl", file=str(where))


def _is_config(where: Path) -> bool:
    name = where.name.lower()
    return name.endswith((".yml", ".yaml")) and ("mkdocs" in name or "properdocs" in name)


def name_of(where: Path) -> str:
    """The slug a book has from its folder or file; a project's configuration stands for its folder."""
    place = where.resolve()
    if place.is_file():
        return slug(place.parent.name if _is_config(place) else place.stem) or "book"
    return slug(place.name) or "book"


def _single(where: Path, kind: str) -> Source:
    page = PageFile(where.name, quote(where.name))
    return Source(where, name_of(where), kind, (page,), lambda _: read_bytes(where, str(where)))


def _one_page(where: Path, format_: str) -> Source:
    kind = format_ or ("html" if where.suffix.lower() in HTML else "mdx" if where.suffix.lower() in COMPONENTS else "markdown")
    url = quote(where.name) if kind == "html" else page_url(where.name)
    page = PageFile(where.name, url)
    return Source(where, name_of(where), kind, (page,), lambda _: read_bytes(where, str(where)), dialect=dialect_named(kind))


def _folder(root: Path, format_: str) -> Source:
    if format_ in ("epub", "jsonl"):
        raise ContentError(f"is a folder: --format {format_} takes a file", file=str(root))
    config = find_config(root)
    if config is not None and format_ in ("", "mkdocs"):
        return _project(root, read_project(config))
    around = project_around(root) if format_ in ("", "mkdocs") else None
    found = generator_around(root, format_) if around is None else None
    if found is not None and (source := _generated(root, found)) is not None:
        return source
    problems: list[Problem] = []
    if format_ == "html":
        return _site(root, find_files(root, HTML, problems), problems)
    paths = find_files(root, NOTEBOOKS if format_ == "ipynb" else PAGES, problems)
    htmls = find_files(root, HTML, []) if not format_ else []
    if htmls and (not paths or is_built(root, htmls)) and not ((root / "conf.py").is_file() and find_files(root, (".rst",), [])):
        return _site(root, htmls, problems)
    if not paths and not problems:
        raise ContentError(_holds_nothing(root), file=str(root))
    if around is not None:
        return _pages_of_project(root, around, root, paths, problems)
    problems += () if format_ else warn_of_generator_above(root)
    return replace(_markdown_folder(root, format_ or _guess(paths), paths, problems), guessed=not format_)


def _generated(root: Path, found: Generator) -> Source | None:
    """A project of another generator; a page is named from the project's folder on. None for a project without Markdown."""
    problems: list[Problem] = []
    all_paths = find_files(found.folder, PAGES, problems)
    if not any(path.lower().endswith(MARKDOWN) for path in all_paths) if found.format == "myst" else not all_paths:
        return None
    paths = [path for path in all_paths if path.startswith(found.below)] or all_paths
    source = _markdown_folder(found.folder, found.format, paths, problems, found.settings)
    beside = [path for path in all_paths if path not in paths and "/" in path]
    told = found.told()
    inside = Path(os.path.relpath(found.folder, root)).as_posix()
    return replace(
        source, where=root, name=name_of(root), shown=f"{inside}/" if inside != "." else "", title=told.title or source.title,
        lang=told.lang, authors=told.authors, includes=_includes(found, root),
        problems=(*source.problems, *warn_of_left_out(beside, found.below)),
    )  # fmt: skip


def _includes(found: Generator, root: Path) -> Includes | None:
    """What pages of a generator may take in; of Quarto's and MyST's names a slash begins those of the project."""
    known = found.format in ("mdbook", "quarto", "vitepress", "myst")
    return Includes(found.format, found.folder, found.folder if found.format == "vitepress" else root) if known else None


def _holds_nothing(root: Path) -> str:
    """Say what a folder without a page holds instead, where a generator can make pages of it."""
    other = next((suffix for suffix in _OTHERS if find_files(root, (suffix,), [])), "")
    said = f"; build the site of its {other} files, and give its folder" if other else ""
    return f"holds no page: no Markdown, MDX, notebook or HTML file{said}"


def _guess(paths: list[str]) -> str:
    if any(path.endswith(COMPONENTS) for path in paths):
        return "mdx"
    return "quarto" if any(path.lower().endswith(QUARTO) for path in paths) else "markdown"


def _markdown_folder(
    root: Path, format_: str, paths: list[str], problems: list[Problem], settings: Mapping[str, Any] | None = None
) -> Source:
    if format_ in ("docusaurus", "quarto"):  # pieces that other pages take in
        paths = [path for path in paths if not any(part.startswith("_") for part in path.split("/"))]
    urls = {path: address(root, path, format_) for path in paths if not _is_shadowed(path, paths)}
    nav, title = find_nav(root, urls, problems)
    kept = {path: url for path, url in urls.items() if not (nav and path in LISTS)}
    if nav and format_ in LISTED_ONLY:
        listed = frozenset(pages_of(nav))
        kept = {path: url for path, url in kept.items() if url in listed}
    files = tuple(PageFile(path, url) for path, url in kept.items())
    read = partial(_read_below, root)
    dialect = dialect_named(format_, settings)
    return Source(root, name_of(root), format_, files, read, title, "", (), nav, dialect, tuple(problems))


def _is_shadowed(path: str, paths: list[str]) -> bool:
    """A README beside an index has no page of its own."""
    folder, name = posixpath.split(path)
    return name.lower().startswith("readme.") and posixpath.join(folder, "index.md") in paths


def _read_below(root: Path, page: PageFile) -> bytes:
    return read_bytes(root / page.path, page.path)


def _project(root: Path, project: Project) -> Source:
    problems: list[Problem] = []
    paths = find_files(project.docs, MARKDOWN, problems)
    if not paths and not problems:
        raise ContentError(f"docs_dir {project.docs.name!r} holds no page", file=str(project.file))
    shown = f"{project.docs.relative_to(root.resolve()).as_posix()}/" if project.docs.is_relative_to(root.resolve()) else ""
    return replace(_pages_of_project(project.docs, project, root, paths, problems), shown=shown)


def _pages_of_project(docs: Path, project: Project, root: Path, paths: list[str], problems: list[Problem]) -> Source:
    excluded = _excluded(project.excluded)
    paths = [path for path in paths if not path.startswith("templates/") and not excluded(path)]
    urls = _project_urls(docs, project, [path for path in paths if not _is_shadowed(path, paths)])
    nav, lost = nav_entries(project.nav, urls, project.plugins) if project.nav else ((), [])
    config = Path(os.path.relpath(project.file.resolve(), docs.resolve())).as_posix()
    problems += (Problem(config, line_of(project.file, path), *what_is_lost(path)) for path in lost)
    if not project.nav:
        nav = folder_nav(docs, urls, project.plugins.told, problems)
    named = _named(nav)
    files = tuple(PageFile(path, url, named.get(url, "")) for path, url in urls.items())
    return Source(
        root, name_of(root), "mkdocs", files, partial(_read_below, docs), project.title, project.lang, project.authors, nav,
        project.dialect, tuple(problems), includes=replace(project.snippets, pages=docs) if project.snippets else None,
    )  # fmt: skip


def _project_urls(docs: Path, project: Project, paths: list[str]) -> dict[str, str]:
    """The address of each page, by its path; pages that are not built have none."""
    urls: dict[str, str] = {}
    taken: set[str] = set()
    for path in sorted(paths, key=project.plugins.is_translated, reverse=True):
        placed = project.plugins.placed(path, partial(head_of, docs / path))
        url = quote(path) if path.endswith(NOTEBOOKS) else page_url(placed, directory_urls=project.directory_urls)
        if placed and (url not in taken or not project.plugins.languages):
            urls[path] = url
            taken.add(url)
    return {path: urls[path] for path in paths if path in urls}


def _named(nav: Iterable[NavEntry]) -> dict[str, str]:
    """What a navigation calls each page, by its address."""
    found: dict[str, str] = {}
    for entry in nav:
        if entry.title and not entry.children:
            found.setdefault(entry.page, entry.title)
        found.update({url: title for url, title in _named(entry.children).items() if url not in found})
    return found


def _excluded(patterns: str) -> Callable[[str], bool]:
    """Patterns as in a `.gitignore`, with MkDocs' own library for them."""
    if not patterns.strip():
        return lambda _: False
    import pathspec

    matches = pathspec.GitIgnoreSpec.from_lines(patterns.split("\n")).match_file
    return lambda path: bool(matches(path))


def _site(root: Path, paths: list[str], problems: list[Problem]) -> Source:
    """A built site."""
    kept = [path for path in paths if is_page(path)]
    if not kept and not problems:
        raise ContentError("holds no page: no Markdown, MDX, notebook or HTML file", file=str(root))
    files = tuple(PageFile(path, site_url(path)) for path in kept if not leads_on(root / path))
    nav = _site_nav(root, files)
    return Source(root, name_of(root), "html", files, partial(_read_below, root), nav=nav, problems=tuple(problems))


def _site_nav(root: Path, files: tuple[PageFile, ...]) -> tuple[NavEntry, ...]:
    from .chunkers.html_nav import site_nav

    by_url = {page.url: page for page in files}
    contents = root / "toc.html"  # of an mdBook, which sets it into its pages by script
    shown = contents.read_text("utf-8", "replace") if contents.is_file() else ""
    return site_nav(tuple(by_url), lambda url: _read_below(root, by_url[url]).decode("utf-8", "replace"), shown)


def _epub(where: Path) -> Source:
    from .chunkers.epub import EpubFile
    from .chunkers.epub import page_url as member_url

    file = EpubFile(where, str(where))
    package = file.package()
    files = tuple(PageFile(member, member_url(member)) for member in package.pages)
    return Source(
        where, name_of(where), "epub", files, lambda page: file.data(page.path), package.title, package.lang, package.authors,
        package.nav, shown=f"{where.name}/",
    )  # fmt: skip


def read_page(source: Source, page: PageFile, data: bytes) -> tuple[Page, tuple[Problem, ...]]:
    """Make blocks of a page; raise ContentError when it cannot be read as what it is."""
    shown = source.shown + page.path
    text = decode(data, shown)
    if source.format == "html" or page.path.lower().endswith(HTML) or source.format == "epub":
        from .chunkers import html

        if source.format == "epub":
            from .chunkers.epub import as_html

            text = as_html(text)
        return html.chunk(text, url=page.url, file=shown), ()
    if page.path.lower().endswith(NOTEBOOKS) or source.format == "ipynb":
        from .chunkers import notebook

        return notebook.chunk(text, url=page.url, file=shown, dialect=source.dialect), ()
    from .chunkers import markdown

    dialect = source.dialect
    if page.path.lower().endswith(COMPONENTS) and not dialect.esm:
        dialect = replace(dialect, esm=True, components=True, indented_code=False)
    made, problems = markdown.chunk(text, url=page.url, file=shown, dialect=dialect)
    if dialect.name == "docusaurus" and made.order is None:
        made = replace(made, order=docusaurus.place_in_name(page.path))
    if page.title and not any(isinstance(block, Heading) and block.level == 1 for block in made.blocks):
        made = replace(made, title=page.title)
    if not made.title:
        made = replace(made, title=_title_of(page, home="Home" if dialect.name == "mkdocs" else ""))
    return made, problems


def _title_of(page: PageFile, *, home: str) -> str:
    """What a page without a title is called, as MkDocs does."""
    if not page.url and home:
        return home
    name = posixpath.splitext(posixpath.basename(page.path))[0].replace("-", " ").replace("_", " ")
    return " ".join((name.capitalize() if name == name.lower() else name).split())


def is_unbound(name: str) -> bool:
    """Whether a folder's name says nothing of the book in it."""
    return name in _UNBOUND
