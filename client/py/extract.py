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
    EXTRACT_STATEMENT,
    EXTRACT_WORD,
    PASSAGES,
    QUESTION_CHARACTERS,
    WEAK,
)  # fmt: skip
from .phrases import alike, content
from .question import groups, weigh
from .quoting import passage, quote
from .search import Found, Hit
from .sentences import Form, Sentence, sentences
from .terms import CJK, terms


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
_LEADS_ON: Final = re.compile(
    r"(?:[:：][*_]*|(?:如下|以下|下面|下列)[^。，]{0,12}。|\b(?:following|below|as follows)\b[^.,]{0,24}\.)$"
)
_ASKS: Final = re.compile(r"[?？][”’\"')）]*$")
_ENDS: Final = re.compile(r"[.!?:;…。！？：；$`|*_）)”’\"']$")
"""How a sentence may end; prose that ends otherwise is a caption (“Proof of Theorem 2.2”), which names and does not say."""
_LEANS: Final = re.compile(
    r"(?:例如|比如|其中|此时|因此|所以|但是|然而|它|这|该|我们将这|我们把这|同理"
    r"|(?:For example|However|Therefore|Thus|It|They|This|That|These|Those|We call (?:this|these|such))\b)"
)
_STATED: Final = frozenset({"definition", "theorem", "lemma", "proposition", "corollary", "axiom", "property", "rule"})
"""Kinds whose cards are one statement."""
_OWN_TITLE: Final = 0.8
"""How like the question a title must be for its card to be quoted from the beginning."""
_CJK: Final = re.compile(f"[{CJK}]")
_OTHER_LANGUAGE: Final = 0.75
"""Of its standing that a card in the language the question is not asked in keeps."""
_OPENING_SHARE: Final = 0.35
"""Of the title's share of the question that the sentence right under the title gets."""
_WORDS: Final = {
    "zh": {
        "weak": "书中没有直接谈到这个问题，最接近的段落如下。",
        "none": "书中没有找到与这个问题有关的内容。",
        "weak here": "{chapter}没有直接谈到这个问题，其中最接近的段落如下。",
        "none here": "{chapter}中没有找到与这个问题有关的内容，书的其余部分没有查找。",
        "unknown": "书中没有出现{terms}。",
        "instead": "书中没有出现{terms}，已按相近的{near}查找。",
        "see": "见{title}。",
        "quoted": "“{}”",
        "join": "、",
    },
    "en": {
        "weak": "The book does not speak of this directly; these passages come closest.",
        "none": "Nothing in the book answers this question.",
        "weak here": "{chapter} does not speak of this directly; these passages of it come closest.",
        "none here": "Nothing in {chapter} answers this question; the rest of the book was not searched.",
        "unknown": "The book does not have {terms}.",
        "instead": "The book does not have {terms}; the nearest it has, {near}, was searched instead.",
        "see": "See {title}.",
        "quoted": "“{}”",
        "join": ", ",
    },
}


def extract(question: str, hits: Sequence[Hit], *, limit: int = EXTRACT_CARDS) -> tuple[Extract, ...]:
    """Best sentences of the best hits, one place a hit, best first; a card that has none is named only where it is the best."""
    if not hits:
        return ()
    found: list[Extract] = []
    asked = content(question[:QUESTION_CHARACTERS])
    weights: dict[int, dict[str, float]] = {}
    for position, hit in enumerate(hits[:PASSAGES]):
        own = weights.setdefault(id(hit.index), _weights(hit.index, question))
        standing = hit.score / hits[0].score if hits[0].score else 0.0
        standing *= _OTHER_LANGUAGE if _is_foreign(hit.card.title + hit.card.text, question) else 1.0
        found.append(_best(position, hit, own, standing, asked))
    found.sort(key=lambda one: (-one.score, one.hit))
    least = EXTRACT_LEAST * found[0].score
    has_text = any(one.end > one.start for one in found)
    told: dict[str, Extract] = {}
    for one in found:
        if one.score >= least and (one is found[0] or one.end > one.start or not has_text):
            told.setdefault(one.text, one)
    return tuple(told.values())[:limit]


def _is_foreign(text: str, question: str) -> bool:
    """Whether a text has nothing of the question's script; a Chinese text has some Latin words, and code is no language."""
    if _CJK.search(question):
        return not _CJK.search(text)
    return 4 * len(_CJK.findall(text)) > len(text)


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
    """What a hit says: its statement from the beginning, or the sentence that has most of the question and what belongs to it."""
    text, lexicon = hit.card.text, hit.index.lexicon
    found = sentences(text)
    title = _share(hit.card.title, weights, lexicon)
    values = []
    for place, one in enumerate(found):
        piece = text[one.start : one.end]
        value = _value(piece, one.form, _share(piece, weights, lexicon), asked) + (_OPENING_SHARE * title if place == 0 else 0.0)
        fits = _FORM_SHARE[one.form] and len(piece) <= EXTRACT_SENTENCE_CHARACTERS
        values.append(value if fits and not _is_caption(text, found, place) else -1.0)
    best = max(range(len(found)), key=values.__getitem__, default=0)
    if not found or values[best] < 0:
        return Extract(position, hit.ordinal, 0, 0, hit.card.title, standing)
    whole = (hit.card.kind in _STATED and standing >= _OWN_TITLE) or alike(asked, content(hit.card.title)) >= _OWN_TITLE
    first = next(place for place, value in enumerate(values) if value >= 0)
    start, end = _statement(text, found, first) if whole else _window(text, found, best)
    return Extract(position, hit.ordinal, start, end, text[start:end], standing + EXTRACT_EVIDENCE * values[best])


