"""What importing the application computes from constants is noted while packing, and used instead of being computed again."""

from __future__ import annotations

import dataclasses
import importlib.util
import marshal
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PATTERNS = [("a(?P<name>b+)c", 0), ("[一-鿿é-ÿ]+|\\w", re.I), (b"x{2,4}$", re.M), ("(?x) a  b # ab", 0), ("a(?P<name>b+)c", re.A)]


def load(path: str) -> ModuleType:
    """A module by its place: neither is part of a package here."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def notes() -> bytes:
    """What compiling some patterns and a dataclass left behind."""
    with load("client/pack/noting.py").Notes() as noted:
        re.purge()
        for pattern, flags in PATTERNS:
            re.compile(pattern, flags)  # type: ignore[call-overload]
        dataclasses.make_dataclass("Point", [("x", int), ("y", int, 3)], frozen=True)
    packed: bytes = noted.pack()
    return packed


@pytest.fixture
def noted() -> Iterator[ModuleType]:
    """The module that uses them; afterwards everything is as before."""
    import re._compiler as regexes  # type: ignore[import-not-found]

    module, compile_, inspect = load("client/worker/noted.py"), regexes.compile, dataclasses.inspect  # type: ignore[attr-defined]
    yield module
    regexes.compile, dataclasses.inspect = compile_, inspect  # type: ignore[attr-defined]
    if "exec" in vars(dataclasses):
        del dataclasses.exec
    re.purge()


def test_patterns_from_the_notes_are_those_compiled_anew(noted: ModuleType, notes: bytes) -> None:
    anew = [noted.compile_anew(pattern, flags) for pattern, flags in PATTERNS]
    used = noted.put_in(notes)
    re.purge()
    made = [re.compile(pattern, flags) for pattern, flags in PATTERNS]  # type: ignore[call-overload]
    assert used.used == len(PATTERNS)
    assert made == anew
    assert [one.groupindex for one in made] == [one.groupindex for one in anew]
    assert re.fullmatch("a(?P<name>b+)c", "abbc")["name"] == "bb"  # type: ignore[index]


def test_dataclasses_get_their_methods_from_the_notes(noted: ModuleType, notes: bytes) -> None:
    used = noted.put_in(notes)
    point = dataclasses.make_dataclass("Point", [("x", int), ("y", int, 3)], frozen=True)
    assert used.used > 0
    assert (point(1), point(1) == point(1, 3), hash(point(1))) == (point(1, 3), True, hash((1, 3)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        point(1).x = 2


def test_dataclasses_write_no_docstrings_of_their_own(noted: ModuleType, notes: bytes) -> None:
    noted.put_in(notes)
    point = dataclasses.make_dataclass("Point", [("x", int)], slots=True)
    assert (point.__doc__, repr(point(1))) == ("Point", "Point(x=1)")


def test_what_is_not_in_the_notes_is_compiled(noted: ModuleType, notes: bytes) -> None:
    noted.put_in(notes)
    assert re.compile("never (seen)+ before").fullmatch("never seenseen before")
    assert dataclasses.make_dataclass("Other", ["z"])(5).z == 5


def test_notes_of_another_interpreter_are_left_aside(noted: ModuleType, notes: bytes) -> None:
    _, patterns, methods = marshal.loads(notes)
    assert noted.put_in(marshal.dumps((sys.version + "+", patterns, methods))) is None
    assert "exec" not in vars(dataclasses)


def test_equal_work_leaves_equal_notes(notes: bytes) -> None:
    with load("client/pack/noting.py").Notes() as again:
        re.purge()
        for pattern, flags in reversed(PATTERNS):
            re.compile(pattern, flags)  # type: ignore[call-overload]
        dataclasses.make_dataclass("Point", [("x", int), ("y", int, 3)], frozen=True)
    assert again.pack() == notes
