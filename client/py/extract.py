"""Answer with the book's own sentences: the best ones of the best cards, each card's under its mark."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from .bm25 import idf
from .index import Index
from .lexicon import Lexicon
from .limits import (
    EXTRACT_CARDS,
    EXTRACT_EVIDENCE,
    EXTRACT_LEAST,
    EXTRACT_SENTENCE_CHARACTERS,
    EXTRACT_SHORT,
    PASSAGES,
    QUESTION_CHARACTERS,
    WEAK,
)  # fmt: skip
from .phrases import content
from .question import groups, weigh
from .quoting import quote
from .search import Found, Hit
from .sentences import Form, Sentence, sentences
from .terms import terms


@dataclass(frozen=True, slots=True)
class Extract:
    """What one hit says to the question: a sentence, or two that belong together."""

    hit: int
    """Position of its hit, from 0; its mark is one more."""
    ordinal: int
    """Of the card in its book."""
    start: int
    """First code point in `Card.text`."""
    end: int
    """One past the last; equal to `start` where the card has no sentence to show, and `text` is its title."""
    text: str
    score: float


_FORM_SHARE: Final[Mapping[Form, float]] = {"prose": 1.0, "item": 0.9, "row": 0.5, "code": 0.0, "formula": 0.0}
_LEADS_ON: Final = re.compile(r"[:：][*_]*$")
_ASKS: Final = re.compile(r"[?？][”’\"')）]*$")
_ENDS: Final = re.compile(r"[.!?:;…。！？：；$`|*_）)”’\"']$")
"""How a sentence may end; prose that ends otherwise is a caption (“Proof of Theorem 2.2”), which names and does not say."""
_CAPTION_SHARE: Final = 0.2
_LEANS: Final = re.compile(
    r"(?:例如|比如|其中|此时|因此|所以|但是|然而|它|这|该|For example|However|Therefore|Thus|It|They|This|That|These|Those)"
)
_OPENING_SHARE: Final = 0.35
"""Of the title's share of the question that the sentence right under the title gets."""
_WORDS: Final = {
    "zh": {
        "weak": "书中没有直接谈到这个问题，最接近的段落如下。",
        "none": "书中没有找到与这个问题有关的内容。",
        "unknown": "书中没有出现{terms}。",
        "instead": "书中没有出现{terms}，已按相近的{near}查找。",
        "see": "见{title}。",
        "quoted": "“{}”",
        "join": "、",
    },
    "en": {
        "weak": "The book does not speak of this directly; these passages come closest.",
        "none": "Nothing in the book answers this question.",
        "unknown": "The book does not have {terms}.",
        "instead": "The book does not have {terms}; the nearest it has, {near}, was searched instead.",
        "see": "See {title}.",
        "quoted": "“{}”",
        "join": ", ",
    },
}


def extract(question: str, hits: Sequence[Hit], *, limit: int = EXTRACT_CARDS) -> tuple[Extract, ...]:
    """Best sentences of the best hits, one place a hit, best first."""
    if not hits:
        return ()
    found: list[Extract] = []
    asked = content(question[:QUESTION_CHARACTERS])
    weights: dict[int, dict[str, float]] = {}
    for position, hit in enumerate(hits[:PASSAGES]):
        own = weights.setdefault(id(hit.index), _weights(hit.index, question))
        standing = hit.score / hits[0].score if hits[0].score else 0.0
        found.append(_best(position, hit, own, standing, asked))
    found.sort(key=lambda one: (-one.score, one.hit))
    least = EXTRACT_LEAST * found[0].score
    return tuple(one for one in found[:limit] if one.score >= least)


def _weights(index: Index, question: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for _, own in weigh(groups(question, index.lexicon), index):
        for term, weight in own.items():
            weights[term] = weights.get(term, 0.0) + weight * idf(len(index.posting(term).cards), len(index))
    return weights


def _share(text: str, weights: Mapping[str, float], lexicon: Lexicon) -> float:
    """Share of the question's weight that a text has."""
    have = {term.text for term in terms(text, lexicon=lexicon)}
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in have or _is_letter_of(term, text)) / total if total else 0.0


def _is_letter_of(term: str, text: str) -> bool:
    """Whether a single letter of a script without spaces stands in a text, where it is no term by itself."""
    return len(term) == 1 and not term.isascii() and term in text


