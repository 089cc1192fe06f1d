"""Imported before a memory snapshot is taken: what a reader's first question needs of the core, and nothing that knows `js`."""

from __future__ import annotations

from askbook.core import estimate, exchange, index, probe, tools, wire
from askbook.core.render import render_answer
from askbook.core.terms import terms

from . import frames

WARM = (estimate, exchange, index, probe, tools, wire, frames)
"""Named, so that importing them has a purpose a reader of this file can see."""

render_answer("A **first** drawing makes the parser: $x$ [1].", site="https://example.org/", sources=1)
terms("A first question 问题 makes the tables.")
