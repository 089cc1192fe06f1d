"""Built HTML of every generator into blocks, and the ids it gets where it has none."""

from __future__ import annotations

import json
import re
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askbook.builder.blocks import Block, Heading, Text, UnitEnd
from askbook.builder.cards import cut
from askbook.builder.chunkers.html import add_ids, chunk
from askbook.builder.chunkers.html_ids import PREFIX, fingerprint
from askbook.builder.coverage import check

GOLDEN = Path(__file__).parents[2] / "golden/html"
TAGS = [
    "<p>",
    "</p>",
    "<li>",
    "<ul>",
    "</ul>",
    "<td>",
    "<table>",
    "</table>",
    "a",
    "b",
    "<b>",
    "</div>",
    "<div>",
    "<h2>",
    "x</h2>",
]
ADDED = re.compile(rf' id="{PREFIX}[0-9a-f]{{8}}(?:-\d+)?"')


def shown(block: Block) -> list[Any]:
    """A block as its golden file has it: its kind, then what is not empty."""
    facts = {name: value for name, value in asdict(block).items() if value and name != "line"}
    return [type(block).__name__, facts]


@pytest.mark.parametrize("source", sorted(GOLDEN.glob("*.in.html")), ids=lambda path: path.name.removesuffix(".in.html"))
def test_built_pages_become_blocks(source: Path, update_golden: bool) -> None:
    page = chunk(source.read_text(encoding="utf-8"), url="p/", file=source.name)
    made = json.loads(json.dumps({"title": page.title, "lang": page.lang, "blocks": [shown(block) for block in page.blocks]}))
    golden = source.with_name(source.name.replace(".in.html", ".out.json"))
    if update_golden:
        lines = ",\n".join("  " + json.dumps(block, ensure_ascii=False) for block in made["blocks"])
        head = json.dumps({"title": made["title"], "lang": made["lang"]}, ensure_ascii=False)[:-1]
        golden.write_text(f'{head}, "blocks": [\n{lines}\n]}}\n', encoding="utf-8")
    assert made == json.loads(golden.read_text(encoding="utf-8"))


@pytest.mark.parametrize("source", sorted(GOLDEN.glob("*.in.html")), ids=lambda path: path.name.removesuffix(".in.html"))
def test_ids_are_added_and_nothing_else_is_touched(source: Path) -> None:
    before = source.read_text(encoding="utf-8")
    after, blocks = add_ids(before, main=True)
    assert ADDED.sub("", after) == before
    bare = [block.text for block in blocks if isinstance(block, Heading | Text) and not block.anchor]
    assert bare in ([], ["续"], ["Filename: src/main.rs"]) or source.name == "loose.in.html"
    assert add_ids(after, main=True) == (after, blocks)


def test_equal_paragraphs_have_ids_of_their_own() -> None:
    html, blocks = add_ids("<p>Same.</p><p>Same.</p>")
    name = PREFIX + fingerprint("Same.")
    assert html == f'<p id="{name}">Same.</p><p id="{name}-2">Same.</p>'
    assert blocks == (Text("Same.", name), Text("Same.", f"{name}-2"))


def test_an_id_follows_the_words_not_the_spaces_or_the_markup() -> None:
    assert fingerprint("Closed, bounded.") == fingerprint("Closed  bounded") != fingerprint("Closed bounded sets")


def test_html_out_of_order_still_gets_its_ids() -> None:
    html, blocks = add_ids("<table><p>Outside</p><tr><td>in</td></tr></table>")
    anchors = [block.anchor for block in blocks if not isinstance(block, UnitEnd)]
    assert [f'id="{anchor}"' in html for anchor in anchors] == [True, True]


def test_text_that_stray_end_tags_push_out_of_the_main_part_is_read() -> None:
    page = '<body><div><article class="md-content__inner"><p>One</p></div></div><p>Two</p></article></div></body>'
    assert [block.text for block in chunk(page, url="").blocks if isinstance(block, Text)] == ["One", "Two"]


@pytest.mark.parametrize("html", ["", "<", "<p", "<!--", "<html></html>", "<body><main></main>", "\x00", "<p>&#xd800;</p>"])
def test_pages_without_text_have_no_blocks_that_hold_any(html: str) -> None:
    assert all(isinstance(block, Text) and set(block.text) <= {"<", "�"} for block in chunk(html, url="").blocks)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(TAGS), max_size=20))
