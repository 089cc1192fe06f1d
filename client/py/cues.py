"""What kind of card a question asks for: a proof, a definition, a method, an example."""

from __future__ import annotations

import re
from typing import Final

_CUES: Final[tuple[tuple[re.Pattern[str], frozenset[str]], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), frozenset(kinds.split()))
    for pattern, kinds in (
        (r"\bprov(?:e|es|en|ing)\b|\bproofs?\b|证明|推导|为什么成立", "proof theorem lemma proposition corollary derivation"),
        (r"\bdefin(?:e|es|ed|ing|ition|itions)\b|\bmeaning of\b|定义|是什么意思|什么叫|何谓", "definition term glossary"),
        (r"^(?:什么是)|^\s*what (?:is|are) (?:an? |the )?\w+(?: \w+)?\s*\??$|是什么[？?]?$", "definition"),
        (
            r"\bhow (?:to|do|does|can|should)\b|\bsteps?\b|如何|怎么|怎样|步骤|方法",
            "method algorithm procedure guide howto step recipe",
        ),
        (r"\bexamples?\b|\bfor instance\b|例子|例题|示例|举例", "example"),
        (r"\bexercises?\b|\bpractice\b|习题|练习", "exercise problem question"),
        (r"\bsolutions?\b|\banswers? to\b|\bsolve\b|解答|答案", "solution answer"),
        (r"\btheorems?\b|定理", "theorem"),
        (r"\blemmas?\b|引理", "lemma"),
        (r"\bcorollar(?:y|ies)\b|推论", "corollary"),
        (r"\bsummar(?:y|ise|ize)\b|\brecap\b|小结|总结", "summary"),
        (r"\bformulas?\b|\bequations?\b|公式", "formula equation"),
        (r"\bwarnings?\b|\bpitfalls?\b|\bmistakes?\b|注意|陷阱|错误", "warning pitfall danger caution"),
    )
)
"""Words of a question and the kinds of cards they ask for."""


def kinds_asked(question: str) -> frozenset[str]:
    """Kinds of cards that the words of a question ask for."""
    return frozenset().union(*(kinds for cue, kinds in _CUES if cue.search(question)))
