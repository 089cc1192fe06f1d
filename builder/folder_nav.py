"""Reading order that plugins of MkDocs take from files beside the pages: `.pages`, `.nav.yml`, `SUMMARY.md`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from askbook.core.errors import ContentError

from .blocks import NavEntry, Problem
from .nav_files import read_list
from .outline import natural_key
from .yaml_files import read_yaml

_ORDERS: Final = {"awesome-pages": ".pages", "awesome-nav": ".nav.yml"}
"""Plugins that read a file of settings in each folder, and what it is called."""
_LITERATE: Final = "literate-nav"
_SIGNS: Final = re.compile(r"[*?\[]")
_REST: Final = re.compile(r"\.{3}\s*(?:\|\s*(?P<flat>flat)\s*(?=\||$))?(?:\|\s*(?:(?P<kind>regex|glob)=)?(?P<text>.*))?")
"""All that has no place yet, or what of it a pattern finds."""
_EXTENDED: Final = re.compile(r"[!?*+@]\(")
_GLOB: Final = re.compile(r"\*\*/|\*\*|\[[!^]?[^\]/]+\]|.", re.DOTALL)
_GLOB_SIGNS: Final = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_FOLDER: Final = "\0"
"""Before the path of a folder that stands where a page's address does."""


def folder_nav(
    docs: Path, urls: Mapping[str, str], plugins: Mapping[str, Mapping[str, Any]], problems: list[Problem]
) -> tuple[NavEntry, ...]:
    """The navigation of a project without a `nav` of its own, where one of these plugins makes it; empty where none does."""
    if _LITERATE in plugins:
        name = str(plugins[_LITERATE].get("nav_file") or "SUMMARY.md")
        return tuple(_Literate(docs, urls, name).entries("", ())) if (docs / name).is_file() else ()
    plugin = next((name for name in _ORDERS if name in plugins), "")
    if not plugin:
        return ()
    reader = _Ordered(docs, urls, str(plugins[plugin].get("filename") or _ORDERS[plugin]), problems)
    return tuple(reader.entries(""))


@dataclass(frozen=True, slots=True)
class _Literate:
    """Lists of links, which may lead to folders with lists of their own."""

    docs: Path
    urls: Mapping[str, str]
    name: str

    def entries(self, folder: str, above: tuple[str, ...]) -> Iterator[NavEntry]:
        file = self.docs / folder / self.name
        if not file.is_file() or folder in above:
            inside = sorted((path for path in self.urls if path.startswith(folder)), key=natural_key)
            yield from (NavEntry("", self.urls[path]) for path in inside if not path.endswith(self.name))
            return
        own = {path.removeprefix(folder): url or _FOLDER for path, url in self.urls.items() if path.startswith(folder)}
        own |= {f"{parent}/": f"{_FOLDER}{folder}{parent}/" for path in own for parent in _parents(path)}
        yield from self._resolved(read_list(file, own)[0], (*above, folder))

    def _resolved(self, entries: list[NavEntry] | tuple[NavEntry, ...], above: tuple[str, ...]) -> Iterator[NavEntry]:
        for entry in entries:
            if entry.page == _FOLDER:
                yield NavEntry(entry.title, "")  # the home page, whose address is empty
            elif entry.page.startswith(_FOLDER):
                yield NavEntry(entry.title, "", tuple(self.entries(entry.page.removeprefix(_FOLDER), above)))
            else:
                yield NavEntry(entry.title, entry.page, tuple(self._resolved(entry.children, above)))


def _parents(path: str) -> Iterator[str]:
    while path := posixpath.dirname(path):
        yield path


