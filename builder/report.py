"""What a build tells its author: numbers of each book, what is not covered, which addresses are dead, what to mend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from askbook.core.schema import Book, Card

from .blocks import Problem

CHAPTER_SHARE: Final = 0.80
"""One chapter that holds more of a book than this is named: its boundaries may be wrong."""
_FEW_CARDS: Final = 20
_SHOWN: Final = 20
"""Places shown of one kind; the JSON has all of them."""


@dataclass(frozen=True, slots=True)
class BookReport:
    """One book's line of the table and object of the JSON."""

    col: str
    book: str
    title: str
    file: str | None
    """The index that was written; None when the earlier one stays."""
    pages: int
    cards: int
    kinds: Mapping[str, int]
    coverage: float
    uncovered: tuple[tuple[str, int, str], ...]
    dead: tuple[tuple[str, str], ...]
    bytes: int
    gzip_bytes: int
    seconds: float
    cached_pages: int
    warnings: tuple[Problem, ...]
    equal_titles: int = 0

    def to_json(self) -> dict[str, Any]:
        """The object of `--json`."""
        return {
            "col": self.col,
            "book": self.book,
            "title": self.title,
            "file": self.file,
            "pages": self.pages,
            "cards": self.cards,
            "kinds": dict(self.kinds),
            "coverage": round(self.coverage, 6),
            "uncovered": [{"file": file, "line": line, "text": text} for file, line, text in self.uncovered],
            "dead": [{"card": card, "url": url} for card, url in self.dead],
            "bytes": self.bytes,
            "gzip_bytes": self.gzip_bytes,
            "seconds": round(self.seconds, 3),
            "cached_pages": self.cached_pages,
            "warnings": [{"file": each.file, "line": each.line, "message": each.message} for each in self.warnings],
        }


def kinds_of(cards: Sequence[Card]) -> dict[str, int]:
    """How many cards of each kind, the most first."""
    counted = Counter(card.kind for card in cards)
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def equal_titles(cards: Sequence[Card]) -> int:
    """How many cards share their title with another, parts of split cards left out."""
    counted = Counter(card.title for card in cards if not (card.parent and card.overlap))
    return sum(count for count in counted.values() if count > 1)


def chapter_warning(book: Book) -> Iterator[Problem]:
    """Name a chapter that holds nearly the whole book."""
    if len(book.cards) < _FEW_CARDS:
        return
    sizes: Counter[int] = Counter()
    for card in book.cards:
        sizes[card.chapter] += len(card.text) - card.overlap
    total, (chapter, largest) = sum(sizes.values()), sizes.most_common(1)[0]
    if total and largest > CHAPTER_SHARE * total and len(book.pages) > 1:
        chapters = [section for section in book.sections if section.level == 0]
        title = chapters[chapter].title if chapter < len(chapters) else ""
        yield Problem("", 0, f"one chapter, {title!r}, holds {largest / total:.0%} of the book: check its navigation")


def table(reports: Sequence[BookReport]) -> str:
    """The summary a person reads."""
    rows = [("book", "pages", "cards", "coverage", "dead", "equal titles", "size", "gzip", "seconds", "cached")]
    for each in reports:
        rows.append(
            (
                f"{each.col}-{each.book}", f"{each.pages:,}", f"{each.cards:,}", f"{each.coverage:.2%}", str(len(each.dead)),
                str(each.equal_titles), _size(each.bytes), _size(each.gzip_bytes), f"{each.seconds:.2f}", str(each.cached_pages),
            )
        )  # fmt: skip
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if not column else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    for each in reports:
        lines.append(f"{each.col}-{each.book}: " + ", ".join(f"{count} {kind}" for kind, count in each.kinds.items()))
        if each.file is None:
            lines.append(f"{each.col}-{each.book}: not written, the earlier index stays")
    return "\n".join(line.rstrip() for line in lines)


def _size(count: int) -> str:
    return f"{count / 1024:,.0f} KB" if count >= 1024 else f"{count} B"


def diagnostics(reports: Sequence[BookReport], problems: Iterable[Problem]) -> Iterator[str]:
    """What to mend, one line each, as compilers write it."""
    for problem in problems:
        yield f"{place(problem)}{'error' if problem.fatal else 'warning'}: {problem.message}"
    for each in reports:
        for file, line, text in each.uncovered[:_SHOWN]:
            yield f"{file}:{line}: warning: not covered by any card: {text[:120]}"
        if len(each.uncovered) > _SHOWN:
            yield f"… and {len(each.uncovered) - _SHOWN} more places not covered"
        for card, url in each.dead[:_SHOWN]:
            yield f"{each.col}-{each.book}: error: card {card!r} leads to {url!r}, which does not exist"
        if len(each.dead) > _SHOWN:
            yield f"… and {len(each.dead) - _SHOWN} more dead addresses"


def place(problem: Problem) -> str:
    """`file:line: `, as far as known."""
    if not problem.file:
        return ""
    return f"{problem.file}:{problem.line}: " if problem.line else f"{problem.file}: "


def workflow_commands(problems: Iterable[Problem]) -> Iterator[str]:
    """Problems as workflow commands of GitHub Actions, shown beside the lines they name."""
    for problem in problems:
        level = "error" if problem.fatal else "warning"
        where = [f"file={_property(problem.file)}"] if problem.file else []
        where += [f"line={problem.line}"] if problem.file and problem.line else []
        yield f"::{level} {','.join(where)}::{_data(problem.message)}" if where else f"::{level}::{_data(problem.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
