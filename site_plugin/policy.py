"""A Content-Security-Policy for one page: what the page itself runs and loads, and what the assistant needs."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from html.parser import HTMLParser
from urllib.parse import urlsplit

_SCRIPT_TYPES = frozenset({"", "module", "text/javascript", "application/javascript", "importmap", "speculationrules"})
_LOADS = {
    "script": ("src", "script-src"), "img": ("src", "img-src"), "source": ("src", "media-src"), "video": ("src", "media-src"),
    "audio": ("src", "media-src"), "iframe": ("src", "frame-src"), "embed": ("src", "object-src"),
}  # fmt: skip
_CHARSET = re.compile(r"<meta\s[^>]*charset[^>]*>", re.I)
_HEAD = re.compile(r"<head(?:\s[^>]*)?>", re.I)
_OLD = re.compile(r'\n<meta http-equiv="Content-Security-Policy" data-askbook content="[^"]*">')

LOOPBACK = ("http://localhost:*", "http://127.0.0.1:*")
"""Where a reader's own model server listens."""

_ORDER = (
    "default-src", "script-src", "style-src", "img-src", "font-src", "media-src", "connect-src", "worker-src", "frame-src",
    "object-src", "base-uri", "form-action", "require-trusted-types-for", "trusted-types",
)  # fmt: skip


@dataclass(slots=True)
class Needs:
    """What pages run and load, by directive."""

    sources: dict[str, set[str]] = field(default_factory=dict)

    def add(self, directive: str, source: str) -> None:
        """Note one source."""
        self.sources.setdefault(directive, set()).add(source)

    def merge(self, other: Needs) -> None:
        """Take in what another page needs: under instant navigation one policy serves many pages."""
        for directive, found in other.sources.items():
            self.sources.setdefault(directive, set()).update(found)


class _Finder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.needs = Needs()
        self._script: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        for name, value in given.items():
            if name.startswith("on") and value:
                self.needs.add("script-src", "'unsafe-hashes'")
                self.needs.add("script-src", source_hash(value))
        if tag in _LOADS:
            self._load(given.get(_LOADS[tag][0], ""), _LOADS[tag][1])
        if tag == "img":
            for candidate in given.get("srcset", "").split(","):
                self._load(candidate.strip().split(" ")[0], "img-src")
        if tag == "link":
            self._link(given)
        if tag == "script" and "src" not in given and given.get("type", "").strip().lower() in _SCRIPT_TYPES:
            self._script = []

    def _link(self, given: Mapping[str, str]) -> None:
        rel = given.get("rel", "").lower().split()
        if "stylesheet" in rel:
            self._load(given.get("href", ""), "style-src")
            if "fonts.googleapis.com" in given.get("href", ""):
                self.needs.add("font-src", "https://fonts.gstatic.com")
        elif "icon" in rel:
            self._load(given.get("href", ""), "img-src")
        elif "modulepreload" in rel:
            self._load(given.get("href", ""), "script-src")

    def _load(self, address: str, directive: str) -> None:
        parts = urlsplit(address.strip())
        if parts.scheme in ("http", "https") or (not parts.scheme and parts.netloc):
            self.needs.add(directive, f"{parts.scheme or 'https'}://{parts.netloc}")
        elif parts.scheme in ("data", "blob"):
            self.needs.add(directive, f"{parts.scheme}:")

    def handle_data(self, data: str) -> None:
        if self._script is not None:
            self._script.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._script is not None:
            self.needs.add("script-src", source_hash("".join(self._script)))
            self._script = None


def source_hash(script: str) -> str:
    """The source expression that allows one inline script."""
    normal = script.replace("\r\n", "\n").replace("\r", "\n")
    return f"'sha256-{b64encode(sha256(normal.encode()).digest()).decode()}'"


def page_needs(page: str) -> Needs:
    """Find what a page runs and loads."""
    finder = _Finder()
    finder.feed(page)
    finder.close()
    return finder.needs


def policy_text(
    needs: Needs, *, connect: Sequence[str] = (), extra: Mapping[str, str] | None = None, trusted_types: bool = False
) -> str:
    """Write the policy; always in the same order."""
    sources: dict[str, list[str]] = {
        "default-src": ["'self'"],
        "script-src": ["'self'", "'wasm-unsafe-eval'"],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'", "data:"],
        "media-src": ["'self'"],
        "connect-src": ["'self'", *(connect or (*LOOPBACK, "https:"))],
        "worker-src": ["'self'"],
        "frame-src": ["'self'"],
        "object-src": [],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
    }
    for directive, found in needs.sources.items():
        _extend(sources.setdefault(directive, []), sorted(found))
    for directive, value in (extra or {}).items():
        _extend(sources.setdefault(directive, []), value.split())
    if trusted_types:
        sources["require-trusted-types-for"] = ["'script'"]
    order = [*_ORDER, *sorted(set(sources) - set(_ORDER))]
    return "; ".join(f"{name} {' '.join(sources[name]) or _NONE}" for name in order if name in sources)


_NONE = "'none'"


def _extend(there: list[str], more: Iterable[str]) -> None:
    there.extend(source for source in more if source not in there)


def add_policy(page: str, policy: str) -> str:
    """Write a policy into a page's head, in place of an earlier one of ours."""
    page = _OLD.sub("", page)
    head = _HEAD.search(page)
    if head is None:
        return page
    charset = _CHARSET.search(page, head.end(), head.end() + 1024)
    place = charset.end() if charset else head.end()
    content = escape(policy, quote=False).replace('"', "&quot;")
    meta = f'<meta http-equiv="Content-Security-Policy" data-askbook content="{content}">'
    return f"{page[:place]}\n{meta}{page[place:]}"
