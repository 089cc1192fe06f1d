"""Stands for `snowballstemmer/__init__.py` in the reader's browser: the English algorithm alone, not thirty-six."""

from .english_stemmer import EnglishStemmer

_ALGORITHMS = {"english": EnglishStemmer}


def algorithms():
    """Return the names of the algorithms that travel."""
    return list(_ALGORITHMS)


def stemmer(lang):
    """Return a stemmer; KeyError for a language that does not travel."""
    return _ALGORITHMS[lang.lower()]()
