"""Small MkDocs projects, built for real."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from askbook.site_plugin.assets import FOLDER

PAGES = {
    "index.md": "# Compactness\n\nA first look.\n\n## Covers\n\nEvery open cover has a finite one.\n",
    "proofs.md": '# Proofs\n\n!!! theorem "Theorem 3.2 (Heine–Borel)"\n    Closed, bounded sets are compact.\n\nWhy? $x^2$.\n',
}


def everything(site: Path) -> dict[str, bytes]:
    """Every file of a site but the compressed site map, which holds the time."""
    found = (path for path in sorted(site.rglob("*")) if path.is_file() and path.suffix != ".gz")
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in found}


def made_here(site: Path) -> dict[str, bytes]:
    """Those that a build makes itself: the client's are copies out of the source tree, which may change between two builds."""
    return {
        name: data for name, data in everything(site).items() if not name.startswith(f"{FOLDER}/") or name == f"{FOLDER}/site.js"
    }


@dataclass(frozen=True)
class Project:
    """A MkDocs project in a folder, and what building it said."""

    folder: Path
    messages: list[str]

    @property
    def site(self) -> Path:
        return self.folder / "site"

    def page(self, name: str = "index.html") -> str:
        return (self.site / name).read_text(encoding="utf-8")

    def index(self, name: str = "books-topology") -> dict[str, Any]:
        return dict(json.loads((self.site / f"ai-index/{name}.json").read_text(encoding="utf-8")))

    def books(self) -> list[dict[str, Any]]:
        return list(json.loads((self.site / "ai-index/books.json").read_text(encoding="utf-8"))["books"])

    def site_script(self) -> dict[str, Any]:
        text = (self.site / "assets/askbook/site.js").read_text(encoding="utf-8")
        return dict(json.loads(text.removeprefix("export const site = ")))

    def files(self) -> dict[str, bytes]:
        """Every file of the site."""
        return everything(self.site)

    def made(self) -> dict[str, bytes]:
        """Those that the build makes itself."""
        return made_here(self.site)


Build = Callable[..., Project]
"""The fixture `build_site`."""


def write_project(folder: Path, pages: Mapping[str, str], askbook: object, settings: Mapping[str, object]) -> None:
    for name, text in pages.items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    options = askbook if isinstance(askbook, dict) else {}
    plugin = [] if askbook is None else [{"askbook": options}]
    config = {
        "site_name": "Topology",
        "theme": "mkdocs",
        "markdown_extensions": ["admonition", "attr_list"],
        **settings,
        "plugins": [*_listed(settings.get("plugins")), *plugin],
    }
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(config, allow_unicode=True), encoding="utf-8")


def _listed(plugins: object) -> list[object]:
    return list(plugins) if isinstance(plugins, list) else []


class StoppedError(Exception):
    """MkDocs gave up; the message holds all it said."""


class Collector(logging.Handler):
    """Keeps warnings and what is worse."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())
