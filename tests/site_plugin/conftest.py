"""The fixture that builds small MkDocs projects for real."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from site_projects import PAGES, Build, Collector, Project, StoppedError, write_project


@pytest.fixture
def build_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Build a project from pages (path to Markdown), options of the plugin and settings of MkDocs."""

    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")

    def make(
        pages: Mapping[str, str] = PAGES, *, askbook: object = "on", strict: bool = False, dirty: bool = False, **settings: object
    ) -> Project:
        write_project(tmp_path, pages, askbook, settings)
        collector = Collector()
        log = logging.getLogger("mkdocs")
        log.addHandler(collector)
        log.setLevel(logging.INFO)
        try:
            config = load_config(str(tmp_path / "mkdocs.yml"), strict=strict)
            config.plugins.on_startup(command="build", dirty=dirty)
            try:
                build(config, dirty=dirty)
            finally:
                config.plugins.on_shutdown()
        except Abort as stopped:
            raise StoppedError("\n".join([*collector.messages, str(stopped)])) from None
        finally:
            log.removeHandler(collector)
        return Project(tmp_path, collector.messages)

    return make
