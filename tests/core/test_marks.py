"""Which marks become citations, which stay text, and the list of sources a model writes itself."""

from __future__ import annotations

import pytest
from drawn import SITE, look

from askbook.core.render import render_answer


def cites(text: str, sources: int = 5) -> list[int]:
    return look(render_answer(text, site=SITE, sources=sources)).cites


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A [1].", [1]),
        ("A [1, 2].", [1, 2]),
        ("A [1][2].", [1, 2]),
        ("A [1-3].", [1, 2, 3]),
        ("A [1–3, 5].", [1, 2, 3, 5]),
        ("A [1，2、3；4].", [1, 2, 3, 4]),
        ("甲【1】乙【2，3】。", [1, 2, 3]),
        ("甲【1†L3-L5】。", [1]),
        ("Done.¹ Next,² 汉字³ “so”⁴", [1, 2, 3, 4]),
        ("x² + 5¹, m² and (x)³", []),
        ("**粗体。**¹ *Em*.²", [1, 2]),
        ("[1] first", [1]),
        ("[2](/python/) and [a [1] b](/python/)", []),
        ("`[1]` and $a[1]$ and \\[1] and \\[1\\]", []),
        ("```\n[1]\n```", []),
        ("[0] [01] [6] [1.5] [a] [ 1]", []),
        ("[1, 9]", [1]),
        ("[4-9]", []),
        ("[3-1] [2-2]", []),
        ("[1]: https://evil.example/", [1]),
        ("[1, 2]: https://evil.example/\n\nSee [1, 2].", [1, 2, 1, 2]),
        ("| a |\n|---|\n| [1] |\n\n- [2]\n\n> [3]\n\n# [4]", [1, 2, 3, 4]),
        ("![alt [1]](https://evil.example/)", []),
    ],
)
def test_a_mark_counts_where_its_source_exists_outside_code_math_and_links(text: str, expected: list[int]) -> None:
    assert cites(text) == expected


def test_what_is_no_mark_stays_as_it_was_written() -> None:
    html = render_answer("[7], [1, 9] and 【9】; x².", site=SITE, sources=1)
    assert look(html).text == "[7], [1][9] and 【9】; x².\n"


ANSWER = "The answer [1].\n\n"


@pytest.mark.parametrize(
    "listed",
    [
        "## Sources\n\n1. The book, chapter 3\n2. Another chapter",
        "Sources:\n- [A](https://evil.example/)\n- [B](/python/)",
        "**References**\n\n[1] Compactness\n\n[2] Connectedness",
        "References: [1], [2]",
        "---\n\n### 参考资料\n\n- 数学分析，第 3 章\n- 【2】线性代数",
        "来源：\n[1] 第三章\n[2] 第四章",
        "**来源：**[1] 第三章",
        "## 参考",
        "參考文獻\n\n1. 甲\n2. 乙",
    ],
)
def test_a_list_of_sources_at_the_end_is_left_out(listed: str) -> None:
    assert look(render_answer(ANSWER + listed, site=SITE, sources=5)).text == "The answer [1].\n"


@pytest.mark.parametrize(
    "kept",
    [
        "## References\n\nA reference borrows a value without taking ownership of it.",
        "## References\n\n- A reference never outlives its referent.\n- There is one mutable reference at a time!",
        "## Sources\n\n1. The book\n\nAnd one more thing.",
        "Sources of error are many.",
        "1. First step\n2. Second step",
        "来源很多：有观测，也有推断。",
    ],
)
def test_what_only_looks_like_a_list_of_sources_stays(kept: str) -> None:
    text = look(render_answer(ANSWER + kept, site=SITE, sources=5)).text
    assert text != "The answer [1].\n"
