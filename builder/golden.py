"""Questions a book must answer: `--golden FILE` holds one a line, with the card that must be among the first found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from askbook.core.errors import ContentError
from askbook.core.index import load
from askbook.core.limits import PASSAGES
from askbook.core.search import search

from .blocks import Problem
from .files import read_text


def check_golden(file: Path, files: Mapping[str, bytes]) -> Iterator[Problem]:
    """Ask every question of the index just made; a line is `{"question": …, "id": …}` or `{"question": …, "url": …}`."""
    name, *sides = files
    index = load(files[name], {side: files[side] for side in sides})
    try:
        lines = read_text(file, str(file)).split("\n")
    except ContentError as wrong:
        yield Problem(wrong.file, wrong.line, str(wrong), fatal=True)
        return
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            question, wanted = entry["question"], entry.get("id") or entry["url"]
        except (ValueError, KeyError, TypeError, AttributeError):
            yield Problem(
                str(file), number, 'is no golden question: {"question": …, "id": …} or {"question": …, "url": …}', fatal=True
            )
            continue
        if entry.get("book", index.book) != index.book:
            continue
        hits = search([index], question, k=PASSAGES).hits
        if not any(wanted in (hit.card.id, hit.card.url, hit.card.url.partition(":~:")[0]) for hit in hits):
            yield Problem(str(file), number, f"{wanted!r} is not among the first {PASSAGES} for {question!r}", fatal=True)
