"""Cut a long card into parts: between paragraphs, between sentences where one paragraph is too long, never inside one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from askbook.core.schema import Paragraph
from askbook.core.sentences import sentences

from .blocks import Text

TOKENS_WIDE: Final = 0.7
"""Of a character of three bytes or more in UTF-8: Han, kana, Hangul, and typographic signs."""
TOKENS_NARROW: Final = 0.4
"""Of a character of two bytes: Greek, Cyrillic, Arabic, Latin letters with marks."""
TOKENS_LATIN: Final = 0.25
"""Of a character of ASCII."""

_GAP: Final = 2 * TOKENS_LATIN
"""Of the blank line between two paragraphs."""
WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_LEADS = re.compile(r"[:：]$")


def estimate(text: str) -> float:
    """Estimate the model tokens of a text, by one weight per script, told apart by their length in UTF-8."""
    length = len(text)
    if text.isascii():
        return length * TOKENS_LATIN
    others = length - len(text.encode("ascii", "ignore"))
    wide = len(text.encode("utf-8", "surrogatepass")) - length - others
    return wide * TOKENS_WIDE + (others - wide) * TOKENS_NARROW + (length - others) * TOKENS_LATIN


def size_of(block: Text) -> float:
    """Estimate a block; the language of a fence does not count, since built pages often do not tell it."""
    if block.atomic and block.text.startswith("```"):
        return estimate(block.text.partition("\n")[2]) + 1
    return estimate(block.text)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a card, or all of it."""

    text: str
    paragraphs: tuple[Paragraph, ...]
    overlap: int
    first: Text
    """The first block that does not repeat the part before."""
    blocks: tuple[Text, ...]
    """Without what repeats."""


def split(blocks: Sequence[Text], *, tokens: float, overlap: float) -> list[Part]:
    """Part the blocks of a card; a card within the budget is one part."""
    sizes = [size_of(block) for block in blocks]
    if sum(sizes) + _GAP * (len(sizes) - 1) <= tokens:
        return [_part(blocks, None, 0.0)]
    groups = list(_groups(_pieces(blocks, tokens, overlap), tokens))
    total = sum(size for _, size in groups)
    room = tokens * (1 - overlap)
    aim = total / max(1, ceil(total / (tokens if total <= tokens else room)))
    parts: list[Part] = []
    held: list[Text] = []
    held_size, capacity, repeat = 0.0, float(tokens), overlap * tokens
    for group, size in groups:
        if held and (held_size + size > capacity or (held_size + size / 2 > aim and held_size > aim / 3)):
            parts.append(_part(held, parts[-1] if parts else None, min(repeat, tokens - held_size)))
            held, held_size = [], 0.0
            capacity = tokens - _GAP - estimate(_repeated(parts[-1], repeat))
        held.extend(group)
        held_size += size
    if held:
        parts.append(_part(held, parts[-1] if parts else None, min(repeat, tokens - held_size)))
    return parts


def _pieces(blocks: Iterable[Text], tokens: float, overlap: float) -> Iterable[Text]:
    """The blocks, a paragraph that is over the budget, with the labels that stay with it, cut between sentences."""
    labels = 0.0
    for block in blocks:
        room = max(tokens - labels, tokens / 2)
        if block.atomic or estimate(block.text) <= room:
            yield block
        else:
            yield from _sentence_pieces(block, min(room, tokens * (1 - overlap)))
        labels = labels + size_of(block) + _GAP if block.keep else 0.0


def _sentence_pieces(block: Text, tokens: float) -> Iterable[Text]:
    """A long paragraph as pieces of whole sentences, about equally long."""
    spans = sentences(block.text)
    ends = [*(span.start for span in spans[1:]), len(block.text)]
    aim = estimate(block.text) / max(1, ceil(estimate(block.text) / tokens))
    start = taken = 0
    size = 0.0
    for end in ends:
        step = estimate(block.text[taken:end])
        if size and (size + step > tokens or size + step / 2 > aim):
            yield _piece(block, start, taken)
            start, size = taken, 0.0
        taken, size = end, size + step
    yield _piece(block, start, taken)


def _piece(block: Text, start: int, end: int) -> Text:
    text = block.text[start:end].strip()
    terms = tuple(term for term in block.terms if term in text)
    return Text(text, block.anchor, block.line, False, block.opening if not start else "", terms, block.keep)


def _groups(blocks: Iterable[Text], tokens: float) -> Iterable[tuple[list[Text], float]]:
    """Blocks that stay together: a label and what it labels, a line that ends in a colon and what it announces."""
    group: list[Text] = []
    size = 0.0
    bound = False
    for block in blocks:
        own = size_of(block) + _GAP
        if (group and not bound) or (group and size + own > tokens and not group[-1].keep):
            yield group, size
            group, size = [], 0.0
        group.append(block)
        size += own
        bound = block.keep or bool(_LEADS.search(block.text))
    if group:
        yield group, size


def _part(blocks: Sequence[Text], before: Part | None, repeat: float) -> Part:
    """Write blocks as one text, after what it repeats of the part before."""
    repeated = _repeated(before, repeat) if before is not None else ""
    paragraphs: list[Paragraph] = []
    text = ""
    if before is not None and repeated:
        offset = len(before.text) - len(repeated)
        for paragraph in before.paragraphs:
            if paragraph.end > offset:
                paragraphs.append(Paragraph(max(paragraph.start - offset, 0), paragraph.end - offset, paragraph.anchor))
        text = f"{repeated}\n\n"
    overlap = len(text)
    pieces, place = [text], len(text)
    for number, block in enumerate(blocks):
        if number:
            pieces.append("\n\n")
            place += 2
        pieces.append(block.text)
        paragraphs.append(Paragraph(place, place + len(block.text), block.anchor))
        place += len(block.text)
    return Part("".join(pieces), tuple(paragraphs), overlap, blocks[0], tuple(blocks))


def _repeated(part: Part, tokens: float) -> str:
    """The last whole sentences of a part, as many as the budget of the overlap holds; code and formulas only whole."""
    start = None
    for paragraph, block in zip(reversed(part.paragraphs), reversed(part.blocks), strict=False):
        text = part.text[paragraph.start : paragraph.end]
        if paragraph.start < part.overlap:
            break
        if block.atomic:
            if estimate(part.text[paragraph.start :]) > tokens:
                break
            start = paragraph.start
            continue
        whole = True
        for span in reversed(sentences(text)):
            if estimate(part.text[paragraph.start + span.start :]) > tokens:
                whole = False
                break
            start = paragraph.start + span.start
        if not whole:
            break
        start = paragraph.start
    if start is None or start <= part.overlap:
        return ""
    return part.text[start:]
