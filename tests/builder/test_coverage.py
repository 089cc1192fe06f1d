"""The check that no word of a page is lost, and that it sees a loss."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askbook.builder import coverage
from askbook.builder.blocks import Heading, Text, UnitStart
from askbook.builder.chunkers.html import chunk
from askbook.builder.coverage import Uncovered, bare, check
from askbook.builder.page_runs import page_runs
from askbook.core.schema import Book, Card

PAGE = """<html><body><nav>Menu</nav><main>
<h1 id="a">Limits<a class="headerlink" href="#a">&para;</a></h1>
<p>A limit <span class="arithmatex">\\(x_n\\)</span> is &lt; <code>eps</code>.</p>
<pre><code>if a &lt; b:
    pass</code></pre>
</main></body></html>"""
CARD = Card("limits", "section", "Limits", "p/#a", "A limit $x_n$ is < `eps`.\n\n```\nif a < b:\n    pass\n```")


def book(*cards: Card) -> Book:
    return Book("books", "b", "B", "en", cards)


def test_a_page_whose_text_stands_in_cards_is_covered() -> None:
    assert check([("p/", "p.html", PAGE)], book(CARD)).uncovered == ()


def test_what_is_lost_is_named_with_file_and_line() -> None:
    found = check([("p/", "p.html", PAGE)], book(replace(CARD, text="A limit $x_n$ is < `eps`.")))
    assert found.uncovered == (Uncovered("p.html", 4, "ifa<b:pass"),)
    assert 0.5 < found.share < 1


def test_a_page_without_cards_is_lost_whole() -> None:
    assert check([("q/", "q.html", PAGE)], book(CARD)).share == 0


def test_a_paragraph_that_stands_twice_has_to_be_held_twice() -> None:
    page = "<main><p>Same again.</p><p>Same again.</p></main>"
    one, two = Card("c", "section", "T", "p/", "Same again."), Card("d", "section", "T", "p/#d", "Same again.")
    assert check([("p/", "p", page)], book(one)).covered == len("Sameagain.")
    assert check([("p/", "p", page)], book(one, two)).share == 1


def test_what_a_part_repeats_counts_once() -> None:
    page = "<main><p>First sentence. Second sentence.</p></main>"
    first = Card("c", "section", "T", "p/", "First sentence.")
    second = Card("c~2", "section", "T", "p/", "First sentence.\n\nSecond sentence.", overlap=len("First sentence.\n\n"))
    assert check([("p/", "p", page)], book(first, second)).share == 1


def test_words_that_became_a_title_are_held() -> None:
    page = "<main><p><b>Example 2.1.</b> Take one.</p></main>"
    assert check([("p/", "p", page)], book(Card("e", "example", "Example 2.1.", "p/", "Take one."))).share == 1


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ("<main>a<br>b</main>", ["ab"]),
        ("<main><p>a<p>b</main>", ["a", "b"]),
        ("<main><li>a<li>b</main>", ["a", "b"]),
        ("<main><!-- x --><script>y</script><p>z</p></main>", ["z"]),
        ("<main><p>a<sup><a class='footnote-ref' href='#fn:1'>1</a></sup></p></main>", ["a"]),
        ("<main><pre><span class='linenos'>1</span>a\nb</pre></main>", ["a\nb"]),
        ("<article class='md-content__inner'><p>a</p></article><p>b</p>", ["a"]),
        ("<main><math><mi>x</mi><annotation encoding='application/x-tex'>x</annotation></math></main>", ["x"]),
    ],
)
def test_the_extractor_reads_what_a_reader_sees(page: str, texts: list[str]) -> None:
    assert [run.text for run in page_runs(page)] == texts


@given(
    st.lists(
        st.text(st.characters(categories=["L", "N"], max_codepoint=0x9FFF), min_size=1, max_size=12), min_size=1, max_size=8
    ),
    st.data(),
)
def test_taking_away_any_paragraph_is_noticed(words: list[str], data: st.DataObject) -> None:
    texts = [f"w{position}w{word}" for position, word in enumerate(words)]
    page = "<main>" + "".join(f"<p>{text}</p>" for text in texts) + "</main>"
    lost = data.draw(st.integers(0, len(texts) - 1))
    held = "\n\n".join(text for position, text in enumerate(texts) if position != lost)
    whole = Card("c", "section", "T", "p/", "\n\n".join(texts))
    assert check([("p/", "p", page)], book(whole)).uncovered == ()
    gaps = check([("p/", "p", page)], book(replace(whole, text=held))).uncovered
    assert bool(gaps) == (bare(texts[lost]) not in bare(held))


def test_the_check_shares_no_code_with_the_chunkers() -> None:
    source = Path(coverage.__file__).read_text(encoding="utf-8")
    assert [word for word in ("selectolax", "from .chunkers", "from askbook.builder") if word in source] == []


@pytest.mark.shared
def test_every_word_of_an_html_book_is_read(shared: Path) -> None:
    pages, cards = [], []
    for file in sorted((shared / "books/debian-handbook-zh/html").glob("*.html"))[:25]:
        text = file.read_text(encoding="utf-8")
        read = chunk(text, url=file.name)
        pieces = [
            block.title if isinstance(block, UnitStart) else block.text
            for block in read.blocks
            if isinstance(block, Heading | Text | UnitStart)
        ]
        pages.append((file.name, file.name, text))
        cards.append(Card(file.name, "section", read.title, file.name, "\n\n".join(pieces)))
    assert check(pages, book(*cards)).uncovered == ()


def test_a_page_that_stands_in_its_cards_word_for_word_is_not_read_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "page_runs", lambda *_, **__: pytest.fail("a glance is enough"))
    assert check([("p/", "p.html", PAGE)], book(CARD)).share == 1


def test_what_a_page_hides_is_neither_lost_nor_counted() -> None:
    page = PAGE.replace("</main>", '<p hidden>No reader sees this.</p><p aria-hidden="true">nor that</p></main>')
    seen, hidden = (check([("p/", "p.html", each)], book(CARD)) for each in (PAGE, page))
    assert (hidden.characters, hidden.uncovered) == (seen.characters, ())
