"""Take every picture of `docs/panel.md` anew: python docs/generate_screenshots.py [NAME…].

The example book is built and served, a scripted endpoint answers, Chromium takes the pictures. Look at each of them afterwards.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Locator, Page

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from fakes.endpoint import Answer, Call, Endpoint, fault

from benchmarks.stage import example

OUT: Final = Path(__file__).with_name("screenshots")
QUALITY: Final = 82
PORT: Final = 11434
"""Of Ollama, so that the model's name looks as it does for a reader."""
SETTLED_MS: Final = 600


@dataclass(frozen=True, slots=True)
class Speech:
    """What is asked and answered in one language."""

    page: str
    question: str
    thought: str
    lookup: str
    answer: str
    others: tuple[str, ...]


SPEECH: Final = {
    "en": Speech(
        page="en/1-inverted-index/",
        question="What is an inverted index?",
        thought="The reader wants the definition. Section 1.1 should have it; I look it up before I answer.",
        lookup="inverted index postings list",
        answer="An **inverted index** is a map from every term of the collection to its postings list [1]. So a search engine "
        "asks a word for its documents, instead of asking every document for its words.\n\n"
        "- A *posting* for a term $t$ is a pair $(d, \\mathrm{tf}_{t,d})$ with $\\mathrm{tf}_{t,d} > 0$ [1].\n"
        "- The postings list holds all its postings in increasing order of $d$ [1], so two lists can be walked through side by "
        "side.\n\n```python\nindex[term].append((number, count))\n```\n",
        others=("Why do long documents count less?", "stop words", "How is nDCG computed?", "What does Theorem 2.2 say?"),
    ),
    "zh": Speech(
        page="zh/1-inverted-index/",
        question="什么是倒排索引？",
        thought="读者要的是定义，应该在 1.1 节。先查一下再回答。",
        lookup="倒排索引 倒排列表",
        answer="**倒排索引**是从文档集的每个词项到其倒排列表的映射 [1]。"
        "搜索时问的是“这个词在哪些文档里”，而不必逐个文档去找词。\n\n"
        "- *倒排记录*是满足 $\\mathrm{tf}_{t,d} > 0$ 的二元组 $(d, \\mathrm{tf}_{t,d})$ [1]。\n"
        "- 把全部倒排记录按 $d$ 从小到大排好，就是倒排列表 [1]，因此两个列表可以同时走一遍。\n\n"
        "```python\nindex[term].append((number, count))\n```\n",
        others=("长文档为什么要减分？", "停用词", "nDCG 怎样计算？", "定理 2.2 说了什么？"),
    ),
}


class Scene:
    """A page with the panel on it, in one language, scheme and size."""

    def __init__(self, page: Page, root: str, lang: str) -> None:
        self.page, self.root, self.said = page, root, SPEECH[lang]
        self.panel = page.locator("ask-book")
        self.field = self.panel.locator("textarea").first

    def visit(self, path: str = "") -> None:
        self.page.goto(self.root + (path or self.said.page), wait_until="networkidle")

    def open(self) -> None:
        self.page.locator("ask-book-button button").click()
        self.panel.locator(".head").wait_for()
        self.page.wait_for_timeout(4000)

    def head(self, at: int) -> Locator:
        """A button of the head: new thread, history, settings, beside the page, close."""
        return self.panel.locator(".head .icon-button").nth(at)

    def ask(self, question: str, state: str = "completed") -> None:
        """Ask, and wait for the answer where a state is given."""
        self.page.mouse.move(4, 400)
        self.field.fill(question)
        self.field.press("Enter")
        if state:
            self.panel.locator(f"article[data-state={state}]").last.wait_for(timeout=60_000)
            self.settle()

    def add_model(self, url: str) -> None:
        """Save a model under the settings, and go back."""
        self.head(2).click()
        shown = self.panel.locator(".page:not([hidden])")
        shown.locator("select").filter(has=self.page.locator("option[value=generic]")).first.select_option("generic")
        shown.locator("input[type=url]").fill(url)
        shown.locator("input[list]").fill("qwen3-30b")
        shown.locator(".word-button.primary").first.click()
        self.head(2).click()

    def settle(self) -> None:
        """The pointer away, and whatever moves at rest."""
        self.page.mouse.move(4, 400)
        self.page.wait_for_timeout(SETTLED_MS)

    def still(self, selector: str) -> None:
        """Wait until a text has not grown for a while."""
        text = self.panel.locator(selector).last
        before = ""
        while before != (before := text.inner_text()):
            self.page.wait_for_timeout(2 * SETTLED_MS)

    def picture(self, name: str, *, dots: int = 1) -> None:
        """Write what is shown as WebP, so many dots for a pixel."""
        self.settle()
        self.snap(name, dots=dots)

    def part(self, selector: str) -> bytes:
        """A part of the panel as PNG, at once."""
        box = self.panel.locator(selector).bounding_box()
        clip = {**(box or {}), "scale": 1}
        taken: Any = self.page.context.new_cdp_session(self.page).send("Page.captureScreenshot", {"format": "png", "clip": clip})
        return base64.b64decode(taken["data"])

    def snap(self, name: str, *, dots: int = 1) -> None:
        """The same at once, while an answer grows."""
        how: dict[str, Any] = {"format": "webp", "quality": QUALITY}
        if dots > 1:  # of a page that is not scrolled
            how["clip"] = {"x": 0, "y": 0, **(self.page.viewport_size or {}), "scale": dots}
        taken: Any = self.page.context.new_cdp_session(self.page).send("Page.captureScreenshot", how)
        path = OUT / f"{name}.webp"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(taken["data"]))
        print(f"{name}: {path.stat().st_size // 1024} KB", flush=True)


