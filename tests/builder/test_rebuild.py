"""Whatever is changed between two builds, the second writes what a build without a cache writes, byte for byte."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from askbook.builder.drafts import CutOptions
from askbook.builder.features import Features
from askbook.builder.run import Order, run, write_outputs

SEEDS = 5
EDITS = 10
"""Of each seed; each is built twice."""

SENTENCES = (
    "A heap keeps the largest of its elements at the root, as Theorem 3.2 says of every Fibonacci heap.",
    "We ask Dijkstra and the Bellman-Ford method; Dijkstra is faster, dijkstra is not.",
    "动态规划把问题分成子问题，并且记住时间复杂度最低的解。",
    "一致收敛 (uniform convergence) 比逐点收敛（pointwise convergence）更强。",
    "哈希表（hash table）的负载因子决定了哈希冲突的次数。",
    "The tree is balanced (平衡树) when $h \\le \\log_2 n + 1$ holds, and `tree.insert_node(x)` keeps it so.",
    "Figure 3.1: The state of the heap.",
    "See Chapter 2, Figure 3.1 and 定理 3.2 for that.",
    "遍历二叉树需要线性时间。遍历图也需要线性时间；遍历链表同样如此。",
    "Naïve cafés, C++ and node.js, ﬁne ½ － Ω, state-of-the-art re-use.",
)
TITLES = (
    "Heaps",
    "Sorting",
    "动态规划",
    "哈希表",
    "Heaps",
    "3.2 Trees",
    "二叉树（binary tree）",
    "Chapter 4 Graphs",
    "Summary",
    "贪心算法",
)
BLOCKS = (
    "```python\ndef push(heap, item):\n    heap.append(item)\n```",
    "$$\n\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}\n$$",
    '!!! note "Mark"\n\n    **最小生成树** and *priority queue* are set off here.',
    '!!! example "Example 3.2"\n\n    Insert 5, then 7.',
    "**Theorem 3.2 (Heaps).** Every heap has a root.",
    "| a | b |\n|---|---|\n| 堆 | heap |",
    "> A quotation of some length, which stands in more than one place of this book to be found twice there.",
)

WORDS = ("时间复杂度", "线性时间", "哈希冲突", "负载因子", "一致收敛", "二叉树", "遍历链表", "动态规划")
"""Some of them overlap in the sentences."""


class Writer:
    """An author who changes a book at random."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.random = root, random.Random(seed)
        self.languages = self.random.choice([("en",), ("zh-Hans",), ("zh-Hans",)])
        self.pages = {f"{name}.md": self.page() for name in ("index", "a", "b", "c/d", "c/e")}
        self.order: list[str] | None = None
        self.title = "A book"
        self.save()

    def page(self) -> list[str]:
        """Blocks of a page."""
        return [f"# {self.title_of()}", *(self.block() for _ in range(self.random.randint(1, 7)))]

    def title_of(self) -> str:
        return self.random.choice(TITLES)

    def block(self) -> str:
        kind = self.random.random()
        if kind < 0.3:
            return f"{'#' * self.random.randint(2, 4)} {self.title_of()}"
        if kind < 0.5:
            return self.random.choice(BLOCKS)
        return " ".join(self.random.choice(SENTENCES) for _ in range(self.random.randint(1, 9)))

    def save(self) -> None:
        """Write what the pages hold now."""
        for file in self.root.rglob("*.md"):
            if file.relative_to(self.root).as_posix() not in self.pages:
                file.unlink()
        for name, blocks in self.pages.items():
            file = self.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
        nav = "" if self.order is None else "nav:\n" + "".join(f"  - {name}\n" for name in self.order if name in self.pages)
        (self.root.parent / "mkdocs.yml").write_text(
            f"site_name: {self.title}\ntheme:\n  language: {self.languages[0].split('-')[0]}\ndocs_dir: docs\n{nav}",
            encoding="utf-8",
        )

    def edit(self) -> str:
        """Change something and say what."""
        change: Callable[[], object] = self.random.choice(
            [self.add, self.add, self.say, self.say, self.remove, self.retitle, self.new_page, self.delete, self.rename,
             self.reorder, self.part, self.rare, self.set_off, self.set_off, self.give_up, self.far_apart, self.nothing,
             self.swap, self.rename_book]
        )  # fmt: skip
        change()
        self.save()
        return change.__name__

    def any(self) -> list[str]:
        return self.pages[self.random.choice(sorted(self.pages))]

    def add(self) -> None:
        blocks = self.any()
        blocks.insert(self.random.randint(1, len(blocks)), self.block())

    def say(self) -> None:
        blocks = self.any()
        blocks[-1] += f"\n\n{self.random.choice(SENTENCES)}"

    def remove(self) -> None:
        blocks = self.any()
        if len(blocks) > 1:
            del blocks[self.random.randrange(1, len(blocks))]

    def retitle(self) -> None:
        self.any()[0] = f"# {self.title_of()}"

    def new_page(self) -> None:
        self.pages[f"{self.random.choice('abcdefgh')}{len(self.pages)}.md"] = self.page()

    def delete(self) -> None:
        if len(self.pages) > 2:
            del self.pages[self.random.choice(sorted(self.pages))]

    def rename(self) -> None:
        name = self.random.choice(sorted(self.pages))
        self.pages[f"z{self.random.randint(0, 99)}.md"] = self.pages.pop(name)

    def reorder(self) -> None:
        names = sorted(self.pages)
        self.random.shuffle(names)
        self.order = names if self.random.random() < 0.8 else None

    def part(self) -> None:
        """Move a page into a chapter of its own, or into that of others."""
        name = self.random.choice(sorted(self.pages))
        self.pages[f"{self.random.choice('cxy')}/{name.rpartition('/')[2]}"] = self.pages.pop(name)

    def set_off(self) -> None:
        """Let words into the lexicon, by which other pages are cut too."""
        words = self.random.sample(WORDS, self.random.randint(1, 3))
        self.any().append(self.random.choice([f"## {words[0]}", " ".join(f"**{word}**" for word in words)]))

    def give_up(self) -> None:
        """Let the words of a page go again."""
        blocks = self.any()
        blocks[1:] = [block for block in blocks[1:] if not block.startswith(("**", "## "))]

    def far_apart(self) -> None:
        """Change the first page and the last."""
        for name in (min(self.pages), max(self.pages)):
            self.pages[name].insert(1, self.block())

    def rare(self) -> None:
        self.any().append(f"**{self.random.choice(('斐波那契堆', '红黑树', '并查集'))}** " * self.random.randint(1, 40))

    def nothing(self) -> None:
        pass

    def swap(self) -> None:
        blocks = self.any()
        rest = blocks[1:]
        self.random.shuffle(rest)
        blocks[1:] = rest

    def rename_book(self) -> None:
        self.title = self.random.choice(["A book", "算法", "Another book"])


def made(order: Order) -> dict[str, Any]:
    """Files and report of a build."""
    outcome = run(order)
    assert outcome.report is not None
    if outcome.part is not None:
        write_outputs(order.out, order.features, [outcome.part], base="")
    report = {key: value for key, value in asdict(outcome.report).items() if key not in ("seconds", "cached_pages", "file")}
    return {"report": report, **{path.name: path.read_bytes() for path in sorted(order.out.iterdir())}}


def differing(one: dict[str, Any], other: dict[str, Any]) -> Sequence[str]:
    """What is not the same in two builds, by name."""
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_rebuild_writes_what_a_first_build_writes(seed: int, tmp_path: Path) -> None:
    writer = Writer(tmp_path / "book" / "docs", seed)
    order = Order(
        tmp_path / "book", "", tmp_path / "out", "books", "x", "", "auto", "", Features(), CutOptions(), cache=tmp_path / "cache"
    )
    changes = ["first"]
    for step in range(EDITS):
        again, fresh = made(order), made(replace(order, out=tmp_path / f"fresh{step}", cache=None))
        assert differing(again, fresh) == [], f"seed {seed}, after {changes}"
        changes.append(writer.edit())
