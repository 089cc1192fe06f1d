"""Lay out the terms of a book: their order, what each is to the book, and where it stands."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Final

from askbook.core.lexicon import Lexicon
from askbook.core.schema import Book
from askbook.core.terms import stem

from . import letters
from .counting import Counted
from .letters import clean, column
from .records import RecordWriter
from .terms import classes, concept_terms
from .vocabulary import Found, kept

_COMPOUND: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")


def vocabulary(book: Book, counted: Counted, lexicon: Lexicon) -> tuple[list[str], dict[str, object]]:
    """Terms but pairs of letters in their order, and the columns of all terms."""
    shapes = counted.shapes | {word: "han" for word in lexicon.costs if len(word) > 2}
    names, unordered = kept(counted.found, shapes, len(book.cards))
    special, concepts = counted.names, concept_terms(book, lexicon)
    lone = lone_stems(names, counted.found, shapes) | mere_compounds(names, counted.found, shapes, special | concepts)
    names = [name for name in names if name not in lone]
    found = {term: cards for term, cards in counted.found.items() if term not in lone}
    alphabet, rows, pairs = pair_rows(unordered)
    records = RecordWriter(found, shapes, len(book.cards))
    for name in names:
        records.add_word(name)
    for pair in pairs:
        records.add_pair(pair)
    groups = ((names, "label"), (pairs, "bigram"))
    return names, {
        "names": clean(letters.names(names)),
        "letters": alphabet,
        "pairs": rows,
        "classes": "".join(classes(some, shapes, special, concepts, otherwise=shape) for some, shape in groups),
        **records.columns(),
    }


def lone_stems(names: Sequence[str], found: Found, shapes: Mapping[str, str]) -> set[str]:
    """Stems of which the book has one word only: the word stands for both (`Vocabulary.place`)."""
    words: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        if (root := stem(name)) != name:
            words[root].append(name)
    return {root for root, own in words.items() if len(own) == 1 and _is_lone(root, own[0], found, shapes)}


def _is_lone(root: str, word: str, found: Found, shapes: Mapping[str, str]) -> bool:
    begins = root[:-1] if root[-1] == "i" else root
    is_stem = shapes.get(root) == "stem" and len(root) > 1 and root.isascii() and root.isalpha()
    return is_stem and word.startswith(begins) and shapes.get(word) != "stop" and found[root] == found[word]


def mere_compounds(names: Iterable[str], found: Found, shapes: Mapping[str, str], known: Set[str]) -> set[str]:
    """Words joined by hyphens that one card has and nobody set off: their parts find it, and the phrase is seen in its text."""
    wholes = (name for name in names if shapes.get(name) == "whole" and len(found[name]) == 1 and name not in known)
    return {name for name in wholes if _COMPOUND.fullmatch(name)}


def pair_rows(pairs: Iterable[str]) -> tuple[str, str, list[str]]:
    """The letters of pairs, those in most pairs first; for each the ranks of the letters after it; the pairs in that order."""
    seen = Counter("".join(pairs := list(pairs)))
    alphabet = "".join(sorted(seen, key=lambda letter: (-seen[letter], letter)))
    rank = {letter: place for place, letter in enumerate(alphabet)}
    rows: defaultdict[str, list[int]] = defaultdict(list)
    for pair in pairs:
        rows[pair[0]].append(rank[pair[1]])
    for row in rows.values():
        row.sort()
    ordered = [letter + alphabet[place] for letter in alphabet for place in rows[letter]]
    return alphabet, column(letters.gaps(rows[letter]) for letter in alphabet), ordered
