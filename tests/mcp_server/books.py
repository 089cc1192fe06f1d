"""Two small books, as the builder makes them."""

from __future__ import annotations

from askbook.core.schema import Book, Card, Section

LONG = "A filter base converges to a point when every neighbourhood of the point holds one of its sets. " * 30


def card(id_: str, title: str, text: str, *, chapter: int, kind: str = "section", number: str = "") -> Card:
    """A card of chapter `chapter`, from 0."""
    url = f"c{chapter + 1}/#{id_.rpartition('/')[2]}"
    return Card(id_, kind, title, url, text, number, (f"Chapter {chapter + 1}",), chapter)


def topology() -> Book:
    """An English book of two chapters."""
    cards = (
        card("1/open-sets", "Open sets", "A set is open when it is a neighbourhood of each of its points.", chapter=0),
        card("1/theorem-1-1", "Theorem 1.1 (Unions)", "Any union of open sets is open.", chapter=0, kind="theorem", number="1.1"),
        card("2/compact", "Compactness", "A space is compact when every open cover has a finite subcover.", chapter=1),
        card("2/theorem-2-1", "Theorem 2.1", "A compact subset of the line is closed.", chapter=1, kind="theorem", number="2.1"),
        card("2/filters", "Filters", LONG, chapter=1),
    )
    sections = (
        Section("Open sets", "c1/", 0, 0, 2, "1"),
        Section("Compactness", "c2/", 0, 2, 5, "2"),
        Section("Filters", "c2/#filters", 1, 4, 5),
    )
    return Book("maths", "topology", "Topology", "en", cards, sections, ("c1/", "c2/"), ("A. Author",))


def analysis() -> Book:
    """A Chinese book of one chapter."""
    cards = (
        card("1/一致收敛", "一致收敛", "函数列 $f_n$ 一致收敛于 $f$，当且仅当上确界趋于零。", chapter=0),
        card("1/theorem-1-1", "定理 1.1", "连续函数列的一致极限是连续函数。", chapter=0, kind="theorem", number="1.1"),
    )
    sections = (Section("一致收敛", "zh1/", 0, 0, 2, "1"),)
    return Book("maths", "analysis", "数学分析", "zh-Hans", cards, sections, ("zh1/",))
