"""An answer that grows: in the end what a single drawing shows, and on the way neither flicker nor half markup."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from drawn import SITE, faults, look
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it.common.utils import escapeHtml

from askbook.core.render import AnswerView, Patch, render_answer

GOLDEN = Path(__file__).parents[1] / "golden"
ANSWERS = {path.name.removesuffix(".in.md"): path.read_text("utf-8") for path in sorted((GOLDEN / "answers").glob("*.in.md"))}
KNOWN = {"python/ch03/"}


class Screen:
    """Does with patches what a page does, on strings."""

    def __init__(self) -> None:
        self.blocks: list[str] = []

    def apply(self, patches: Iterable[Patch]) -> None:
        for patch in patches:
            self.blocks += [""] * (patch.block + 1 - len(self.blocks))
            before = self.blocks[patch.block]
            self.blocks[patch.block] = _with_text(before, patch.text) if patch.text else patch.html

    @property
    def html(self) -> str:
        return "".join(self.blocks)


def _with_text(html: str, text: str) -> str:
    """Add text where the last text of a block ends."""
    end = len(html)
    while html[:end].rstrip("\n").endswith(">") and html.rfind("</", 0, end) >= 0:
        end = html.rfind("</", 0, end)
        end = end if html.startswith("<pre>") else len(html[:end].rstrip("\n"))
    return html[:end] + escapeHtml(text) + html[end:]


def beginnings(text: str, cuts: Iterable[int]) -> Iterable[str]:
    """Draw a text piece by piece; yield what is on the page after each, and at the end."""
    view, screen, done = AnswerView(site=SITE, sources=5, known=KNOWN), Screen(), 0
    for cut in [*sorted({cut for cut in cuts if cut <= len(text)}), len(text)]:
        screen.apply(view.feed(text[done:cut]))
        done = cut
        yield screen.html
    screen.apply(view.finish())
    yield screen.html


def full(text: str) -> str:
    return render_answer(text, site=SITE, sources=5, known=KNOWN)


BITS = st.sampled_from(
    [
        "word ",
        "Some **bold** text. ",
        "A sentence. ",
        "漢字。",
        "一句话，很短。",
        "`code` ",
        "``a`b`` ",
        "$x_1$ ",
        "$5 and $6 ",
        "\\(a_b\\) ",
        "[1] ",
        "[1, 2]",
        "[1-3]",
        "【2】",
        "。¹",
        "[d][d] ",
        "[label](/python/ch03/) ",
        "![alt](/a.png) ",
        "*em* ",
        "**",
        "*",
        "_",
        "~~gone~~ ",
        "[",
        "]",
        "(",
        ")",
        "`",
        "$",
        "$$",
        "\\",
        "<",
        ">",
        "&amp; ",
        "|",
        " | ",
        "\n",
        "\n",
        "\n\n",
        "\n\n",
        "\n- item ",
        "\n- [ ] task ",
        "\n  - nested ",
        "\n1. first ",
        "\n2. second ",
        "\n\n- loose ",
        "\n\n  more in item ",
        "\n# Heading ",
        "\n## ",
        "\n> quote ",
        "\n> - q ",
        "\n```py\nx = 1\n",
        "\n```\n",
        "\n~~~\n",
        "\n$$\na\n= b\n$$\n",
        "\n$$\n",
        "\n\\[\nx\n\\]\n",
        "\\begin{align}\n a &= b\n\\end{align}\n",
        "\n| a | b |\n|---|---|\n| c | d |\n",
        "| e | $|f|$ |\n",
        "\n|---|\n",
        "\n---\n",
        "\n===\n",
        "\n***\n",
        "\n[d]: /python/ch03/ 'Title'\n",
        "\n[1]: https://evil.example/\n",
        "\n\n## Sources\n\n",
        "\n1. [A](/python/ch03/)\n",
        "\nSources:\n",
        "\n[1] Title\n",
        "\n    indented ",
        "\t",
        "\r\n",
        "<br>",
        "\\[1\\] ",
        "- ",
        "1",
        ". ",
        "http://a.b ",
        "<https://a.b> ",
    ]
)
DOCUMENTS = st.lists(BITS, max_size=25).map("".join) | st.lists(BITS, min_size=1, max_size=6).map(lambda bits: "".join(bits) * 6)


@given(text=DOCUMENTS, cuts=st.lists(st.integers(0, 400), max_size=30))
@example(text="- a\n- b\n\n- c\n\nend", cuts=list(range(20)))
@example(text="para\n***bold***", cuts=list(range(20)))
@example(text="[d] here\n\nmore\n\n[d]: /python/ch03/\n", cuts=list(range(40)))
@example(text="a\r\n\r\nb\r", cuts=list(range(10)))
def test_in_the_end_the_page_shows_what_one_drawing_shows(text: str, cuts: list[int]) -> None:
    assert list(beginnings(text, cuts))[-1] == full(text)


@given(text=DOCUMENTS)
def test_letter_by_letter_it_comes_to_the_same_and_is_clean_all_the_way(text: str) -> None:
    shown = list(beginnings(text, range(len(text))))
    assert shown[-1] == full(text)
    assert [html for html in shown if faults(html)] == []


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_grows_letter_by_letter_to_its_golden_html_before_it_is_drawn_once_more(name: str) -> None:
    text = ANSWERS[name] + "\n"
    *grown, end = beginnings(text, range(len(text)))
    assert (grown[-1], end) == (full(text), full(text))


@pytest.mark.parametrize("name", ANSWERS)
def test_finished_blocks_are_drawn_once(name: str) -> None:
    """A block that later ones follow is not touched again: the last patch of each block comes before the next but one begins."""
    view, last, first = AnswerView(site=SITE, sources=5, known=KNOWN), {}, {}
    for at, letter in enumerate(ANSWERS[name]):
        for patch in view.feed(letter):
            last[patch.block] = at
            first.setdefault(patch.block, at)
    late = {block for block in last if last[block] > first.get(block + 2, len(ANSWERS[name]))}
    assert late == set()


@pytest.mark.parametrize("name", sorted(ANSWERS.keys() - {"references"}))
def test_what_a_reader_sees_of_a_growing_answer_only_grows(name: str) -> None:
    """Visible text never takes back a letter, apart from a label of sources that turns out to be one."""
    whole = "".join(look(full(ANSWERS[name])).text.split())
    shown = ["".join(look(html).text.split()) for html in beginnings(ANSWERS[name], range(len(ANSWERS[name])))]
    assert [text[-40:] for text in shown if not whole.startswith(text)] == []


def test_two_halves_of_a_letter_are_one_letter() -> None:
    view, screen = AnswerView(site=SITE), Screen()
    for piece in ("a\ud83d", "\ude80b", "\ud800"):
        screen.apply(view.feed(piece))
    screen.apply(view.finish())
    assert screen.html == "<p>a🚀b\ufffd</p>\n"


def test_marks_become_citations_when_their_sources_come() -> None:
    view, screen = AnswerView(site=SITE), Screen()
    screen.apply(view.feed("First [1].\n\n"))
    view.add_sources(1)
    screen.apply(view.feed("Second [1].\n\n"))
    assert look(screen.html).cites == [1, 1]
