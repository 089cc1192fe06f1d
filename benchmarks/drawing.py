"""What the page does while an answer grows: time a frame, time in all, and whether the end is what one drawing shows.

Answers of 16 KB in 4,000 deltas, drawn by the core ten deltas at a time, put into a page of Chromium as the panel does it, one
message a frame. Goals: 4 ms a frame at 16 KB, layout and all; 400 ms in all; no task over 50 ms. The time of all is that of the
page's processor, so that a busy machine does not count; a frame and a task are by the clock.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from playwright.sync_api import Page, sync_playwright

from askbook.core.render import AnswerView, render_answer
from askbook.terminal.serve import site_server

from .closed_page import FLAGS
from .render import DELTA_MILLISECONDS, DELTAS, TEXTS
from .render import DRAW_MILLISECONDS as PACE

ROOT = Path(__file__).parents[1]
LIBRARIES = ("dompurify", "highlight", "katex")
GROW = """async frames => {
  window.target = place()
  longest.task = 0
  const times = []
  for (const frame of frames) {
    await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
    const began = performance.now()
    for (const patch of frame) applyPatch(target, patch)
    target.getBoundingClientRect()
    times.push(performance.now() - began)
  }
  finishDrawing(target)
  await new Promise(resolve => setTimeout(resolve, 1500))
  return { times, longest: longest.task }
}"""
SAME = """html => {
  const whole = place()
  showHtml(whole, html)
  const shown = element => {
    const copy = element.cloneNode(true)
    for (const formula of copy.querySelectorAll(".math")) formula.replaceChildren(formula.dataset.tex ?? formula.textContent)
    for (const code of copy.querySelectorAll("code")) code.textContent = code.textContent
    for (const node of copy.querySelectorAll(".typeset, [data-coloured], [data-tex]")) {
      node.classList.remove("typeset")
      for (const name of ["data-coloured", "data-tex"]) node.removeAttribute(name)
    }
    return [...copy.children].map(block => block.innerHTML).join("")
  }
  return shown(target) === shown(whole)
}"""


def main() -> None:
    """Print a line for each answer."""
    with TemporaryDirectory() as folder, sync_playwright() as player:
        stage(Path(folder))
        browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        with site_server(Path(folder), base="/") as server:
            Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            for name, text in TEXTS.items():
                page = browser.new_page()
                page.goto(f"http://127.0.0.1:{server.server_port}/answers.html")
                page.wait_for_function("() => window.prepare")
                page.evaluate("() => prepare()")
                measure(page, name, text)
                page.close()
            server.shutdown()
        browser.close()


def stage(folder: Path) -> None:
    """Put the page of the drawing tests, and what it needs, into a folder."""
    shutil.copytree(ROOT / "client/elements", folder / "client/elements")
    for name in LIBRARIES:
        shutil.copytree(ROOT / "client/vendor" / name, folder / "client/vendor" / name)
    for path in (ROOT / "tests/browser/pages").iterdir():
        shutil.copy(path, folder)


def frames(text: str, site: str) -> list[list[dict[str, Any]]]:
    """The messages of an answer as it arrives."""
    view = AnswerView(site=site, sources=5)
    piece = -(-len(text) // DELTAS) * (PACE // DELTA_MILLISECONDS)
    made = [view.feed(text[at : at + piece]) for at in range(0, len(text), piece)]
    return [[patch.to_json() for patch in patches] for patches in [*made, view.finish()] if patches]


def measure(page: Page, name: str, text: str) -> None:
    """Let an answer grow, and print what it took."""
    site = page.url.rpartition("/")[0] + "/"
    sent = frames(text, site)
    before = spent(page)
    found = page.evaluate(GROW, sent)
    took = spent(page) - before
    times = found["times"]
    late = sorted(times[-len(times) // 5 :])
    same = page.evaluate(SAME, render_answer(text, site=site, sources=5))
    print(
        f"{name:<30} {len(sent):3} messages, {took:4.0f} ms of the page's processor, {took / len(sent):4.1f} a message;"
        f" a frame at the end {late[len(late) // 2]:4.1f} ms, longest task {found['longest']:3.0f} ms;"
        f" {'the same' if same else 'NOT THE SAME'}"
    )


def spent(page: Page) -> float:
    """Milliseconds of processor time the main threads of the pages took."""
    assert page.context.browser is not None
    processes = page.context.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    paths = [Path(f"/proc/{one['id']}/task/{one['id']}/schedstat") for one in processes if one["type"] == "renderer"]
    return sum(int(path.read_text("ascii").split()[0]) for path in paths) / 1e6


if __name__ == "__main__":
    main()
