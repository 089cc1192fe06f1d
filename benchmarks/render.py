"""What drawing a growing answer costs: a 16 KB answer in 4,000 deltas against one drawing of the whole; the goal is 3x.

    python benchmarks/render.py

Deltas come 10 ms apart and are drawn as the worker does it, at most once in `DRAW_MILLISECONDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time

from askbook.core.limits import DRAW_MILLISECONDS
from askbook.core.render import AnswerView, render_answer

ANSWERS = Path(__file__).parents[1] / "tests/golden/answers"
SITE = "https://example.org/books/"
SIZE, DELTAS, DELTA_MILLISECONDS = 16_384, 4_000, 10


def answer(*names: str) -> str:
    """16 KB of golden answers, without the lists of sources that would be left out."""
    texts = [(ANSWERS / f"{name}.in.md").read_text("utf-8").split("## Sources")[0].split("参考资料")[0] for name in names]
    text = "\n\n".join(texts) + "\n\n"
    return (text * (SIZE // len(text) + 1))[:SIZE]


def repeated(part: str, before: str = "", after: str = "") -> str:
    """16 KB of one block: a part again and again, numbered."""
    return before + "".join(part.replace("%", str(at)) for at in range(SIZE // len(part) + 1))[:SIZE] + after


TEXTS = {
    "formulas, tables, lists": answer("chinese", "mixed"),
    "paragraphs": repeated("Paragraph % has **bold** and $x_{%}$ and more words [1]. Another sentence here.\n\n"),
    "one list": repeated("- Item % with $x_{%}$ and **bold** words to read [1]\n"),
    "one list of plain words": repeated("- Item % with some words to read, and a few more of them\n"),
    "one list with room": repeated("1. Step % uses `code` and $x_{%}$ here [2]\n\n"),
    "one list in one item": repeated("  - Item % with $x_{%}$ and **bold** words to read [1]\n", "- outer\n"),
    "lists three deep": repeated("- Outer % text\n  - Inner % with **bold** words\n    - Deep % with $x$ words [1]\n"),
    "one table": repeated("| cell % | $x_{%}$ | **bold** words [1] |\n", "| a | b | c |\n|---|---|---|\n"),
    "one table in one item": repeated("  | cell % | **bold** $x_{%}$ [1] |\n", "- item\n\n  | a | b |\n  |---|---|\n"),
    "one fence": repeated("for i in range(%):\n    print(i)\n", "```python\n", "```\n"),
    "one paragraph": repeated("Sentence % has **bold** and $x_{%}$ and more words [1]. "),
    "one paragraph of plain words": repeated("Sentence % has only plain words and some more of them. "),
    "one paragraph of Chinese": repeated("第%句话说明**紧致**空间 $X_{%}$ 的每个开覆盖都有有限子覆盖[1]。"),
    "one quote": repeated("> Line % has **bold** words and $x$ to read.\n"),
    "one list in a quote": repeated("> - Item % has **bold** words and $x$ to read.\n"),
}


def seconds(act: Callable[[], object]) -> float:
    """Processor time of the fastest of five runs."""
    times = []
    for _ in range(5):
        start = process_time()
        act()
        times.append(process_time() - start)
    return min(times)


def grow(text: str) -> list[float]:
    """Draw a text as it arrives; return the processor time of each drawing."""
    view = AnswerView(site=SITE, sources=5)
    piece = -(-len(text) // DELTAS) * (DRAW_MILLISECONDS // DELTA_MILLISECONDS)
    times = []
    for at in range(0, len(text), piece):
        start = process_time()
        view.feed(text[at : at + piece])
        times.append(process_time() - start)
    start = process_time()
    view.finish()
    return [*times, process_time() - start]


def main() -> None:
    for name, text in TEXTS.items():
        once = seconds(lambda text=text: render_answer(text, site=SITE, sources=5))
        times = min((grow(text) for _ in range(5)), key=sum)
        *drawings, end = times
        print(
            f"{name:<30} once {once * 1000:5.1f} ms, growing {sum(times) * 1000:6.1f} ms = {sum(times) / once:.1f}x"
            f" (the last drawing {end * 1000:4.1f} ms), longest {max(drawings) * 1000:.1f} ms"
        )


if __name__ == "__main__":
    main()
