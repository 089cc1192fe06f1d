"""Words that carry a question but not its matter, in English and Chinese."""

from __future__ import annotations

from typing import Final

_ENGLISH: Final = """
    a about above after again all also am an and any are aren't as at be because been before being below between
    both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each either
    else etc ever every few for from further get gets give given gives go goes got had hadn't has hasn't have
    haven't having he her here hers herself him himself his how however i i'm i've if in into is isn't it it's its
    itself just let let's like many may me might more most much must my myself need no nor not now of off on once
    one only or other our ours ourselves out over own please same shall she should shouldn't show shows since so
    some such tell than that that's the their theirs them themselves then there these they they're this those
    though through thus to too under until up us use used using very was wasn't way we we're were weren't what
    what's when where whether which while who whom whose why will with within without would wouldn't you you're
    your yours yourself yourselves explain describe mean means say says
"""
_CHINESE: Final = """
    什么是 是什么 什么叫 为什么 有什么 做什么 什么 怎么样 怎么做 怎么办 怎么 怎样 如何 是否 是不是 能不能 可不可以
    可以 能否 哪些 哪个 哪里 哪种 哪儿 哪 几个 多少 吗 呢 吧 啊 么 请问 请解释 请 解释一下 解释 说明 介绍一下 介绍
    告诉我 说一下 讲一下 说的是 的意思 意思 之间 有没有 有哪些 需要 应该 可能 我们 我 你 您 他们 它们 它 这个 这些
    这里 这种 这样 这 那个 那些 那么 那 的 了 着 过 在 是 和 与 及 或 但 而 也 都 就 还 又 只 很 把 被 让 使 对于
    对 从 向 到 由 以 为 于 其 之 所 并 且 等 会 能 要 有 一个 一种 一些 一下
"""

ENGLISH: Final = frozenset(_ENGLISH.split())
"""Lower case; a form with an apostrophe stands for itself and for the form without."""
CHINESE: Final = tuple(sorted(_CHINESE.split(), key=lambda word: (-len(word), word)))
"""Longest first, in simplified form; a bigram that touches one of them counts less."""
