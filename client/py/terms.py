"""Turn text into terms, the same way at build and at question: words, stems, identifiers, numbers, Chinese bigrams and words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from .folding import fold
from .lexicon import EMPTY, Lexicon
from .numerals import canonical, labels
from .stemming import english_stem
from .stopwords import CHINESE, ENGLISH

Shape = Literal["word", "stem", "whole", "part", "number", "label", "bigram", "touched", "han", "stop", "noise"]
"""How a term was made. word: as written; stem: its stem; whole, part: of an identifier; number: `3.2`; label: `theorem 3.2`;
bigram: two letters of a script without spaces; touched: one of the two belongs to a function word; han: a Chinese word of three
or more letters, or one letter alone; stop: a function word; noise: a sign of LaTeX or a single letter inside a formula."""


class Term(NamedTuple):
    """A unit of the index and where it came from."""

    text: str
    shape: Shape


CJK: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\u1100-\u11ff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\U00020000-\U0003ffff"
)
"""Scripts written without spaces between words, and Korean, whose endings hang on its words."""
PAIR: Final = re.compile(rf"[{CJK}]{{2}}")


def is_pair(term: str) -> bool:
    """Whether a term is a pair of letters of a script without spaces."""
    return len(term) == 2 and not term.isascii() and PAIR.fullmatch(term) is not None


_LETTER: Final = rf"[^\W{CJK}]"


def _named(letter: str) -> str:
    """Pattern of commands, flags and words made of a kind of letters."""
    return (
        r"(?P<latex>\\[A-Za-z]+)"
        rf"|(?P<flag>(?<![\w\-])--?[A-Za-z]{letter}*(?:[\-_]{letter}+)*)"
        rf"|(?P<word>(?:(?<![\w.])\.(?=[A-Za-z]{{2}}))?{letter}+(?:(?:[.\-'/@]|::?){letter}+)*(?:\+\+|\#(?!\w))?)"
    )


_GROUP_NAME: Final = re.compile(r"\(\?P<\w+>")
_TOKEN: Final = re.compile(rf"(?P<cjk>[{CJK}]+)|{_named(_LETTER)}")
LATIN: Final = re.compile(_GROUP_NAME.sub("(?:", _named(_LETTER)))
"""Tokens that are no run without spaces, in any text."""
LATIN_ALONE: Final = re.compile(_GROUP_NAME.sub("(?:", _named(r"\w")))
"""The same, in a text without such runs: quicker."""
FORMULA: Final = re.compile(r"\$\$.+?\$\$|\$[^$\n]{1,400}\$|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)
_JOINT: Final = re.compile(r"[.\-'/@:_+#]+")
_CAMEL: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\WA-Za-z\d_]+")
_NUMBER: Final = re.compile(r"\d{1,6}(?:[.\-]\d{1,6})+[a-z]?|[A-Za-z](?:[.\-]\d{1,4})+", re.IGNORECASE)
_VERSION: Final = re.compile(r"v(\d+(?:\.\d+)+)", re.IGNORECASE)


def _words(line: str) -> list[str]:
    return line.split()


_GREEK: Final = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψω",
        _words(
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu"
            " nu xi omicron pi rho sigma tau upsilon phi chi psi omega"
        ),
        strict=True,
    )
)
_VARIANTS: Final = {
    "varepsilon": "epsilon",
    "vartheta": "theta",
    "varpi": "pi",
    "varrho": "rho",
    "varsigma": "sigma",
    "varphi": "phi",
}
_SYMBOLS: Final = frozenset(_GREEK.values())
_WHOLE_LENGTH: Final = 48
"""A longer identifier is an address or a key; only its parts are terms."""
STOP: Final = ENGLISH | {word.replace("'", "") for word in ENGLISH}


def _any_of(words: Sequence[str]) -> str:
    """Pattern of the longest of some words, grouped by first letters so that it is found quickly."""
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[0], []).append(word[1:])
    alone = "".join(first for first, rest in rests.items() if rest == [""])
    longer = [first + f"(?:{'|'.join(rest)})" for first, rest in rests.items() if rest != [""]]
    return "|".join([f"[{alone}]", *longer])


FUNCTION: Final = re.compile(_any_of(CHINESE))
"""Chinese function words, the longest first."""


@lru_cache(maxsize=512)
def segments(run: str) -> tuple[str, ...]:
    """What stands between the function words of a run without spaces; a question is asked for it more than once."""
    return tuple(FUNCTION.split(run))


_ENDING: Final = re.compile(r"(?:[syei]|ed|ing|er|or|[ae]nt|ion|ism|ic|al|ul|ll|ogist)$")
"""How a word must end for the stemmer to have something to do."""


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Snowball stem of a lower-case word; what is no plain word stays as it is."""
    plain = len(word) > 2 and word.isascii() and word.isalpha() and _ENDING.search(word)
    return english_stem(word) if plain else word


class Token(NamedTuple):
    """A stretch of text as it stands, folded, and the terms it gives."""

    surface: str
    terms: tuple[Term, ...]


