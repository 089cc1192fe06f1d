"""Built HTML of any generator into blocks, and ids for the blocks that have none."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from selectolax.lexbor import LexborHTMLParser, LexborNode

from askbook.builder.blocks import Block, Heading, Page, Text, UnitEnd, UnitStart

from .html_code import code_text, fence, file_name_of, is_code_frame, language_of
from .html_ids import Ids, heading_id, inner_id, own_id, self_link
from .html_inline import BLOCKS, DROPPED, Inline, classes, read_inline
from .html_main import is_noise, main_content, page_language, page_title, spilled
from .html_notes import find_notes
from .html_units import tabs_of, unit_of

_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_LAYOUT = "pre, table, h1, h2, h3, h4, h5, h6, details"
"""What a table's cell holds when the table is there for layout."""


_DEEPEST = 60_000
"""Elements inside each other; a page may be broken, but must be read. Calls of Python functions take no room on the C stack."""


@contextmanager
def _room_for_depth() -> Iterator[None]:
    """Let a page be nested as deeply as its tags say."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 6 * _DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def chunk(html: str, *, url: str, file: str = "") -> Page:
    """Read the main content of a whole built page."""
    page = LexborHTMLParser(html)
    main = main_content(page)
    if main is not None and (source := spilled(html, main)) is not None:
        main = LexborHTMLParser(source).body
    blocks = read_blocks(main) if main is not None else ()
    return Page(url, first_title(blocks) or page_title(page), blocks, file=file, lang=page_language(page))


def read_blocks(main: LexborNode, ids: Ids | None = None) -> tuple[Block, ...]:
    """Read an element's content as blocks; with `ids`, blocks without an address get one there."""
    reader = _Reader(ids)
    with _room_for_depth():
        reader.read(main)
    return tuple(reader.blocks)


def add_ids(content: str, *, main: bool = False) -> tuple[str, tuple[Block, ...]]:
    """Give every block of a piece of HTML an address; return the HTML with the new ids, and its blocks.

    With `main`, `content` is a whole page, and only its main part is read.
    """
    page = LexborHTMLParser(content)
    root = main_content(page) if main else page.body
    if root is None:
        return content, ()
    ids = Ids(content)
    blocks = read_blocks(root, ids)
    written = ids.write(content, page)
    if written is not None:
        return written, blocks
    for node in root.css("*"):
        if node.mem_id in ids.given:
            node.attrs["id"] = ids.given[node.mem_id]
    return (page.html if main else root.inner_html) or content, blocks


def first_title(blocks: tuple[Block, ...]) -> str:
    """The text of the first heading of the highest level."""
    headings = [block for block in blocks if isinstance(block, Heading) and block.text]
    return min(headings, key=lambda heading: heading.level).text if headings else ""


