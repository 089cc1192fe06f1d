"""What the first pass over Markdown leaves for the block parser: marks, each a line of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

MARK: Final = "\ue000"
"""Stands for a mark in the text the block parser sees; a private character, taken out of the source first."""


@dataclass(frozen=True, slots=True)
class Open:
    """A unit opens."""

    name: str
    title: str = ""
    """Inline Markdown."""
    number: str = ""
    anchor: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Close:
    """The innermost unit closes."""


@dataclass(frozen=True, slots=True)
class Indented:
    """What follows indented belongs to a unit, a tab or a footnote."""

    kind: Literal["unit", "tab", "note"]
    name: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """A fenced code block, whole."""

    text: str
    """With its fence."""


@dataclass(frozen=True, slots=True)
class Math:
    """A display formula, its delimiters left out."""

    tex: str


@dataclass(frozen=True, slots=True)
class Html:
    """A run of raw HTML."""

    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text that belongs to what follows."""

    text: str


Mark = Open | Close | Indented | Code | Math | Html | Label