def _best(position: int, hit: Hit, weights: Mapping[str, float], standing: float, asked: str) -> Extract:
    """The sentence of a hit that has most of the question, with the next one where it is short."""
    text, lexicon = hit.card.text, hit.index.lexicon
    found = sentences(text)
    title = _share(hit.card.title, weights, lexicon)
    best, most = -1, 0.0
    for place, one in enumerate(found):
        piece = text[one.start : one.end]
        value = _value(piece, one.form, _share(piece, weights, lexicon), asked) + (_OPENING_SHARE * title if place == 0 else 0.0)
        if _FORM_SHARE[one.form] and len(piece) <= EXTRACT_SENTENCE_CHARACTERS and (value > most or best < 0):
            best, most = place, value
    score = standing + EXTRACT_EVIDENCE * most
    if best < 0:
        return Extract(position, hit.ordinal, 0, 0, hit.card.title, score)
    start, end = found[best].start, _end(text, found, best)
    return Extract(position, hit.ordinal, start, end, text[start:end], score)


def _value(piece: str, form: Form, share: float, asked: str) -> float:
    """Worth of a sentence: more if it begins with what was asked, less if it only leads on, asks or leans on the one before."""
    value = _FORM_SHARE[form] * share / sqrt(1 + len(piece) / EXTRACT_SENTENCE_CHARACTERS)
    if asked and content(piece[: 2 * len(asked) + 16]).startswith(asked):
        value *= 1.2
    if _LEADS_ON.search(piece) or _ASKS.search(piece):
        value *= 0.6
    if form == "prose" and not _ENDS.search(piece):
        value *= _CAPTION_SHARE
    return value * (0.9 if _LEANS.match(piece) else 1.0)


def _end(text: str, found: Sequence[Sentence], place: int) -> int:
    """Where to stop: after the sentence, or after the next of its paragraph where it is short or leads on to a formula."""
    one = found[place]
    if place + 1 == len(found):
        return one.end
    after = found[place + 1]
    leads_on = bool(_LEADS_ON.search(text[one.start : one.end]))
    if after.form == "formula":
        fits = leads_on
    else:
        short = one.end - one.start < EXTRACT_SHORT or leads_on
        fits = short and one.form == after.form == "prose" and "\n\n" not in text[one.end : after.start]
    return after.end if fits and after.end - one.start <= EXTRACT_SENTENCE_CHARACTERS else one.end


def answer(question: str, found: Found, *, lang: str) -> str:
    """Markdown of an answer made of the book's sentences, each followed by the mark of its hit, `[1]` for the first."""
    words = _WORDS["zh" if lang.lower().startswith("zh") else "en"]
    paragraphs = _remarks(found, words)
    if not found.hits:
        return "\n\n".join([*paragraphs, words["none"]]) + "\n"
    for one in extract(question, found.hits):
        hit = found.hits[one.hit]
        if one.end > one.start:
            paragraphs.append(quote(one.text, mark=f"[{one.hit + 1}]", words=hit.matched))
        else:
            title = words["quoted"].format(one.text)
            paragraphs.append(quote(words["see"].format(title=title), mark=f"[{one.hit + 1}]", words=()))
    return "\n\n".join(paragraphs) + "\n"


def _remarks(found: Found, words: Mapping[str, str]) -> list[str]:
    """What a reader has to know about the search: words the book does not have, what was searched instead."""
    status = found.status
    replaced = [term for term in status.unknown if term in status.nearest]
    missing = [term for term in status.unknown if term not in status.nearest]
    remarks: list[str] = []
    if replaced:
        near = [status.nearest[term][0] for term in replaced]
        remarks.append(words["instead"].format(terms=_listed(replaced, words), near=_listed(near, words)))
    if missing:
        remarks.append(words["unknown"].format(terms=_listed(missing, words)))
    if found.hits and status.confidence < WEAK:
        remarks.append(words["weak"])
    return remarks


def _short(term: str) -> str:
    return term if len(term) <= EXTRACT_SHORT else term[:EXTRACT_SHORT] + "…"


def _listed(terms_: Sequence[str], words: Mapping[str, str]) -> str:
    return words["join"].join(words["quoted"].format(quote(_short(term), mark="", words=())) for term in terms_[:5])
