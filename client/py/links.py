"""The link policy: which address of an answer becomes a link, and exactly which address that is.

Whoever draws a link asks here and writes the returned address, never the one that came in: decoded first, checked after,
put together again from its checked pieces, so that no second parser can read it differently.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from .hosts import authority, is_host
from .limits import LINK_CHARACTERS

DECODINGS = 3
"""How often an address is decoded to see what hides in it."""

_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})
_INVISIBLE = re.compile(r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]")
_NUMERIC_ENTITY = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,8})|([0-9]{1,10}))")
_SCHEME = re.compile(r"[^/?#]*?:")
_PARTS = re.compile(r"([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
_WEB = re.compile(r"(https?)://([^/?#]+)([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL | re.IGNORECASE)
_MAIL = re.compile(r"mailto:([a-z0-9_+'~=-]+(?:\.[a-z0-9_+'~=-]+)*)@([a-z0-9.-]+)(\?subject=[^#&]*)?", re.IGNORECASE)
_SECOND_FIELD = re.compile(r"&\s*[\w-]+\s*=")
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_DOT = re.compile(r"\.|%2e", re.IGNORECASE)
_PATH_RAW = re.compile(r"[^\x00-\x20\"#<>?^`{}\x7f-\U0010ffff]")
_QUERY_RAW = re.compile(r"[^\x00-\x20\"#<>'\x7f-\U0010ffff]")
_ANCHOR_RAW = re.compile(r"[^\x00-\x20\"<>`\x7f-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Link:
    """An address that may be followed, in its one normal form."""

    href: str
    external: bool
    """It leads out of the site: another origin, or the same one outside the site root."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where the book is published, taken apart once."""

    scheme: str
    host: str
    """With its port, as in an address."""
    root: str
    """Path of the site with a slash at both ends."""

    @property
    def origin(self) -> str:
        """Scheme and host, as a browser compares them."""
        return f"{self.scheme}://{self.host}"

    @property
    def href(self) -> str:
        """The address of the site's root."""
        return self.origin + self.root


def safe_link(href: str, *, site: str, page: str | None = None, known: Container[str] | None = None) -> Link | None:
    """Return the link an address stands for, or None where it has to stay text.

    `site` is the address the book is published at, `page` the page that is open, `known` the paths the site has, relative
    to its root (`topology/compact/`); None leaves them unchecked. The result of a result is the same result.
    """
    place = read_site(site)
    address = href.strip(" ")
    if not address or _length(address, place) > LINK_CHARACTERS or not _is_plain(address):
        return None
    link = _resolve(address, place, page, known)
    return None if link is None or _length(link.href, place) > LINK_CHARACTERS else link


def safe_source(src: str, *, site: str, page: str | None = None) -> str | None:
    """Return the address an image is loaded from, or None: only the own site, whatever host is asked for."""
    link = safe_link(src, site=site, page=page)
    return None if link is None or link.external else link.href


@lru_cache(maxsize=16)
def read_site(site: str) -> Site:
    """Take the address of the site apart; it comes from the author, so a wrong one is an error."""
    match = _WEB.fullmatch(site.strip())
    if match is None:
        raise ValueError(f"site {site!r} is not an http address")
    scheme, host = match[1].lower(), match[2].lower()
    path = _encode("/".join(segment for segment in match[3].split("/") if segment), _PATH_RAW)
    return Site(scheme, authority(host, scheme) or host, f"/{path}/" if path else "/")


def _length(address: str, place: Site) -> int:
    """Count what is behind the site root, so that a path does not grow too long by being put under it."""
    return len(address) - (len(place.href) if address.startswith(place.href) else 0)


def _is_plain(address: str) -> bool:
    """Tell whether nothing hides in an address, however often it is decoded."""
    if not _is_visible(address) or (_scheme(address) or "http") not in {"http", "https", "mailto"}:
        return False
    own = _scheme(address)
    forms = [address]
    for _ in range(DECODINGS):
        if any(not _is_visible(chr(code)) for code in _numeric_entities(forms[-1])):
            return False
        forms.append(html.unescape(forms[-1]))
        forms.append(unquote(forms[-1]))
    folded = [unicodedata.normalize("NFKC", form) for form in forms]
    return all(map(_is_visible, forms)) and all(_scheme(form) == own for form in (*forms, *folded))


def _numeric_entities(text: str) -> list[int]:
    """Return the code points of numeric entities; the decoder drops those that stand for nothing visible."""
    codes = (int(hexadecimal, 16) if hexadecimal else int(decimal) for hexadecimal, decimal in _NUMERIC_ENTITY.findall(text))
    return [code if 0 < code < 0x110000 else 0 for code in codes]


def _is_visible(text: str) -> bool:
    """Tell whether a text has no character that a reader cannot see or a browser drops."""
    if "\\" in text or "\ufffd" in text:
        return False
    if text.isascii():
        return text.isprintable()
    return not _INVISIBLE.search(text) and not any(
        unicodedata.category(char) in _FORBIDDEN_CATEGORIES for char in text if char != " "
    )


def _scheme(address: str) -> str | None:
    """Return what stands before a colon that comes before any slash, question mark or hash."""
    match = _SCHEME.match(address)
    return None if match is None else match[0][:-1].lower()


