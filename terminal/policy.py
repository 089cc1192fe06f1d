"""Read a site's Content-Security-Policy as a browser does, and say what the assistant lacks under it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final
from urllib.parse import urlsplit

Policy = dict[str, tuple[str, ...]]
"""Directive to its sources, in lower case but for paths."""

FALLBACK: Final = {
    "script-src": ("script-src", "default-src"),
    "worker-src": ("worker-src", "child-src", "script-src", "default-src"),
    "connect-src": ("connect-src", "default-src"),
}
"""Where a browser looks when a directive is absent, in this order."""

_META = re.compile(r"<meta\s[^>]*http-equiv=[\"']?content-security-policy[\"']?[^>]*>", re.IGNORECASE)
_HOST_PORT = re.compile(r"(\[[^\]]*\]|[^:]*)(?::(\d+|\*))?")
_CONTENT = re.compile(r"content=(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)


def parse(text: str) -> Policy:
    """Split one policy; of a directive given twice the first counts, as in browsers."""
    found: Policy = {}
    for part in text.split(";"):
        name, *sources = part.split() or [""]
        if name:
            found.setdefault(name.lower(), tuple(sources))
    return found


def policies(header: str, page: str) -> list[Policy]:
    """All policies in force: those of the header, a comma between them, and those of the page's meta elements."""
    texts = [text for text in header.split(",") if text.strip()]
    for tag in _META.findall(page):
        content = _CONTENT.search(tag)
        texts.append(unescape(content[1] or content[2] or "") if content else "")
    return [policy for policy in map(parse, texts) if policy]


def lacks(policy: Policy, *, site: str, endpoint: str = "") -> Iterator[str]:
    """Say, in one sentence each, what the assistant of `site` may not do under this policy."""
    script = _sources(policy, "script-src")
    if not _allows(script, site, site):
        yield "script-src does not allow the site's own scripts: add 'self'"
    if script is not None and not {"'wasm-unsafe-eval'", "'unsafe-eval'"} & set(script):
        yield "script-src does not allow WebAssembly, so Python cannot start: add 'wasm-unsafe-eval'"
    if not _allows(_sources(policy, "worker-src"), site, site):
        yield "worker-src does not allow the site's own worker: add 'self'"
    connect = _sources(policy, "connect-src")
    if not _allows(connect, site, site):
        yield "connect-src does not allow the site's own index: add 'self'"
    if endpoint and not _allows(connect, endpoint, site):
        yield f"connect-src does not allow the endpoint: add {origin(endpoint)}"


def origin(address: str) -> str:
    """Scheme, host and port of an address."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _host_and_port(source: str) -> tuple[str, str]:
    found = _HOST_PORT.fullmatch(source)
    return (found[1].strip("[]"), found[2] or "") if found else (source, "")


def _sources(policy: Policy, directive: str) -> tuple[str, ...] | None:
    """What a directive allows; None where nothing restricts it."""
    return next((policy[name] for name in FALLBACK[directive] if name in policy), None)


def _allows(sources: Sequence[str] | None, address: str, site: str) -> bool:
    return sources is None or any(_matches(source, address, site) for source in sources)


def _matches(source: str, address: str, site: str) -> bool:
    """Whether a source covers an address, by the rules for hosts and schemes (paths are not looked at)."""
    wanted = urlsplit(address)
    if source == "*":
        return wanted.scheme in ("http", "https")
    if source.lower() == "'self'":
        return origin(address) == origin(site)
    if source.startswith("'"):
        return False
    if source.endswith(":"):
        return source.lower() == f"{wanted.scheme}:"
    scheme, _, rest = source.rpartition("://")
    host, port = _host_and_port(rest.partition("/")[0])
    fits_scheme = not scheme or scheme == wanted.scheme or (scheme, wanted.scheme) == ("http", "https")
    name = wanted.hostname or ""
    fits_host = name.endswith(host[1:]) and name != host[2:] if host.startswith("*.") else host in ("*", name)
    standard = {"http": 80, "https": 443}.get(wanted.scheme)
    fits_port = port == "*" or (int(port) if port.isdigit() else standard) == (wanted.port or standard)
    return fits_scheme and fits_host and fits_port
