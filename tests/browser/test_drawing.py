"""Answers as a real browser draws them: nothing foreign is loaded, nothing comes alive, nothing blocks the page."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from panel import at_rest
from playwright.sync_api import BrowserContext, Page, expect

from askbook.core.citations import check, grounding
from askbook.core.render import AnswerView, render_answer
from askbook.core.schema import Card, Paragraph

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/golden"
ANSWERS = [
    case
    for name in ("links", "markdown-xss")
    for case in json.loads((GOLDEN / f"cases/{name}.json").read_text("utf-8"))
    if case["kind"] in {"markdown", "answer", "reasoning"}
]
HOSTILE_HTML = [
    "<p>x</p><script>window.alive = 1</script>",
    "<img src=x onerror='window.alive = 1'>",
    "<svg onload='window.alive = 1'></svg>",
    "<a href='javascript:window.alive = 1'>x</a>",
    "<iframe srcdoc='<script>parent.alive = 1</script>'></iframe>",
    "<img src='https://evil.example/p.png'>",
    "<p style='background:url(https://evil.example/b.png)'>x</p>",
    "<link rel=stylesheet href='//evil.example/a.css'>",
    "<math><mtext><table><mglyph><style><img src=x onerror='window.alive = 1'></style></mglyph></table></mtext></math>",
    "<form action='https://evil.example/'><input name=key></form>",
    "<p id=location name=cookie>x</p>",
    "<div class='math inline'>\\href{javascript:alert(1)}{x}</div>",
]
FORMULAS = [
    "\\href{javascript:window.alive=1}{x}",
    "\\url{javascript:window.alive=1}",
    "\\includegraphics{https://evil.example/p.png}",
    "\\htmlData{x=1}{y}",
    "\\htmlStyle{position:fixed;background:url(//evil.example)}{y}",
    "\\htmlId{location}{y}",
    "\\nosuch<img src=x onerror=alert(1)>",
    "\\def\\a{\\a\\a}\\a",
    "\\rule{900000em}{900000em}",
    "\\frac{1}{",
    "\\text{<img src=x onerror=alert(1)>}",
]


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., str]) -> str:
    """A page of our own with a strict policy and Trusted Types, that draws what a test hands it."""
    if not (ROOT / "client/vendor/dompurify").is_dir():
        pytest.fail("the page's libraries are not packed: run 'npm ci' and 'npm run pack'")
    folder = tmp_path_factory.mktemp("stage")
    shutil.copytree(ROOT / "client/elements", folder / "client/elements")
    for name in ("dompurify", "highlight", "katex"):
        shutil.copytree(ROOT / "client/vendor" / name, folder / "client/vendor" / name)
    for path in (ROOT / "tests/browser/pages").iterdir():
        shutil.copy(path, folder)
    return serve(folder, base="/")


class Stage:
    """The page, and what happened on it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(f"{address}answers.html")
        page.wait_for_function("() => window.prepare")
        page.evaluate("() => prepare()")

    def render(self, markdown: str, **options: Any) -> str:
        return render_answer(markdown, site=self.address, **options)

    def show(self, html: str) -> None:
        self.page.evaluate("html => showHtml(place(), html)", html)

    @property
    def foreign(self) -> list[str]:
        return [url for url in self.requests if not url.startswith(self.address)]


@pytest.fixture
def drawn(context: BrowserContext, stage: str) -> Stage:
    return Stage(context.new_page(), stage)


INSIDE = """() => {
  const found = []
  for (const host of document.querySelectorAll("main > section")) {
    for (const element of host.shadowRoot.querySelectorAll(".prose *")) {
      const inMath = element.closest(".math")
      const banned = "script, iframe, object, embed, form, input, style, link, meta, base, video, audio"
      if (element.matches(banned)) found.push(element.tagName)
      for (const { name, value } of element.attributes) {
        if (name.startsWith("on") || ["id", "name"].includes(name)) found.push(`${element.tagName} ${name}`)
        if (name === "style" && !inMath) found.push(`${element.tagName} ${value}`)
        if (name === "style" && /url\\(|fixed/.test(value)) found.push(`style ${value}`)
        if (name === "href" && /^\\s*(javascript|data|vbscript|file|blob):/i.test(value)) found.push(`href ${value}`)
        if (inMath && (name === "href" || name === "src")) found.push(`math ${name}`)
      }
    }
  }
  return { found, alive: window.alive ?? null }
}"""


