"""Formulas: all of one stands where KaTeX puts it, in one line where there is room; one that is wider can be scrolled to."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from column import beside
from playwright.sync_api import BrowserContext, Page

from benchmarks.drawing import stage

FORMULAS = r"""
f'(x)\to\ell
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
\boxed{x} p \not= q
\text{如果 }
\widehat{\theta x} \overrightarrow{AB}
a \xrightarrow{f} b \overbrace{a+b+c}^{n} \sqrt{\frac{a}{\sqrt[3]{b}}}
\begin{array}{c|c} a & b \\ \hline c & d\end{array} \cancel{x} \mathrlap{=}{/}
""".strip().split("\n")
DRAW = """async ([texs, display]) => {
  const katex = (await import("/client/vendor/katex/katex.js")).default
  const body = ask().body
  const theirs = document.createElement("div")
  const root = theirs.attachShadow({ mode: "open" })
  root.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/client/vendor/katex/katex.css" }))
  document.body.append(theirs)
  window.pairs = texs.map(tex => {
    const [line, formula] = [document.createElement("p"), document.createElement(display ? "div" : "span")]
    line.append("Words ", formula)
    formula.className = `math ${display ? "display" : "inline"}`
    formula.textContent = tex
    const place = document.createElement("div")
    place.className = "text prose"
    Object.assign(place.style, { width: "2000px", flex: "none" })
    body.append(place)
    showHtml(place, line.outerHTML)
    const { fontFamily, fontSize, lineHeight } = getComputedStyle(place.querySelector("p"))
    Object.assign(line.style, { width: "2000px", fontFamily, fontSize, lineHeight })
    katex.render(tex, formula, { displayMode: display, strict: "ignore" })
    root.append(line)
    return [line, place.querySelector("p")]
  })
}"""
AWAY = """() => pairs.map(lines => {
  const [theirs, ours] = lines.map(line => {
    const words = new Range()
    words.selectNodeContents(line.firstChild)
    const corner = line.querySelector(".display .katex-strut") ?? words
    const { left, bottom } = corner.getBoundingClientRect()
    return [...line.querySelectorAll(".katex-html, .katex-html *")].map(element => {
      const box = element.getBoundingClientRect()
      return [box.left - left, box.right - left, box.top - bottom, box.bottom - bottom]
    })
  })
  if (theirs.length !== ours.length) return 999
  return Math.max(...theirs.flatMap((box, at) => box.map((side, of) => Math.abs(side - ours[at][of]))))
})"""


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
def test_all_of_a_formula_stands_where_katex_puts_it(page: Page, display: bool) -> None:
    page.evaluate(DRAW, [FORMULAS, display])
    page.wait_for_function("() => pairs.every(([, ours]) => ours.querySelector('.typeset'))")
    page.evaluate("async () => { await document.fonts.ready }")
    page.wait_for_timeout(300)
    away: list[float] = page.evaluate(AWAY)
    assert [(tex, round(far, 2)) for tex, far in zip(FORMULAS, away, strict=True) if far > 1] == []
    assert page.evaluate("() => pairs.every(([, ours]) => ours.querySelector('.katex-mathml math'))")


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
    assert beside(page.locator(".text.prose").last) == []


WIDE = {
    "a fraction": r"\frac{" + "+".join(f"a_{{{at}}}" for at in range(20)) + r"}{2}",
    "a matrix": r"1 + \begin{pmatrix}" + "&".join(r"\mathrm{entry}" for _ in range(9)) + r"\end{pmatrix}",
    "a number": "31" * 40,
    "letters with indices": r"m_{mmmmmmmm}" * 16,
}


@pytest.mark.parametrize("tex", WIDE.values(), ids=WIDE.keys())
def test_a_formula_that_is_wider_than_its_column_can_be_scrolled_to(page: Page, tex: str) -> None:
    show(page, tex, width=250)
    page.evaluate("async () => { await document.fonts.ready }")
    assert beside(page.locator(".text.prose").last) == []


FACES = "() => [...document.fonts].filter(font => font.family.includes('KaTeX_Main')).map(font => font.status)"
OWN = """async () => {
  document.fonts.add(await new FontFace("KaTeX_Main", "url(/client/vendor/katex/fonts/KaTeX_Main-Regular.woff2)").load())
}"""


@pytest.fixture
def bare(context: BrowserContext, grounds: str) -> Iterator[Page]:
    """A page that has shown no formula yet."""
    page = context.new_page()
    page.goto(f"{grounds}conversation.html")
    page.wait_for_function("() => window.prepare")
    page.evaluate("() => prepare()")
    yield page
    page.close()


def test_a_page_with_fonts_for_formulas_keeps_its_own_as_long_as_it_has_them(bare: Page) -> None:
    bare.evaluate(OWN)
    show(bare, r"\frac{1}{2}")
    assert bare.evaluate(FACES) == ["loaded"]
    bare.evaluate("() => document.fonts.clear()")
    show(bare, r"\frac{1}{3}")
    assert len(bare.evaluate(FACES)) > 1
