"""Typesetting: a site's own extensions, and they alone, set marks, quotes, dashes and dots, as Python-Markdown does."""

from __future__ import annotations

import re
from html import unescape

import pytest
from markdown import markdown

from askbook.builder.blocks import Text
from askbook.builder.chunkers.markdown import read_blocks
from askbook.builder.mkdocs_config import dialect_of

Settings = dict[str, dict[str, object]]
"""Extensions and what they are told."""
TILDE, CARET, SMARTY = "pymdownx.tilde", "pymdownx.caret", "smarty"
MARK, KEYS, CRITIC, EMOJI = "pymdownx.mark", "pymdownx.keys", "pymdownx.critic", "pymdownx.emoji"
HILITE, SYMBOLS = "pymdownx.inlinehilite", "pymdownx.smartsymbols"
SOURCES = (
    "见第1~5章和第3~8章",
    "cd ~/a~b",
    "a^2^ and H~2~O",
    "H~a b~O and x^a b^",
    "~~gone~~, ^^put in^^ and ==marked==, a == b == c and ~~ ~~",
    "(c) and (tm), +/- 1/2 =/= 11/2, a --> b <-- c, c/o you",
    "{++in++}side {--out--} of it, {==marked==}{>>why<<}",
    "a \\\\ b \\\\* c and <mailto:a@b.c>",
    "10^6 to 10^9, ~3 or ~ 4",
    'an \\"escaped\\" one, it\\\'s "quoted", the end\\"',
    "a\\~b\\~c and a\\^b\\^",
    "\"He said 'hi'\" -- he --- she ---- it... and....",
    "the '80s and it's",
    '("round"), "**bold**" and "a"-"b" — "dash"',
    "'\"nested\" single' and \"'double' nested\"",
    'say "$x$" and "[link](http://a.b)".',
)


def read(source: str, extensions: Settings) -> str:
    dialect = dialect_of({"markdown_extensions": [{name: told} for name, told in extensions.items()]})
    return "\n".join(block.text for block in read_blocks(f"{source}\n", dialect) if isinstance(block, Text))


def shown(source: str, extensions: Settings) -> str:
    page = markdown(source, extensions=list(extensions), extension_configs=extensions)
    return unescape(re.sub("<[^>]+>", "", page))


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    "extensions",
    [
        {},
        {TILDE: {}},
        {CARET: {}},
        {TILDE: {"subscript": False}, CARET: {}},
        {TILDE: {}, CARET: {"superscript": False}},
        {SMARTY: {}},
        {SMARTY: {"smart_quotes": False}},
        {SMARTY: {"smart_dashes": False}},
        {SMARTY: {"smart_ellipses": False}},
        {SMARTY: {"smart_quotes": False, "smart_dashes": False, "smart_ellipses": False}},
        {SMARTY: {}, TILDE: {}, CARET: {}},
        {MARK: {}},
        {MARK: {}, CARET: {"insert": False}},
        {SYMBOLS: {}},
        {SYMBOLS: {}, SMARTY: {}},
        {CRITIC: {"mode": "accept"}},
        {CRITIC: {"mode": "reject"}},
    ],
    ids=str,
)
def test_signs_are_set_as_python_markdown_sets_them(source: str, extensions: Settings) -> None:
    assert read(source, extensions) == " ".join(shown(source, extensions).split())


@pytest.mark.parametrize("mode", ["accept", "reject"])
def test_what_takes_the_place_of_words_is_shown_as_the_extension_shows_it(mode: str) -> None:
    source, extensions = "one of {~~these~>those~~} here", {CRITIC: {"mode": mode}}  # without it, versions differ
    assert read(source, extensions) == " ".join(shown(source, extensions).split())


@pytest.mark.parametrize(
    ("extensions", "source", "text"),
    [
        ({CARET: {}}, "见第1~5章和第3~8章，a^2^", "见第1~5章和第3~8章，a2"),
        ({TILDE: {}}, "a^2^ and H~2~O, ~~no~~", "a^2^ and H2O, no"),
        ({}, "H~2~O, x^2^, ~~no~~, ==set==", "H~2~O, x^2^, ~~no~~, ==set=="),
        ({EMOJI: {}}, ":smile: Up :material-link:{ .lg } to 10:30:45, a:b: `:x:`", "Up to 10:30:45, a:b: `:x:`"),
        ({EMOJI: {}}, "__:x: Goal__ and **done :+1:**", "Goal and done"),
        ({EMOJI: {}}, "(:foo:) key: :word: and 10:30:45, **:bar: b**", "(:foo:) key: :word: and 10:30:45, :bar: b"),
        ({EMOJI: {}}, "All :100: of :simple-python: and :1234:", "All of and"),
        ({HILITE: {}}, "`#!css $page` and ``:::py a`b``, `#!no`", "`$page` and `` a`b ``, `#!no`"),
        (
            {KEYS: {}},
            '++ctrl+alt+del++, ++left-win+"<"++ but C++ and `++f1++`',
            "`Ctrl`+`Alt`+`Del`, `Left Win`+`<` but C++ and `++f1++`",
        ),
        (
            {CRITIC: {}},
            "{++in++} and {--out--}, {~~old~>new~~}{>>why<<}, {==set==}, `{++x++}`",
            "in and out, oldnewwhy, set, `x`",
        ),
        ({CRITIC: {}}, "{>>a *b* <c>_<<} {++open {==*kept*==}", "a *b* <c>_ {++open kept"),
        ({CRITIC: {}}, "a\n\n{--\n\ngone\n\n--}\n\n{++\n\ncome\n\n++}", "a\ngone\ncome"),
        ({CRITIC: {"mode": "accept"}}, "a\n\n{--\n\ngone\n\n--}\n\n{~~b\n~>c~~}\n\n# d\n\ne", "a\nc\ne"),
        ({SMARTY: {"smart_quotes": False}}, '"as typed" -- and...', '"as typed" – and…'),
        ({SMARTY: {}}, '\\"as typed\\" and "set"', '"as typed" and “set”'),
        (
            {SMARTY: {}, TILDE: {}, CARET: {}},
            'He said "H~2~O" and x^2^ -- it\'s `"code" -- x^2^` and $a^2$...',
            'He said “H2O” and x2 – it’s `"code" -- x^2^` and $a^2$…',
        ),
    ],
)
def test_a_site_s_own_typesetting_is_in_the_text(extensions: Settings, source: str, text: str) -> None:
    assert read(source, extensions) == text