def test_every_case_is_drawn_without_a_foreign_request_or_a_living_script(drawn: Stage) -> None:
    for case in ANSWERS:
        drawn.show(drawn.render(case["input"], sources=case.get("sources", 0)))
    drawn.page.wait_for_timeout(1500)
    assert drawn.page.evaluate(INSIDE) == {"found": [], "alive": None}
    assert drawn.foreign == []
    assert [text for text in drawn.complaints if "404" not in text] == []


def test_the_sanitizer_holds_where_the_core_would_have_failed(drawn: Stage) -> None:
    for html in HOSTILE_HTML:
        drawn.show(html)
    drawn.page.wait_for_timeout(800)
    assert drawn.page.evaluate(INSIDE) == {"found": [], "alive": None}
    assert drawn.foreign == []


def test_hostile_formulas_stay_formulas_and_in_their_box(drawn: Stage) -> None:
    drawn.page.evaluate("() => showHtml(place(), '<p>wait for <span class=\"math inline\">x</span></p>')")
    drawn.page.locator(".math.typeset").wait_for()
    for tex in FORMULAS:
        drawn.show(drawn.render(f"Before ${tex}$ after\n\n$$\n{tex}\n$$"))
    drawn.page.wait_for_timeout(1500)
    assert drawn.page.evaluate(INSIDE) == {"found": [], "alive": None}
    assert drawn.foreign == []
    assert drawn.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_page_of_our_own_refuses_html_that_comes_past_the_door(drawn: Stage) -> None:
    assert (
        drawn.page.evaluate("() => { try { document.body.innerHTML = '<b>x</b>' } catch (error) { return error.name } }")
        == "TypeError"
    )


MIX = ROOT / "tests/golden/answers"


