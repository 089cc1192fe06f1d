"""The plugin of MkDocs 1.6 and ProperDocs: cards from the rendered pages, index and assistant into the site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger

from askbook.builder.features import FeatureError, Features, load_features
from askbook.core.errors import BookError

from .books import Volume
from .build import Build, Settings
from .config import AskbookConfig
from .entry import add_entry, relative_root
from .navigation import default_language, excluded, language_pass, nav_entries, page_facts, reading_order, theme_language
from .policy import add_policy, page_needs, policy_text

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page

log = get_plugin_logger("askbook")

_LAST = -100
"""Priority: after plugins that change the page."""


class AskbookPlugin(BasePlugin[AskbookConfig]):  # type: ignore[no-untyped-call]
    """Puts an assistant into the site that answers from its pages."""

    def __init__(self) -> None:
        self._build: Build | None = None
        self._features = Features()
        self._volume = Volume("books", "book", "", "")
        self._language = ""
        self._nav: Navigation | None = None
        self._order: tuple[str, ...] = ()

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Being defined, this keeps the object, and what it remembers, over the rebuilds of `serve`."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Read the switches; say what looks wrong."""
        try:
            self._features = load_features(self._features_file(config))
        except FeatureError as wrong:
            raise PluginError(str(wrong)) from None
        if not self.on:
            return config
        for name in ("endpoint", "model", "provider"):
            if looks_like_key(self.config[name]):
                raise PluginError(f"askbook: the option {name!r} holds what looks like a key; it would stand in every page")
        self._language = language_pass(config)
        try:
            self._volume = volume_of(self.config, config, self._language)
        except BookError as wrong:
            raise PluginError(f"askbook: {wrong}") from None
        if self._build is None:
            self._build = Build()
        self._build.settings = settings_of(self.config, self._features, config)
        return config

    @property
    def on(self) -> bool:
        """Whether the assistant is wanted at all."""
        return bool(self.config.enabled and self._features.assistant.enabled)

    def on_nav(self, nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
        """Remember the reading order of this pass."""
        self._nav, self._order = nav, reading_order(nav, files)
        return nav

    @event_priority(_LAST)
    def on_page_content(self, html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Take the final HTML of a page, and give its paragraphs addresses."""
        if self._build is None or not self.on or excluded(page, self.config.exclude):
            return html
        return self._build.pages(self._language, self._volume).take(
            html,
            file=page.file.src_uri,
            url=page.url,
            title=str(page.title or ""),
            facts=page_facts(page.meta),
            lang=str(page.meta.get("lang") or ""),
        )

    @event_priority(_LAST)
    def on_post_page(self, output: str, page: Page, config: MkDocsConfig) -> str:
        """Put the one script into the page, and its policy."""
        if not self.on or page.meta.get("askbook") is False:
            return output
        return self._finish(output, relative_root(page.url))

    @event_priority(_LAST)
    def on_post_template(self, output_content: str, *, template_name: str, config: MkDocsConfig) -> str:
        """The page for wrong addresses has the assistant too; it stands at no fixed depth, so its addresses are absolute."""
        if not self.on or template_name != "404.html":
            return output_content
        return self._finish(output_content, _site_path(config))

    def _finish(self, output: str, root: str) -> str:
        output = add_entry(output, root)
        policy = self.config.policy
        if not policy.enabled:
            return output
        text = policy_text(page_needs(output), connect=policy.connect, extra=policy.extra, trusted_types=policy.trusted_types)
        return add_policy(output, text)

    @event_priority(_LAST)
    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write the books of all passes so far, and the client."""
        if self._build is None or not self.on or self._nav is None:
            return
        warnings = self._build.finish(
            Path(config.site_dir), self._language, self._volume, entries=nav_entries(self._nav), order=self._order
        )
        for message in warnings:
            log.warning(message)

    def on_serve(self, server: LiveReloadServer, config: MkDocsConfig, builder: Any) -> LiveReloadServer:
        """Build again when a switch is changed."""
        features = self._features_file(config)
        if features.is_file():
            server.watch(str(features))
        return server

    def _features_file(self, config: MkDocsConfig) -> Path:
        return _beside(config, self.config.features)


def _beside(config: MkDocsConfig, name: str) -> Path:
    return Path(config.config_file_path or ".").parent / name


def _site_path(config: MkDocsConfig) -> str:
    from urllib.parse import urlsplit

    return (urlsplit(config.site_url or "").path or "/").rstrip("/") + "/"


def looks_like_key(value: str) -> bool:
    """Whether a value has the form of a provider's key."""
    return value.startswith(("sk-", "AIza", "gsk_", "xai-", "Bearer ")) and len(value) > 20


def volume_of(options: AskbookConfig, config: MkDocsConfig, language: str) -> Volume:
    """What the book of one pass is called."""
    book = options.book or slug(config.site_name)
    if language and language != default_language(config):
        book = f"{book}-{slug(language)}"
    if not _COL.fullmatch(options.col):
        raise BookError(f"the option 'col' must be lower-case letters and digits without '-', not {options.col!r}")
    if options.book and not _BOOK.fullmatch(options.book):
        raise BookError(f"the option 'book' must be lower-case letters, digits and '-', not {options.book!r}")
    lang = options.lang if options.lang != "auto" else language or theme_language(config)
    authors = tuple(options.authors) or ((config.site_author,) if config.site_author else ())
    return Volume(options.col, book, options.title or config.site_name, lang, authors)


_COL = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_BOOK = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")


def slug(name: str) -> str:
    """A name as the stem of a file: lower-case letters and digits of any script, joined by `-`."""
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "book"


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
    cache = _beside(config, options.cache) if options.cache else None
    return Settings(features, panel, options.runtime, cache)
