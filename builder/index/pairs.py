"""Mine terms given in two languages: 一致收敛 (uniform convergence), glossaries, titles; they let a question cross languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from askbook.core.folding import fold
from askbook.core.schema import Book

_HAN = r"[\u3400-\u4dbf\u4e00-\u9fff]"
_LATIN = r"[A-Za-z][A-Za-z0-9'\-]*(?: [A-Za-z0-9'\-]+){0,4}"
_GLOSS = re.compile(
    rf"(?P<before>{_HAN}{{2,20}})[*_」』”\"]{{0,3}}\s?[(（]\s?(?:英语|英文|即|also|i\.e\.)?[:：]?\s?[*_]{{0,3}}(?P<latin>{_LATIN})[*_]{{0,3}}\s?[,)），;；]"
)
_REVERSE = re.compile(rf"(?P<latin>{_LATIN})[*_]{{0,3}}\s?[(（]\s?(?P<han>{_HAN}{{2,12}})\s?[)）]")
_MOST = 4000


def mine(book: Book) -> list[tuple[str, str]]:
    """Pairs (Chinese, Latin) of a book, folded, lower case, sorted; the author's own first choice always among them."""
    found = {(fold(a).strip().casefold(), fold(b).strip().casefold()) for a, b in book.pairs if a.strip() and b.strip()}
    texts = [fold(text) for card in book.cards for text in (card.title, card.text, *card.terms)]
    glosses = Counter(gloss for text in texts for gloss in _glosses(text))
    whole = "\n".join(texts)
    for (before, latin), _ in sorted(glosses.items(), key=lambda item: (-item[1], item[0]))[:_MOST]:
        if word := _word(before, latin, glosses, whole):
            found.add((word, latin))
    return sorted(found)


def _glosses(text: str) -> Iterator[tuple[str, str]]:
    for match in _GLOSS.finditer(text):
        yield match["before"], match["latin"].casefold().strip()
    for match in _REVERSE.finditer(text):
        yield match["han"], match["latin"].casefold().strip()


def _word(before: str, latin: str, glosses: Counter[tuple[str, str]], whole: str) -> str:
    """How much of the letters before the bracket is the term: the ending that the book uses most for its length."""
    if len(before) <= 4:
        return before
    endings = [before[-size:] for size in range(2, min(len(before), 10) + 1)]
    counts = {ending: whole.count(ending) for ending in endings}
    best = endings[0]
    for ending in endings[1:]:
        if counts[ending] * 2 > counts[best] and counts[ending] > 1:
            best = ending
    return best
