"""Extensions of Python-Markdown and PyMdown: a page's Markdown reads as the page that these very extensions make of it."""

from __future__ import annotations

from typing import Any

import pytest
from markdown import Markdown

from askbook.builder.blocks import Page, Text, UnitStart
from askbook.builder.chunkers import html, markdown
from askbook.builder.mkdocs_config import dialect_of

B = "pymdownx.blocks."
CARET, TILDE, FANCY, SMARTY = "pymdownx.caret", "pymdownx.tilde", "pymdownx.fancylists", "smarty"
OWN_SIGNS = {"ndash": "&#8211;&thinsp;", "left-double-quote": "&bdquo;", "right-single-quote": "'", "mdash": "@", "ellipsis": "…"}
CASES: dict[str, tuple[dict[str, dict[str, Any]], str]] = {
    "links of a wiki": ({"wikilinks": {}}, "See [[Page Name]], [[a_b]], [[ x ]], `[[c]]` and [[no:colon]].\n\n[[Alone]]"),
    "no wiki": ({"tables": {}}, "See [[Page Name]]."),
    "own quotes and dashes": ({SMARTY: {"substitutions": OWN_SIGNS}}, "\"Hi\" -- she said... 'x' --- it's “typed” –"),
    "angled quotes": ({SMARTY: {"smart_angled_quotes": True}}, 'He said <<hi>> and "q", `<<a>>`.'),
    "blanks in what is raised": ({CARET: {"no_space": False}}, "a^b c^ and a^2^ ^^put in^^ and x ^ y"),
    "blanks in what is lowered": ({TILDE: {"no_space": False}}, "x~y z~ and H~2~O ~~gone by~~"),
    "no blanks": ({CARET: {}, TILDE: {}}, "a^b c^ and x~y z~ and H~2~O"),
    "lists of letters": ({FANCY: {}}, "a. one\nb. two\n\ntext\n\ni) one\nii) two\n\nB.  up\nC.  up\n\nno A. B"),
    "lists of other kinds": ({FANCY: {}}, "3) three\n4) four\n\n1. one\n2. two\n\n    c. in\n    d. in\n\ntext\n\ntext\na. none"),
    "Roman lists": ({FANCY: {"additional_ordered_styles": ["roman"]}}, "iv. four\nv. five\n\ntext\n\nXII) twelve\n\na. none"),
    "lists with signs": ({FANCY: {}, "pymdownx.saneheaders": {}}, "#. one\n#. two"),
    "a list that begins late": ({FANCY: {}}, "/// fancylists | start=2 type=a\n1. x\n2. y\n///\n\nafter"),
    "admonitions": (
        {f"{B}admonition": {}},
        "/// admonition | Title\n    type: warning\n\nText\n///\n\n/// note\nText\n///\n\n/// admonition\nText\n///\n\nafter",
    ),
    "an admonition with an id": ({f"{B}admonition": {}}, '/// note | T\n    attrs: {id: "own", class: x}\n\nText\n///\n\nafter'),
    "own admonitions": ({f"{B}admonition": {"types": ["bug"]}}, "/// bug | T\nText\n///\n\n/// foo | T\nText\n///\nafter"),
    "blocks in blocks": (
        {f"{B}admonition": {}, f"{B}details": {}},
        "//// note | Title\n/// details | Folded\n    open: True\n\nText\n///\nMore\n////\n\nafter",
    ),
    "tabs": ({f"{B}tab": {}}, "/// tab | One\nA\n///\n\n/// tab | Two\nB\n///\n\nafter"),
    "captions": (
        {f"{B}caption": {}},
        "![x](a.png)\n/// caption\nThe caption.\n///\n\nText\n\n/// figure-caption\nFirst\n///\n\nA\n\n"
        "/// table-caption\nRows\n///\n\n"
        "B\n\n/// figure-caption | #own\nSecond\n///\n\nC\n\n/// figure-caption | 7\nSeventh\n///\n\nD\n\n"
        "/// figure-caption | ^1\nBelow\n///\n\nE\n\n/// figure-caption\n///\n\nafter",
    ),
    "captions without numbers": ({f"{B}caption": {"auto": False}}, "A\n\n/// figure-caption\nWords\n///\n\nafter"),
    "own captions": (
        {f"{B}caption": {"types": [{"name": "plate", "prefix": "Plate {}:"}]}},
        "A\n\n/// plate\nWords\n///\n\nafter",
    ),
    "elements": ({f"{B}html": {}}, "/// html | div.cls#id\nSome *text*\n///\n\n/// html | p\ninline\n///\n\nafter"),
    "elements without Markdown": (
        {f"{B}html": {}},
        "/// html | pre\nraw *x* <b>\n///\n\n/// html | div\n    markdown: raw\n\n<b>raw</b> *x*\n///\n\n"
        "/// html | style\na {}\n///\n\nafter",
    ),
    "callouts": ({"pymdownx.quotes": {"callouts": True}}, "> [!NOTE]\n> Text\n\n> [!tip] Title\n> more\n\nafter"),
    "no callouts": ({"pymdownx.quotes": {}}, "> [!NOTE]\n> Text\n\nafter"),
    "bars": ({"pymdownx.progressbar": {}}, '[=85% "85%"]\n\n[== 1/2 "Half"]\n\n[=5%]\n\nafter'),
    "spans": ({"pymdownx.bracketspan": {}, "attr_list": {}}, "a [text]{.cls} and [x *y*]{#id} and [no] {x}"),
    "escapes": ({"pymdownx.escapeall": {}}, 'a \\@ \\" \\; b'),
}


def shown(page: Page) -> list[object]:
    """Texts, and of units what a reader sees of them."""
    return [
        block.text if isinstance(block, Text) else (block.name, block.title, block.anchor)
        for block in page.blocks
        if isinstance(block, Text | UnitStart)
    ]


@pytest.mark.parametrize("case", CASES)
def test_a_page_reads_as_it_is_shown(case: str) -> None:
    extensions, source = CASES[case]
    told = {name: settings for name, settings in extensions.items() if settings}
    page = Markdown(extensions=list(extensions), extension_configs=told).convert(source)
    dialect = dialect_of({"markdown_extensions": [{name: settings} for name, settings in extensions.items()]})
    made, problems = markdown.chunk(source, url="x", dialect=dialect)
    assert (shown(made), problems) == (shown(html.chunk(f"<main>{page}</main>", url="x")), ())
