"""Judge what each term is to a book: a name, a concept, a word, a number, or nothing much."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain
from typing import Final

import numpy as np

from askbook.core.folding import fold
from askbook.core.schema import Book, Card
from askbook.core.terms import FORMULA, latin

from .cuts import Cuts
from .kept import Kept
from .pieces import SHAPE, SHAPES
from .table import Numbers
from .tally import RUN, free_pairs, pieces_of, terms_of

_CAPITAL = re.compile(r"\s(?=[A-Z][a-z])(?<![.!?。！？:：\n#>|\-*“\"(]\s)([A-Z][a-z]+(?:['’-][A-Za-z]+)*)")
_CODE_NAME = re.compile(r"\w*[_.:@#+]\w.*|\W.*|.*[+#]")
"""An identifier that is no mere compound: `snake_case`, `node.js`, `std::vec`, `--flag`, `C++`."""
_NAME_SEEN = 3
_NAME_SHARE = 9
"""A name stands with a capital at least so often for each time it stands without."""
_SET_OFF = 24
"""Letters of the longest emphasised phrase that counts as a concept."""
_SAID: Final = {"number": "#", "label": "#", "noise": "x", "stop": "x", "stem": "s"}
_CLASSES: Final = np.array([ord(_SAID.get(shape, "w")) for shape in SHAPES])
_NUMBER, _STEM = ord("#"), ord("s")
_CAN_BE: Final = np.isin(np.arange(128), [ord("w"), _STEM])
"""Whether a term of this class letter can be a concept or a name."""
_CONCEPTS: Final = frozenset({"word", "stem", "bigram", "han", "part"})


def capitals(texts: Sequence[str]) -> Counter[str]:
    """Words of folded texts that stand with a capital inside a sentence."""
    return Counter(_CAPITAL.findall(".\n".join(["", *texts])))


@lru_cache(maxsize=16384)
def _parts(name: str) -> tuple[str, ...]:
    return tuple(term.text for term in latin(name) if term.shape in ("word", "part", "stem", "whole"))


def classes(
    terms: Sequence[str],
    order: Numbers,
    shapes: Numbers,
    number: Mapping[str, int],
    names: Set[str],
    concepts: Set[str],
    *,
    pairs: int,
) -> str:
    """Class letter of every term, in their order; a pair of which nothing is said is a word, any other term a label."""
    letters = _CLASSES[shapes[order]]
    letters[: len(order) - pairs][shapes[order][: len(order) - pairs] == 0] = _NUMBER
    judged = _CAN_BE[letters]
    own = np.zeros(len(terms), dtype=bool)
    own[[number[concept] for concept in concepts if concept in number]] = True
    letters = np.where(judged & own[order], np.where(letters == _STEM, ord("t"), ord("c")), letters)
    own[:] = False
    own[[number[name] for name in names if name in number]] = True
    wholes = order[shapes[order] == SHAPE["whole"]].tolist()
    own[[place for place in wholes if _CODE_NAME.fullmatch(terms[place])]] = True
    letters = np.where(judged & own[order], ord("n"), letters)
    return letters.astype(np.uint8).tobytes().decode("ascii")


def proper_names(capitals: Mapping[str, int], lower: Callable[[Sequence[str]], Mapping[str, int]]) -> frozenset[str]:
    """Latin words that the book nearly always writes with a capital inside its sentences; `lower` counts them without one."""
    seen: Counter[str] = Counter()
    for name, times in capitals.items():
        for part in _parts(name):
            seen[part] += times
    often = {word: times for word, times in seen.items() if times >= _NAME_SEEN}
    found = lower([*often])
    return frozenset(word for word, times in often.items() if times >= _NAME_SHARE * found.get(word, 0))


def concept_terms(book: Book, cuts: Cuts, kept: Kept) -> frozenset[str]:
    """Terms of titles, of what authors set off, and of their term pairs."""
    own = kept.each("set off", lambda ordinals: [_set_off(book.cards[place]) for place in ordinals])
    phrases = dict.fromkeys(chain(chain.from_iterable(own), map(fold, chain.from_iterable(book.pairs))))
    told = (
        "\n".join([phrase for phrase in phrases if "$" not in phrase and "\\" not in phrase]),
        tuple([phrase for phrase in phrases if "$" in phrase or "\\" in phrase]),
    )
    known = kept.value("concepts")
    found, runs = known[1] if known and known[0] == told else _concepts_of(*told)
    kept.keep("concepts", (told, (found, runs)))
    return frozenset(chain(found, chain.from_iterable(map(cuts.words, runs))))


def _set_off(card: Card) -> tuple[str, ...]:
    return tuple(map(fold, (card.title, *(term for term in card.terms if len(term) <= _SET_OFF))))


def _concepts_of(plain: str, others: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Terms of phrases, and the runs of letters that may hold more."""
    pieces = set(chain.from_iterable(map(pieces_of, [plain, *others])))
    terms = {term.text for piece in pieces for term in terms_of(piece) if term.shape in _CONCEPTS}
    runs = set(RUN.findall("\n".join([plain, *(FORMULA.sub("\n", phrase) for phrase in others)])))
    terms.update(free_pairs(runs))
    return tuple(terms), tuple([run for run in runs if len(run) > 2])
