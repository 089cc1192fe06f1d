"""Which admonition, directive, component, environment or opening word makes which kind of card: a table, in Chinese and English.

Authors add rows in `features.toml` (`[kinds.names]`, `Recipe = "method"`) and may switch kinds off; see `docs/cards.md`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Role = Literal["statement", "worked", "proof", "aside"]
"""How a unit that plain paragraphs open goes on: a statement, and an aside, is its paragraph and what clearly continues it;
worked text (an example, an exercise) runs to the next heading or unit; a proof does too and stays with what it proves."""


@dataclass(frozen=True, slots=True)
class KindRow:
    """One kind of card and every name that stands for it."""

    kind: str
    role: Role
    names: tuple[str, ...]
    """In lower case; the first English one is the kind itself."""
    opens: tuple[str, ...] = ()
    """Words that open such a unit in running text, when a number follows or they are set off."""


KINDS: Final = (
    KindRow("theorem", "statement", ("theorem", "thm", "theo"), ("Theorem", "定理")),
    KindRow("lemma", "statement", ("lemma", "lem"), ("Lemma", "引理")),
    KindRow("proposition", "statement", ("proposition", "prop", "prp"), ("Proposition", "命题", "命題")),
    KindRow("corollary", "statement", ("corollary", "cor", "crl"), ("Corollary", "推论", "推論", "系")),
    KindRow("definition", "statement", ("definition", "def", "defn", "dfn"), ("Definition", "定义", "定義")),
    KindRow("axiom", "statement", ("axiom", "postulate"), ("Axiom", "Postulate", "公理", "公设", "公設")),
    KindRow("conjecture", "statement", ("conjecture", "cnj", "hypothesis"), ("Conjecture", "Hypothesis", "猜想", "假设", "假說")),
    KindRow(
        "claim",
        "statement",
        ("claim", "fact", "observation", "assertion"),
        ("Claim", "Fact", "Observation", "断言", "斷言", "事实"),
    ),
    KindRow(
        "property",
        "statement",
        ("property", "criterion", "rule", "principle", "law"),
        ("Property", "Criterion", "性质", "性質", "准则", "法则", "定律"),
    ),
    KindRow(
        "assumption",
        "statement",
        ("assumption", "axioms", "convention", "notation"),
        ("Assumption", "Convention", "Notation", "约定", "約定", "记号"),
    ),
    KindRow("conclusion", "statement", ("conclusion",), ("Conclusion", "结论", "結論")),
    KindRow("algorithm", "statement", ("algorithm", "algo", "alg", "procedure"), ("Algorithm", "Procedure", "算法", "演算法")),
    KindRow("method", "statement", ("method", "technique", "recipe"), ("Method", "方法", "技巧")),
    KindRow("knowledge", "statement", ("knowledge", "concept", "key-concept"), ("知识点", "知識點", "概念")),
    KindRow(
        "example",
        "worked",
        ("example", "exm", "eg", "ex", "illustration-example"),
        ("Example", "例题", "例題", "例子", "范例", "例"),
    ),
    KindRow("variant", "worked", ("variant", "variation"), ("Variant", "Variation", "变式", "變式", "变题")),
    KindRow(
        "exercise",
        "worked",
        (
            "exercise",
            "exr",
            "problem",
            "prb",
            "exercises",
            "challenges",
            "challenge",
            "practice",
            "quiz",
            "activity",
            "task",
            "homework",
        ),
        ("Exercise", "Problem", "Practice", "习题", "習題", "练习", "練習", "思考题", "问题", "題目", "题目", "题"),
    ),
    KindRow(
        "solution",
        "proof",
        ("solution", "sol", "answer", "answers", "solutions"),
        ("Solution", "Answer", "解答", "解析", "解法", "答案", "解", "答"),
    ),
    KindRow("proof", "proof", ("proof", "pf", "derivation"), ("Proof", "Derivation", "证明", "證明", "推导", "证", "證")),
    KindRow(
        "remark",
        "aside",
        ("remark", "rem", "comment", "discussion"),
        ("Remark", "Comment", "评注", "评论", "注记", "注記", "备注", "備註"),
    ),
    KindRow(
        "note",
        "aside",
        (
            "note",
            "info",
            "information",
            "seealso",
            "see-also",
            "todo",
            "abstract",
            "tldr",
            "details",
            "sidebar",
            "aside",
            "topic",
            "deepdive",
            "block",
            "guide",
            "important",
            "callout",
            "admonition",
            "attention",
            "note-block",
            "blockquote",
        ),
        ("Note", "注", "註", "说明", "說明", "补充", "補充"),
    ),
    KindRow("tip", "aside", ("tip", "hint", "hints", "check", "success", "done"), ("Tip", "Hint", "提示")),
    KindRow(
        "warning",
        "aside",
        (
            "warning",
            "warn",
            "caution",
            "danger",
            "error",
            "bug",
            "failure",
            "fail",
            "missing",
            "pitfall",
            "wip",
            "deprecated",
            "canary",
        ),
        ("Warning", "Caution", "警告", "注意", "危险", "危險"),
    ),
    KindRow("question", "aside", ("question", "faq", "help"), ("Question", "疑问", "問")),
    KindRow(
        "summary",
        "aside",
        ("summary", "recap", "takeaways", "keypoints", "key-points"),
        ("Summary", "小结", "小結", "总结", "總結", "要点"),
    ),
    KindRow("quote", "aside", ("quote", "cite", "epigraph"), ()),
    KindRow("listing", "statement", ("listing", "codelisting", "lst"), ("Listing", "代码清单", "程序清单")),
)
"""The table; `section` is the kind of what stands under a heading."""

SECTION: Final = "section"

_PREFIX = re.compile(r"^(?:[a-z]+:)+")
_TAIL = re.compile(r"[\s_-]*(?:block|box|card|env)$")


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kind table as one build uses it."""

    names: Mapping[str, str] = field(default_factory=lambda: _names())
    """Name in lower case to kind."""
    roles: Mapping[str, Role] = field(default_factory=lambda: {row.kind: row.role for row in KINDS})
    opens: Mapping[str, str] = field(default_factory=lambda: {word.casefold(): row.kind for row in KINDS for word in row.opens})
    """Opening word, case folded, to kind."""

    def __hash__(self) -> int:
        """Cheap: a build has one table or two, and asks for the hash with every page."""
        return hash((len(self.names), len(self.roles), len(self.opens)))

    def of(self, name: str) -> str | None:
        """Return the kind a unit's name stands for: `prf:Theorem`, `ExampleBox` and 定理 included; None when it makes no card."""
        key = name.strip().casefold()
        return self.names.get(key) or self.names.get(_PREFIX.sub("", key).rstrip("*")) or self.names.get(_TAIL.sub("", key))

    def role(self, kind: str) -> Role:
        """How a unit of this kind goes on."""
        return self.roles.get(kind, "aside")

    def changed(self, names: Mapping[str, str], *, off: Collection[str] = ()) -> Kinds:
        """Return the table with an author's names added and some kinds switched off (their text stays in the section)."""
        if not names and not off:
            return self
        merged = {**self.names, **{name.casefold(): kind for name, kind in names.items()}}
        opens = {**self.opens, **{name.casefold(): kind for name, kind in names.items() if not name.isascii()}}
        return Kinds(
            {name: kind for name, kind in merged.items() if kind not in off},
            self.roles,
            {word: kind for word, kind in opens.items() if kind not in off},
        )

    def signature(self) -> str:
        """Say in one line what decides, for the cache key."""
        return repr((sorted(self.names.items()), sorted(self.opens.items())))


def _names() -> dict[str, str]:
    pairs = {name: row.kind for row in KINDS for name in row.names}
    for row in KINDS:
        for word in row.opens:
            pairs.setdefault(word.casefold(), row.kind)
    return pairs


DEFAULT_KINDS: Final = Kinds()
