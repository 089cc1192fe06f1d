"""Our stems are Snowball's, letter for letter."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from snowballstemmer.english_stemmer import EnglishStemmer

from askbook.core.stemming import english_stem


def split(words: str) -> list[str]:
    return words.split()


ENDINGS = split(
    "ed eed ing edly eedly ingly s ss us ies ied sses y e l ll anci enci ogi li bli abli alli fulli lessli ousli entli aliti"
    " biliti iviti tional ational alism ation ization izer ator iveness fulness ousness ogist icate ative alize iciti ical ful"
    " ness ic ance ence able ible ate ive ize iti al ism ion er ous ant ent ment ement at bl iz bb dd"
)
BEGINNINGS = split(
    "a y ay yy d l tr sk cr bra hop arsen commun emerg gener inter later organ past univers succ proc exc even cann inn earr"
    " herr out and atlas bias cosmos earl gent how idl new on singl sk ugl"
)


def differing(words: list[str]) -> list[tuple[str, str, str]]:
    snowball = EnglishStemmer()
    return [
        (word, english_stem(word), snowball.stemWord(word)) for word in words if english_stem(word) != snowball.stemWord(word)
    ]


def test_every_ending_after_every_beginning_is_cut_as_snowball_cuts_it() -> None:
    pairs = product(BEGINNINGS, ENDINGS, ("", "s", "ly", "ing", "ed", "er"))
    assert differing([word for parts in pairs if len(word := "".join(parts)) > 2]) == []


@settings(max_examples=300)
@given(
    st.lists(
        st.builds(
            lambda start, end: start + end,
            st.text("abcdegilmnorstuwxyz", min_size=2, max_size=7),
            st.sampled_from(["", *ENDINGS]),
        ).filter(lambda word: len(word) > 2),
        min_size=20,
        max_size=60,
    )
)
def test_any_word_is_cut_as_snowball_cuts_it(words: list[str]) -> None:
    assert differing(words) == []
