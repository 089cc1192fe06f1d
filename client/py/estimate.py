"""What a long job will cost, before the reader agrees to it: requests and model tokens, roughly and rather too high."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from . import limits
from .exchange import Ask, planned_chapters
from .toolbox import Shelf, chapters

BASE_TOKENS: Final = 3_000
"""System prompt, tools and passages of a request."""
TOKENS_A_CHAPTER: Final = 300
"""Of the answer."""
SPARE_REQUESTS: Final = 4
LETTERS_A_TOKEN: Final = 4.0
HAN_A_TOKEN: Final = 1.5


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a job may cost at most."""

    requests: int
    input_tokens: int
    output_tokens: int


def tokens(text: str) -> int:
    """Model tokens of a text, roughly."""
    han = sum("\u3400" <= letter <= "\u9fff" for letter in text)
    return round(han / HAN_A_TOKEN + (len(text) - han) / LETTERS_A_TOKEN)


def estimate(request: Ask, shelf: Shelf) -> Estimate | None:
    """Estimate a question that asks for every chapter; None for an ordinary one, which stays within its usual budget."""
    planned = planned_chapters(shelf, request.question)
    if request.endpoint is None or len(planned) + 2 <= limits.REQUESTS:
        return None
    index = next((index for index in shelf.indexes if index.name == shelf.current), shelf.indexes[0])
    cap = request.budget / LETTERS_A_TOKEN
    read, total = 0.0, 0.0
    for chapter in chapters(index)[: len(planned)]:
        ordinals = range(chapter.section.first, min(chapter.section.last, chapter.section.first + limits.READ_CARDS))
        read += sum(tokens(index.card(ordinal).text[: limits.READ_CHARACTERS]) for ordinal in ordinals)
        total += BASE_TOKENS + min(cap, read)
    requests = min(len(planned) + SPARE_REQUESTS, limits.LONG_JOB_REQUESTS)
    return Estimate(requests, round(total * requests / len(planned)), TOKENS_A_CHAPTER * len(planned) + 60 * requests)
