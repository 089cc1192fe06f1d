"""Cut a long card into parts: between paragraphs, between sentences where one paragraph is too long, never inside one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
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
_LEADS: Final = (":", "：")
_sentences = lru_cache(maxsize=64)(sentences)
"""The last paragraphs of a part are asked about more than once."""


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
        return [_part(blocks, "", None)]
    groups = list(_groups(_pieces(blocks, sizes, tokens, overlap), tokens))
    total = sum(size for _, size in groups)
    room = tokens * (1 - overlap)
    aim = total / max(1, ceil(total / (tokens if total <= tokens else room)))
    parts: list[Part] = []
    held: list[Text] = []
    held_size, capacity, repeat, repeated = 0.0, float(tokens), overlap * tokens, ""
    for group, size in groups:
        if held and (held_size + size > capacity or (held_size + size / 2 > aim and held_size > aim / 3)):
            parts.append(_next_part(parts, held, repeated, repeat, tokens - held_size))
            held, held_size = [], 0.0
            repeated = _repeated(parts[-1], repeat)
            capacity = tokens - _GAP - estimate(repeated)
        held.extend(group)
        held_size += size
    if held:
        parts.append(_next_part(parts, held, repeated, repeat, tokens - held_size))
    return parts


def _next_part(parts: Sequence[Part], held: Sequence[Text], repeated: str, repeat: float, room: float) -> Part:
    """The next part, after what of the one before it has room for."""
    if not parts:
        return _part(held, "", None)
    return _part(held, repeated if room >= repeat else _repeated(parts[-1], room), parts[-1])


_Sized = tuple[Text, float]


def _pieces(blocks: Iterable[Text], sizes: Iterable[float], tokens: float, overlap: float) -> Iterable[_Sized]:
    """The blocks, a paragraph that is over the budget, with the labels that stay with it, cut between sentences."""
    labels = 0.0
    for block, size in zip(blocks, sizes, strict=True):
        room = max(tokens - labels, tokens / 2)
        if block.atomic or size <= room:
            yield block, size
        else:
            yield from ((piece, size_of(piece)) for piece in _sentence_pieces(block, min(room, tokens * (1 - overlap))))
        labels = labels + size + _GAP if block.keep else 0.0


def _sentence_pieces(block: Text, tokens: float) -> Iterable[Text]:
    """A long paragraph as pieces of whole sentences, about equally long."""
    spans = _sentences(block.text)
    ends = [*(span.start for span in spans[1:]), len(block.text)]
    size = estimate(block.text)
    aim = size / max(1, ceil(size / tokens))
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
    told = None if block.told is None else max(0, block.told - start)
    return Text(text, block.anchor, block.line, False, block.opening if not start else "", terms, block.keep, told)


def _groups(blocks: Iterable[_Sized], tokens: float) -> Iterable[tuple[list[Text], float]]:
    """Blocks that stay together: a label and what it labels, a line that ends in a colon and what it announces."""
    group: list[Text] = []
    size = 0.0
    bound = False
    for block, own in blocks:
        own += _GAP
        if (group and not bound) or (group and size + own > tokens and not group[-1].keep):
            yield group, size
            group, size = [], 0.0
        group.append(block)
        size += own
        bound = block.keep or block.text.endswith(_LEADS)
    if group:
        yield group, size


def _part(blocks: Sequence[Text], repeated: str, before: Part | None) -> Part:
    """Write blocks as one text, after what it repeats of the part before."""
    paragraphs: list[Paragraph] = []
    text = ""
    if before is not None and repeated:
        offset = len(before.text) - len(repeated)
        for paragraph in before.paragraphs:
            if paragraph.end > offset:
                paragraphs.append(Paragraph(max(paragraph.start - offset, 0), paragraph.end - offset, paragraph.anchor))
        text = f"{repeated}\n\n"
    place = len(text)
    for block in blocks:
        end = place + len(block.text)
        paragraphs.append(Paragraph(place, end, block.anchor))
        place = end + 2
    joined = text + "\n\n".join([block.text for block in blocks])
    return Part(joined, tuple(paragraphs), len(text), blocks[0], tuple(blocks))


def _repeated(part: Part, tokens: float) -> str:
    """The last whole sentences of a part, as many as the budget of the overlap holds; code and formulas only whole."""
    text, start = part.text, None
    for paragraph, block in zip(reversed(part.paragraphs), reversed(part.blocks), strict=False):
        first = paragraph.start
        if first < part.overlap:
            break
        if estimate(text[first:]) <= tokens:
            start = first
            continue
        if block.atomic:
            break
        spans = _sentences(text[first : paragraph.end])
        fitting = 0
        for span in reversed(spans):
            if estimate(text[first + span.start :]) > tokens:
                break
            start = first + span.start
            fitting += 1
        if fitting < len(spans):
            break
        start = first
    if start is None or start <= part.overlap:
        return ""
    return text[start:]
