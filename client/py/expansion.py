"""What a question asks for that the books do not know, and what is searched beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .bridge import crossings
from .folding import fold
from .index import Index
from .limits import QUESTION_CHARACTERS
from .question import Group, groups
from .spelling import nearest_of


@dataclass(frozen=True, slots=True)
class Expansion:
    """What is searched beside a question, and why."""

    groups: tuple[tuple[Group, ...], ...]
    """For each book of the shelf."""
    unknown: tuple[str, ...]
    nearest: Mapping[str, tuple[str, ...]]
    expanded: Mapping[str, tuple[str, ...]]


def expand(shelf: Sequence[Index], question: str, asked: Sequence[Sequence[Group]]) -> Expansion:
    """Find unknown words, their nearest spellings, and the names of what is asked in the other language."""
    unknown = tuple(dict.fromkeys([word for own in asked for group in own for word in _unknown(group, shelf)]))
    near = {word: found for word in unknown if (found := nearest_of(word, shelf))}
    crossed = _crossed(question, near, shelf)
    beside: list[tuple[Group, ...]] = []
    expanded: dict[str, list[str]] = {}
    for index in shelf:
        instead = [(word, found[0]) for word, found in near.items()]
        instead += [(phrase, other) for phrase, other in crossed if phrase.isascii() == _is_cjk(index.lang)]
        beside.append(tuple(group for _, other in instead for group in groups(other, index.lexicon, instead=True)))
        for word, other in instead:
            if other not in expanded.setdefault(word, []):
                expanded[word].append(other)
    return Expansion(tuple(beside), unknown, near, {word: tuple(others) for word, others in expanded.items()})


def _crossed(question: str, near: Mapping[str, tuple[str, ...]], shelf: Sequence[Index]) -> list[tuple[str, str]]:
    """Phrases of the question, its spelling mended, and their names in the other language."""
    mended = fold(question[:QUESTION_CHARACTERS]).casefold()
    for word, found in near.items():
        mended = mended.replace(word, found[0])
    return list(dict.fromkeys(crossings(mended, [index.crossings for index in shelf])))


def _is_cjk(lang: str) -> bool:
    return lang.lower().split("-")[0] in ("zh", "yue", "cmn", "ja", "ko")


def _unknown(group: Group, shelf: Sequence[Index]) -> list[str]:
    """What of a group no book has: the whole word, or the stretches of a run none of whose pairs is known."""
    if not group.is_run:
        for text, shape in group.terms:
            for index in shelf:
                if shape == "label" or _has(index, text):
                    return []
        return [group.surface]
    strange = [pair for pair, shape in group.terms if shape == "bigram"]
    for index in shelf:
        places = index.places
        strange = [pair for pair in strange if places[pair] is None]
    if not strange:
        return []
    pairs = [term.text if term.shape == "bigram" else "" for term in group.terms if term.shape in ("bigram", "touched", "stop")]
    found: list[str] = []
    stretch: list[int] = []
    for place, pair in enumerate([*pairs, ""]):
        if pair in strange:
            stretch.append(place)
            continue
        if len(stretch) > 1 or (stretch and _is_whole(stretch[0], pairs)):
            found.append(pairs[stretch[0]] + "".join(pairs[other][1] for other in stretch[1:]))
        stretch = []
    return found


def _is_whole(place: int, pairs: Sequence[str]) -> bool:
    """Whether a single unknown pair is a word by itself and not where two known words meet."""
    return not (place and pairs[place - 1] and place + 1 < len(pairs) and pairs[place + 1])


def _has(index: Index, term: str) -> bool:
    return index.places[term] is not None or (len(term) == 1 and not term.isascii() and bool(index.asked[term].cards))
