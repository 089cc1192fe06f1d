"""Every recorded stream comes to its answer, whole, byte by byte and cut at every place."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from askbook.core.recording import replay
from askbook.core.replay import Replayed

FOLDER = Path(__file__).parents[1] / "golden" / "streams"
CASES = sorted(FOLDER.glob("*.json"))


def read(file: Path) -> dict[str, Any]:
    case: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return case


def play(case: dict[str, Any]) -> Replayed:
    return asyncio.run(replay(case))


def bodies(case: dict[str, Any]) -> Iterator[bytes | dict[str, Any]]:
    """The chunks of a case with neighbouring pieces of the body joined."""
    body = b""
    for chunk in case["chunks"]:
        if isinstance(chunk, dict) and "b64" not in chunk:
            if body:
                yield body
            body = b""
            yield chunk
        else:
            body += chunk.encode() if isinstance(chunk, str) else base64.b64decode(chunk["b64"])
    if body:
        yield body


def piece(data: bytes) -> dict[str, str]:
    return {"b64": base64.b64encode(data).decode()}


def recut(case: dict[str, Any], at: int | None) -> dict[str, Any]:
    """The case with each stretch of its body whole (None), byte by byte (0) or in two pieces cut at a place."""
    chunks: list[Any] = []
    for body in bodies(case):
        if isinstance(body, dict):
            chunks.append(body)
        elif at is None:
            chunks.append(piece(body))
        elif at == 0:
            chunks += [piece(body[place : place + 1]) for place in range(len(body))]
        else:
            chunks += [piece(body[:at]), piece(body[at:])]
    return case | {"chunks": chunks}


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_a_recorded_stream_comes_to_its_answer(file: Path) -> None:
    assert play(read(file)).differs == []


@pytest.mark.parametrize("at", [None, 0], ids=["whole", "bytes"])
@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_the_answer_does_not_depend_on_how_the_body_was_cut(file: Path, at: int | None) -> None:
    assert play(recut(read(file), at)).differs == []


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_the_answer_is_the_same_wherever_the_body_is_cut(file: Path) -> None:
    case = read(file)
    longest = max((len(body) for body in bodies(case) if isinstance(body, bytes)), default=0)
    wrong = [at for at in range(1, longest) if play(recut(case, at)).differs]
    assert wrong == []


def test_the_set_is_whole() -> None:
    assert len(CASES) >= 91
