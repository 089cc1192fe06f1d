"""Look at a published or built site: are the files there, of the right types, and free to run?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx

from .findings import Finding
from .policy import lacks, policies

SECONDS = 15.0
REMEDY = "build with the askbook plugin, or run 'askbook inject' on the built site"
_SCRIPT = re.compile(r"<script[^>]*\ssrc=[\"']?([^\"'\s>]*assets/askbook/main\.js)")


def published(site: str, endpoint: str) -> Iterator[Finding]:
    """What a published or built site says."""
    if not site.startswith(("http://", "https://")):
        yield from _built(Path(site), endpoint)
        return
    address = site if site.endswith(("/", ".html")) else f"{site}/"
    with httpx.Client(timeout=SECONDS, follow_redirects=True) as client:
        try:
            page = client.get(address)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as failed:
            yield Finding("site", f"{address} does not answer: {failed}", "wrong")
            return
        if page.status_code != httpx.codes.OK:
            yield Finding("site", f"{address} answers with status {page.status_code}", "wrong")
            return
        root = _root_of(page.text, str(page.url))
        yield Finding("site", f"{page.url} answers")
        if root is None:
            yield Finding(
                "assistant", "the page has no assistant", "wrong", "build with the askbook plugin, or run 'askbook inject'"
            )
            return
        yield Finding("base address", urlsplit(root).path)
        yield from kept(root)
        yield from _served(client, root)
        yield from _policy_findings(page.headers.get("content-security-policy", ""), page.text, str(page.url), endpoint)


def kept(root: str) -> Iterator[Finding]:
    """Whether browsers keep files of this site, and so the memory snapshot that makes the next visit start at once."""
    parts = urlsplit(root)
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        said = "browsers keep no files and make no snapshot of pages over http: every visit starts like the first"
        yield Finding("start", said, "note", "serve the site over https")


def is_loopback(host: str) -> bool:
    """Whether a browser takes a host for this machine, and so for safe."""
    return host == "localhost" or host.endswith(".localhost") or host.startswith("127.") or host == "::1"


def _root_of(page: str, address: str) -> str | None:
    """The site's root, from the script the page carries."""
    script = _SCRIPT.search(page)
    return urljoin(urljoin(address, script[1]), "../../") if script else None


def _served(client: httpx.Client, root: str) -> Iterator[Finding]:
    """Whether the host gives the files, and the types a browser insists on."""
    wanted = [("assets/askbook/main.js", "javascript"), ("ai-index/books.json", "json")]
    runtime = client.get(urljoin(root, "assets/askbook/vendor/runtime.json"))
    if runtime.status_code == httpx.codes.OK:
        told = runtime.json()
        wanted += [(f"assets/askbook/vendor/{told['pyodide']['folder']}pyodide.asm.js", "javascript")]
        packed = (told["pyodide"]["wasm"], told["stdlib"], told["app"])
        wanted += [(f"assets/askbook/vendor/{each['path']}", "") for each in packed]  # any type will do
    for path, type_ in wanted:
        answer = client.head(urljoin(root, path))
        given = answer.headers.get("content-type", "no type")
        if answer.status_code != httpx.codes.OK:
            yield Finding("file", f"{path}: status {answer.status_code}", "wrong", "publish the whole site folder")
        elif type_ not in given:
            yield Finding("file", f"{path} is served as {given}", "wrong", f"let the host serve it as {type_}")
        else:
            yield Finding("file", f"{path} is served as {given}")


def _built(folder: Path, endpoint: str) -> Iterator[Finding]:
    """What a folder with a built site holds."""
    start = folder / "index.html"
    if not start.is_file():
        yield Finding("site", f"{folder} is not a built site: it has no index.html", "wrong")
        return
    page = start.read_text(encoding="utf-8", errors="replace")
    for path in ("assets/askbook/main.js", "ai-index/books.json"):
        if (folder / path).is_file():
            yield Finding("file", f"{path} is there")
        else:
            yield Finding("file", f"{path} is missing", "wrong", REMEDY)
    yield from _policy_findings("", page, "https://site.invalid/", endpoint)


def _policy_findings(header: str, page: str, site: str, endpoint: str) -> Iterator[Finding]:
    found = policies(header, page)
    wrong = [sentence for policy in found for sentence in lacks(policy, site=site, endpoint=endpoint)]
    yield from (Finding("policy", sentence, "wrong") for sentence in wrong)
    if not found:
        yield Finding("policy", "no Content-Security-Policy: nothing is restricted", "note")
    elif not wrong:
        yield Finding("policy", f"{len(found)} in force, and the assistant may run")