@contextmanager
def model(said: Speech, *more: Answer, delay: float = 0.005, stays: bool = False) -> Iterator[str]:
    """An endpoint that thinks, looks up, answers, or stays in the middle of its answer; then whatever else is given."""
    first = Answer(reasoning=said.thought, calls=(Call("book_retrieve", {"question": said.lookup}),), delta=8, delay=0.02)
    answer = held(said) if stays else Answer(text=said.answer, delta=4, delay=delay)
    with Endpoint([first, answer, *more], port=PORT) as endpoint:
        yield endpoint.url


def growing(scene: Scene) -> None:
    """Wait until a good part of the answer is there."""
    scene.panel.locator("article .text li").first.wait_for(timeout=60_000)


def empty(scene: Scene) -> None:
    scene.visit()
    scene.open()
    scene.picture("empty")


def keyless(scene: Scene) -> None:
    scene.visit()
    scene.open()
    scene.ask(scene.said.others[0])
    scene.picture("keyless")


def streaming(scene: Scene) -> None:
    scene.visit()
    scene.open()
    with model(scene.said, stays=True) as url:
        scene.add_model(url)
        scene.ask(scene.said.question, "")
        growing(scene)
        scene.still("article .text")
        scene.snap("streaming")
        scene.field.press("Escape")


def answered(scene: Scene, name: str = "answered") -> None:
    scene.visit()
    scene.open()
    with model(scene.said) as url:
        scene.add_model(url)
        scene.ask(scene.said.question)
    scene.picture(name)


def lookup(scene: Scene) -> None:
    answered(scene, "answered")
    for row in ("reasoning", "tool"):
        scene.panel.locator(f"details.{row} summary").click()
    scene.panel.locator(".log").evaluate("log => log.scrollTo(0, 0)")
    scene.picture("lookup")


def error(scene: Scene) -> None:
    scene.visit()
    scene.open()
    with Endpoint([fault(401, "Incorrect API key provided: sk-te***1234.", code="invalid_api_key")], port=PORT) as endpoint:
        scene.add_model(endpoint.url)
        scene.ask(scene.said.question, "error")
    scene.picture("error-phone")


def history(scene: Scene) -> None:
    scene.visit()
    scene.open()
    for question in (scene.said.question, *scene.said.others):
        scene.head(0).click()
        scene.ask(question)
    scene.head(1).click()
    scene.panel.locator(".thread-tools button").first.click()
    scene.picture("history-phone")


def tabs_and_settings(scene: Scene) -> None:
    scene.visit()
    scene.open()
    with model(scene.said) as url:
        scene.add_model(url)
        scene.ask(scene.said.question)
    scene.head(0).click()
    scene.field.fill(scene.said.others[0])
    scene.picture("tabs")
    scene.head(2).click()
    scene.panel.locator(".page:not([hidden]) .page-body").evaluate("body => body.scrollTo(0, 0)")
    scene.picture("settings")


def one_question(scene: Scene) -> None:
    """From the closed page to the sentence in the book, as seven pictures."""
    scene.visit()
    scene.open()
    with model(scene.said, delay=0.2) as url:
        scene.add_model(url)
        scene.head(4).click()
        scene.visit("en/2-term-weights/")
        scene.picture("question/1")
        scene.open()
        scene.picture("question/2")
        scene.field.press_sequentially(scene.said.question[:19])
        scene.picture("question/3")
        scene.field.press_sequentially(scene.said.question[19:])
        scene.field.press("Enter")
        growing(scene)
        scene.snap("question/4")
        scene.panel.locator("article[data-state=completed]").wait_for(timeout=60_000)
    scene.picture("question/5")
    scene.panel.locator("a.cite-ref").first.click()
    scene.picture("question/6")
    scene.panel.locator(".sources a.source-link").first.click()
    scene.page.wait_for_url("**/1-inverted-index/**")
    scene.panel.locator("article strong").first.wait_for()
    scene.page.wait_for_timeout(5000)
    scene.picture("question/7")


