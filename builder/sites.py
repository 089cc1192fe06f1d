"""What of a built site is the book's."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Final

from .files import head_of

_SITE_ONLY: Final = frozenset(
    ("404.html", "search.html", "genindex.html", "py-modindex.html", "print.html", "toc.html", "searchindex.html")
)
"""Pages of a built site that are not the book's."""
_FOLDERS: Final = ("assets/", "_static/", "_sources/")
_MARKS: Final = ("sitemap.xml", "search/search_index.json", "searchindex.js", "objects.inv", "hashmap.json")
"""What generators put beside pages."""
_LISTS: Final = ("SUMMARY.md", "_sidebar.md", "sidebar.md")
"""What tells a script that shows Markdown in one page, as docsify, which pages there are."""
_UNREAD: Final = re.compile(r"<!--.*?(?:-->|\Z)|<noscript\b.*?(?:</noscript\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_LEADS_ON: Final = re.compile(r"""<meta\b(?=[^>]*\bhttp-equiv\s*=\s*["']?refresh)[^>]*\burl\s*=""", re.IGNORECASE)
_MAIN: Final = re.compile(r"""<(?:main|article)\b[^>]*>|<[a-z]+\b[^>]*\brole\s*=\s*["']?main\b[^>]*>""", re.IGNORECASE)
_TAG: Final = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)


def is_built(root: Path, htmls: list[str]) -> bool:
    """A site that a generator built carries its own marks beside copies of its sources."""
    if "index.html" not in htmls:
        return False
    if any((root / mark).exists() for mark in _MARKS):
        return True
    return (root / "404.html").exists() and not any((root / name).exists() for name in _LISTS)


def is_page(path: str) -> bool:
    """Whether a file of a site is a page of the book, by its path."""
    return posixpath.basename(path) not in _SITE_ONLY and not path.startswith(_FOLDERS)


def leads_on(file: Path) -> bool:
    """Whether a page only sends its reader to another: it says where to, and has no main part with words in it."""
    head = head_of(file)
    if "http-equiv" not in head.lower() or not _LEADS_ON.search(_UNREAD.sub(" ", head)):
        return False
    page = _UNREAD.sub(" ", file.read_text("utf-8", "replace"))
    main = _MAIN.search(page)
    return main is None or not _TAG.sub(" ", page[main.end() :]).strip()
