"""axe in other themes, and on a page without one: no state of the panel adds a violation, light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from looks import Looks
from playwright.sync_api import Browser, expect

from askbook.terminal.inject import command as inject

pytestmark = pytest.mark.browser

TEXT = "# Bread\n\nA dough is [kneaded](#bread) for ten minutes.\n\n## Rest\n\nThen it rests for an hour.\n"
BARE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>Bread</title></head><body><main><h1 id="bread">Bread</h1>
<p>A dough is <a href="#bread">kneaded</a> for ten minutes.</p>
<h2 id="rest">Rest</h2><p>Then it rests for an hour.</p></main></body></html>
"""
THEMES = {
    "mkdocs": "{name: mkdocs, color_mode: auto}",
    "readthedocs": "{name: readthedocs}",
    "bare": "",
}
ANSWER = "Knead it for **ten minutes** [1].\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"


@pytest.fixture(scope="module")
def dressed(
    tmp_path_factory: pytest.TempPathFactory, build_site: Callable[[Path, Path], Path], serve: Callable[..., str]
) -> dict[str, str]:
    """Addresses of one small book, in each theme and as a page of its own."""
    addresses = {}
    for name, theme in THEMES.items():
        project = tmp_path_factory.mktemp(name)
        if theme:
            (project / "docs").mkdir()
            (project / "docs/index.md").write_text(TEXT, encoding="utf-8")
            (project / "mkdocs.yml").write_text(
                f"site_name: Bread\ntheme: {theme}\nplugins: [search, askbook]\n", encoding="utf-8"
            )
            build_site(project / "mkdocs.yml", project / "site")
        else:
            (project / "site").mkdir()
            (project / "site/index.html").write_text(BARE, encoding="utf-8")
            inject.main([str(project / "site"), "--book", "bread"], standalone_mode=False)
        addresses[name] = serve(project / "site", base=f"/books/{name}/")
    return addresses


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(
    ("theme", "scheme"), [("mkdocs", "light"), ("mkdocs", "dark"), ("readthedocs", "light"), ("bare", "light"), ("bare", "dark")]
)
def test_no_state_of_the_panel_adds_a_violation(
    browser: Browser, dressed: dict[str, str], theme: str, scheme: str, width: int
) -> None:
    dark = "dark" if scheme == "dark" else "light"
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=dark, reduced_motion="reduce")
    look = Looks(context.new_page(), dressed[theme])
    panel = look.panel
    look("closed")
    panel.open()
    look("open")
    look.at_answers("How long is dough kneaded?", ANSWER)
    for name in ("Settings", "History"):
        panel.button(name).click()
        expect(panel.button("Back").locator("visible=true")).to_have_count(1)
        look(name)
    assert panel.page.locator("ask-book").get_attribute("data-scheme") == scheme
    context.close()
    assert "\n".join(f"{state}: {rule} {place}" for state, new in look.found.items() for rule, place in sorted(new)) == ""