SCENES: Final[dict[str, tuple[Callable[[Scene], None], str, str, tuple[int, int]]]] = {
    "empty": (empty, "en", "light", (1280, 800)),
    "keyless": (keyless, "en", "light", (1280, 800)),
    "streaming": (streaming, "en", "light", (1280, 800)),
    "lookup": (lookup, "en", "light", (1280, 800)),
    "error": (error, "en", "light", (390, 844)),
    "history": (history, "en", "light", (390, 844)),
    "tabs": (tabs_and_settings, "en", "light", (1280, 800)),
    "question": (one_question, "en", "light", (1280, 800)),
    **{
        f"{lang}-{scheme}-{kind}": (lambda scene, name=f"all/{lang}-{scheme}-{kind}": answered(scene, name), lang, scheme, size)
        for lang in ("en", "zh")
        for scheme in ("light", "dark")
        for kind, size in (("desktop", (1280, 800)), ("phone", (390, 844)))
    },
}


LOOKS: Final = [
    (lang, scheme, kind, size)
    for kind, size in (("desktop", (1280, 800)), ("phone", (390, 844)))
    for lang in ("en", "zh")
    for scheme in ("light", "dark")
]
"""Every way the panel may look."""
SHEET = (
    """<body style="margin:0;padding:16px;display:flex;gap:12px;background:#8a8f98;font:13px sans-serif;color:#fff">{}</body>"""
)
COLUMN = """<figure style="margin:0"><img style="display:block;width:195px" src="data:image/png;base64,{}">
<figcaption style="padding-top:6px">{}</figcaption></figure>"""


@contextmanager
def scene_of(browser: Browser, root: str, lang: str, scheme: str, size: tuple[int, int]) -> Iterator[Scene]:
    """A scene in a profile of its own."""
    width, height = size
    phone = width < 600
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce", has_touch=phone, is_mobile=phone, locale="zh-CN" if lang == "zh" else "en-US",
    )  # fmt: skip
    yield Scene(context.new_page(), root, lang)
    context.close()


def held(said: Speech) -> Answer:
    """An answer that stays where two thirds of it have come, however long the picture takes."""
    events = 2 + len(said.answer) * 2 // 3 // 4
    return Answer(text=said.answer, delta=4, delay=0.01, events=events, hang=60)


def states(scene: Scene) -> dict[str, bytes]:
    """The panel alone, in each of its states."""
    shots: dict[str, bytes] = {}

    def keep(state: str) -> None:
        shots[state] = scene.part(".panel")

    scene.visit()
    scene.open()
    scene.panel.locator(".suggestions li").nth(2).wait_for()
    scene.settle()
    keep("open")
    with model(scene.said, held(scene.said), fault(401, "Incorrect API key provided: sk-te***1234.")) as url:
        scene.add_model(url)
        scene.ask(scene.said.question)
        keep("answered")
        scene.head(0).click()
        scene.ask(scene.said.question, "")
        growing(scene)
        scene.still("article .text")
        keep("streaming")
        scene.field.press("Escape")
        scene.panel.locator("article[data-state=aborted]").wait_for()
        scene.head(0).click()
        scene.ask(scene.said.others[0], "error")
        keep("error")
    scene.head(2).click()
    scene.panel.locator(".page:not([hidden]) .page-body").evaluate("body => body.scrollTo(0, 0)")
    scene.settle()
    keep("settings")
    scene.head(1).click()
    scene.settle()
    keep("history")
    return shots


def sheets(browser: Browser, root: str) -> None:
    """One picture a state, with every way it looks side by side."""
    columns: dict[str, list[str]] = {}
    for lang, scheme, kind, size in LOOKS:
        with scene_of(browser, root, lang, scheme, size) as scene:
            for state, shot in states(scene).items():
                columns.setdefault(state, []).append(COLUMN.format(base64.b64encode(shot).decode(), f"{kind}, {lang}, {scheme}"))
    with scene_of(browser, root, "en", "light", (1688, 480)) as scene:
        for state, figures in columns.items():
            scene.page.set_content(SHEET.format("".join(figures)))
            scene.picture(f"states/{state}", dots=2)


def main() -> None:
    """Take the pictures that are named, or all."""
    with example() as (browser, root):
        for name in sys.argv[1:] or [*SCENES, "states"]:
            if name == "states":
                sheets(browser, root)
                continue
            play, *look = SCENES[name]
            with scene_of(browser, root, *look) as scene:
                play(scene)


if __name__ == "__main__":
    main()
