"""What plugins of MkDocs do to addresses, as far as a build without MkDocs follows them: translations and blogs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Final

from .frontmatter import values_of
from .slugs import Slugify, pymdown_slug

_FIRST_LINE: Final = re.compile(r"\s*#[ \t]+(.+?)[ \t]*#*[ \t]*(?:\n|\Z)|\s*([^\n]+)\n=+[ \t]*(?:\n|\Z)")
_LOCALE: Final = re.compile(r"[a-z]{2}(?:-[A-Za-z]{4})?(?:-[A-Z]{2})?|[a-z]{2}_[A-Z]{2}")
_DATE_PARTS: Final = re.compile(r"([^\W\d_])\1*")
"""Each run of one letter; what else there are means more than a build without MkDocs can say."""
_POST_PARTS: Final = re.compile(r"\{(date|slug|file|categories)\}")
_DATES: Final[Mapping[str, Callable[[date], str]]] = {
    "yyyy": lambda day: f"{day.year:04}",
    "yy": lambda day: f"{day.year % 100:02}",
    "MM": lambda day: f"{day.month:02}",
    "M": lambda day: str(day.month),
    "dd": lambda day: f"{day.day:02}",
    "d": lambda day: str(day.day),
}


_LOWER: Final = partial(pymdown_slug, case="lower")
"""How Material names posts and categories unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Languages:
    """The languages of a site that mkdocs-static-i18n translates."""

    default: str
    names: Mapping[str, str]
    """Of each language that is built, the default one first."""
    folders: bool = False
    """Each has a folder of its own; else the names of its pages end in it, as `a.fr.md`."""
    titles: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Of each language what the titles of the navigation are in it."""

    def split(self, path: str) -> tuple[str, str]:
        """The language of a page, and its path without it; without a language that of the default one."""
        pure = PurePosixPath(path)
        if self.folders:
            code, _, rest = path.partition("/")
            return (code, rest) if rest and self._is_known(code) else ("", path)
        stem, _, code = pure.stem.rpartition(".")
        return (code, str(pure.with_name(stem + pure.suffix))) if stem and self._is_known(code) else ("", path)

    def _is_known(self, code: str) -> bool:
        """Whether a name is that of a language, one of the site or another one, whose pages are not built."""
        return code in self.names or _LOCALE.fullmatch(code) is not None


@dataclass(frozen=True, slots=True)
class Blog:
    """A blog of Material for MkDocs: where its posts lie and how their addresses are made."""

    folder: str = "blog"
    posts: str = "blog/posts"
    form: str = "{date}/{slug}"
    dates: str = "yyyy/MM/dd"
    slugify: Slugify = _LOWER
    separator: str = "-"
    category: Slugify = _LOWER
    categories: int = 1
    """So many of a post's categories may stand in its address."""
    drafts: bool = False

    def placed(self, path: str, head: str) -> str:
        """The path whose address a post has, given how it begins; empty for a draft, and its own where it says no date."""
        values, body = values_of(head)
        if values.get("draft") is True and not self.drafts:
            return ""
        told = values.get("date")
        day = told.get("created") if isinstance(told, dict) else told
        if not isinstance(day, date):
            return path
        slug = str(values.get("slug") or "") or self.slugify(_title(values, body, path), self.separator)
        listed = values.get("categories")
        named = [self.category(str(name), "-") for name in (listed if isinstance(listed, list) else [])[: self.categories]]
        shown = _dated(self.dates, day)
        parts = {"date": shown or "", "slug": slug, "file": PurePosixPath(path).stem, "categories": "/".join(named)}
        if shown is None or re.search(r"[{}]", _POST_PARTS.sub("", self.form)):
            return path
        made = posixpath.normpath(_POST_PARTS.sub(lambda part: parts[part[1]], self.form).strip("/"))
        return path if made == ".." or made.startswith("../") else posixpath.join(self.folder, f"{made}.md")


def _dated(form: str, day: date) -> str | None:
    """A date as a form of numbers says; None for a form with words in it."""
    if "'" in form or any(part[0] not in _DATES for part in _DATE_PARTS.finditer(form)):
        return None
    return _DATE_PARTS.sub(lambda part: _DATES[part[0]](day), form)