def test_whatever_the_tags_every_block_s_id_is_on_the_page(tokens: list[str]) -> None:
    html, blocks = add_ids("".join(tokens))
    assert all(f'id="{block.anchor}"' in html for block in blocks if not isinstance(block, UnitEnd) and block.anchor)
    words = "".join(block.text for block in blocks if isinstance(block, Text | Heading))
    assert words.count("a") == tokens.count("a")


def test_growth_is_linear() -> None:
    """Least of turns of both, so that what else the machine does falls on both or on neither."""

    def seconds(copies: int) -> float:
        page = "<main>" + "<h2>T</h2><p>Some <b>text</b> here.</p><ul><li>a</li></ul>" * copies + "</main>"
        start = time.process_time()
        add_ids(page, main=True)
        return time.process_time() - start

    turns = [(min(seconds(1_000) for _ in range(3)), seconds(8_000)) for _ in range(5)]
    assert min(large for _, large in turns) < 16 * min(small for small, _ in turns)


@pytest.mark.parametrize("tag", ["div", "span", "b", "ul><li", "blockquote", "table><tr><td", "details"])
def test_elements_nested_without_end_are_read(tag: str) -> None:
    page = chunk("<main>" + f"<{tag}>" * 3000 + "text" + "</main>", url="")
    assert "text" in "".join(block.text for block in page.blocks if isinstance(block, Text))


def test_a_code_group_of_vitepress_sets_each_label_before_its_code() -> None:
    page = (
        '<main><div class="vp-doc"><div class="vp-code-group vp-adaptive-theme"><div class="tabs">'
        '<input type="radio" name="g" id="a" checked><label data-title="npm" for="a">npm</label>'
        '<input type="radio" name="g" id="b"><label data-title="pnpm" for="b">pnpm</label></div><div class="blocks">'
        '<div class="language-sh vp-adaptive-theme active"><button title="Copy Code" class="copy"></button><span class="lang">sh'
        '</span><pre class="shiki vp-code"><code><span class="line"><span>npm</span><span> install w</span></span></code></pre>'
        '</div><div class="language-sh vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">sh'
        '</span><pre class="shiki vp-code"><code><span class="line"><span>pnpm</span><span> add waves</span></span></code></pre>'
        "</div></div></div></div></main>"
    )
    texts = [block.text for block in chunk(page, url="x").blocks if isinstance(block, Text)]
    assert texts == ["npm", "```sh\nnpm install w\n```", "pnpm", "```sh\npnpm add waves\n```"]


NOTES = '<aside role="doc-endnote" id="n1"><p>The note.</p></aside>'


@pytest.mark.parametrize(
    ("link", "text"),
    [
        ('<a epub:type="noteref" href="notes.html#n1">1</a>', "The is long."),
        ('<a epub:type="noteref" href="notes.html#n1">photosynthesis cascade</a>', "The photosynthesis cascade is long."),
        ('<a epub:type="noteref" href="notes.html#n1">光合作用</a>', "The 光合作用 is long."),
        ('<a role="doc-noteref" href="notes.html#n1"><sup>[†]</sup></a>', "The is long."),
        ('<a role="doc-noteref" href="#n1">(a)</a>', "The is long.\n\nThe note."),
        ('<a role="doc-noteref" href="#n1">[注 12]</a>', "The is long.\n\nThe note."),
        ('<a role="doc-noteref" href="#n1">xiv</a>', "The is long.\n\nThe note."),
        ('<a role="doc-noteref" href="#n1">very <em>wide</em> one</a>', "The very wide one is long.\n\nThe note."),
    ],
)
def test_a_link_to_a_note_in_words_keeps_its_words(link: str, text: str) -> None:
    page = f"<main><p>The {link} is long.</p>{'' if 'notes.html' in link else NOTES}</main>"
    read = chunk(page, url="a.html")
    assert "\n\n".join(block.text for block in read.blocks if isinstance(block, Text)) == text
    book, _ = cut([read], col="c", book="b", title="T", lang="en")
    coverage = check([("a.html", "a.html", page)], book)
    assert (coverage.uncovered, coverage.characters) == ((), len("".join(text.split())))


def test_lines_of_a_formula_that_stands_alone_are_kept() -> None:
    """A comment in it ends with its line."""
    page = "<main><p>See \\(a\n b\\):</p><div class='arithmatex'>\\[\na % one\n\n  + b\n\\]</div></main>"
    assert [block.text for block in chunk(page, url="x").blocks if isinstance(block, Text)] == [
        "See $a b$:",
        "$$a % one\n  + b$$",
    ]
