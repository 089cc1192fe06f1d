"""Postings come back as they were written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from askbook.core.postings import MOST, Posting, decode, encode, encode_within, within

POSTINGS = st.dictionaries(st.integers(0, 60_000), st.integers(1, MOST), max_size=60).map(
    lambda found: Posting(sorted(found), [found[card] for card in sorted(found)])
)


def plain(posting: Posting) -> tuple[list[int], list[int]]:
    return list(posting.cards), list(posting.frequencies)


@given(POSTINGS)
def test_postings_survive(posting: Posting) -> None:
    assert plain(decode(encode(posting.cards, posting.frequencies))) == plain(posting)


@given(POSTINGS, st.data())
def test_a_word_is_told_by_its_stem(stem: Posting, data: st.DataObject) -> None:
    kept = [place for place in range(len(stem.cards)) if data.draw(st.booleans())] or list(range(len(stem.cards)))
    cards = [stem.cards[place] for place in kept]
    frequencies = [data.draw(st.integers(1, stem.frequencies[place])) for place in kept]
    assert plain(within(encode_within(cards, frequencies, stem), stem)) == (cards, frequencies)


def test_most_postings_take_a_letter_each() -> None:
    assert (len(encode([0, 1, 40, 80], [1, 1, 1, 1])), len(encode([0, 1000], [1, 2]))) == (4, 6)


def test_a_frequency_beyond_the_largest_is_the_largest() -> None:
    assert plain(decode(encode([3], [500]))) == ([3], [MOST])


def test_what_does_not_fit_its_stem_is_uneven() -> None:
    broken = within("<$$$", Posting([1], [1]))
    assert len(broken.cards) != len(broken.frequencies)
