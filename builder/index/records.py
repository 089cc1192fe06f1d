"""Write the postings of a vocabulary as the records and columns that `askbook.core.postings` reads, all terms at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from askbook.core.columns import BASE, ENDS, LARGE, LETTERS, MIDDLE, SMALL, STEP
from askbook.core.postings import ALL, EXACT, EXACT_WITHIN, LONG, MOST, ORDINAL, SIZES

from . import letters
from .table import Flags, Numbers, Table, stretches

Codes = NDArray[np.uint8]
_DENSE: Final = 50
"""A term that stands in one of fewer cards has gaps short enough for a letter each, so that digits gain nothing."""
_LETTERS: Final = np.frombuffer(LETTERS.encode("ascii"), dtype=np.uint8)
_END: Final = ord(ENDS)
_ORDINALS: Final = np.zeros((2, 2, EXACT + 2), dtype=np.int64)
"""By within, counted, and one more than the cards of a size."""
for _size, _ordinal in ORDINAL.items():
    _ORDINALS[int(_size.within), int(_size.counted), _size.cards + 1] = _ordinal


@dataclass(frozen=True, slots=True)
class _Told:
    """How the terms are told, in their order."""

    sizes: Numbers
    """In how many cards each stands."""
    starts: Numbers
    """First of its rows."""
    numbers: Numbers
    """Of each row: its card, or its place in the postings of the stem."""
    times: Numbers
    counted: Flags
    within: Flags
    whole: Flags
    """It stands wherever its stem does."""


def records(table: Table, order: Numbers, stems: Numbers, plain: Flags, cards: int) -> dict[str, object]:
    """Columns of terms in an order; a term may have a stem (else -1), or be plain: a function word without frequencies."""
    told = _told(table, order, stems, plain, cards)
    gaps = gaps_of(told.numbers, told.sizes)
    widest = np.maximum.reduceat(gaps, told.starts) if len(order) else gaps
    rare = min(EXACT, cards // _DENSE)
    exact = np.where(
        told.within,
        (told.sizes <= EXACT_WITHIN) & (widest < BASE),
        (told.sizes <= rare) | ((told.sizes <= EXACT) & (widest < BASE)),
    )
    kinds = np.where(told.whole, ALL, np.where(exact, told.sizes, LONG))
    ordinals = _ORDINALS[told.within.astype(np.int64), told.counted.astype(np.int64), kinds + 1]
    long, counted = kinds == LONG, told.counted & (kinds <= LONG)
    return {
        "sizes": _text(_LETTERS[ordinals]),
        **_exact(told, gaps, kinds, ordinals, letters.digits_for(max(0, cards - 1)), rare),
        "long": gap_column(gaps[stretches(told.starts[long], told.sizes[long])], told.sizes[long]),
        "long_times": _ended(_times(told.times[stretches(told.starts[counted], told.sizes[counted])]), told.sizes[counted]),
    }


def _told(table: Table, order: Numbers, stems: Numbers, plain: Flags, cards: int) -> _Told:
    sizes = table.sizes[order]
    starts = np.cumsum(sizes) - sizes
    rows = table.rows(order)
    numbers, times = table.cards[rows], table.times[rows]
    counted = (np.maximum.reduceat(times, starts) > 1) & ~plain if len(order) else plain
    within = stems >= 0
    if within.any():
        some = np.repeat(within, sizes)
        stem_of = np.repeat(stems, sizes)[some]
        keys = np.repeat(np.arange(len(table.sizes), dtype=np.int64), table.sizes) * cards + table.cards
        wanted = stem_of * cards + numbers[some]
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        here = np.cumsum(sizes[within]) - sizes[within]
        inside = np.logical_and.reduceat(keys[place] == wanted, here)
        differs = np.logical_or.reduceat(table.times[place] != times[some], here)
        within[within] = inside
        kept = np.repeat(inside, sizes[stems >= 0])
        rows_within = np.flatnonzero(some)[kept]
        numbers[rows_within] = (place - table.starts[stem_of])[kept]
        counted[within] = differs[inside]
    whole = within.copy()
    whole[within] = sizes[within] == table.sizes[stems[within]]
    return _Told(sizes, starts, numbers, times, counted, within, whole)


def _exact(told: _Told, gaps: Numbers, kinds: Numbers, ordinals: Numbers, most: int, rare: int) -> dict[str, object]:
    """Records of the terms whose size is exact, those of one size together."""
    some = np.flatnonzero(kinds > LONG)
    some = some[np.argsort(ordinals[some], kind="stable")]
    rows = stretches(told.starts[some], told.sizes[some])
    ends = np.cumsum(np.bincount(np.repeat(ordinals[some], told.sizes[some]), minlength=len(SIZES))).tolist()
    bounds = list(zip([0, *ends], ends, strict=False))
    own = [most if 0 < size.cards <= rare and not size.within else 1 for size in SIZES]
    planes = [_text(_LETTERS[gaps[rows] // BASE**power % BASE]) for power in range(max(own))]
    times = _text(_times(told.times[rows]))
    return {
        "digits": [
            [plane[start:end] if power < digits else "" for digits, (start, end) in zip(own, bounds, strict=True)]
            for power, plane in enumerate(planes)
        ],
        "times": [times[start:end] if size.counted else "" for size, (start, end) in zip(SIZES, bounds, strict=True)],
    }


def _text(codes: Any) -> str:
    return codes.astype(np.uint8).tobytes().decode("ascii")  # type: ignore[no-any-return]


def _times(times: Numbers) -> Codes:
    """Frequencies, a letter each."""
    return _LETTERS[np.clip(times, 1, MOST) - 1]


def _ended(codes: Codes, sizes: Numbers) -> str:
    """A column of values of these sizes."""
    return _text(np.insert(codes, np.cumsum(sizes), _END))


def gaps_of(numbers: Numbers, sizes: Numbers) -> Numbers:
    """Differences between the numbers of each of some lists, which stand one after the other; the first as it is."""
    gaps = np.diff(numbers, prepend=0)
    starts = (np.cumsum(sizes) - sizes)[sizes > 0]
    gaps[starts] = numbers[starts]
    return gaps


def gap_column(gaps: Numbers, sizes: Numbers) -> str:
    """A column of lists of gaps, as `letters.gaps` writes them."""
    steps, rest = gaps // STEP, gaps % STEP
    large = -(-steps // LARGE)
    widths = 1 + (rest >= SMALL) + large
    ends = np.cumsum(widths)
    codes = np.full(int(widths.sum()), _LETTERS[-1], dtype=np.uint8)
    codes[ends - 1] = _LETTERS[rest % SMALL]
    middle = np.flatnonzero(rest >= SMALL)
    codes[ends[middle] - 2] = _LETTERS[SMALL - 1 + rest[middle] // SMALL]
    wide = np.flatnonzero(steps % LARGE)
    codes[ends[wide] - 2 - (rest[wide] >= SMALL)] = _LETTERS[SMALL + MIDDLE - 1 + steps[wide] % LARGE]
    before = np.concatenate([[0], ends])
    last = np.cumsum(sizes)
    return _text(np.insert(codes, before[last], _END))
