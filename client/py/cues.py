"""What kind of card a question asks for: a proof, a definition, a method, an example."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

_ROWS: Final = (
    ("prove proves proven proving proof proofs", "证明 推导 为什么成立", "proof theorem lemma proposition corollary derivation"),
    ("define defines defined defining definition definitions", "定义 是什么意思 什么叫 何谓", "definition term glossary"),
    ("step steps", "如何 怎么 怎样 步骤 方法", "method algorithm procedure guide howto step recipe"),
    ("example examples", "例子 例题 示例 举例", "example"),
    ("exercise exercises practice", "习题 练习", "exercise problem question"),
    ("solution solutions solve", "解答 答案", "solution answer"),
    ("theorem theorems", "定理", "theorem"),
    ("lemma lemmas", "引理", "lemma"),
    ("corollary corollaries", "推论", "corollary"),
    ("summary summarise summarize recap", "小结 总结", "summary"),
    ("formula formulas equation equations", "公式", "formula equation"),
    ("warning warnings pitfall pitfalls mistake mistakes", "注意 陷阱 错误", "warning pitfall danger caution"),
)
"""Words of a question, in English and in Chinese, and the kinds of cards they ask for."""
_Kinds = frozenset[str]
_ENGLISH: Final[Mapping[str, _Kinds]] = {word: frozenset(row[2].split()) for row in _ROWS for word in row[0].split()}
_CHINESE: Final[Mapping[str, _Kinds]] = {word: frozenset(row[2].split()) for row in _ROWS for word in row[1].split()}
_PHRASES: Final[Mapping[str, tuple[re.Pattern[str], _Kinds]]] = {
    "meaning": (re.compile(r"\bmeaning of\b"), _ENGLISH["define"]),
    "what": (re.compile(r"^\s*what (?:is|are) (?:an? |the )?\w+(?: \w+)?\s*\??$"), frozenset({"definition"})),
    "how": (re.compile(r"\bhow (?:to|do|does|can|should)\b"), _ENGLISH["step"]),
    "instance": (re.compile(r"\bfor instance\b"), _ENGLISH["example"]),
    "answer": (re.compile(r"\banswer to\b"), _ENGLISH["solution"]),
    "answers": (re.compile(r"\banswers to\b"), _ENGLISH["solution"]),
}
"""A word that has to be there, the phrase it is part of, and what that asks for."""
_WHAT: Final = re.compile("^什么是|是什么[？?]?$")
_ANY_CHINESE: Final = re.compile("|".join(_CHINESE))
_WORD: Final = re.compile(r"\w+")


def kinds_asked(question: str) -> frozenset[str]:
    """Kinds of cards that the words of a question ask for."""
    return frozenset().union(*_asked(question.casefold()))


def _asked(folded: str) -> Iterator[_Kinds]:
    for word in set(_WORD.findall(folded)):
        if word in _ENGLISH:
            yield _ENGLISH[word]
        elif word in _PHRASES and _PHRASES[word][0].search(folded):
            yield _PHRASES[word][1]
    if folded.isascii():
        return
    if _ANY_CHINESE.search(folded):
        yield from [kinds for word, kinds in _CHINESE.items() if word in folded]
    if "什么" in folded and _WHAT.search(folded):
        yield frozenset({"definition"})
