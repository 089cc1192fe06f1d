"""Changes of a block: as small as can be, and never in the middle of a tag, an entity, a letter or a formula."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from screen import Screen

from askbook.core.patches import Patch, Place, change

CASES = {
    "an item more": ("<ul>\n<li>a</li>\n</ul>\n", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n", "<ul><li>b</li>\n</ul>\n", (0, 1, 1)),
    "a word more": ("<p>one tw</p>\n", "<p>one two</p>\n", "<p>o</p>\n", (0, 0, 6)),
    "an entity": ("<p>a &lt;</p>\n", "<p>a &lt;b</p>\n", "<p>b</p>\n", (0, 0, 3)),
    "another entity": ("<p>a &lt;</p>\n", "<p>a &gt;</p>\n", "<p>&gt;</p>\n", (0, 0, 2)),
    "beyond the plane": ("<p>𝔸b</p>\n", "<p>𝔸c</p>\n", "<p>c</p>\n", (0, 0, 2)),
    "in a formula": (
        '<p><span class="math inline">x</span></p>\n',
        '<p><span class="math inline">xy</span></p>\n',
        '<p><span class="math inline">xy</span></p>\n',
        (),
    ),
    "a cell": (
        "<table>\n<tbody>\n<tr>\n<td>a</td>\n</tr>\n</tbody>\n</table>\n",
        "<table>\n<tbody>\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n",
        "<table><tbody><tr><td>b</td>\n</tr>\n</tbody>\n</table>\n",
        (0, 0, 0, 1, 1),
    ),
    "from the start": ("<p>a</p>\n", "<h1>a</h1>\n", "<h1>a</h1>\n", ()),
}


@pytest.mark.parametrize("name", CASES)
def test_the_end_of_a_block_is_addressed(name: str) -> None:
    before, after, html, at = CASES[name]
    assert change(before, after, Place()) == (html, at)


PIECES = st.sampled_from(
    ["<p>", "<em>", "<ul>\n<li>", "text", " ", "&lt;", "&amp;", "é", "𝔸", "<br>", '<span class="math inline">x&lt;y</span>', "\n"]
)


def closed(pieces: list[str]) -> str:
    """Close the elements that pieces open, after the last piece."""
    tags = [tag for piece in pieces for tag in ("p", "em", "ul", "li") if f"<{tag}>" in piece]
    return "".join(pieces) + "".join(f"</{tag}>" for tag in reversed(tags))


@given(st.lists(st.tuples(st.lists(PIECES, max_size=8), st.integers(0, 8)), min_size=1, max_size=5))
def test_whatever_the_drawings_are_the_page_comes_to_the_last(steps: list[tuple[list[str], int]]) -> None:
    screen, place, shown, pieces = Screen(), Place(), "", list[str]()
    for more, kept in steps:
        pieces = pieces[:kept] + more
        html = closed(pieces)
        if html != shown:
            end, at = change(shown, html, place) if shown else (html, ())
            screen.apply([Patch(0, end, at=at)])
        shown = html
    assert screen.html == shown
