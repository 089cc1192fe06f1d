"""Any MkDocs project, loaded with the assistant in it and built: what `askbook demo` serves."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException
from mkdocs.utils.yaml import get_yaml_loader, yaml_load
from yaml import YAMLError

from askbook.core.errors import ContentError

from .plugin import AskbookPlugin

CONFIG_NAMES: Final = ("mkdocs.yml", "mkdocs.yaml", "properdocs.yml")

PLAIN: Final[Mapping[str, object]] = {
    "theme": {"name": "material", "font": False},
    "plugins": ["search"],
    "markdown_extensions": [
        "admonition",
        "attr_list",
        "def_list",
        "footnotes",
        "md_in_html",
        "tables",
        {"toc": {"permalink": True}},
        {"pymdownx.arithmatex": {"generic": True}},
        "pymdownx.details",
        "pymdownx.superfences",
        {"pymdownx.tabbed": {"alternate_style": True}},
        "pymdownx.blocks.admonition",
        "pymdownx.blocks.tab",
    ],
}
"""Configuration of a folder of Markdown that has none of its own."""


def config_file(book: Path) -> Path | None:
    """The configuration of a project, given as its folder or as the file itself; None for a plain folder of Markdown."""
    if book.is_file() and book.suffix in (".yml", ".yaml"):
        return book
    if not book.is_dir():
        raise ContentError(f"{str(book)!r} is neither a folder nor the configuration of an MkDocs project", file=str(book))
    found = next((book / name for name in CONFIG_NAMES if (book / name).is_file()), None)
    if found is None and not any(book.rglob("*.md")):
        raise ContentError(f"{str(book)!r} has no mkdocs.yml and no Markdown file", file=str(book))
    return found


@dataclass(frozen=True, slots=True)
class Facts:
    """What `askbook doctor` wants to know of a project."""

    name: str
    theme: str
    address: str
    """Its `site_url`; empty where it has none."""
    assistant: bool


def project_facts(file: Path) -> Facts:
    """Load a configuration, and build nothing."""
    with _messages() as said:
        try:
            config = load_config(str(file))
        except MkDocsException as stopped:
            raise ContentError(f"{file}: {' '.join(said) or stopped}", file=str(file)) from stopped
    assistant = any(isinstance(plugin, AskbookPlugin) for plugin in config.plugins.values())
    return Facts(str(config.site_name), str(config.theme.name), config.site_url or "", assistant)


@dataclass(frozen=True, slots=True)
class Built:
    """A project that was built."""

    name: str
    """Its `site_name`."""
    questions: tuple[str, ...]
    """First questions its author proposes."""


def build_project(book: Path, *, site: Path, address: str, options: Mapping[str, object]) -> Built:
    """Build the project into `site` as if published at `address`.

    The assistant is added where the project lacks it; `options` are options of the plugin and win over the project's.
    """
    file = config_file(book)
    if file is not None:
        _check_docs_dir(file)
    with _messages() as said:
        try:
            config, plugin = _load(book, site=site, address=address, options=options)
            config.plugins.on_startup(command="build", dirty=False)
            try:
                build(config)
            finally:
                config.plugins.on_shutdown()
        except MkDocsException as stopped:
            reason = " ".join(said) or str(stopped)
            raise ContentError(f"{book}: {reason}", file=str(book)) from stopped
    return Built(str(config.site_name), tuple(plugin.config.questions))


def _check_docs_dir(file: Path) -> None:
    """Name a folder of pages that is not there, before MkDocs finds fault with what depends on it."""
    try:
        with file.open("rb") as text:
            given = yaml_load(text, loader=get_yaml_loader()).get("docs_dir", "docs")
    except YAMLError:
        return  # MkDocs says where
    if not (file.parent / str(given)).is_dir():
        raise ContentError(f"{file}: docs_dir is {str(given)!r}, and there is no such folder", file=str(file))


def _load(book: Path, *, site: Path, address: str, options: Mapping[str, object]) -> tuple[MkDocsConfig, AskbookPlugin]:
    file = config_file(book)
    if file is None:
        plain = json.dumps({**PLAIN, "site_name": book.resolve().name, "docs_dir": str(book.resolve())})
        config = load_config(BytesIO(plain.encode()), config_file_path=f"{site}.yml", site_dir=str(site), site_url=address)
    else:
        config = load_config(str(file), site_dir=str(site), site_url=address)
    present = next((plugin for plugin in config.plugins.values() if isinstance(plugin, AskbookPlugin)), None)
    plugin = present or AskbookPlugin()
    if present is None:
        plugin.load_config({}, config_file_path=config.config_file_path)
        config.plugins["askbook"] = plugin
    plugin.config.load_dict(dict(options))
    return config, plugin


class _Collector(logging.Handler):
    """Keeps what MkDocs says when it gives up."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage().strip())


@contextmanager
def _messages() -> Iterator[list[str]]:
    log, collector = logging.getLogger("mkdocs"), _Collector()
    log.addHandler(collector)
    try:
        yield collector.said
    finally:
        log.removeHandler(collector)
