"""The Markdown of answers: one parser whose rules know the link policy, citation marks and formulas, and no HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.reference import reference
from markdown_it.rules_core import StateCore
from markdown_it.rules_core.text_join import text_join
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token

from .drawing import AnswerRenderer
from .formulas import use_formulas
from .limits import BLOCK_NESTING, INLINE_CHARACTERS, INLINE_DELIMITERS
from .links import Policy
from .marks import DEFINITION, GROUP, RAISED, WIDE, read_group, read_raised
from .parts import Support
from .tables import use_tables
from .tail import pieces, settled_before

_KEPT = 1_000
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TASK = re.compile(r"\[([ xX])\]\s+(?=\S)")
_DELIMITERS = re.compile(r"[\[\]*_~`<!$]")
_CJK = re.compile(r"[\u3000-\u303f\uff00-\uffef\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
_IN_TEXT = re.compile(f"{WIDE.pattern}|{RAISED.pattern}")


@dataclass(slots=True)
class Page:
    """What the rules have to know of the answer they draw."""

    policy: Policy
    source: Callable[[str], str | None]
    """Address an image is loaded from, or None."""
    sources: Collection[int]
    prefix: str
    """Of the ids of source cards: the address of a mark is `#<prefix>-<n>`."""
    support: Sequence[Support] = ()
    """By ordinal of the mark; marks beyond it are unchecked."""
    bare: re.Pattern[str] | None = None
    """Addresses that become links in running text."""
    words: re.Pattern[str] | None = None
    """What is set off in the text."""
    drawn: list[int] = field(default_factory=list)
    """Numbers of the marks drawn so far."""
    kept: dict[str, list[Token]] | None = None
    """Texts read before, where an answer is drawn again and again."""


class _State(StateInline):
    """Lets emphasis open and close beside Chinese, Japanese and Korean letters, which have no spaces around words."""

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803
        scanned = super().scanDelims(start, canSplitWord)
        end = start + scanned.length
        before, after = self.src[start - 1 : start], self.src[end : end + 1] if end < self.posMax else ""
        if self.src[start] == "_" or not (_CJK.match(before) or _CJK.match(after)):
            return scanned
        return Scanned(not (after or " ").isspace(), not (before or " ").isspace(), scanned.length)


class _Inline(ParserInline):
    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


class AnswerParser(MarkdownIt):
    """A parser that leaves every address as it was written, for the link policy to judge."""

    def __init__(self) -> None:
        super().__init__("default", {"html": False, "maxNesting": BLOCK_NESTING}, renderer_cls=AnswerRenderer)
        self.inline = _Inline()

    def validateLink(self, url: str) -> bool:  # noqa: N802
        return True

    def normalizeLink(self, url: str) -> str:  # noqa: N802
        return url

    def normalizeLinkText(self, link: str) -> str:  # noqa: N802
        return link


@cache
def parser() -> AnswerParser:
    """Return the parser of answers, made once."""
    md = AnswerParser()
    md.block.ruler.at("reference", _reference_rule)
    md.inline.ruler.after("link", "mark", _mark_rule)
    md.inline.ruler.before("html_inline", "line_break", _break_rule)
    md.core.ruler.after("block", "tasks", _task_rule)
    md.core.ruler.at("inline", _inline_rule)
    md.core.ruler.disable(["linkify", "replacements", "smartquotes", "text_join"])
    use_formulas(md)
    use_tables(md)
    return md


def blocks(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Part a stream of tokens into its top-level blocks."""
    block: list[Token] = []
    for token in tokens:
        block.append(token)
        if token.level == 0 and token.nesting <= 0:
            yield block
            block = []


def page_of(env: Any) -> Page:
    """Return what `render` put into the environment."""
    page = env["page"]
    assert isinstance(page, Page)
    return page


