"""Mine terms given in two languages: 一致收敛 (uniform convergence), glossaries, titles; they let a question cross languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from askbook.core.folding import fold
from askbook.core.schema import Book, Card
from askbook.core.terms import FUNCTION, STOP

from .kept import Kept
from .memory import Memory
from .words import cut, is_chinese

_HAN = r"[\u3400-\u4dbf\u4e00-\u9fff]"
_LATIN = r"[A-Za-z][A-Za-z0-9'\-]*(?: [A-Za-z0-9'\-]+){0,4}"
_GLOSS = re.compile(rf"[(（]\s?(?:英语|英文|即|also|i\.e\.)?[:：]?\s?[*_]{{0,3}}(?P<latin>{_LATIN})[*_]{{0,3}}\s?[,)），;；]")
_GLOSSED = re.compile(rf"(?P<han>{_HAN}{{1,20}})[*_」』”\"]{{0,3}}\s?\Z")
_GLOSSED_LENGTH = 24
_BRACKET = re.compile(rf"[(（]\s?(?P<han>{_HAN}{{2,12}})\s?[)）]")
_LATIN_BEFORE = re.compile(rf"(?P<latin>{_LATIN})[*_]{{0,3}}\s?$")
_LOOK_BACK = 60
_WHOLE = re.compile(rf"(?P<han>{_HAN}{{1,12}})\s?[(（:：,，/]?\s?(?P<latin>{_LATIN})\s?[)）]?")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_PER_WORD = 1.9
"""Chinese letters that stand for one English word, or for one letter of an abbreviation."""
_LONGEST_EACH = 2.6
_OFTEN = 0.3
"""A longer ending is the term if it makes up this share of the shorter one's places."""


def mine(
    book: Book, texts: Sequence[str] | None = None, memory: Memory | None = None, kept: Kept | None = None
) -> list[tuple[str, str]]:
    """Pairs (Chinese, Latin) of a book, folded, lower case, sorted; the author's own among them."""
    known = kept or Kept(book)
    found = {(fold(a).strip().casefold(), fold(b).strip().casefold()) for a, b in book.pairs if a.strip() and b.strip()}
    found.update(chain.from_iterable(known.each("reverse", lambda ordinals: [_reverse(book.cards[place]) for place in ordinals])))
    if not is_chinese(book.lang):
        return sorted(found)
    texts = [fold(card.text) for card in book.cards] if texts is None else texts
    found.update(chain.from_iterable(known.each("wholes", lambda ordinals: [_wholes(book.cards[place]) for place in ordinals])))
    own = {latin for _, latin in found}
    cuts = memory or Memory()
    usual = _Usual(texts, known)
    glosses = known.each("glosses", lambda ordinals: [tuple(_glosses(texts[place])) for place in ordinals])
    for han, latin in dict.fromkeys(chain.from_iterable(glosses)):
        if latin.casefold() not in own and not _YEAR.search(latin) and (term := _ending(han, latin, usual, cuts)):
            found.add((term, latin.casefold()))
    return sorted(found)


def _wholes(card: Card) -> tuple[tuple[str, str], ...]:
    """Pairs that a title or an emphasised term is."""
    found = []
    for term in (card.title, *card.terms):
        if (match := _WHOLE.fullmatch(fold(term))) and not _YEAR.search(match["latin"]):
            found.append((match["han"], match["latin"].casefold()))
    return tuple(found)


def _glosses(text: str) -> Iterator[tuple[str, str]]:
    """Latin in brackets, and the Chinese right before."""
    for match in _GLOSS.finditer(text):
        if before := _GLOSSED.search(text, max(0, match.start() - _GLOSSED_LENGTH), match.start()):
            yield before["han"], match["latin"]


def _reverse(card: Card) -> tuple[tuple[str, str], ...]:
    """`uniform convergence (一致收敛)`: the bracket says where the Chinese begins, its length how much English it may mean."""
    found = []
    for match in _BRACKET.finditer(card.text) if not card.text.isascii() else ():
        before = _LATIN_BEFORE.search(card.text[max(0, match.start() - _LOOK_BACK) : match.start()])
        words = before["latin"].casefold().split() if before else []
        start = max((place + 1 for place, word in enumerate(words) if word in STOP), default=0)
        if term := " ".join(words[start:][-max(1, round(len(match["han"]) / _PER_WORD)) :]):
            found.append((fold(match["han"]), term))
    return tuple(found)


def _ending(han: str, latin: str, usual: _Usual, memory: Memory) -> str:
    """How many of the words before the bracket are the term: as many as its length or the book's habit allow."""
    size = len(latin) if latin.isupper() and len(latin) <= 5 else len(re.split(r"[ \-]", latin))
    run = FUNCTION.split(han)[-1]
    words = list(memory.recall("cuts", run, partial(cut, run)))
    term = ""
    while words:
        word = words.pop()
        longer = word + term
        short = len(longer) <= _PER_WORD * size + 0.5 and len(word) > 1
        if len(term) >= 2 and not short and not (len(longer) <= _LONGEST_EACH * size + 1 and usual.ends(longer, term)):
            break
        term = longer
    return term if 2 <= len(term) <= 12 else ""


class _Usual:
    """How a book writes its terms; a phrase that was counted before is counted again in what has changed alone."""

    def __init__(self, texts: Sequence[str], kept: Kept) -> None:
        self._whole = "\n".join(texts)
        self._gone = "\n".join(kept.gone("folded"))
        self._come = "\n".join([texts[place] for place in kept.wanted("folded")])
        self._before: dict[str, int] = kept.value("usual") or {}
        self._counts: dict[str, int] = {}
        kept.keep("usual", self._counts)

    def ends(self, longer: str, term: str) -> bool:
        """Whether the book writes a term mostly with the word before it."""
        seen = self._count(longer)
        return seen >= 2 and seen >= _OFTEN * self._count(term)

    def _count(self, phrase: str) -> int:
        if phrase not in self._counts:
            before = self._before.get(phrase)
            changed = self._come.count(phrase) - self._gone.count(phrase)
            self._counts[phrase] = self._whole.count(phrase) if before is None else before + changed
        return self._counts[phrase]
