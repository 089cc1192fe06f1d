"""Postings as printable text: a letter for most gaps and one for a frequency, read back without a loop in Python.

A gap is a sum of letters, and its last is a small one: small letters stand for 0 to 49 and end a gap, middle ones add
A gap is a sum of letters, its last a small one: small letters stand for 0 to 49 and end a gap, middle ones add
for each frequency, 1 to 90. After a `<` the gaps are places in the postings of the word's stem, none for all of them, and
frequencies that are the stem's own are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, compress, repeat
from operator import sub
from typing import Final, NamedTuple

_ALPHABET: Final = "".join(chr(code) for code in range(33, 127) if chr(code) not in '"\\<')
_SMALL: Final = 50
_MIDDLE: Final = 30
_LARGE: Final = len(_ALPHABET) - _SMALL - _MIDDLE
_STEP: Final = _SMALL * (_MIDDLE + 1)
MOST: Final = 90
"""Largest frequency that is told apart."""

_VALUE: Final = [0] * 256
_ENDS: Final = bytearray(256)
_COUNT: Final = bytearray(256)
for _place, _letter in enumerate(_ALPHABET):
    _COUNT[ord(_letter)] = _place + 1
    if _place < _SMALL:
        _VALUE[ord(_letter)], _ENDS[ord(_letter)] = _place, 1
    elif _place < _SMALL + _MIDDLE:
        _VALUE[ord(_letter)] = (_place - _SMALL + 1) * _SMALL
    else:
        _VALUE[ord(_letter)] = (_place - _SMALL - _MIDDLE + 1) * _STEP
_IS_END: Final = bytes(_ENDS)
_FREQUENCY: Final = bytes(_COUNT)
_LETTER_OF: Final = bytes(ord(_ALPHABET[max(0, min(count, MOST) - 1)]) for count in range(256))


class Posting(NamedTuple):
    """Where a term stands: ordinals of cards, rising, and its frequency in each."""

    cards: Sequence[int]
    frequencies: Sequence[int]


WITHIN: Final = "<"
NOWHERE: Final = Posting((), b"")


def encode(cards: Sequence[int], frequencies: Sequence[int]) -> str:
    """Write the postings of one term; no frequencies are all ones."""
    gaps = _gaps(cards)
    return gaps if max(frequencies, default=1) == 1 else f"{gaps} {_frequencies(frequencies)}"


def encode_within(cards: Sequence[int], frequencies: Sequence[int], stem: Posting) -> str:
    """Write the postings of a word whose cards are among those of its stem."""
    if len(cards) == len(stem.cards):
        gaps, theirs = "", stem.frequencies
    else:
        place = {card: position for position, card in enumerate(stem.cards)}
        places = [place[card] for card in cards]
        gaps, theirs = _gaps(places), [stem.frequencies[position] for position in places]
    own = _frequencies(frequencies)
    return WITHIN + gaps if own == _frequencies(theirs) else f"{WITHIN}{gaps} {own}"


def _frequencies(frequencies: Iterable[int]) -> str:
    return bytes([frequency if frequency < MOST else MOST for frequency in frequencies]).translate(_LETTER_OF).decode("ascii")


def _gaps(cards: Sequence[int]) -> str:
    return "".join(map(_gap, map(sub, cards, (0, *cards))))


@lru_cache(maxsize=8192)
def _gap(gap: int) -> str:
    letters = ""
    while gap >= _STEP:
        large = min(gap // _STEP, _LARGE)
        letters += _ALPHABET[_SMALL + _MIDDLE + large - 1]
        gap -= large * _STEP
    if gap >= _SMALL:
        letters += _ALPHABET[_SMALL + gap // _SMALL - 1]
    return letters + _ALPHABET[gap % _SMALL]


def decode(text: str) -> Posting:
    """Read the postings of one term."""
    gaps, _, frequencies = text.partition(" ")
    letters = gaps.encode("latin-1", "replace")
    cards = list(compress(accumulate(map(_VALUE.__getitem__, letters)), letters.translate(_IS_END)))
    if not frequencies:
        return Posting(cards, bytes(repeat(1, len(cards))))
    return Posting(cards, frequencies.encode("latin-1", "replace").translate(_FREQUENCY))


def within(text: str, stem: Posting) -> Posting:
    """Read the postings of a word by those of its stem; what does not fit gives columns of unequal length."""
    places, frequencies = decode(text[1:])
    _, told, _ = text.partition(" ")
    if len(text) == 1 or text[1] == " ":
        return Posting(stem.cards, frequencies if told else stem.frequencies)
    if places and places[-1] >= len(stem.cards):
        return Posting((), b"?")
    cards = [stem.cards[place] for place in places]
    return Posting(cards, frequencies if told else [stem.frequencies[place] for place in places])
