"""How much of Markdown sources stands in cards, counted by words, for books that have no built page to compare with.

It shares nothing with the chunkers: no Markdown is parsed, only what surely is no text is taken away.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from askbook.core.schema import Book

from .index.memory import Memory, key_of

_WORD = re.compile(r"[^\W_]+")
_NAME = r"[A-Za-z][\w:.+-]*"
_DROPPED = re.compile(
    rf"""<!--.*?-->|\{{/\*.*?\*/\}}
    |(?P<code>(?<!`)(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`))
    |!\[(?:[^\[\]]|\[[^\[\]]*\])*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])?(?:\{{[^{{}}]*\}})?   # a picture
    |(?<=\])\(\s*(?:<[^<>\n]*>|(?:[^()\s]|\([^()]*\))*)(?:\s+"[^"]*"|\s+'[^']*')?\s*\)         # where a link leads
    |(?<=\])\[[^\]\n]*\]|\[\^[^\]\n]+\]:?
    |</?[A-Za-z](?:"[^"]*"|'[^']*'|\{{(?:[^{{}}<>]|\{{[^{{}}<>]*\}})*\}}|[^<>"'{{}}])*>|</?>
    |\{{:?\s*[#.-][^{{}}\n]*\}}|\{{{_NAME}\}}(?=`)|\{{[^{{}}\n]*=[^{{}}\n]*\}}
    |&(?:[A-Za-z]+|\#\w+);""",
    re.VERBOSE | re.DOTALL,
)
_SKIPPED_LINE = re.compile(
    r"""^\s*(?:\[[^\]]+\]:\s+\S+.*|\*\[[^\]]+\]:.*|\[TOC\]|:{3,}.*|/{3,}.*|:[\w-]+:.*|\([\w:.+/\ -]+\)=|\[[^\]]+\]:
    |!!!.*|\?\?\?.*|===.*|-{3,}|\\(?:begin|end|label)\{.*|(?:import|export)\s.*)\s*$""",
    re.VERBOSE,
)
_FENCE = re.compile(r"^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)*(`{3,}|~{3,})(.*)$")
_HEADER = re.compile(r"""\s*[\w#.+-]*(?:\s+[\w-]+(?:=(?:"[^"]*"|'[^']*'))?)*\s*|\s*[\w#.+-]*\s*\{.*\}\s*""")
"""What may follow the backticks: a language and options, or a list of attributes."""
_DIRECTIVE = re.compile(rf"^\{{{_NAME}\}}")
_OPTION = re.compile(r"^\s{4,}[\w-]+:\s*\S*\s*$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NEAR = 20_000
"""How far on in the cards a line is looked for."""
_HIDDEN_START = re.compile(r"<(style|script|svg)\b", re.IGNORECASE)


def check_sources(
    pages: Iterable[tuple[str, str, str]], book: Book, memory: Memory | None = None, *, superfences: bool = False
) -> tuple[float, tuple[tuple[str, int, str], ...]]:
    """Compare pages, given as (address, file, source), with the cards of a book; return the share and what is missing.

    With `superfences`, code opens only where PyMdown's extension of that name lets it.
    """
    held: defaultdict[str, list[str]] = defaultdict(list)
    for section in book.sections:
        held[section.url.partition("#")[0]].append(section.title)
    for card in book.cards:
        held[card.url.partition("#")[0]] += (card.title, card.text[card.overlap :])
    known = memory or Memory()
    total = covered = 0
    missing: list[tuple[str, int, str]] = []
    for url, file, source in pages:
        text = _cells(source) if file.endswith(".ipynb") else source
        stock = "\n".join(held[url])
        make = partial(_check_page, text, stock, superfences=superfences)
        size, lost, gaps = known.recall("coverage", key_of(text, stock, str(superfences)), make)
        total += size
        covered += size - lost
        missing += ((file, line, words) for line, words in gaps)
    return (covered / total if total else 1.0), tuple(missing)


_Checked = tuple[int, int, tuple[tuple[int, str], ...]]
"""How many letters a page has, how many are lost, and which words, by line."""


def _check_page(source: str, held: str, *, superfences: bool) -> _Checked:
    """Check a page; where it is doubtful what is code, only what is lost either way is lost."""
    total, missing, gaps = _read_page(source, held, superfences=False)
    if not gaps or not superfences:
        return total, missing, gaps
    others = {line for line, _ in _read_page(source, held, superfences=True)[2]}
    kept = tuple(gap for gap in gaps if gap[0] in others)
    return total, sum(len(words.replace(" ", "")) for _, words in kept), kept


def _read_page(source: str, held: str, *, superfences: bool) -> _Checked:
    stock = _Stock(held)
    total = missing = 0
    gaps: list[tuple[int, str]] = []
    for line, words in _lines(source, stock, superfences=superfences):
        lost = stock.lost(words)
        total += sum(map(len, words))
        missing += sum(map(len, lost))
        if lost:
            gaps.append((line, " ".join(lost)))
    return total + stock.verbatim, missing, tuple(gaps)


class _Stock:
    """What a page's cards hold; lines come in reading order, so each is looked for behind the last."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._words = ""
        self._word_place = 0
        self.verbatim = 0
        """Letters of the lines that stand in the cards as they are."""

    def holds(self, line: str) -> bool:
        """Whether a line stands in the cards as it is written."""
        place = self._text.find(line, self._place, self._place + _NEAR)
        if place < 0:
            return False
        self._place = place
        self.verbatim += len(line)
        return True

    def lost(self, words: Sequence[str]) -> list[str]:
        """Words of a line that the cards do not hold."""
        if not self._words:
            self._words = " ".join(_WORD.findall(self._text)).casefold()
        line = " ".join(words).casefold()
        place = self._words.find(line, self._word_place, self._word_place + _NEAR)
        if place >= 0:
            self._word_place = place
            return []
        return [word for word in words if word.casefold() not in self._words]


def _lines(source: str, stock: _Stock, *, superfences: bool) -> Iterator[tuple[int, list[str]]]:
    """The words a reader sees, line by line, but for lines that stand in the cards as they are."""
    if "<!--" in source:
        source = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source)
    lines = source.removeprefix("\ufeff").split("\n")
    start = _front_matter(lines)
    fence, directives = "", list[str]()
    held: list[tuple[int, str]] = []
    for number, line in enumerate(lines[start:], start + 1):
        bare = line.strip()
        if not bare:
            continue
        found = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if fence:
            bare = bare.lstrip("> \t")
            if bare == fence or (bare.startswith(fence) and not bare.strip(fence[0]) and not superfences):
                fence = ""
            elif bare and not stock.holds(bare) and (words := _WORD.findall(line)):
                yield number, words
            continue
        if found is None or (found[1][0] == "`" and "`" in found[2]) or (superfences and not _HEADER.fullmatch(found[2])):
            if not stock.holds(bare.lstrip("#> ")) and not _SKIPPED_LINE.match(line):
                held.append((number, line))
            continue
        yield from _words(held)
        held = []
        if directives and not found[2].strip() and len(found[1]) >= len(directives[-1]):
            directives.pop()
        elif _DIRECTIVE.match(found[2].strip()):
            directives.append(found[1])
        else:
            fence = found[1]
    yield from _words(held)


def _words(held: Sequence[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """The words of lines outside code; what spans lines is taken away first."""
    if not held:
        return
    text = "\n".join(line for _, line in held)
    if "<" in text or "[" in text or "{" in text or "&" in text:
        for name in dict.fromkeys(name.lower() for name in _HIDDEN_START.findall(text)):
            text = re.sub(rf"<{name}\b.*?</{name}\s*>", _blank, text, flags=re.DOTALL | re.IGNORECASE)
        text = _DROPPED.sub(_blank, text)
    for (number, _), line in zip(held, text.split("\n"), strict=True):
        words = _WORD.findall(line)
        if words and not _OPTION.match(line):
            yield number, words


def _blank(found: re.Match[str]) -> str:
    """Code stays; anything else leaves its line ends."""
    if found.re is _DROPPED and found["code"]:
        return found[0]
    return " " + "\n" * found[0].count("\n")


def _front_matter(lines: Sequence[str]) -> int:
    if lines and lines[0].rstrip() in ("---", "+++"):
        for number, line in enumerate(lines[1:], 1):
            if line.rstrip() in (lines[0].rstrip(), "..."):
                return number + 1
    return 0


def _cells(source: str) -> str:
    """The cells of a notebook, code in fences."""
    try:
        cells = json.loads(source)["cells"]
        shown = (("".join(cell["source"]), cell["cell_type"] == "markdown") for cell in cells)
        return "\n\n".join(text if markdown else f"```\n{text}\n```" for text, markdown in shown)
    except (ValueError, KeyError, TypeError):
        return ""