def _title(values: Mapping[str, Any], body: str, path: str) -> str:
    first = _FIRST_LINE.match(body)
    return str(values.get("title") or "") or (first[1] or first[2] if first else PurePosixPath(path).stem.replace("-", " "))


@dataclass(frozen=True, slots=True)
class Plugins:
    """Those of a project that are followed."""

    languages: Languages | None = None
    blog: Blog | None = None
    told: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What every plugin is told."""

    def placed(self, path: str, head: Callable[[], str]) -> str:
        """The path whose address a page has; empty for a page that is not built."""
        if self.blog is not None and path.startswith(f"{self.blog.posts}/"):
            return self.blog.placed(path, head())
        if self.languages is None:
            return path
        code, plain = self.languages.split(path)
        if code and code not in self.languages.names:
            return ""
        return plain if code in ("", self.languages.default) else f"{code}/{plain}"

    def is_translated(self, path: str) -> bool:
        """Whether a page says its language; it takes the place of one that does not."""
        return self.languages is not None and bool(self.languages.split(path)[0])

    def editions(self, urls: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, str], Mapping[str, str]]]:
        """For each language its name, the addresses of its pages by the paths a navigation has, and titles in it."""
        if self.languages is None:
            yield "", urls, {}
            return
        for code, name in self.languages.names.items():
            own = {}
            for path, url in urls.items():
                said, plain = self.languages.split(path)
                if (said or self.languages.default) == code:
                    own[plain] = own[path] = url
            yield "" if code == self.languages.default else name, own, self.languages.titles.get(code, {})


NO_PLUGINS: Final = Plugins()


def plugin_settings(values: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """What each plugin of a project is told, by its name."""
    listed = values.get("plugins")
    entries = [listed] if isinstance(listed, dict) else listed if isinstance(listed, list) else []
    found: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        pairs = entry.items() if isinstance(entry, dict) else [(entry, {})]
        found.update((str(name).removeprefix("material/"), told if isinstance(told, dict) else {}) for name, told in pairs)
    return found


def plugins_of(values: Mapping[str, Any], slugify: Callable[[Any], Slugify]) -> Plugins:
    """What a project's plugins are told; `slugify` reads the name of a function."""
    found = plugin_settings(values)
    i18n, blog = found.get("i18n"), found.get("blog")
    return Plugins(
        _languages(i18n) if i18n is not None else None,
        _blog(blog, slugify) if blog is not None and blog.get("enabled") is not False else None,
        found,
    )


def _languages(told: Mapping[str, Any]) -> Languages | None:
    listed = told.get("languages")
    entries = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    known = {str(entry["locale"]): entry for entry in entries if isinstance(entry.get("locale"), str)}
    built = {code: str(entry.get("name") or code) for code, entry in known.items() if entry.get("build") is not False}
    default = next((code for code in built if known[code].get("default") is True), "")
    if not default:
        return None
    names = {default: built[default], **built}
    titles = {
        code: {str(key): str(value) for key, value in translations.items()}
        for code, entry in known.items() if isinstance(translations := entry.get("nav_translations"), dict)
    }  # fmt: skip
    return Languages(default, names, told.get("docs_structure") == "folder", titles)


def _blog(told: Mapping[str, Any], slugify: Callable[[Any], Slugify]) -> Blog:
    usual = Blog()

    def text(key: str, default: str) -> str:
        value = told.get(key)
        return value if isinstance(value, str) else default

    folder = text("blog_dir", usual.folder).strip("/")
    posts = text("post_dir", "{blog}/posts").replace("{blog}", folder)
    count = told.get("post_url_max_categories")
    return Blog(
        "" if folder == "." else folder,
        posixpath.normpath(posts).removeprefix("./"),
        text("post_url_format", usual.form),
        text("post_url_date_format", usual.dates),
        slugify(told["post_slugify"]) if told.get("post_slugify") else usual.slugify,
        text("post_slugify_separator", usual.separator),
        slugify(told["categories_slugify"]) if told.get("categories_slugify") else usual.category,
        count if isinstance(count, int) else usual.categories,
        told.get("draft") is True,
    )
