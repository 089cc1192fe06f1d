"""The options of the plugin, typed: MkDocs refuses a wrong one with a clear line."""

from __future__ import annotations

from mkdocs.config import base
from mkdocs.config import config_options as c


class PolicyConfig(base.Config):  # type: ignore[no-untyped-call]
    """The Content-Security-Policy that is written into each page."""

    enabled = c.Type(bool, default=False)
    """Write a policy, made of the page's own inline scripts and what the assistant needs."""

    connect = c.ListOfItems(c.Type(str), default=[])
    """Endpoints readers may use; empty allows the own origin, loopback and any https address."""

    extra = c.DictOfItems(c.Type(str), default={})
    """Further sources by directive, `img-src: https://img.example.org`."""

    trusted_types = c.Type(bool, default=False)
    """Also require Trusted Types; only for themes whose scripts hold to them."""


class BookConfig(base.Config):  # type: ignore[no-untyped-call]
    """One of several books in a project: a folder of `docs_dir`, such as one language of a translated book."""

    folder = c.Type(str)
    """Folder in `docs_dir`, as `zh`."""

    book = c.Type(str, default="")
    """Slug of the book; empty takes the folder's name."""

    title = c.Type(str, default="")
    """Title of the book; empty takes `site_name`."""

    lang = c.Type(str, default="auto")
    """Language of the book as BCP 47; `auto` asks the translation plugin, then the text."""


class AskbookConfig(base.Config):  # type: ignore[no-untyped-call]
    """What an author can set under `plugins: - askbook:`; everything is optional."""

    enabled = c.Type(bool, default=True)
    """False builds no index and adds nothing to any page."""

    books = c.ListOfItems(c.SubConfig(BookConfig), default=[])
    """Several books in one project, each a folder of `docs_dir`; pages outside all of them are in no book."""

    features = c.Type(str, default="features.toml")
    """The file of switches, relative to `mkdocs.yml`; it may be missing."""

    col = c.Type(str, default="books")
    """Collection the book belongs to: a slug without `-`."""

    book = c.Type(str, default="")
    """Slug of the book; empty takes it from `site_name`."""

    title = c.Type(str, default="")
    """Title of the book; empty takes `site_name`."""

    lang = c.Type(str, default="auto")
    """Language of the book as BCP 47; `auto` asks the theme, the translation plugin, then the text."""

    authors = c.ListOfItems(c.Type(str), default=[])
    """Authors; empty takes `site_author`."""

    exclude = c.ListOfItems(c.Type(str), default=[])
    """Pages left out of the index: patterns of their path in `docs_dir`, as `drafts/*`."""

    runtime = c.Type(str, default="vendored")
    """`vendored` serves the Python runtime with the site; an address takes it from there."""

    compress = c.ListOfItems(c.Choice(("br", "gz")), default=[])
    """Compressed copies to write beside the large files, for a host that sends them as they are: `br`, `gz`; none by default."""

    panel_lang = c.Choice(("", "en", "zh-Hans", "zh-Hant"), default="")
    """Language of the panel; empty follows the page."""

    place = c.Choice(("auto", "docked", "floating"), default="auto")
    """Where the panel opens: beside the page, over it, or beside it where there is room."""

    shortcut = c.Type(str, default="Control+I Meta+I")
    """Keys that open the panel, as in `aria-keyshortcuts`; empty for none."""

    questions = c.ListOfItems(c.Type(str), default=[])
    """First questions offered to a reader."""

    provider = c.Type(str, default="")
    """Provider proposed in the empty settings form."""

    endpoint = c.Type(str, default="")
    """Endpoint proposed in the empty settings form."""

    model = c.Type(str, default="")
    """Model proposed in the empty settings form."""

    cache = c.Type(str, default=".cache/askbook")
    """Folder that remembers unchanged pages, relative to `mkdocs.yml`; empty for none."""

    coverage = c.Type(bool, default=True)
    """Check that all text of a page is in its cards, and report what is not."""

    policy = c.SubConfig(PolicyConfig)
    """Content-Security-Policy per page."""