def _value(piece: str, form: Form, share: float, asked: str) -> float:
    """Worth of a sentence: more if it begins with what was asked, less if it only leads on, asks or leans on the one before."""
    value = _FORM_SHARE[form] * share / sqrt(1 + len(piece) / EXTRACT_SENTENCE_CHARACTERS)
    if asked and content(piece[: 2 * len(asked) + 16]).startswith(asked):
        value *= 1.2
    if _LEADS_ON.search(piece) or _ASKS.search(piece):
        value *= 0.6
    return value * (0.9 if _LEANS.match(piece) else 1.0)


def _is_caption(text: str, found: Sequence[Sentence], place: int) -> bool:
    """Whether a sentence only names something: it has no end of its own, and no formula that completes it."""
    one = found[place]
    if one.form not in ("prose", "item") or _ENDS.search(text[one.start : one.end]):
        return False
    if one.form == "item":
        return not _size(text[one.start : one.end]) > EXTRACT_SHORT // 2
    return not (place + 1 < len(found) and found[place + 1].form == "formula")


def _size(piece: str) -> int:
    """Length of a text as a reader feels it."""
    return len(piece) + len(_CJK.findall(piece))


def _statement(text: str, found: Sequence[Sentence], first: int) -> tuple[int, int]:
    """From the first sentence of a card to the last that fits, code left out."""
    start, last = found[first].start, first
    while last + 1 < len(found):
        after = found[last + 1]
        if after.form == "code" or after.end - start > EXTRACT_STATEMENT or _is_caption(text, found, last + 1):
            break
        last += 1
    while last > first and found[last].form != "formula" and _opens(text, found[last]):
        last -= 1
    return start, found[last].end


def _opens(text: str, one: Sentence) -> bool:
    """Whether a sentence promises something that comes after it."""
    return _LEADS_ON.search(text[one.start : one.end]) is not None


def _window(text: str, found: Sequence[Sentence], best: int) -> tuple[int, int]:
    """A sentence with the one it leans on, what it leads on to, and the next where both are short."""
    first = best
    if best and _LEANS.match(text[found[best].start : found[best].end]) and _joined(text, found, best - 1):
        first -= 1
    last = best
    while last + 1 < len(found) and found[last + 1].end - found[first].start <= EXTRACT_SENTENCE_CHARACTERS:
        here, after = found[last], found[last + 1]
        piece = text[here.start : here.end]
        promised = _opens(text, here) or (here.form == "prose" and not _ENDS.search(piece))
        listed = here.form == after.form == "item" and last > best
        short = _size(text[found[first].start : here.end]) < EXTRACT_SHORT and _joined(text, found, last)
        if not (after.form != "code" and (promised or listed)) and not short:
            break
        last += 1
    while last > best and _opens(text, found[last]):
        last -= 1
    return found[first].start, found[last].end


def _joined(text: str, found: Sequence[Sentence], place: int) -> bool:
    """Whether a sentence and the next are prose of one paragraph."""
    one, after = found[place], found[place + 1]
    return one.form == after.form == "prose" and "\n\n" not in text[one.end : after.start]


def answer(question: str, found: Found, *, lang: str, chapter: str = "") -> str:
    """Markdown of an answer made of the book's sentences, each followed by the mark of its hit, `[1]` for the first.

    `chapter` is the title of the only one that was searched.
    """
    words = _words(lang, chapter)
    paragraphs = _remarks(found, words)
    if not found.hits:
        return "\n\n".join([*paragraphs, words["none"]]) + "\n"
    for one in extract(question, found.hits):
        hit = found.hits[one.hit]
        if one.end > one.start:
            paragraphs.append(passage(one.text, mark=f"[{one.hit + 1}]", words=hit.matched))
        else:
            title = words["quoted"].format(one.text)
            paragraphs.append(quote(words["see"].format(title=title), mark=f"[{one.hit + 1}]", words=()))
    return "\n\n".join(paragraphs) + "\n"


def _words(lang: str, chapter: str) -> Mapping[str, str]:
    words = _WORDS["zh" if lang.lower().startswith("zh") else "en"]
    if not chapter:
        return words
    name = words["quoted"].format(quote(chapter, mark="", words=()))
    return {**words, **{what: words[f"{what} here"].format(chapter=name) for what in ("weak", "none")}}


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
    return term if len(term) <= EXTRACT_WORD else term[:EXTRACT_WORD] + "…"


def _listed(terms_: Sequence[str], words: Mapping[str, str]) -> str:
    return words["join"].join(words["quoted"].format(quote(_short(term), mark="", words=())) for term in terms_[:5])
