"""YAML that site generators write: read without running anything it names."""

from __future__ import annotations

import os
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import yaml

from askbook.core.errors import ContentError

_Base: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc, valid-type]
    """Reads `!ENV` from the environment and keeps `!!python/…` as the name it stands for."""


def _environment(loader: Any, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return os.environ.get(str(loader.construct_scalar(node)))
    if isinstance(node, yaml.SequenceNode):
        names = loader.construct_sequence(node)
        *variables, default = names if len(names) > 1 else [*names, None]
        return next((os.environ[name] for name in variables if isinstance(name, str) and name in os.environ), default)
    return None


def _python(loader: Any, suffix: str, node: yaml.Node) -> Any:
    """`name:pkg.function` is its name; `object/apply:pkg.function` with arguments is `{"name": …, "kwds": …}`."""
    kind, _, name = suffix.partition(":")
    if kind == "name" or isinstance(node, yaml.ScalarNode):
        return name
    value = loader.construct_mapping(node, deep=True) if isinstance(node, yaml.MappingNode) else {}
    return {"name": name, "kwds": value.get("kwds", {}) if isinstance(value, dict) else {}}


def _other(loader: Any, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_mapping(node, deep=True)


_Loader.add_constructor("!ENV", _environment)
_Loader.add_multi_constructor("tag:yaml.org,2002:python/", _python)
_Loader.add_multi_constructor("!", _other)


def read_yaml(path: Path, *, shown: str = "") -> dict[str, Any]:
    """Read a file of settings, with what it inherits; raise ContentError with the line where it is not YAML."""
    return _read(path, shown or path.name, depth=0)


def _read(path: Path, shown: str, *, depth: int) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise ContentError(f"not UTF-8 at byte {wrong.start}", file=shown) from None
    except OSError as wrong:
        raise ContentError(f"cannot be read: {wrong.strerror}", file=shown) from None
    try:
        values = yaml.load(text, _Loader)
    except yaml.YAMLError as wrong:
        mark = getattr(wrong, "problem_mark", None)
        reason = getattr(wrong, "problem", None) or "it is not YAML"
        raise ContentError(f"cannot be read: {reason}", file=shown, line=mark.line + 1 if mark else 0) from None
    if not isinstance(values, dict):
        return {}
    parent = values.pop("INHERIT", None)
    if isinstance(parent, str) and depth < 8:
        inherited = _read((path.parent / parent).resolve(), normpath(join(dirname(shown), parent)), depth=depth + 1)
        return _merged(inherited, values)
    return values


def _merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        merged[key] = _merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged
