"""An answer that grows in the panel's conversation: drawn as often as it is cheap, followed, left alone where a reader reads."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from askbook.core.render import render_answer
from benchmarks.drawing import PREFIX, SAME, SOURCES, messages, stage
from benchmarks.render import TEXTS

GOLDEN = Path(__file__).parents[1] / "golden"
ANSWERS = {path.name.removesuffix(".in.md"): path.read_text("utf-8") for path in sorted((GOLDEN / "answers").glob("*.in.md"))}
SAY = """async ([messages, gap]) => {
  window.turn ??= ask()
  window.target = turn.body.firstElementChild
  for (const [, json] of messages) {
    say(json)
    await new Promise(resolve => setTimeout(resolve, gap))
  }
  window.target = turn.body.firstElementChild
}"""
WORD = "Plain words and more of them, so that the answer is longer than the window. "


@pytest.fixture(scope="module")
def grounds(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., str]) -> str:
    folder = tmp_path_factory.mktemp("growing")
    stage(folder)
    return serve(folder, base="/")


@pytest.fixture
def page(context: BrowserContext, grounds: str) -> Iterator[Page]:
    page = context.new_page()
    page.set_viewport_size({"width": 900, "height": 600})
    page.goto(f"{grounds}conversation.html")
    page.wait_for_function("() => window.prepare")
    page.evaluate("() => prepare()")
    yield page
    page.close()


def said(page: Page, text: str, gap: int = 4) -> list[tuple[float, str]]:
    """Let an answer grow to its end; return the messages it came in."""
    told = messages(text, page.url.rpartition("/")[0] + "/", deltas=120)
    page.evaluate(SAY, [told, gap])
    page.wait_for_function("() => turn.article.dataset.state === 'completed'")
    return told


@pytest.mark.parametrize("name", ANSWERS)
def test_in_the_end_it_is_what_one_drawing_shows(page: Page, name: str) -> None:
    site = page.url.rpartition("/")[0] + "/"
    said(page, ANSWERS[name])
    page.wait_for_function("() => !target.querySelector('.math:not(.typeset)')")
    assert page.evaluate(SAME, render_answer(ANSWERS[name], site=site, sources=SOURCES, prefix=PREFIX))


def test_drawings_that_cost_much_become_fewer_and_the_text_is_kept_all_the_same(page: Page) -> None:
    page.evaluate("""() => {
      window.turn = ask()
      window.drawings = 0
      const update = turn.update.bind(turn)
      turn.update = (...given) => {
        drawings++
        for (const until = performance.now() + 30; performance.now() < until;);
        update(...given)
      }
    }""")
    told = messages(WORD * 40, page.url.rpartition("/")[0] + "/", deltas=400)
    page.evaluate(SAY, [told[:-1], 4])
    kept = page.evaluate("() => turn.answer.parts[0].text")
    assert WORD * 39 in kept
    assert page.evaluate("drawings") < len(told) / 3
    page.evaluate(SAY, [told[-1:], 0])
    page.wait_for_function("length => target.textContent.length >= length", arg=len(WORD) * 40 - 2)


def test_the_end_is_followed_until_the_reader_goes_up_and_again_from_the_end(page: Page) -> None:
    told = messages(WORD.strip().join(["", "\n\n"] * 60), page.url.rpartition("/")[0] + "/", deltas=120)
    at_end = "() => conversation.log.scrollHeight - conversation.log.scrollTop - conversation.log.clientHeight < 2"
    half = len(told) // 2
    page.evaluate(SAY, [told[:half], 8])
    page.wait_for_function(at_end)
    page.mouse.move(700, 300)
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"() => !({at_end})()")
    above = page.evaluate("conversation.log.scrollTop")
    page.evaluate(SAY, [told[half:-4], 8])
    assert page.evaluate("conversation.log.scrollTop") == above
    page.evaluate("() => conversation.toEnd()")
    page.evaluate(SAY, [told[-4:], 8])
    page.wait_for_function(at_end)


def test_text_a_reader_has_selected_stays_selected(page: Page) -> None:
    told = messages("First words to select.\n\n" + WORD * 20, page.url.rpartition("/")[0] + "/", deltas=120)
    page.evaluate(SAY, [told[: len(told) // 2], 8])
    page.wait_for_function("() => target?.querySelector('p')?.textContent === 'First words to select.'")
    page.evaluate("() => getSelection().selectAllChildren(target.querySelector('p'))")
    page.evaluate(SAY, [told[len(told) // 2 :], 8])
    page.wait_for_function("() => turn.article.dataset.state === 'completed'")
    assert page.evaluate("() => target.getRootNode().getSelection?.().toString() ?? ''") == "First words to select."


def test_a_stopped_answer_shows_that_at_once_and_moves_no_more(page: Page) -> None:
    told = messages(WORD * 40, page.url.rpartition("/")[0] + "/", deltas=400)
    page.evaluate(SAY, [told[: len(told) // 2], 4])
    assert page.evaluate("() => { exchange.stop(); return turn.article.dataset.state }") == "aborted"
    shown = page.evaluate("() => target.textContent")
    page.evaluate(SAY, [told[len(told) // 2 : -1], 4])
    assert page.evaluate("() => target.textContent") == shown
    end: dict[str, Any] = {"type": "exchange-end", "state": "aborted"}
    page.evaluate(SAY, [[(0, json.dumps({"events": [end], "patches": []}))], 0])
    page.wait_for_function("() => !exchange.running && turn.article.getAttribute('aria-busy') === 'false'")
    assert page.evaluate("() => turn.article.dataset.state") == "aborted"


def much(page: Page, blocks: int, *, ends: bool) -> None:
    """Say a long answer at once; of all that follows only its first frame has been drawn."""
    events: list[dict[str, Any]] = [
        {"type": "exchange-start", "mode": "retrieve"},
        {"type": "part-start", "part": 0, "kind": "text"},
        *([{"type": "exchange-end", "state": "completed"}] if ends else []),
    ]
    patches = [{"part": 0, "block": at, "html": f"<p>{WORD * 40}</p>"} for at in range(blocks)]
    page.evaluate(
        """json => {
          window.turn = ask()
          window.heard = []
          exchange.onwhole = () => heard.push(`whole ${exchange.busy}`)
          exchange.onprogress = (_, events) => heard.push(...events.map(event => event.type))
          exchange.onend = () => heard.push('ended')
          window.look = () => `${turn.article.dataset.state} ${turn.body.querySelectorAll('.block').length}`
          say(json)
          window.first = look()
        }""",
        json.dumps({"events": events, "patches": patches}),
    )


def test_what_an_answer_did_is_told_while_it_is_drawn_and_its_end_when_it_is(page: Page) -> None:
    much(page, 100, ends=True)
    page.wait_for_function("() => heard.includes('ended')")
    told = page.evaluate("heard")
    assert told == ["exchange-start", "part-start", "whole false", "exchange-end", "ended"]
    assert page.evaluate("[first.split(' ')[0], look()]") == ["running", "completed 100"]


@pytest.mark.parametrize("act", ["stop()", "waits(() => heard.push('asked'), () => heard.push('dropped'))"])
def test_an_answer_that_has_come_is_drawn_at_once_when_it_is_stopped_or_the_next_is_asked(page: Page, act: str) -> None:
    much(page, 400, ends=True)
    page.evaluate(f"() => {{ requestAnimationFrame = () => 0; exchange.{act} }}")  # it waits for no frame
    page.wait_for_function("() => heard.includes('ended')")
    assert page.evaluate("look()") == "completed 400"
    assert page.evaluate("heard.filter(what => ['ended', 'asked', 'dropped'].includes(what))")[:2] == (
        ["ended"] if act == "stop()" else ["ended", "asked"]
    )


def test_however_long_it_is_the_page_can_do_something_else_meanwhile(page: Page) -> None:
    much(page, 2_000, ends=True)
    page.evaluate("""() => {
      window.between = []
      const look = () => {
        between.push(turn.body.querySelectorAll(".block").length)
        if (exchange.running) setTimeout(look)
      }
      exchange.stop()
      look()
    }""")
    page.wait_for_function("() => heard.includes('ended')")
    assert page.evaluate("look()") == "completed 2000"
    assert page.evaluate("Math.max(...between.slice(1).map((count, at) => count - between[at]))") < 200


def test_of_an_answer_that_is_stopped_while_it_is_drawn_the_rest_comes_with_its_end(page: Page) -> None:
    much(page, 400, ends=False)
    shown = page.evaluate("() => { exchange.stop(); return look() }")
    assert re.fullmatch(r"aborted [1-3]?\d?\d", shown)
    page.wait_for_timeout(200)
    assert page.evaluate("look()") == shown
    end = {"type": "exchange-end", "state": "aborted"}
    page.evaluate("json => say(json)", json.dumps({"events": [end], "patches": []}))
    page.wait_for_function("() => heard.includes('ended')")
    assert page.evaluate("look()") == "aborted 400"


def test_what_the_core_writes_needs_no_parser_and_comes_out_as_from_the_sanitizer(page: Page, grounds: str) -> None:
    for text in [*ANSWERS.values(), *(text[:3_000] for text in TEXTS.values())]:
        html = render_answer(text.replace("![", "["), site=grounds, sources=SOURCES)
        assert page.evaluate("html => { const made = plain(html); return made && made === sanitized(html) }", html)


@pytest.mark.parametrize(
    "html",
    [
        "<p>x</p><script>1</script>",
        '<p onclick="x">y</p>',
        '<a href="javascript:alert(1)">x</a>',
        '<a href="java&#115;cript:alert(1)">x</a>',
        "<p>open",
        "<b>x</b>",
        "<p>x</div>",
        "<p>x &copy; y</p>",
        "<p class=x>y</p>",
        "<!-- x -->",
        '<p id="x">y</p>',
        '<img src="https://evil.example/x.png">',
        "<p title='x'>y</p>",
        "<P>x</P>",
        "<pre>\nx</pre>",
    ],
)
def test_html_that_is_not_the_cores_goes_through_the_sanitizer(page: Page, html: str) -> None:
    assert page.evaluate("html => plain(html)", html) is None


def test_simple_formulas_are_set_by_the_browser_and_others_by_katex(page: Page) -> None:
    said(page, "Let $x_{12} \\in X$ and $\\frac{1}{2}$ be.\n\n$$n^2$$\n")
    page.wait_for_function("() => !target.querySelector('.math:not(.typeset)')")
    made = "() => [...target.querySelectorAll('.math')].map(one => one.querySelector('.katex-html') ? 'katex' : 'mathml')"
    assert page.evaluate(made) == ["mathml", "katex", "katex"]


def test_a_long_number_in_a_formula_is_no_riddle(page: Page) -> None:
    said(page, "It is $" + "31" * 40 + "\\frac{1}{2}$.\n")
    page.wait_for_function("() => target.querySelector('.math.typeset .katex-html')", timeout=5_000)
