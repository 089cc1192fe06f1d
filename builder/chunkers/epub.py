"""EPUB files into pages: the spine in order, each document read as HTML; an address is a file of the package and an id in it."""

from __future__ import annotations

import lzma
import posixpath
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile, ZipInfo

from askbook.builder.blocks import NavEntry
from askbook.builder.files import PAGE_BYTES, decode
from askbook.core.errors import ContentError

UNPACKING: Final = (
    OSError, BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError, zlib.error, lzma.LZMAError,
)  # fmt: skip
"""What `zipfile` raises where a member is damaged, encrypted, or packed in a way it does not know."""
BOOK_BYTES: Final = 600_000_000
"""All that a book may unpack to."""
RATIO: Final = 200
"""How much larger a file may be unpacked than packed, when it is large at all."""
_LARGE: Final = 2_000_000
_OBFUSCATION = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Fonts only; the text stays open."""
_EMPTY_TAG = re.compile(r"<([A-Za-z][\w:-]*)((?:\"[^\"]*\"|'[^']*'|[^<>\"'])*?)/>")
_VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"])
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")


@dataclass(frozen=True, slots=True)
class Epub:
    """What the package says of itself."""

    title: str
    lang: str
    authors: tuple[str, ...]
    pages: tuple[str, ...]
    """Members of the file in reading order."""
    nav: tuple[NavEntry, ...]


class EpubFile:
    """An EPUB file that has been checked; raises ContentError where it cannot be read."""

    def __init__(self, path: Path, shown: str) -> None:
        self._shown = shown
        try:
            self._zip = ZipFile(path)
        except (OSError, BadZipFile, NotImplementedError, ValueError) as wrong:  # the third for a version of zip yet unknown
            raise ContentError(f"is no EPUB file: {wrong}", file=shown, line=1) from None
        self._members = {info.filename: info for info in self._zip.infolist()}
        self._check()

    def _check(self) -> None:
        total = 0
        for info in self._members.values():
            if info.flag_bits & 1:
                raise ContentError(f"is encrypted: {info.filename!r} needs a password", file=self._shown, line=1)
            if info.filename.startswith(("/", "\\")) or ".." in info.filename.replace("\\", "/").split("/"):
                raise ContentError(f"holds a path outside the book: {info.filename!r}", file=self._shown, line=1)
            total += info.file_size
            if info.file_size > _LARGE and info.file_size > RATIO * max(info.compress_size, 1):
                raise ContentError(
                    f"unpacks {info.filename!r} to {info.file_size:,} bytes out of {info.compress_size:,}: a zip bomb",
                    file=self._shown,
                    line=1,
                )
        if total > BOOK_BYTES:
            raise ContentError(f"unpacks to {total:,} bytes, more than {BOOK_BYTES:,}", file=self._shown, line=1)
        if "META-INF/encryption.xml" in self._members:
            self._check_encryption()

    def _check_encryption(self) -> None:
        for element in self._xml("META-INF/encryption.xml").iter():
            if element.tag.endswith("}EncryptionMethod") and element.get("Algorithm") not in _OBFUSCATION:
                raise ContentError("is encrypted (DRM): its text cannot be read", file=self._shown, line=1)

    def read(self, name: str) -> str:
        """The text of a member."""
        info = self._members.get(name)
        if info is None:
            raise ContentError(f"lacks {name!r}, which it lists", file=self._shown, line=1)
        return decode(self._bytes(info), f"{self._shown}/{name}")

    def data(self, name: str) -> bytes:
        """The bytes of a member."""
        return self._bytes(self._members[name])

    def _bytes(self, info: ZipInfo) -> bytes:
        if info.file_size > PAGE_BYTES:
            raise ContentError(
                f"{info.filename!r} is {info.file_size:,} bytes long, more than {PAGE_BYTES:,}", file=self._shown, line=1
            )
        try:
            with self._zip.open(info) as member:
                data = member.read(PAGE_BYTES + 1)
        except UNPACKING as wrong:
            raise ContentError(f"{info.filename!r} cannot be unpacked: {wrong}", file=self._shown, line=1) from None
        if len(data) > PAGE_BYTES:
            raise ContentError(f"{info.filename!r} is longer than it says", file=self._shown, line=1)
        return data

    def _xml(self, name: str) -> ElementTree.Element:
        if name not in self._members:
            raise ContentError(f"is no EPUB file: it has no {name}", file=self._shown, line=1)
        try:
            return ElementTree.fromstring(self._bytes(self._members[name]))
        except (ElementTree.ParseError, ValueError) as wrong:
            line = getattr(wrong, "position", (0, 0))[0]
            raise ContentError(f"{name} is no XML: {wrong}", file=self._shown, line=line) from None

    def package(self) -> Epub:
        """Read the package: title, language, spine, navigation."""
        container = self._xml("META-INF/container.xml")
        opf = next((found.get("full-path") or "" for found in container.iter() if found.tag.endswith("}rootfile")), "")
        if not opf:
            raise ContentError("is no EPUB file: META-INF/container.xml names no package", file=self._shown, line=1)
        package = self._xml(opf)
        base = posixpath.dirname(opf)
        manifest: dict[str, tuple[str, str, str]] = {}
        for item in _named(package, "item"):
            href = posixpath.normpath(posixpath.join(base, unquote(item.get("href") or "")))
            manifest[item.get("id") or ""] = (href, item.get("media-type") or "", item.get("properties") or "")
        nav_file = next((href for href, _, properties in manifest.values() if "nav" in properties.split()), "")
        spine = [manifest[ref] for itemref in _named(package, "itemref") if (ref := itemref.get("idref") or "") in manifest]
        pages = [href for href, kind, _ in spine if "html" in kind and href != nav_file]
        for href in pages:
            if href.startswith(("../", "/")):
                raise self._in_package(opf, href, f"lists {href!r}, a path outside the book")
            if href not in self._members:
                raise self._in_package(opf, href, f"lacks {href!r}, which its spine lists")
        if not pages:
            raise ContentError("holds no page: its spine lists none", file=f"{self._shown}/{opf}", line=1)
        nav = self._nav(nav_file) if nav_file in self._members else self._ncx(manifest)
        return Epub(
            _text(package, "title"),
            _text(package, "language"),
            tuple(_texts(package, "creator")),
            tuple(dict.fromkeys(pages)),
            nav,
        )

    def _in_package(self, opf: str, href: str, reason: str) -> ContentError:
        """A fault of what the package lists, at the line where it does."""
        lines = self._bytes(self._members[opf]).decode("utf-8", "replace").split("\n")
        name = posixpath.basename(href)
        line = next((number for number, text in enumerate(lines, 1) if name in unquote(text)), 1)
        return ContentError(reason, file=f"{self._shown}/{opf}", line=line)

    def _nav(self, name: str) -> tuple[NavEntry, ...]:
        root = self._xml(name)
        for nav in _named(root, "nav"):
            if (nav.get("{http://www.idpf.org/2007/ops}type") or "toc") == "toc":
                listed = next(iter(_named(nav, "ol")), None)
                return tuple(_nav_entries(listed, posixpath.dirname(name))) if listed is not None else ()
        return ()

    def _ncx(self, manifest: dict[str, tuple[str, str, str]]) -> tuple[NavEntry, ...]:
        name = next((href for href, kind, _ in manifest.values() if kind == "application/x-dtbncx+xml"), "")
        if name not in self._members:
            return ()
        root = next(iter(_named(self._xml(name), "navMap")), None)
        return tuple(_ncx_entries(root, posixpath.dirname(name))) if root is not None else ()


def as_html(source: str) -> str:
    """XHTML as an HTML parser understands it: no declaration, no empty elements written short."""
    source = _DECLARATION.sub("", source)
    return _EMPTY_TAG.sub(lambda tag: tag[0] if tag[1].lower() in _VOID else f"<{tag[1]}{tag[2]}></{tag[1]}>", source)


def page_url(member: str) -> str:
    """The address of a member."""
    return quote(member)


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _named(root: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    return (element for element in root.iter() if _local(element) == name)


def _texts(root: ElementTree.Element, name: str) -> Iterator[str]:
    return (text for element in _named(root, name) if (text := " ".join("".join(element.itertext()).split())))


def _text(root: ElementTree.Element, name: str) -> str:
    return next(_texts(root, name), "")


def _target(base: str, href: str) -> str:
    path = unquote(href.partition("#")[0])
    return page_url(posixpath.normpath(posixpath.join(base, path))) if path else ""


def _nav_entries(listed: ElementTree.Element, base: str) -> Iterator[NavEntry]:
    """A list of links; entries that lead into a page already named are its headings, not pages."""
    for item in listed:
        if _local(item) != "li":
            continue
        link = next((child for child in item if _local(child) in ("a", "span")), None)
        below = next((child for child in item if _local(child) == "ol"), None)
        title = " ".join("".join(link.itertext()).split()) if link is not None else ""
        yield _entry(title, _target(base, link.get("href") or "") if link is not None else "", below, base, _nav_entries)


def _ncx_entries(parent: ElementTree.Element, base: str) -> Iterator[NavEntry]:
    for point in parent:
        if _local(point) != "navPoint":
            continue
        content = next((child for child in point if _local(child) == "content"), None)
        title = _text(point, "text")
        yield _entry(title, _target(base, content.get("src") or "") if content is not None else "", point, base, _ncx_entries)


def _entry(title: str, page: str, below: ElementTree.Element | None, base: str, read: object) -> NavEntry:
    children = tuple(read(below, base)) if below is not None and callable(read) else ()
    return NavEntry(title, page, tuple(child for child in children if child.page != page or child.children))
