"""What drawing a growing answer costs: a 16 KB answer in 4,000 deltas against one drawing of the whole.

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


LIST = "".join(f"- Item {at} with $x_{{{at}}}$ and **bold** words to read [1]\n" for at in range(500))[:SIZE]
CODE = "```python\n" + "for i in range(10):\n    print(i)\n" * 460 + "```\n"
TEXTS = {"formulas, tables, lists": answer("chinese", "mixed"), "one long list": LIST, "one long fence": CODE}


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
            f"{name}: {len(text)} characters, once {once * 1000:.1f} ms,"
            f" growing {sum(times) * 1000:.1f} ms = {sum(times) / once:.1f}x in {len(drawings)} drawings;"
            f" longest {max(drawings) * 1000:.2f} ms, the last drawing {end * 1000:.1f} ms"
        )


if __name__ == "__main__":
    main()
