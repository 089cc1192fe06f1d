"""How much of Markdown sources stands in cards, counted by words, for books that have no built page to compare with.

It shares nothing with the chunkers: no Markdown is parsed, only what surely is no text is taken away.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from askbook.core.schema import Book

from .coverage_marks import without_marks
from .dialects import AUTO, Dialect
from .frontmatter import read_front_matter
from .includes import own_lines
from .index.memory import Memory, key_of

_WORD = re.compile(r"[^\W_]+")
_NAME = r"[A-Za-z][\w:.+-]*"
_DROPPED = re.compile(
    rf"""\{{/\*.{{0,20000}}?\*/\}}
    |(?P<code>(?<!`)(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`))
    |!\[(?:[^\[\]]|\[[^\[\]]*\])*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])?(?:\{{(?:"[^"]*"|[^{{}}"])*\}})?   # a picture
    |(?<=\])\(\s*(?:<[^<>\n]*>|(?:[^()\s]|\([^()]*\))*)(?:\s+"[^"]*"|\s+'[^']*')?\s*\)         # where a link leads
    |(?<=\])\[[^\]\n]*\]|\[\^[^\]\n]+\]:?|(?<=\])\{{[^{{}}\n]*\}}
    |(?<![A-Za-z0-9:]):[a-z0-9_+-]+:(?!:)
    |</?[A-Za-z](?:"[^"]*"|'[^']*'|\{{(?:[^{{}}]|\{{[^{{}}]*\}})*\}}|[^<>"'{{}}]){{0,2000}}>|</?>
    |\{{(?::?\s*[#.-]|docsify-ignore)[^{{}}\n]*\}}|\{{{_NAME}\}}(?=`)|\{{[^{{}}\n]*=[^{{}}\n]*\}}
    |&(?:[A-Za-z]+|\#\w+);""",
    re.VERBOSE | re.DOTALL,
)
_SKIPPED_LINE = re.compile(
    r"""^[\s>]*(?:\[[^\]]+\]:\s*\S+.*|\*\[[^\]]+\]:.*|\[\[?_?(?:TOC|toc)_?\]?\]|\$\$[ ]*\([\w:.+/\ -]+\)
    |:{3,}.*|/{3,}.*|:[\w-]+:.*|\([\w:.+/\ -]+\)=|\[[^\]]+\]:
    |!!!.*|\?\?\?.*|===.*|-{3,}|%.*|\+\+\+.*|\\(?:begin|end|label)\{.*|(?:import|export)\s.*)\s*$""",
    re.VERBOSE,
)
_SHORTCODE = re.compile(r"\{\{\{?<[^{}\n]*>\}?\}\}")
"""What Quarto and Hugo put something in place of, also where a link leads."""
_FENCE = re.compile(r"^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)*(`{3,}|~{3,})(.*)$")
_HEADER = re.compile(r"""\s*[\w#.+-]*(?:\s+[\w-]+(?:=(?:"[^"]*"|'[^']*'))?)*\s*|\s*[\w#.+-]*\s*\{.*\}\s*""")
"""What may follow the backticks: a language and options, or a list of attributes."""
_DIRECTIVE = re.compile(rf"^\{{{_NAME}\}}")
_NOTHING = re.compile(
    r"^\s*(`{3,}|~{3,}|:{3,})\{(?:toctree|tableofcontents|contents|index|bibliography|raw|only|include|highlight)\}"
)
"""A directive whose content no reader sees."""
_OPTIONS = re.compile(rf"^\s*(?:`{{3,}}|~{{3,}}|:{{3,}})\{{{_NAME}\}}")
"""What options in YAML may stand below."""
_MODULE = re.compile(r"^(?:import|export)\s")
_CLOSES = re.compile(r"[)\]}]|`[)\]};,]*\s*$")
_OPTION = re.compile(r"^\s{4,}[\w-]+:\s*\S*\s*$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NEAR = 20_000
"""How far on in the cards a line is looked for."""
_TELLING = 20
"""A shorter line may be found where another one like it stands."""
_MARKS: Final = "*_[]#>`|$\\"
"""What marks text and is none; a letter between two of them is the same letter."""
_LIST_MARKS: Final = "-+* \t"
_HIDDEN_START = re.compile(r"<(style|script|svg|form)\b", re.IGNORECASE)
_SCRIPT_LINE = re.compile(r"\s*<(style|script)\b[^<>]*>\s*$", re.IGNORECASE)
_TARGET = re.compile(r"\s*<[^<>]+>(?=`+$)")
"""Where a role of MyST leads, behind its text."""


def check_sources(
    pages: Iterable[tuple[str, str, str]],
    book: Book,
    memory: Memory | None = None,
    *,
    dialect: Dialect = AUTO,
) -> tuple[float, tuple[tuple[str, int, str], ...]]:
    """Compare pages, given as (address, file, source), with the cards of a book; return the share and what is missing."""
    held: defaultdict[str, list[str]] = defaultdict(list)
    for section in book.sections:
        held[section.url.partition("#")[0]].append(section.title)
    for card in book.cards:
        held[card.url.partition("#")[0]] += (card.title, card.text[card.overlap :])
    known = memory or Memory()
    total = covered = 0
    missing: list[tuple[str, int, str]] = []
    for url, file, source in pages:
        text, numbers = own_lines(_cells(source) if file.endswith(".ipynb") else _below_front_matter(source, dialect))
        stock = "\n".join(held[url])
        modules = file.endswith(".mdx")
        make = partial(_check_page, text, stock, dialect, modules=modules)
        read_as = f"{dialect.superfences} {dialect.tasks} {sorted(dialect.symbols)} {modules}"
        size, lost, gaps = known.recall("coverage", key_of(text, stock, read_as), make)
        total += size
        covered += size - lost
        missing += ((file, numbers[line - 1] + 1 if numbers else line, words) for line, words in gaps)
    return (covered / total if total else 1.0), tuple(missing)


_Checked = tuple[int, int, tuple[tuple[int, str], ...]]
"""How many letters a page has, how many are lost, and which words, by line."""


def _below_front_matter(source: str, dialect: Dialect) -> str:
    """A page with nothing in the lines of its front matter."""
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    if "{{<" in source:
        source = _SHORTCODE.sub("", source)
    front = read_front_matter(source, plain=dialect.raw_html)
    return "\n" * front.lines + front.body


def _check_page(source: str, held: str, dialect: Dialect, *, modules: bool) -> _Checked:
    """Check a page; where it is doubtful what is code, only what is lost either way is lost."""
    total, missing, gaps = _read_page(source, held, replace(dialect, superfences=False), modules=modules)
    if not gaps or not dialect.superfences:
        return total, missing, gaps
    others = {line for line, _ in _read_page(source, held, dialect, modules=modules)[2]}
    kept = tuple(gap for gap in gaps if gap[0] in others)
    return total, sum(len(words.replace(" ", "")) for _, words in kept), kept


def _read_page(source: str, held: str, dialect: Dialect, *, modules: bool) -> _Checked:
    stock = _Stock(held)
    gaps: list[tuple[int, str]] = []
    missing = 0
    for line, text in _lines(source, stock, dialect, modules=modules):
        if lost := stock.lost(text):
            missing += sum(map(len, lost))
            gaps.append((line, " ".join(lost)))
    return stock.letters, missing, tuple(gaps)


class _Reel:
    """A page's cards as one text; lines come in reading order, so each is looked for behind the last."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._place = 0

    def holds(self, line: str) -> bool:
        """Look for a line behind the last one, then before it; what may stand anywhere leads nowhere."""
        here = self._place
        place = self.text.find(line, here, here + _NEAR)
        if place < 0:
            return self.text.find(line, max(here - _NEAR, 0), here) >= 0
        if len(line) > _TELLING or place < here + _TELLING:
            self._place = place
        return True


class _Stock:
    """What a page's cards hold: as it is, without marks and white space, and word by word, each made when it is needed."""

    def __init__(self, text: str) -> None:
        self._written = _Reel(text)
        self._bare: _Reel | None = None
        self._words: _Reel | None = None
        self.letters = 0
        """Of all the lines that have been asked about and have a word."""

    def holds(self, line: str) -> bool:
        """Whether a line stands in the cards as it is written."""
        if not self._written.holds(line):
            return False
        self.letters += len(line)
        return True

    def lost(self, line: str) -> list[str]:
        """Words of a line that the cards do not hold; most lines stand there but for marks and links."""
        bare = _bare(line.lstrip(_LIST_MARKS))
        self._bare = self._bare or _Reel(_bare(self._written.text))
        if self._bare.holds(bare):
            self.letters += len(bare)
            return []
        words = _WORD.findall(line)
        self.letters += sum(map(len, words))
        self._words = self._words or _Reel(" ".join(_WORD.findall(self._written.text)).casefold())
        if self._words.holds(" ".join(words).casefold()):
            return []
        return [word for word in words if word.casefold() not in self._words.text]


def _bare(text: str) -> str:
    text = "".join(text.split())
    for mark in _MARKS:
        text = text.replace(mark, "")
    return text


_Line = tuple[int, str]
"""Its number and its text."""


def _hide(lines: list[str], *, modules: bool) -> None:
    """Empty the lines of directives that leave nothing and, in a page of MDX, those of its imports and exports."""
    end, until, code = "", 0, False
    for place, line in enumerate(lines):
        bare = line.strip()
        if bare == "---" and place and "{" in lines[place - 1] and _OPTIONS.match(lines[place - 1]):
            until = next((end for end in range(place + 1, len(lines)) if lines[end].strip() == "---"), place) + 1
        if place < until:
            lines[place] = ""
        elif end:
            lines[place] = ""
            end = "" if bare.startswith(end) and not bare.strip(end[0]) else end
        elif found := _NOTHING.match(line) if "{" in line else None:
            lines[place], end = "", found[1]
        elif bare.endswith("]:") and bare.startswith("["):
            until = place + 2  # where a link leads stands below its label
        elif found := _SCRIPT_LINE.match(line) if not code and "<s" in line else None:
            ends = f"</{found[1].lower()}"
            until = next((end for end in range(place, len(lines)) if ends in lines[end].lower()), place - 1) + 1
            lines[place] = ""
        elif bare.startswith(("```", "~~~")):
            code = not code
        elif modules and not code and _MODULE.match(line):
            lines[place], until = "", _module_end(lines, place)


def _module_end(lines: Sequence[str], place: int) -> int:
    """The line behind an import or export: its paragraph, and what is indented below it up to a bracket at the margin."""
    while True:
        while place < len(lines) and lines[place].strip():
            place += 1
        end = place
        while place < len(lines) and (not lines[place].strip() or lines[place][0] in " \t"):
            place += 1
        if place == len(lines) or not _CLOSES.match(lines[place]):
            return end


def _lines(source: str, stock: _Stock, dialect: Dialect, *, modules: bool) -> Iterator[_Line]:
    """What a reader sees, line by line, but for lines that stand in the cards as they are."""
    if (end := source.rfind("-->")) > source.find("<!--") >= 0:  # what opens behind the last end is none, and not looked for
        source = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source[: end + 3]) + source[end + 3 :]
    lines, superfences = source.split("\n"), dialect.superfences
    _hide(lines, modules=modules)
    fence, directives = "", list[str]()
    held: list[_Line] = []
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        if not bare:
            continue
        found = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if fence:
            bare = bare.lstrip("> \t")
            if bare == fence or (bare.startswith(fence) and not bare.strip(fence[0]) and not superfences):
                fence = ""
            elif bare and not stock.holds(bare):
                yield number, bare
            continue
        if found is None or (found[1][0] == "`" and "`" in found[2]) or (superfences and not _HEADER.fullmatch(found[2])):
            if not stock.holds(bare.lstrip("#> ")) and not _SKIPPED_LINE.match(line):
                held.append((number, line))
            continue
        yield from _outside(held, dialect)
        held = []
        if directives and not found[2].strip() and len(found[1]) >= len(directives[-1]):
            directives.pop()
        elif _DIRECTIVE.match(found[2].strip()):
            directives.append(found[1])
        else:
            fence = found[1]
    yield from _outside(held, dialect)


def _outside(held: Sequence[_Line], dialect: Dialect) -> Iterator[_Line]:
    """Lines outside code; what spans lines is taken away first."""
    if not held:
        return
    text = without_marks("\n".join(line for _, line in held), dialect)
    if "<" in text or "[" in text or "{" in text or "&" in text:
        hidden = _HIDDEN_START.findall(text) if "<s" in text or "<f" in text or "<S" in text else ()
        for name in dict.fromkeys(name.lower() for name in hidden):
            text = re.sub(rf"<{name}\b.*?</{name}\s*>", _blank, text, flags=re.DOTALL | re.IGNORECASE)
        text = _DROPPED.sub(_blank, text)
    for (number, _), line in zip(held, text.split("\n"), strict=True):
        if line and not line.isspace() and not (":" in line and _OPTION.match(line)):
            yield number, line


def _blank(found: re.Match[str]) -> str:
    """Code stays; anything else leaves its line ends."""
    if found.re is _DROPPED and found["code"]:
        return _TARGET.sub("", found[0]) if found.string[found.start() - 1 : found.start()] == "}" else found[0]
    return " " + "\n" * found[0].count("\n")


def _cells(source: str) -> str:
    """The cells of a notebook, code in fences."""
    try:
        cells = json.loads(source)["cells"]
        kept = (cell for cell in cells if cell["cell_type"] != "raw")
        shown = (("".join(cell["source"]), cell["cell_type"] == "markdown") for cell in kept)
        return "\n\n".join(text if markdown else f"```\n{text}\n```" for text, markdown in shown)
    except (ValueError, KeyError, TypeError):
        return ""
