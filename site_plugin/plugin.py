"""The plugin of MkDocs 1.6 and ProperDocs: cards from the rendered pages, index and assistant into the site."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger

from askbook.builder.blocks import NavEntry
from askbook.builder.features import FeatureError, Features, load_features, placed
from askbook.core.errors import BookError

from .books import Volume
from .build import Build, Report, Settings
from .compression import write_compressed
from .config import AskbookConfig
from .entry import add_entry, relative_root
from .navigation import (
    excluded,
    given_title,
    instant,
    language_pass,
    nav_entries,
    null_place,
    open_fence,
    page_facts,
    page_url,
    reading_order,
    shown_title,
)
from .pages import Pages
from .policy import Needs, add_policy, page_needs, policy_text
from .volumes import WHOLE, folder_of, volumes_of, within

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page

log = get_plugin_logger("askbook")

_LAST = -100
"""Priority: after plugins that change the page."""


@dataclass(slots=True)
class Pass:
    """What a build, or one language's part of it, has been told; a translation plugin nests one in another."""

    volumes: dict[str, Volume]
    """Folder of each book to what it is called; the empty folder is the whole project."""
    entries: tuple[NavEntry, ...] = ()
    files: dict[str, tuple[str, Path]] = field(default_factory=dict)
    """Source path of each page, in reading order, to its address and its place in the site."""


