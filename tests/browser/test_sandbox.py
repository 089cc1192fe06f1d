"""Python in the page: what a model's program gets, and what it does not get at."""

from __future__ import annotations

import base64
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright

from askbook.core.pytool import outcome
from askbook.mcp_server.sandbox import find_sandbox
from askbook.site_plugin.assets import write_assets
from askbook.site_plugin.packages import write_packages
from tests.browser.conftest import FLAGS, chromium
from tests.conformance.calls import PROGRAMS

ROOT = Path(__file__).parents[2]
POLICY = "; ".join((
    "default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'", "connect-src 'self'", "frame-src 'self'",
    "object-src 'none'", "img-src data:",
))  # fmt: skip
PAGE = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox</title><link rel="icon" href="data:,">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<script type="module" src="test.js"></script>"""
SCRIPT = """import {{ LIMITS, Sandbox }} from "./assets/askbook/elements/sandbox.js"
const base = new URL("assets/askbook/", location.href).href
localStorage.setItem("key", "secret-of-the-page")
window.messages = []
addEventListener("message", ({{ data, origin }}) => messages.push([origin, typeof data === "object" ? data.kind : data]))
const runtime = `${{base}}vendor/`
window.make = (limits) => new Sandbox({{ base, runtime, packages: {packages}, limits: {{ ...LIMITS, ...limits }} }})
window.sandbox = make({{}})
"""


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., str]) -> Iterator[Page]:
    """A page with the strict policy, and the sandbox ready to be called."""
    site = tmp_path_factory.mktemp("sandbox")
    write_assets(site, settings={"books": []})
    packages = write_packages(site / "assets/askbook", ["sympy"]) if _has_sympy() else {}
    (site / "index.html").write_text(PAGE, encoding="utf-8")
    (site / "test.js").write_text(SCRIPT.format(packages=json.dumps(packages)), encoding="utf-8")
    opened = browser.new_context().new_page()
    opened.set_default_timeout(30_000)
    opened.goto(serve(site, base="/sandbox/"))
    opened.wait_for_function("window.sandbox")
    yield opened
    opened.context.close()


def _has_sympy() -> bool:
    try:
        import sympy  # noqa: F401
    except ImportError:
        return False
    return True


def run(page: Page, code: str, given: object = None, **limits: int) -> dict[str, Any]:
    """Run a program; limits of its own make a sandbox of its own."""
    made = "make(limits)" if limits else "sandbox"
    found: dict[str, Any] = page.evaluate(
        f"([code, input, limits]) => {made}.run(code, input)", [code, json.dumps(given), limits]
    )
    return found


def ended(stdout: str = "", *, limit: str = "", error: str = "") -> dict[str, Any]:
    return {"stdout": stdout, "limit": limit, "error": error, "figures": []}


def last_line(outcome: dict[str, Any]) -> str:
    return str(outcome["error"]).rpartition("\n")[2]


def test_the_frame_runs_the_one_script_its_policy_names() -> None:
    text = (ROOT / "client/worker/sandbox.html").read_text(encoding="utf-8")
    script = re.findall(r"<script>([\s\S]*?)</script>", text)
    assert len(script) == 1
    assert f"'sha256-{base64.b64encode(sha256(script[0].encode()).digest()).decode()}'" in text


def test_code_computes_from_its_input(page: Page) -> None:
    assert run(page, "print(input['a'] + 1)\n{'漢': input}", {"a": 3}) == ended("4\n{'漢': {'a': 3}}\n")


def test_a_curve_is_a_figure(page: Page) -> None:
    outcome = run(page, "plot([0, 1, 2], [0, 1, 4], title='squares')")
    assert [figure["type"] for figure in outcome["figures"]] == ["image/svg+xml"]
    assert b"squares" in base64.b64decode(outcome["figures"][0]["data"])


def test_a_mistake_is_told_with_its_line(page: Page) -> None:
    assert last_line(run(page, "x = 0\n1 / x")) == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize("given", PROGRAMS[:-2])
def test_a_program_gives_what_it_gives_on_a_server(page: Page, given: dict[str, Any]) -> None:
    elsewhere = find_sandbox().run(given["code"], given.get("input"))
    found = run(page, given["code"], given.get("input"))
    here = outcome(found["stdout"], limit=found["limit"], error=found["error"], figures=found["figures"])
    assert (here.stdout, here.truncated, here.figures) == (elsewhere.stdout, elsewhere.truncated, elsewhere.figures)
    assert here.error.rpartition("\n")[2].partition(":")[0] == elsewhere.error.rpartition("\n")[2].partition(":")[0]


BEYOND = r"RuntimeError: the program reached for JavaScript, which is not there; use Python alone"
HOARD = """
import sys
for name in [name for name, module in sys.modules.items() if module is None]:
    del sys.modules[name]
