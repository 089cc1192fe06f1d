"""Whatever cards change between two builds, the second makes the files of a first one, byte for byte.

The cards are drawn so that what is kept depends on more than its own card: parts that repeat the end of the part before, parents
that come and go, near-equal cards, Chinese words that are cut by what they cost, terms whose beginning is told by how often they
are written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from askbook.builder.index.memory import Memory
from askbook.builder.index.write import encode
from askbook.core.catalogue import PART
from askbook.core.prose import paragraph_bounds
from askbook.core.schema import Book, Card, Paragraph
from tests.shelves import book

SEEDS = 6
BUILDS = 40
CARDS = 30

SORTS = (("快速", "quick"), ("归并", "merge"))
"""`快速排序算法 (quick sort)`: whether 快速 belongs to the term depends on how often the book writes it so."""
WORDS = (
    "线性时间", "时间复杂度", "最小生成树", "生成树算法", "二叉搜索树", "搜索树节点", "动态规划", "规划问题", "哈希冲突",
    "冲突概率", "时间", "线性", "算法", "节点",
)  # fmt: skip
"""Two and two overlap: 线性时间复杂度 is cut by what they cost."""
RUNS = ("线性时间复杂度", "最小生成树算法", "二叉搜索树节点", "动态规划问题", "哈希冲突概率")
PLAIN = (
    "A heap keeps the largest of its elements at the root, as Theorem 3.2 says of every Fibonacci heap that was ever made.",
    "We ask Dijkstra and the Bellman-Ford method for the shortest way; Dijkstra is faster, dijkstra is not.",
    "Uniform convergence (一致收敛) is stronger than pointwise convergence (逐点收敛).",
    "See Chapter 2, Figure 3.1 and 定理 3.2 for that.",
    "`tree.insert_node(x)` keeps it so when $h \\le \\log_2 n + 1$ holds.",
    "Naïve cafés, C++ and node.js, ﬁne ½ － Ω, state-of-the-art re-use.",
)
TITLES = ("Heaps", "Theorem 3.2 (Heaps)", "排序算法", "二叉树（binary tree）", "Summary", "Heaps", *RUNS)


class Author:
    """Somebody who changes the cards of a book at random."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.lang = self.random.choice(["zh-Hans", "zh-Hans", "zh-Hant", "en"])
        self.pairs: tuple[tuple[str, str], ...] = ()
        self.drawn = 0
        self.laid_aside: list[Card] = []
        self.cards = [self.card() for _ in range(CARDS)]
        for _ in range(CARDS):
            self.change()

    def book(self) -> Book:
        """The book as it stands."""
        return book(*self.cards, lang=self.lang, pairs=self.pairs, pages=tuple(dict.fromkeys(card.url for card in self.cards)))

    def sentence(self) -> str:
        """A sentence of some kind."""
        kind = self.random.random()
        if kind < 0.3:
            return self.random.choice(PLAIN)
        han, latin = self.random.choice(SORTS)
        if kind < 0.45:
            return f"这里用{han}排序算法 ({latin} sort) 把它们排好。"
        if kind < 0.6:
            return f"我们比较{self.random.choice([han, '', ''])}排序算法。"
        return f"{self.random.choice(RUNS)}与{self.random.choice(WORDS)}有关。"

    def text(self) -> str:
        """A few paragraphs."""
        return "\n\n".join(
            " ".join(self.sentence() for _ in range(self.random.randint(1, 4))) for _ in range(self.random.randint(1, 3))
        )

    def card(self) -> Card:
        """A new card."""
        self.drawn += 1
        own = Card(f"c{self.drawn}", "section", self.random.choice(TITLES), f"p{self.drawn % 5}/#c{self.drawn}", self.text())
        return self.told(own, terms=tuple(self.random.sample(WORDS, self.random.choice([0, 0, 1, 2]))))

    def told(self, card: Card, **changes: object) -> Card:
        """A card with changes; its paragraphs are those of its text, or none are known."""
        changed = replace(card, **changes)  # type: ignore[arg-type]
        bounds = paragraph_bounds(changed.text) if self.random.random() < 0.5 else []
        places = zip(bounds[::2], bounds[1::2], strict=True)
        return replace(changed, paragraphs=tuple(Paragraph(start, end, f"{card.id}-{start}") for start, end in places))

    def change(self) -> str:
        """Change something and say what."""
        change: Callable[[int], object] = self.random.choice(
            [self.put, self.take, self.take_some, self.bring_back, self.say, self.say, self.head, self.set_off, self.move,
             self.repeat, self.repeat, self.split, self.split, self.place, self.part, self.adopt, self.pair, self.speak]
        )  # fmt: skip
        if not self.cards:
            change = self.put
        change(self.random.randrange(max(1, len(self.cards))))
        return change.__name__

    def put(self, at: int) -> None:
        self.cards[at:at] = [self.card() for _ in range(self.random.choice([1, 1, 2, 12]))]

    def take(self, at: int) -> None:
        self.laid_aside.append(self.cards.pop(at))

    def take_some(self, at: int) -> None:
        if len(self.cards) > CARDS:
            self.laid_aside += self.cards[at : at + 15]
            del self.cards[at : at + 15]

    def bring_back(self, at: int) -> None:
        if self.laid_aside:
            self.cards.insert(at, self.laid_aside.pop(self.random.randrange(len(self.laid_aside))))

    def say(self, at: int) -> None:
        own = self.cards[at]
        said = self.random.choice([f"{own.text} {self.sentence()}", f"{own.text}\n\n{self.sentence()}", self.text(), ""])
        self.cards[at] = self.told(own, text=said, overlap=own.overlap if said.startswith(own.text) else 0)

    def head(self, at: int) -> None:
        title = self.random.choice(TITLES)
        self.cards[at] = replace(self.cards[at], title=title, number=self.random.choice(["", "3.2", "4"]), breadcrumb=(title,))

    def set_off(self, at: int) -> None:
        terms = tuple(self.random.sample(WORDS, self.random.randint(0, 3)))
        self.cards[at] = replace(self.cards[at], terms=terms, kind=self.random.choice(["section", "theorem", "figure"]))

    def move(self, at: int) -> None:
        self.cards.insert(self.random.randrange(len(self.cards)), self.cards.pop(at))

    def repeat(self, at: int) -> None:
        """Let a card say what another says, and a word more."""
        self.cards[at] = self.told(
            self.cards[at], text=f"{self.random.choice(self.cards).text}{self.random.choice(['', ' Yes.', ' 是的。'])}", overlap=0
        )

    def split(self, at: int) -> None:
        """Let a card have further parts, each of which begins with the end of the one before."""
        for place in range(at, at + self.random.choice([1, 2, 3])):
            end = self.cards[place].text.rpartition("\n")[2]
            part = replace(self.card(), id=f"{self.cards[at].id}{PART}{self.drawn}", parent=self.cards[at].id)
            self.cards.insert(place + 1, self.told(part, text=f"{end} {self.sentence()}", overlap=len(end) + 1))

    def place(self, at: int) -> None:
        """Change what is known of the paragraphs of a text, and not the text."""
        self.cards[at] = self.told(self.cards[at])

    def part(self, at: int) -> None:
        """Let a part repeat nothing, though its text is the same."""
        at = next((place for place in range(at, len(self.cards)) if self.cards[place].overlap), at)
        self.cards[at] = replace(self.cards[at], overlap=0)

    def adopt(self, at: int) -> None:
        some = self.random.choice([*self.cards, *self.laid_aside])
        self.cards[at] = replace(self.cards[at], parent=some.id)

    def pair(self, at: int) -> None:
        self.pairs = tuple((word, "a word") for word in self.random.sample(WORDS, self.random.randint(0, 2)))

    def speak(self, at: int) -> None:
        if self.random.random() < 0.2:
            self.lang = self.random.choice(["zh-Hans", "zh-Hant", "en", "ja"])


@pytest.mark.parametrize("seed", range(SEEDS))
def test_cards_that_change_are_written_as_if_they_were_new(seed: int) -> None:
    author, memory = Author(seed), Memory()
    changes: list[str] = []
    for _ in range(BUILDS):
        assert encode(author.book(), memory) == encode(author.book()), f"seed {seed}, after {changes[-8:]}"
        memory.turn()
        changes = [*changes, *(author.change() for _ in range(author.random.choice([0, 1, 1, 1, 2, 3])))]
