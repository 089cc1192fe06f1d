"""Find which card carries a numbered label (Theorem 3.2, Listing 15-1, 式(3.5)) as its own, among the many that mention it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate

from askbook.core.folding import fold
from askbook.core.numerals import KIND_WORDS, canonical, labels
from askbook.core.schema import Book, Card

from .kept import Kept

OWN, OPENS, HOLDS, CAPTION = range(4)
"""How surely a card carries a label: it is its number, opens its title, stands in its title, captions something in its text."""
_LEADING = re.compile(r"(?P<number>\d+(?:[.\-]\d+)*)(?:[.、:：]?\s+|[.、:：])\S")
_CAPTION_LENGTH = 80
_AFTER_CAPTION = re.compile(r"[^\w]{0,3}[:：.、。|—]|[^\w]{0,3}$")
_SENTENCE_END = re.compile(r"[.。;；,，]\s*$")
_CAPTION_KINDS = frozenset(
    {"figure", "table", "listing", "algorithm", "box", "example", "theorem", "definition", "lemma", "equation"}
)
_OPENINGS = sorted((word for kind in _CAPTION_KINDS for word in KIND_WORDS[kind]), key=lambda word: (-len(word), word))
_FIRST_LETTERS = "".join(sorted({letter for word in ("第", *_OPENINGS) for letter in (word[0], word[0].upper())}))
_CAPTION = re.compile(rf"^[\s>*_|#\-!]*+(?=[{_FIRST_LETTERS}])((?i:第|{'|'.join(_OPENINGS)}).+)$", re.MULTILINE)
"""A line that begins with a kind word."""


def carried(card: Card, text: str | None = None) -> dict[str, int]:
    """Labels a card carries as its own, with how surely."""
    found = _titled(card)
    for label in captions(fold(card.text) if text is None else text):
        found.setdefault(label, CAPTION)
    return found


def _titled(card: Card) -> dict[str, int]:
    """Labels in the number and the title of a card."""
    found: dict[str, int] = {}
    if card.number:
        found[f"{card.kind} {canonical(fold(card.number))}"] = OWN
    title = fold(card.title)
    for kind, number, place in labels(title):
        found.setdefault(f"{kind} {number}", OPENS if place == 0 else HOLDS)
    if (leading := _LEADING.match(title)) and card.kind not in ("example", "exercise"):
        number = canonical(leading["number"])
        found.setdefault(f"{'section' if '.' in number else 'chapter'} {number}", OPENS)
    return found


def captions(text: str) -> list[str]:
    """Labels that open a caption: a line of its own that begins with the label, then a colon, a stop or a short title."""
    return [label for _, label in _captions([text])]


def _captions(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Captions of texts with their ordinals."""
    starts = [0, *accumulate(len(text) + 1 for text in texts)]
    for line in _CAPTION.finditer("\n".join(texts)):
        start = line[1]
        for kind, number, place in labels(start[:_CAPTION_LENGTH]):
            if place == 0 and kind in _CAPTION_KINDS and _is_caption(start, number):
                yield bisect_right(starts, line.start(1)) - 1, f"{kind} {number}"
                break


def _is_caption(line: str, number: str) -> bool:
    pattern = re.escape(number).replace(r"\.", r"\s?[.\-]\s?")
    match = re.search(pattern, line, re.IGNORECASE)
    if match is None:
        return False
    after = line[match.end() :]
    if _AFTER_CAPTION.match(after):
        return True
    short = len(line) <= _CAPTION_LENGTH and not _SENTENCE_END.search(line)
    return short and not after.lstrip(" )）$]")[:1].islower() and not after.startswith(("和", "与", "的", "中", "所", "可"))


def carriers(book: Book, texts: Sequence[str] | None = None, kept: Kept | None = None) -> dict[str, list[int]]:
    """Label to the cards that carry it, the surest first, then in reading order."""
    folded = [fold(card.text) for card in book.cards] if texts is None else texts
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for ordinal, own in enumerate((kept or Kept(book)).each("labels", partial(_carried, book.cards, folded))):
        for label, sureness in own:
            found[label].append((sureness, ordinal))
    for section in book.sections:
        if section.number and section.first < len(book.cards):
            kind = "chapter" if section.level == 0 else "section"
            found[f"{kind} {canonical(section.number)}"].insert(0, (OWN, section.first))
    return {label: list(dict.fromkeys(ordinal for _, ordinal in sorted(cards))) for label, cards in sorted(found.items())}


def _carried(cards: Sequence[Card], texts: Sequence[str], ordinals: range) -> list[tuple[tuple[str, int], ...]]:
    """Labels of some cards with how surely."""
    own = [_titled(cards[place]) for place in ordinals]
    for place, label in _captions([texts[place] for place in ordinals]):
        own[place].setdefault(label, CAPTION)
    return [tuple(found.items()) for found in own]