def terms(text: str, *, lexicon: Lexicon = EMPTY) -> list[Term]:
    """Terms of a text in its order, labels last; `lexicon` holds the Chinese words the book was cut with."""
    return [term for token in tokens(text, lexicon=lexicon) for term in token.terms]


def tokens(text: str, *, lexicon: Lexicon = EMPTY) -> Iterator[Token]:
    """Words, runs, identifiers and formula signs of a text in its order, then its labels, each with its terms."""
    clean = fold(text)
    place = 0
    for formula in FORMULA.finditer(clean):
        yield from _prose(clean[place : formula.start()], lexicon)
        yield from (Token(term.text, (term,)) for term in formula_terms(formula.group()))
        place = formula.end()
    yield from _prose(clean[place:], lexicon)
    for kind, number, _ in labels(clean):
        yield Token(f"{kind} {number}", (Term(f"{kind} {number}", "label"),))


def _prose(clean: str, lexicon: Lexicon) -> Iterator[Token]:
    for match in _TOKEN.finditer(clean):
        surface = match.group()
        if match.lastgroup == "cjk":
            yield Token(surface, tuple(han(surface, lexicon)))
        elif match.lastgroup == "latex":
            yield Token(surface, tuple(latex(surface[1:])))
        else:
            yield Token(surface, latin(surface))


def formula_terms(clean: str) -> Iterator[Term]:
    """Terms of a formula: symbol names and words count, signs and single letters little."""
    for match in _TOKEN.finditer(clean.replace("_", " ")):
        token = match.group()
        if match.lastgroup == "cjk":
            yield from han(token, EMPTY)
        elif match.lastgroup == "latex":
            yield from latex(token[1:])
        elif len(token) == 1 and not token.isdigit() and token.lower() not in _GREEK:
            yield Term(token.lower(), "noise")
        else:
            yield from latin(token)


def latex(name: str) -> Iterator[Term]:
    lower = _VARIANTS.get(name.lower(), name.lower())
    yield Term(lower, "word") if lower in _SYMBOLS else Term(f"\\{lower}", "noise")


@lru_cache(maxsize=65536)
def latin(token: str) -> tuple[Term, ...]:
    """Terms of one token of a script with spaces: the word and its stem, or an identifier whole and in parts."""
    lower = token.casefold()
    if lower not in STOP and token.isascii() and token.isalpha() and (token.islower() or token.istitle()):
        return _word(lower)
    if lower not in STOP and lower.endswith("'s"):
        token, lower = token[:-2], lower[:-2]
    if lower in STOP:
        return (Term(lower.replace("'", ""), "stop"),)
    if _NUMBER.fullmatch(lower):
        return (Term(canonical(lower), "number"),)
    if version := _VERSION.fullmatch(lower):
        return (Term(lower, "whole"), Term(version[1], "number"))
    if lower in _GREEK:
        return (Term(_GREEK[lower], "word"),)
    pieces = [piece for joint in _JOINT.split(token) for piece in _CAMEL.findall(joint)]
    if len(pieces) < 2 and lower.isalnum():
        return _word(lower)
    return tuple(_identifier(token, lower, pieces))


def _word(lower: str) -> tuple[Term, ...]:
    short = stem(lower)
    return (Term(lower, "word"),) if short == lower else (Term(lower, "word"), Term(short, "stem"))


def _identifier(token: str, lower: str, pieces: Sequence[str]) -> Iterator[Term]:
    if len(lower) <= _WHOLE_LENGTH:
        yield Term(lower.replace("'", ""), "whole")
    if lower.endswith(("++", "#")):
        return
    joints = [joint.casefold() for joint in _JOINT.split(token) if joint]
    if len(joints) > 1 or token[0] in "-.":
        for joint in joints:
            if _NUMBER.fullmatch(joint) is None and joint not in STOP and len(joint) <= _WHOLE_LENGTH:
                yield from (Term(term.text, "part") for term in _word(joint))
    for piece in dict.fromkeys(piece.casefold() for piece in pieces):
        if piece not in joints and piece not in STOP and len(piece) > 1:
            yield from (Term(term.text, "part") for term in _word(piece))


_BY_TOUCHED: Final[tuple[Shape, ...]] = ("bigram", "touched", "stop")
"""Shape of a pair by how many of its letters belong to a function word."""


def han(run: str, lexicon: Lexicon) -> list[Term]:
    """Terms of a run without spaces: every pair of letters, and the longer words of the lexicon."""
    if len(run) == 1:
        return [Term(run, "stop" if FUNCTION.fullmatch(run) else "han")]
    touched = bytearray(len(run))
    for match in FUNCTION.finditer(run):
        start, end = match.span()
        touched[start:end] = b"\x01" * (end - start)
    # A question makes many of these: without the method that a named tuple has for it, in half the time.
    pairs = [
        tuple.__new__(Term, (run[place : place + 2], _BY_TOUCHED[touched[place] + touched[place + 1]]))
        for place in range(len(run) - 1)
    ]
    return [*pairs, *[Term(word, "han") for word in lexicon.words(run)]]
