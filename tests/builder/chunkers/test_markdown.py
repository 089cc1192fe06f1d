"""Markdown into blocks: nothing raises, no word is lost, and single constructs read as they show."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import Markdown

from askbook.builder.blocks import Block, Heading, Text, UnitEnd, UnitStart
from askbook.builder.books import dialect_named
from askbook.builder.cards import cut
from askbook.builder.chunkers.inline import read_inline
from askbook.builder.chunkers.markdown import chunk, read_blocks
from askbook.builder.chunkers.scan_marks import MARK
from askbook.builder.dialects import AUTO, Dialect
from askbook.builder.mkdocs_config import dialect_of, usual_dialect

MKDOCS = dialect_of(
    {
        "markdown_extensions": [
            "admonition",
            "attr_list",
            "def_list",
            "footnotes",
            "md_in_html",
            "pymdownx.details",
            "pymdownx.tabbed",
        ]
    }
)
LINES = [
    "# Head {#id}",
    "## 第 2 节",
    "text *em* **bold** `code`",
    "文字，$a_1$ 与 \\(b\\)。",
    "$$",
    "x < y",
    "```python",
    "```",
    "~~~",
    "- item",
    "1. one",
    "    indented",
    "  two",
    "> quoted",
    '!!! note "T"',
    "??? tip",
    '=== "Tab"',
    "/// tip | T",
    "///",
    ":::{theorem} Name",
    ":::",
    "::: warning",
    "::: pkg.mod",
    "<div>",
    "</div>",
    '<Example title="x">',
    "</Example>",
    "<Note>in</Note>",
    "<details>",
    "<summary>S</summary>",
    "</details>",
    "<!-- note",
    "-->",
    "\\begin{theorem}[X]",
    "\\end{theorem}",
    "\\begin{align}",
    "\\end{align}",
    "\\[",
    "\\]",
    "[^1]",
    "[^1]: foot",
    "[a]: http://x",
    "[a]",
    "| a | b |",
    "|---|---|",
    "===",
    "---",
    "Term",
    ": meaning",
    "{: #x }",
    "*[HTML]: x",
    "import x from 'y'",
    "",
    "",
    "",
    "![alt](p.png)",
    "<table>",
    "<tr><td>cell</td></tr>",
    "</table>",
    "**Theorem 3.2.** A",
    "定理 3.2（名）",
    "Proof. B □",
    "\ue000",
    "a\u2028b",
    "`` ` ``",
    "***",
    "{{ x }}",
    "{/* c */}",
    "      $$",
    "        \\[",
    "      ```",
    "     <table>",
    "     !!! note",
]
sources = st.lists(st.sampled_from(LINES), max_size=30).map("\n".join)


@settings(max_examples=400, deadline=None)
@given(sources, st.sampled_from([AUTO, MKDOCS]))
def test_any_lines_make_cards_with_titles_and_ids_of_their_own(source: str, dialect: Dialect) -> None:
    page, _ = chunk(source, url="a/", dialect=dialect)
    book, _ = cut([page], col="books", book="x", title="X", lang="en")
    depth = 0
    for block in page.blocks:
        depth += isinstance(block, UnitStart) - isinstance(block, UnitEnd)
        assert depth >= 0
    assert depth == 0
    assert len({card.id for card in book.cards}) == len(book.cards)
    assert all(card.title for card in book.cards)
    assert not [card for card in book.cards if MARK in card.text + card.title]


@pytest.mark.parametrize("dialect", [AUTO, MKDOCS])
def test_what_is_indented_deeply_below_a_paragraph_is_not_lost(dialect: Dialect) -> None:
    source = "Text goes on\n      $$\n      x = y\n      $$\nand on.\n\n- item\n        $$\n        a\n        $$\n"
    assert [block.text for block in read_blocks(source, dialect) if isinstance(block, Text)] == [
        "Text goes on $$x = y$$ and on.", "- item $$a$$"
    ]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["alpha", "beta", "图论", "**", "*", "_", "`", "$", "[", "]", "(", ")", "<b>", "<", "&amp;", "\\", "~~", " "]
        ),
        max_size=30,
    )
)
def test_words_survive_any_marks(pieces: list[str]) -> None:
    source = " ".join(pieces)
    text = read_inline(source).text
    kept = [piece for piece in pieces if piece.isalpha()]
    if "(" not in pieces and "<" not in pieces:
        assert [word for word in kept if word not in text] == []


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_can_be_read(source: str) -> None:
    chunk(source, url="a/")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a **bold _x_** c `co*de*` $a_1*b_2$", "a bold x c `co*de*` $a_1*b_2$"),
        ("R$ 12,29/m … R$ 15,83/m and **$1.50**", "R$ 12,29/m … R$ 15,83/m and $1.50"),
        (r"\(\bar{C}_t + Q(m_{a.e.})\)", r"$\bar{C}_t + Q(m_{a.e.})$"),
        (r"\\(a*b*c, \sum_{i=0}\\), \\[ x*y*z{i=0} \\] and \\\(y\\\)", r"$a*b*c, \sum_{i=0}$, $$x*y*z{i=0}$$ and $y$"),
        (r"\\\[a*b*\\\] C:\\*x* \\[a\\](b) \\$x$ \\$$y$$", r"$$a*b*$$ C:\x \a\ \$x$ \\$$y$$"),
        ("a<b and c>d", "a<b and c>d"),
        ("Vec<T> and <kbd>Ctrl</kbd>", "Vec<T> and `Ctrl`"),
        ("[link *t*](http://x (y)) ![alt](p.png){width=3}", "link t"),
        ("snake_case_name, 2*3*4, 2 * 3", "snake_case_name, 234, 2 * 3"),
        ("f(**kwargs) and **args", "f(**kwargs) and **args"),
        (r"样例集$D$\[也叫观测集\]", "样例集$D$[也叫观测集]"),
        ("见 $x=0$$f(x)$。", "见 $x=0$$f(x)$。"),
        ("**“强调”**文字", "“强调”文字"),
        ("{math}`a_1` {term}`Graph <graph>` {numref}`Figure %s <fig>`", "$a_1$ Graph Figure fig"),
        ("`` a ` b `` &lt;T&gt; <BR> x", "`` a ` b `` <T> x"),
        ("a[^1] b<!-- c --> d{/* e */}", "a b d"),
        ("<https://example.org> \\*not em\\*", "https://example.org *not em*"),
        ("[1, 2] a[0] [x](<y z>)", "[1, 2] a[0] x"),
        ("The sign [<code>[</code>](api.md) opens a list.", "The sign `[` opens a list."),
        ("Use <code>list[</code>](api.md)", "Use `list[`](api.md)"),
    ],
)
def test_inline_text_is_what_a_reader_sees(source: str, text: str) -> None:
    assert read_inline(source).text == text


def shapes(source: str, dialect: Dialect = AUTO) -> list[Block]:
    """Blocks without their lines."""

    return [replace(block, line=0) if not isinstance(block, UnitEnd) else block for block in read_blocks(source, dialect)]


def test_a_comment_in_a_fence_in_a_list_is_no_heading() -> None:
    assert shapes("- a\n\n  ```bash\n  # x\n  ```\n\n## after") == [
        Text("- a"),
        Text("```bash\n# x\n```", atomic=True),
        Heading(2, "after", "after"),
    ]


@pytest.mark.parametrize("dialect", [AUTO, usual_dialect()])
def test_a_fence_shown_in_a_list_in_a_fence_does_not_end_it(dialect: Dialect) -> None:
    source = "```markdown\n1. Step\n\n    ```bash\n    run\n    ```\n2. More\n```\n\n## Next\n"
    assert shapes(source, dialect) == [
        Text("````markdown\n1. Step\n\n    ```bash\n    run\n    ```\n2. More\n````", line=0, atomic=True),
        Heading(2, "Next", "next", 0),
    ]


@pytest.mark.parametrize("item", ["- x\n\n  ```\n  a\n", "1. x\n\n    ```\n    a\n"])
def test_a_fence_without_an_end_ends_with_its_item(item: str) -> None:
    assert shapes(f"{item}\nafter\n\n## H\n")[1:] == [
        Text("```\na\n```", line=0, atomic=True),
        Text("after", line=0),
        Heading(2, "H", "h", 0),
    ]


def test_a_tab_keeps_its_label() -> None:
    assert shapes('=== "HTTP"\n\n    ```http\n    GET /\n    ```') == [
        Text("HTTP", keep=True),
        Text("```http\nGET /\n```", atomic=True),
    ]


def test_an_attribute_list_gives_a_paragraph_its_id() -> None:
    assert shapes("Text.\n{: #here }") == [Text("Text.", "here")]


def test_a_formula_between_lines_of_a_paragraph_stays_in_it() -> None:
    assert shapes("The sum\n$$\na\n- b\n$$\nis.\n\n$$\nx\n$$") == [Text("The sum $$a - b$$ is."), Text("$$x$$", atomic=True)]


def test_lines_are_those_of_the_file() -> None:
    page, _ = chunk("---\ntitle: x\n---\n\n# A\n\n<!-- c\n-->\n\ntext\n", url="")
    assert [block.line for block in page.blocks if not isinstance(block, UnitEnd)] == [5, 10]


SUPERFENCES = dialect_of({"markdown_extensions": ["pymdownx.superfences"]})


def test_superfences_take_no_header_they_do_not_know() -> None:
    """The next line of backticks then opens the code, as the built page shows."""
    source = '```rust,ignore\na\n```\n\n## In code\n\n```\n\n## After\n\n```py title="x" hl_lines="1"\nb\n```\n'
    assert shapes(source, SUPERFENCES) == [
        Text("```rust,ignore a"),
        Text("```\n## In code\n```", atomic=True),
        Heading(2, "After", "after"),
        Text('```py title="x"\nb\n```', atomic=True),
    ]


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("py", True),
        ("py linenums='1 2' hl_lines='1-2 4' title='x' title_mode='auto'", True),
        ("{.py tab=x}", True),
        ('py tab="x"', False),
        ("py ignore", False),
        ("hl_lines='1-'", False),
        ("py linenums", False),
    ],
)
@pytest.mark.parametrize("relaxed", [False, True])
def test_options_of_a_superfence_are_those_it_knows(header: str, code: bool, relaxed: bool) -> None:
    superfences = {"pymdownx.superfences": {"relaxed_headers": relaxed}}
    (first, *_) = shapes(f"```{header}\na\n```\n", dialect_of({"markdown_extensions": [superfences]}))
    assert isinstance(first, Text)
    assert first.atomic == (code or relaxed)


def test_with_sane_headers_a_number_sign_wants_a_space() -> None:
    sane = dialect_of({"markdown_extensions": ["pymdownx.saneheaders"]})
    assert shapes("#tag\n\n# Head\n", sane) == [Text("#tag"), Heading(1, "Head", "head")]


def test_a_superfence_ends_with_a_line_like_its_first() -> None:
    source = "```\na\n````\nb\n```\n\n  ```\n  c\n\nd\n"
    assert shapes(source, SUPERFENCES) == [Text("`````\na\n````\nb\n`````", atomic=True), Text("``` c"), Text("d")]


def test_python_markdown_escapes_few_signs() -> None:
    assert [read_inline(r"2 \~12 \* \$", strict=strict).text for strict in (True, False)] == [r"2 \~12 * $", "2 ~12 * $"]


def test_in_python_markdown_two_backslashes_are_one_and_open_no_formula() -> None:
    assert read_inline(r"\\(a\\) \\\(y\)", strict=True, python=True).text == r"\(a\) \\$y$"


def test_only_in_python_markdown_a_label_may_stand_apart_from_its_link() -> None:
    both = [read_inline("See [Alpha]\n[Beta] here.", ("ALPHA", "BETA"), python=python).text for python in (False, True)]
    assert both == ["See Alpha Beta here.", "See Alpha here."]


def test_lists_and_tables_begin_behind_a_blank_line_in_mkdocs() -> None:
    source = "Overfitting:\n1. one\n- two\n\n- a\n- b\n\ntext\na | b\n--|--\nc | d"
    assert shapes(source, SUPERFENCES) == [
        Text("Overfitting: 1. one - two"),
        Text("- a"),
        Text("- b"),
        Text("text a | b --|-- c | d"),
    ]


def test_a_line_of_number_signs_is_nothing() -> None:
    assert shapes("#########\n\n# One #\n", SUPERFENCES) == [Heading(1, "One", "one")]


def test_what_is_set_off_inside_code_is_a_term_and_nothing_behind_it() -> None:
    read = read_inline("<code>impl !Unpin for <em>Some</em></code> is a *name* of a type")
    assert (read.text, read.terms) == ("`impl !Unpin for Some` is a name of a type", ("impl !Unpin for Some", "Some", "name"))


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("- ```py\n  a = 1\n  ```\n- next", ["- `py a = 1`", "- next"]),
        ("- ```py\n  a = 1\n\n  b = 2\n  ```", ["- ```py a = 1", "b = 2 ```"]),
        ("- ~~~\n  b\n  ~~~", ["- ~~~ b ~~~"]),
        ("- a\n\n    ```py\n    x = 1\n    ```", ["- a", "```py\nx = 1\n```"]),
    ],
)
def test_in_mkdocs_a_fence_behind_a_lists_marker_opens_no_block(source: str, texts: list[str]) -> None:
    assert [block.text for block in read_blocks(source, usual_dialect()) if isinstance(block, Text)] == texts


def test_elsewhere_a_fence_behind_a_lists_marker_opens_a_block() -> None:
    assert [block.text for block in read_blocks("- ```py\n  a = 1\n  ```") if isinstance(block, Text)] == ["-\n```py\na = 1\n```"]


@pytest.mark.parametrize(("attribute", "title"), [("", "Sum *mary*"), (' markdown="span"', "Sum mary")])
def test_a_summary_is_raw_unless_it_says_markdown(attribute: str, title: str) -> None:
    source = f"<details markdown>\n<summary{attribute}>Sum *mary*</summary>\n\nInside.\n\n</details>\n"
    assert [block.title for block in read_blocks(source, MKDOCS) if isinstance(block, UnitStart)] == [title]


def test_lines_of_names_and_values_at_the_top_are_front_matter_to_mkdocs() -> None:
    page = "Title: One\nauthor: Ann,\n    Bob\n\nNote: text.\n"
    mkdocs, plain = (chunk(page, url="a/", dialect=dialect)[0] for dialect in (MKDOCS, AUTO))
    assert (mkdocs.title, mkdocs.authors, [block.text for block in mkdocs.blocks if isinstance(block, Text)]) == (
        "One", ("Ann", "Bob"), ["Note: text."],
    )  # fmt: skip
    assert (plain.title, len(plain.blocks)) == ("", 2)


def test_front_matter_of_mkdocs_ends_at_a_line_of_blanks() -> None:
    made, _ = chunk("Title: W\n    \nNote: shown\n", url="a/", dialect=MKDOCS)
    assert (made.title, [block.text for block in made.blocks if isinstance(block, Text)]) == ("W", ["Note: shown"])


def test_a_fence_four_columns_in_is_code_itself_where_no_item_holds_it() -> None:
    code = "    ```rust\n    f()\n    ```"
    pages = (f"Text:\n\n{code}\n", f"- Item\n\n{code}\n", f"!!! note\n    Text\n\n{code}\n")
    shown = [[block.text for block in read_blocks(page) if isinstance(block, Text)][-1] for page in pages]
    assert shown == ["````\n```rust\nf()\n```\n````", "```rust\nf()\n```", "```rust\nf()\n```"]


@pytest.mark.parametrize(
    ("above", "code"),
    [
        ("- Item\nlazy\nlines", "```rust\nf()\n```"),
        ("- Item\n\n    more\nlazy", "```rust\nf()\n```"),
        ("- Item\n# Heading", "````\n```rust\nf()\n```\n````"),
        ("- Item\n\nText\n    - no item\nlazy", "````\n```rust\nf()\n```\n````"),
        ("```\nx\n```\nText", "````\n```rust\nf()\n```\n````"),
    ],
)
def test_a_line_that_goes_on_an_item_s_paragraph_keeps_a_fence_below_in_the_item(above: str, code: str) -> None:
    blocks = read_blocks(f"{above}\n\n    ```rust\n    f()\n    ```\n")
    assert [block.text for block in blocks if isinstance(block, Text)][-1] == code


def test_an_escaped_tag_in_a_heading_is_in_its_id() -> None:
    (heading,) = read_blocks("## The \\<title\\> of `pages`, `<b>` and <i>more</i>", dialect_named("mdbook"))
    (plain,) = read_blocks("## The \\<title\\> of pages", dialect_named("mdbook"))
    assert isinstance(heading, Heading)
    assert isinstance(plain, Heading)
    assert (heading.anchor, plain.anchor) == ("the-title-of-pages-b-and-more", "the-title-of-pages")


@pytest.mark.parametrize(
    ("source", "text", "anchor"),
    [
        ("A {#a} {#b}", "A {#a} {#b}", "a-a-b"),
        ("A {x} b {#c}", "A {x} b {#c}", "a-x-b-c"),
        ("A {#a} {: .b}", "A {#a} {: .b}", "a-a-b"),
        ("Use {{ var }}", "Use {{ var }}", "use-var"),
        ("A {} {#b}", "A {}", "b"),
        ("A{#b} {#c}", "A{#b}", "c"),
        ("A {{#b}", "A", "a"),
        ("A {title='{x}' #b}", "A", "b"),
        ("Set \\{a\\} {#s}", "Set {a}", "s"),
        ("A `x {b` {: #c .d }", "A `x {b`", "c"),
        ("A {#a_b_c .d*}", "A", "a_b_c"),
        ("A {/*b*/}", "A {/b/}", "a-b"),
    ],
)
def test_attributes_of_a_heading_are_those_python_markdown_finds(source: str, text: str, anchor: str) -> None:
    shown = re.sub(r"</?em>", "", re.sub(r"</?code>", "`", Markdown(extensions=["attr_list", "toc"]).convert(f"## {source}")))
    read = [(block.text, block.anchor) for block in read_blocks(f"## {source}", MKDOCS) if isinstance(block, Heading)]
    assert (read, re.findall(r'id="(.*?)".*?>(.*?)</h2>', shown)) == ([(text, anchor)], [(anchor, text)])