def long_answer(size: int = 16_384) -> str:
    text = "\n\n".join(
        (MIX / f"{name}.in.md").read_text("utf-8").split("## Sources")[0].split("参考资料")[0] for name in ("chinese", "mixed")
    )
    return (text * (size // len(text) + 1))[:size]


def test_a_long_answer_in_four_thousand_deltas_never_blocks_the_page(drawn: Stage) -> None:
    text = long_answer()
    view = AnswerView(site=drawn.address, sources=5)
    frames: list[list[dict[str, Any]]] = []  # ten deltas come in 100 ms, and are drawn together
    for at in range(0, len(text), 41):
        frames.append([patch.to_json() for patch in view.feed(text[at : at + 41])])
    frames.append([patch.to_json() for patch in view.finish()])
    drawn.show("<p><span class='math inline'>x</span></p>")
    drawn.page.locator(".math.typeset").first.wait_for()
    drawn.page.evaluate(
        """async frames => {
          longest.task = 0
          window.target = place()
          for (const frame of frames) {
            for (const patch of frame) applyPatch(target, patch)
            await new Promise(resolve => setTimeout(resolve, 16))
          }
          finishDrawing(target)
        }""",
        frames,
    )
    drawn.page.wait_for_function("() => !target.querySelector('.math:not(.typeset)')", timeout=20_000)
    shown = drawn.page.evaluate("() => [...target.children].map(block => block.textContent.length).reduce((a, b) => a + b, 0)")
    assert shown > 8_000
    limit = float(os.environ.get("ASKBOOK_LONGEST_TASK", "50"))
    longest = drawn.page.evaluate("() => longest.task")
    print(f"longest task {longest:.0f} ms", drawn.page.evaluate("() => longest.all"))
    assert longest <= limit * (4 if os.getloadavg()[0] > 2 else 1)


CARD = Card(
    "3/t",
    "theorem",
    "定理 3.2（Heine–Borel）",
    "answers.html#t32",
    "有限闭区间的每个开覆盖 $\\{U_i\\}$ 都有有限子覆盖。\n\n因此 $[a,b]$ 是紧集，而开区间不是。",
    number="3.2",
    paragraphs=(Paragraph(0, 36, "t32"), Paragraph(38, 80, "t32-2")),
)


def test_a_lying_model_is_found_out_on_the_page(drawn: Stage) -> None:
    answer = "有限闭区间的每个开覆盖都有有限子覆盖[1]。开区间也是紧集，而有限闭区间不是[1]。每个有限群都同构于置换群的子群[1]。"
    citations = check(answer, {1: CARD})
    html = drawn.render(answer, sources=1, prefix="askbook-t1", support=[one.support for one in citations])
    drawn.show(html)
    marks = drawn.page.locator("a.cite-ref")
    assert [marks.nth(at).get_attribute("data-support") for at in range(3)] == ["quoted", "loose", "missing"]
    assert grounding(citations) == 0.5


def screenshot(drawn: Stage, name: str, dark: bool) -> None:
    folder = os.environ.get("ASKBOOK_SCREENSHOTS")
    if folder:
        drawn.page.screenshot(path=f"{folder}/{name}{'-dark' if dark else ''}.png", full_page=True)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_an_answer_with_its_sources_is_drawn_whole(drawn: Stage, dark: bool) -> None:
    drawn.page.evaluate("dark => document.documentElement.toggleAttribute('data-dark', dark)", dark)
    text = (MIX / "chinese.in.md").read_text("utf-8") + "\n"
    code = '```python\ndef norm(f, xs):\n    """上确界范数"""\n    return max(abs(f(x)) for x in xs)  # [1]\n```\n\n外部链接见 [示例](https://example.net/)。\n\n'
    text = code.join(text.split("| 记号", 1)[:1]) + code + "| 记号" + text.split("| 记号", 1)[1]
    drawn.show(drawn.render(text, sources=3, prefix="askbook-t1", support=["quoted", "loose", "quoted", "missing"]))
    sources = [
        {
            "n": n,
            "name": "books-x",
            "card": f"{n}",
            "kind": kind,
            "number": number,
            "title": title,
            "url": "/answers.html#t",
            "text": CARD.text,
            "matched": ["一致收敛", "覆盖"],
        }
        for n, kind, number, title in (
            (1, "theorem", "10.3", "一致收敛的判别"),
            (2, "definition", "10.1", "定义 10.1"),
            (3, "section", "", "逐点收敛与反例"),
            (4, "example", "10.7", "例 10.7"),
        )
    ]
    citations = [
        {
            "mark": 0,
            "n": 1,
            "sentence": "",
            "support": "quoted",
            "quote": "一致收敛的连续函数列，其极限函数也连续。",
            "url": "/answers.html#t",
            "score": 1,
        },
        {
            "mark": 1,
            "n": 2,
            "sentence": "",
            "support": "loose",
            "quote": "若对任意 $\\varepsilon$，存在 $N$。",
            "url": "/answers.html#t",
            "score": 0.6,
        },
        {"mark": 3, "n": 3, "sentence": "", "support": "missing", "quote": "", "url": "/answers.html#t", "score": 0.1},
    ]
    drawn.page.evaluate(
        """([sources, citations]) => {
          const at = place()
          at.className = "sources-place"
          at.append(sourceList({ sources, citations, grounding: 0.5 }, "t1", words))
        }""",
        [sources, citations],
    )
    drawn.page.wait_for_function(
        "() => !document.querySelector('main > section').shadowRoot.querySelector('.math:not(.typeset)')"
    )
    expect(drawn.page.locator(".hljs-keyword")).not_to_have_count(0)
    screenshot(drawn, "answer", dark)
    cards = drawn.page.locator(".sources > .cards > .source")
    assert [re.sub(r"\s+", " ", cards.nth(at).locator(".source-link").inner_text()) for at in range(cards.count())] == [
        "1 定理 10.3 一致收敛的判别 ✓",
        "2 定义 10.1 ≈",
        "3 逐点收敛与反例 ✗",
    ]
    assert drawn.page.locator(".also-read .source").count() == 1
    assert drawn.page.locator(".hljs-keyword").count() > 0
    assert drawn.foreign == []


SENTENCE = "Every closed subset of a compact space $X$ is compact."


def test_a_jump_on_the_page_goes_to_the_paragraph_and_sets_the_sentence_off(context: BrowserContext, stage: str) -> None:
    page = context.new_page()
    page.goto(f"{stage}book.html")
    page.wait_for_function("() => window.jump")
    html = page.inner_html("main")
    page.evaluate("quote => jump('book.html#t32-2', quote, () => {})", SENTENCE)
    page.wait_for_function("() => setOff().length")
    at_rest(page.locator("html"))
    assert page.evaluate("setOff()") == ["Every closed subset of a compact space x is compact"]
    assert page.evaluate("location.hash") == "#t32-2"
    assert page.evaluate(
        "() => (({ top, bottom }) => top > 0 && bottom < innerHeight)(document.getElementById('t32-2').getBoundingClientRect())"
    )
    assert page.inner_html("main") == html
    page.evaluate("jump('book.html#t32-2', '每个开覆盖都有有限子覆盖', () => {})")
    assert page.evaluate("setOff()") == ["每个开覆盖都有有限子覆盖"]


def test_a_jump_to_another_page_points_there_with_a_text_fragment_and_arrives(context: BrowserContext, stage: str) -> None:
    page = context.new_page()
    page.goto(f"{stage}book.html?from=elsewhere")
    page.wait_for_function("() => window.jump")
    with page.expect_navigation():
        page.evaluate(
            "quote => jump('book.html#t32-2', quote, href => { sessionStorage.asked = href; location.href = href })", SENTENCE
        )
    page.wait_for_function("() => window.setOff && setOff().length")
    assert page.evaluate("setOff()") == ["Every closed subset of a compact space x is compact"]
    asked = page.evaluate("sessionStorage.asked")
    assert asked == f"{stage}book.html#t32-2:~:text=Every%20closed%20subset%20of%20a%20compact,is%20compact."
    assert page.evaluate("sessionStorage.getItem('askbook:jump')") is None


def test_a_card_without_a_sentence_leads_to_its_start(context: BrowserContext, stage: str) -> None:
    page = context.new_page()
    page.goto(f"{stage}book.html")
    page.wait_for_function("() => window.jump")
    page.evaluate("jump('book.html#t32', 'No such sentence is on this page at all.', () => {})")
    at_rest(page.locator("html"))
    assert page.evaluate("setOff()") == []
    assert page.evaluate("() => Math.abs(document.getElementById('t32').getBoundingClientRect().top) < innerHeight / 2")


BITS = [
    "<script>alive=1</script>",
    "<img src=x onerror=alive=1>",
    "<svg onload=alive=1>",
    "<!--",
    "-->",
    "[",
    "](",
    ")",
    "![",
    "javascript:alive=1",
    "//evil.example/",
    "[1]",
    "【2】",
    "¹",
    "`",
    "```\n",
    "\n",
    "\n\n",
    "$",
    "$$",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "\\href{javascript:alive=1}{x}",
    "\\",
    "|",
    "\n|---|---|\n",
    "*",
    "**",
    "_",
    "> ",
    "- ",
    "# ",
    "&lt;",
    "&#60;",
    "<",
    ">",
    '"',
    "'",
    "[a]: ",
    "/python/",
    "x",
    "漢字",
    "\u202e",
    "\x00",
    " ",
    "<br>",
    "<https://a.b>",
    "https://evil.example/p.png",
    "data:text/html,<b>",
    "onerror=",
    "style=",
    "</p>",
    "<noscript>",
    "<math>",
]


@pytest.mark.parametrize("seed", range(3))
def test_random_answers_and_random_html_come_to_no_harm(drawn: Stage, seed: int) -> None:
    rng = random.Random(seed)
    texts = ["".join(rng.choices(BITS, k=rng.randint(1, 25))) for _ in range(200)]
    drawn.page.evaluate("() => { window.target = place() }")
    for text in texts:
        drawn.page.evaluate("html => showHtml(target, html)", drawn.render(text, sources=3))
        drawn.page.evaluate("html => showHtml(place(), html)", text)
    drawn.page.wait_for_timeout(500)
    assert drawn.page.evaluate(INSIDE) == {"found": [], "alive": None}
    assert drawn.foreign == []


PARTED = """() => {
  const text = document.querySelector("main > section").shadowRoot.querySelector(".prose")
  const bottom = node => {
    const range = document.createRange()
    range.setStart(node, 0)
    range.setEnd(node, 1)
    return range.getBoundingClientRect().bottom
  }
  const parted = []
  for (let width = 100; width < 400; width++) {
    text.style.width = `${width}px`
    for (const mark of text.querySelectorAll(".cite-ref:not(:has(+ .cite-ref))")) {
      if (bottom(mark.nextSibling) - mark.getBoundingClientRect().bottom > 8) parted.push(width)
    }
  }
  return parted
}"""


BEGUN = """() => {
  const text = document.querySelector("main > section").shadowRoot.querySelector(".prose")
  const found = new Set()
  for (let width = 120; width < 400; width++) {
    text.style.width = `${width}px`
    if (text.scrollWidth > Math.ceil(text.getBoundingClientRect().width)) found.add(`wide at ${width}`)
    for (const formula of text.querySelectorAll(".math")) {
      const box = formula.getBoundingClientRect()
      for (const [side, at] of [["previousSibling", -1], ["nextSibling", 0]]) {
        const sign = formula[side]
        if (!(sign instanceof Text) || !/^[^\\s\\w\u3400-\u9fff]$/.test(sign.data.at(at))) continue
        const range = new Range()
        range.setStart(sign, at ? sign.length - 1 : 0)
        range.setEnd(sign, at ? sign.length : 1)
        const { left, right } = range.getBoundingClientRect()
        if (at ? right > box.right : left < box.left) found.add(`${sign.data.at(at)} at ${width}`)
      }
    }
  }
  return [...found]
}"""


@pytest.mark.parametrize(
    "markdown",
    [
        "设函数列 $f_n$，它在区间 ($x$) 上收敛于 $f$。那么它的积分（$\\int_a^b f$）也“$\\frac{1}{2}$”收敛；对 $g$！",
        'Take a sequence $f_n$, on the interval ($x$) going to $f$. So its integral ($\\int_a^b f$), too; an "$h$", $n$-th $g$!',
    ],
)
def test_a_formula_and_the_signs_around_it_stand_in_one_line(drawn: Stage, markdown: str) -> None:
    drawn.show(drawn.render(markdown))
    drawn.page.wait_for_function(
        "() => !document.querySelector('main > section').shadowRoot.querySelector('.math:not(.typeset)')"
    )
    assert drawn.page.evaluate(BEGUN) == []


@pytest.mark.parametrize(
    "markdown",
    ["倒排索引是从词项到列表的映射[1]。搜索问的是词[2][3]，而不是文档[4]！", "A map [1]. A word [2][3], not a document [4]!"],
)
def test_what_ends_a_sentence_stays_beside_its_mark(drawn: Stage, markdown: str) -> None:
    drawn.show(drawn.render(markdown, sources=4))
    expect(drawn.page.locator(".cite-ref").first).to_have_css("border-radius", "6px")  # the styles are there
    assert drawn.page.evaluate(PARTED) == []
