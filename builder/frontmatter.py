"""Front matter: YAML, TOML or plain lines before a page's text."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

import yaml

from .blocks import Problem

_YAML = re.compile(r"\A---[ \t]*\n(.*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(r"\A\+\+\+[ \t]*\n(.*?)\n\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_KEY = re.compile(r"\A---[ \t]*\n[A-Za-z_][\w-]*:(?:\s|$)")
_PLAIN = re.compile(r"\A((?: {0,3}[A-Za-z0-9_-]+:[^\n]*(?:\n|\Z)(?:(?: {4}|\t)[^\n]*\S[^\n]*(?:\n|\Z))*)+)")
_ORDER = ("sidebar_position", "nav_order", "weight", "order")
_TERMS = ("tags", "keywords")
_AUTHORS = ("authors", "author")

Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a page says of itself, and the text below."""

    body: str
    lines: int = 0
    """How many lines stand above the body."""
    title: str = ""
    terms: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    lang: str = ""
    order: float | None = None
    excluded: bool = False
    """The author keeps the page out: `search: {exclude: true}`, `draft: true` or `askbook: false`."""
    problems: tuple[Problem, ...] = ()


def read_front_matter(source: str, *, file: str = "", plain: bool = False) -> FrontMatter:
    """Part front matter from text; what cannot be read is a fatal problem with its line.

    With `plain`, as in MkDocs, lines of `name: value` at the top are front matter too.
    """
    source = source.removeprefix("\ufeff")
    if source.startswith("---"):
        if found := _YAML.match(source):
            return _read(source, found, _yaml, file)
        if _KEY.match(source):
            return FrontMatter(source, problems=(Problem(file, 1, "front matter --- is never closed", fatal=True),))
    elif source.startswith("+++") and (found := _TOML.match(source)):
        return _read(source, found, _toml, file)
    elif plain and (found := _PLAIN.match(source)):
        return _read(source, found, _plain, file)
    return FrontMatter(source)


def values_of(head: str) -> tuple[dict[Any, Any], str]:
    """What the YAML above a text says, and the text; nothing where it cannot be read, which the reader of the page tells."""
    found = _YAML.match(head.removeprefix("\ufeff").replace("\r\n", "\n"))
    try:
        values = _yaml(found[1]) if found else None
    except _UnreadableError:
        values = None
    return (values, found.string[found.end() :]) if found and isinstance(values, dict) else ({}, head)


def _plain(text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    key = ""
    for line in text.split("\n"):
        if not line.startswith(("    ", "\t")):
            key, _, line = line.partition(":")
            key = key.strip().lower()
        values[key] = f"{values.get(key, '')} {line.strip()}".strip()
    return values


class _UnreadableError(Exception):
    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def _yaml(text: str) -> Any:
    try:
        return yaml.load(text, Loader)
    except yaml.YAMLError as wrong:
        mark = getattr(wrong, "problem_mark", None)
        reason = getattr(wrong, "problem", None) or "not YAML"
        raise _UnreadableError(mark.line + 2 if mark else 1, str(reason)) from None
    except (ValueError, RecursionError) as wrong:
        raise _UnreadableError(1, str(wrong)) from None


def _toml(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        line = re.search(r"line (\d+)", str(wrong))
        raise _UnreadableError(int(line[1]) + 1 if line else 1, str(wrong)) from None


def _read(source: str, found: re.Match[str], parse: Any, file: str) -> FrontMatter:
    body, lines = source[found.end() :], source.count("\n", 0, found.end())
    try:
        values = parse(found[1])
    except _UnreadableError as wrong:
        return FrontMatter(
            body, lines, problems=(Problem(file, wrong.line, f"front matter cannot be read: {wrong}", fatal=True),)
        )
    if not isinstance(values, dict):
        return FrontMatter(body, lines) if values is None else FrontMatter(source)
    return FrontMatter(
        body,
        lines,
        title=str(values.get("title") or "").strip(),
        terms=_words(values, _TERMS),
        authors=_words(values, _AUTHORS),
        lang=str(values.get("lang") or values.get("language") or ""),
        order=next((float(values[key]) for key in _ORDER if isinstance(values.get(key), (int, float))), None),
        excluded=_excluded(values),
    )


def _words(values: dict[Any, Any], keys: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for key in keys:
        value = values.get(key)
        entries = value if isinstance(value, list) else str(value).split(",") if isinstance(value, str) else []
        for entry in entries:
            name = entry.get("name") if isinstance(entry, dict) else entry
            if isinstance(name, (str, int, float)) and str(name).strip():
                found.append(str(name).strip())
    return tuple(dict.fromkeys(found))


def _excluded(values: dict[Any, Any]) -> bool:
    search = values.get("search")
    return (
        values.get("askbook") is False
        or values.get("draft") is True
        or (isinstance(search, dict) and search.get("exclude") is True)
    )
