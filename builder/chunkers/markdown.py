"""Markdown of every dialect into blocks: markdown-it for the blocks, `scan.py` before it, `inline.py` after it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from markdown_it.token import Token

from askbook.builder.blocks import Block, Heading, Page, Problem, Text, UnitEnd, UnitStart
from askbook.builder.dialects import AUTO, Dialect
from askbook.builder.frontmatter import FrontMatter, read_front_matter
from askbook.builder.includes import own_lines
from askbook.builder.slugs import Slugger

from .attributes import split_heading, split_paragraph
from .fences import fenced
from .inline import Inline, read_inline
from .pymdown import edited, shown
from .rows import split_row
from .rules import tokens_of
from .scan import Scan, scan
from .scan_marks import MARK, Close, Code, Html, Indented, Label, Mark, Math, Open

_TASK = re.compile(r"\[[ xX]\][ \t\n]+")
_PLACE = re.compile(r"""(?:\[\]\(\)\{:? *#([\w:.-]+) *\}|<a (?:id|name)=["']([\w:.-]+)["'] *>(?:</a>)?)\s*""")
"""A place in the page without a word, to which links lead."""
_ALERT = re.compile(r"^\[!([A-Za-z]+)\][+-]?[ \t]*(.*)(?:\n|$)")
_TAG_TO_SLUG = re.compile(r"</?[a-zA-Z][^<>@ ]*(?: [^<>]*)?>")
_QUARTO_CAPTION = re.compile(
    r"!\[((?:\[[^\[\]]*\]\([^()]*\)|(?!\]\().)+)\]\([^()]*\)(?:\{[^{}]*\})?\s*$|:\s+(.+?)\s*(?:\{[^{}]*\})?\s*$", re.DOTALL
)
"""A picture alone, whose text stands below it, and the caption of a table."""
_CITED = re.compile(r"\[?-?(?<![\w.])@[A-Za-z{]")
_STARTS = re.compile(r"<(?!(?:br|hr|img|input|wbr|col|li|p|td|th|tr|dt|dd)\b)[A-Za-z]", re.IGNORECASE)
"""What opens an element that must be closed."""
_DEEPEST: Final = 3_000
"""So many elements that are never closed are no page anybody reads: their tags go, and their text stays."""
_SLUG_MARKS = re.compile(r"[`$]")


def chunk(source: str, *, url: str, file: str = "", dialect: Dialect = AUTO) -> tuple[Page, tuple[Problem, ...]]:
    """Read a page of Markdown."""
    front = read_front_matter(source, file=file, plain=dialect.raw_html)
    body, numbers = own_lines(front.body)
    if dialect.appended:
        body = f"{body}\n\n{dialect.appended}"
    if "\t" in body and dialect.raw_html:
        body = body.expandtabs(4)  # also in code
    scanned = scan(edited(body, dialect.symbols), dialect, file=file, first_line=front.lines + 1)
    if numbers:
        scanned.renumber(numbers, front.lines + 1)
    walker = _Walker(scanned, dialect)
    blocks = walker.run()
    title = _title(front, blocks, dialect)
    page = Page(url, title, blocks, file=file, terms=front.terms, authors=front.authors, lang=front.lang, order=front.order)
    return page, (*front.problems, *scanned.problems)


def _title(front: FrontMatter, blocks: Sequence[Block], dialect: Dialect) -> str:
    """A page's title; to MkDocs only a heading of the first level is one, and a page without any is called after its file."""
    headings = [block for block in blocks if isinstance(block, Heading)]
    if dialect.name == "mkdocs":
        return next((heading.text for heading in headings if heading.level == 1), front.title)
    return front.title or next((heading.text for heading in headings), "")


def read_blocks(source: str, dialect: Dialect = AUTO) -> tuple[Block, ...]:
    """Read a piece of Markdown that is no page of its own, as a cell of a notebook."""
    return _Walker(scan(edited(source, dialect.symbols), dialect), dialect).run()


@dataclass(slots=True)
class _Item:
    """A list that is open: the marker of its next item."""

    ordered: bool
    number: int


@dataclass(slots=True)
class _Walker:
    """Walks over the tokens of a page and writes its blocks."""

    scanned: Scan
    dialect: Dialect
    blocks: list[Block] = field(default_factory=list)
    slugger: Slugger = field(init=False)
    _inline: Callable[[str], Inline] = read_inline
    """How a run of inline Markdown is read on this page."""
    waiting: str = ""
    """Id of a place without a word right before the next block."""
    lists: list[_Item] = field(default_factory=list)
    marker: str = ""
    """Of the list item whose first block comes next."""
    ends: list[tuple[int, bool]] = field(default_factory=list)
    """Line after the last paragraph or formula, when the next may continue it, and whether it is a formula."""
    notes: dict[str, list[Block]] = field(default_factory=dict)
    asked: list[tuple[int, str]] = field(default_factory=list)
    """Footnotes referred to: after which block, and which."""
    quotes: list[bool] = field(default_factory=list)
    """For each open quotation whether it is a unit."""

    def __post_init__(self) -> None:
        dialect = self.dialect
        self.slugger = Slugger(dialect.slugify, dialect.separator, dashed=dialect.dashed)

    def run(self) -> tuple[Block, ...]:
        env: dict[str, object] = {"marks": self.scanned.marks, "fancy": bool(self.dialect.fancy_lists)}
        tokens = tokens_of(self.scanned.out, self.dialect, env)
        references = env.get("references")
        known = references if isinstance(references, dict) else {}
        dialect, notes = self.dialect, self.scanned.notes
        read: Callable[[str], Inline] = partial(
            read_inline, references=known, notes=notes, strict=dialect.strict, python=dialect.raw_html, smart=dialect.smart,
            scripts=dialect.scripts, escapes=dialect.escapes, marks=dialect.marks,
        )  # fmt: skip
        self._inline = (lambda source: read(shown(source, dialect.symbols))) if dialect.symbols else read
        self._reserve_ids(tokens)
        self._walk(tokens)
        return tuple(self._with_notes())

    def _reserve_ids(self, tokens: Sequence[Token]) -> None:
        """Ids the author gave are taken before any heading gets one, as in Python-Markdown."""
        for index, token in enumerate(tokens):
            if token.type == "heading_open" and (anchor := split_heading(tokens[index + 1].content, self.dialect)[1]):
                self.slugger.reserve(anchor)

    def _line(self, token: Token) -> int:
        return self.scanned.origin[token.map[0]] if token.map else 0

    def _walk(self, tokens: Sequence[Token]) -> None:
        index, count = 0, len(tokens)
        while index < count:
            token = tokens[index]
            match token.type:
                case "paragraph":
                    self._paragraph(token)
                case "heading_open":
                    self._heading(tokens[index + 1], int(token.tag[1]))
                    index += 2
                case "bullet_list_open" | "ordered_list_open":
                    start = token.attrs.get("start", 1)
                    self.lists.append(_Item(token.type.startswith("o"), int(start)))
                case "bullet_list_close" | "ordered_list_close":
                    self.lists.pop()
                case "list_item_open":
                    item = self.lists[-1]
                    self.marker = f"{item.number}. " if item.ordered else "- "
                    item.number += 1
                case "list_item_close":
                    self.marker = ""
                case "code_block":
                    self._code(fenced(token.content.split("\n"), ""), token)
                case "fence":
                    self._code(fenced(token.content.split("\n"), token.info), token)
                case "table":
                    self._table(token)
                case "blockquote_open":
                    self._quote(tokens, index)
                case "blockquote_close":
                    self.ends.clear()
                    if self.quotes.pop():
                        self._add(UnitEnd())
                case "dt_open":
                    self._term(tokens[index + 1])
                    index += 2
                case "mark":
                    self._mark(token.meta["mark"], token)
                case "indented_open":
                    index = self._indented(tokens, index)
                case _:
                    pass
            index += 1

    def _add(self, block: Block) -> None:
        if self.waiting:
            if not isinstance(block, UnitEnd) and not block.anchor:
                block = replace(block, anchor=self.waiting)
            self.waiting = ""
        self.blocks.append(block)
        self.ends.clear()

    def _paragraph(self, token: Token) -> None:
        source, anchor = token.content, ""
        if self.marker and source.startswith("[") and self.dialect.tasks:
            source = _TASK.sub("", source)
        if source.endswith("}") and self.dialect.attributes:
            source, anchor = split_paragraph(source)
        if self.dialect.name == "quarto" and (shown := _QUARTO_CAPTION.match(source)):
            source = shown[1] or shown[2]
        inline = self._inline(source)
        only_tags = inline.text.startswith("<") and not _TAG_TO_SLUG.sub("", inline.text).strip()
        if inline.text and not only_tags:
            self._text(inline, token, anchor=anchor)
        elif place := _PLACE.fullmatch(token.content):
            self.waiting = place[1] or place[2]

    def _text(
        self,
        inline: Inline,
        token: Token,
        *,
        anchor: str = "",
        keep: bool = False,
        terms: Sequence[str] = (),
        formula: bool = False,
    ) -> None:
        span = token.map or [0, 0]
        if self._continues(span[0], formula):
            self._continue(inline)
        else:
            text = inline.text
            atomic = text.startswith("$$") and text.endswith("$$") and text.find("$$", 2) == len(text) - 2
            opening = "" if self.marker else inline.opening
            every = tuple(dict.fromkeys((*terms, *inline.terms))) if terms else inline.terms
            if self.dialect.labels and inline.told is None and (cited := _CITED.search(text)):
                inline.told = cited.start()
            told = None if inline.told is None else len(self.marker) + inline.told
            self._add(Text(self._marked(text), anchor, self._line(token), atomic, opening, every, keep, told))
        if inline.notes:
            self.asked.extend((len(self.blocks), label) for label in inline.notes)
        if not keep:
            self.ends[:] = [(span[1], formula)]

    def _marked(self, text: str) -> str:
        marker, self.marker = self.marker, ""
        return marker + text

    def _continues(self, line: int, formula: bool) -> bool:
        """Whether a formula stands right above, or the text above ends right where this formula begins."""
        if not self.ends or self.marker or not isinstance(self.blocks[-1], Text):
            return False
        end, above = self.ends[0]
        return end == line and (formula or above)

    def _continue(self, inline: Inline) -> None:
        """Set a formula into the paragraph it belongs to, or the paragraph's next part behind a formula."""
        last = self.blocks[-1]
        if isinstance(last, Text):
            terms = tuple(dict.fromkeys((*last.terms, *inline.terms)))
            before = " ".join(last.text.split())
            told = last.told if last.told is not None or inline.told is None else len(before)
            text = f"{before} {' '.join(inline.text.split())}"
            self.blocks[-1] = replace(last, text=text, atomic=False, terms=terms, told=told)

    def _heading(self, token: Token, level: int) -> None:
        source, anchor = split_heading(token.content, self.dialect)
        inline = self._inline(source)
        self.marker = ""
        anchor = anchor or self.slugger(self._slug_text(source, inline.text))
        if not inline.text:
            self.waiting = anchor if self.dialect.raw_html else ""
            return
        if level == 1 and self.dialect.name == "docusaurus":
            anchor = ""  # its theme shows no id there
        self._add(Heading(level, inline.text, anchor, self._line(token), inline.terms))
        self.asked.extend((len(self.blocks), label) for label in inline.notes)

    def _slug_text(self, source: str, text: str) -> str:
        """What the id of a heading is made of; a generator takes `Option<T>` for a tag."""
        if "<" in text and "`" not in source and (self.dialect.strict or "\\<" not in source):
            text = _TAG_TO_SLUG.sub("", text)
        return _SLUG_MARKS.sub("", text)

    def _code(self, text: str, token: Token) -> None:
        if not text.split("\n", 1)[1].strip("`\n"):
            return
        if self.marker:
            text, self.marker = f"{self.marker.rstrip()}\n{text}", ""
        self._add(Text(text, line=self._line(token), atomic=True))

    def _table(self, token: Token) -> None:
        """A table, row by row from its source, with the cells that have no column."""
        rows, terms = list[str](), list[str]()
        for line in token.meta["rows"]:
            cells = [self._inline(cell) for cell in split_row(self.scanned.out[line], bars=self.dialect.raw_html)]
            if any(cell.text for cell in cells):
                rows.append(" | ".join(cell.text for cell in cells))
            terms.extend(term for cell in cells for term in cell.terms)
            self.asked.extend((len(self.blocks) + 1, label) for cell in cells for label in cell.notes)
        if rows:
            text = self._marked("\n".join(rows))
            self._add(Text(text, line=self._line(token), atomic=True, terms=tuple(dict.fromkeys(terms))))

    def _quote(self, tokens: Sequence[Token], index: int) -> None:
        self.ends.clear()
        first = tokens[index + 1] if index + 1 < len(tokens) and tokens[index + 1].type == "paragraph" else None
        alert = _ALERT.match(first.content) if first is not None and self.dialect.alerts else None
        self.quotes.append(alert is not None)
        if alert is not None and first is not None:
            first.content = first.content[alert.end() :]
            title = self._inline(alert[2]).text or alert[1].capitalize()
            self._add(UnitStart(alert[1].lower(), title, line=self._line(tokens[index])))

    def _term(self, token: Token) -> None:
        if token.content == MARK and token.map:
            self._mark(self.scanned.marks[token.map[0]], token)
            return
        source, anchor = split_heading(token.content, self.dialect) if self.dialect.raw_html else (token.content, "")
        inline = self._inline(source)
        self.ends.clear()
        if inline.text:
            self._text(inline, token, anchor=anchor, keep=True, terms=(inline.text,))

    def _mark(self, mark: Mark, token: Token) -> None:
        line = self._line(token)
        match mark:
            case Open():
                self.marker = ""
                self._add(UnitStart(mark.name, self._inline(mark.title).text, mark.number, mark.anchor, line, mark.label))
            case Close():
                self._add(UnitEnd())
            case Code():
                self._code(mark.text, token)
            case Math():
                self._text(Inline(f"$${mark.tex.strip()}$$"), token, formula=True)
            case Html():
                self._html(mark.text, line)
            case Label():
                inline = self._inline(mark.text)
                if inline.text:
                    self._text(inline, token, keep=True)
            case Indented():
                self._text(self._inline(mark.title), token, keep=True)

    def _html(self, source: str, line: int) -> None:
        """Raw HTML is read as the built page would be."""
        for block in html_blocks(source):
            if isinstance(block, Heading):
                self._add(replace(block, line=line))
            elif isinstance(block, Text):
                self._add(replace(block, text=self._marked(block.text), line=line))
            elif isinstance(block, UnitStart):
                self._add(replace(block, line=line))
            else:
                self._add(block)

    def _indented(self, tokens: Sequence[Token], index: int) -> int:
        """A unit, tab or footnote whose content is indented; return the index of its end."""
        end, depth = index + 1, 1
        while depth:
            depth += {"indented_open": 1, "indented_close": -1}.get(tokens[end].type, 0)
            end += 1
        mark: Indented = tokens[index].meta["mark"]
        line, inside = self._line(tokens[index]), tokens[index + 1 : end - 1]
        self.ends.clear()
        if mark.kind == "note":
            outer, self.blocks, asked, self.asked = self.blocks, [], self.asked, []
            self._walk(inside)
            self.notes[mark.name], self.blocks, self.asked = self.blocks, outer, asked
        elif mark.kind == "tab":
            inline = self._inline(mark.title)
            if inline.text:
                self._text(inline, tokens[index], keep=True)
            self._walk(inside)
        else:
            self.marker = ""
            self._add(UnitStart(mark.name, self._inline(mark.title).text, line=line))
            self._walk(inside)
            self._add(UnitEnd())
        self.ends.clear()
        return end - 1

    def _with_notes(self) -> Iterable[Block]:
        """Set each footnote behind the block that refers to it first; the rest comes last."""
        after: dict[int, list[str]] = {}
        for place, label in self.asked:
            after.setdefault(place, []).append(label)
        for place, block in enumerate(self.blocks, 1):
            yield block
            for label in after.get(place, ()):
                yield from self._note(label)
        for label in list(self.notes):
            yield from self._note(label)

    def _note(self, label: str) -> Iterable[Block]:
        anchor = f"fn:{label}" if self.dialect.note_ids else ""
        for number, block in enumerate(self.notes.pop(label, ())):
            yield replace(block, anchor=anchor) if isinstance(block, Text) and not number and not block.anchor else block


def html_blocks(source: str) -> tuple[Block, ...]:
    """Read a piece of raw HTML as blocks."""
    from selectolax.lexbor import LexborHTMLParser

    from .html import read_blocks as read_html

    if source.count("<") > _DEEPEST and len(_STARTS.findall(source)) - source.count("</") > _DEEPEST:
        source = _TAG_TO_SLUG.sub(" ", source)
    body = LexborHTMLParser(source).body
    return read_html(body) if body is not None else ()