class AskbookPlugin(BasePlugin[AskbookConfig]):  # type: ignore[no-untyped-call]
    """Puts an assistant into the site that answers from its pages."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._build: Build | None = None
        self._features = Features()
        self._language = ""
        self._passes: dict[str, Pass] = {}
        """By language; one, under no name, where no plugin translates."""
        self._site_name = ""
        self._dirty = self._serving = False
        self._needs = Needs()
        self._written: list[Path] = []
        """Pages that carry a policy."""

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Begin anew: MkDocs keeps the object over the rebuilds of `serve`, but also from one project to the next."""
        self._forget()
        self._dirty = dirty
        self._serving = command == "serve"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Read the switches; say what looks wrong."""
        try:
            self._features = load_features(self._features_file(config))
        except FeatureError as wrong:
            raise PluginError(placed(wrong)) from None
        if not self.on:
            return config
        for name in ("endpoint", "model", "provider"):
            if looks_like_key(self.config[name]):
                raise PluginError(f"askbook: the option {name!r} holds what looks like a key; it would stand in every page")
        self._name_books(config)
        return config

    def _name_books(self, config: MkDocsConfig) -> dict[str, Volume]:
        """Take names and settings from the configuration; a translation plugin changes it until the navigation is made."""
        self._language = language_pass(config)
        self._site_name = self._site_name or config.site_name
        try:
            volumes = volumes_of(self.config, config, self._language, name=self._site_name)
        except BookError as wrong:
            raise PluginError(f"askbook: {wrong}") from None
        if self._build is None:
            self._build = Build()
        self._build.settings = settings_of(self.config, self._features, config)
        return volumes

    @property
    def on(self) -> bool:
        """Whether the assistant is wanted at all."""
        return bool(self.config.enabled and self._features.assistant.enabled)

    def on_nav(self, nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
        """Remember the reading order of this pass."""
        if self.on:
            current = self._passes[self._language] = Pass(self._name_books(config))
            current.entries = nav_entries(nav, config, files)
            current.files = {file.src_uri: (page_url(file), Path(file.abs_dest_path)) for file in reading_order(nav, files)}
        return nav

    @event_priority(_LAST)
    def on_page_content(self, html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Take the final HTML of a page, and give its paragraphs addresses."""
        pages = self._pages(page.file.src_uri, self._language)
        if pages is None:
            return html
        if excluded(page, self.config.exclude):
            pages.drop(page.file.src_uri)
            return html
        if "\0" in html:
            log.warning("%s: holds null bytes: it is no text", null_place(page))
            html = html.replace("\0", "")
        if place := open_fence(page, html):
            log.warning("%s: code fence is never closed: the page shows it as text", place)
        return pages.take(
            html,
            file=page.file.src_uri,
            url=page.url,
            title=given_title(page),
            fallback=str(page.title or ""),
            shown=shown_title(page, html, config),
            facts=page_facts(page.meta),
        )

    def _pages(self, path: str, language: str) -> Pages | None:
        """The pages of the book that a source file belongs to; None where it is in no book."""
        if self._build is None or not self.on:
            return None
        volumes = self._passes[language].volumes
        folder = folder_of(path, volumes)
        return None if folder is None else self._build.pages(_book_name(language, folder), volumes[folder])

    @event_priority(_LAST)
    def on_env(self, env: Environment, config: MkDocsConfig, files: Files) -> Environment:
        """All pages of this pass have been taken: begin on their books while MkDocs draws the pages."""
        if self._build is not None and self.on and not self._serving:
            self._adopt(self._language)
            self._look(self._build)
            for folder, volume, entries, order in self._books(self._language):
                self._build.begin(_book_name(self._language, folder), volume, entries=entries, order=order)
        return env

    @event_priority(_LAST)
    def on_post_page(self, output: str, page: Page, config: MkDocsConfig) -> str:
        """Put the one script into the page, and its policy."""
        if not self.on or page.meta.get("askbook") is False:
            return output
        return self._finish(output, relative_root(page.url), Path(page.file.abs_dest_path))

    @event_priority(_LAST)
    def on_post_template(self, output_content: str, *, template_name: str, config: MkDocsConfig) -> str:
        """The page for wrong addresses has the assistant too; it stands at no fixed depth, so its addresses are absolute."""
        if not self.on or template_name != "404.html":
            return output_content
        return self._finish(output_content, _site_path(config), Path(config.site_dir) / template_name)

    def _finish(self, output: str, root: str, place: Path) -> str:
        output = add_entry(output, root)
        if not self.config.policy.enabled:
            return output
        needs = page_needs(output)
        self._needs.merge(needs)
        self._written.append(place)
        return self._with_policy(output, needs)

    def _with_policy(self, output: str, needs: Needs) -> str:
        policy = self.config.policy
        text = policy_text(needs, connect=policy.connect, extra=policy.extra, trusted_types=policy.trusted_types)
        return add_policy(output, text)

    @event_priority(_LAST)
    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write the books of all passes so far, and the client."""
        if self._build is None or not self.on:
            return
        site = Path(config.site_dir)
        for language in self._passes:
            self._adopt(language)
        self._look(self._build)
        reports = [report for language in self._passes for report in self._finish_pass(self._build, site, language)]
        compressed = write_compressed(site, self.config.compress)
        for message in dict.fromkeys([*(message for report in reports for message in report.warnings), *compressed]):
            log.warning(message)
        for message in dict.fromkeys(message for report in reports for message in report.notes):
            log.info(message)
        self._share_policy(config)

    def on_build_error(self, *, error: Exception) -> None:
        """Leave no process behind where the build breaks off, nor the collector as it was for that process."""
        self.on_shutdown()

    def on_shutdown(self) -> None:
        """The same where it is broken off."""
        if self._build is not None:
            self._build.drop()

    def _look(self, build: Build) -> None:
        """Where a site has several books, tell them of each other."""
        books = [(language, *book) for language in self._passes for book in self._books(language)]
        for language, folder, volume, entries, order in books if len(books) > 1 else ():
            build.look(_book_name(language, folder), volume, entries=entries, order=order)

    def _finish_pass(self, build: Build, site: Path, language: str) -> list[Report]:
        """Write the books of one language; those of a pass that is still open around this one are whole already."""
        return [
            build.finish(site, _book_name(language, folder), volume, entries=entries, order=order)
            for folder, volume, entries, order in self._books(language)
        ]

    def _books(self, language: str) -> Iterator[tuple[str, Volume, tuple[NavEntry, ...], tuple[str, ...]]]:
        """The books of one language: folder, name, navigation and pages in order."""
        current = self._passes[language]
        for folder, volume in current.volumes.items():
            order = tuple(path for path in current.files if folder_of(path, current.volumes) == folder)
            entries = current.entries
            if folder != WHOLE:
                entries = within(entries, {current.files[path][0] for path in order})
            yield folder, volume, entries, order

    def _adopt(self, language: str) -> None:
        """In a dirty build, take the pages that were not built again from the site."""
        if not self._dirty:
            return
        for file, (url, built) in self._passes[language].files.items():
            pages = self._pages(file, language)
            if pages is None or file in pages.works:
                continue
            if (not pages.known or file in pages.known) and built.is_file():
                pages.adopt(built.read_text(encoding="utf-8"), file=file, url=url)

    def _share_policy(self, config: MkDocsConfig) -> None:
        """Under instant navigation the first page's policy holds for all, so all get one that serves all."""
        if not self.config.policy.enabled or not instant(config):
            return
        for place in self._written:
            if place.is_file():
                place.write_text(self._with_policy(place.read_text(encoding="utf-8"), self._needs), encoding="utf-8")

    def on_serve(self, server: LiveReloadServer, config: MkDocsConfig, builder: Any) -> LiveReloadServer:
        """Build again when a switch is changed."""
        features = self._features_file(config)
        if features.is_file():
            server.watch(str(features))
        return server

    def _features_file(self, config: MkDocsConfig) -> Path:
        return _beside(config, self.config.features)


def _book_name(language: str, folder: str) -> str:
    """What the build calls a book."""
    return f"{language}/{folder}".strip("/")


def _beside(config: MkDocsConfig, name: str) -> Path:
    return Path(config.config_file_path or ".").parent / name


def _site_path(config: MkDocsConfig) -> str:
    from urllib.parse import urlsplit

    return (urlsplit(config.site_url or "").path or "/").rstrip("/") + "/"


def looks_like_key(value: str) -> bool:
    """Whether a value has the form of a provider's key."""
    return value.startswith(("sk-", "AIza", "gsk_", "xai-", "Bearer ")) and len(value) > 20


def settings_of(options: AskbookConfig, features: Features, config: MkDocsConfig) -> Settings:
    """What the author chose, in the terms of the build."""
    panel = {
        "lang": options.panel_lang,
        "place": options.place,
        "shortcut": options.shortcut,
        "questions": list(options.questions),
        "provider": options.provider,
        "endpoint": options.endpoint,
        "model": options.model,
    }
    return Settings(
        features,
        panel,
        runtime=options.runtime,
        cache=_beside(config, options.cache) if options.cache else None,
        title=config.site_name,
        summary=config.site_description or "",
        address=config.site_url or "",
        coverage=options.coverage,
    )
