"""Check the citations of an answer: what each mark claims, where its card says so, and how well."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from markdown_it.token import Token

from .document import page_for, parse
from .limits import CLAIM_LETTERS, LOOSE_TERMS, QUOTE_DISTANCE, QUOTED_CLOSENESS, QUOTED_TERMS, VERBATIM
from .parts import Citation, Support
from .quotes import Basis, bare, comparable, find_basis, find_quote
from .schema import Card
from .sourcelist import cut

__all__ = ["check", "find_quote", "grounding"]

_END = re.compile(r"[。！？!?…]+[”’」』）)\"']*|(?<!\.)\.[”’)\"']*(?=\s|$)|\n")
_ABBREVIATION = re.compile(r"\b(?:[A-Za-z]|e\.g|i\.e|cf|vs|Fig|Eq|No|Sec|Thm|Def|Prop|Ch)\.$")
_LONGEST_ABBREVIATION = 8
_WORTH: Mapping[Support, float] = {"quoted": 1.0, "loose": 0.5, "missing": 0.0}


class Claim(NamedTuple):
    """A mark and what it stands behind, the likeliest reading first."""

    n: int
    readings: tuple[str, ...]


def check(markdown: str, sources: Mapping[int, Card], *, root: str = "/") -> tuple[Citation, ...]:
    """Return a citation for each mark of an answer, in the order in which `render_answer` draws them.

    `root` is the path the site is published under; the addresses of the citations begin with it.
    """
    known: dict[Claim, Citation] = {}
    for claim in (claims := list(_claims(markdown, sources))):
        if claim not in known:
            known[claim] = _citation(0, claim, sources[claim.n], root)
    return tuple(replace(known[claim], mark=ordinal) for ordinal, claim in enumerate(claims))


def grounding(citations: Sequence[Citation]) -> float | None:
    """Return how far the checked marks are supported, a loosely supported one counting half; None without any."""
    worth = [_WORTH[citation.support] for citation in citations if citation.support in _WORTH]
    return sum(worth) / len(worth) if worth else None


def judge(basis: Basis) -> Support:
    """Say how well a sentence is supported by what its card has to say."""
    close = basis.shared >= QUOTED_TERMS and basis.closeness >= QUOTED_CLOSENESS
    if (close or basis.closeness >= VERBATIM) and not basis.contradicted:
        return "quoted"
    return "loose" if basis.closeness >= 1 - QUOTE_DISTANCE or basis.shared >= LOOSE_TERMS else "missing"


def _citation(ordinal: int, claim: Claim, card: Card, root: str) -> Citation:
    address = root + card.url
    if not claim.readings or not comparable(claim.readings[0], card):
        return Citation(ordinal, claim.n, claim.readings[0] if claim.readings else "", "unchecked", url=address)
    sentence, basis = max(((reading, find_basis(reading, card)) for reading in claim.readings), key=lambda one: one[1].score)
    support = judge(basis)
    if support == "missing":
        return Citation(ordinal, claim.n, sentence, support, url=address, score=round(basis.score, 3))
    if basis.anchor:
        address = f"{address.partition('#')[0]}#{basis.anchor}"
    return Citation(ordinal, claim.n, sentence, support, basis.text, address, round(basis.score, 3))


def _claims(markdown: str, sources: Mapping[int, Card]) -> Iterator[Claim]:
    """Yield the marks of an answer with the text they close."""
    blocks = parse(markdown, page_for(site="https://example.org/", sources=tuple(sources)), {})
    for block in blocks[: cut([block.shape for block in blocks])]:
        for token in block.tokens:
            if token.type == "inline":
                yield from _claims_in(_pieces(token.children or []))


def _pieces(children: Sequence[Token]) -> list[str | int]:
    """Return the text of a paragraph with the numbers of its marks where they stand."""
    pieces: list[str | int] = []
    for child in children:
        if child.type == "mark":
            pieces.append(child.meta["n"])
        elif child.type.startswith("formula"):
            pieces.append(f"${child.content}$")
        elif child.type in {"softbreak", "hardbreak"}:
            pieces.append(" ")
        elif child.content:
            pieces.append(child.content)
    return pieces


def _claims_in(pieces: Sequence[str | int]) -> Iterator[Claim]:
    text, marks = "", []
    for piece in pieces:
        if isinstance(piece, int):
            marks.append((len(text), piece))
        else:
            text += piece
    found_ends = (found.end() for found in _END.finditer(text))
    ends = [end for end in found_ends if not _ABBREVIATION.search(text, max(0, end - _LONGEST_ABBREVIATION), end)]
    places = sorted({place for place, _ in marks})
    for place, n in marks:
        yield Claim(n, tuple(_readings(text, place, ends, places)))


def _readings(text: str, place: int, ends: Sequence[int], marks: Sequence[int]) -> Iterator[str]:
    """Yield what a mark may stand behind: the clause up to it, or what follows where little stands in front of it."""
    close = place
    while close and text[close - 1].isspace():
        close -= 1
    first = bisect_left(ends, close)
    start = ends[first - 1] if first else 0
    stop = close if close in ends[first : first + 1] else _first(ends, bisect_left(ends, place), len(text))
    at = bisect_left(marks, place)
    since = marks[at - 1] if at and marks[at - 1] > start else start
    until = min(_first(marks, bisect_right(marks, place), stop), stop)
    before, after = (_weight(text[slice(*span)]) for span in ((since, close), (place, until)))
    spans: list[tuple[int, int]] = []
    if before >= CLAIM_LETTERS:
        spans.append((since, close))
    if before < CLAIM_LETTERS <= after:
        spans.append((place, until))
    if CLAIM_LETTERS <= before < 2 * CLAIM_LETTERS and after:
        spans.append((since, until))
    if before < CLAIM_LETTERS and since > start:
        spans.append((start, close))
    if not spans and before:
        spans.append((since, close))
    for span in spans:
        yield " ".join(text[slice(*span)].split()).strip(" ,，;；:：、")


def _first(places: Sequence[int], at: int, otherwise: int) -> int:
    return places[at] if at < len(places) else otherwise


def _weight(text: str) -> int:
    """Count letters, a Chinese one for two."""
    letters = bare(text).letters
    return len(letters) + sum("\u3040" <= letter <= "\u9fff" for letter in letters)
