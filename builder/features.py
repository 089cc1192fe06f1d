"""What an author can switch: `features.toml` as typed values; a key nobody knows is an error with the nearest right name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from askbook.core.errors import ContentError
from askbook.core.limits import CARD_OVERLAP, CARD_TOKENS

_LINE = re.compile(r"at line (\d+)")


@dataclass(frozen=True, slots=True)
class Assistant:
    """The assistant as a whole."""

    enabled: bool = True
    """False builds no index and adds nothing to a page."""


@dataclass(frozen=True, slots=True)
class Formats:
    """What `build-ai-index` takes as a source; a format that is off is passed over."""

    markdown: bool = True
    mdx: bool = True
    myst: bool = True
    notebook: bool = True
    epub: bool = True
    html: bool = True
    jsonl: bool = True


@dataclass(frozen=True, slots=True)
class Cards:
    """How long cards are."""

    tokens: int = CARD_TOKENS
    """Budget of one card in estimated model tokens."""
    overlap: float = CARD_OVERLAP
    """Share of the budget that a part of a split card repeats from the part before it."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """Which units become cards, and under which names they stand in the source."""

    off: tuple[str, ...] = ()
    """Kinds whose units stay part of the card around them."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Further names of a component, an admonition or an opening word, and the kind each makes."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the same pass writes beside the index."""

    llms_txt: bool = False
    llms_full_txt: bool = False
    book_json: bool = True
    mcp_json: bool = False


@dataclass(frozen=True, slots=True)
class Tools:
    """What tools there are in a page beside those that read the book."""

    python: bool = True
    """A model may run Python in a sandbox of the reader's browser, once the reader allows it."""
    packages: tuple[str, ...] = ()
    """Packages its programs can import, served with the site."""
    webmcp: bool = True
    """Offer the book tools to the browser's own agent, where it has one."""


@dataclass(frozen=True, slots=True)
class Features:
    """Every switch; each field is a table of the file."""

    assistant: Assistant = field(default_factory=Assistant)
    formats: Formats = field(default_factory=Formats)
    cards: Cards = field(default_factory=Cards)
    kinds: Kinds = field(default_factory=Kinds)
    outputs: Outputs = field(default_factory=Outputs)
    tools: Tools = field(default_factory=Tools)


class FeatureError(ContentError):
    """A switch that does not exist or holds a value of another type."""


T = TypeVar("T")


def load_features(path: Path | None) -> Features:
    """Read a file of switches; a missing file or None means the defaults."""
    if path is None or not path.is_file():
        return Features()
    try:
        text = path.read_text(encoding="utf-8-sig")
        values = tomllib.loads(text)
    except UnicodeDecodeError as wrong:
        raise FeatureError(f"is not UTF-8: {wrong.reason} at byte {wrong.start}", file=str(path)) from None
    except tomllib.TOMLDecodeError as wrong:
        line = _LINE.search(str(wrong))
        raise FeatureError(f"is not TOML: {wrong}", file=str(path), line=int(line[1]) if line else 0) from None
    except OSError as wrong:
        raise FeatureError(f"cannot be read: {wrong.strerror}", file=str(path)) from None
    return read_features(values, file=str(path), source=text)


def read_features(values: Mapping[str, Any], *, file: str = "features.toml", source: str = "") -> Features:
    """Turn parsed TOML into switches."""
    return _read(Features, values, where="", file=file, source=source)


def _read(cls: type[T], values: Mapping[str, Any], *, where: str, file: str, source: str) -> T:
    assert is_dataclass(cls)
    hints = get_type_hints(cls)
    known = [entry.name for entry in fields(cls)]
    given: dict[str, Any] = {}
    for key, value in values.items():
        line = _line(source, key, where)
        place = f"{where}.{key}" if where else key
        if key not in known:
            raise FeatureError(f"no switch {place!r}; {_suggest(key, known, where)}", file=file, line=line)
        given[key] = _value(hints[key], value, place=place, file=file, line=line, source=source)
    return cls(**given)


def _value(hint: Any, value: Any, *, place: str, file: str, line: int, source: str) -> Any:
    if is_dataclass(hint):
        if not isinstance(value, dict):
            raise _mistyped(place, "a table", value, file, line)
        return _read(hint, value, where=place, file=file, source=source)  # type: ignore[arg-type]
    origin = get_origin(hint)
    if origin is tuple:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise _mistyped(place, "a list of words", value, file, line)
        return tuple(value)
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(value, dict) or not all(isinstance(item, get_args(hint)[1]) for item in value.values()):
            raise _mistyped(place, "a table of words", value, file, line)
        return dict(value)
    return _scalar(hint, value, place=place, file=file, line=line)


def _scalar(hint: type, value: Any, *, place: str, file: str, line: int) -> Any:
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):
        names = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
        raise _mistyped(place, names[hint], value, file, line)
    limits = _RANGES.get(place)
    if limits and not limits[0] <= value <= limits[1]:  # type: ignore[operator]
        raise FeatureError(f"{place} must lie between {limits[0]} and {limits[1]}, not {value!r}", file=file, line=line)
    return value


_RANGES: Mapping[str, tuple[float, float]] = {"cards.tokens": (20, 100_000), "cards.overlap": (0.0, 0.5)}


def _mistyped(place: str, wanted: str, value: Any, file: str, line: int) -> FeatureError:
    return FeatureError(f"{place} must be {wanted}, not {value!r}", file=file, line=line)


def _suggest(key: str, known: list[str], where: str) -> str:
    """Name the nearest right key, looking in the other tables too."""
    near = get_close_matches(key, known, n=1, cutoff=0.6)
    if near:
        return f"did you mean {f'{where}.{near[0]}' if where else near[0]}?"
    everywhere = {name: f"{table.name}.{name}" for table in fields(Features) for name in _names_in(table.name)}
    near = get_close_matches(key, everywhere, n=1, cutoff=0.6)
    if near:
        return f"did you mean {everywhere[near[0]]}?"
    return f"known here: {', '.join(known)}"


def _names_in(table: str) -> list[str]:
    return [entry.name for entry in fields(get_type_hints(Features)[table])]


def _line(source: str, key: str, where: str) -> int:
    """The line a key stands in; 0 where it cannot be told."""
    table = ""
    for number, line in enumerate(source.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            table = stripped.strip("[]").split("]")[0].strip()
            if table == f"{where}.{key}" or (not where and table.split(".")[0] == key):
                return number
        elif table == where and stripped.split("=")[0].strip(" \"'") == key:
            return number
    return 0


def placed(wrong: ContentError) -> str:
    """An error with the place it is about, as one line."""
    return f"{wrong.file}{f':{wrong.line}' if wrong.line else ''}: {wrong}"
