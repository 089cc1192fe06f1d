"""Answer with the book's own sentences: pick the best ones of the best cards, and write them down with their marks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from .bm25 import idf
from .index import Index
from .limits import EXTRACT_SENTENCE_CHARACTERS, EXTRACT_SENTENCES
from .question import groups, weigh
from .search import Found, Hit
from .sentences import Sentence, sentences
from .terms import terms


@dataclass(frozen=True, slots=True)
class Extract:
    """A sentence of a hit that speaks to the question."""

    hit: int
    """Position of its hit, from 0; its mark is one more."""
    ordinal: int
    """Of the card in its book."""
    start: int
    """First code point in `Card.text`."""
    end: int
    text: str
    score: float
    form: str = "prose"


_WORDS: Final = {
    "zh": {
        "weak": "书中没有直接谈到这个问题；最接近的段落是：",
        "none": "书中没有找到与这个问题有关的内容。",
        "unknown": "书中没有出现：{terms}。",
        "nearest": "已改为查找：{terms}。",
        "see": "见",
        "quote": "“{}”",
        "join": "、",
    },
    "en": {
        "weak": "The book does not speak of this directly; these passages come closest:",
        "none": "Nothing in the book answers to this question.",
        "unknown": "The book does not have: {terms}.",
        "nearest": "Searched instead for: {terms}.",
        "see": "See",
        "quote": "“{}”",
        "join": ", ",
    },
}


def extract(question: str, hits: Sequence[Hit], *, limit: int = EXTRACT_SENTENCES) -> tuple[Extract, ...]:
    """Best sentences over all hits, best first; a card that ranks higher lends its sentences weight."""
    found: list[Extract] = []
    top = hits[0].score if hits else 1.0
    for position, hit in enumerate(hits):
        weights = _weights(hit.index, question)
        best = _best(hit.card.text, weights)
        for sentence, score in best:
            text = hit.card.text[sentence.start : sentence.end]
            rank = (hit.score / top if top else 0.0) * (0.2 + score)
            found.append(Extract(position, hit.ordinal, sentence.start, sentence.end, text, rank, sentence.form))
    found.sort(key=lambda one: (-one.score, one.hit, one.start))
    return tuple(found[:limit])


def _weights(index: Index, question: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for _, own in weigh(groups(question, index.lexicon), index):
        for term, weight in own.items():
            weights[term] = weights.get(term, 0.0) + weight * idf(len(index.posting(term).cards), len(index))
    return weights


def _best(text: str, weights: Mapping[str, float]) -> list[tuple[Sentence, float]]:
    """Up to two sentences of a card, by the share of the question's weight they hold."""
    total = sum(weights.values()) or 1.0
    scored: list[tuple[Sentence, float]] = []
    for place, sentence in enumerate(sentences(text)):
        piece = text[sentence.start : sentence.end]
        if len(piece) > EXTRACT_SENTENCE_CHARACTERS or sentence.form in ("code", "formula"):
            continue
        have = {term.text for term in terms(piece)}
        share = sum(weight for term, weight in weights.items() if term in have) / total
        scored.append((sentence, share / sqrt(1 + len(piece) / 400) + (0.02 if place == 0 else 0.0)))
    scored.sort(key=lambda one: (-one[1], one[0].start))
    return scored[:2]


def answer(question: str, found: Found, *, lang: str) -> str:
    """Markdown of an answer made of the book's sentences, each followed by the mark of its hit, `[1]` for the first."""
    words = _WORDS["zh" if lang.lower().startswith("zh") else "en"]
    if not found.hits:
        return words["none"]
    lines: list[str] = []
    if found.status.confidence < 0.3:
        lines.append(words["weak"])
    picked = extract(question, found.hits)
    asked = _weights(found.hits[0].index, question)
    for one in picked:
        lines.append(f"{_mark_words(one.text, asked)} [{one.hit + 1}]")
    if not picked:
        lines.append(f"{words['see']} [1]")
    return "\n\n".join(lines) + "\n"


_ATOM: Final = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|\$\$.+?\$\$|\$(?!\s)[^$\n]+?(?<!\s)\$", re.DOTALL)
_SPECIAL: Final = re.compile(r"([\\*_\[\]<>#~|])")


def _mark_words(text: str, asked: Mapping[str, float]) -> str:
    """The sentence as Markdown: code and formulas as they are, everything else letter by letter."""
    out: list[str] = []
    place = 0
    for atom in _ATOM.finditer(text):
        out.append(_SPECIAL.sub(r"\\\1", text[place : atom.start()]))
        out.append(atom.group())
        place = atom.end()
    out.append(_SPECIAL.sub(r"\\\1", text[place:]))
    return "".join(out).replace("\n", " ")
