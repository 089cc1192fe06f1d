"""Heading ids as site generators make them, when there is no built page to read them from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Final, Literal

Slugify = Callable[[str, str], str]
"""(text, separator) → id, before it is made unique."""

_WORDS = re.compile(r"[^\w\s-]")
_COUNTED = re.compile(r"^(.*)_([0-9]+)$")
_PYMDOWN_TAG = re.compile(r"</?[^>]*>")
"""What it takes for a tag, as in the code `Option<T>`."""
_PYMDOWN_DROPPED = re.compile(r"[^\w\- ]")
_FORMS: Final[dict[str, Literal["NFC", "NFD", "NFKC", "NFKD"]]] = {"NFC": "NFC", "NFD": "NFD", "NFKC": "NFKC", "NFKD": "NFKD"}
_GITHUB_DROPPED = re.compile(r"[^\w\- ]")


def markdown_slug(text: str, separator: str = "-") -> str:
    """Python-Markdown's default: what is not ASCII is dropped, so `中文标题` gives the empty id."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return _separated(plain, separator)


def markdown_slug_unicode(text: str, separator: str = "-") -> str:
    """Python-Markdown's `slugify_unicode`."""
    return _separated(unicodedata.normalize("NFKC", text), separator)


def _separated(text: str, separator: str) -> str:
    text = _WORDS.sub("", text).strip().lower()
    return re.sub(rf"[{re.escape(separator)}\s]+", lambda _: separator, text)


def pymdown_slug(text: str, separator: str = "-", *, case: str = "none", normalize: str = "NFC", encode: bool = False) -> str:
    """`pymdownx.slugs.slugify`: letters of every script stay, each space becomes a separator."""
    from urllib.parse import quote

    slug = _PYMDOWN_TAG.sub("", unicodedata.normalize(_FORMS.get(normalize, "NFC"), text)).strip()
    if case == "lower":
        slug = slug.lower()
    elif case == "fold":
        slug = slug.casefold()
    elif case == "lower-ascii":
        slug = re.sub("[A-Z]+", lambda found: found[0].lower(), slug)
    slug = _PYMDOWN_DROPPED.sub("", slug).replace(" ", separator)
    return quote(slug.encode("utf-8")) if encode else slug


def github_slug(text: str, separator: str = "-") -> str:
    """github-slugger, as mdBook, Docusaurus and most JavaScript generators come close to."""
    return _GITHUB_DROPPED.sub("", text.strip().lower()).replace(" ", separator)


_VITEPRESS_DROPPED = re.compile(r"[\u0300-\u036f\0-\x1f]")
_VITEPRESS_JOINTS = re.compile(r"""[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:"'“”‘’<>,.?/]+""")


def vitepress_slug(text: str, separator: str = "-") -> str:
    """VitePress: signs become one dash, marks of letters go, a figure at the start gets an underscore before it."""
    plain = _VITEPRESS_DROPPED.sub("", unicodedata.normalize("NFKD", text))
    joined = _VITEPRESS_JOINTS.sub(separator, plain).strip(separator).lower()
    return f"_{joined}" if joined[:1].isdecimal() and joined[0].isascii() else joined


SLUGIFIERS: Final[dict[str, Slugify]] = {
    "markdown.extensions.toc.slugify": markdown_slug,
    "markdown.extensions.toc.slugify_unicode": markdown_slug_unicode,
    "pymdownx.slugs.slugify": pymdown_slug,
    "pymdownx.slugs.uslugify": partial(pymdown_slug, case="lower"),
    "pymdownx.slugs.uslugify_cased": pymdown_slug,
    "pymdownx.slugs.gfm": partial(pymdown_slug, case="lower-ascii"),
    "github": github_slug,
    "vitepress": vitepress_slug,
}
"""By the name an author's configuration gives them."""


def unique(slug: str, taken: set[str]) -> str:
    """Make an id unlike those taken, as Python-Markdown does: `a`, `a_1`, `a_2`; an empty one becomes `_1`."""
    while slug in taken or not slug:
        counted = _COUNTED.match(slug)
        slug = f"{counted[1]}_{int(counted[2]) + 1}" if counted else f"{slug}_1"
    taken.add(slug)
    return slug


class Slugger:
    """Gives the headings of one page their ids, in order."""

    def __init__(self, slugify: Slugify = markdown_slug, separator: str = "-", *, dashed: bool = False) -> None:
        self._slugify = slugify
        self._separator = separator
        self._dashed = dashed
        self._taken: set[str] = set()
        self._hits: dict[str, int] = {}

    def reserve(self, anchor: str) -> None:
        """Note an id the page has anyway."""
        self._taken.add(anchor)

    def __call__(self, text: str) -> str:
        """Return the id of the next heading."""
        slug = self._slugify(text, self._separator)
        if self._dashed:
            slug = self._count_on(slug, "-", empty=True)
            self._taken.add(slug)
            return slug
        return unique(slug if _COUNTED.match(slug) else self._count_on(slug, "_", empty=False), self._taken)

    def _count_on(self, slug: str, sign: str, *, empty: bool) -> str:
        """Count from where the last equal heading left off: ten thousand equal headings must not take quadratic time."""
        count = self._hits.get(slug, 0)
        while (f"{slug}{sign}{count}" if count else slug) in self._taken or not (slug or count or empty):
            count += 1
        self._hits[slug] = count
        return f"{slug}{sign}{count}" if count else slug
