"""Postings as printable text: one letter for most gaps and one for a frequency, read back without a loop in Python.

A gap is a sum of letters, and its last letter is a small one: small letters stand for 0 to 49 and end a gap, middle letters add
50 to 1500, large ones 1550 to 17050. The postings of a term are its gaps, then, unless all frequencies are 1, a space and a letter
for each frequency, 1 to 90.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, compress, repeat
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


class Posting(NamedTuple):
    """Where a term stands: ordinals of cards, rising, and its frequency in each."""

    cards: Sequence[int]
    frequencies: Sequence[int]


NOWHERE: Final = Posting((), b"")


def encode(cards: Iterable[int], frequencies: Sequence[int]) -> str:
    """Write the postings of one term."""
    gaps: list[str] = []
    before = 0
    for card in cards:
        gaps.append(_gap(card - before))
        before = card
    if all(frequency == 1 for frequency in frequencies):
        return "".join(gaps)
    return "".join(gaps) + " " + "".join(_ALPHABET[min(frequency, MOST) - 1] for frequency in frequencies)


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