@dataclass(slots=True)
class _Ordered:
    """Folders whose settings name what they hold, in order."""

    docs: Path
    urls: Mapping[str, str]
    name: str
    problems: list[Problem]
    listed: dict[str, list[str]] = field(init=False)
    """Of each folder its pages, then the folders in it, each in natural order."""
    said: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Settings that have been read."""

    def __post_init__(self) -> None:
        found: dict[str, set[str]] = {"": set()}
        for path in self.urls:
            while True:
                folder = posixpath.dirname(path)
                found.setdefault(folder, set()).add(path)
                if not folder:
                    break
                path = folder
        self.listed = {folder: sorted(paths, key=lambda path: self._key(path)) for folder, paths in found.items()}

    def _key(self, path: str) -> tuple[object, ...]:
        own = posixpath.splitext(posixpath.basename(path))[0].lower() in ("index", "readme")
        return (path not in self.urls, not own, natural_key(posixpath.basename(path)))

    def _settings(self, folder: str) -> Mapping[str, Any]:
        file = self.docs / folder / self.name
        if folder not in self.said:
            try:
                self.said[folder] = read_yaml(file) if file.is_file() else {}
            except ContentError as wrong:
                self.said[folder] = {}
                self.problems.append(Problem(posixpath.join(folder, self.name), wrong.line, str(wrong), fatal=True))
        return self.said[folder]

    def entries(self, folder: str) -> list[NavEntry]:
        """What a folder holds, in the order its settings say."""
        settings = self._settings(folder)
        sort = settings.get("sort")
        down = settings.get("order") == "desc" or (isinstance(sort, dict) and sort.get("direction") == "desc")
        held = self.listed.get(folder, [])[:: -1 if down else 1]
        said = settings.get("nav", settings.get("arrange"))
        items = said if isinstance(said, list) else ["*"]
        return list(self._items(items, folder, held, set(self._named(items, folder))))

    def _named(self, items: list[Any], folder: str) -> Iterator[str]:
        """Paths that are named outright, which no pattern takes in."""
        for item in items:
            for title, target in item.items() if isinstance(item, dict) else [("", item)]:
                if isinstance(target, list):
                    yield from self._named(target, folder)
                elif isinstance(target, str) and title != "glob":
                    yield posixpath.normpath(posixpath.join(folder, target))

    def _items(self, items: list[Any], folder: str, held: list[str], taken: set[str]) -> Iterator[NavEntry]:
        for item in items:
            for title, target in item.items() if isinstance(item, dict) else [("", item)]:
                if isinstance(target, str) and title == "glob":
                    yield from self._matching(target, folder, held, taken)
                elif isinstance(target, list):
                    yield NavEntry(str(title), "", tuple(self._items(target, folder, held, taken)))
                elif isinstance(target, str):
                    yield from self._found(str(title), target, folder, held, taken)

    def _found(self, title: str, target: str, folder: str, held: list[str], taken: set[str]) -> Iterator[NavEntry]:
        path = posixpath.normpath(posixpath.join(folder, target))
        path = "" if path == "." else path
        if path in self.urls or (path in self.listed and _is_inside(path, folder)):
            yield from self._entry(title, path)
        elif path in self.listed:
            self._warn(folder, f"{target!r} is no folder inside of this one, and is left out of the reading order")
        elif target.startswith("...") or (_SIGNS.search(target) and "://" not in target):
            yield from self._matching(target, folder, held, taken)

    def _matching(self, target: str, folder: str, held: list[str], taken: set[str]) -> Iterator[NavEntry]:
        """What a pattern finds in a folder, and below it where it says so, of what has no place yet."""
        flat, pattern = _pattern(target)
        if pattern is None:
            self._warn(folder, f"{target!r} is a pattern that is not understood, and is left out of the reading order")
            return
        deep = flat or "**" in target or "/" in target.rstrip("/")
        for each in self._below(folder) if deep else held:
            above = (parent for parent in _parents(each) if _is_inside(parent, folder))
            name = each.removeprefix(f"{folder}/") if folder else each
            name += "/" if target.endswith("/") and each in self.listed else ""
            if (flat and each in self.listed) or each in taken or not taken.isdisjoint(above) or not pattern.search(name):
                continue
            taken.add(each)
            yield from self._entry("", each)

    def _below(self, folder: str) -> Iterator[str]:
        """All that is in a folder and in those in it."""
        for each in self.listed.get(folder, ()):
            yield each
            yield from self._below(each)

    def _warn(self, folder: str, message: str) -> None:
        """Say once what the settings of a folder do not do."""
        problem = Problem(posixpath.join(folder, self.name), 1, message)
        if problem not in self.problems:
            self.problems.append(problem)

    def _entry(self, title: str, path: str) -> Iterator[NavEntry]:
        if path in self.urls:
            yield NavEntry(title, self.urls[path])
            return
        settings = self._settings(path)
        children = self.entries(path) if settings.get("hide") is not True else []
        if children:
            yield NavEntry(title or str(settings.get("title") or _shown(path)), "", tuple(children))


def _is_inside(path: str, folder: str) -> bool:
    """Whether a path leads into a folder, and not to the folder itself."""
    return path != folder and path.startswith(f"{folder}/" if folder else "")


def _pattern(target: str) -> tuple[bool, re.Pattern[str] | None]:
    """Whether a pattern takes pages without their folders, and what it finds; None where that is not known."""
    rest = _REST.fullmatch(target)
    if target.startswith("...") and not rest:
        return False, None
    flat, kind, text = rest.group("flat", "kind", "text") if rest else (None, None, target)
    try:
        return bool(flat), re.compile(text or "") if kind == "regex" else _glob(text.strip() if text else "**")
    except re.error:
        return bool(flat), None


def _glob(text: str) -> re.Pattern[str] | None:
    """A pattern of paths, where only two stars go into folders."""
    if _EXTENDED.search(text):
        return None
    return re.compile(rf"(?s:\A{_GLOB.sub(_as_regex, text.removeprefix('./'))}\Z)")


def _as_regex(found: re.Match[str]) -> str:
    """One sign of a pattern."""
    sign = found[0]
    if len(sign) > 2 and sign[0] == "[":
        inside = sign[1:-1].replace("\\", "\\\\").replace("[", "\\[")
        return f"[^/{inside[1:]}]" if inside[0] in "!^" else f"[{inside}]"
    return _GLOB_SIGNS.get(sign) or re.escape(sign)


def _shown(path: str) -> str:
    """What MkDocs calls a folder."""
    name = posixpath.basename(path).replace("-", " ").replace("_", " ")
    return name.capitalize() if name == name.lower() else name
