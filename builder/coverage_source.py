"""How much of Markdown sources stands in cards, counted by words, for books that have no built page to compare with.

It shares nothing with the chunkers: no Markdown is parsed, only what surely is no text is taken away line by line.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from askbook.core.schema import Book

_WORD = re.compile(r"[^\W_]+")
_DROPPED = re.compile(
    r"""<!--.*?-->|\{/\*.*?\*/\}
    |!\[[^\]]*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])?(?:\{[^{}]*\})?   # a picture and its alternative text
    |(?<=\])\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*"|\s+'[^']*')?\s*\)             # where a link leads
    |(?<=\])\[[^\]]*\]|\[\^[^\]]+\]:?
    |</?[A-Za-z][^<>]*>|</?>
    |\{:?\s*[#.][^{}]*\}|\{[A-Za-z][\w:.+-]*\}(?=`)|\{[^{}]*=[^{}]*\}
    |&(?:[A-Za-z]+|\#\w+);""",
    re.VERBOSE,
)
_SKIPPED_LINE = re.compile(
    r"""^\s*(?:\[[^\]]+\]:\s+\S+.*|\*\[[^\]]+\]:.*|\[TOC\]|:{3,}.*|/{3,}.*|:[\w-]+:.*|\([\w:.+/\ -]+\)=|\[[^\]]+\]:\s*$
    |!!!.*|\?\?\?.*|===.*|-{3,}|\\(?:begin|end|label)\{.*|import\s.*|export\s.*|<[A-Za-z/!][^>]*|[\w-]+=(?:"[^"]*"|\{.*\})\s*/?>?)\s*$""",
    re.VERBOSE,
)
_FENCE = re.compile(r"^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)*(`{3,}|~{3,})(.*)$")


def check_sources(pages: Iterable[tuple[str, str, str]], book: Book) -> tuple[float, tuple[tuple[str, int, str], ...]]:
    """Compare pages, given as (address, file, source), with the cards of a book; return the share and what is missing."""
    held: defaultdict[str, list[str]] = defaultdict(list)
    for section in book.sections:
        held[section.url.partition("#")[0]].append(section.title)
    for card in book.cards:
        held[card.url.partition("#")[0]] += (card.title, card.text[card.overlap :])
    total = covered = 0
    missing: list[tuple[str, int, str]] = []
    for url, file, source in pages:
        stock = " ".join(_WORD.findall("\n".join(held[url])))
        if file.endswith(".ipynb"):
            source = _cells(source)
        for line, words, size in _lines(source):
            total += size
            lost = _lost(words, stock)
            covered += size - sum(map(len, lost))
            if lost:
                missing.append((file, line, " ".join(lost)))
    return (covered / total if total else 1.0), tuple(missing)


def _lost(words: Sequence[str], stock: str) -> list[str]:
    """Words of a line that the cards of its page do not hold."""
    if " ".join(words) in stock:
        return []
    return [word for word in words if word not in stock]


def _lines(source: str) -> Iterator[tuple[int, list[str], int]]:
    """The words a reader sees, line by line."""
    fence = ""
    lines = source.removeprefix("\ufeff").split("\n")
    start = _front_matter(lines)
    inside_comment = False
    for number, line in enumerate(lines[start:], start + 1):
        found = _FENCE.match(line)
        if fence:
            bare = line.strip(" \t>")
            if bare.startswith(fence) and not bare.strip(fence[0]):
                fence = ""
                continue
        elif found is not None and not (found[1][0] == "`" and "`" in found[2]):
            fence = found[1] if not found[2].strip().startswith("{") else ""
            continue
        else:
            if inside_comment or "<!--" in line:
                inside_comment = "-->" not in line.rpartition("<!--")[2] if "<!--" in line else "-->" not in line
                if inside_comment or "<!--" not in line:
                    continue
            if _SKIPPED_LINE.match(line):
                continue
            line = _DROPPED.sub(" ", line) if not line.isalnum() else line
        words = _WORD.findall(line)
        if words:
            yield number, words, sum(map(len, words))


def _front_matter(lines: Sequence[str]) -> int:
    if lines and lines[0].rstrip() in ("---", "+++"):
        for number, line in enumerate(lines[1:], 1):
            if line.rstrip() in (lines[0].rstrip(), "..."):
                return number + 1
    return 0


def _cells(source: str) -> str:
    try:
        cells = json.loads(source)["cells"]
        return "\n\n".join(
            "".join(cell["source"]) if cell["cell_type"] == "markdown" else "```\n" + "".join(cell["source"]) + "\n```"
            for cell in cells
        )
    except (ValueError, KeyError, TypeError):
        return ""
