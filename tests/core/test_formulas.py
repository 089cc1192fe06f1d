"""Formulas are found before Markdown can eat them, and prices are none."""

from __future__ import annotations

import re
from html import unescape

import pytest

from askbook.core.render import render_answer

MATH = re.compile(r'class="math (inline|display)">([^<]*)<')


def formulas(text: str) -> list[str]:
    """The formulas of a text as TeX, display formulas after `$$`."""
    drawn = MATH.findall(render_answer(text, site="https://example.org/"))
    return [unescape(tex) if kind == "inline" else f"$${unescape(tex)}" for kind, tex in drawn]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$x_1$ and $y_1*z_1*w$", ["x_1", "y_1*z_1*w"]),
        (r"\(\bar{C}_t + Q(m_{a.e.})\)", [r"\bar{C}_t + Q(m_{a.e.})"]),
        ("当$x$时，$n$th和$3$", ["x", "n", "3"]),
        ("$$x^2$$ in a line, $$y$$.", ["$$x^2", "$$y"]),
        ("$$\nx\n= y\n$$ (3.5)", ["$$x\n= y\n\\tag{3.5}"]),
        ("\\[\nx\n- y \\].", ["$$x\n- y ."]),
        ("text\n\\[ x \\]\nmore", ["$$x"]),
        ("- a\n  $$\n  x\n  $$\n- b", ["$$x"]),
        ("> $$\n> x\n> $$", ["$$x"]),
        ("so that $$\na\n=\nb\n$$ holds", ["$$a\n=\nb"]),
        ("\\begin{align*}\na &= b \\\\\n  &< c\n\\end{align*}", ["$$\\begin{align*}\na &= b \\\\\n  &< c\n\\end{align*}"]),
        ("| a | b |\n|---|---|\n| $P(A|B)$ | \\(\\|x\\|\\) |", ["P(A|B)", r"\|x\|"]),
        (r"$a\$b$ and \$x\$", [r"a\$b"]),
        ("`$x$` and ``$y$``", []),
        ("```\n$x$\n```", []),
        ("R$ 12,29/m … R$ 15,83/m", []),
        ("**$1.50** or R$ 3", []),
        ("Costs $5 and $6, US$7 to US$8.", []),
        ("from $5 million to 10$", []),
        ("价格$5元，另一个$6元；$x$和$y$。", ["x", "y"]),
        ("Use $HOME and $PATH.", []),
        ("$f(x)=`a`$", []),
        ("$a\n\nb$", []),
        ("$ x $ and $$", []),
        (r"\[1\] \(\) \[2, 3\]", []),
        ("$$\n```\ncode\n```\n$$", []),
    ],
)
def test_formulas_are_told_from_prices_code_and_escaped_brackets(text: str, expected: list[str]) -> None:
    assert formulas(text) == expected