from _pyodide_core import to_js
x = []
while True: x.append(to_js(bytes(10_000_000)))
"""

ATTEMPTS = {
    "read a file": ("open('/etc/passwd')", r"FileNotFoundError: .*"),
    "reach the page through js": ("import js; js.fetch('/')", r"ModuleNotFoundError: .*"),
    "run JavaScript": ("from pyodide.code import run_js; run_js('1')", r"ModuleNotFoundError: .*"),
    "use the network by a request": ("from pyodide.http import open_url; open_url('/')", r"ModuleNotFoundError: .*"),
    "hoard JavaScript's bytes": (
        "from pyodide.ffi import to_js\nx = []\nwhile True: x.append(to_js(bytes(10_000_000)))", r"ModuleNotFoundError: .*",
    ),
    "hoard JavaScript's bytes by what is left of it": (HOARD, BEYOND),
    "hoard files": (
        "for n in range(900): open(str(n), 'wb').write(b'0' * 5_000_000)", r"OSError: .*No space left on device",
    ),
    "hoard one file": ("f = open('x', 'wb')\nwhile True: f.write(b'0' * 100_000)", r"OSError: .*File too large"),
    "make a file of a hole": ("open('x', 'wb').truncate(2_000_000_000)", r"OSError: .*File too large"),
    "hoard names": ("import os\nfor n in range(10**9): os.mkdir(str(n))", r"OSError: .*No space left on device.*"),
    "hoard long names": (
        "import os\ntry: os.mkdir('x' * 100_000_000)\nexcept OSError as wrong: raise OSError(wrong.strerror)",
        r"OSError: .*name too long",
    ),
    "hoard promises by way of the C library": (
        "import ctypes\nwhile True: ctypes.CDLL(None).emscripten_promise_create()", BEYOND,
    ),
    "hoard in a pipe": ("import os\nr, w = os.pipe()\nwhile True: os.write(w, b'0' * 60_000)", r"OSError: .*"),
    "use the network by a socket": (
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:1/')", r"urllib.error.URLError: .*",
    ),
    "start a thread": ("import threading; threading.Thread(target=print).start()", r"RuntimeError: can't start new thread"),
    "fork": ("import os; os.fork()", r"OSError: .*Function not implemented"),
    "take all memory": ("x = []\nwhile True: x.append(bytearray(10_000_000))", r"MemoryError"),
}  # fmt: skip


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_an_attempt_to_escape_is_contained_and_told(page: Page, attempt: str) -> None:
    code, expected = ATTEMPTS[attempt]
    said = last_line(run(page, code))
    assert re.fullmatch(expected, said), said


def test_javascript_by_way_of_the_c_library_is_blocked_by_the_policy(page: Page) -> None:
    outcome = run(page, "import ctypes; ctypes.CDLL(None).emscripten_run_script_int(b'postMessage(1)')")
    assert outcome["limit"] == "crash"
    assert "Content Security Policy" in outcome["error"]


def test_no_request_leaves(page: Page) -> None:
    code = "import pyodide_js\npyodide_js.loadPackage('https://example.org/x.whl')"
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    assert last_line(run(page, code)) == "ModuleNotFoundError: import of pyodide_js halted; None in sys.modules"
    assert [url for url in asked if not url.startswith(("blob:null/", page.url))] == []


HOARDS = ("hoard JavaScript's bytes by what is left of it", "hoard files", "hoard names", "hoard in a pipe")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks at the processes in /proc")
@pytest.mark.parametrize("attempt", HOARDS)
def test_memory_outside_of_webassembly_is_bounded(playwright: Playwright, page: Page, attempt: str) -> None:
    alone = playwright.chromium.launch(executable_path=chromium(), args=[*FLAGS, MARK])
    try:
        opened = alone.new_page()
        opened.goto(page.url)
        opened.wait_for_function("window.sandbox")
        run(opened, "1")
        begun, seen, over = time.monotonic(), [peak()], threading.Event()

        def watch() -> None:
            while not over.wait(0.02):
                seen.append(peak())

        watcher = threading.Thread(target=watch)
        watcher.start()
        run(opened, ATTEMPTS[attempt][0])
        over.set()
        watcher.join()
        assert 0 < seen[0] <= max(seen) < 700 * 2**20
        assert time.monotonic() - begun < 15
    finally:
        alone.close()


MARK = "--js-flags=--random-seed=20261"
"""Marks the renderers of one browser among all processes of the machine."""


def peak() -> int:
    """The most memory a marked renderer has held of late, in bytes."""
    most = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            told = (folder / "cmdline").read_text()
            if "--type=renderer" in told and MARK in told:
                status = (folder / "status").read_text()
                most = max([most, *(int(size) * 1024 for size in re.findall(r"^VmHWM:\s+(\d+)", status, re.MULTILINE))])
    return most


def test_the_page_hears_nothing_and_keeps_its_storage_to_itself(page: Page) -> None:
    page.evaluate("messages.length = 0")
    run(page, "import os, sys; print(os.environ, sys.argv)\nimport pyodide_js\nprint(dir(pyodide_js))")
    assert page.evaluate("messages") == []
    assert page.evaluate("localStorage.getItem('key')") == "secret-of-the-page"


def test_the_frame_has_an_origin_of_its_own(page: Page) -> None:
    page.evaluate("void (window.running = sandbox.run('import time; time.sleep(2)', 'null'))")
    page.wait_for_selector("iframe[title=Python]", state="attached")
    frame = page.locator("iframe[title=Python]").element_handle().content_frame()
    assert frame is not None
    frame.wait_for_url("**/sandbox.html")
    assert frame.evaluate("self.origin") == "null"
    assert page.evaluate("document.querySelector('iframe[title=Python]').contentDocument") is None
    assert page.evaluate("document.querySelector('iframe[title=Python]').getAttribute('sandbox')") == "allow-scripts"
    page.evaluate("running")


def test_time_is_up_and_what_was_printed_stays(page: Page) -> None:
    assert run(page, "print('begun')\nwhile True: pass", seconds=1) == ended("begun\n", limit="time")


def test_output_without_end_is_cut_at_the_limit(page: Page) -> None:
    outcome = run(page, "while True: print('漢' * 100)")
    assert (len(outcome["stdout"]), outcome["limit"]) == (8_001, "output")


def test_the_reader_can_stop_it_and_the_frame_is_gone(page: Page) -> None:
    page.evaluate("void (window.running = sandbox.run('while True: pass', 'null'))")
    page.wait_for_selector("iframe[title=Python]", state="attached")
    page.evaluate("sandbox.stop()")
    assert page.evaluate("running") == ended(limit="stopped")
    assert page.query_selector("iframe[title=Python]") is None


def test_nothing_stays_between_runs(page: Page) -> None:
    run(page, "import builtins; builtins.left = 1; open('left', 'w').write('x')")
    assert run(page, "import builtins, os; hasattr(builtins, 'left'), 'left' in os.listdir()") == ended("(False, False)\n")


@pytest.mark.skipif(not _has_sympy(), reason="SymPy is not installed")
def test_sympy_comes_from_the_site_and_is_compiled_once(page: Page) -> None:
    code = "from sympy import Symbol, integrate, exp\nx = Symbol('x')\nprint(integrate(x**2 * exp(x), x))"
    assert run(page, code) == ended("(x**2 - 2*x + 2)*exp(x)\n")
    keys = page.evaluate("caches.open('askbook').then((cache) => cache.keys()).then((all) => all.map(({ url }) => url))")
    assert [url.rpartition("/")[2].partition("?")[0] for url in keys if ".compiled" in url] == ["sympy.compiled"]
    assert run(page, "import sympy\nsympy.factor('x**2 - 1')") == ended("(x - 1)*(x + 1)\n")