def _reference_rule(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Never let `[1]: https://…` turn the marks of an answer into links."""
    start = state.bMarks[start_line] + state.tShift[start_line]
    if DEFINITION.match(state.src, start, state.eMarks[start_line]):
        return False
    return reference(state, start_line, end_line, silent)


def _mark_rule(state: StateInline, silent: bool) -> bool:
    """Read `[n]` and its relatives, outside links."""
    if silent or state.linkLevel or state.src[state.pos] != "[":
        return False
    group = GROUP.match(state.src, state.pos, state.posMax)
    marks = read_group(group[1], page_of(state.env).sources) if group else ()
    if not group or not marks:
        return False
    for mark in marks:
        token = state.push("mark" if mark.n else "text", "", 0)
        token.content = mark.text
        token.meta = {"n": mark.n}
    state.pos = group.end()
    return True


def _break_rule(state: StateInline, silent: bool) -> bool:
    """Read `<br>`, which is how models break a line inside a table cell."""
    found = _BREAK.match(state.src, state.pos, state.posMax) if state.src[state.pos] == "<" else None
    if found is None:
        return False
    if not silent:
        state.push("hardbreak", "br", 0)
    state.pos = found.end()
    return True


def _task_rule(state: StateCore) -> None:
    """Note the box of a task-list item, and take it out of its text."""
    for item, _, token in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        box = _TASK.match(token.content) if item.type == "list_item_open" and token.type == "inline" else None
        if box:
            item.attrSet("class", "task")
            token.meta["done"] = box[1] != " "
            token.content = token.content[box.end() :]


def _inline_rule(state: StateCore) -> None:
    """Read the text of every block: Markdown, then what stands in plain text, then the link policy."""
    page = page_of(state.env)
    for token in state.tokens:
        if token.type == "inline":
            children = _read_pieces(token.content, state, page)
            token.children = [Token("task", "", 0, meta=token.meta), *children] if "done" in token.meta else children


def _read_pieces(text: str, state: StateCore, page: Page) -> list[Token]:
    """Return the tokens of a text, piece by piece where that saves time; what would take a parser too long stays as it is."""
    if _is_too_much(text):
        parts = pieces(text)
    elif state.env.get("arriving"):
        over = settled_before(text)
        parts = [part for part in (text[:over], text[over:]) if part]
    else:
        return _read(text, state, page)
    found: list[Token] = []
    for part in parts:
        found += [_text(part, 0)] if _is_too_much(part) else _read(part, state, page)
    return found


def _is_too_much(text: str) -> bool:
    return len(text) > INLINE_CHARACTERS or (len(text) > INLINE_DELIMITERS and len(_DELIMITERS.findall(text)) > INLINE_DELIMITERS)


def _read(text: str, state: StateCore, page: Page) -> list[Token]:
    """Return the tokens of a text; of a growing answer, those made before."""
    if page.kept is not None and text in page.kept:
        return page.kept[text]
    found: list[Token] = []
    state.md.inline.parse(text, state.md, state.env, found)
    holder = Token("inline", "", 0, children=found)
    text_join(StateCore("", state.md, state.env, [holder]))
    children = list(_judged(list(_read_text(holder.children or [], page)), page))
    if page.kept is not None:
        if len(page.kept) >= _KEPT:
            page.kept.clear()
        page.kept[text] = children
    return children


def _read_text(children: list[Token], page: Page) -> Iterator[Token]:
    links = 0
    for at, child in enumerate(children):
        links += child.nesting if child.type in {"link_open", "link_close"} else 0
        if child.type != "text" or links:
            yield child
            continue
        before = children[at - 2].content[-1:] if at > 1 and children[at - 1].nesting == -1 else ""
        pieces: Iterable[Token] = _split(child, _marks_in(before, page)) if page.sources else (child,)
        if page.bare:
            pieces = (piece for part in pieces for piece in _split(part, lambda text: _addresses_in(text, page)))
        if page.words:
            pieces = (piece for part in pieces for piece in _split(part, lambda text: _words_in(text, page)))
        yield from pieces


Found = tuple[int, int, list[Token]]
"""Where something stands in a text, and the tokens it becomes."""


def _split(token: Token, find: Callable[[str], Iterable[Found]]) -> Iterator[Token]:
    """Part a text token at what is found in it."""
    if token.type != "text":
        yield token
        return
    done = 0
    for start, end, tokens in find(token.content):
        yield _text(token.content[done:start], token.level)
        yield from tokens
        done = end
    yield _text(token.content[done:], token.level) if done else token


def _marks_in(before: str, page: Page) -> Callable[[str], Iterator[Found]]:
    """Find marks that are no Markdown; `before` is the character that ends what stands in front of the text."""

    def find(text: str) -> Iterator[Found]:
        for found in _IN_TEXT.finditer(before + text, len(before)):
            marks = read_group(found[1], page.sources) if found[1] else read_raised(found[2], page.sources)
            if marks:
                tokens = [Token("mark" if mark.n else "text", "", 0, content=mark.text, meta={"n": mark.n}) for mark in marks]
                yield found.start() - len(before), found.end() - len(before), tokens

    return find


def _addresses_in(text: str, page: Page) -> Iterator[Found]:
    """Find addresses of the site that stand there bare, as long as the policy knows them."""
    for found in page.bare.finditer(text) if page.bare else ():
        whole = found[0].rstrip(".,;:!?。，；：！？")
        for address in dict.fromkeys((whole, whole[: whole.rfind("/") + 1])):
            link = page.policy(address) if len(address) > 1 else None
            if link is not None and not link.external:
                opening = Token("link_open", "a", 1, attrs={"href": address})
                yield found.start(), found.start() + len(address), [opening, _text(address, 0), Token("link_close", "a", -1)]
                break


def _words_in(text: str, page: Page) -> Iterator[Found]:
    """Find the words to set off."""
    for found in page.words.finditer(text) if page.words else ():
        yield found.start(), found.end(), [Token("emphasised", "", 0, content=found[0])]


def _text(content: str, level: int) -> Token:
    return Token("text", "", 0, content=content, level=level)


def _judged(children: list[Token], page: Page) -> Iterator[Token]:
    """Keep the links and images the policy allows; of the others stay label and alternative text."""
    refused: list[bool] = []
    for child in children:
        if child.type == "link_open":
            link = page.policy(str(child.attrGet("href") or ""))
            refused.append(link is None)
            if link is not None:
                _aim(child, link.href, link.external)
        if child.type in {"link_open", "link_close"} and refused[-1]:
            if child.info == "auto":
                yield _text("<" if child.nesting == 1 else ">", child.level)
        elif child.type == "image":
            yield _image(child, page)
        else:
            yield child
        if child.type == "link_close":
            refused.pop()


def _aim(token: Token, href: str, external: bool) -> None:
    """Write the normal form of an address into a link, and say where it leads."""
    title = token.attrGet("title")
    token.attrs = {"href": href, "title": title} if title else {"href": href}
    if external:
        token.attrs |= {"class": "external", "rel": "noopener noreferrer", "target": "_blank"}


def _image(token: Token, page: Page) -> Token:
    """Return an own image as it is, of any other its alternative text."""
    address = page.source(str(token.attrGet("src") or ""))
    if address is None:
        renderer = cast(RendererHTML, parser().renderer)
        return _text(renderer.renderInlineAsText(token.children or [], parser().options, {}), token.level)
    token.attrs["src"] = address
    token.attrs["loading"] = "lazy"
    return token
