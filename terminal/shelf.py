"""Read indexes from where a person says they are: an index file, a folder of them, or a site's address."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx

from askbook.core.errors import IndexFormatError
from askbook.core.index import Index, load

MANIFEST = "books.json"
FOLDER = "ai-index"
"""Where the plugin puts the indexes of a site."""
PAGES = (".html", ".htm")
"""How the address of a site's page may end."""
SECONDS = 30.0

Read = Callable[[str], bytes]
"""Return the bytes under a name; raise FileNotFoundError."""


def read_shelf(where: str) -> list[Index]:
    """Read every book at `where`; raise IndexFormatError with what to do when there is none."""
    try:
        return _from_site(where) if is_address(where) else _from_disk(Path(where), where)
    except OSError as wrong:
        raise IndexFormatError(f"{where!r} cannot be read: {wrong.strerror or wrong}") from None


def is_address(where: str) -> bool:
    """Whether books are looked for over HTTP; raise IndexFormatError for an address nobody can read."""
    if not where.lower().startswith(("http://", "https://")):
        return False
    try:
        urljoin(where, MANIFEST)
    except ValueError as wrong:
        raise IndexFormatError(f"{where!r} is no address: {wrong}") from None
    return True


def _from_disk(path: Path, where: str) -> list[Index]:
    if path.is_file():
        return [_load(_reader(path.parent), path.name)]
    if not path.exists():
        raise IndexFormatError(f"there is no {where!r}: give an index file, a folder of indexes or a site's address")
    for folder in (path, path / FOLDER):
        if (folder / MANIFEST).is_file():
            return _from_manifest(_reader(folder), MANIFEST)
        loose = [file for file in sorted(folder.glob("*.json")) if is_index(file)]
        if loose:
            return [_load(_reader(folder), file.name) for file in loose]
    raise IndexFormatError(f"{where!r} holds no index: make one with build-ai-index SOURCE --out {where}")


def is_index(file: Path) -> bool:
    """Whether a file says in its first bytes that it is an index."""
    with file.open("rb") as opened:
        return b'"askbook-index/' in opened.read(200)


def site_root(where: str) -> str:
    """The path a site is published under, with slashes at both ends: what the addresses of its cards are put behind."""
    if not is_address(where):
        return "/"
    parts = urlsplit(where)
    path = parts.path.partition(f"/{FOLDER}/")[0] if f"/{FOLDER}/" in parts.path else parts.path
    path = path.rsplit("/", 1)[0] if path.endswith((".html", ".json")) else path
    return "/" + path.strip("/") + "/" if path.strip("/") else "/"


def _reader(folder: Path) -> Read:
    inside = folder.resolve()

    def read(name: str) -> bytes:
        file = (inside / name).resolve()
        if not file.is_relative_to(inside):
            raise IndexFormatError(f"{name!r} lies outside {folder}: the manifest is not one of ours")
        return file.read_bytes()

    return read


def _load(read: Read, name: str) -> Index:
    """Read an index and the side files it names."""
    try:
        index = load(read(name))
        for side in index.sides:
            index.attach(side, read(side))
    except IndexFormatError as wrong:
        raise IndexFormatError(f"{name}: {wrong}") from None
    except (FileNotFoundError, IsADirectoryError) as missing:
        raise IndexFormatError(f"{name} names a file that is not there ({missing.filename}): build the book again") from None
    return index


def _from_manifest(read: Read, name: str) -> list[Index]:
    try:
        manifest = json.loads(read(name))
        files = [str(book["file"]) for book in manifest["books"]]
    except (ValueError, KeyError, TypeError) as wrong:
        raise IndexFormatError(f"{name} is damaged ({type(wrong).__name__}: {wrong}): build the books again") from None
    return [_load(read, file) for file in files]


def _from_site(where: str) -> list[Index]:
    """Read the indexes of a published site; the address may be the site's, the folder's or an index file's."""
    with httpx.Client(timeout=SECONDS, follow_redirects=True) as client:

        def read_under(base: str) -> Read:
            def read(name: str) -> bytes:
                try:
                    answer = client.get(urljoin(base, name))
                except (httpx.HTTPError, httpx.InvalidURL, ValueError) as wrong:
                    raise IndexFormatError(f"{urljoin(base, name)} cannot be reached: {wrong or type(wrong).__name__}") from None
                if answer.status_code == 404:
                    raise FileNotFoundError(2, "not found", urljoin(base, name))
                if answer.status_code != 200:
                    raise IndexFormatError(f"{urljoin(base, name)} answers with status {answer.status_code}")
                return answer.content

            return read

        if where.endswith(".json") and not where.endswith("/" + MANIFEST):
            base, _, name = where.rpartition("/")
            return [_load(read_under(base + "/"), name)]
        base = where.rpartition("/")[0] if where.endswith(PAGES) else where.removesuffix(MANIFEST)
        base = base if base.endswith("/") else base + "/"
        for folder in (base, urljoin(base, FOLDER + "/")):
            try:
                return _from_manifest(read_under(folder), MANIFEST)
            except FileNotFoundError:
                continue
    raise IndexFormatError(f"{where} publishes no index: there is neither {MANIFEST} nor {FOLDER}/{MANIFEST}")
