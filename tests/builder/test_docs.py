"""The page on cards says what the code does."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from askbook.builder.kinds import KINDS, Kinds

DOCS = Path(__file__).parents[2] / "docs"


def test_numbers_and_kinds_in_the_page_are_those_of_the_code() -> None:
    spec = importlib.util.spec_from_file_location("generate_cards", DOCS / "generate_cards.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    text = (DOCS / "cards.md").read_text(encoding="utf-8")
    assert script.page(text) == text


def test_every_name_of_the_table_makes_its_kind() -> None:
    kinds = Kinds()
    assert [(name, kinds.of(name)) for row in KINDS for name in row.names] == [
        (name, row.kind) for row in KINDS for name in row.names
    ]


def test_authors_add_names_and_switch_kinds_off() -> None:
    kinds = Kinds().changed({"Aha": "note", "思路": "method"}, off=["tip"])
    assert [kinds.of(name) for name in ("Aha", "aha", "思路", "tip", "hint", "prf:Theorem", "theorem*", "Unknown")] == [
        "note", "note", "method", None, None, "theorem", "theorem", None,
    ]  # fmt: skip