class _Reader:
    """Walks block by block; holds what has been read and the anchors that wait for their block."""

    def __init__(self, ids: Ids | None) -> None:
        self.blocks: list[Block] = []
        self.ids = ids
        self._waiting = ""
        """Id of an empty anchor or an enclosing section that stands right before the next block."""
        self._marker = ""
        """Marker of the list item whose first block comes next."""
        self._skipped: set[int] = set()
        """Elements already read as a unit's caption."""
        self._claimed: set[int] = set()
        """Elements whose id is the address of a block."""
        self._units: set[str] = set()
        """Addresses of units."""
        self._file_name = ""
        """Of the code block that comes next."""
        self._notes: dict[str, LexborNode] = {}
        """Footnotes not yet read."""
        self._in_note = False

    def read(self, main: LexborNode) -> None:
        """Read a page's main part; footnotes nobody refers to come last."""
        self._notes = find_notes(main)
        self._known = frozenset(self._notes)
        self._skipped |= {note.mem_id for note in self._notes.values()}
        self.walk(main)
        self._read_notes(list(self._notes))

    def _read_notes(self, names: list[str]) -> None:
        """Read footnotes in the place where they are referred to first."""
        for name in names:
            note = self._notes.pop(name, None)
            if note is None:
                continue
            marker, self._marker = self._marker, ""
            self._waiting, self._in_note = name, True
            self.walk(note)
            self._waiting, self._in_note, self._marker = "", False, marker

    def _inline(self, nodes: Iterable[LexborNode]) -> Inline:
        skipped = self._skipped
        kept = [node for node in nodes if node.mem_id not in skipped] if skipped else nodes
        return read_inline(kept, self._known, in_note=self._in_note)

    def walk(self, node: LexborNode) -> None:
        """Read what an element holds: runs of inline nodes become a block each."""
        run: list[LexborNode] = []
        for child in node.iter(include_text=True):
            run = self._step(child, run, node)
        self._flush(run, node)

    def _step(self, node: LexborNode, run: list[LexborNode], owner: LexborNode) -> list[LexborNode]:
        """Add an inline node to a run; a block ends the run and is read."""
        if node.is_text_node:
            if run or not (node.text_content or "").isspace():
                run.append(node)
            return run
        if self._is_inline(node):
            run.append(node)
            return run
        self._flush(run, owner)
        if node.is_element_node:
            self._block(node)
        return []

    def _is_inline(self, node: LexborNode) -> bool:
        tag = node.tag or ""
        if tag in BLOCKS or not node.is_element_node or node.mem_id in self._skipped:
            return False
        if tag == "label":
            return "for" not in node.attributes
        if tag in ("code", "br", "img"):
            return True
        return not _holds_block(node)

    def _flush(self, run: list[LexborNode], owner: LexborNode) -> None:
        if not run:
            return
        inline = self._inline(run)
        if text := inline.text:
            self._text(inline, text, owner)
            return
        for node in run:
            if node.tag in ("a", "span") and (name := own_id(node)) not in self._units and name:
                self._waiting = name

    def _text(self, inline: Inline, text: str, element: LexborNode, *, keep: bool = False) -> None:
        atomic = text.startswith("$$") and text.endswith("$$") and text.find("$$", 2) == len(text) - 2
        anchor = self._anchor(element, text)
        opening = "" if self._marker else inline.opening
        self._add(text, anchor=anchor, atomic=atomic, opening=opening, terms=inline.terms, keep=keep)
        self._read_notes(inline.notes)

    def _add(
        self, text: str, *, anchor: str, atomic: bool = False, opening: str = "", terms: Iterable[str] = (), keep: bool = False
    ) -> None:
        terms = tuple(dict.fromkeys(terms))
        self.blocks.append(Text(self._marker + text, anchor, atomic=atomic, opening=opening, terms=terms, keep=keep))
        self._marker = ""

    def _anchor(self, element: LexborNode, text: str) -> str:
        """The address of a block: its element's id, an anchor right before it, or a new id."""
        waiting, self._waiting = self._waiting, ""
        if element.mem_id in self._claimed:
            return waiting
        self._claimed.add(element.mem_id)
        return own_id(element) or waiting or inner_id(element) or (self.ids.give(element, text) if self.ids else "")

    def _block(self, node: LexborNode) -> None:
        attributes, tag = node.attributes, node.tag or ""
        if tag in DROPPED or node.mem_id in self._skipped or is_noise(node, attributes):
            return
        if tag in _HEADINGS:
            self._heading(node, _HEADINGS[tag])
        elif tag == "p":
            self._paragraph(node)
        elif tag == "pre":
            self._code(node)
        elif tag in ("ul", "ol", "menu"):
            self._list(node, attributes)
        elif tag == "table":
            self._table(node)
        elif tag == "dt":
            self._definition(node)
        elif tag == "label":
            self._label(node)
        elif (unit := unit_of(node, attributes)) is not None:
            self._unit(node, unit.name, unit.title, unit.heading)
        elif tag == "div" and (tabs := tabs_of(attributes)) is not None:
            self._tabs(node, *tabs)
        elif (tag == "div" or tag == "span") and (inline := _formula_block(node)) is not None:
            self._text(inline, inline.text, node)
        else:
            self._container(node, attributes)

    def _container(self, node: LexborNode, attributes: dict[str, str | None]) -> None:
        if is_code_frame(attributes) and (shown := file_name_of(node)) is not None:
            self._file_name = read_inline(shown.iter(include_text=True)).text
            self._skipped.add(shown.mem_id)
        name = attributes.get("id")
        if name and node.tag in ("section", "div", "article", "main", "figure", "details", "aside", "header", "a", "span"):
            self._waiting = name
        self.walk(node)

    def _paragraph(self, node: LexborNode) -> None:
        inline = self._inline(node.iter(include_text=True))
        if text := inline.text:
            self._text(inline, text, node)
        elif name := (own_id(node) or inner_id(node)):
            self._waiting = name

    def _heading(self, node: LexborNode, level: int) -> None:
        inline = self._inline(node.iter(include_text=True))
        waiting, self._waiting = self._waiting, ""
        if not inline.text:
            self._waiting = own_id(node) or waiting
            return
        self._marker = ""
        anchor = (
            own_id(node)
            or self_link(node)
            or heading_id(node)
            or waiting
            or (self.ids.give(node, inline.text) if self.ids else "")
        )
        self.blocks.append(Heading(level, inline.text, anchor, terms=tuple(dict.fromkeys(inline.terms))))
        self._read_notes(inline.notes)

    def _code(self, node: LexborNode) -> None:
        text = code_text(node)
        if not text.strip():
            return
        anchor = self._anchor(node, text)
        if self._marker:
            self._marker = self._marker.rstrip() + "\n"
        self._add(fence(text, language_of(node), self._file_name), anchor=anchor, atomic=True)
        self._file_name = ""

    def _list(self, node: LexborNode, attributes: dict[str, str | None]) -> None:
        number = int(start) if (start := attributes.get("start") or "").isdigit() else 1
        self._claim_container(attributes)
        run: list[LexborNode] = []
        for item in node.iter(include_text=True):
            if item.tag != "li":
                run = self._step(item, run, node)
                continue
            self._flush(run, node)
            run = []
            if is_noise(item, item.attributes) or item.mem_id in self._skipped:
                continue
            self._marker = f"{number}. " if node.tag == "ol" else "- "
            number += 1
            if name := own_id(item):
                self._waiting = name
            self.walk(item)
            self._marker = ""
        self._flush(run, node)

    def _claim_container(self, attributes: dict[str, str | None]) -> None:
        if name := attributes.get("id"):
            self._waiting = name

    def _table(self, node: LexborNode) -> None:
        if any(child.css_first(_LAYOUT) is not None for child in node.iter()):
            self._claim_container(node.attributes)
            for part in _parts_of_table(node):
                if part.mem_id not in self._skipped:
                    self.walk(part)
            return
        caption = next((child for child in node.iter() if child.tag == "caption"), None)
        if caption is not None:
            self._flush(list(caption.iter(include_text=True)), caption)
        rows, terms, notes = [], [], []
        for row in node.css("tr"):
            cells = [self._inline(cell.iter(include_text=True)) for cell in row.iter() if not is_noise(cell, cell.attributes)]
            rows.append(" | ".join(cell.text for cell in cells))
            terms += [term for cell in cells for term in cell.terms]
            notes += [note for cell in cells for note in cell.notes]
        text = "\n".join(row for row in rows if row.strip(" |"))
        if text:
            self._add(text, anchor=self._anchor(node, text), atomic=True, terms=terms)
        self._read_notes(notes)

    def _definition(self, node: LexborNode) -> None:
        inline = self._inline(node.iter(include_text=True))
        if text := inline.text:
            inline.terms.insert(0, text)
            self._text(inline, text, node, keep=True)

    def _unit(self, node: LexborNode, name: str, title: str, heading: LexborNode | None) -> None:
        waiting, self._waiting = self._waiting, ""
        anchor = own_id(node) or waiting or inner_id(node)
        if not anchor and heading is not None:
            anchor = own_id(heading) or heading_id(heading)
        if not anchor and self.ids:
            anchor = self.ids.give(node, f"{name} {title} {node.text()[:200]}")
        if heading is not None:
            self._skipped.add(heading.mem_id)
        self._marker = ""
        self._units.add(anchor)
        self._claimed.add(node.mem_id)
        self.blocks.append(UnitStart(name, title, anchor=anchor))
        self.walk(node)
        self._waiting = ""
        self.blocks.append(UnitEnd())

    def _label(self, node: LexborNode) -> None:
        inline = self._inline(node.iter(include_text=True))
        if text := inline.text:
            self._text(inline, text, node, keep=True)

    def _tabs(self, node: LexborNode, above: str, below: str) -> None:
        """Set each tab's label before what the tab holds; `above` and `below` are the classes of what holds them."""
        parts = {name: child for child in node.iter() for name in classes(child)}
        labels = [child for child in parts[above].iter() if child.tag in ("label", "li")] if above in parts else []
        panels = list(parts[below].iter()) if below in parts else []
        if not panels:
            self._container(node, node.attributes)
        for position, panel in enumerate(panels):
            if position < len(labels):
                self._label(labels[position])
            self._container(panel, panel.attributes)


def _holds_block(node: LexborNode) -> bool:
    child = node.child
    while child is not None:
        if child.is_element_node and (child.tag in BLOCKS or _holds_block(child)):
            return True
        child = child.next
    return False


def _formula_block(node: LexborNode) -> Inline | None:
    """A division that is nothing but a formula."""
    if "math" not in (node.attributes.get("class") or "").lower() and "katex" not in (node.attributes.get("class") or ""):
        return None
    inline = read_inline([node])
    return inline if inline.text.startswith("$") else None


def _parts_of_table(node: LexborNode) -> Iterator[LexborNode]:
    """The cells of a layout table, row by row, and its caption; what inner tables hold stays theirs."""
    for child in node.iter():
        if child.tag in ("td", "th", "caption"):
            if not is_noise(child, child.attributes):
                yield child
        elif child.tag in ("thead", "tbody", "tfoot", "tr"):
            yield from _parts_of_table(child)
