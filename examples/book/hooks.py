"""What the theme does not do by itself: the language of each page, and formulas without a third party."""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any


def on_page_context(context: dict[str, Any], *, page: Any, config: Any, nav: Any) -> dict[str, Any]:
    """Tell the theme the language of the page, so that `<html lang>` and the theme's own words fit its text."""
    config.theme["language"] = "zh" if page.file.src_uri.startswith("zh/") else "en"
    return context


def on_post_build(*, config: Any) -> None:
    """Publish KaTeX with the book, from the copy that came with askbook; `javascripts/formulas.js` loads it."""
    katex = Path(str(files("askbook.client"))) / "vendor/katex"
    if katex.is_dir():
        shutil.copytree(katex, Path(config.site_dir) / "assets/katex", dirs_exist_ok=True)
