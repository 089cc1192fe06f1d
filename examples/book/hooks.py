"""Tell the theme the language of each page, so that `<html lang>` and the theme's own words fit its text."""

from __future__ import annotations

from typing import Any


def on_page_context(context: dict[str, Any], *, page: Any, config: Any, nav: Any) -> dict[str, Any]:
    config.theme["language"] = "zh" if page.file.src_uri.startswith("zh/") else "en"
    return context
