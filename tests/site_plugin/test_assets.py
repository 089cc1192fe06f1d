"""What a site gets of the client."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from askbook.site_plugin import assets
from askbook.site_plugin.assets import client_folder, without_comments, write_assets


def test_the_script_of_every_page_says_nothing_that_only_its_authors_read(tmp_path: Path) -> None:
    write_assets(tmp_path, settings={})
    script = tmp_path / "assets/askbook/main.js"
    text = script.read_text(encoding="utf-8")
    assert "/**" not in text
    assert 'customElements.define("ask-book", AskBook)' in text
    subprocess.run(["node", "--check", script], check=True)


def test_comments_go_and_code_stays() -> None:
    before = "/** Doc\n * more */\nconst a = /** @type {number} */ (b)\n  /** @param {string} x */\n"
    before += '  f(x) { return "/* kept */ http://kept" } // gone\n'
    assert without_comments(before) == 'const a = (b)\nf(x) { return "/* kept */ http://kept" }\n'


def test_a_closed_page_is_told_no_more_than_its_button_needs(tmp_path: Path) -> None:
    options = {"lang": "en", "shortcut": "Control+K", "place": "auto", "questions": ["What is " + "very " * 300 + "long?"] * 9}
    write_assets(tmp_path, settings={"books": [{"col": "books"}] * 40, "options": options}, runtime="https://cdn.example.org/")
    wanted = {"lang": "en", "shortcut": "Control+K", "webmcp": True}
    assert closed(tmp_path) == {"options": wanted, "runtime": "https://cdn.example.org/"}


def closed(site: Path) -> object:
    """What the script of every page has been told."""
    lines = (site / "assets/askbook/main.js").read_text(encoding="utf-8").splitlines()
    [told] = [line.removeprefix("const site = ") for line in lines if line.startswith("const site = ")]
    return json.loads(told)


def test_a_closed_page_knows_the_largest_file_so_that_it_can_be_asked_for_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = tmp_path / "client"
    (client / "vendor").mkdir(parents=True)
    (client / "main.js").write_bytes((client_folder() / "main.js").read_bytes())
    manifest = {"pyodide": {"wasm": {"path": "pyodide-1/pyodide.asm.wasm.zst"}}}
    (client / "vendor/runtime.json").write_text(json.dumps(manifest), encoding="utf-8")
    monkeypatch.setattr(assets, "client_folder", lambda: client)
    write_assets(tmp_path / "site", settings={"root": "../"})
    assert closed(tmp_path / "site") == {
        "options": {"webmcp": True},
        "runtime": "vendor/",
        "first": "pyodide-1/pyodide.asm.wasm.zst",
        "root": "../",
    }


@pytest.mark.parametrize(("runtime", "kept"), [("vendored", True), ("https://cdn.example.org/python/", False)])
def test_the_page_s_own_libraries_are_there_wherever_the_runtime_lies(
    runtime: str, kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = tmp_path / "client"
    for name in ("main.js", "vendor/runtime.json", "vendor/app-1.zip.zst", "vendor/dompurify/purify.js", "vendor/fzstd/fzstd.js"):
        (client / name).parent.mkdir(parents=True, exist_ok=True)
        (client / name).write_bytes((client_folder() / "main.js").read_bytes() if name == "main.js" else b"{}")
    monkeypatch.setattr(assets, "client_folder", lambda: client)
    write_assets(tmp_path / "site", settings={}, runtime=runtime)
    vendor = tmp_path / "site/assets/askbook/vendor"
    assert (vendor / "dompurify/purify.js").is_file()
    assert (vendor / "fzstd/fzstd.js").is_file()
    assert (vendor / "app-1.zip.zst").is_file() == kept