def _resolve(address: str, place: Site, page: str | None, known: Container[str] | None) -> Link | None:
    """Send an address without hidden parts the way of its kind."""
    scheme = _scheme(address)
    if scheme == "mailto":
        return _mail(address)
    if scheme is not None:
        return _web(address, place, known)
    if address.startswith("//"):
        return _web(f"https:{address}", place, known)
    if address.startswith("#"):
        return _anchor(address, place, page)
    return _path(address, place, known)


def _mail(address: str) -> Link | None:
    """Allow one plain receiver and a subject that carries no further header."""
    match = _MAIL.fullmatch(address)
    if match is None or not is_host(match[2].lower()):
        return None
    subject = match[3] or ""
    decoded = subject
    for _ in range(DECODINGS):
        decoded = unquote(html.unescape(decoded))
        if _SECOND_FIELD.search(decoded):
            return None
    return Link(f"mailto:{match[1]}@{match[2]}{_encode(subject, _QUERY_RAW)}", external=True)


def _web(address: str, place: Site, known: Container[str] | None) -> Link | None:
    """Check an address with a host of its own; one of the site itself is an internal link."""
    match = _WEB.fullmatch(address)
    if match is None:
        return None
    scheme, named = match[1].lower(), match[2].lower()
    host = named if named == place.host and scheme == place.scheme else authority(named, scheme)
    if host is None:
        return None
    origin, path = f"{scheme}://{host}", _encode(_resolved(match[3]), _PATH_RAW) or "/"
    tail = _tail(match[4], match[5])
    if origin != place.origin or not f"{path}/".startswith(place.root):
        return Link(origin + path + tail, external=True)
    return _inside(path, tail, place, known)


def _anchor(address: str, place: Site, page: str | None) -> Link | None:
    """Put an anchor on the open page, or on the start of the site."""
    if address == "#":
        return None
    base = safe_link(page, site=place.href) if page else Link(place.href, external=False)
    return base and Link(base.href.partition("#")[0] + _encode(address, _ANCHOR_RAW), base.external)


def _path(address: str, place: Site, known: Container[str] | None) -> Link | None:
    """Put a path under the site root, unless it already begins with it."""
    match = _PARTS.fullmatch(address)
    if match is None or not match[1]:
        return None
    path = match[1].removeprefix("/")
    if f"/{path}/".startswith(place.root):
        path = f"/{path}/"[len(place.root) : -1]
    inner = _climbed(path)
    return None if inner is None else _inside(place.root + _encode(inner, _PATH_RAW), _tail(match[2], match[3]), place, known)


def _inside(path: str, tail: str, place: Site, known: Container[str] | None) -> Link | None:
    """Allow an own address that stays under the site root however it is decoded, and that the book knows."""
    inner = path[len(place.root) :]
    for _ in range(DECODINGS):
        inner = unquote(inner)
        if _climbed(inner) is None:
            return None
    if known is not None and not _is_known(path[len(place.root) :], place, known):
        return None
    return Link(place.origin + path + tail, external=False)


def _is_known(path: str, place: Site, known: Container[str]) -> bool:
    """Look a path up under the forms it may be written in: with or without its last slash, encoded or not."""
    if not path:
        return True
    stem = path.removesuffix("index.html").removesuffix("/")
    spellings = {spelling for form in (path, stem, f"{stem}/", f"{stem}/index.html") for spelling in (form, unquote(form))}
    return any(form in known for spelling in spellings for form in (spelling, f"/{spelling}", place.root + spelling))


def _climbed(path: str) -> str | None:
    """Resolve dot segments of a path below the site root; None where it climbs out of it."""
    depth = 0
    for segment in path.split("/"):
        plain = _DOT.sub(".", segment)
        depth += 0 if plain == "." else -1 if plain == ".." else 1
        if depth < 0:
            return None
    return _resolved(path)


def _resolved(path: str) -> str:
    """Resolve dot segments, `%2e` included, as browsers do: none climbs above the first segment."""
    kept: list[str] = []
    *folders, last = path.split("/")
    lead = bool(path.startswith("/"))
    for segment in folders:
        plain = _DOT.sub(".", segment)
        if plain == "..":
            del kept[max(len(kept) - 1, lead) :]
        elif plain != ".":
            kept.append(segment)
    plain = _DOT.sub(".", last)
    if plain == "..":
        del kept[max(len(kept) - 1, lead) :]
    return "/".join([*kept, "" if plain in {".", ".."} else last])


def _tail(query: str | None, anchor: str | None) -> str:
    """Encode query and anchor."""
    return _encode(query or "", _QUERY_RAW) + _encode(anchor or "", _ANCHOR_RAW)


def _encode(text: str, raw: re.Pattern[str]) -> str:
    """Percent-encode as UTF-8 what a browser would; what is encoded stays as it is, a lone percent sign does not."""
    whole = _LONE_PERCENT.sub("%25", text)
    return "".join(char if raw.match(char) else _percent(char) for char in whole)


def _percent(char: str) -> str:
    """Write one character as percent-encoded UTF-8."""
    return "".join(f"%{byte:02X}" for byte in char.encode())


Policy = Callable[[str], Link | None]
"""The link policy with its site, page and known paths filled in."""
