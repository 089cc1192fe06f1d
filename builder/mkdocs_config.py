"""What a `mkdocs.yml` says about a book, read without MkDocs: its pages, their order, their addresses and its Markdown."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import unescape
from pathlib import Path, PurePosixPath
from string import punctuation
from typing import Any, Final
from urllib.parse import quote

from askbook.core.errors import ContentError

from .blocks import NavEntry
from .chunkers.typesetting import Smart
from .dialects import AUTO, CAPTIONS, Dialect
from .files import read_text
from .includes import Includes
from .mkdocs_plugins import NO_PLUGINS, Plugins, plugins_of
from .slugs import SLUGIFIERS, Slugify, markdown_slug, pymdown_slug
from .yaml_files import read_yaml

NAMES = ("mkdocs.yml", "mkdocs.yaml", "properdocs.yml", "properdocs.yaml")


@dataclass(frozen=True, slots=True)
class Project:
    """A MkDocs project, as far as the build needs it."""

    file: Path
    docs: Path
    title: str
    lang: str
    authors: tuple[str, ...]
    directory_urls: bool
    nav: Any
    dialect: Dialect
    plugins: Plugins = NO_PLUGINS
    excluded: str = ""
    """Patterns of `exclude_docs` and `draft_docs`."""
    snippets: Includes | None = None


def find_config(folder: Path) -> Path | None:
    """The project file of a folder."""
    return next((folder / name for name in NAMES if (folder / name).is_file()), None)


def read_project(file: Path) -> Project:
    """Read a project; raise ContentError when its folder of pages is missing."""
    values = read_yaml(file, shown=str(file))
    named = str(values.get("docs_dir") or "docs").replace("\0", "")
    docs = (file.parent / named).resolve()
    project = _project(file, docs, values)
    if not docs.is_dir():
        raise ContentError(f"docs_dir {named!r} is missing: {file.parent / named} is no folder", file=str(file))
    return project


def project_around(folder: Path) -> Project | None:
    """The project whose pages these are: its `docs_dir` is this folder, or does not exist while all its nav lies in this one."""
    file = find_config(folder.parent)
    if file is None:
        return None
    try:
        values = read_yaml(file)
    except ContentError:
        return None
    docs = (file.parent / str(values.get("docs_dir") or "docs")).resolve()
    project = _project(file, folder.resolve(), values)
    if docs == folder.resolve():
        return project
    paths = list(_nav_paths(values.get("nav")))
    return project if not docs.exists() and paths and all((folder / path).is_file() for path in paths) else None


def _nav_paths(nav: Any) -> Sequence[str]:
    if isinstance(nav, str):
        return [nav] if _is_page(nav) else []
    if isinstance(nav, dict):
        return [path for value in nav.values() for path in _nav_paths(value)]
    return [path for value in nav for path in _nav_paths(value)] if isinstance(nav, list) else []


def _is_page(target: str) -> bool:
    return "://" not in target and target.lower().endswith((".md", ".markdown", ".mdown", ".mkd", ".mkdn"))


def _project(file: Path, docs: Path, values: Mapping[str, Any]) -> Project:
    theme = values.get("theme")
    language = theme.get("language") if isinstance(theme, dict) else ""
    author = values.get("site_author")
    dialect = dialect_of(values)
    appended = "\n\n".join(_appended(file.parent, _extensions(values.get("markdown_extensions")).get("pymdownx.snippets", {})))
    return Project(
        file,
        docs,
        str(values.get("site_name") or ""),
        str(language or ""),
        (author,) if isinstance(author, str) else (),
        values.get("use_directory_urls") is not False,
        values.get("nav"),
        replace(dialect, appended=appended) if appended else dialect,
        plugins_of(values, _slugify),
        "\n".join(str(values[key]) for key in ("exclude_docs", "draft_docs") if values.get(key)),
        _snippets(file.parent, docs, _extensions(values.get("markdown_extensions")).get("pymdownx.snippets")),
    )


def _snippets(root: Path, docs: Path, settings: Mapping[str, Any] | None) -> Includes | None:
    """Where snippets are looked for, in a project that has them."""
    if settings is None:
        return None
    bases = settings.get("base_path") or ["."]
    folders = tuple(root / str(base) for base in (bases if isinstance(bases, list) else [bases]))
    return Includes("snippets", docs, root, folders, bool(settings.get("dedent_subsections")))


def _appended(root: Path, settings: Mapping[str, Any]) -> Iterator[str]:
    """Files that snippets set at the end of every page: what links lead to, and abbreviations."""
    bases = settings.get("base_path") or ["."]
    names = settings.get("auto_append")
    for name in names if isinstance(names, list) else ():
        for base in bases if isinstance(bases, list) else [bases]:
            file = (root / str(base) / str(name)).resolve()
            if file.is_file() and file.is_relative_to(root.resolve()):
                yield read_text(file, str(name))
                break


_SCRIPTS = {"~": ("pymdownx.tilde", "subscript"), "^": ("pymdownx.caret", "superscript")}
"""Marks of what stands below and above the line, the extension that reads each, and its switch there."""
_MARKS = {"~": ("pymdownx.tilde", "delete"), "=": ("pymdownx.mark", "mark")}
"""Signs two of which set off what stands between them."""
_SMART = {'"': ("smarty", "smart_quotes"), "-": ("smarty", "smart_dashes"), ".": ("smarty", "smart_ellipses")}
"""Signs that are set as a typesetter does, and their switches."""
_ESCAPES = {
    "smarty": "\"'",
    "pymdownx.tilde": "~",
    "pymdownx.caret": "^",
    "pymdownx.mark": "=",
    "pymdownx.keys": "+",
    "pymdownx.escapeall": punctuation + " ",
}
"""Signs that a backslash makes plain where an extension reads them."""


def dialect_of(values: Mapping[str, Any]) -> Dialect:
    """The Markdown of a project: what its extensions make of it, and nothing else."""
    extensions = _extensions(values.get("markdown_extensions"))
    toc = extensions.get("toc", {})
    separator = toc.get("separator")
    has = extensions.keys()
    return replace(
        AUTO,
        name="mkdocs",
        admonitions="admonition" in has,
        details="pymdownx.details" in has,
        tabs="pymdownx.tabbed" in has,
        blocks=frozenset(_block_names(extensions)),
        captions=_captions(extensions.get("pymdownx.blocks.caption", {})),
        fancy_lists=_fancy(extensions.get("pymdownx.fancylists")),
        directives=False,
        components=False,
        raw_html=True,
        superfences="pymdownx.superfences" in has,
        relaxed_headers=bool(extensions.get("pymdownx.superfences", {}).get("relaxed_headers")),
        sane_headings="pymdownx.saneheaders" in has,
        alerts=any("callout" in name or "alert" in name for name in has)
        or bool(extensions.get("pymdownx.quotes", {}).get("callouts")),
        footnotes="footnotes" in has,
        definition_lists="def_list" in has,
        abbreviations="abbr" in has,
        attributes="attr_list" in has,
        marks=_switched(_MARKS, extensions),
        symbols=frozenset(_symbols(extensions)),
        tasks="pymdownx.tasklist" in has,
        smart=Smart(_switched(_SMART, extensions), _set_as(extensions.get("smarty", {}))),
        scripts=_switched(_SCRIPTS, extensions),
        escapes="".join(signs for name, signs in _ESCAPES.items() if name in has),
        slugify=_slugify(toc.get("slugify")),
        separator=separator if isinstance(separator, str) else "-",
    )


def _switched(switches: Mapping[str, tuple[str, str]], extensions: Mapping[str, Mapping[str, Any]]) -> str:
    """The signs whose extension is there and not told to leave them."""
    return "".join(sign for sign, (name, key) in switches.items() if name in extensions and extensions[name].get(key, True))


_SET: Final[Mapping[str, str]] = {
    "left-single-quote": "‘", "right-single-quote": "’", "left-double-quote": "“", "right-double-quote": "”", "ndash": "–",
    "mdash": "—", "ellipsis": "…", "left-angle-quote": "«", "right-angle-quote": "»",
}  # fmt: skip
"""What smarty sets, by the names that a project may have something else in place of."""


def _set_as(settings: Mapping[str, Any]) -> dict[str, str]:
    """What stands in place of the signs of a typesetter."""
    told = settings.get("substitutions")
    return {_SET[name]: unescape(str(shown)) for name, shown in (told if isinstance(told, dict) else {}).items() if name in _SET}


def _symbols(extensions: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What of PyMdown's extensions for running text a project has."""
    for name, form in (
        ("emoji", "emoji"),
        ("keys", "keys"),
        ("inlinehilite", "hilite"),
        ("smartsymbols", "symbols"),
        ("progressbar", "progress"),
        ("bracketspan", "span"),
    ):
        if f"pymdownx.{name}" in extensions:
            yield form
    if extensions.get("smarty", {}).get("smart_angled_quotes"):
        yield "angled"
    if "wikilinks" in extensions:
        yield "wiki"
    for name, form in (("caret", "raised"), ("tilde", "lowered")):
        if extensions.get(f"pymdownx.{name}", {}).get("no_space", True) is False:
            yield form
    if extensions.get("pymdownx.caret", {"insert": False}).get("insert", True):
        yield "insert"
    critic = extensions.get("pymdownx.critic", {"raw_view": True})
    if not critic.get("raw_view"):
        yield f"critic:{critic.get('mode', 'view')}"


