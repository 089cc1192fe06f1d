"""Formulas with few elements: every glyph stands where KaTeX puts it, and a formula stays in one line where there is room."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from benchmarks.drawing import stage

FORMULAS = r"""
f'(x)
\|f\|_\infty
\{U_i\}_{i\in I}
\bar{C}_t + Q(m_{a.e.})
\acute{x}\check{x}\breve{x}\tilde{x}\vec{v}
\lim_{n\to\infty}\sup_{x\in E}|f_n(x)-f(x)|=0
\int_a^b f_n\,dx \to \iint_D f\,dA
\begin{aligned}S_n &= \sum_{k=1}^n f_k \\ &\to S\end{aligned}
\frac{a+b}{\sqrt{x^2+y^2}} \sqrt[3]{x_1^2}
\left(\begin{matrix}a&b\\c&d\end{matrix}\right) \binom{n}{k}
\begin{pmatrix} 1 & 0 & -1 \\ x & y & zz \\ \vdots & \ddots & 3\end{pmatrix}
\det\begin{vmatrix} a & b & c\\ d & e & f\\ g & h & i\end{vmatrix}
\hat{\theta} = \arg\max_\theta \prod_i p(x_i \mid \theta)
\overline{AB} \widehat{abc} \overbrace{a+b}^{n} \underbrace{x}_{y}
\mathrm{softmax}(z)_i = \frac{e^{z_i}}{\sum_j e^{z_j}}
f(x)=\begin{cases} 1 & x>0\\ 0 & \text{otherwise}\end{cases}
\left\lfloor \frac{n}{2} \right\rfloor \left.\frac{df}{dx}\right|_{x=0}
\left[\frac{\partial^2 u}{\partial x^2}\right]_{t=0} \Bigl( x \Bigr)
x^{y^{z^w}} {}_2F_1 \color{red}{x+1} \textbf{bold} \mathbf{A}\boldsymbol{\alpha}
\dfrac{1}{1+\dfrac{1}{x}} \underset{x}{\operatorname{argmin}} \stackrel{d}{=}
\sum\limits_{i<j} a_{ij} x\quad y\; z\! w \mathcal{O}\left(\frac{1}{\sqrt{n}}\right)
""".strip().split("\n")
OTHERS = [
    r"\boxed{x}",
    r"p \not= q",
    r"\text{如果 } x",
    r"a \xrightarrow{f} b",
    r"\begin{array}{c|c} a & b \\ \hline c & d\end{array}",
]
COMPARE = """async ([texs, display]) => {
  const { flatten } = await import("/client/elements/flat.js")
  const katex = (await import("/client/vendor/katex/katex.js")).default
  const place = document.createElement("div")
  place.className = "text prose"
  ask().body.append(place)
  const draw = (tex, flat) => {
    const formula = document.createElement(display ? "div" : "span")
    formula.className = `math ${display ? "display" : "inline"}`
    const tree = katex.__renderToDomTree(tex, { displayMode: display, output: "htmlAndMathml" })
    if (flat) flatten(tree)
    formula.append(tree.toNode())
    const line = document.createElement("p")
    line.append(formula)
    place.append(line)
    return formula
  }
  const glyphs = formula => {
    const found = []
    const corner = formula.getBoundingClientRect()
    const texts = document.createTreeWalker(formula.querySelector(".katex-html"), NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      for (let at = 0; at < node.length; at++) {
        const range = new Range()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const { left, bottom, width } = range.getBoundingClientRect()
        const { fontFamily, fontWeight, fontStyle, color } = getComputedStyle(node.parentElement)
        const look = [node.data[at], fontFamily, fontWeight, fontStyle, color].join()
        const seen = /[^\\s\\u200b]/.test(node.data[at])
        if (seen) found.push({ look, width, left: left - corner.left, bottom: bottom - corner.top })
      }
    const order = (one, other) => Math.round(one.left - other.left) || one.bottom - other.bottom
    return found.sort((one, other) => one.look.localeCompare(other.look) || order(one, other))
  }
  const pairs = texs.map(tex => [tex, draw(tex, false), draw(tex, true)])
  await new Promise(resolve => setTimeout(resolve, 300))
  await document.fonts.ready
  return pairs.map(([tex, theirs, ours]) => {
    const [one, other] = [glyphs(theirs), glyphs(ours)]
    const apart = (glyph, twin) => Math.max(...["left", "bottom", "width"].map(side => Math.abs(glyph[side] - twin[side])))
    const away = one.map((glyph, at) => glyph.look === other[at]?.look ? apart(glyph, other[at]) : 999)
    const [before, after] = [theirs, ours].map(formula => formula.querySelectorAll(".katex-html *").length)
    const read = ours.querySelectorAll(".katex-mathml math").length
    return { tex, count: one.length - other.length, away: Math.max(...away), fewer: after / before, read }
  })
}"""


@pytest.fixture(scope="module")
def grounds(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., str]) -> str:
    folder = tmp_path_factory.mktemp("formulas")
    stage(folder)
    return serve(folder, base="/")


@pytest.fixture
def page(context: BrowserContext, grounds: str) -> Iterator[Page]:
    page = context.new_page()
    page.goto(f"{grounds}conversation.html")
    page.wait_for_function("() => window.prepare")
    page.evaluate("() => prepare()")
    show(page, r"\frac{1}{2}")
    yield page
    page.close()


def show(page: Page, tex: str, *, width: int = 600) -> None:
    """Show a formula behind a few words, in a column so wide."""
    page.evaluate(
        """([tex, width]) => {
          window.place = document.createElement("div")
          place.className = "text prose"
          place.style.width = `${width}px`
          ask().body.append(place)
          showHtml(place, `<p>Words in front of <span class="math inline">${tex}</span></p>`)
        }""",
        [tex.replace("<", "&lt;").replace(">", "&gt;"), width],
    )
    page.wait_for_function("() => place.querySelector('.math.typeset')")


@pytest.mark.parametrize("display", [False, True], ids=["in a line", "displayed"])
def test_every_glyph_stands_where_katex_puts_it(page: Page, display: bool) -> None:
    found: list[dict[str, Any]] = page.evaluate(COMPARE, [FORMULAS, display])
    assert [one["tex"] for one in found if one["count"] or one["away"] > 1 or one["read"] != 1] == []
    assert [one["tex"] for one in found if one["fewer"] > 0.6] == []


def test_what_is_not_known_stays_as_katex_draws_it(page: Page) -> None:
    found: list[dict[str, Any]] = page.evaluate(COMPARE, [OTHERS, False])
    assert [(one["count"], round(one["away"], 1), one["read"]) for one in found] == [(0, 0.0, 1)] * len(OTHERS)


LINES = """() => {
  const tops = [...place.querySelectorAll(".katex-base")].map(one => Math.round(one.getBoundingClientRect().top / 10))
  return new Set(tops).size
}"""


@pytest.mark.parametrize("width", range(120, 200, 10))
def test_a_formula_breaks_only_where_the_column_is_too_narrow_for_it(page: Page, width: int) -> None:
    show(page, r"\mathrm{tf} > 0", width=width)
    assert page.evaluate(LINES) == 1
    show(page, " + ".join([r"\mathrm{term}"] * 12), width=width)
    assert page.evaluate(LINES) > 1
    assert page.evaluate("() => place.scrollWidth <= place.clientWidth")
