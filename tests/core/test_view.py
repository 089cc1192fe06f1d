"""An answer that grows: in the end what a single drawing shows, and on the way neither flicker nor half markup."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from time import process_time

import pytest
from drawn import SITE, faults, look
from hypothesis import example, given
from hypothesis import strategies as st
from screen import Screen

from askbook.core.render import AnswerView, render_answer

GOLDEN = Path(__file__).parents[1] / "golden"
ANSWERS = {path.name.removesuffix(".in.md"): path.read_text("utf-8") for path in sorted((GOLDEN / "answers").glob("*.in.md"))}
KNOWN = {"python/ch03/"}


def beginnings(text: str, cuts: Iterable[int]) -> Iterable[str]:
    """Draw a text piece by piece; yield what is on the page after each, and at the end."""
    view, screen, done = AnswerView(site=SITE, sources=5, known=KNOWN), Screen(), 0
    for cut in [*sorted({cut for cut in cuts if cut <= len(text)}), len(text)]:
        screen.apply(view.feed(text[done:cut]))
        done = cut
        yield screen.html
    screen.apply(view.feed(""))
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


def repeated(part: str) -> str:
    """As many of a part as make an answer long."""
    return "".join(part.replace("%", str(at)) for at in range(3_000 // len(part)))


LONG = {
    "list": repeated("- Item % with **bold** words and $x_%$ to read [1]\n"),
    "loose list": repeated("1. Step % with `code` to read [2]\n\n"),
    "list in an item": "- Outer\n" + repeated("  - Item % with **bold** words to read [1]\n"),
    "lists three deep": repeated("- Outer % text\n  - Inner **%** text\n    - Deep $x_%$ text [1]\n"),
    "paragraphs in an item": "1. Outer\n\n" + repeated("   Paragraph % with **bold** words to read [1].\n\n"),
    "table": "| a | b |\n|---|:--|\n" + repeated("| cell % | **bold** $x_%$ [1] |\n"),
    "table in an item": "- Outer\n\n  | a | b |\n  |---|---|\n" + repeated("  | cell % | **bold** [1] |\n"),
    "fence": "```python\n" + repeated("for i in range(%):\n    print(i, `x`)\n\n") + "```\n",
    "fence in an item": "- Outer\n\n  ~~~js\n" + repeated("  const s% = `a ${x}`\n    // more\n") + "  ~~~\n",
    "indented code": repeated("    code line % = `x`\n"),
    "paragraph": repeated("Sentence % has **bold** and $x_%$ and more words [1]. "),
    "paragraph of Chinese": repeated("第%句话说明**紧致**空间 $X_%$ 的每个开覆盖都有有限子覆盖[1]。"),
    "paragraph of lines": repeated("Line % has **bold** words\n"),
    "quote": repeated("> Line % has **bold** words to read.\n"),
    "quoted list": repeated("> - Item % has **bold** words to read.\n"),
    "paragraph in an item": "- " + repeated("Sentence % has **bold** and more words [1]. "),
    "quote in an item": "- > " + repeated("Sentence % has **bold** and more words [1]. "),
    "numbered past nine": "8. eight\n9. nine\n10. ten\n" + repeated("    - under ten % *words*\n"),
    "tasks": repeated("- [x] Task % is **done**\n- [ ] Task % is not\n"),
}


@pytest.mark.parametrize("shape", LONG)
@pytest.mark.parametrize("piece", [7, 41])
def test_one_long_block_grows_by_its_end(shape: str, piece: int) -> None:
    """What is over is neither read nor handed to the page again, and comes out as one drawing would have drawn it."""
    text = LONG[shape]
    view, screen, longest = AnswerView(site=SITE, sources=5), Screen(), 0
    for at in range(0, len(text), piece):
        patches = view.feed(text[at : at + piece])
        longest = max([longest, *(len(patch.html) for patch in patches)])
        screen.apply(patches)
    screen.apply(view.feed(""))
    grown = screen.html
    screen.apply(view.finish())
    whole = render_answer(text, site=SITE, sources=5)
    assert grown.rstrip() == screen.html.rstrip() == whole.rstrip()
    assert screen.letters < 1.6 * len(whole) + 2_000
    assert longest < 0.6 * len(whole)


def test_a_list_that_gets_room_late_gives_it_to_all_its_items() -> None:
    text = "- one **a**\n- two **b**\n- three\n" * 9 + "\n- the last\n"
    assert list(beginnings(text, range(0, len(text), 5)))[-2] == full(text)


def test_a_line_that_turns_out_to_be_a_table_header_becomes_one() -> None:
    text = "Words that go on for long enough to be over, and more of them. " * 4 + "| a |\n|---|---|\n| c | d |\n"
    assert list(beginnings(text, range(0, len(text), 9)))[-2:] == [full(text)] * 2


def test_what_is_not_worth_a_drawing_yet_is_drawn_when_nothing_more_comes() -> None:
    view, screen = AnswerView(site=SITE), Screen()
    for at in range(400):
        screen.apply(view.feed(f"- *item* {at}\n"))
        if view.behind:
            break
    assert view.behind
    screen.apply(view.feed(""))
    assert (view.behind, look(screen.html).text.split()[-1]) == (False, str(at))


@pytest.mark.parametrize("part", ["[", "![", "[^", "[x]["])
def test_thousands_of_brackets_are_read_in_time(part: str) -> None:
    """Each was once read to the end of the text: five seconds for 8 KB."""
    view, begun = AnswerView(site=SITE), process_time()
    for _ in range(0, 8_192, 41):
        view.feed(part * (41 // len(part)))
    assert process_time() - begun < 3


@pytest.mark.parametrize(
    "text", ["它的*倒排记录表*，也就是文档编号。", "这叫*词项*（term），见后文。", "把**词项**“映射”过去", "a *b*, 5*3"]
)
def test_markers_between_letters_of_any_script_are_shown_at_no_length(text: str) -> None:
    shown = [html for html in beginnings(text, range(len(text))) if "*" in html.replace("5*3", "").replace("5*", "")]
    assert shown == []


def test_a_long_paragraph_that_comes_at_once_takes_time_in_proportion_to_its_length() -> None:
    sentence = "A word and **another** one, and $x$ [1]. "

    def seconds(times: int) -> float:
        begun = process_time()
        AnswerView(site="https://example.org/", sources=5).feed(sentence * times)
        return process_time() - begun

    assert min(seconds(1_600) for _ in range(3)) < 8 * min(seconds(400) for _ in range(3))