def usual_dialect() -> Dialect:
    """The Markdown of a project whose configuration is not at hand, with the extensions that most have."""
    usual = ("admonition", "extra", "toc", "details", "superfences", "tabbed", "blocks.admonition", "blocks.tab")
    names = [name if name in ("admonition", "extra", "toc") else f"pymdownx.{name}" for name in usual]
    return dialect_of({"markdown_extensions": names})


def _extensions(listed: Any) -> dict[str, Mapping[str, Any]]:
    """Extensions by short name, with their settings."""
    found: dict[str, Mapping[str, Any]] = {}
    entries = listed if isinstance(listed, list) else [listed] if isinstance(listed, dict) else []
    for entry in entries:
        pairs = entry.items() if isinstance(entry, dict) else [(entry, {})]
        for name, settings in pairs:
            short = str(name).removeprefix("markdown.extensions.")
            found[short] = settings if isinstance(settings, dict) else {}
            for inner in _BUNDLES.get(short, ()):
                found.setdefault(inner, {})
    return found


def _block_names(extensions: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Names that PyMdown blocks may have in this project."""
    if "pymdownx.fancylists" in extensions:
        yield "fancylists"
    for name, settings in extensions.items():
        short = name.removeprefix("pymdownx.blocks.")
        if short == name:
            continue
        yield from _BLOCK_NAMES.get(short, (short,))
        types = settings.get("types")
        for entry in types if isinstance(types, list) else ():
            yield str(entry.get("name", "") if isinstance(entry, dict) else entry)


def _captions(settings: Mapping[str, Any]) -> dict[str, str]:
    """Kinds of captions, and what stands before the words of each."""
    types = settings.get("types")
    listed = [each if isinstance(each, dict) else {"name": each} for each in types] if isinstance(types, list) else []
    found = {str(each.get("name") or ""): str(each.get("prefix") or "") for each in listed} or dict(CAPTIONS)
    return dict.fromkeys(found, "") if settings.get("auto") is False else found


def _fancy(settings: Mapping[str, Any] | None) -> frozenset[str]:
    """Markers of lists that a project has besides figures."""
    if settings is None:
        return frozenset()
    styles = settings.get("additional_ordered_styles", ["roman", "alpha", "generic"])
    return frozenset(["figures", *(str(style) for style in (styles if isinstance(styles, list) else ()))])


_BLOCK_NAMES = {
    "admonition": ("admonition", "note", "attention", "caution", "danger", "error", "tip", "hint", "warning"),
    "definition": ("define",),
    "caption": ("caption", "figure-caption", "table-caption"),
}
_BUNDLES = {
    "extra": ("abbr", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "fenced_code"),
    "pymdownx.extra": ("abbr", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "pymdownx.superfences"),
}


def _slugify(named: Any) -> Slugify:
    """The slugify a project names, `!!python/name:…` or `!!python/object/apply:…`."""
    if isinstance(named, dict):
        settings = named.get("kwds") or {}
        if named.get("name") == "pymdownx.slugs.slugify":
            case = str(settings.get("case", "none"))
            normal = str(settings.get("normalize", "NFC"))
            return partial(pymdown_slug, case=case, normalize=normal, encode=bool(settings.get("percent_encode")))
        named = named.get("name")
    return SLUGIFIERS.get(str(named), markdown_slug)


def page_url(path: str, *, directory_urls: bool = True) -> str:
    """The address MkDocs gives a page, given its path in the folder of pages."""
    pure = PurePosixPath(path)
    stem = "index" if pure.stem in ("index", "README") else pure.stem
    folder = "" if str(pure.parent) == "." else f"{pure.parent}/"
    if not directory_urls:
        return quote(f"{folder}{stem}.html")
    return quote(folder if stem == "index" else f"{folder}{stem}/")


def nav_entries(nav: Any, urls: Mapping[str, str], plugins: Plugins = NO_PLUGINS) -> tuple[tuple[NavEntry, ...], list[str]]:
    """A `nav` as entries, given the address of each page's path; also the paths that lead to no page.

    What a plugin translates has its navigation once for each language, the default one first.
    """
    entries: list[NavEntry] = []
    lost: list[str] | None = None
    for name, own, titles in plugins.editions(urls):
        missing: list[str] = []
        found = [_titled(entry, titles) for entry in _entries(nav, own, missing)]
        entries += [NavEntry(name, "", tuple(found))] if name and found else found
        lost = missing if lost is None else lost
    return tuple(entries), lost or []


def _titled(entry: NavEntry, titles: Mapping[str, str]) -> NavEntry:
    return NavEntry(titles.get(entry.title, entry.title), entry.page, tuple(_titled(child, titles) for child in entry.children))


def _entries(nav: Any, urls: Mapping[str, str], lost: list[str]) -> list[NavEntry]:
    found: list[NavEntry] = []
    for item in nav if isinstance(nav, list) else [nav]:
        if isinstance(item, str):
            found.extend(_leaf("", item, urls, lost))
        elif isinstance(item, dict):
            for title, target in item.items():
                if isinstance(target, str):
                    found.extend(_leaf(str(title or ""), target, urls, lost))
                elif isinstance(target, list):
                    found.append(NavEntry(str(title or ""), "", tuple(_entries(target, urls, lost))))
    return found


def _leaf(title: str, target: str, urls: Mapping[str, str], lost: list[str]) -> list[NavEntry]:
    path = target.removeprefix("./").lstrip("/")
    if path in urls:
        return [NavEntry(title, urls[path])]
    if _is_page(target) or _takes_in(target):
        lost.append(target)
    return []


def _takes_in(target: str) -> bool:
    """Whether an entry is another project's file, or a pattern of such files, as mkdocs-monorepo has them."""
    return target.startswith(("!include ", "*include ")) or target.endswith(("mkdocs.yml", "mkdocs.yaml"))


def what_is_lost(target: str) -> tuple[str, bool]:
    """What is wrong with an entry that leads to no page, and whether that is fatal."""
    if _takes_in(target):
        how = "build its site, and give that folder, or build with the plugin"
        return f"nav entry {target!r} takes in another project, whose pages are not read: {how}", False
    outside = posixpath.normpath(target).startswith("..")
    return f"nav entry {target!r} leads {'outside the book' if outside else 'to no page'}", outside
