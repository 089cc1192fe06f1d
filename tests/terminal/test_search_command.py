"""`askbook search` is the search of the panel."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from askbook.builder.index.write import write
from askbook.core.search import search
from askbook.terminal.search import command
from tests.shelves import book, card, shelf

HEAPS = book(card("Heaps", "A heap keeps its largest element at the root."), card("Queues", "A queue serves in order."))


def test_json_is_what_the_core_found(tmp_path: Path) -> None:
    write([HEAPS], tmp_path)
    done = CliRunner().invoke(command, [str(tmp_path), "root of a heap", "--json", "-k", "1"])
    assert json.loads(done.stdout) == search(shelf(HEAPS), "root of a heap", k=1).to_json()
    assert set(json.loads(done.stdout)["hits"][0]) >= {"id", "kind", "number", "title", "url", "score", "matched", "text"}


def test_people_see_titles_and_what_is_missing(tmp_path: Path) -> None:
    write([HEAPS], tmp_path)
    done = CliRunner().invoke(command, [str(tmp_path), "quueue"])
    assert "Queues" in done.stdout
    assert "not in the book: quueue; nearest: queue" in done.stderr


def test_no_hit_is_a_result(tmp_path: Path) -> None:
    write([HEAPS], tmp_path)
    done = CliRunner().invoke(command, [str(tmp_path), "zzzz"])
    assert (done.exit_code, done.stdout) == (0, "no hits\n")
